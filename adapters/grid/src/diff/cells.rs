//! Cell by cell: what is left once rows, columns and rectangles are explained.

use crate::atlas::Atlas;
use crate::diff::room::Room;
use crate::diff::sheet::Aligned;
use crate::formula::{Formula, Shift, same};
use crate::grid::Slot;
use crate::keys::fold;
use crate::maps::{CellMap, LineMove};
use crate::{
    Address, Cell, CellData, DiffOp, FormulaDiff, Grid, Options, Placed, PlacedCell, Value,
};
use std::collections::HashMap;

/// Two sheets whose rows and columns are known, and all that their formulas need.
pub(crate) struct Cells<'a> {
    pub names: [&'a str; 2],
    pub grids: [&'a Grid; 2],
    pub aligned: &'a Aligned,
    /// Where the cells of all old sheets went, and where those of all new ones
    /// came from.
    pub atlas: &'a Atlas,
    pub back: &'a Atlas,
    /// No formula has anything to follow.
    pub still: bool,
    pub room: &'a Room,
    pub options: &'a Options,
}

/// What happened in the cells of a sheet.
#[derive(Debug, Default)]
pub(crate) struct CellChanges {
    pub edits: Vec<DiffOp>,
    pub followed: Vec<DiffOp>,
    /// Cells of rows and columns that came or went, by their line.
    pub rows_removed: Vec<Vec<PlacedCell>>,
    pub rows_added: Vec<Vec<PlacedCell>>,
    pub cols_removed: HashMap<u32, Vec<PlacedCell>>,
    pub cols_added: HashMap<u32, Vec<PlacedCell>>,
    /// For each moved block of rows, of columns, and each rectangle: cells in it,
    /// and those that changed.
    pub moved_rows: Vec<Tally>,
    pub moved_cols: Vec<Tally>,
    pub moved_rects: Vec<Tally>,
    /// Which moved blocks took their references along.
    pub relative_rows: Vec<bool>,
    pub relative_cols: Vec<bool>,
    /// Formulas that read otherwise now and only followed their cells.
    pub formulas_followed: u32,
    /// Formulas that name cells by text or by distance.
    pub unfollowable: u32,
}

/// Cells of a block, and how many of them changed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub all: u32,
    pub changed: u32,
}

impl Tally {
    /// The share that did not change, to four digits.
    pub fn similarity(self) -> f32 {
        if self.changed == 0 {
            return 1.0;
        }
        let share = f64::from(self.all - self.changed) / f64::from(self.all);
        // Never 1 for a block in which something changed.
        ((share * 1e4).floor() / 1e4) as f32
    }
}

/// One cell on its way: where it comes from.
#[derive(Clone, Copy)]
struct Arrival {
    col: u32,
    slot: Slot,
    from: Address,
}

/// The moved blocks, to be found by their lines.
struct Blocks<'m>(&'m [LineMove]);

impl Blocks<'_> {
    /// The block that a line moved with; blocks come in old order.
    fn get(&self, line: u32) -> Option<usize> {
        let behind = self.0.partition_point(|step| step.src + step.len <= line);
        let step = self.0.get(behind)?;
        (step.src <= line).then_some(behind)
    }
}

