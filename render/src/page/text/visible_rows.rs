//! Which rows are on the page: shown, folded, or left out where it would grow too
//! large.

use super::rows::{Rows, data};
use crate::view::{FileView, Row, State, Stretch, fold};
use std::fmt::Write as _;
use std::ops::Range;

/// Rows in one table: what is left out is left out in such pieces, and a browser lays a
/// large page out in them while one scrolls, each in less time than a frame has.
pub(super) const CHUNK: usize = 100;
/// Pages with more rows than this that are not folded are laid out in groups.
const MANY: usize = 2_000;
/// Folds of fewer rows would take as much room as they save.
const LEAST: usize = 4;
/// What a piece needs in addition to its rows: its group, and its style.
const AROUND: usize = 80;
/// What it takes to say that something was left out.
const SENTENCE: usize = 400;

/// Rows of a file that follow each other and fare alike.
pub(super) struct Piece {
    /// The view and the file in it.
    pub view: usize,
    pub file: usize,
    pub rows: Range<usize>,
    pub kind: PieceKind,
    pub is_left_out: bool,
    /// The group it is laid out with, if the page has groups.
    pub group: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// Something happened here, or near by.
    Shown,
    /// Unchanged, and folded.
    Folded,
    /// Lines that only moved, and folded.
    Moved,
    /// Unchanged, and not at hand.
    Unknown,
}

/// Cuts all files into pieces.
pub(super) fn pieces(views: &[Rows<'_, '_>], context: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (view, rows) in views.iter().enumerate() {
        for (file, content) in rows.view.files.iter().enumerate() {
            for (kind, range) in cut(content, context) {
                pieces.push(Piece {
                    view,
                    file,
                    rows: range,
                    kind,
                    is_left_out: false,
                    group: None,
                });
            }
        }
    }
    pieces
}

fn cut(file: &FileView<'_>, context: usize) -> Vec<(PieceKind, Range<usize>)> {
    let is_known = |row: &Row<'_>| matches!(row, Row::Lines { .. });
    let mut cut = Vec::new();
    for stretch in fold(&file.rows, context) {
        let (kind, range) = match stretch {
            Stretch::Shown(range) => (PieceKind::Shown, range),
            Stretch::Folded(range) if range.len() < LEAST => (PieceKind::Shown, range),
            Stretch::Folded(range) => (PieceKind::Folded, range),
        };
        let mut start = range.start;
        let runs = file.rows[range].chunk_by(|a, b| is_known(a) == is_known(b));
        for run in runs {
            let end = start + run.len();
            match (is_known(&run[0]), kind) {
                (false, _) => cut.push((PieceKind::Unknown, start..end)),
                (true, PieceKind::Shown) => {
                    for (kind, range) in without_moved(&file.rows, start..end) {
                        if kind == PieceKind::Moved {
                            cut.push((kind, range));
                            continue;
                        }
                        let starts = range.clone().step_by(CHUNK);
                        cut.extend(starts.map(|at| (kind, at..(at + CHUNK).min(range.end))));
                    }
                }
                (true, _) => cut.push((kind, start..end)),
            }
            start = end;
        }
    }
    cut
}

/// Rows that are shown, without the inside of runs that only moved: how such a run
/// begins and ends is enough to know it.
fn without_moved(rows: &[Row<'_>], range: Range<usize>) -> Vec<(PieceKind, Range<usize>)> {
    const FIRST: usize = 3;
    const LAST: usize = 1;
    let only_moved = |row: &Row<'_>| {
        let Row::Lines { old, new } = row else {
            return None;
        };
        let mut lines = [old, new].into_iter().flatten();
        let is_same = lines.clone().all(|line| line.state == State::Same);
        let block = lines.find_map(|line| line.block);
        block.filter(|_| is_same)
    };
    let mut pieces: Vec<(PieceKind, Range<usize>)> = Vec::new();
    let show = |pieces: &mut Vec<(PieceKind, Range<usize>)>, range: Range<usize>| match pieces
        .last_mut()
    {
        _ if range.is_empty() => {}
        Some((PieceKind::Shown, last)) => last.end = range.end,
        _ => pieces.push((PieceKind::Shown, range)),
    };
    let mut start = range.start;
    for run in rows[range].chunk_by(|a, b| only_moved(a) == only_moved(b)) {
        let end = start + run.len();
        let inside = start + FIRST..end.saturating_sub(LAST);
        if only_moved(&run[0]).is_some() && inside.len() >= LEAST {
            show(&mut pieces, start..inside.start);
            start = inside.end;
            pieces.push((PieceKind::Moved, inside));
        }
        show(&mut pieces, start..end);
        start = end;
    }
    pieces
}

/// Puts the pieces of a large page into groups: a browser need not lay out those
/// that are far from what is seen. Returns how many lines each is high, more or less.
pub(super) fn group(pieces: &mut [Piece]) -> Vec<usize> {
    let height = |piece: &Piece| match piece.kind {
        PieceKind::Shown if !piece.is_left_out => piece.rows.len(),
        _ => 1,
    };
    let mut heights: Vec<usize> = Vec::new();
    if pieces.iter().map(height).sum::<usize>() <= MANY {
        return heights;
    }
    let mut last = None;
    for piece in pieces {
        let here = (piece.view, piece.file);
        if last != Some(here) || heights.last().is_none_or(|&height| height >= CHUNK) {
            heights.push(0);
            last = Some(here);
        }
        let group = heights.len() - 1;
        heights[group] += height(piece);
        piece.group = Some(group);
    }
    heights
}

