//! One sheet as it is shown: rows and columns of both versions, and their cells.

use super::axis::{Axis, Line, LineFate, MovedSpan};
use super::entries::{self, Entry};
use super::moves::{Move, MoveKind};
use crate::workbook::edits::Edit;
use crate::workbook::pages::{Page, is_sorted};
use crate::workbook::summary;
use crate::workbook::text::shown;
use mvdiff_grid::{
    Address, ApplyError, Area, Cell, Content, DiffOp, DiffReport, Grid, Sheet, SheetMap,
    SheetReport, Visibility,
};
use std::collections::{BTreeMap, BTreeSet};

/// What became of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SheetKind {
    /// It is in both workbooks, and something in it happened.
    Changed,
    /// It is in both workbooks, the same but perhaps for its name and place.
    Unchanged,
    Added,
    Removed,
    /// It was not compared.
    NotCompared,
}

/// One sheet of both workbooks.
pub(crate) struct SheetShow<'a> {
    /// Its name, the new one where it has two.
    pub name: &'a str,
    pub kind: SheetKind,
    /// What is to be said of it, in words.
    pub about: String,
    pub rows: Axis,
    pub cols: Axis,
    pub moves: Vec<Move>,
    /// Its changes, in the order in which they are listed.
    pub entries: Vec<Entry>,
    /// Merged regions of the new sheet, or of one that went.
    pub merges: &'a [Area],
    /// Regions that were merged or are merged no longer, in words, by the row and the
    /// column in which their first cell is shown.
    pub(super) merge_notes: BTreeMap<(u32, u32), String>,
    /// Whether it has cells and they were read.
    pub has_cells: bool,
    /// Whether people do not see it in their program.
    pub hidden: bool,
    /// Whether its rows were sorted, so that they are in another order.
    pub sorted: bool,
    /// Whether the old and the new workbook hold what their formulas come to. A
    /// program that does not calculate writes none; a single formula without a value
    /// came to an empty text.
    pub(super) calculated: (bool, bool),
    old: Option<&'a Grid>,
    new: Option<&'a Grid>,
    edits: BTreeMap<Address, Edit<'a>>,
    /// Rectangles that moved on their own: number, from, to.
    rects: Vec<(usize, Area, Area)>,
}

/// A cell as it is shown.
#[derive(Clone, Copy)]
pub(crate) struct CellShow<'a> {
    /// The new cell; the old one if it was removed.
    pub cell: Option<Cell<'a>>,
    pub fate: CellFate,
    /// Both versions, if it holds something else than before.
    pub edit: Option<Edit<'a>>,
}

/// What became of a cell, its content aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellFate {
    Kept,
    Added,
    Removed,
    /// It went with the move of this number.
    Moved(usize),
    /// A moved rectangle was here.
    Left(usize),
}

impl<'a> SheetShow<'a> {
    fn plain(sheet: &'a Sheet, kind: SheetKind, became: LineFate) -> Self {
        let grid = sheet.grid();
        let extent = grid.map_or((0, 0), |grid| (grid.row_count(), grid.col_count()));
        let removed = kind == SheetKind::Removed;
        Self {
            name: &sheet.name,
            kind,
            about: String::new(),
            rows: Axis::all(extent.0, became),
            cols: Axis::all(extent.1, became),
            moves: Vec::new(),
            entries: Vec::new(),
            merges: &sheet.merges,
            merge_notes: BTreeMap::new(),
            has_cells: grid.is_some(),
            hidden: false,
            sorted: false,
            calculated: (true, true),
            old: grid.filter(|_| removed),
            new: grid.filter(|_| !removed),
            edits: BTreeMap::new(),
            rects: Vec::new(),
        }
    }

    /// A sheet that was left aside.
    pub(super) fn not_compared(sheet: &'a Sheet) -> Self {
        Self {
            about: match sheet.content {
                Content::Other(_) => "has no cells".to_owned(),
                _ => "not compared".to_owned(),
            },
            ..Self::plain(sheet, SheetKind::NotCompared, LineFate::Kept)
        }
    }

    /// Says that people do not see the sheet, unless that is what happened.
    fn tell_hidden(&mut self, page: &Page<'a>, sheet: &Sheet) {
        let mut ops = page.ops.iter();
        let told = ops.any(|op| matches!(op, DiffOp::SheetVisibility { .. }));
        self.hidden = sheet.visibility != Visibility::Visible;
        if self.hidden && !told {
            let hidden = shown(sheet.visibility);
            self.about = match &*self.about {
                "" => hidden.to_owned(),
                about => format!("{about}, {hidden}"),
            };
        }
    }