impl Cells<'_> {
    /// Goes over every cell of both sheets once.
    pub fn changes(&self) -> CellChanges {
        let aligned = self.aligned;
        let blocks = [Blocks(&aligned.rows.moves), Blocks(&aligned.cols.moves)];
        let mut changes = CellChanges {
            moved_rows: vec![Tally::default(); aligned.rows.moves.len()],
            moved_cols: vec![Tally::default(); aligned.cols.moves.len()],
            moved_rects: vec![Tally::default(); aligned.rects.len()],
            ..CellChanges::default()
        };
        self.choose_references(&blocks, &mut changes);
        let went = aligned
            .rows
            .removed
            .iter()
            .map(|row| self.whole_row(0, *row));
        changes.rows_removed = went.collect();
        let came = aligned.rows.added.iter().map(|row| self.whole_row(1, *row));
        changes.rows_added = came.collect();
        for col in &aligned.cols.removed {
            changes.cols_removed.insert(*col, Vec::new());
        }
        for col in &aligned.cols.added {
            changes.cols_added.insert(*col, Vec::new());
        }
        let map = &aligned.map;
        let back = map.inverse();
        // Rows that hold something, and rows that something went to.
        let there = self.grids[1].filled_rows().map(|(row, _)| row);
        let went = self.grids[0].filled_rows();
        let went = went.filter_map(|(row, _)| map.rows.get(row));
        let covered = aligned.rects.iter().flat_map(|rect| {
            let target = rect.target();
            target.first.row..=target.last.row
        });
        let mut rows: Vec<u32> = there.chain(went).chain(covered).collect();
        rows.sort_unstable();
        rows.dedup();
        let mut walk = Walk {
            cells: self,
            back: &back,
            blocks,
            changes,
            arrivals: Vec::new(),
            held: Vec::new(),
        };
        for row in rows {
            if let Some(from) = back.rows.get(row) {
                walk.row(from, row);
            }
        }
        let mut changes = walk.changes;
        for cells in changes.cols_removed.values_mut() {
            cells.sort_by_key(|cell| cell.addr);
        }
        changes.edits.sort_by_key(|op| match op {
            DiffOp::CellEdited {
                addr, from_addr, ..
            } => (*addr, *from_addr),
            _ => unreachable!("only edits are among the edits"),
        });
        changes
    }

    fn whole_row(&self, side: usize, row: u32) -> Vec<PlacedCell> {
        let cells = self.grids[side].row(row);
        let cells = cells.filter(|cell| !self.aligned.ignored[side].contains(&cell.address.col));
        cells.map(|cell| self.room.placed(&cell)).collect()
    }

    /// Decides for each moved block whether its relative references followed the
    /// cells that they named or went along: whichever explains more formulas.
    fn choose_references(&self, blocks: &[Blocks<'_>; 2], changes: &mut CellChanges) {
        changes.relative_rows = vec![false; self.aligned.rows.moves.len()];
        changes.relative_cols = vec![false; self.aligned.cols.moves.len()];
        if self.options.values_only {
            return;
        }
        let axes = [
            (&self.aligned.rows.moves, true),
            (&self.aligned.cols.moves, false),
        ];
        for (moves, is_rows) in axes {
            if moves.is_empty() {
                continue;
            }
            // How many formulas each explanation leaves unexplained.
            let mut wrong = vec![[0_u32; 2]; moves.len()];
            for cell in self.grids[0].cells().filter(|cell| cell.formula.is_some()) {
                let line = if is_rows {
                    cell.address.row
                } else {
                    cell.address.col
                };
                let Some(block) = blocks[usize::from(!is_rows)].get(line) else {
                    continue;
                };
                let to = self.aligned.map.get(cell.address);
                let Some(new) = to.and_then(|to| self.grids[1].cell(to)?.formula) else {
                    continue;
                };
                let far = i64::from(moves[block].dst) - i64::from(moves[block].src);
                let relative = if is_rows {
                    Shift {
                        rows: Some(far),
                        cols: None,
                    }
                } else {
                    Shift {
                        rows: None,
                        cols: Some(far),
                    }
                };
                for (wrong, shift) in wrong[block].iter_mut().zip([Shift::default(), relative]) {
                    *wrong +=
                        u32::from(!self.followed(cell.formula.unwrap_or_default(), new, shift));
                }
            }
            let relative = wrong
                .iter()
                .map(|[follow, relative]| relative < follow)
                .collect();
            if is_rows {
                changes.relative_rows = relative;
            } else {
                changes.relative_cols = relative;
            }
        }
    }

    /// Whether a formula became this other one by following its cells.
    fn followed(&self, old: &str, new: &str, shift: Shift) -> bool {
        if self.still && shift == Shift::default() {
            return old == new || same(old, new);
        }
        let places = self.atlas.seen_from(Some(self.names[0]));
        same(&Formula::parse(old).follow_shifted(&places, shift), new)
    }

    /// Whether the new formula, led back, is the old one again.
    fn leads_back(&self, old: &str, new: &str, shift: Shift) -> bool {
        let back = Shift {
            rows: shift.rows.map(|far| -far),
            cols: shift.cols.map(|far| -far),
        };
        let places = self.back.seen_from(Some(self.names[1]));
        same(&Formula::parse(new).follow_shifted(&places, back), old)
    }

    fn same_value(&self, old: &Value<&str>, new: &Value<&str>) -> bool {
        let options = self.options;
        match (old, new) {
            (Value::Number(a), Value::Number(b)) => {
                old.same(new) || options.tolerance.is_some_and(|t| t.allows(*a, *b))
            }
            (Value::Text(a), Value::Text(b)) => a == b || fold(a, options) == fold(b, options),
            (Value::Text(text), Value::Empty) | (Value::Empty, Value::Text(text)) => {
                fold(text, options).is_empty()
            }
            _ => old.same(new),
        }
    }
}

/// What meets in one place.
struct Found {
    arrival: Option<Arrival>,
    /// What stood where a rectangle went.
    held: Option<Arrival>,
    now: Option<Slot>,
}

