//! Where leftovers and candidates lie: their gaps, and what covers an element.

use super::candidates::Chain;
use crate::Problem;
use crate::align::NONE;
use crate::work::{Leftover, NEW, OLD, Work};
use std::ops::Range;

/// The gaps between kept elements that leftovers lie in.
pub(super) struct Gaps {
    /// For each element, its gap, or [`NONE`].
    of: [Vec<u32>; 2],
}

impl Gaps {
    pub(super) fn new<P: Problem + ?Sized>(work: &Work<'_, P>, left: &[Vec<Leftover>; 2]) -> Self {
        let of = [OLD, NEW].map(|side| {
            let mut of = vec![NONE; work.tokens[side].len()];
            for leftover in &left[side] {
                of[leftover.index as usize] = leftover.gap;
            }
            of
        });
        Self { of }
    }

    pub(super) fn of(&self, side: usize, index: u32) -> Option<u32> {
        Some(self.of[side][index as usize]).filter(|&gap| gap != NONE)
    }

    /// The gap that both sides of a chain lie in, if they share one.
    pub(super) fn shared(&self, chain: &Chain) -> Option<u32> {
        let first = chain.blocks[0];
        let old = self.of(OLD, first.old)?;
        (self.of(NEW, first.new)? == old).then_some(old)
    }
}

/// An index of candidates by position.
pub(super) struct Cover {
    /// The blocks of candidates by the stretches that they overlap.
    blocks: [Stretches; 2],
    /// The new sides of candidates by where they start and end on the old side.
    starts: Stretches,
    ends: Stretches,
}

/// Parts of candidates by stretches of a side, of `1 << shift` elements each.
struct Stretches {
    shift: u32,
    /// For each stretch, where its parts start; the last entry is their number.
    starts: Vec<u32>,
    parts: Vec<Covered>,
}

impl Stretches {
    /// Sorts parts by their stretches, for a side of `len` elements.
    fn new(len: usize, shift: u32, parts: impl Iterator<Item = (u32, Covered)> + Clone) -> Self {
        let mut starts = vec![0; (len >> shift) + 3];
        for (stretch, _) in parts.clone() {
            starts[stretch as usize + 2] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut sorted = vec![Covered::default(); starts[starts.len() - 1] as usize];
        for (stretch, part) in parts {
            let at = &mut starts[stretch as usize + 1];
            sorted[*at as usize] = part;
            *at += 1;
        }
        Self {
            shift,
            starts,
            parts: sorted,
        }
    }

    /// The parts in all stretches from one element to another.
    fn of(&self, first: u32, last: u32) -> &[Covered] {
        let most = self.starts.len() - 2;
        let [first, last] = [first, last].map(|at| ((at >> self.shift) as usize).min(most));
        &self.parts[self.starts[first] as usize..self.starts[last + 1] as usize]
    }
}

/// Elements of a candidate.
#[derive(Clone, Copy, Default)]
struct Covered {
    start: u32,
    end: u32,
    id: u32,
    /// Where it starts or ends on the old side.
    at: u32,
}

impl Cover {
    pub(super) fn new<'c, P: Problem + ?Sized>(
        work: &Work<'_, P>,
        chains: &(impl ExactSizeIterator<Item = &'c Chain> + Clone),
    ) -> Self {
        // About one candidate a stretch: few to scan, and few stretches.
        let len = work.tokens[OLD].len().max(work.tokens[NEW].len());
        let shift = (len / chains.len().max(1)).max(1).ilog2();
        let numbered = || (0..).zip(chains.clone());
        let blocks = [OLD, NEW].map(|side| {
            let blocks = numbered().flat_map(|(id, chain)| {
                let blocks = chain.blocks.iter();
                blocks.map(move |block| (id, [block.old, block.new][side], block.len))
            });
            let covered = blocks.flat_map(|(id, start, len)| {
                let end = start + len;
                let at = start;
                let stretches = start >> shift..=(end - 1) >> shift;
                stretches.map(move |stretch| (stretch, Covered { start, end, id, at }))
            });
            Stretches::new(work.tokens[side].len(), shift, covered)
        });
        let by = |place: fn(Range<u32>) -> u32| {
            let places = numbered().map(move |(id, chain)| {
                let Range { start, end } = chain.range(NEW);
                let at = place(chain.range(OLD));
                (at >> shift, Covered { start, end, id, at })
            });
            Stretches::new(work.tokens[OLD].len(), shift, places)
        };
        Self {
            blocks,
            starts: by(|range| range.start),
            ends: by(|range| range.end),
        }
    }

    /// Candidates that contain the middle element of a chain: all that share more
    /// than half of it, and few others.
    pub(super) fn around(&self, side: usize, chain: &Chain) -> impl Iterator<Item = u32> {
        let half = chain.len() as usize / 2;
        let middle = chain.elements(side).nth(half).unwrap_or_default();
        self.of(side, middle)
    }

    /// Candidates that contain an element.
    pub(super) fn of(&self, side: usize, element: u32) -> impl Iterator<Item = u32> {
        let here = self.blocks[side].of(element, element).iter();
        here.filter(move |block| (block.start..block.end).contains(&element))
            .map(|block| block.id)
    }

    /// Candidates that start directly after a candidate on both sides, or end
    /// directly before it.
    pub(super) fn beside(
        &self,
        (old, new): &(Range<u32>, Range<u32>),
        gap: u32,
    ) -> impl Iterator<Item = u32> {
        let (start, end) = (new.start, new.end);
        let after = old.end..=old.end.saturating_add(gap);
        let behind = self.starts.of(*after.start(), *after.end()).iter();
        let behind =
            behind.filter(move |c| after.contains(&c.at) && c.start >= end && c.start - end <= gap);
        let ahead = old.start.saturating_sub(gap)..=old.start;
        let before = self.ends.of(*ahead.start(), *ahead.end()).iter();
        let before =
            before.filter(move |c| ahead.contains(&c.at) && c.end <= start && start - c.end <= gap);
        behind.chain(before).map(|candidate| candidate.id)
    }
}