    /// A sheet that only one of the workbooks has.
    pub(super) fn alone(page: &Page<'a>, sheet: &'a Sheet, kind: SheetKind) -> Self {
        let became = match kind {
            SheetKind::Removed => LineFate::Removed,
            _ => LineFate::Added,
        };
        let mut show = Self {
            about: summary::about(page),
            ..Self::plain(sheet, kind, became)
        };
        show.entries = entries::of_sheet(page, &show);
        show.tell_hidden(page, sheet);
        show
    }

    /// A sheet that both have; moves are numbered on from `number`.
    pub(super) fn both(
        page: &Page<'a>,
        told: &SheetReport,
        (old, new): (&'a Sheet, &'a Sheet),
        report: &DiffReport,
        number: &mut usize,
    ) -> Result<Self, ApplyError> {
        let about = summary::about(page);
        if page.ops.iter().all(|op| op.is_about_the_sheet()) {
            let mut show = Self {
                about,
                ..Self::plain(new, SheetKind::Unchanged, LineFate::Kept)
            };
            show.entries = entries::of_sheet(page, &show);
            show.tell_hidden(page, new);
            return Ok(show);
        }
        let places = SheetMap::new(report, told)?;
        let sorted = is_sorted(page);
        let mut moves = Vec::new();
        for op in &page.ops {
            if sorted && matches!(op, DiffOp::BlockMovedRows { .. }) {
                continue;
            }
            if let Some(step) = Move::of(op, *number + 1) {
                *number += 1;
                moves.push(step);
            }
        }
        let blocks = |of: fn(&MoveKind) -> Option<(u32, u32, u32)>| -> Vec<MovedSpan> {
            let blocks = moves.iter().filter_map(|step: &Move| {
                let (src, len, dst) = of(&step.kind)?;
                let number = step.number;
                Some(MovedSpan {
                    number,
                    src,
                    len,
                    dst,
                })
            });
            blocks.collect()
        };
        let row_blocks = blocks(|kind| match *kind {
            MoveKind::Rows { src, len, dst } => Some((src, len, dst)),
            _ => None,
        });
        let col_blocks = blocks(|kind| match *kind {
            MoveKind::Cols { src, len, dst } => Some((src, len, dst)),
            _ => None,
        });
        let rect = |step: &Move| match step.kind {
            MoveKind::Rect { from, to } => Some((step.number, from, to)),
            _ => None,
        };
        let rects = moves.iter().filter_map(rect).collect();
        let mut show = Self {
            name: &new.name,
            kind: SheetKind::Changed,
            about,
            rows: Axis::new(
                (told.old_rows, told.new_rows),
                |old| places.new_row(old),
                |new| places.old_row(new),
                &row_blocks,
            ),
            cols: Axis::new(
                (told.old_cols, told.new_cols),
                |old| places.new_col(old),
                |new| places.old_col(new),
                &col_blocks,
            ),
            moves,
            entries: Vec::new(),
            merges: &new.merges,
            merge_notes: BTreeMap::new(),
            has_cells: true,
            hidden: false,
            sorted,
            calculated: (true, true),
            old: old.grid(),
            new: new.grid(),
            edits: page
                .ops
                .iter()
                .filter_map(|op| Edit::of(op))
                .map(|edit| (edit.at, edit))
                .collect(),
            rects,
        };
        for op in &page.ops {
            if let Some((at, note)) = show.merge_note(op) {
                let notes = show.merge_notes.entry(at).or_default();
                if !notes.is_empty() {
                    notes.push_str(", ");
                }
                notes.push_str(&note);
            }
        }
        show.entries = entries::of_sheet(page, &show);
        show.tell_hidden(page, new);
        Ok(show)
    }

    /// Where the first cell of a region is shown that was merged or is so no longer,
    /// and the remark about it.
    pub(super) fn merge_note(&self, op: &DiffOp) -> Option<((u32, u32), String)> {
        let first = |area: &str| area.split(':').next()?.parse::<Address>().ok();
        let (row, col, note) = match op {
            DiffOp::MergeAdded { area, .. } => {
                let at = first(area)?;
                let (row, col) = (self.rows.at_new(at.row), self.cols.at_new(at.col));
                (row, col, format!("merged {area}"))
            }
            DiffOp::MergeRemoved { area, .. } => {
                let at = first(area)?;
                let (row, col) = (self.rows.at_old(at.row), self.cols.at_old(at.col));
                (row, col, format!("was merged {area}"))
            }
            _ => return None,
        };
        Some((row.zip(col)?, note))
    }

