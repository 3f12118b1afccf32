//! A report laid out sheet by sheet.

use mvdiff_grid::{DiffOp, DiffReport, Note, SheetReport};
use std::collections::HashMap;

/// A sheet and what happened to it, in the order of the report.
pub(super) struct Page<'r> {
    /// Its name, the new one where it has two.
    pub name: &'r str,
    pub kind: PageKind<'r>,
    pub ops: Vec<&'r DiffOp>,
}

#[derive(Clone, Copy)]
pub(super) enum PageKind<'r> {
    /// There in both workbooks.
    Both(&'r SheetReport),
    Added,
    Removed,
}

/// The sheets in the order of the new workbook, those that went last; and what
/// happened to names, which belong to no sheet.
pub(super) fn pages(report: &DiffReport) -> (Vec<Page<'_>>, Vec<&DiffOp>) {
    let mut pages: Vec<Page<'_>> = Vec::with_capacity(report.sheets.len());
    let mut at: HashMap<&str, usize> = HashMap::new();
    for sheet in &report.sheets {
        at.insert(&sheet.sheet, pages.len());
        pages.push(Page {
            name: &sheet.sheet,
            kind: PageKind::Both(sheet),
            ops: Vec::new(),
        });
    }
    let mut names = Vec::new();
    for op in &report.ops {
        let Some(name) = op.sheet() else {
            names.push(op);
            continue;
        };
        let kind = match op {
            DiffOp::SheetAdded { .. } => Some(PageKind::Added),
            DiffOp::SheetRemoved { .. } => Some(PageKind::Removed),
            _ => None,
        };
        match (kind, at.get(name)) {
            (None, Some(&page)) => pages[page].ops.push(op),
            (kind, _) => {
                let kind = kind.unwrap_or(PageKind::Added);
                pages.push(Page {
                    name,
                    kind,
                    ops: vec![op],
                });
            }
        }
    }
    (pages, names)
}

/// What changed beside the cells.
pub(super) fn beside(report: &DiffReport) -> impl Iterator<Item = &Note> {
    report.notes.iter().filter(|note| note.kind == "part")
}

/// Whether its rows were sorted, so that their moves are one thing.
pub(super) fn is_sorted(page: &Page<'_>) -> bool {
    matches!(page.kind, PageKind::Both(sheet) if !sheet.sorted_by.is_empty())
}
