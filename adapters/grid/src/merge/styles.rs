//! How cells and lines look: what theirs changed, where ours did not change it otherwise.

use super::Work;
use super::conflict::{Conflict, ConflictKind};
use super::lines::MergedLines;
use super::lines_of::{common, runs, sqref, without};
use super::sheet::{SheetMerge, range_of_lines};
use crate::{Area, DiffOp, StyleProps};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// What a change of looks makes of each property; none where it goes.
pub(super) type Changes = BTreeMap<String, Option<String>>;

fn changes(op: &DiffOp) -> Option<(&str, Changes)> {
    match op {
        DiffOp::NumberFormatChanged { range, to, .. } => {
            let code = [("number format".to_owned(), Some(to.clone()))];
            Some((range, code.into()))
        }
        DiffOp::StyleChanged {
            range, from, to, ..
        } => {
            let mut all: Changes = from.keys().map(|key| (key.clone(), None)).collect();
            let to = to.iter();
            all.extend(to.map(|(key, value)| (key.clone(), Some(value.clone()))));
            Some((range, all))
        }
        _ => None,
    }
}

/// The same operation on other cells.
fn on(op: &DiffOp, sheet: &str, areas: &[Area]) -> Option<DiffOp> {
    let range = sqref(areas);
    if areas.is_empty() {
        return None;
    }
    Some(match op {
        DiffOp::NumberFormatChanged { from, to, .. } => DiffOp::NumberFormatChanged {
            sheet: sheet.to_owned(),
            from_range: range.clone(),
            range,
            from: from.clone(),
            to: to.clone(),
        },
        DiffOp::StyleChanged { from, to, .. } => DiffOp::StyleChanged {
            sheet: sheet.to_owned(),
            from_range: range.clone(),
            range,
            from: from.clone(),
            to: to.clone(),
        },
        _ => return None,
    })
}

/// What a change of a row or a column is about: rows or columns, size or state, where,
/// and what becomes of it.
struct LineChange {
    rows: bool,
    size: bool,
    first: u32,
    count: u32,
    to: Json,
}

fn line_change(op: &DiffOp) -> Option<LineChange> {
    let (rows, size, first, count, to) = match op {
        DiffOp::RowsHidden {
            start_row,
            row_count,
            to,
            ..
        } => (true, false, start_row, row_count, json!(to)),
        DiffOp::ColumnsHidden {
            start_col,
            col_count,
            to,
            ..
        } => (false, false, start_col, col_count, json!(to)),
        DiffOp::RowHeight {
            start_row,
            row_count,
            to,
            ..
        } => (true, true, start_row, row_count, json!(to)),
        DiffOp::ColumnWidth {
            start_col,
            col_count,
            to,
            ..
        } => (false, true, start_col, col_count, json!(to)),
        _ => return None,
    };
    Some(LineChange {
        rows,
        size,
        first: *first,
        count: *count,
        to,
    })
}

/// The same operation on other lines.
fn on_lines(op: &DiffOp, of: &str, first: u32, count: u32) -> Option<DiffOp> {
    let mut op = op.clone();
    match &mut op {
        DiffOp::RowsHidden {
            sheet,
            start_row,
            from_start_row,
            row_count,
            ..
        }
        | DiffOp::RowHeight {
            sheet,
            start_row,
            from_start_row,
            row_count,
            ..
        } => {
            of.clone_into(sheet);
            (*start_row, *from_start_row, *row_count) = (first, first, count);
        }
        DiffOp::ColumnsHidden {
            sheet,
            start_col,
            from_start_col,
            col_count,
            ..
        }
        | DiffOp::ColumnWidth {
            sheet,
            start_col,
            from_start_col,
            col_count,
            ..
        } => {
            of.clone_into(sheet);
            (*start_col, *from_start_col, *col_count) = (first, first, count);
        }
        _ => return None,
    }
    Some(op)
}

impl<'a> SheetMerge<'a> {
    /// Brings a change of looks over; whether it was one.
    pub(super) fn look(&self, work: &mut Work<'a>, at: usize, op: &DiffOp) -> bool {
        let Some((range, theirs)) = changes(op) else {
            return self.line_look(work, at, op);
        };
        let mut areas = self.exact(1, range, false);
        let looks = self.ours_looks.get_or_init(|| {
            let own = self.ops[0].iter().filter_map(|(_, own)| changes(own));
            let own = own.map(|(range, changes)| (changes, self.exact(0, range, false)));
            own.collect()
        });
        for (ours, holes) in looks {
            let differs =
                |(key, to): (&String, &Option<String>)| ours.get(key).is_some_and(|own| own != to);
            let differing: Vec<&String> = theirs
                .iter()
                .filter(|(key, to)| differs((key, to)))
                .map(|(key, _)| key)
                .collect();
            if differing.is_empty() {
                continue;
            }
            for &hole in holes {
                let meets: Vec<Area> = areas.iter().filter_map(|a| common(*a, hole)).collect();
                if meets.is_empty() {
                    continue;
                }
                areas = areas.into_iter().flat_map(|a| without(a, hole)).collect();
                let pick = |changes: &Changes| -> StyleProps {
                    let told = differing.iter().map(|key| {
                        let to = changes.get(*key).cloned().flatten();
                        ((*key).clone(), to.unwrap_or_default())
                    });
                    told.collect()
                };
                work.theirs.fates[at].conflict = true;
                work.conflict(Conflict {
                    sheet: Some(self.name.clone()),
                    addr: Some(sqref(&meets)),
                    ours: json!(pick(ours)),
                    theirs: json!(pick(&theirs)),
                    ..Conflict::new(
                        ConflictKind::Look,
                        "ours and theirs changed how cells look; they look as in ours",
                    )
                });
            }
        }
        work.theirs.fates[at].done = true;
        work.out.ops.extend(on(op, &self.name, &areas));
        true
    }

