//! Similarity of the two sides of a draft.

use super::MoveCandidate;
use crate::Problem;
use crate::align::Block;
use crate::work::{NEW, OLD, Work};
use std::ops::Range;

/// Weight of an uninformative element: a move with one inserted is still not
/// exact.
pub(super) const LEAST: f32 = 0.01;

pub(super) fn pairs(blocks: &[Block]) -> impl Iterator<Item = (u32, u32)> {
    blocks
        .iter()
        .flat_map(|b| (b.old..b.old_end()).zip(b.new..b.new_end()))
}

/// Surviving and total weight of a stretch of a draft.
#[derive(Clone, Copy, Default)]
pub(super) struct Share {
    pub survived: f32,
    pub whole: f32,
}

impl Share {
    pub(super) fn ratio(self) -> f32 {
        if self.whole > 0.0 {
            self.survived / self.whole
        } else {
            1.0
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            survived: self.survived + other.survived,
            whole: self.whole + other.whole,
        }
    }
}

pub(super) fn of_pair<P: Problem + ?Sized>(work: &Work<'_, P>, old: u32, new: u32) -> Share {
    if work.exact(old, new) {
        let whole = 2.0 * work.weight(OLD, old).max(LEAST);
        return Share {
            survived: whole,
            whole,
        };
    }
    let whole = work.weight(OLD, old).max(LEAST) + work.weight(NEW, new).max(LEAST);
    Share {
        survived: whole * work.similarity(old, new),
        whole,
    }
}

pub(super) fn all_exact<P: Problem + ?Sized>(work: &Work<'_, P>, block: Block) -> bool {
    let old = &work.tokens[OLD][block.old as usize..block.old_end() as usize];
    old == &work.tokens[NEW][block.new as usize..block.new_end() as usize]
}

/// Exact blocks longer than this are weighed by a sample.
const WEIGHED: u32 = 4;

/// The elements that represent a block: all of a short one, evenly spaced ones of
/// a long one.
pub(super) fn sample(block: Block) -> impl Iterator<Item = u32> + Clone {
    let step = block.len.div_ceil(WEIGHED).max(1);
    (step / 2..block.len).step_by(step as usize)
}

pub(super) fn of_block<P: Problem + ?Sized>(work: &Work<'_, P>, block: Block) -> Share {
    let of = |i: u32| of_pair(work, block.old + i, block.new + i);
    if block.len <= WEIGHED || !all_exact(work, block) {
        return (0..block.len).map(of).fold(Share::default(), Share::plus);
    }
    let share = sample(block).map(of).fold(Share::default(), Share::plus);
    let scale = block.len as f32 / sample(block).count() as f32;
    Share {
        survived: share.survived * scale,
        whole: share.whole * scale,
    }
}

/// The unpaired elements between two stretches of a draft.
pub(super) fn of_gap<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    old: Range<u32>,
    new: Range<u32>,
) -> Share {
    let unmatched = |side: usize, range: Range<u32>| -> f32 {
        range
            .filter(|&i| work.is_unpaired(side, i))
            .map(|i| work.weight(side, i).max(LEAST))
            .sum()
    };
    Share {
        survived: 0.0,
        whole: unmatched(OLD, old) + unmatched(NEW, new),
    }
}

/// The share of a draft's weight that survives in place; 1.0 only when exact.
pub(super) fn similarity<P: Problem + ?Sized>(work: &Work<'_, P>, draft: &MoveCandidate) -> f32 {
    if let [block] = draft.blocks[..]
        && all_exact(work, block)
    {
        return 1.0;
    }
    let paired = draft
        .blocks
        .iter()
        .map(|&b| of_block(work, b))
        .fold(Share::default(), Share::plus);
    let gaps = draft
        .blocks
        .windows(2)
        .map(|w| of_gap(work, w[0].old_end()..w[1].old, w[0].new_end()..w[1].new));
    gaps.fold(paired, Share::plus).ratio().min(1.0)
}
