//! Moved blocks, on a terminal, with the edits inside.

use super::counts::some;
use super::edits::{self, Edit};
use super::lines::{area, rows, span};
use super::pages::Page;
use super::summary;
use super::terminal::{MOVE, line};
use super::value::{readable, shorten};
use crate::styles::{FAINT, MOVED, OLD};
use mvdiff_grid::{Address, DiffOp};
use std::io::{self, Write};
use std::ops::Range;

/// `(4 rows, 31 of 32 cells unchanged)`
pub(super) fn unchanged(size: &str, cells: u32, similarity: f32) -> String {
    if similarity >= 1.0 {
        return format!("({size}, unchanged)");
    }
    let cells_left = (f64::from(similarity) * f64::from(cells)).round();
    let left = (cells_left as u32).min(cells.saturating_sub(1));
    format!("({size}, {left} of {cells} cells unchanged)")
}

pub(super) fn row_moves<'p, 'r>(
    page: &'p Page<'r>,
) -> impl Iterator<Item = &'r DiffOp> + use<'p, 'r> {
    let is = |op: &&DiffOp| matches!(op, DiffOp::BlockMovedRows { .. });
    page.rest.iter().copied().filter(is)
}

/// Moves that are listed; more are counted.
const MOVES: usize = 50;
/// Edits inside one moved block that are listed below it.
const INSIDE: usize = 20;

/// Moved blocks, each with the edits inside; returns which of the page's edits are
/// shown here.
pub(super) fn print_moves(out: &mut dyn Write, page: &Page<'_>) -> io::Result<Vec<bool>> {
    let edits = edits::of(page);
    let mut told = vec![false; edits.len()];
    let sorted = summary::sort(page);
    if let Some((what, more)) = &sorted {
        line(out, ("sorted", MOVED), what, more)?;
    }
    let sorted = sorted.is_some();
    let mut left_out = 0;
    let mut listed = 0;
    for op in &page.rest {
        let Some(block) = MovedCells::of(op).filter(|block| !(sorted && block.whole_rows)) else {
            continue;
        };
        if listed == MOVES {
            left_out += 1;
            continue;
        }
        listed += 1;
        line(out, MOVE, &block.what, &block.more)?;
        let (covered, inside): (Vec<usize>, Vec<usize>) = (0..edits.len())
            .filter(|&i| !told[i] && block.contains(edits[i].at))
            .partition(|&i| block.covers(&edits[i]));
        if !covered.is_empty() {
            let cells: Vec<Edit<'_>> = covered.iter().map(|&i| edits[i]).collect();
            print_covered(out, &cells)?;
            for i in covered {
                told[i] = true;
            }
        }
        if inside.len() > INSIDE {
            continue;
        }
        let below: Vec<Edit<'_>> = inside.iter().map(|&i| edits[i]).collect();
        let width = edits::width(&below);
        for (i, edit) in inside.iter().zip(&below) {
            told[*i] = true;
            edit.print(out, width)?;
        }
    }
    if left_out > 0 {
        let more = some(left_out, "more move", "more moves");
        writeln!(
            out,
            "           {FAINT}… {more}; --format text lists them all{FAINT:#}"
        )?;
    }
    Ok(told)
}

/// A moved block of rows, or a rectangle, in words.
struct MovedCells {
    what: String,
    more: String,
    whole_rows: bool,
    rows: Range<u32>,
    cols: Range<u32>,
    /// Rows and columns that a rectangle came from.
    from: Option<(Range<u32>, Range<u32>)>,
}

impl MovedCells {
    fn of(op: &DiffOp) -> Option<Self> {
        match op {
            DiffOp::BlockMovedRows {
                src_start_row,
                row_count,
                dst_start_row,
                similarity,
                cell_count,
                ..
            } => {
                let noun = if *row_count == 1 { "row" } else { "rows" };
                let (from, to) = (
                    rows(*src_start_row, *row_count),
                    rows(*dst_start_row, *row_count),
                );
                let size = some(*row_count as usize, "row", "rows");
                Some(Self {
                    what: format!("{noun} {from} → {to}"),
                    more: unchanged(&size, *cell_count, *similarity),
                    whole_rows: true,
                    rows: span(*dst_start_row, *row_count),
                    cols: 0..u32::MAX,
                    from: None,
                })
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
                let (from, to) = (
                    area(*src_start_row, *row_count, *src_start_col, *col_count),
                    area(*dst_start_row, *row_count, *dst_start_col, *col_count),
                );
                let size = format!("{row_count} × {col_count} cells");
                Some(Self {
                    what: format!("{from} → {to}"),
                    more: unchanged(&size, *cell_count, *similarity),
                    whole_rows: false,
                    rows: span(*dst_start_row, *row_count),
                    cols: span(*dst_start_col, *col_count),
                    from: Some((
                        span(*src_start_row, *row_count),
                        span(*src_start_col, *col_count),
                    )),
                })
            }
            _ => None,
        }
    }

    fn contains(&self, at: Address) -> bool {
        self.rows.contains(&at.row) && self.cols.contains(&at.col)
    }

    /// Whether the edit is only a cell that the block covered: the cell in its place came
    /// with the block, and the former one is gone.
    fn covers(&self, edit: &Edit<'_>) -> bool {
        let from_elsewhere = |(rows, cols): &(Range<u32>, Range<u32>)| {
            !(rows.contains(&edit.was.row) && cols.contains(&edit.was.col))
        };
        self.contains(edit.at) && self.from.as_ref().is_some_and(from_elsewhere)
    }
}

/// How many edits of a page are only cells that a moved rectangle covered.
pub(super) fn covered(page: &Page<'_>) -> usize {
    let blocks = page.rest.iter().filter_map(|op| MovedCells::of(op));
    let rects: Vec<MovedCells> = blocks.filter(|block| block.from.is_some()).collect();
    let edits = page.rest.iter().filter_map(|op| Edit::of(op));
    edits
        .filter(|edit| rects.iter().any(|rect| rect.covers(edit)))
        .count()
}

/// Values that are shown of those that a rectangle covered.
const COVERED: usize = 3;

fn print_covered(out: &mut dyn Write, cells: &[Edit<'_>]) -> io::Result<()> {
    let shown = cells.iter().take(COVERED);
    let shown: Vec<String> = shown.map(|e| shorten(&readable(e.from), 20)).collect();
    let more = if cells.len() > COVERED { ", …" } else { "" };
    let what = format!(
        "{} that held {}{more}",
        some(cells.len(), "cell", "cells"),
        shown.join(", ")
    );
    line(out, ("over", OLD.1), &what, "")
}
