//! Blocks that moved, with both their places in words.

use crate::workbook::lines::{area, columns, end, rows};
use crate::workbook::moves::unchanged;
use mvdiff_grid::{Address, Area, DiffOp};

/// One block that moved, and the number by which its ends are joined.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    /// From one, over all sheets.
    pub number: usize,
    pub kind: MoveKind,
    pub from: String,
    pub to: String,
    /// `(4 rows, 31 of 32 cells unchanged)`
    pub more: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveKind {
    Rows { src: u32, len: u32, dst: u32 },
    Cols { src: u32, len: u32, dst: u32 },
    Rect { from: Area, to: Area },
}

impl Move {
    pub(super) fn of(op: &DiffOp, number: usize) -> Option<Self> {
        let (kind, from, to, more) = match *op {
            DiffOp::BlockMovedRows {
                src_start_row: src,
                row_count: len,
                dst_start_row: dst,
                similarity,
                cell_count,
                ..
            } => {
                let noun = if len == 1 { "row" } else { "rows" };
                let size = format!("{len} {noun}");
                (
                    MoveKind::Rows { src, len, dst },
                    format!("{noun} {}", rows(src, len)),
                    format!("{noun} {}", rows(dst, len)),
                    unchanged(&size, cell_count, similarity),
                )
            }
            DiffOp::BlockMovedColumns {
                src_start_col: src,
                col_count: len,
                dst_start_col: dst,
                similarity,
                cell_count,
                ..
            } => {
                let noun = if len == 1 { "column" } else { "columns" };
                let size = format!("{len} {noun}");
                (
                    MoveKind::Cols { src, len, dst },
                    format!("{noun} {}", columns(src, len)),
                    format!("{noun} {}", columns(dst, len)),
                    unchanged(&size, cell_count, similarity),
                )
            }
            DiffOp::BlockMovedRect {
                src_start_row,
                row_count,
                src_start_col,
                col_count,
                dst_start_row,
                dst_start_col,
                similarity,
                cell_count,
                ..
            } => {
                let block = |row: u32, col: u32| Area {
                    first: Address::new(row, col),
                    last: Address::new(end(row, row_count), end(col, col_count)),
                };
                let size = format!("{row_count} × {col_count} cells");
                let kind = MoveKind::Rect {
                    from: block(src_start_row, src_start_col),
                    to: block(dst_start_row, dst_start_col),
                };
                (
                    kind,
                    area(src_start_row, row_count, src_start_col, col_count),
                    area(dst_start_row, row_count, dst_start_col, col_count),
                    unchanged(&size, cell_count, similarity),
                )
            }
            _ => return None,
        };
        Some(Self {
            number,
            kind,
            from,
            to,
            more,
        })
    }

    /// `M1`
    pub(crate) fn name(&self) -> String {
        format!("M{}", self.number)
    }
}
