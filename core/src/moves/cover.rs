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
    blocks: [Stretches<Covered>; 2],
    /// The candidates by where they start and end on the old side.
    starts: Stretches<(u32, u32)>,
    ends: Stretches<(u32, u32)>,
}

/// Elements per stretch: few enough to scan, and enough that a long block
/// overlaps few stretches.
const STRETCH: u32 = 16;

/// Items by stretches of a side.
struct Stretches<T> {
    /// For each stretch, where its items start; the last entry is their number.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Stretches<T> {
    /// Sorts items, with their stretches, for a side of `len` elements.
    fn new(len: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0; len / STRETCH as usize + 3];
        for (stretch, _) in items.clone() {
            starts[stretch as usize + 2] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let Some((_, any)) = items.clone().next() else {
            return Self {
                starts,
                items: Vec::new(),
            };
        };
        let mut sorted = vec![any; starts[starts.len() - 1] as usize];
        for (stretch, item) in items {
            let at = &mut starts[stretch as usize + 1];
            sorted[*at as usize] = item;
            *at += 1;
        }
        Self {
            starts,
            items: sorted,
        }
    }

    /// The items of all stretches that a range of elements, with its end, touches.
    fn of(&self, first: u32, last: u32) -> &[T] {
        let most = self.starts.len() - 2;
        let [first, last] = [first, last].map(|at| ((at / STRETCH) as usize).min(most));
        &self.items[self.starts[first] as usize..self.starts[last + 1] as usize]
    }
}

/// A block of a candidate that overlaps a stretch.
#[derive(Clone, Copy)]
struct Covered {
    start: u32,
    end: u32,
    id: u32,
}

impl Cover {
    pub(super) fn new<'c, P: Problem + ?Sized>(
        work: &Work<'_, P>,
        chains: impl Iterator<Item = &'c Chain> + Clone,
    ) -> Self {
        let numbered = || (0..).zip(chains.clone());
        let blocks = [OLD, NEW].map(|side| {
            let blocks = numbered().flat_map(|(id, chain)| {
                let blocks = chain.blocks.iter();
                blocks.map(move |block| (id, [block.old, block.new][side], block.len))
            });
            let covered = blocks.flat_map(|(id, start, len)| {
                let end = start + len;
                let stretches = start / STRETCH..=(end - 1) / STRETCH;
                stretches.map(move |stretch| (stretch, Covered { start, end, id }))
            });
            Stretches::new(work.tokens[side].len(), covered)
        });
        let by = |place: fn(Range<u32>) -> u32| {
            let places = numbered().map(move |(id, chain)| (place(chain.range(OLD)), id));
            let items = places.map(|item| (item.0 / STRETCH, item));
            Stretches::new(work.tokens[OLD].len(), items)
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

    /// Candidates that start directly after a range of the old side, or end
    /// directly before it.
    pub(super) fn beside(&self, range: &Range<u32>, gap: u32) -> Vec<u32> {
        let within = |places: &Stretches<(u32, u32)>, from: u32, to: u32, out: &mut Vec<u32>| {
            let near = places.of(from, to).iter();
            let near = near.filter(|(place, _)| (from..=to).contains(place));
            out.extend(near.map(|&(_, id)| id));
        };
        let mut ids = Vec::new();
        let (start, end) = (range.start, range.end);
        within(&self.starts, end, end.saturating_add(gap), &mut ids);
        within(&self.ends, start.saturating_sub(gap), start, &mut ids);
        ids
    }
}
