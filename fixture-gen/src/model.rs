//! A workbook whose rows, columns and sheets have identities.

use crate::formula::Formula;
use crate::positions::Positions;
use mvdiff_grid::{Address, CellData, Value, Visibility};
use std::collections::{HashMap, HashSet};

/// Which sheet, whatever its name and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SheetId(pub u32);

/// Empty rows and columns that a sheet's model has beyond its cells, for whatever
/// is put there.
pub const BEYOND: usize = 48;

/// A workbook.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// The sheets, in order of their tabs.
    pub sheets: Vec<Sheet>,
    /// Defined names.
    pub names: Vec<DefinedName>,
    /// Whether days count from 1904.
    pub date_1904: bool,
    next: u32,
}

/// One sheet.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Which one it is.
    pub id: SheetId,
    /// The name on its tab.
    pub name: String,
    /// Whether it is shown.
    pub visibility: Visibility,
    /// Rows by identity, in their order.
    pub rows: Vec<u32>,
    /// Columns by identity, in their order.
    pub cols: Vec<u32>,
    /// What is in the cells, by row and column.
    pub cells: Cells,
    /// Merged regions.
    pub merges: Vec<Span>,
    /// The columns whose formulas are written as shared ones.
    pub shared: Vec<u32>,
}

/// Cells by the identities of their row and column.
pub type Cells = HashMap<(u32, u32), Content>;

/// What a cell holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A value.
    Value(Value<String>),
    /// A formula.
    Formula(Formula),
}

/// A region, by its corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Row and column of its first cell.
    pub first: (u32, u32),
    /// Row and column of its last cell.
    pub last: (u32, u32),
}

/// A defined name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinedName {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub refers_to: Formula,
}

impl Content {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Value(Value::Text(text.into()))
    }

    /// A number.
    #[must_use]
    pub fn number(number: f64) -> Self {
        Self::Value(Value::Number(number))
    }

    /// Whether there is nothing in it: a blank that is only formatted, or a text of
    /// no characters.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Value(value) if value.is_empty())
    }

    /// The cell as it is in a file. No formula is computed: each shows 0.
    #[must_use]
    pub fn render(&self, places: &Positions<'_>, own: SheetId) -> CellData {
        match self {
            Self::Value(value) => CellData {
                value: value.clone(),
                ..CellData::default()
            },
            Self::Formula(formula) => CellData {
                value: Value::Number(0.0),
                formula: Some(formula.render(places, own)),
                ..CellData::default()
            },
        }
    }
}

impl Book {
    /// A number that no row, column or sheet has yet.
    pub fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// An empty sheet at the end, with so many rows and columns beside those beyond.
    pub fn add_sheet(&mut self, name: &str, rows: usize, cols: usize) -> SheetId {
        let id = SheetId(self.fresh());
        let rows = (0..rows + BEYOND).map(|_| self.fresh()).collect();
        let cols = (0..cols + BEYOND).map(|_| self.fresh()).collect();
        self.sheets.push(Sheet {
            id,
            name: name.to_owned(),
            visibility: Visibility::Visible,
            rows,
            cols,
            cells: Cells::new(),
            merges: Vec::new(),
            shared: Vec::new(),
        });
        id
    }

    /// The sheet of this name, in either case.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, name: &str) -> Result<SheetId, String> {
        let found = self
            .sheets
            .iter()
            .find(|s| s.name.eq_ignore_ascii_case(name));
        found
            .map(|sheet| sheet.id)
            .ok_or_else(|| format!("there is no sheet {name:?}"))
    }

    /// A sheet, if it is still there.
    #[must_use]
    pub fn get(&self, id: SheetId) -> Option<&Sheet> {
        self.sheets.iter().find(|sheet| sheet.id == id)
    }

    /// A sheet.
    ///
    /// # Panics
    /// If it is gone.
    #[must_use]
    pub fn sheet(&self, id: SheetId) -> &Sheet {
        self.get(id).expect("a sheet that is there")
    }

    /// A sheet.
    ///
    /// # Panics
    /// If it is gone.
    pub fn sheet_mut(&mut self, id: SheetId) -> &mut Sheet {
        let found = self.sheets.iter_mut().find(|sheet| sheet.id == id);
        found.expect("a sheet that is there")
    }
}

impl Sheet {
    /// Rows and columns up to the last ones that hold something.
    #[must_use]
    pub fn extent(&self) -> (usize, usize) {
        self.reach(|content| !content.is_empty())
    }

    /// Rows and columns up to the last ones with such a cell.
    fn reach(&self, such: impl Fn(&Content) -> bool) -> (usize, usize) {
        let (mut rows, mut cols) = (HashSet::new(), HashSet::new());
        for ((row, col), _) in self.cells.iter().filter(|(_, content)| such(content)) {
            rows.insert(*row);
            cols.insert(*col);
        }
        let last = |axis: &[u32], found: &HashSet<u32>| {
            let at = axis.iter().rposition(|id| found.contains(id));
            at.map_or(0, |at| at + 1)
        };
        (last(&self.rows, &rows), last(&self.cols, &cols))
    }

    /// The identities of the row and column at a place.
    ///
    /// # Errors
    /// If the place lies beyond the model.
    pub fn key(&self, at: Address) -> Result<(u32, u32), String> {
        let row = self.rows.get(at.row as usize);
        let col = self.cols.get(at.col as usize);
        row.copied()
            .zip(col.copied())
            .ok_or_else(|| format!("{at} lies beyond the model of sheet {:?}", self.name))
    }

    /// Every cell, also those that are only formatted, with its place, in order of
    /// rows and then columns.
    pub fn placed(&self) -> impl Iterator<Item = (Address, &Content)> {
        let (rows, cols) = self.reach(|_| true);
        (0..rows).flat_map(move |row| {
            (0..cols).filter_map(move |col| {
                let content = self.cells.get(&(self.rows[row], self.cols[col]))?;
                Some((Address::new(row as u32, col as u32), content))
            })
        })
    }
}
