//! What was found, said as operations, in an order that does not change.

use crate::acts::areas;
use crate::cell_map::LineMove;
use crate::diff::cells::{CellChanges, Tally};
use crate::diff::keyed::Cluster;
use crate::diff::lines::lines;
use crate::diff::report_budget::ReportBudget;
use crate::diff::sheet::Aligned;
use crate::diff::sheets::SheetPair;
use crate::report::DiffReport;
use crate::{
    Area, BlockHash, DiffOp, Error, Grid, Note, Parts, PlacedCell, Refs, Sheet, WholeSheet,
    Workbook,
};
use std::collections::BTreeSet;

/// Sheets that came, went, were renamed, moved, hidden or shown.
///
/// # Errors
/// When the core refuses the order of the sheets.
pub(crate) fn sheets(
    [old, new]: [&Workbook; 2],
    pairs: &[SheetPair],
    budget: &ReportBudget,
    report: &mut DiffReport,
) -> Result<(), Error> {
    for pair in pairs {
        match (pair.old, pair.new) {
            (Some(at), None) => report.ops.push(gone(&old.sheets[at], at, budget)),
            (None, Some(at)) => report.ops.push(came(&new.sheets[at], at, budget)),
            _ => {}
        }
    }
    for (o, n) in both(pairs) {
        let (was, is) = (&old.sheets[o], &new.sheets[n]);
        if was.name != is.name {
            report.ops.push(DiffOp::SheetRenamed {
                sheet: is.name.clone(),
                from: was.name.clone(),
            });
        }
    }
    order(new, pairs, report)?;
    for (o, n) in both(pairs) {
        let (was, is) = (&old.sheets[o], &new.sheets[n]);
        if was.visibility != is.visibility {
            report.ops.push(DiffOp::SheetVisibility {
                sheet: is.name.clone(),
                from: was.visibility,
                to: is.visibility,
            });
        }
    }
    Ok(())
}

fn both(pairs: &[SheetPair]) -> impl Iterator<Item = (usize, usize)> {
    pairs.iter().filter_map(|pair| Some((pair.old?, pair.new?)))
}

/// Sheets that have another place among those that were there before.
fn order(new: &Workbook, pairs: &[SheetPair], report: &mut DiffReport) -> Result<(), Error> {
    let mut stayed: Vec<(usize, usize)> = both(pairs).collect();
    let by_new: Vec<usize> = stayed.iter().map(|pair| pair.1).collect();
    stayed.sort_unstable();
    let by_old: Vec<usize> = stayed.iter().map(|pair| pair.1).collect();
    let problem = mvdiff_core::Slices::new(&by_old, &by_new)?;
    let script = mvdiff_core::diff(&problem, &mvdiff_core::Options::default())?.script;
    for step in lines(&script).moves {
        for i in 0..step.len {
            let (from, to) = stayed[(step.src + i) as usize];
            report.ops.push(DiffOp::SheetMoved {
                sheet: new.sheets[to].name.clone(),
                from_position: from as u32,
                position: to as u32,
            });
        }
    }
    Ok(())
}

fn all_cells(sheet: &Sheet, budget: &ReportBudget) -> Vec<PlacedCell> {
    let cells = sheet.grid().into_iter().flat_map(Grid::cells);
    cells.map(|cell| budget.placed(&cell)).collect()
}

/// A sheet without cells, with its part.
fn whole(sheet: &Sheet, budget: &ReportBudget) -> Option<Box<WholeSheet>> {
    let whole = sheet.whole()?;
    budget.spend(whole.parts.as_ref().map_or(0, Parts::size));
    Some(Box::new(whole))
}

fn came(sheet: &Sheet, position: usize, budget: &ReportBudget) -> DiffOp {
    DiffOp::SheetAdded {
        sheet: sheet.name.clone(),
        position: position as u32,
        visibility: sheet.visibility,
        cells: all_cells(sheet, budget),
        merges: sheet.merges.iter().map(ToString::to_string).collect(),
        whole: whole(sheet, budget),
    }
}

fn gone(sheet: &Sheet, position: usize, budget: &ReportBudget) -> DiffOp {
    DiffOp::SheetRemoved {
        sheet: sheet.name.clone(),
        position: position as u32,
        visibility: sheet.visibility,
        cells: all_cells(sheet, budget),
        merges: sheet.merges.iter().map(ToString::to_string).collect(),
        whole: whole(sheet, budget),
    }
}

/// Keys of several rows, where something happened to those.
pub(crate) fn clusters(sheet: &str, clusters: Vec<Cluster>, report: &mut DiffReport) {
    let changed = clusters.into_iter().filter(|cluster| !cluster.unchanged);
    report
        .ops
        .extend(changed.map(|cluster| DiffOp::DuplicateKeyCluster {
            sheet: sheet.to_owned(),
            key: cluster.key,
            old_rows: cluster.old_rows,
            new_rows: cluster.new_rows,
        }));
}

