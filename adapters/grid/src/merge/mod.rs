//! Three versions of a workbook to one: what either side did to the base is in the
//! result, or in a conflict.
//!
//! The result is ours with what theirs did put into it, said as a report on ours, so that
//! the file is written as a replayed one is and all that neither side named stays as it was.

mod beside;
mod cells;
mod check;
mod conflict;
mod items;
mod line_ops;
mod lines;
mod lines_of;
mod marks;
mod names;
mod parts;
mod removed;
mod sheet;
mod sheet_ops;
mod sheets;
mod styles;

pub use conflict::{Conflict, ConflictKind};

use crate::diff::{Links, diff_workbooks};
use crate::replay::{Applied, apply_mapped};
use crate::workbook_map::WorkbookMap;
use crate::{
    ApplyError, CellData, DiffOp, DiffReport, Error, Note, Options, SheetReport, Workbook, apply,
};
use serde::Serialize;
use serde_json::Value as Json;
use sheet::SheetMerge;
use std::collections::HashMap;

/// Who did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The side that the result starts from.
    Ours,
    /// The side that is brought in.
    Theirs,
    /// Both did the same.
    Both,
}

/// Something that one side did and that is in the result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MergedOp {
    /// Who did it.
    pub side: Side,
    /// What was done, as the report on the base and that side has it.
    #[serde(flatten)]
    pub op: DiffOp,
}

/// Why three workbooks were not merged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// They cannot be compared.
    #[error("{0}")]
    Diff(#[from] Error),
    /// What one side did cannot be carried out on the other.
    #[error("{0}")]
    Apply(#[from] ApplyError),
}

/// Three versions made one.
#[derive(Clone, Debug)]
pub struct Merged {
    /// What makes the result of ours.
    pub report: DiffReport,
    /// What both sides did and is in the result.
    pub applied: Vec<MergedOp>,
    /// Where both did something else, in order of sheets and cells. There the result has
    /// what ours has, and lines and sheets that one side removed and the other changed.
    pub conflicts: Vec<Conflict>,
    /// What the answer has to say about itself.
    pub notes: Vec<Note>,
    /// Whether all was compared.
    pub complete: bool,
    /// Whether theirs did nothing, or nothing that ours did not.
    pub is_ours: bool,
    /// Whether ours did nothing at all, so that the result is theirs.
    pub is_theirs: bool,
}

/// Merges two versions of a workbook that come from one.
///
/// ```
/// use mvdiff_grid::{Grid, Options, Sheet, Value, Workbook, apply, merge_workbooks};
///
/// let book = |rows: &[[f64; 2]]| {
///     let row = |row: &[f64; 2]| row.iter().map(|n| Value::Number(*n)).collect();
///     let grid = Grid::from_rows(rows.iter().map(row));
///     Workbook { sheets: vec![Sheet::new("Data", grid)], ..Workbook::default() }
/// };
/// let base = book(&[[1001.0, 2.5], [1002.0, 3.5], [1003.0, 4.5]]);
/// let ours = book(&[[1001.0, 2.5], [1002.0, 3.75], [1003.0, 4.5]]);
/// let theirs = book(&[[1001.0, 2.5], [1000.0, 1.5], [1002.0, 3.5], [1003.0, 4.5]]);
/// let merged = merge_workbooks(&base, &ours, &theirs, &Options::default())?;
/// assert!(merged.conflicts.is_empty());
/// let both = book(&[[1001.0, 2.5], [1000.0, 1.5], [1002.0, 3.75], [1003.0, 4.5]]);
/// assert!(apply(&ours, &merged.report)?.same(&both));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MergeError`] if they cannot be compared, or the result would not fit a sheet.
pub fn merge_workbooks(
    base: &Workbook,
    ours: &Workbook,
    theirs: &Workbook,
    options: &Options,
) -> Result<Merged, MergeError> {
    let reports = [
        diff_workbooks(base, ours, options)?,
        diff_workbooks(base, theirs, options)?,
    ];
    let mut work = Work::new([base, ours, theirs], &reports)?;
    if !work.is_idle(1) && !work.is_idle(0) {
        work.run()?;
        if crate::check::is_due(options)
            && let Err(what) = work.check()?
        {
            work = Work::new([base, ours, theirs], &reports)?;
            work.give_up(&what);
        }
    }
    Ok(work.finish())
}

/// What became of an operation.
#[derive(Clone, Copy, Debug, Default)]
struct Fate {
    /// It was carried out.
    done: bool,
    /// The other side did the same.
    same: bool,
    /// It is in a conflict.
    conflict: bool,
}

/// One side: the workbook, what was done to it, and where cells are in it.
struct Version<'a> {
    book: &'a Workbook,
    report: &'a DiffReport,
    applied: Applied,
    fates: Vec<Fate>,
    /// The operations by sheet, in order.
    by_sheet: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Version<'a> {
    fn new(
        base: &'a Workbook,
        book: &'a Workbook,
        report: &'a DiffReport,
    ) -> Result<Self, ApplyError> {
        let mut by_sheet: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, op) in report.ops.iter().enumerate() {
            if let Some(sheet) = op.sheet() {
                by_sheet.entry(sheet).or_default().push(at);
            }
        }
        Ok(Self {
            book,
            report,
            applied: apply_mapped(base, report)?,
            fates: vec![Fate::default(); report.ops.len()],
            by_sheet,
        })
    }

    /// What was done in a sheet of this side, with the numbers of the operations.
    fn ops_in(&self, sheet: &str) -> Vec<(usize, &'a DiffOp)> {
        let own = self.by_sheet.get(sheet).map_or(&[][..], |own| own);
        own.iter().map(|at| (*at, &self.report.ops[*at])).collect()
    }
}

