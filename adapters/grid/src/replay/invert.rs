//! A report read backwards.

use crate::{
    CodeChange, DiffOp, DiffReport, FormulaDiff, ItemChange, PartChange, Placed, SheetReport,
};
use std::collections::{HashMap, HashSet};

/// The report on the way back: what it makes of the new workbook is the old one.
#[must_use]
pub fn invert(report: &DiffReport) -> DiffReport {
    let report = &*report.unfolded();
    let old_names: HashMap<&str, &str> = report
        .ops
        .iter()
        .filter_map(|op| match op {
            DiffOp::SheetRenamed { sheet, from } => Some((sheet.as_str(), from.as_str())),
            _ => None,
        })
        .collect();
    let back = |sheet: &String| match old_names.get(sheet.as_str()) {
        Some(old) => (*old).to_owned(),
        None => sheet.clone(),
    };
    let followed: Vec<DiffOp> = report
        .followed
        .iter()
        .map(|op| inverted(op, &back))
        .collect();
    let known: HashSet<(String, Placed)> = followed.iter().filter_map(place).collect();
    let ops = report.ops.iter().map(|op| inverted(op, &back));
    let ops = ops.filter(|op| !place(op).is_some_and(|place| known.contains(&place)));
    let ops: Vec<DiffOp> = ops.chain(followed.iter().cloned()).collect();
    // These say what to bring in either direction; only names of sheets differ.
    let renamed = |op: &DiffOp| inverted(&inverted(op, &back), &String::clone);
    let turned = |runs: &[[u32; 3]]| {
        let mut runs: Vec<[u32; 3]> = runs
            .iter()
            .map(|[old, new, len]| [*new, *old, *len])
            .collect();
        runs.sort_unstable();
        runs
    };
    let sheets = report.sheets.iter().map(|sheet| SheetReport {
        keyed_rows: turned(&sheet.keyed_rows),
        sheet: sheet.old_sheet.clone(),
        old_sheet: sheet.sheet.clone(),
        old_rows: sheet.new_rows,
        old_cols: sheet.new_cols,
        new_rows: sheet.old_rows,
        new_cols: sheet.old_cols,
        sorted_by: Vec::new(),
        ..sheet.clone()
    });
    DiffReport {
        sheets: sheets.collect(),
        ops,
        followed: Vec::new(),
        with_added: report.with_removed.iter().map(renamed).collect(),
        with_removed: report.with_added.iter().map(renamed).collect(),
        links: report.links.iter().map(|[old, new]| [*new, *old]).collect(),
        ..report.clone()
    }
}

/// The cell that an edit writes.
fn place(op: &DiffOp) -> Option<(String, Placed)> {
    match op {
        DiffOp::CellEdited { sheet, addr, .. } => Some((sheet.clone(), *addr)),
        _ => None,
    }
}

