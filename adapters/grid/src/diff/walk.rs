//! The way over the rows of two sheets: what came to lie in each place, and what is
//! there.

use crate::cell_map::{CellMap, LineMove};
use crate::diff::cells::{Blocks, CellChanges, Cells};
use crate::formula::{Formula, Shift, same};
use crate::grid::Slot;
use crate::{Address, Cell, CellData, DiffOp, FormulaDiff, Placed};

/// One cell on its way: where it comes from.
#[derive(Clone, Copy)]
struct Arrival {
    col: u32,
    slot: Slot,
    from: Address,
}

/// What meets in one place.
struct Found {
    arrival: Option<Arrival>,
    /// What was where a rectangle went.
    held: Option<Arrival>,
    now: Option<Slot>,
}

/// The way over the rows of two sheets.
pub(super) struct Walk<'w, 'a> {
    cells: &'w Cells<'a>,
    back: &'w CellMap,
    blocks: [Blocks<'w>; 2],
    pub(super) changes: CellChanges,
    arrivals: Vec<Arrival>,
    /// What was where a rectangle went.
    held: Vec<Arrival>,
}

impl<'w, 'a> Walk<'w, 'a> {
    pub(super) fn new(
        cells: &'w Cells<'a>,
        back: &'w CellMap,
        blocks: [Blocks<'w>; 2],
        changes: CellChanges,
    ) -> Self {
        Self {
            cells,
            back,
            blocks,
            changes,
            arrivals: Vec::new(),
            held: Vec::new(),
        }
    }

    /// One row that was there and is there.
    pub(super) fn row(&mut self, from: u32, row: u32) {
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
                let cell = self.cells.budget.placed(&cell);
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
                    column.push(cells.budget.placed(&new));
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

    /// Something is where a rectangle was: leading it back would lose it, unless
    /// it is written down.
    fn keep_what_was_here(&mut self, at: Address) {
        let map = &self.cells.aligned.map;
        let from = self.under(at);
        if let Some(to) = map.rects.iter().find_map(|rect| rect.place(from)) {
            let data = |side: usize, at| {
                let cell = self.cells.grids[side].cell(at);
                cell.map(|cell| self.cells.budget.data(&cell))
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
            (None, None) => return cells.same_value(old, new),
            _ if cells.options.values_only => return cells.same_value(old, new),
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
        let filled = old.array.and_then(|area| cells.aligned.map.area(area));
        if (old.array.is_some(), filled) != (new.array.is_some(), new.array) {
            return false;
        }
        if !cells.followed(was, is, shift) {
            // After a sort, a total below it reads as before, whatever became of
            // the rows at the ends of its range.
            if old.address != new.address || old.array != new.array || !same(was, is) {
                return false;
            }
            self.changes.kept.push(new.address);
            return !cells.options.cached_values || cells.same_value(old, new);
        }
        if cells.options.cached_values && !cells.same_value(old, new) {
            return false;
        }
        if was != is {
            self.changes.formulas_followed += u32::from(!same(was, is));
        }
        let back = new.array.and_then(|area| self.back.area(area));
        if !cells.still && (back != old.array || !cells.leads_back(was, is, shift)) {
            let op = self.edited(
                old.address,
                new.address,
                cells.budget.data(old),
                cells.budget.data(new),
            );
            self.changes.followed.push(op);
        }
        true
    }

    fn edit(&mut self, from: Address, to: Address, old: Option<&Cell<'_>>, new: Option<&Cell<'_>>) {
        let budget = self.cells.budget;
        let data = |cell: Option<&Cell<'_>>| cell.map(|cell| budget.data(cell)).unwrap_or_default();
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
