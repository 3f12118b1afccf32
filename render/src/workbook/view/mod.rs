//! Both versions of a workbook as one, for pages and marked-up workbooks.

mod axis;
mod entries;
mod moves;
mod sheet;

pub(crate) use axis::{Axis, Line, LineFate};
pub(crate) use entries::{Entry, EntryKind};
pub(crate) use moves::{Move, MoveKind};
pub(crate) use sheet::{CellFate, CellShow, SheetKind, SheetShow};

use super::pages::{Page, PageKind, pages};
use super::summary::sentence;
use mvdiff_grid::{ApplyError, DiffOp, DiffReport, Grid, Note, Sheet, Workbook};

/// Two workbooks and what happened between them, laid out sheet by sheet: the
/// workbook page and the highlighted workbook are made from it.
pub struct WorkbookView<'a> {
    /// What the files are called.
    pub(crate) names: (&'a str, &'a str),
    /// The sheets of the new workbook in their order, then those that went.
    pub(crate) sheets: Vec<SheetShow<'a>>,
    /// What happened to names.
    pub(crate) defined: Vec<Entry>,
    /// What happened to all else that belongs to no sheet.
    pub(crate) whole: Vec<Entry>,
    /// The sentence that sums all up.
    pub(crate) summary: String,
    pub(crate) notes: &'a [Note],
}

impl<'a> WorkbookView<'a> {
    /// Lays both workbooks out by a plain report on them; `names` are those of the files.
    ///
    /// # Errors
    /// [`ApplyError`] if the report is not one on these workbooks.
    pub fn new(
        names: (&'a str, &'a str),
        old: &'a Workbook,
        new: &'a Workbook,
        report: &'a DiffReport,
    ) -> Result<Self, ApplyError> {
        Self::with_acts(names, (old, new), report, &report.ops)
    }

    /// The same with acts: `plain` is the report [unfolded](DiffReport::unfolded), `ops`
    /// are its operations before that.
    ///
    /// # Errors
    /// [`ApplyError`] if the report is not one on these workbooks.
    pub fn with_acts(
        names: (&'a str, &'a str),
        (old, new): (&'a Workbook, &'a Workbook),
        plain: &'a DiffReport,
        ops: &'a [DiffOp],
    ) -> Result<Self, ApplyError> {
        let report = plain;
        let (pages, ops) = pages(plain, ops);
        let find = |workbook: &'a Workbook, name: &str| -> Result<&'a Sheet, ApplyError> {
            let found = workbook.sheets.iter().find(|sheet| sheet.name == name);
            found.ok_or_else(|| ApplyError::NoSheet(name.to_owned()))
        };
        let mut number = 0;
        let mut sheets = Vec::new();
        for sheet in &new.sheets {
            let mine = |page: &&Page<'_>| {
                page.name == sheet.name && !matches!(page.kind, PageKind::Removed)
            };
            let show = match pages.iter().find(mine) {
                None => SheetShow::not_compared(sheet),
                Some(page) => match page.kind {
                    PageKind::Both(told) => {
                        let old = find(old, &told.old_sheet)?;
                        SheetShow::both(page, told, (old, sheet), report, &mut number)?
                    }
                    _ => SheetShow::alone(page, sheet, SheetKind::Added),
                },
            };
            sheets.push(show);
        }
        for page in &pages {
            if matches!(page.kind, PageKind::Removed) {
                let sheet = find(old, page.name)?;
                sheets.push(SheetShow::alone(page, sheet, SheetKind::Removed));
            }
        }
        let calculated = (is_calculated(old), is_calculated(new));
        for sheet in &mut sheets {
            sheet.calculated = calculated;
        }
        Ok(Self {
            names,
            sheets,
            whole: ops.iter().filter_map(|op| entries::of_whole(op)).collect(),
            defined: ops.iter().filter_map(|op| entries::of_name(op)).collect(),
            summary: summary(&pages, &ops),
            notes: &report.notes,
        })
    }
}

/// Whether some formula has a value, or there is none that should have one.
fn is_calculated(workbook: &Workbook) -> bool {
    let cells = workbook.sheets.iter().filter_map(Sheet::grid);
    let formulas = cells
        .flat_map(Grid::cells)
        .filter(|cell| cell.formula.is_some());
    let mut formulas = formulas.peekable();
    formulas.peek().is_none() || formulas.any(|cell| !cell.value.is_empty())
}

fn summary(pages: &[Page<'_>], names: &[&DiffOp]) -> String {
    match sentence(pages, names) {
        told if told.is_empty() => "No changes.".to_owned(),
        told => told,
    }
}
