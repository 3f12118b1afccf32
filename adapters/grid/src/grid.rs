//! A sheet's cells: sparse, typed, and sixteen bytes each.

use crate::formula;
use crate::string_pool::StringPool;
use crate::value::ErrorCode;
use crate::{Address, Area, CellData, MAX_COLS, MAX_ROWS, Value};
use std::ops::Range;

/// The cells of a sheet, in order of rows and then columns. What is not there is
/// empty.
///
/// ```
/// use mvdiff_grid::{Address, Grid, Value};
///
/// let grid = Grid::from_rows([
///     vec![Value::Text("id"), Value::Text("price")],
///     vec![Value::Number(1000.0), Value::Number(12.5)],
/// ]);
/// assert_eq!((grid.row_count(), grid.col_count()), (2, 2));
/// assert_eq!(grid.value(Address::new(1, 1)), Value::Number(12.5));
/// assert_eq!(grid.value(Address::new(7, 7)), Value::Empty);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Grid {
    rows: Vec<RowStart>,
    slots: Vec<Slot>,
    texts: StringPool,
    cols: u32,
    /// Formulas that fill an area, by their cells, in order.
    arrays: Vec<(Address, Area)>,
}

/// Where a row that has cells begins among all cells.
#[derive(Clone, Copy, Debug)]
struct RowStart {
    row: u32,
    start: u32,
}

/// One cell, packed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slot {
    /// The number, the text's id, the error's code: `kind` tells.
    pub bits: u64,
    /// The formula's text id and one, or 0.
    formula: u32,
    /// Columns are fewer than 2^14.
    col: u16,
    pub kind: CellKind,
}

/// What `Slot::bits` mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum CellKind {
    Empty,
    Number,
    Text,
    Bool,
    Date,
    Duration,
    Error,
}

impl Slot {
    /// The column, from zero.
    #[inline]
    pub fn col(self) -> u32 {
        u32::from(self.col)
    }

    /// The id of the formula's text, if there is one.
    #[inline]
    pub fn formula(self) -> Option<u32> {
        self.formula.checked_sub(1)
    }
}

/// One cell of a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell<'g> {
    /// Where it is.
    pub address: Address,
    /// What it holds; next to a formula, what was computed last.
    pub value: Value<&'g str>,
    /// The formula, beginning with `=`.
    pub formula: Option<&'g str>,
    /// The cells that the formula fills, if it is an array formula.
    pub array: Option<Area>,
}

impl Cell<'_> {
    /// The cell with texts of its own.
    #[must_use]
    pub fn to_data(&self) -> CellData {
        CellData {
            value: self.value.to_owned(),
            formula: self.formula.map(str::to_owned),
            array: self.array,
        }
    }
}

/// Two cells claim one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cell {0} is there twice")]
pub struct TwiceThere(pub Address);