    fn line_look(&self, work: &mut Work<'a>, at: usize, op: &DiffOp) -> bool {
        let Some(change) = line_change(op) else {
            return false;
        };
        let lines: &MergedLines = if change.rows { &self.rows } else { &self.cols };
        let last = change.first + change.count.max(1) - 1;
        let mut mine: BTreeMap<u32, Json> = BTreeMap::new();
        for (_, own) in &self.ops[0] {
            let Some(own) = line_change(own) else {
                continue;
            };
            if (own.rows, own.size) == (change.rows, change.size) {
                let span = (own.first, own.first + own.count.max(1) - 1);
                for run in runs(lines, &lines.of_ours, span) {
                    let all = run.first..run.first + run.count;
                    mine.extend(all.map(|line| (line, own.to.clone())));
                }
            }
        }
        let mut free: Vec<(u32, u32)> = Vec::new();
        let mut clash: Vec<(u32, u32, Json)> = Vec::new();
        for run in runs(lines, &lines.of_theirs, (change.first, last)) {
            for line in run.first..run.first + run.count {
                match mine.get(&line) {
                    Some(own) if *own == change.to => {}
                    Some(own) => match clash.last_mut() {
                        Some((first, count, to)) if *first + *count == line && to == own => {
                            *count += 1;
                        }
                        _ => clash.push((line, 1, own.clone())),
                    },
                    None => match free.last_mut() {
                        Some((first, count)) if *first + *count == line => *count += 1,
                        _ => free.push((line, 1)),
                    },
                }
            }
        }
        let fate = &mut work.theirs.fates[at];
        fate.conflict = !clash.is_empty();
        if free.is_empty() && clash.is_empty() {
            fate.same = true;
        } else {
            fate.done = true;
        }
        for (first, count, own) in clash {
            work.conflict(Conflict {
                sheet: Some(self.name.clone()),
                addr: Some(range_of_lines(change.rows, first, count)),
                ours: own,
                theirs: change.to.clone(),
                ..Conflict::new(
                    ConflictKind::Look,
                    "ours and theirs changed the size of lines, or whether they are shown; they are as in ours",
                )
            });
        }
        let name = &self.name;
        let ops = free
            .into_iter()
            .filter_map(|(first, count)| on_lines(op, name, first, count));
        work.out.ops.extend(ops);
        true
    }

    /// The looks of lines that come: as theirs has them, and of lines that ours removed
    /// and that are there as they were.
    pub(super) fn look_of_added(&self, work: &mut Work<'a>, op: &DiffOp) -> bool {
        if let Some((range, _)) = changes(op) {
            let areas = self.exact(1, range, true);
            work.out.with_added.extend(on(op, &self.name, &areas));
            return true;
        }
        let Some(change) = line_change(op) else {
            return false;
        };
        let lines: &MergedLines = if change.rows { &self.rows } else { &self.cols };
        let last = change.first + change.count.max(1) - 1;
        for run in runs(lines, &lines.of_theirs, (change.first, last)) {
            if !run.in_ours {
                let op = on_lines(op, &self.name, run.first, run.count);
                work.out.with_added.extend(op);
            }
        }
        true
    }

    /// The looks of lines that ours removed and that are there.
    pub(super) fn look_of_restored(&self, work: &mut Work<'a>) {
        if self.rows.ours_removed.is_empty() && self.cols.ours_removed.is_empty() {
            return;
        }
        let places = |lines: &MergedLines| {
            let bases = lines.items.iter().filter_map(|item| item.base);
            let mut places = vec![None; bases.max().map_or(0, |last| last as usize + 1)];
            for (at, item) in (0..).zip(&lines.items) {
                if let Some(base) = item.base {
                    places[base as usize] = Some(at);
                }
            }
            places
        };
        let (rows, cols) = (places(&self.rows), places(&self.cols));
        let ours = work.ours.report;
        for op in &ours.with_removed {
            if op.sheet() == Some(&self.names[0])
                && let Some((range, _)) = changes(op)
            {
                let areas = self.exact_by((&rows, &cols), range, true);
                work.out.with_added.extend(on(op, &self.name, &areas));
            }
        }
    }
}
