//! A report laid out sheet by sheet.

use mvdiff_grid::{DiffOp, DiffReport, SheetReport};
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
        let (name, kind) = match op {
            DiffOp::SheetAdded { sheet, .. } => (sheet, Some(PageKind::Added)),
            DiffOp::SheetRemoved { sheet, .. } => (sheet, Some(PageKind::Removed)),
            DiffOp::NameAdded { .. } | DiffOp::NameRemoved { .. } | DiffOp::NameChanged { .. } => {
                names.push(op);
                continue;
            }
            other => (sheet_of(other), None),
        };
        match (kind, at.get(name.as_str())) {
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

/// The sheet that an operation other than on names is about.
fn sheet_of(op: &DiffOp) -> &String {
    match op {
        DiffOp::SheetAdded { sheet, .. }
        | DiffOp::SheetRemoved { sheet, .. }
        | DiffOp::SheetRenamed { sheet, .. }
        | DiffOp::SheetMoved { sheet, .. }
        | DiffOp::SheetVisibility { sheet, .. }
        | DiffOp::RowAdded { sheet, .. }
        | DiffOp::RowRemoved { sheet, .. }
        | DiffOp::ColumnAdded { sheet, .. }
        | DiffOp::ColumnRemoved { sheet, .. }
        | DiffOp::BlockMovedRows { sheet, .. }
        | DiffOp::BlockMovedColumns { sheet, .. }
        | DiffOp::BlockMovedRect { sheet, .. }
        | DiffOp::CellEdited { sheet, .. }
        | DiffOp::MergeAdded { sheet, .. }
        | DiffOp::MergeRemoved { sheet, .. }
        | DiffOp::DuplicateKeyCluster { sheet, .. } => sheet,
        DiffOp::NameAdded { name, .. }
        | DiffOp::NameRemoved { name, .. }
        | DiffOp::NameChanged { name, .. } => name,
    }
}

/// Whether an operation is about the sheet itself and not about what is in it.
pub(super) fn is_about_the_sheet(op: &DiffOp) -> bool {
    matches!(
        op,
        DiffOp::SheetAdded { .. }
            | DiffOp::SheetRemoved { .. }
            | DiffOp::SheetRenamed { .. }
            | DiffOp::SheetMoved { .. }
            | DiffOp::SheetVisibility { .. }
    )
}