impl Grid {
    /// A grid of values, row by row from `A1`.
    ///
    /// # Panics
    /// If there are more rows or columns than a sheet can have.
    #[must_use]
    pub fn from_rows<'v>(rows: impl IntoIterator<Item = Vec<Value<&'v str>>>) -> Self {
        let mut builder = GridBuilder::default();
        for (row, values) in rows.into_iter().enumerate() {
            for (col, value) in values.into_iter().enumerate() {
                builder.push(Address::new(row as u32, col as u32), value, None);
            }
        }
        builder
            .finish()
            .unwrap_or_else(|error| unreachable!("{error}, but rows and columns count up"))
    }

    /// The rows up to the last one that holds something.
    #[must_use]
    pub fn row_count(&self) -> u32 {
        self.rows.last().map_or(0, |last| last.row + 1)
    }

    /// The columns up to the last one that holds something.
    #[must_use]
    pub fn col_count(&self) -> u32 {
        self.cols
    }

    /// How many cells hold something.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.slots.len()
    }

    /// Every cell that holds something, in order of rows and then columns.
    pub fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        self.filled_rows()
            .flat_map(move |(row, slots)| slots.iter().map(move |slot| self.unpack(row, *slot)))
    }

    /// The cells of one row, in order of columns.
    pub fn row(&self, row: u32) -> impl Iterator<Item = Cell<'_>> {
        let slots = self.slots_of(row).iter();
        slots.map(move |slot| self.unpack(row, *slot))
    }

    /// The cell in this place, if there is something.
    #[must_use]
    pub fn cell(&self, at: Address) -> Option<Cell<'_>> {
        let slots = self.slots_of(at.row);
        let found = slots.binary_search_by_key(&at.col, |slot| slot.col());
        found.ok().map(|i| self.unpack(at.row, slots[i]))
    }

    /// What the cell in this place holds.
    #[must_use]
    pub fn value(&self, at: Address) -> Value<&str> {
        self.cell(at).map_or(Value::Empty, |cell| cell.value)
    }

    /// Whether both hold the same, values by [`Value::same`] and cells with formulas
    /// by their formulas.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        let alike = |(a, b): (Cell<'_>, Cell<'_>)| {
            a.address == b.address
                && match (a.formula, b.formula) {
                    (Some(was), Some(is)) => a.array == b.array && formula::same(was, is),
                    (None, None) => a.value.same(&b.value),
                    _ => false,
                }
        };
        self.cell_count() == other.cell_count() && self.cells().zip(other.cells()).all(alike)
    }

    /// Rows that hold something, with their cells.
    pub(crate) fn filled_rows(&self) -> impl Iterator<Item = (u32, &[Slot])> {
        (0..self.rows.len()).map(|i| (self.rows[i].row, &self.slots[self.range_at(i)]))
    }

    /// The cells of a row.
    pub(crate) fn slots_of(&self, row: u32) -> &[Slot] {
        &self.slots[self.slot_range(row)]
    }

    /// Where the cells of a row are among all cells.
    pub(crate) fn slot_range(&self, row: u32) -> Range<usize> {
        // Most sheets have no hole, and then the row is its own index.
        let dense = self.rows.get(row as usize).filter(|r| r.row == row);
        let found = match dense {
            Some(_) => Ok(row as usize),
            None => self.rows.binary_search_by_key(&row, |r| r.row),
        };
        found.map_or(0..0, |i| self.range_at(i))
    }

    fn range_at(&self, i: usize) -> Range<usize> {
        let next = self.rows.get(i + 1);
        let end = next.map_or(self.slots.len(), |next| next.start as usize);
        self.rows[i].start as usize..end
    }

    /// The area that the formula in this cell fills, if it is an array formula.
    pub(crate) fn array(&self, at: Address) -> Option<Area> {
        let found = self.arrays.binary_search_by_key(&at, |array| array.0);
        found.ok().map(|i| self.arrays[i].1)
    }

    pub(crate) fn texts(&self) -> &StringPool {
        &self.texts
    }

    pub(crate) fn unpack(&self, row: u32, slot: Slot) -> Cell<'_> {
        let number = f64::from_bits(slot.bits);
        let value = match slot.kind {
            CellKind::Empty => Value::Empty,
            CellKind::Number => Value::Number(number),
            CellKind::Text => Value::Text(self.texts.get(slot.bits as u32)),
            CellKind::Bool => Value::Bool(slot.bits != 0),
            CellKind::Date => Value::Date(number),
            CellKind::Duration => Value::Duration(number),
            CellKind::Error => Value::Error(ErrorCode::ALL[slot.bits as usize]),
        };
        Cell {
            address: Address::new(row, slot.col()),
            value,
            formula: slot.formula().map(|id| self.texts.get(id)),
            array: self.array(Address::new(row, slot.col())),
        }
    }
}

/// Takes cells in any order; those in order of rows and columns cost least.
#[derive(Debug, Default)]
pub struct GridBuilder {
    /// Row and slot of every cell, in the order they came.
    cells: Vec<Slot>,
    rows: Vec<RowStart>,
    texts: StringPool,
    cols: u32,
    /// Rows and columns did not only count up.
    disordered: bool,
    arrays: Vec<(Address, Area)>,
}

impl GridBuilder {
    /// Adds a cell. One that is empty and has no formula is left out: a blank
    /// with a format is nothing.
    ///
    /// # Panics
    /// If `at` lies outside [`MAX_ROWS`] and [`MAX_COLS`], or there are more than
    /// `u32::MAX` cells.
    pub fn push(&mut self, at: Address, value: Value<&str>, formula: Option<&str>) {
        assert!(at.row < MAX_ROWS && at.col < MAX_COLS, "{at:?} is outside");
        if value.is_empty() && formula.is_none() {
            return;
        }
        let formula = formula.map(|text| self.texts.intern(text));
        let (kind, bits) = match value {
            // Only a formula can have come to a text of no characters.
            Value::Empty | Value::Text("") => (CellKind::Empty, 0),
            Value::Number(number) => (CellKind::Number, number.to_bits()),
            Value::Text(text) => (CellKind::Text, u64::from(self.texts.intern(text))),
            Value::Bool(is) => (CellKind::Bool, u64::from(is)),
            Value::Date(days) => (CellKind::Date, days.to_bits()),
            Value::Duration(days) => (CellKind::Duration, days.to_bits()),
            Value::Error(code) => (CellKind::Error, code as u64),
        };
        self.push_packed(at, kind, bits, formula);
    }

    /// The formula in this cell fills an area.
    pub fn array(&mut self, at: Address, area: Area) {
        self.arrays.push((at, area));
    }

    /// The number of a text, for [`Self::push_packed`].
    pub(crate) fn intern(&mut self, text: &str) -> u32 {
        self.texts.intern(text)
    }