/// The way over the rows of two sheets.
struct Walk<'w, 'a> {
    cells: &'w Cells<'a>,
    back: &'w CellMap,
    blocks: [Blocks<'w>; 2],
    changes: CellChanges,
    arrivals: Vec<Arrival>,
    /// What stood where a rectangle went.
    held: Vec<Arrival>,
}

impl Walk<'_, '_> {
    /// One row that was there and is there.
    fn row(&mut self, from: u32, row: u32) {
        self.gather(from, row);
        let cells = self.cells;
        let arrivals = std::mem::take(&mut self.arrivals);
        let held = std::mem::take(&mut self.held);
        let mut old = arrivals.iter().copied().peekable();
        let mut under = held.iter().copied().peekable();
        let mut new = cells.grids[1].slots_of(row).iter().copied().peekable();
        loop {
            let cols = [
                old.peek().map(|arrival| arrival.col),
                under.peek().map(|arrival| arrival.col),
                new.peek().map(|slot| slot.col()),
            ];
            let Some(col) = cols.into_iter().flatten().min() else {
                break;
            };
            let found = Found {
                arrival: old.next_if(|arrival| arrival.col == col),
                held: under.next_if(|arrival| arrival.col == col),
                now: new.next_if(|slot| slot.col() == col),
            };
            self.place(Address::new(row, col), &found);
        }
        self.held = held;
        self.arrivals = arrivals;
    }

    /// The old cells that come to lie in this row, by column.
    fn gather(&mut self, from: u32, row: u32) {
        self.arrivals.clear();
        self.held.clear();
        let map = &self.cells.aligned.map;
        let mut in_order = true;
        for &slot in self.cells.grids[0].slots_of(from) {
            let at = Address::new(from, slot.col());
            if map.rects.iter().any(|rect| rect.from.contains(at)) {
                continue;
            }
            let Some(col) = map.cols.get(slot.col()) else {
                let cell = self.cells.grids[0].unpack(from, slot);
                let cell = self.cells.room.placed(&cell);
                self.changes
                    .cols_removed
                    .entry(slot.col())
                    .or_default()
                    .push(cell);
                continue;
            };
            let arrival = Arrival {
                col,
                slot,
                from: at,
            };
            let to = Address::new(row, col);
            if map.rects.iter().any(|rect| rect.target().contains(to)) {
                self.held.push(arrival);
                continue;
            }
            in_order &= self.arrivals.last().is_none_or(|last| last.col < col);
            self.arrivals.push(arrival);
        }
        for rect in &map.rects {
            let target = rect.target();
            if !(target.first.row..=target.last.row).contains(&row) {
                continue;
            }
            let source = rect.from.first.row + row - target.first.row;
            for &slot in self.cells.grids[0].slots_of(source) {
                let at = Address::new(source, slot.col());
                if let Some(to) = rect.place(at) {
                    in_order = false;
                    self.arrivals.push(Arrival {
                        col: to.col,
                        slot,
                        from: at,
                    });
                }
            }
        }
        if !in_order {
            self.arrivals.sort_unstable_by_key(|arrival| arrival.col);
        }
        self.held.sort_unstable_by_key(|arrival| arrival.col);
    }

    /// One place: what came to lie there, and what is there.
    fn place(&mut self, to: Address, found: &Found) {
        let Found { arrival, held, now } = *found;
        let cells = self.cells;
        if cells.aligned.ignored[1].contains(&to.col)
            || arrival.is_some_and(|a| cells.aligned.ignored[0].contains(&a.from.col))
        {
            return;
        }
        let new = now.map(|slot| cells.grids[1].unpack(to.row, slot));
        if let Some(held) = held {
            let old = cells.grids[0].unpack(held.from.row, held.slot);
            self.edit(held.from, to, Some(&old), new.as_ref());
        }
        match (arrival, new) {
            (None, None) => {}
            (None, Some(new)) => {
                if let Some(column) = self.changes.cols_added.get_mut(&to.col) {
                    column.push(cells.room.placed(&new));
                } else {
                    let from = self.came_from(to);
                    self.count(from, false);
                    self.edit(from, to, None, Some(&new));
                }
                self.keep_what_was_here(to);
            }
            (Some(arrival), new) => {
                let old = cells.grids[0].unpack(arrival.from.row, arrival.slot);
                self.compare(&old, to, new.as_ref());
            }
        }
    }

    /// The old place of a new one, by rows and columns alone.
    fn under(&self, at: Address) -> Address {
        let row = self.back.rows.get(at.row).unwrap_or(at.row);
        let col = self.back.cols.get(at.col).unwrap_or(at.col);
        Address::new(row, col)
    }

