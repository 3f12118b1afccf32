//! What both sides did to rows and columns, put into ours or into a conflict.

use super::Work;
use super::conflict::{Conflict, ConflictKind};
use super::lines::MergedLines;
use super::sheet::{SheetMerge, range_of_lines};
use crate::cell_map::AxisMap;
use crate::{DiffOp, Refs};
use serde_json::json;
use std::collections::HashSet;

impl<'a> SheetMerge<'a> {
    /// Says which lines of ours go and move, and what became of what both sides did to
    /// lines.
    pub fn lines(&self, work: &mut Work<'a>) {
        let sheet = || self.name.clone();
        let (removed, _, moves) = self.cols.steps();
        work.out
            .ops
            .extend(removed.iter().map(|&col_idx| DiffOp::ColumnRemoved {
                sheet: sheet(),
                col_idx,
                cells: Vec::new(),
            }));
        for (step, by) in moves {
            work.out.ops.push(DiffOp::BlockMovedColumns {
                sheet: sheet(),
                src_start_col: step.src,
                col_count: step.len,
                dst_start_col: step.dst,
                block_hash: None,
                similarity: 1.0,
                cell_count: 0,
                refs: self.moves[1][by].2,
            });
        }
        let (removed, _, moves) = self.rows.steps();
        work.out
            .ops
            .extend(removed.iter().map(|&row_idx| DiffOp::RowRemoved {
                sheet: sheet(),
                row_idx,
                cells: Vec::new(),
            }));
        for (step, by) in moves {
            work.out.ops.push(DiffOp::BlockMovedRows {
                sheet: sheet(),
                src_start_row: step.src,
                row_count: step.len,
                dst_start_row: step.dst,
                block_hash: None,
                similarity: 1.0,
                cell_count: 0,
                refs: self.moves[0][by].2,
            });
        }
        for rect in &self.moved_rects {
            let size = (
                rect.from.last.row - rect.from.first.row + 1,
                rect.from.last.col - rect.from.first.col + 1,
            );
            work.out.ops.push(DiffOp::BlockMovedRect {
                sheet: sheet(),
                src_start_row: rect.from.first.row,
                row_count: size.0,
                src_start_col: rect.from.first.col,
                col_count: size.1,
                dst_start_row: rect.to.row,
                dst_start_col: rect.to.col,
                block_hash: None,
                similarity: 1.0,
                cell_count: 0,
                refs: Refs::Follow,
            });
        }
        self.line_fates(work);
    }

    fn line_fates(&self, work: &mut Work<'a>) {
        let loose: HashSet<usize> = self.loose_rects.iter().map(|(at, _)| *at).collect();
        for (at, op) in &self.ops[1] {
            let fate = &mut work.theirs.fates[*at];
            let added = |lines: &MergedLines, line: u32| {
                let place = lines.of_theirs.get(line as usize).copied().flatten();
                let item = place.map(|place| lines.items[place as usize]);
                item.is_some_and(|item| item.ours.is_some())
            };
            let removed = |lines: &MergedLines, map: &AxisMap, line: u32| {
                (
                    lines.theirs_removed.binary_search(&line).is_ok(),
                    map.get(line).is_none(),
                )
            };
            match op {
                DiffOp::RowAdded { row_idx, .. } if added(&self.rows, *row_idx) => fate.same = true,
                DiffOp::ColumnAdded { col_idx, .. } if added(&self.cols, *col_idx) => {
                    fate.same = true;
                }
                DiffOp::RowAdded { .. } | DiffOp::ColumnAdded { .. } => fate.done = true,
                DiffOp::RowRemoved { row_idx, .. } => {
                    let (kept, both) = removed(&self.rows, &self.maps[0].rows, *row_idx);
                    (fate.conflict, fate.same, fate.done) = (kept, both, !kept && !both);
                }
                DiffOp::ColumnRemoved { col_idx, .. } => {
                    let (kept, both) = removed(&self.cols, &self.maps[0].cols, *col_idx);
                    (fate.conflict, fate.same, fate.done) = (kept, both, !kept && !both);
                }
                DiffOp::BlockMovedRect { .. } if !loose.contains(at) => fate.done = true,
                _ => {}
            }
        }
        for (at, op) in &self.ops[0] {
            let restored = match op {
                DiffOp::RowRemoved { row_idx, .. } => {
                    self.rows.ours_removed.binary_search(row_idx).is_ok()
                }
                DiffOp::ColumnRemoved { col_idx, .. } => {
                    self.cols.ours_removed.binary_search(col_idx).is_ok()
                }
                _ => false,
            };
            work.ours.fates[*at].conflict |= restored;
        }
        for (rows, lines) in [(true, &self.rows), (false, &self.cols)] {
            let moved: HashSet<usize> = lines.items.iter().filter_map(|item| item.moved).collect();
            for (by, (_, at, _)) in self.moves[usize::from(!rows)].iter().enumerate() {
                let Some(at) = *at else { continue };
                if lines.both_moved.contains(&by) {
                    work.theirs.fates[at].conflict = true;
                    self.both_moved(work, rows, by);
                } else if moved.contains(&by) {
                    work.theirs.fates[at].done = true;
                } else {
                    work.theirs.fates[at].same = true;
                }
            }
        }
    }

    /// Lines that ours and theirs moved to different places.
    fn both_moved(&self, work: &mut Work<'a>, rows: bool, by: usize) {
        let step = self.moves[usize::from(!rows)][by].0;
        let (map, lines) = if rows {
            (&self.maps[0].rows, &self.rows)
        } else {
            (&self.maps[0].cols, &self.cols)
        };
        let name = |first: u32, count: u32| range_of_lines(rows, first, count);
        let now = (step.src..step.src + step.len).find_map(|line| map.get(line));
        let place = now.and_then(|now| lines.of_ours[now as usize]);
        let (kind, what) = if rows {
            (ConflictKind::Rows, "rows")
        } else {
            (ConflictKind::Columns, "columns")
        };
        work.conflict(Conflict {
            sheet: Some(self.name.clone()),
            addr: place.map(|place| name(place, step.len)),
            base: json!(name(step.src, step.len)),
            ours: json!(now.map(|now| name(now, step.len))),
            theirs: json!(name(step.dst, step.len)),
            ..Conflict::new(
                kind,
                format!(
                    "ours and theirs moved {what} to different places; they are where ours has them"
                ),
            )
        });
    }
}