/// Everything that happened in a sheet's cells.
pub(crate) fn cells(
    sheet: &str,
    aligned: &Aligned,
    mut changes: CellChanges,
    report: &mut DiffReport,
) {
    let name = || sheet.to_owned();
    let ops = &mut report.ops;
    for &col_idx in &aligned.cols.removed {
        let cells = changes.cols_removed.remove(&col_idx).unwrap_or_default();
        if !aligned.ignored[0].contains(&col_idx) {
            ops.push(DiffOp::ColumnRemoved {
                sheet: name(),
                col_idx,
                cells,
            });
        }
    }
    for &col_idx in &aligned.cols.added {
        let cells = changes.cols_added.remove(&col_idx).unwrap_or_default();
        if !aligned.ignored[1].contains(&col_idx) {
            ops.push(DiffOp::ColumnAdded {
                sheet: name(),
                col_idx,
                cells,
            });
        }
    }
    for (i, step) in aligned.cols.moves.iter().enumerate() {
        let tally = changes.moved_cols[i];
        ops.push(DiffOp::BlockMovedColumns {
            sheet: name(),
            src_start_col: step.src,
            col_count: step.len,
            dst_start_col: step.dst,
            block_hash: exact(tally, aligned.col_hashes[i]),
            similarity: tally.similarity(),
            cell_count: tally.all,
            refs: refs(changes.relative_cols[i]),
        });
    }
    let removed = aligned.rows.removed.iter().zip(changes.rows_removed);
    ops.extend(removed.map(|(&row_idx, cells)| DiffOp::RowRemoved {
        sheet: name(),
        row_idx,
        cells,
    }));
    let added = aligned.rows.added.iter().zip(changes.rows_added);
    ops.extend(added.map(|(&row_idx, cells)| DiffOp::RowAdded {
        sheet: name(),
        row_idx,
        cells,
    }));
    for (i, LineMove { src, len, dst }) in aligned.rows.moves.iter().copied().enumerate() {
        let tally = changes.moved_rows[i];
        ops.push(DiffOp::BlockMovedRows {
            sheet: name(),
            src_start_row: src,
            row_count: len,
            dst_start_row: dst,
            block_hash: exact(tally, aligned.row_hashes[i]),
            similarity: tally.similarity(),
            cell_count: tally.all,
            refs: refs(changes.relative_rows[i]),
        });
    }
    for (i, rect) in aligned.rects.iter().enumerate() {
        let tally = changes.moved_rects[i];
        ops.push(DiffOp::BlockMovedRect {
            sheet: name(),
            src_start_row: rect.from.first.row,
            row_count: rect.from.last.row - rect.from.first.row + 1,
            src_start_col: rect.from.first.col,
            col_count: rect.from.last.col - rect.from.first.col + 1,
            dst_start_row: rect.to.row,
            dst_start_col: rect.to.col,
            block_hash: exact(tally, aligned.rect_hashes[i]),
            similarity: tally.similarity(),
            cell_count: tally.all,
            refs: Refs::Follow,
        });
    }
    ops.append(&mut changes.edits);
    report.followed.append(&mut changes.followed);
    if let Some(last) = report.sheets.last_mut() {
        last.formulas_followed = changes.formulas_followed;
        let kept = areas(changes.kept);
        last.kept = kept.iter().map(ToString::to_string).collect();
    }
    if changes.unfollowable > 0 {
        let message = format!(
            "sheet {sheet:?}: {} formulas use INDIRECT or OFFSET, which name cells by text or by distance and were not followed",
            changes.unfollowable
        );
        report.notes.push(Note::new("formulas", message));
    }
}

fn exact(tally: Tally, hash: u64) -> Option<BlockHash> {
    (tally.changed == 0).then_some(BlockHash(hash))
}

fn refs(relative: bool) -> Refs {
    if relative {
        Refs::Relative
    } else {
        Refs::Follow
    }
}

/// Merged regions that came or went; those that followed their cells, or went with
/// them, did neither.
pub(crate) fn merges([old, new]: [&Sheet; 2], aligned: &Aligned, report: &mut DiffReport) {
    let removed = |area: &Area| DiffOp::MergeRemoved {
        sheet: new.name.clone(),
        area: area.to_string(),
    };
    let added = |area: &Area| DiffOp::MergeAdded {
        sheet: new.name.clone(),
        area: area.to_string(),
    };
    let is: BTreeSet<Area> = new.merges.iter().copied().collect();
    let mut followed = BTreeSet::new();
    let back = aligned.map.inverse();
    for area in &old.merges {
        match aligned.map.area(*area) {
            None => report.followed.push(removed(area)),
            Some(now) if is.contains(&now) => {
                if followed.contains(&now) || back.area(now) != Some(*area) {
                    report.followed.extend([removed(area), added(&now)]);
                }
                followed.insert(now);
            }
            Some(_) => report.ops.push(removed(area)),
        }
    }
    report.ops.extend(is.difference(&followed).map(added));
}
