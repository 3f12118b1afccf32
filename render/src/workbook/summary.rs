//! A report in one sentence.

use super::counts::{Counts, some};
use super::lines::nth;
use super::moves::{covered, row_moves};
use super::pages::{Page, PageKind, is_sorted};
use mvdiff_grid::{Across, DiffOp};

/// `1 move, 2 edits in 1 sheet; 1 sheet renamed.`; nothing if nothing happened.
pub(super) fn sentence(pages: &[Page<'_>], names: &[&DiffOp]) -> String {
    // What happened in sheets, and what happened to them.
    let (mut inside, mut outside) = (Counts::default(), Counts::default());
    let mut sheets = 0;
    for page in pages {
        // A block that left for another sheet is counted where it is.
        let here = |op: &&DiffOp| !op.is_act() || op.sheet() == Some(page.name);
        let (about, rest): (Vec<&DiffOp>, Vec<&DiffOp>) = page
            .told()
            .filter(here)
            .partition(|op| op.is_about_the_sheet());
        sheets += usize::from(!rest.is_empty());
        for op in about {
            outside.add(op);
        }
        for op in rest {
            inside.add(op);
        }
        if is_sorted(page) {
            inside.sort(row_moves(page).count());
        }
        inside.overwritten(covered(page));
    }
    for op in names {
        outside.add(op);
    }
    let mut words = Vec::new();
    if sheets > 0 {
        let places = some(sheets, "sheet", "sheets");
        words.push(format!("{} in {places}", inside.in_words()));
    }
    words.push(outside.in_words());
    words.retain(|words| !words.is_empty());
    if words.is_empty() {
        return String::new();
    }
    format!("{}.", words.join("; "))
}

/// What is to be said of a sheet itself: `20 × 8 → 21 × 8, renamed from Remarks`.
pub(super) fn about(page: &Page<'_>) -> String {
    let mut said: Vec<String> = Vec::new();
    for op in page.told() {
        match op {
            DiffOp::SheetCopied(act) => {
                let from = crate::styles::visible_name(&act.from_sheet);
                let turned = if act.transposed { " transposed" } else { "" };
                let other = match act.edits.len() {
                    0 => "all cells the same".to_owned(),
                    count => format!("{} different", some(count, "cell", "cells")),
                };
                said.push(format!("copied{turned} from {from}, {other}"));
            }
            DiffOp::BlockMovedAcross(act) if !matches!(page.kind, PageKind::Both(_)) => {
                let (verb, sheet) = match act.how {
                    Across::Split => ("split from", &act.from_sheet),
                    Across::Joined => ("joined into", &act.sheet),
                    Across::Moved => ("moved from", &act.from_sheet),
                    Across::Copied => ("copied from", &act.from_sheet),
                };
                said.push(format!("{verb} {}", crate::styles::visible_name(sheet)));
            }
            DiffOp::SheetAdded { cells, .. } => {
                said.push(format!("added, {}", some(cells.len(), "cell", "cells")));
            }
            DiffOp::SheetRemoved { cells, .. } => {
                said.push(format!("removed, {}", some(cells.len(), "cell", "cells")));
            }
            DiffOp::SheetRenamed { from, .. } => {
                said.push(format!(
                    "renamed from {}",
                    crate::styles::visible_name(from)
                ));
            }
            DiffOp::SheetMoved {
                from_position,
                position,
                ..
            } => said.push(format!(
                "moved from place {} to {}",
                nth(*from_position),
                nth(*position)
            )),
            DiffOp::SheetVisibility { from, to, .. } => {
                let shown = super::text::shown;
                said.push(format!("{}, was {}", shown(*to), shown(*from)));
            }
            _ => {}
        }
    }
    if let PageKind::Both(sheet) = page.kind {
        if page.ops.iter().all(|op| op.is_about_the_sheet()) {
            said.push("unchanged".to_owned());
        } else {
            let (was, is) = (
                format!("{} × {}", sheet.old_rows, sheet.old_cols),
                format!("{} × {}", sheet.new_rows, sheet.new_cols),
            );
            let extent = if was == is {
                was
            } else {
                format!("{was} → {is}")
            };
            said.insert(0, extent);
            if !sheet.keyed_by.is_empty() {
                said.push(format!("rows matched by {}", sheet.keyed_by.join(", ")));
            }
        }
    }
    said.join(", ")
}

/// `by E, B descending (12 rows moved in 5 blocks)`, in two parts.
pub(super) fn sort(page: &Page<'_>) -> Option<(String, String)> {
    let PageKind::Both(sheet) = page.kind else {
        return None;
    };
    if sheet.sorted_by.is_empty() {
        return None;
    }
    let moves: Vec<u32> = row_moves(page)
        .map(|op| match op {
            DiffOp::BlockMovedRows { row_count, .. } => *row_count,
            _ => 0,
        })
        .collect();
    let by: Vec<String> = sheet.sorted_by.iter().map(|key| sort_key(key)).collect();
    let rows = moves.iter().sum::<u32>() as usize;
    let more = format!(
        "({} in {})",
        some(rows, "row moved", "rows moved"),
        some(moves.len(), "block", "blocks")
    );
    Some((format!("by {}", by.join(", ")), more))
}

/// `-E` is column E, counting down.
fn sort_key(key: &str) -> String {
    match key.strip_prefix('-') {
        Some(column) => format!("{} descending", crate::styles::visible_name(column)),
        None => crate::styles::visible_name(key),
    }
}
