//! Sheets whose rows became columns.

use super::Ops;
use crate::{Address, Area, DiffOp, DiffReport, Grid, Sheet, TransposeAct, Workbook};

pub(super) fn fold(ops: &mut Ops, report: &DiffReport, [old, new]: [&Workbook; 2]) {
    for told in &report.sheets {
        let find = |book: &'_ Workbook, name: &str| -> Option<usize> {
            book.sheets.iter().position(|sheet| sheet.name == name)
        };
        let (Some(was), Some(is)) = (find(old, &told.old_sheet), find(new, &told.sheet)) else {
            continue;
        };
        let sheets = [&old.sheets[was], &new.sheets[is]];
        let [Some(was), Some(is)] = sheets.map(Sheet::grid) else {
            continue;
        };
        let mine: Vec<usize> = ops
            .left()
            .filter(|(_, op)| op.sheet() == Some(&told.sheet) && is_about_cells(op))
            .map(|(at, _)| at)
            .collect();
        if mine.len() < 2 || is_transposed(was, is) != Some(0) {
            continue;
        }
        let (Some(range), Some(from_range)) = (extent(is), extent(was)) else {
            continue;
        };
        let act = TransposeAct {
            sheet: told.sheet.clone(),
            range: range.to_string(),
            from_range: from_range.to_string(),
            ops: ops.take(&mine),
        };
        ops.put(&mine, DiffOp::RangeTransposed(act));
    }
}

fn is_about_cells(op: &DiffOp) -> bool {
    matches!(
        op,
        DiffOp::RowAdded { .. }
            | DiffOp::RowRemoved { .. }
            | DiffOp::ColumnAdded { .. }
            | DiffOp::ColumnRemoved { .. }
            | DiffOp::BlockMovedRows { .. }
            | DiffOp::BlockMovedColumns { .. }
            | DiffOp::BlockMovedRect { .. }
            | DiffOp::CellEdited { .. }
    )
}

/// The cells that hold something.
pub(super) fn extent(grid: &Grid) -> Option<Area> {
    super::areas::around(grid.cells().map(|cell| cell.address))
}

/// How many cells hold something else, if the rows of one sheet are the columns of the
/// other; none if most do, or if a line alone says nothing.
pub(super) fn is_transposed(was: &Grid, is: &Grid) -> Option<usize> {
    let (from, to) = (extent(was)?, extent(is)?);
    let size = |area: Area| {
        (
            area.last.row - area.first.row,
            area.last.col - area.first.col,
        )
    };
    let (high, wide) = size(from);
    if size(to) != (wide, high) || high == 0 || wide == 0 || was.cell_count() != is.cell_count() {
        return None;
    }
    let mut other = 0;
    let mut still = 0;
    for cell in was.cells() {
        let (down, right) = (
            cell.address.row - from.first.row,
            cell.address.col - from.first.col,
        );
        let now = is.value(Address::new(to.first.row + right, to.first.col + down));
        other += usize::from(!cell.value.same(&now));
        let there = is.value(Address::new(to.first.row + down, to.first.col + right));
        still += usize::from(cell.value.same(&there));
    }
    // What reads the same both ways was not turned.
    (other * 10 <= was.cell_count() && still * 2 < was.cell_count()).then_some(other)
}