/// The work on one merge.
struct Work<'a> {
    base: &'a Workbook,
    ours: Version<'a>,
    theirs: Version<'a>,
    /// From ours to the result.
    out: DiffReport,
    conflicts: Vec<Conflict>,
    notes: Vec<Note>,
}

impl<'a> Work<'a> {
    fn new(
        [base, ours, theirs]: [&'a Workbook; 3],
        reports: &'a [DiffReport; 2],
    ) -> Result<Self, MergeError> {
        Ok(Self {
            base,
            ours: Version::new(base, ours, &reports[0])?,
            theirs: Version::new(base, theirs, &reports[1])?,
            out: DiffReport::new(),
            conflicts: Vec::new(),
            notes: Vec::new(),
        })
    }

    /// Whether a side did nothing that anybody would miss.
    fn is_idle(&self, side: usize) -> bool {
        let report = [self.ours.report, self.theirs.report][side];
        let remark = |op: &DiffOp| matches!(op, DiffOp::DuplicateKeyCluster { .. });
        report.ops.iter().all(remark) && report.notes.iter().all(|note| note.kind != "part")
    }

    fn run(&mut self) -> Result<(), MergeError> {
        let tabs = self.sheets()?;
        let mut merges = Vec::new();
        for tab in &tabs.both {
            merges.push(SheetMerge::new(self, tab)?);
        }
        let (mut om, mut tm) = (WorkbookMap::default(), WorkbookMap::default());
        for merge in &mut merges {
            merge.rects();
            om.add(&merge.names[0], Some(&merge.name), merge.ours_map().clone());
            tm.add(
                &merge.names[1],
                Some(&merge.name),
                merge.theirs_map().clone(),
            );
        }
        tabs.others(&mut om, &mut tm);
        let links = Links::new(&self.theirs.book.links, &self.ours.book.links);
        links.renumber(&mut tm, &mut WorkbookMap::default());
        self.missing_links();
        for merge in &mut merges {
            merge.lines(self);
            merge.cells(self, &om, &tm);
            merge.merged_cells(self);
            merge.beside(self, &tm);
        }
        self.came(&tabs, &tm);
        self.names(&om, &tm);
        for merge in &merges {
            self.out.sheets.push(SheetReport {
                sheet: merge.name.clone(),
                old_sheet: merge.names[0].clone(),
                ..SheetReport::default()
            });
        }
        let made = apply(self.ours.book, &self.out)?;
        for merge in &merges {
            merge.followed(self, &made, &tm);
        }
        self.whole_parts();
        self.parts();
        self.left_over();
        Ok(())
    }

    /// Holds the result against the three versions.
    fn check(&self) -> Result<Result<(), String>, ApplyError> {
        let made = apply(self.ours.book, &self.out)?;
        let books = [self.base, self.ours.book, self.theirs.book, &made];
        let ops = [(1, self.ours.report), (2, self.theirs.report)];
        let ops = ops.into_iter();
        let ops = ops.flat_map(|(side, report)| report.ops.iter().map(move |op| (side, op)));
        Ok(check::check(books, ops, &self.conflicts))
    }

    /// Leaves ours as it is; all that theirs did is in conflicts.
    fn give_up(&mut self, what: &str) {
        let message = format!(
            "the merge would have lost something ({what}), so all that theirs did is a conflict"
        );
        self.notes.push(Note::new("check", message));
        self.parts();
        self.left_over();
    }

    /// Formulas of theirs may name workbooks that ours knows nothing of.
    fn missing_links(&mut self) {
        let known = |link: &&String| !self.ours.book.links.contains(link);
        let new: Vec<String> = self
            .theirs
            .book
            .links
            .iter()
            .filter(known)
            .cloned()
            .collect();
        for link in new
            .into_iter()
            .filter(|link| !self.base.links.contains(link))
        {
            let message = format!(
                "theirs names the workbook {link:?}, which cannot be carried over; add the link in ours"
            );
            self.conflict(Conflict {
                theirs: Json::String(link),
                ..Conflict::new(ConflictKind::Part, message)
            });
        }
    }

    /// What differs in parts that are not compared: what only ours changed is in the
    /// result, and what theirs changed cannot be.
    fn parts(&mut self) {
        let between = self.parts_between();
        for note in &self.theirs.report.notes {
            if note.kind != "part" {
                continue;
            }
            let is_it = |own: &&Note| {
                (&own.what, &own.sheet, &own.part) == (&note.what, &note.sheet, &note.part)
            };
            let both = self.ours.report.notes.iter().find(is_it);
            if both.is_some() && !between.iter().any(|other| is_it(&other)) {
                // Both made the same of it.
                continue;
            }
            let message = match both {
                Some(_) => format!("both sides: {}; ours is in the result", note.message),
                None => format!("theirs: {}; take it over by hand", note.message),
            };
            self.conflicts.push(Conflict {
                sheet: note.sheet.clone(),
                part: note.part.clone(),
                ours: both.map_or(Json::Null, |own| Json::String(own.message.clone())),
                theirs: Json::String(note.message.clone()),
                ..Conflict::new(ConflictKind::Part, message)
            });
        }
    }

    /// What differs between ours and theirs in parts that are not compared, where both
    /// changed such parts.
    fn parts_between(&self) -> Vec<Note> {
        let is_part = |note: &&Note| note.kind == "part";
        let both = [self.ours.report, self.theirs.report];
        if both
            .iter()
            .any(|report| !report.notes.iter().any(|note| is_part(&note)))
        {
            return Vec::new();
        }
        let options = Options::default();
        let found = diff_workbooks(self.ours.book, self.theirs.book, &options);
        // Where it is unknown, all of them differ.
        let all = || self.theirs.report.notes.clone();
        let notes = found.map_or_else(|_| all(), |report| report.notes);
        notes
            .into_iter()
            .filter(|note| note.kind == "part")
            .collect()
    }

    /// An operation of theirs that nothing carried out is a conflict, of whatever kind
    /// it is.
    fn left_over(&mut self) {
        for at in 0..self.theirs.fates.len() {
            let fate = self.theirs.fates[at];
            if fate.done || fate.same || fate.conflict {
                continue;
            }
            let op = &self.theirs.report.ops[at];
            let said = serde_json::to_value(op).unwrap_or_default();
            let kind = said.get("kind").and_then(Json::as_str).unwrap_or("change");
            let message = format!("theirs has a {kind} that cannot be carried over; do it by hand");
            self.theirs.fates[at].conflict = true;
            self.conflicts.push(Conflict {
                sheet: op.sheet().map(str::to_owned),
                theirs: said,
                ..Conflict::new(ConflictKind::Part, message)
            });
        }
    }

    fn conflict(&mut self, conflict: Conflict) {
        self.conflicts.push(conflict);
    }

    fn finish(mut self) -> Merged {
        let (ours_idle, theirs_idle) = (self.is_idle(0), self.is_idle(1));
        if ours_idle && !theirs_idle {
            self.out = self.theirs.report.clone();
        }
        let mut known: HashMap<String, usize> = HashMap::new();
        let spell = |op: &DiffOp| serde_json::to_string(op).unwrap_or_default();
        let mut applied: Vec<MergedOp> = Vec::new();
        for (op, fate) in self.ours.report.ops.iter().zip(&self.ours.fates) {
            if !fate.conflict {
                known.insert(spell(op), applied.len());
                applied.push(MergedOp {
                    side: Side::Ours,
                    op: op.clone(),
                });
            }
        }
        for (op, fate) in self.theirs.report.ops.iter().zip(&self.theirs.fates) {
            if fate.conflict {
                continue;
            }
            let twin = (fate.same && !fate.done).then(|| known.get(&spell(op)));
            match twin.flatten() {
                Some(&at) => applied[at].side = Side::Both,
                None => applied.push(MergedOp {
                    side: if fate.same && !fate.done {
                        Side::Both
                    } else {
                        Side::Theirs
                    },
                    op: op.clone(),
                }),
            }
        }
        let reports = [self.ours.report, self.theirs.report];
        for report in reports {
            let told = |note: &&Note| !matches!(&note.kind[..], "part" | "properties" | "sort");
            for note in report.notes.iter().filter(told) {
                if !self.notes.contains(note) {
                    self.notes.push(note.clone());
                }
            }
        }
        conflict::sort(&mut self.conflicts, self.ours.book);
        Merged {
            is_ours: theirs_idle || (self.out.ops.is_empty() && self.conflicts.is_empty()),
            is_theirs: ours_idle && !theirs_idle,
            complete: reports.iter().all(|report| report.complete),
            report: self.out,
            applied,
            conflicts: self.conflicts,
            notes: self.notes,
        }
    }
}

/// Whether two cells hold the same, by the rules that workbooks are compared by.
fn same_cell(a: &CellData, b: &CellData) -> bool {
    match (&a.formula, &b.formula) {
        (Some(x), Some(y)) => crate::formula::same(x, y) && a.array == b.array,
        (None, None) => a.value.same(&b.value),
        _ => false,
    }
}
