//! Sentences that sum up the changes and moves of a line report.

use super::Sum;
use crate::effective::grouped;
use crate::styles::indented;
use mvdiff_text::{Change, MoveKind, MovedBlock, Stats};
use std::fmt::Write as _;

/// How much of a block is unchanged.
pub(crate) fn survived(block: &MovedBlock) -> String {
    let size = block.original_line_end - block.original_line_start + 1;
    let inner = || block.changes.iter();
    let changed: u32 = inner().map(|c| c.original[1] - c.original[0]).sum();
    let mut text = match (size, changed) {
        (1, 0) => "unchanged".to_owned(),
        (_, 0) => format!("{size} lines unchanged"),
        _ => format!("{} of {size} lines unchanged", size - changed),
    };
    let new: usize = inner().map(|c| c.text.len() - c.pairs.len()).sum();
    if new > 0 {
        let _ = write!(text, ", {new} new");
    }
    if let Some(shift) = &block.indent {
        let _ = write!(text, ", {}", indented(shift));
    }
    text
}

/// How many lines changed, and how many of them are left to read.
pub(crate) fn sum<'c>(changes: impl IntoIterator<Item = &'c Change>, moves: &[&MovedBlock]) -> Sum {
    let inside: u32 = moves.iter().flat_map(|m| &m.changes).map(lines_of).sum();
    let left = changes.into_iter().map(lines_of).sum::<u32>() + inside;
    let ends = |m: &&MovedBlock| {
        m.original_line_end - m.original_line_start + m.modified_line_end - m.modified_line_start
            + 2
    };
    let only_moved = moves.iter().map(ends).sum::<u32>() - inside;
    Sum {
        changed: only_moved + left,
        left,
    }
}

/// The sentence that sums a comparison up.
pub(crate) fn summary(stats: &Stats, sum: Sum, moves: &[&MovedBlock]) -> String {
    if moves.is_empty() {
        return format!(
            "{} added, {} deleted, {} edited.",
            grouped(stats.additions),
            grouped(stats.deletions),
            grouped(stats.modified)
        );
    }
    let Sum { changed, left } = sum;
    let indents = moves.iter().filter(|m| m.kind == MoveKind::Indent).count();
    let count = |n: usize, one: &str, more: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{n} {more}"),
    };
    let gone = count(moves.len() - indents, "move", "moves");
    let indented = count(indents, "block indented", "blocks indented");
    let (found, how) = match (moves.len() - indents, indents) {
        (_, 0) => (gone, "moved"),
        (0, _) => (indented, "shifted"),
        _ => (format!("{gone}, {indented}"), "moved or shifted"),
    };
    format!(
        "{found}. {} of {} changed lines only {how}; {} left to read.",
        grouped(changed - left),
        grouped(changed),
        grouped(left)
    )
}

/// Lines of a change that a reader has to read.
fn lines_of(change: &Change) -> u32 {
    change.original[1] - change.original[0] + change.modified[1] - change.modified[0]
}
