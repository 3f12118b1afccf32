//! Cell by cell: what is left once rows, columns and rectangles are explained.

use crate::cell_map::LineMove;
use crate::diff::report_budget::ReportBudget;
use crate::diff::sheet::Aligned;
use crate::diff::tolerances::Tolerances;
use crate::diff::walk::Walk;
use crate::formula::{Formula, Shift, same};
use crate::keys::fold;
use crate::workbook_map::WorkbookMap;
use crate::{Address, Cell, DiffOp, Grid, Options, PlacedCell, Value};
use std::collections::HashMap;

/// Two sheets whose rows and columns are known, and all that their formulas need.
pub(crate) struct Cells<'a> {
    pub names: [&'a str; 2],
    pub grids: [&'a Grid; 2],
    pub aligned: &'a Aligned,
    /// Where the cells of all old sheets went, and where those of all new ones
    /// came from.
    pub workbook_map: &'a WorkbookMap,
    pub back: &'a WorkbookMap,
    /// No formula has anything to follow.
    pub still: bool,
    pub budget: &'a ReportBudget,
    pub options: &'a Options,
    pub tolerances: Tolerances,
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
    /// Formulas that are unchanged in their old place, and did not follow.
    pub kept: Vec<Address>,
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

/// The moved blocks, to be found by their lines.
pub(super) struct Blocks<'m>(&'m [LineMove]);

impl Blocks<'_> {
    /// The block that a line moved with; blocks come in old order.
    pub(super) fn get(&self, line: u32) -> Option<usize> {
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
        let mut walk = Walk::new(self, &back, blocks, changes);
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
        cells.map(|cell| self.budget.placed(&cell)).collect()
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
    pub(super) fn followed(&self, old: &str, new: &str, shift: Shift) -> bool {
        if self.still && shift == Shift::default() {
            return old == new || same(old, new);
        }
        let places = self.workbook_map.seen_from(Some(self.names[0]));
        same(&Formula::parse(old).follow_shifted(&places, shift), new)
    }

    /// Whether the new formula, led back, is the old one again.
    pub(super) fn leads_back(&self, old: &str, new: &str, shift: Shift) -> bool {
        let back = Shift {
            rows: shift.rows.map(|far| -far),
            cols: shift.cols.map(|far| -far),
        };
        let places = self.back.seen_from(Some(self.names[1]));
        same(&Formula::parse(new).follow_shifted(&places, back), old)
    }

    pub(super) fn same_value(&self, was: &Cell<'_>, is: &Cell<'_>) -> bool {
        let options = self.options;
        let (old, new) = (&was.value, &is.value);
        match (old, new) {
            (Value::Number(a), Value::Number(b)) => {
                old.same(new) || self.tolerances.allow(is.address.col, *a, *b)
            }
            (Value::Text(a), Value::Text(b)) => a == b || fold(a, options) == fold(b, options),
            (Value::Text(text), Value::Empty) | (Value::Empty, Value::Text(text)) => {
                fold(text, options).is_empty()
            }
            _ => old.same(new),
        }
    }
}