    /// The remark in a cell about regions that begin there.
    pub(crate) fn merged_at(&self, at: (u32, u32)) -> Option<&str> {
        self.merge_notes.get(&at).map(String::as_str)
    }

    /// The formula of a cell, if its value is not computed yet.
    pub(crate) fn uncalculated(&self, shown: &CellShow<'a>) -> Option<&'a str> {
        let calculated = match shown.fate {
            CellFate::Removed => self.calculated.0,
            _ => self.calculated.1,
        };
        let cell = shown
            .cell
            .filter(|cell| !calculated && cell.value.is_empty());
        cell?.formula
    }

    /// The new cells with a formula whose result is not known.
    pub(crate) fn open_formulas(&self) -> impl Iterator<Item = &'a str> {
        let grid = self.new.filter(|_| !self.calculated.1);
        let cells = grid.into_iter().flat_map(Grid::cells);
        let open = cells.filter(|cell| cell.value.is_empty());
        open.filter_map(|cell| cell.formula)
    }

    /// The move of this number, if it is one of this sheet.
    pub(crate) fn step(&self, number: usize) -> Option<&Move> {
        let at = self.moves.binary_search_by_key(&number, |step| step.number);
        Some(&self.moves[at.ok()?])
    }

    /// Where rows are shown that stayed and yet hold something that changed.
    pub(crate) fn touched_rows(&self) -> BTreeSet<u32> {
        let edited = self.edits.keys().filter_map(|at| self.rows.at_new(at.row));
        let mut touched: BTreeSet<u32> = edited.collect();
        touched.extend(self.merge_notes.keys().map(|(row, _)| row));
        for (_, from, to) in &self.rects {
            let left = (from.first.row..=from.last.row).filter_map(|row| self.rows.at_old(row));
            touched.extend(left);
            let came = (to.first.row..=to.last.row).filter_map(|row| self.rows.at_new(row));
            touched.extend(came);
        }
        touched
    }

    /// Rectangles that came into a row or left it, each with whether it came.
    pub(crate) fn rects_in(&self, row: Line) -> impl Iterator<Item = (&Move, bool)> {
        let within = |area: &Area, line: Option<u32>| {
            line.is_some_and(|line| (area.first.row..=area.last.row).contains(&line))
        };
        self.rects.iter().flat_map(move |(number, from, to)| {
            let ends = [(within(from, row.old), false), (within(to, row.new), true)];
            let there = ends.into_iter().filter(|(there, _)| *there);
            there.filter_map(|(_, came)| Some((self.step(*number)?, came)))
        })
    }

    /// Where columns are shown that stayed and yet hold something that changed.
    pub(crate) fn touched_cols(&self) -> BTreeSet<u32> {
        let edited = self.edits.keys().map(|at| at.col);
        let edited: BTreeSet<u32> = edited.collect();
        let mut touched: BTreeSet<u32> = edited
            .into_iter()
            .filter_map(|col| self.cols.at_new(col))
            .chain(self.merge_notes.keys().map(|(_, col)| *col))
            .collect();
        for (_, from, to) in &self.rects {
            let left = (from.first.col..=from.last.col).filter_map(|col| self.cols.at_old(col));
            touched.extend(left);
            let came = (to.first.col..=to.last.col).filter_map(|col| self.cols.at_new(col));
            touched.extend(came);
        }
        touched
    }

