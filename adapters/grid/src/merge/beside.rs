//! What theirs did besides the cells, each kind in its own way.

use super::Work;
use super::sheet::SheetMerge;
use crate::workbook_map::WorkbookMap;
use crate::{DiffOp, ItemChange, PartChange, TableChange};

impl<'a> SheetMerge<'a> {
    /// Brings over all that is not a cell.
    pub fn beside(&self, work: &mut Work<'a>, tm: &WorkbookMap) {
        for (at, op) in &self.ops[1] {
            if op.aspect().is_none() {
                continue;
            }
            let _known = self.look(work, *at, op)
                || self.comment(work, Some(*at), op)
                || self.item(work, Some(*at), op, tm);
        }
        let theirs = work.theirs.report;
        for op in &theirs.with_added {
            if op.sheet() == Some(&self.names[1]) {
                let _known = self.look_of_added(work, op)
                    || self.comment(work, None, op)
                    || self.item(work, None, op, tm);
            }
        }
        self.look_of_restored(work);
    }
}

/// Says of an operation besides the cells that it is about this sheet; whether it is one
/// that can be carried over.
pub(super) fn rename(op: &mut DiffOp, name: &str) -> bool {
    match op {
        DiffOp::CommentAdded { sheet, .. }
        | DiffOp::CommentRemoved { sheet, .. }
        | DiffOp::CommentEdited { sheet, .. }
        | DiffOp::HyperlinkChanged(ItemChange { sheet, .. })
        | DiffOp::ValidationChanged(ItemChange { sheet, .. })
        | DiffOp::ConditionalFormatChanged(ItemChange { sheet, .. })
        | DiffOp::ProtectionChanged(ItemChange { sheet, .. })
        | DiffOp::TableAdded(TableChange {
            change: ItemChange { sheet, .. },
            ..
        })
        | DiffOp::TableRemoved(TableChange {
            change: ItemChange { sheet, .. },
            ..
        })
        | DiffOp::TableChanged(TableChange {
            change: ItemChange { sheet, .. },
            ..
        })
        | DiffOp::PartChanged(PartChange {
            change: ItemChange { sheet, .. },
            ..
        })
        | DiffOp::NumberFormatChanged { sheet, .. }
        | DiffOp::StyleChanged { sheet, .. }
        | DiffOp::RowsHidden { sheet, .. }
        | DiffOp::ColumnsHidden { sheet, .. }
        | DiffOp::RowHeight { sheet, .. }
        | DiffOp::ColumnWidth { sheet, .. } => {
            name.clone_into(sheet);
            true
        }
        _ => false,
    }
}
