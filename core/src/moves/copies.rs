//! Inserted elements that still stand in old.

use super::candidates::blocks;
use super::leftovers::Leftovers;
use crate::align::{Block, NONE, push};
use crate::work::{Leftover, NEW, OLD, Work};
use crate::{Copied, Problem, Strategy};
use std::collections::HashMap;

/// How many times the announcement of a move a copy must say: new text that
/// resembles old text is common.
const COPY: f32 = 3.0;

/// Finds copies among what was inserted. Nothing is consumed: several copies
/// may share a source, and a source may itself have moved.
pub(crate) fn find<P: Problem + ?Sized>(work: &mut Work<'_, P>) -> Vec<Copied> {
    let [_, inserted] = work.leftovers();
    if inserted.is_empty() {
        return Vec::new();
    }
    work.outcome.ran(Strategy::Copies);
    let all_old = 0..work.tokens[OLD].len() as u32;
    let standing = all_old.map(|index| Leftover { index, gap: NONE });
    let leftovers = Leftovers::new(work, &[standing.collect(), inserted]);
    let mut found: Vec<Block> = blocks(work, &leftovers);
    found.sort_unstable_by_key(|b| (b.new, b.old));
    let mut taken = vec![false; work.tokens[NEW].len()];
    let mut copies = Vec::new();
    for chain in chains(work, &found) {
        let mut runs: Vec<Block> = Vec::new();
        for pair in chain
            .iter()
            .flat_map(|b| (0..b.len).map(move |i| (b.old + i, b.new + i)))
        {
            if !taken[pair.1 as usize] {
                push(
                    &mut runs,
                    Block {
                        old: pair.0,
                        new: pair.1,
                        len: 1,
                    },
                );
            }
        }
        if let Some(copy) = weigh(work, &runs) {
            taken[copy.new.start as usize..copy.new.end as usize].fill(true);
            copies.push(copy);
        }
    }
    copies.sort_by_key(|copy| copy.new.start);
    copies
}

/// Blocks that continue each other across small gaps, heaviest chain first; a
/// block may be in several.
fn chains<P: Problem + ?Sized>(work: &Work<'_, P>, blocks: &[Block]) -> Vec<Vec<Block>> {
    let gap = work.gap();
    let mut ending_at: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut best: Vec<(f32, Option<usize>)> = Vec::with_capacity(blocks.len());
    for (b, block) in blocks.iter().enumerate() {
        let own: f32 = (block.new..block.new_end())
            .map(|n| work.weight(NEW, n))
            .sum();
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

/// The copy that runs make, if it says enough and is alike enough.
fn weigh<P: Problem + ?Sized>(work: &Work<'_, P>, runs: &[Block]) -> Option<Copied> {
    let (first, last) = (runs.first()?, runs.last()?);
    let weight = |n: u32| work.weight(NEW, n);
    let equal: f32 = runs
        .iter()
        .flat_map(|b| b.new..b.new_end())
        .map(weight)
        .sum();
    let new = first.new..last.new_end();
    let whole: f32 = new
        .clone()
        .filter(|&n| work.is_free(NEW, n))
        .map(weight)
        .sum();
    let bar = COPY * work.options.announce;
    let likeness = if whole > 0.0 {
        (equal / whole).min(1.0)
    } else {
        0.0
    };
    // An edited line counts as lost here, so the bar is lower than a move's.
    (equal >= bar && likeness >= work.options.threshold * 0.75).then(|| Copied {
        old: first.old..last.old_end(),
        new,
        runs: runs.iter().map(|b| (b.old, b.new, b.len)).collect(),
        likeness,
    })
}
