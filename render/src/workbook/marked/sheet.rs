//! One sheet: fills, notes, and what was removed.

use super::places::Places;
use super::{AUTHOR, Marks, held, painted, placed};
use crate::workbook::view::{LineFate, MoveKind, SheetShow};
use crate::workbook::xlsx::{Look, was};
use mvdiff_grid::{Address, Area, Comment, DiffOp, Placed, Sheet};
use std::collections::BTreeMap;

/// Columns and rows of a line that came or moved that are coloured where they are empty.
const COLOURED: u32 = 256;

pub(super) struct Marker<'m, 'v, 'a> {
    pub show: &'m SheetShow<'a>,
    pub sheet: &'v Sheet,
    pub rows: &'m Places,
    pub cols: &'m Places,
    pub marks: &'m mut Marks,
}

impl Marker<'_, '_, '_> {
    /// Colours cells, and notes what they held.
    pub(super) fn mark(&mut self) {
        let mut fills: Vec<(Look, Vec<Area>)> = Vec::new();
        let mut notes: BTreeMap<Address, Vec<String>> = BTreeMap::new();
        // What comes later is on top.
        fills.push(self.lines(false, Look::Moved, |b| matches!(b, LineFate::Moved(_))));
        fills.push(self.lines(false, Look::Added, |b| b == LineFate::Added));
        fills.push(self.lines(true, Look::Moved, |b| matches!(b, LineFate::Moved(_))));
        fills.push(self.lines(true, Look::Added, |b| b == LineFate::Added));
        let mut rects = Vec::new();
        for step in &self.show.moves {
            let first = match step.kind {
                MoveKind::Rows { dst, .. } => Address::new(dst, 0),
                MoveKind::Cols { dst, .. } => Address::new(0, dst),
                MoveKind::Rect { to, .. } => {
                    rects.push(self.area(to));
                    to.first
                }
            };
            let said = format!("{}: moved from {}", step.name(), step.from);
            notes.entry(self.at(first)).or_default().push(said);
        }
        fills.push((Look::Moved, rects));
        let mut edited = Vec::new();
        for edit in self.show.edits() {
            let covered = self.show.covers(edit);
            if !covered {
                edited.push(self.at(edit.at));
            }
            let said = was(edit, covered);
            notes.entry(self.at(edit.at)).or_default().push(said);
        }
        fills.push((Look::Edited, runs(edited)));
        for (look, areas) in fills {
            if !areas.is_empty() {
                let range: Vec<String> = areas.into_iter().map(Area::shortest).collect();
                let op = painted(self.show.name, range.join(" "), look);
                self.marks.report.ops.extend(op);
            }
        }
        self.note(notes);
    }

    fn note(&mut self, notes: BTreeMap<Address, Vec<String>>) {
        let commented: Vec<Address> = self.sheet.commented().map(|at| self.at(at)).collect();
        for (at, said) in notes {
            // A cell has one note, and that is the one somebody wrote.
            if commented.contains(&at) {
                continue;
            }
            if self.marks.notes == 0 {
                self.marks.unnoted += 1;
                continue;
            }
            self.marks.notes -= 1;
            self.marks.report.ops.push(DiffOp::CommentAdded {
                sheet: self.show.name.to_owned(),
                addr: Placed(at),
                comment: Comment {
                    author: AUTHOR.to_owned(),
                    text: said.join("\n"),
                    thread: None,
                },
            });
        }
    }

    /// Rows, or columns, to which something happened.
    fn lines(&self, rows: bool, look: Look, is: impl Fn(LineFate) -> bool) -> (Look, Vec<Area>) {
        let (axis, places, across) = if rows {
            (&self.show.rows, self.rows, self.cols.len)
        } else {
            (&self.show.cols, self.cols, self.rows.len)
        };
        // Of a column all is coloured that the sheet has rows for.
        let across = if rows { across.min(COLOURED) } else { across };
        let mut areas = Vec::new();
        for run in axis.runs() {
            let (Some(new), Some(end)) = (run.line(0).new, across.checked_sub(1)) else {
                continue;
            };
            if is(run.became()) {
                let (first, last) = (places.of_new(new), places.of_new(new + run.count - 1));
                let corner = |line, other| {
                    if rows {
                        Address::new(line, other)
                    } else {
                        Address::new(other, line)
                    }
                };
                areas.push(Area {
                    first: corner(first, 0),
                    last: corner(last, end),
                });
            }
        }
        (look, areas)
    }

    /// Puts removed rows and columns in their old place.
    pub(super) fn put_back(&mut self) {
        let (show, mut areas) = (self.show, Vec::new());
        let (width, height) = (self.cols.len, self.rows.len);
        for (start, count) in self.cols.runs().filter(|_| height > 0) {
            areas.push(Area {
                first: Address::new(0, start),
                last: Address::new(height - 1, start + count - 1),
            });
        }
        for (start, count) in self.rows.runs().filter(|_| width > 0) {
            areas.push(Area {
                first: Address::new(start, 0),
                last: Address::new(start + count - 1, width.min(COLOURED) - 1),
            });
        }
        for (old, at) in self.rows.put_back() {
            let line = show.rows.at_old(old).and_then(|at| show.rows.line(at));
            let cells = line.map(|line| show.cells(line)).unwrap_or_default();
            let cells = cells.iter().filter_map(|(col, shown)| {
                let col = show.cols.line(*col)?;
                let col = match col.new {
                    Some(new) => self.cols.of_new(new),
                    None => self.cols.of_removed(col.old?)?,
                };
                Some(placed(at, col, held(show, shown)?))
            });
            self.marks.report.ops.push(DiffOp::RowAdded {
                sheet: show.name.to_owned(),
                row_idx: at,
                cells: cells.collect(),
            });
        }
        for (old, at) in self.cols.put_back() {
            let Some(col) = show.cols.at_old(old).and_then(|at| show.cols.line(at)) else {
                continue;
            };
            let rows = show.rows.lines().filter(|row| row.old.is_some());
            let cells = rows.filter_map(|row| {
                let to = self.rows.of_new(row.new?);
                Some(placed(to, at, held(show, &show.cell(row, col))?))
            });
            self.marks.report.ops.push(DiffOp::ColumnAdded {
                sheet: show.name.to_owned(),
                col_idx: at,
                cells: cells.collect(),
            });
        }
        if !areas.is_empty() {
            let range: Vec<String> = areas.into_iter().map(Area::shortest).collect();
            let op = painted(show.name, range.join(" "), Look::Removed);
            self.marks.report.ops.extend(op);
        }
    }

    fn at(&self, new: Address) -> Address {
        Address::new(self.rows.of_new(new.row), self.cols.of_new(new.col))
    }

    fn area(&self, new: Area) -> Area {
        Area {
            first: self.at(new.first),
            last: self.at(new.last),
        }
    }
}

/// Cells as runs along rows and then down columns.
fn runs(mut cells: Vec<Address>) -> Vec<Area> {
    cells.sort_unstable();
    cells.dedup();
    let mut along: Vec<Area> = Vec::new();
    for at in cells {
        match along.last_mut() {
            Some(run) if run.last.row == at.row && run.last.col + 1 == at.col => run.last = at,
            _ => along.push(Area {
                first: at,
                last: at,
            }),
        }
    }
    let mut open: BTreeMap<(u32, u32), Area> = BTreeMap::new();
    let mut done = Vec::new();
    for run in along {
        let columns = (run.first.col, run.last.col);
        match open.get_mut(&columns) {
            Some(above) if above.last.row + 1 == run.first.row => above.last = run.last,
            _ => done.extend(open.insert(columns, run)),
        }
    }
    done.extend(open.into_values());
    done.sort_unstable();
    done
}
