//! Copies: inserted elements that are still in old, or deleted ones still in new.

use super::candidates::blocks;
use super::leftovers::Leftovers;
use crate::align::{Block, NONE, push};
use crate::positions::PositionMap;
use crate::work::{Leftover, NEW, OLD, Work};
use crate::{Copied, Problem, Strategy};

/// How informative a copy must be, as a multiple of the cost of reporting a move:
/// new text often resembles old text.
const COPY: f32 = 3.0;

/// Finds leftovers of one side that have an equal on the other: copies among the
/// inserted elements (`NEW`), merges among the deleted ones (`OLD`). Nothing on
/// the other side is consumed: several copies may share a source, and a source
/// may itself have moved.
pub(crate) fn find<P: Problem + ?Sized>(work: &mut Work<'_, P>, side: usize) -> Vec<Copied> {
    let mut left = work.leftovers();
    if left[side].is_empty() {
        return Vec::new();
    }
    work.outcome.ran(Strategy::Copies);
    let whole = 0..work.tokens[1 - side].len() as u32;
    left[1 - side] = whole.map(|index| Leftover { index, gap: NONE }).collect();
    let leftovers = Leftovers::new(work, &left);
    let mut found: Vec<Block> = blocks(work, &leftovers);
    found.sort_unstable_by_key(|b| (b.new, b.old));
    let mut taken = vec![false; work.tokens[side].len()];
    let mut copies = Vec::new();
    for chain in chains(work, &found, side) {
        let mut runs: Vec<Block> = Vec::new();
        for (old, new) in chain
            .iter()
            .flat_map(|b| (0..b.len).map(move |i| (b.old + i, b.new + i)))
        {
            // A merged block goes to a place that something else occupies.
            let is_there = side == NEW || !work.is_unpaired(NEW, new);
            if is_there && !taken[[old, new][side] as usize] {
                push(&mut runs, Block { old, new, len: 1 });
            }
        }
        let whole = |copy: &Copied| side == NEW || is_whole_run(work, side, &copy.old);
        if let Some(copy) = weigh(work, &runs, side).filter(whole) {
            let own = own_range(&copy, side);
            taken[own.start as usize..own.end as usize].fill(true);
            copies.push(copy);
        }
    }
    copies.sort_by_key(|copy| own_range(copy, side).start);
    copies
}

/// Whether no informative unmatched element is adjacent to a range: a deleted block
/// that only partly resembles another was deleted, not merged.
fn is_whole_run<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    side: usize,
    range: &std::ops::Range<u32>,
) -> bool {
    let went = |index: u32| work.is_free(side, index) && work.weight(side, index) > 0.0;
    let before = range.start.checked_sub(1);
    let before = before.filter(|&index| work.touches(side, index) && went(index));
    let behind = work.touches(side, range.end - 1) && went(range.end);
    before.is_none() && !behind
}

/// The range that a copy explains.
fn own_range(copy: &Copied, side: usize) -> std::ops::Range<u32> {
    [&copy.old, &copy.new][side].clone()
}

/// The elements of a block on one side.
fn elements(block: &Block, side: usize) -> std::ops::Range<u32> {
    [block.old..block.old_end(), block.new..block.new_end()][side].clone()
}

/// Blocks that continue each other across small gaps, heaviest chain first. A
/// block may be in several chains.
fn chains<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    blocks: &[Block],
    side: usize,
) -> Vec<Vec<Block>> {
    let gap = work.gap();
    let mut ending_at: PositionMap<u32, Vec<usize>> = PositionMap::default();
    let mut best: Vec<(f32, Option<usize>)> = Vec::with_capacity(blocks.len());
    for (b, block) in blocks.iter().enumerate() {
        let own: f32 = elements(block, side).map(|i| work.weight(side, i)).sum();
        let before = (0..=gap)
            .filter_map(|back| ending_at.get(&block.new.checked_sub(back)?))
            .flatten()
            .filter(|&&e| {
                let end = blocks[e].old_end();
                block.old >= end
                    && block.old - end <= gap
                    && work.segment(OLD, block.old) == work.segment(OLD, end - 1)
                    && work.segment(NEW, block.new) == work.segment(NEW, blocks[e].new)
            })
            .max_by(|&&a, &&b| best[a].0.total_cmp(&best[b].0).then(b.cmp(&a)));
        let base = before.map_or(0.0, |&e| best[e].0);
        best.push((base + own, before.copied()));
        ending_at.entry(block.new_end()).or_default().push(b);
    }
    let mut ends: Vec<usize> = (0..blocks.len()).collect();
    ends.sort_by(|&a, &b| best[b].0.total_cmp(&best[a].0).then(a.cmp(&b)));
    let chain = |end: usize| {
        let back = std::iter::successors(Some(end), |&b| best[b].1);
        let mut chain: Vec<Block> = back.map(|b| blocks[b]).collect();
        chain.reverse();
        chain
    };
    ends.into_iter().map(chain).collect()
}

/// The copy made of these runs, if it is informative and similar enough.
fn weigh<P: Problem + ?Sized>(work: &Work<'_, P>, runs: &[Block], side: usize) -> Option<Copied> {
    let (first, last) = (runs.first()?, runs.last()?);
    let weight = |i: u32| work.weight(side, i);
    let equal: f32 = runs
        .iter()
        .flat_map(|b| elements(b, side))
        .map(weight)
        .sum();
    let mut copy = Copied {
        old: first.old..last.old_end(),
        new: first.new..last.new_end(),
        runs: runs.iter().map(|b| (b.old, b.new, b.len)).collect(),
        similarity: 0.0,
    };
    let whole: f32 = own_range(&copy, side)
        .filter(|&i| work.is_free(side, i))
        .map(weight)
        .sum();
    let bar = COPY * work.options.announce;
    if whole > 0.0 {
        copy.similarity = (equal / whole).min(1.0);
    }
    // Edited lines count as lost here, so the bar is lower than for a move.
    (equal >= bar && copy.similarity >= work.options.threshold * 0.75).then_some(copy)
}