#[allow(clippy::too_many_lines)] // one arm for each kind of operation
fn inverted(op: &DiffOp, back: &dyn Fn(&String) -> String) -> DiffOp {
    match op.clone() {
        DiffOp::SheetAdded {
            sheet,
            position,
            visibility,
            cells,
            merges,
            whole,
        } => DiffOp::SheetRemoved {
            sheet,
            position,
            visibility,
            cells,
            merges,
            whole,
        },
        DiffOp::SheetRemoved {
            sheet,
            position,
            visibility,
            cells,
            merges,
            whole,
        } => DiffOp::SheetAdded {
            sheet,
            position,
            visibility,
            cells,
            merges,
            whole,
        },
        DiffOp::SheetRenamed { sheet, from } => DiffOp::SheetRenamed {
            sheet: from,
            from: sheet,
        },
        DiffOp::SheetMoved {
            sheet,
            from_position,
            position,
        } => DiffOp::SheetMoved {
            sheet: back(&sheet),
            from_position: position,
            position: from_position,
        },
        DiffOp::SheetVisibility { sheet, from, to } => DiffOp::SheetVisibility {
            sheet: back(&sheet),
            from: to,
            to: from,
        },
        DiffOp::RowAdded {
            sheet,
            row_idx,
            cells,
        } => DiffOp::RowRemoved {
            sheet: back(&sheet),
            row_idx,
            cells,
        },
        DiffOp::RowRemoved {
            sheet,
            row_idx,
            cells,
        } => DiffOp::RowAdded {
            sheet: back(&sheet),
            row_idx,
            cells,
        },
        DiffOp::ColumnAdded {
            sheet,
            col_idx,
            cells,
        } => DiffOp::ColumnRemoved {
            sheet: back(&sheet),
            col_idx,
            cells,
        },
        DiffOp::ColumnRemoved {
            sheet,
            col_idx,
            cells,
        } => DiffOp::ColumnAdded {
            sheet: back(&sheet),
            col_idx,
            cells,
        },
        DiffOp::BlockMovedRows {
            sheet,
            src_start_row,
            row_count,
            dst_start_row,
            block_hash,
            similarity,
            cell_count,
            refs,
        } => DiffOp::BlockMovedRows {
            sheet: back(&sheet),
            src_start_row: dst_start_row,
            row_count,
            dst_start_row: src_start_row,
            block_hash,
            similarity,
            cell_count,
            refs,
        },
        DiffOp::BlockMovedColumns {
            sheet,
            src_start_col,
            col_count,
            dst_start_col,
            block_hash,
            similarity,
            cell_count,
            refs,
        } => DiffOp::BlockMovedColumns {
            sheet: back(&sheet),
            src_start_col: dst_start_col,
            col_count,
            dst_start_col: src_start_col,
            block_hash,
            similarity,
            cell_count,
            refs,
        },
        DiffOp::BlockMovedRect {
            sheet,
            src_start_row,
            row_count,
            src_start_col,
            col_count,
            dst_start_row,
            dst_start_col,
            block_hash,
            similarity,
            cell_count,
            refs,
        } => DiffOp::BlockMovedRect {
            sheet: back(&sheet),
            src_start_row: dst_start_row,
            row_count,
            src_start_col: dst_start_col,
            col_count,
            dst_start_row: src_start_row,
            dst_start_col: src_start_col,
            block_hash,
            similarity,
            cell_count,
            refs,
        },
        DiffOp::CellEdited {
            sheet,
            addr,
            from_addr,
            from,
            to,
            formula_diff,
        } => DiffOp::CellEdited {
            sheet: back(&sheet),
            addr: from_addr,
            from_addr: addr,
            from: to,
            to: from,
            formula_diff: formula_diff.map(|diff| match diff {
                FormulaDiff::Semantic => FormulaDiff::Semantic,
                FormulaDiff::Added => FormulaDiff::Removed,
                FormulaDiff::Removed => FormulaDiff::Added,
            }),
        },
        DiffOp::MergeAdded { sheet, area } => DiffOp::MergeRemoved {
            sheet: back(&sheet),
            area,
        },
        DiffOp::MergeRemoved { sheet, area } => DiffOp::MergeAdded {
            sheet: back(&sheet),
            area,
        },
        DiffOp::NameAdded {
            name,
            sheet,
            refers_to,
        } => DiffOp::NameRemoved {
            name,
            sheet,
            refers_to,
        },
        DiffOp::NameRemoved {
            name,
            sheet,
            refers_to,
        } => DiffOp::NameAdded {
            name,
            sheet,
            refers_to,
        },
        DiffOp::NameChanged {
            name,
            from_name,
            sheet,
            from,
            to,
        } => DiffOp::NameChanged {
            from_name: from_name.is_some().then(|| name.clone()),
            name: from_name.unwrap_or(name),
            sheet: sheet.map(|sheet| back(&sheet)),
            from: to,
            to: from,
        },
        DiffOp::CommentAdded {
            sheet,
            addr,
            comment,
        } => DiffOp::CommentRemoved {
            sheet: back(&sheet),
            addr,
            comment,
        },
        DiffOp::CommentRemoved {
            sheet,
            addr,
            comment,
        } => DiffOp::CommentAdded {
            sheet: back(&sheet),
            addr,
            comment,
        },
        DiffOp::CommentEdited {
            sheet,
            addr,
            from_addr,
            from,
            to,
        } => DiffOp::CommentEdited {
            sheet: back(&sheet),
            addr: from_addr,
            from_addr: addr,
            from: to,
            to: from,
        },
        DiffOp::HyperlinkChanged(change) => DiffOp::HyperlinkChanged(turned(change, back)),
        DiffOp::ValidationChanged(change) => DiffOp::ValidationChanged(turned(change, back)),
        DiffOp::ConditionalFormatChanged(change) => {
            DiffOp::ConditionalFormatChanged(turned(change, back))
        }
        DiffOp::ProtectionChanged(change) => DiffOp::ProtectionChanged(turned(change, back)),
        DiffOp::TableAdded(table) | DiffOp::TableRemoved(table) | DiffOp::TableChanged(table) => {
            DiffOp::of_table(turned(table.change, back))
        }
        DiffOp::PartChanged(part) => DiffOp::PartChanged(PartChange {
            change: turned(part.change, back),
            from_parts: part.to_parts,
            to_parts: part.from_parts,
            ..part
        }),
        DiffOp::ModuleChanged(CodeChange { name, from, to }) => DiffOp::ModuleChanged(CodeChange {
            name,
            from: to,
            to: from,
        }),
        DiffOp::QueryChanged(CodeChange { name, from, to }) => DiffOp::QueryChanged(CodeChange {
            name,
            from: to,
            to: from,
        }),
        DiffOp::NumberFormatChanged {
            sheet,
            range,
            from_range,
            from,
            to,
        } => DiffOp::NumberFormatChanged {
            sheet: back(&sheet),
            range: from_range,
            from_range: range,
            from: to,
            to: from,
        },
        DiffOp::StyleChanged {
            sheet,
            range,
            from_range,
            from,
            to,
        } => DiffOp::StyleChanged {
            sheet: back(&sheet),
            range: from_range,
            from_range: range,
            from: to,
            to: from,
        },
        DiffOp::RowsHidden {
            sheet,
            start_row,
            from_start_row,
            row_count,
            from,
            to,
        } => DiffOp::RowsHidden {
            sheet: back(&sheet),
            start_row: from_start_row,
            from_start_row: start_row,
            row_count,
            from: to,
            to: from,
        },
        DiffOp::ColumnsHidden {
            sheet,
            start_col,
            from_start_col,
            col_count,
            from,
            to,
        } => DiffOp::ColumnsHidden {
            sheet: back(&sheet),
            start_col: from_start_col,
            from_start_col: start_col,
            col_count,
            from: to,
            to: from,
        },
        DiffOp::RowHeight {
            sheet,
            start_row,
            from_start_row,
            row_count,
            from,
            to,
        } => DiffOp::RowHeight {
            sheet: back(&sheet),
            start_row: from_start_row,
            from_start_row: start_row,
            row_count,
            from: to,
            to: from,
        },
        DiffOp::ColumnWidth {
            sheet,
            start_col,
            from_start_col,
            col_count,
            from,
            to,
        } => DiffOp::ColumnWidth {
            sheet: back(&sheet),
            start_col: from_start_col,
            from_start_col: start_col,
            col_count,
            from: to,
            to: from,
        },
        // Acts are unfolded before they are turned.
        act @ (DiffOp::FormulaFilled(_)
        | DiffOp::RangesExtended(_)
        | DiffOp::ValuesPasted(_)
        | DiffOp::RangeScaled(_)
        | DiffOp::Renumbered(_)
        | DiffOp::ValuesReplaced(_)
        | DiffOp::ValuesConverted(_)
        | DiffOp::RangeCleared(_)
        | DiffOp::RangeFilled(_)
        | DiffOp::RowsFiltered(_)
        | DiffOp::BlockMovedAcross(_)
        | DiffOp::SheetCopied(_)
        | DiffOp::RangeTransposed(_)) => act,
        DiffOp::DuplicateKeyCluster {
            sheet,
            key,
            old_rows,
            new_rows,
        } => DiffOp::DuplicateKeyCluster {
            sheet: back(&sheet),
            key,
            old_rows: new_rows,
            new_rows: old_rows,
        },
    }
}

fn turned(change: ItemChange, back: &dyn Fn(&String) -> String) -> ItemChange {
    ItemChange {
        sheet: back(&change.sheet),
        range: change.from_range,
        from_range: change.range,
        from: change.to,
        to: change.from,
    }
}