    /// Adds a cell that is packed already and lies within the sheet; one without
    /// value and formula is left out.
    pub(crate) fn push_packed(
        &mut self,
        at: Address,
        kind: CellKind,
        bits: u64,
        formula: Option<u32>,
    ) {
        if kind == CellKind::Empty && formula.is_none() {
            return;
        }
        let start = u32::try_from(self.cells.len()).expect("a limit on cells was checked before");
        match self.rows.last() {
            Some(last) if last.row == at.row => {
                let before = self.cells.last().map(|slot| slot.col());
                self.disordered |= before.is_some_and(|col| col >= at.col);
            }
            last => {
                self.disordered |= last.is_some_and(|last| last.row > at.row);
                self.rows.push(RowStart { row: at.row, start });
            }
        }
        self.cols = self.cols.max(at.col + 1);
        self.cells.push(Slot {
            bits,
            formula: formula.map_or(0, |id| id + 1),
            col: at.col as u16,
            kind,
        });
    }

    /// How many cells were added.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.cells.len()
    }

    /// How many bytes of text were added, each text once.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        self.texts.bytes()
    }

    /// The grid.
    ///
    /// # Errors
    /// [`TwiceThere`] if two cells claim one place.
    pub fn finish(self) -> Result<Grid, TwiceThere> {
        let Self {
            mut cells,
            mut rows,
            mut texts,
            cols,
            disordered,
            mut arrays,
        } = self;
        if disordered {
            (rows, cells) = ordered(&rows, &cells)?;
        }
        cells.shrink_to_fit();
        rows.shrink_to_fit();
        texts.shrink();
        arrays.sort_unstable();
        arrays.dedup_by_key(|array| array.0);
        Ok(Grid {
            rows,
            slots: cells,
            texts,
            cols,
            arrays,
        })
    }
}

fn ordered(rows: &[RowStart], cells: &[Slot]) -> Result<(Vec<RowStart>, Vec<Slot>), TwiceThere> {
    let ends = rows
        .iter()
        .skip(1)
        .map(|next| next.start as usize)
        .chain([cells.len()]);
    let mut placed: Vec<(u32, Slot)> = Vec::with_capacity(cells.len());
    for (start, end) in rows.iter().zip(ends) {
        let slots = cells[start.start as usize..end].iter();
        placed.extend(slots.map(|slot| (start.row, *slot)));
    }
    placed.sort_by_key(|(row, slot)| (*row, slot.col));
    let twice = placed
        .windows(2)
        .find(|two| (two[0].0, two[0].1.col) == (two[1].0, two[1].1.col));
    if let Some(two) = twice {
        return Err(TwiceThere(Address::new(two[0].0, two[0].1.col())));
    }
    let mut rows: Vec<RowStart> = Vec::new();
    for (start, (row, _)) in placed.iter().enumerate() {
        if rows.last().is_none_or(|last| last.row != *row) {
            rows.push(RowStart {
                row: *row,
                start: start as u32,
            });
        }
    }
    Ok((rows, placed.into_iter().map(|(_, slot)| slot).collect()))
}

#[cfg(test)]
mod tests {
    use super::{Grid, GridBuilder, Slot, TwiceThere};
    use crate::{Address, Value};

    #[test]
    fn a_cell_is_sixteen_bytes() {
        assert_eq!(size_of::<Slot>(), 16);
    }

    #[test]
    fn cells_in_any_order_make_the_same_grid() {
        let mut builder = GridBuilder::default();
        for (row, col) in [(5, 2), (0, 1), (5, 0), (0, 0), (3, 3)] {
            let text = format!("{row}/{col}");
            builder.push(Address::new(row, col), Value::Text(&text), Some("=X1"));
        }
        let grid = builder.finish().unwrap();
        let all: Vec<String> = grid.cells().map(|cell| cell.address.to_string()).collect();
        assert_eq!(all, ["A1", "B1", "D4", "A6", "C6"]);
        assert_eq!((grid.row_count(), grid.col_count()), (6, 4));
        assert_eq!(grid.row(5).count(), 2);
        assert_eq!(grid.value(Address::new(3, 3)), Value::Text("3/3"));
        assert_eq!(grid.cell(Address::new(0, 0)).unwrap().formula, Some("=X1"));
        assert_eq!(grid.cell(Address::new(4, 0)), None);
    }

    #[test]
    fn a_place_has_one_cell() {
        let mut builder = GridBuilder::default();
        let at = Address::new(1, 1);
        builder.push(at, Value::Number(1.0), None);
        builder.push(at, Value::Number(2.0), None);
        assert_eq!(builder.finish().unwrap_err(), TwiceThere(at));
    }

    #[test]
    fn blanks_do_not_reach_into_the_extent() {
        let rows = [vec![Value::Number(1.0), Value::Empty, Value::Text("")]];
        let grid = Grid::from_rows(rows);
        assert_eq!(
            (grid.row_count(), grid.col_count(), grid.cell_count()),
            (1, 1, 1)
        );
        assert_eq!(Grid::default().row_count(), 0);
    }
}
