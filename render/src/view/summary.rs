//! Sentences that sum up the changes and moves of a line report.

use super::Sum;
use crate::effective::grouped;
use crate::styles::indented;
use mvdiff_text::{Change, MoveKind, MovedBlock, Stats};
use std::fmt::Write as _;

/// How much of a block is unchanged.
pub(crate) fn survived(block: &MovedBlock) -> String {
    let size = count(block.original_line_start, block.original_line_end);
    let inner = || block.changes.iter();
    let changed = total(inner().map(|c| length(c.original)));
    let mut text = match (size, changed) {
        (1, 0) => "unchanged".to_owned(),
        (_, 0) => format!("{size} lines unchanged"),
        _ => {
            let same = size.saturating_sub(changed);
            format!("{same} of {size} lines unchanged")
        }
    };
    let new: usize = inner()
        .map(|c| c.text.len().saturating_sub(c.pairs.len()))
        .sum();
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
    let inside = total(moves.iter().flat_map(|m| &m.changes).map(lines_of));
    let left = total(changes.into_iter().map(lines_of)).saturating_add(inside);
    let ends = |m: &&MovedBlock| {
        let old = count(m.original_line_start, m.original_line_end);
        old.saturating_add(count(m.modified_line_start, m.modified_line_end))
    };
    let only_moved = total(moves.iter().map(ends)).saturating_sub(inside);
    Sum {
        changed: only_moved.saturating_add(left),
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
    length(change.original).saturating_add(length(change.modified))
}

// A report may be a stranger's, and say anything: its numbers are added with care.

fn length([start, end]: [u32; 2]) -> u32 {
    end.saturating_sub(start)
}

fn count(first: u32, last: u32) -> u32 {
    last.saturating_sub(first).saturating_add(1)
}

fn total(numbers: impl Iterator<Item = u32>) -> u32 {
    numbers.fold(0, u32::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_stranger_do_not_overflow() {
        let change = Change {
            original: [9, 2],
            modified: [0, u32::MAX],
            inner: Vec::new(),
            text: Vec::new(),
            pairs: vec![(1, 1)],
        };
        let block = |first, last| MovedBlock {
            id: 1,
            kind: MoveKind::Move,
            original_line_start: first,
            original_line_end: last,
            modified_line_start: last,
            modified_line_end: first,
            similarity: 1.0,
            confidence: 1.0,
            indent: None,
            twins: Vec::new(),
            changes: vec![change.clone(), change.clone()],
            ignored: Vec::new(),
        };
        for block in [block(7, 3), block(0, u32::MAX)] {
            assert!(survived(&block).contains("unchanged"));
            let sum = sum([&change, &change], &[&block]);
            assert_eq!((sum.left, sum.changed), (u32::MAX, u32::MAX));
        }
    }
}