    /// The old place of a new one.
    fn came_from(&self, at: Address) -> Address {
        let mut rects = self.back.rects.iter();
        let rect = rects.find_map(|rect| rect.place(at));
        rect.unwrap_or_else(|| self.under(at))
    }

    /// Something stands where a rectangle was: leading it back would lose it, unless
    /// it is written down.
    fn keep_what_was_here(&mut self, at: Address) {
        let map = &self.cells.aligned.map;
        let from = self.under(at);
        if let Some(to) = map.rects.iter().find_map(|rect| rect.place(from)) {
            let data = |side: usize, at| {
                let cell = self.cells.grids[side].cell(at);
                cell.map(|cell| self.cells.room.data(&cell))
                    .unwrap_or_default()
            };
            let op = self.edited(from, to, data(0, from), data(1, to));
            self.changes.followed.push(op);
        }
    }

    fn compare(&mut self, old: &Cell<'_>, to: Address, new: Option<&Cell<'_>>) {
        let from = old.address;
        let row_block = self.blocks[0].get(from.row);
        let col_block = self.blocks[1].get(from.col);
        let equal = new.is_some_and(|new| self.equal(old, new, row_block, col_block));
        self.count(from, equal);
        if !equal {
            self.edit(from, to, Some(old), new);
        }
    }

    /// Counts a cell for the blocks that it moved with.
    fn count(&mut self, from: Address, equal: bool) {
        let rects = &self.cells.aligned.map.rects;
        let rect = rects.iter().position(|rect| rect.from.contains(from));
        let tallies = [
            self.blocks[0]
                .get(from.row)
                .map(|at| &mut self.changes.moved_rows[at]),
            self.blocks[1]
                .get(from.col)
                .map(|at| &mut self.changes.moved_cols[at]),
            rect.map(|at| &mut self.changes.moved_rects[at]),
        ];
        for tally in tallies.into_iter().flatten() {
            tally.all += 1;
            tally.changed += u32::from(!equal);
        }
    }

    fn equal(
        &mut self,
        old: &Cell<'_>,
        new: &Cell<'_>,
        row_block: Option<usize>,
        col_block: Option<usize>,
    ) -> bool {
        let cells = self.cells;
        let (was, is) = match (old.formula, new.formula) {
            (Some(was), Some(is)) if !cells.options.values_only => (was, is),
            (None, None) => return cells.same_value(&old.value, &new.value),
            _ if cells.options.values_only => return cells.same_value(&old.value, &new.value),
            _ => return false,
        };
        let moves = &cells.aligned;
        let far = |step: LineMove| i64::from(step.dst) - i64::from(step.src);
        let shift = Shift {
            rows: row_block
                .filter(|at| self.changes.relative_rows[*at])
                .map(|at| far(moves.rows.moves[at])),
            cols: col_block
                .filter(|at| self.changes.relative_cols[*at])
                .map(|at| far(moves.cols.moves[at])),
        };
        self.changes.unfollowable +=
            u32::from(!cells.still && Formula::parse(is).has_text_references());
        if !cells.followed(was, is, shift) {
            return false;
        }
        if cells.options.cached_values && !cells.same_value(&old.value, &new.value) {
            return false;
        }
        if was != is {
            self.changes.formulas_followed += u32::from(!same(was, is));
        }
        if !cells.still && !cells.leads_back(was, is, shift) {
            let op = self.edited(
                old.address,
                new.address,
                cells.room.data(old),
                cells.room.data(new),
            );
            self.changes.followed.push(op);
        }
        true
    }

    fn edit(&mut self, from: Address, to: Address, old: Option<&Cell<'_>>, new: Option<&Cell<'_>>) {
        let room = self.cells.room;
        let data = |cell: Option<&Cell<'_>>| cell.map(|cell| room.data(cell)).unwrap_or_default();
        let op = self.edited(from, to, data(old), data(new));
        self.changes.edits.push(op);
    }

    fn edited(&self, from: Address, to: Address, old: CellData, new: CellData) -> DiffOp {
        let formula_diff = match (&old.formula, &new.formula) {
            _ if self.cells.options.values_only => None,
            (None, None) => None,
            (None, Some(_)) => Some(FormulaDiff::Added),
            (Some(_), None) => Some(FormulaDiff::Removed),
            (Some(_), Some(_)) => Some(FormulaDiff::Semantic),
        };
        DiffOp::CellEdited {
            sheet: self.cells.names[1].to_owned(),
            addr: Placed(to),
            from_addr: Placed(from),
            from: old,
            to: new,
            formula_diff,
        }
    }
}