    /// All edits, in the order of their new places.
    pub(crate) fn edits(&self) -> impl Iterator<Item = &Edit<'a>> {
        self.edits.values()
    }

    /// Whether an edit only says what a moved rectangle covers.
    pub(crate) fn covers(&self, edit: &Edit<'_>) -> bool {
        let mut rects = self.rects.iter();
        let rect = rects.find(|(_, _, to)| to.contains(edit.at));
        rect.is_some_and(|(_, from, _)| !from.contains(edit.was))
    }

    /// The edits in a row.
    pub(crate) fn edits_in(&self, row: Line) -> impl Iterator<Item = &Edit<'a>> {
        let new = row.new.into_iter();
        new.flat_map(|new| {
            let ends = Address::new(new, 0)..=Address::new(new, u32::MAX);
            self.edits.range(ends).map(|(_, edit)| edit)
        })
    }

    /// Whether some cell of this row was edited.
    pub(crate) fn has_edits(&self, row: Line) -> bool {
        self.edits_in(row).next().is_some()
    }

    /// The cells of a row that hold something or to which something happened, by the
    /// columns in which they are shown.
    pub(crate) fn cells(&self, row: Line) -> BTreeMap<u32, CellShow<'a>> {
        let mut cells = BTreeMap::new();
        if let (Some(new), Some(grid)) = (row.new, self.new) {
            for cell in grid.row(new) {
                self.put(&mut cells, row, self.cols.at_new(cell.address.col));
            }
            let ends = Address::new(new, 0)..=Address::new(new, u32::MAX);
            for at in self.edits.range(ends).map(|(at, _)| at) {
                self.put(&mut cells, row, self.cols.at_new(at.col));
            }
        }
        if let (Some(old), Some(grid)) = (row.old, self.old) {
            for cell in grid.row(old) {
                let at = self.cols.at_old(cell.address.col);
                let gone = |line: Line| row.new.is_none() || line.new.is_none();
                if at.and_then(|at| self.cols.line(at)).is_some_and(gone) {
                    self.put(&mut cells, row, at);
                }
            }
        }
        for (_, from, to) in &self.rects {
            if row
                .new
                .is_some_and(|new| (to.first.row..=to.last.row).contains(&new))
            {
                for col in to.first.col..=to.last.col {
                    self.put(&mut cells, row, self.cols.at_new(col));
                }
            }
            if row
                .old
                .is_some_and(|old| (from.first.row..=from.last.row).contains(&old))
            {
                for col in from.first.col..=from.last.col {
                    self.put(&mut cells, row, self.cols.at_old(col));
                }
            }
        }
        cells
    }

    fn put(&self, cells: &mut BTreeMap<u32, CellShow<'a>>, row: Line, at: Option<u32>) {
        if let Some(at) = at
            && !cells.contains_key(&at)
            && let Some(col) = self.cols.line(at)
        {
            cells.insert(at, self.cell(row, col));
        }
    }

    /// The cell where a row and a column meet.
    pub(crate) fn cell(&self, row: Line, col: Line) -> CellShow<'a> {
        let new = row
            .new
            .zip(col.new)
            .map(|(row, col)| Address::new(row, col));
        let old = row
            .old
            .zip(col.old)
            .map(|(row, col)| Address::new(row, col));
        let mut rects = self.rects.iter().copied();
        if let Some(at) = new {
            let edit = self.edits.get(&at).copied();
            let cell = self.new.and_then(|grid| grid.cell(at));
            let fate = rects.find_map(|(number, from, to)| {
                if to.contains(at) {
                    Some(CellFate::Moved(number))
                } else {
                    let left = old.is_some_and(|old| from.contains(old));
                    left.then_some(CellFate::Left(number))
                }
            });
            let fate = fate.unwrap_or(match (row.became, col.became) {
                (LineFate::Added, _) | (_, LineFate::Added) => CellFate::Added,
                (LineFate::Moved(number), _) | (_, LineFate::Moved(number)) => {
                    CellFate::Moved(number)
                }
                _ => CellFate::Kept,
            });
            return CellShow { cell, fate, edit };
        }
        let left = old.and_then(|old| rects.find(|(_, from, _)| from.contains(old)));
        let (cell, fate) = match (old, left) {
            // It is shown where it went.
            (Some(_), Some((number, ..))) => (None, CellFate::Left(number)),
            (Some(old), None) => (self.old.and_then(|grid| grid.cell(old)), CellFate::Removed),
            (None, _) => (None, CellFate::Kept),
        };
        CellShow {
            cell,
            fate,
            edit: None,
        }
    }
}

impl CellShow<'_> {
    /// Whether the edit is only a cell that a moved rectangle covered.
    pub(crate) fn is_covered(&self, sheet: &SheetShow<'_>) -> bool {
        let (CellFate::Moved(number), Some(edit)) = (self.fate, self.edit) else {
            return false;
        };
        let step = sheet.step(number).map(|step| step.kind);
        matches!(step, Some(MoveKind::Rect { from, .. }) if !from.contains(edit.was))
    }
}