/// What did not fit.
#[derive(Default)]
pub(super) struct LeftOut {
    folds: usize,
    folded_lines: usize,
    lines: usize,
}

impl LeftOut {
    /// All of it in a sentence; `None` if nothing was left out.
    pub(super) fn sentence(&self, limit: u64) -> Option<String> {
        let count = |n: usize, one: &str, many: &str| match n {
            1 => format!("1 {one}"),
            n => format!("{n} {many}"),
        };
        let mut parts = Vec::new();
        if self.folds > 0 {
            let lines = count(self.folded_lines, "unchanged line", "unchanged lines");
            let runs = count(self.folds, "folded run", "folded runs");
            parts.push(format!("{runs} ({lines})"));
        }
        if self.lines > 0 {
            let lines = count(self.lines, "row", "rows");
            parts.push(format!("{lines} towards the end, changes among them"));
        }
        (!parts.is_empty()).then(|| {
            format!(
                "left out, so that the page stays below {limit} bytes: {}; --page-limit 0 shows everything",
                parts.join(", and ")
            )
        })
    }
}

/// Leaves out what does not fit: folded runs first, the longest first, then rows
/// from the end. `fixed` is the size of all the rest.
pub(super) fn fit(
    views: &[Rows<'_, '_>],
    pieces: &mut [Piece],
    fixed: usize,
    limit: u64,
) -> LeftOut {
    let mut left = LeftOut::default();
    let sizes: Vec<usize> = pieces.iter().map(|piece| size(views, piece)).collect();
    let mut total = fixed + AROUND * pieces.len() + sizes.iter().sum::<usize>();
    if total as u64 <= limit {
        return left;
    }
    total += SENTENCE;
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    let mut folds = order.clone();
    folds.retain(|&at| matches!(pieces[at].kind, PieceKind::Folded | PieceKind::Moved));
    folds.sort_by_key(|&at| std::cmp::Reverse(sizes[at]));
    order.retain(|&at| pieces[at].kind == PieceKind::Shown);
    order.reverse();
    for at in folds.into_iter().chain(order) {
        if total as u64 <= limit {
            break;
        }
        let piece = &mut pieces[at];
        piece.is_left_out = true;
        let notice = size(views, piece);
        if notice >= sizes[at] {
            piece.is_left_out = false;
            continue;
        }
        total = total - sizes[at] + notice;
        if piece.kind == PieceKind::Shown {
            left.lines += piece.rows.len();
        } else {
            left.folds += 1;
            left.folded_lines += piece.rows.len();
        }
    }
    left
}

fn size(views: &[Rows<'_, '_>], piece: &Piece) -> usize {
    let mut out = String::new();
    write_piece(&mut out, views, piece);
    out.len()
}

/// Writes a piece, or that it was left out.
pub(super) fn write_piece(out: &mut String, views: &[Rows<'_, '_>], piece: &Piece) {
    let rows = &views[piece.view];
    let file = &rows.view.files[piece.file];
    let lines = match piece.rows.len() {
        1 => "1 unchanged line".to_owned(),
        n => format!("{n} unchanged lines"),
    };
    match piece.kind {
        _ if piece.is_left_out => notice(out, rows, piece, &lines),
        PieceKind::Shown => rows.table(out, piece.file, piece.rows.clone()),
        PieceKind::Folded | PieceKind::Moved => {
            if piece.kind == PieceKind::Moved {
                let count = piece.rows.len();
                let _ = write!(
                    out,
                    "<details class=mv><summary>… {count} lines that only moved</summary>"
                );
            } else {
                let _ = write!(out, "<details><summary>… {lines}</summary>");
            }
            let Range { start, end } = piece.rows;
            let mut at = start;
            // Long folds are laid out in groups of one known height.
            while end - at > CHUNK {
                out.push_str("<div class=\"c cf\">");
                rows.table(out, piece.file, at..at + CHUNK);
                out.push_str("</div>");
                at += CHUNK;
            }
            rows.table(out, piece.file, at..end);
            out.push_str("</details>\n");
        }
        PieceKind::Unknown => {
            let unknown = file.rows[piece.rows.clone()].iter().map(|row| match row {
                Row::Unknown { old, new } => old.len().max(new.len()),
                Row::Lines { .. } => 0,
            });
            let lines = match unknown.sum() {
                1 => "1 unchanged line that is".to_owned(),
                n => format!("{n} unchanged lines that are"),
            };
            let _ = writeln!(out, "<p class=u>… {lines} not in the patch</p>");
        }
    }
}

/// In place of rows that are left out; links to moves in them end here.
fn notice(out: &mut String, rows: &Rows<'_, '_>, piece: &Piece, lines: &str) {
    let range = piece.rows.clone();
    let mut blocks: [Vec<usize>; 2] = Default::default();
    let mut anchors = String::new();
    for at in range.clone() {
        let row = &rows.view.files[piece.file].rows[at];
        let here = rows.ends.of_row(piece.file, row);
        for (side, here) in here.into_iter().enumerate() {
            for block in here {
                if rows.ends.begins(block, side, (piece.file, at)) {
                    let id = rows.ends.anchor(block, side);
                    let _ = write!(anchors, "<a id={id}></a>");
                }
                if !blocks[side].contains(&block) {
                    blocks[side].push(block);
                }
            }
        }
    }
    let data = data(&rows.ends, &blocks);
    let what = match piece.kind {
        PieceKind::Shown => format!("{} rows with changes", range.len()),
        _ => lines.to_owned(),
    };
    let _ = writeln!(
        out,
        "<p class=\"u cut\"{data}>{anchors}… {what}, left out to keep the page small</p>"
    );
}
