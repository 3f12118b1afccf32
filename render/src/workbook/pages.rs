//! A report laid out sheet by sheet.

use mvdiff_grid::{
    Across, AcrossAct, Address, CopyAct, DiffOp, DiffReport, Labels, Note, SheetReport,
    TransposeAct,
};
use std::collections::{HashMap, HashSet};

/// A sheet and what happened to it, in the order of the report.
pub(super) struct Page<'r> {
    /// Its name, the new one where it has two.
    pub name: &'r str,
    pub kind: PageKind<'r>,
    /// All plain operations.
    pub ops: Vec<&'r DiffOp>,
    /// Those that are in no act.
    pub rest: Vec<&'r DiffOp>,
    pub acts: Vec<&'r DiffOp>,
}

impl<'r> Page<'r> {
    fn new(name: &'r str, kind: PageKind<'r>) -> Self {
        Self {
            name,
            kind,
            ops: Vec::new(),
            rest: Vec::new(),
            acts: Vec::new(),
        }
    }

    /// What is shown of it: acts, and what is in none.
    pub fn told(&self) -> impl Iterator<Item = &'r DiffOp> {
        self.acts.iter().chain(&self.rest).copied()
    }

    /// The names of its columns and the keys of its rows.
    pub fn labels(&self) -> Option<&'r Labels> {
        match self.kind {
            PageKind::Both(sheet) => Some(&sheet.labels),
            _ => None,
        }
    }
}

/// Which plain operation one is.
type Key<'r> = (u8, &'r str, u64, u64);

fn key(op: &DiffOp) -> Option<Key<'_>> {
    let place = |at: Address| (u64::from(at.row) << 32) | u64::from(at.col);
    let line = |line: &u32| u64::from(*line);
    Some(match op {
        DiffOp::CellEdited {
            sheet,
            addr,
            from_addr,
            ..
        } => (0, sheet, place(addr.0), place(from_addr.0)),
        DiffOp::RowRemoved { sheet, row_idx, .. } => (1, sheet, line(row_idx), 0),
        DiffOp::RowAdded { sheet, row_idx, .. } => (2, sheet, line(row_idx), 0),
        DiffOp::ColumnRemoved { sheet, col_idx, .. } => (3, sheet, line(col_idx), 0),
        DiffOp::ColumnAdded { sheet, col_idx, .. } => (4, sheet, line(col_idx), 0),
        DiffOp::BlockMovedRows {
            sheet,
            src_start_row,
            ..
        } => (5, sheet, line(src_start_row), 0),
        DiffOp::BlockMovedColumns {
            sheet,
            src_start_col,
            ..
        } => (6, sheet, line(src_start_col), 0),
        DiffOp::BlockMovedRect {
            sheet,
            src_start_row,
            src_start_col,
            ..
        } => (7, sheet, line(src_start_row), line(src_start_col)),
        DiffOp::SheetAdded { sheet, .. } => (8, sheet, 0, 0),
        DiffOp::SheetRemoved { sheet, .. } => (9, sheet, 0, 0),
        _ => return None,
    })
}

/// The plain operations that acts summarise.
fn in_acts(acts: &[DiffOp]) -> HashSet<Key<'_>> {
    let place = |at: Address| (u64::from(at.row) << 32) | u64::from(at.col);
    let mut keys = HashSet::new();
    for act in acts {
        if let Some(act) = act.range_act() {
            let cells = act.cells.iter();
            keys.extend(
                cells.map(|cell| (0, &*act.sheet, place(cell.addr.0), place(cell.from_addr.0))),
            );
        }
        match act {
            DiffOp::RowsFiltered(act) => {
                let rows = act.rows.iter();
                keys.extend(rows.map(|row| (1, &*act.sheet, u64::from(row.row_idx), 0)));
            }
            DiffOp::BlockMovedAcross(AcrossAct { ops, .. })
            | DiffOp::SheetCopied(CopyAct { ops, .. })
            | DiffOp::RangeTransposed(TransposeAct { ops, .. }) => {
                keys.extend(ops.iter().filter_map(key));
            }
            _ => {}
        }
    }
    keys
}

#[derive(Clone, Copy)]
pub(super) enum PageKind<'r> {
    /// There in both workbooks.
    Both(&'r SheetReport),
    Added,
    Removed,
}

/// The sheets in the order of the new workbook, those that went last; and what
/// happened to names, which belong to no sheet. `plain` is the report unfolded, `ops`
/// are those that may summarise several.
pub(super) fn pages<'r>(
    plain: &'r DiffReport,
    ops: &'r [DiffOp],
) -> (Vec<Page<'r>>, Vec<&'r DiffOp>) {
    let mut pages: Vec<Page<'_>> = Vec::with_capacity(plain.sheets.len());
    let mut at: HashMap<&str, usize> = HashMap::new();
    for sheet in &plain.sheets {
        at.insert(&sheet.sheet, pages.len());
        pages.push(Page::new(&sheet.sheet, PageKind::Both(sheet)));
    }
    let in_acts = in_acts(ops);
    let mut names = Vec::new();
    for op in &plain.ops {
        let Some(name) = op.sheet() else {
            names.push(op);
            continue;
        };
        let kind = match op {
            DiffOp::SheetAdded { .. } => Some(PageKind::Added),
            DiffOp::SheetRemoved { .. } => Some(PageKind::Removed),
            _ => None,
        };
        let page = match (kind, at.get(name)) {
            (None, Some(&page)) => &mut pages[page],
            (kind, _) => {
                pages.push(Page::new(name, kind.unwrap_or(PageKind::Added)));
                let last = pages.len() - 1;
                &mut pages[last]
            }
        };
        page.ops.push(op);
        if !key(op).is_some_and(|key| in_acts.contains(&key)) {
            page.rest.push(op);
        }
    }
    for act in ops.iter().filter(|op| op.is_act()) {
        for page in &mut pages {
            let from = match act {
                DiffOp::BlockMovedAcross(across) => {
                    let old_name = match page.kind {
                        PageKind::Both(sheet) => &sheet.old_sheet,
                        _ => page.name,
                    };
                    across.how != Across::Copied && across.from_sheet == old_name
                }
                _ => false,
            };
            let removed = matches!(page.kind, PageKind::Removed);
            if from || (act.sheet() == Some(page.name) && !removed) {
                page.acts.push(act);
            }
        }
    }
    (pages, names)
}

/// Whether an operation that belongs to no sheet is about a name.
pub(super) fn is_name(op: &DiffOp) -> bool {
    matches!(
        op,
        DiffOp::NameAdded { .. } | DiffOp::NameRemoved { .. } | DiffOp::NameChanged { .. }
    )
}

/// What changed beside the cells.
pub(super) fn beside(report: &DiffReport) -> impl Iterator<Item = &Note> {
    report.notes.iter().filter(|note| note.kind == "part")
}

/// Whether its rows were sorted, so that their moves are one thing.
pub(super) fn is_sorted(page: &Page<'_>) -> bool {
    matches!(page.kind, PageKind::Both(sheet) if !sheet.sorted_by.is_empty())
}
