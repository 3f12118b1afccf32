//! Finds moves. Drafts come from exact matches, coarser identity, repeated
//! elements and features, and are then judged.

mod candidates;
mod confidence;
mod copies;
mod cover;
mod demote_unmoved;
mod edges;
mod extend;
mod fuzzy;
mod judge;
mod leftovers;
mod price;
mod release;
mod reseat;
mod select;
mod similarity;

pub(crate) use confidence::{Pool, Verdict};
pub(crate) use copies::find as find_copies;
pub(crate) use price::{NEARBY, strength};

use crate::align::Block;
use crate::work::{Leftover, NEW, OLD, Work};
use crate::{Problem, Side, edits};
use leftovers::Leftovers;
use std::ops::Range;

/// Old and new elements of a candidate.
pub(crate) type Ends = (Range<u32>, Range<u32>);

/// A draft: a candidate move that may still be extended, cut or dismissed. It
/// consists of blocks of pairs, increasing on both sides, in one segment on each
/// side. Pairs need not be equal.
#[derive(Clone, Debug)]
pub(crate) struct MoveCandidate {
    pub blocks: Vec<Block>,
    /// The next best candidate for the same elements, and its score relative to
    /// this one.
    pub runner_up: Option<(Ends, f32)>,
    /// Equal blocks that could have been one of its ends.
    pub twins: Vec<(Side, Range<u32>)>,
    /// Its similarity, once judged.
    pub similarity: Option<f32>,
}

impl MoveCandidate {
    pub(crate) fn old(&self) -> Range<u32> {
        let last = self.blocks[self.blocks.len() - 1];
        self.blocks[0].old..last.old_end()
    }

    pub(crate) fn new_range(&self) -> Range<u32> {
        let last = self.blocks[self.blocks.len() - 1];
        self.blocks[0].new..last.new_end()
    }
}

/// All drafts. In [`Work`], the role of their elements is the number of the
/// draft.
pub(crate) struct MoveCandidates {
    drafts: Vec<Option<MoveCandidate>>,
}

impl MoveCandidates {
    /// Accepts a draft and pairs its elements.
    fn accept<P: Problem + ?Sized>(&mut self, work: &mut Work<'_, P>, draft: MoveCandidate) -> u32 {
        let id = self.drafts.len() as u32;
        for &block in &draft.blocks {
            work.pair(block, id);
        }
        self.drafts.push(Some(draft));
        id
    }

    /// Dismisses a draft: its elements are unmatched again.
    fn dismiss<P: Problem + ?Sized>(
        &mut self,
        work: &mut Work<'_, P>,
        id: u32,
    ) -> Option<MoveCandidate> {
        let draft = self.drafts[id as usize].take()?;
        for block in &draft.blocks {
            for old in block.old..block.old_end() {
                work.unpair_old(old);
            }
        }
        Some(draft)
    }

    /// One more than the highest draft number.
    pub(crate) fn count(&self) -> usize {
        self.drafts.len()
    }

    /// The accepted drafts, with their numbers.
    pub(crate) fn standing(&self) -> impl Iterator<Item = (u32, &MoveCandidate)> {
        let numbered = self.drafts.iter().enumerate();
        numbered.filter_map(|(id, draft)| draft.as_ref().map(|d| (id as u32, d)))
    }
}

/// Finds moves and pairs edits in place. `left` holds the exact blocks that the
/// alignment set aside.
pub(crate) fn find<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    left: Vec<Block>,
) -> MoveCandidates {
    let mut drafts = MoveCandidates { drafts: Vec::new() };
    if !work.options.moves {
        edits::in_place(work);
        return drafts;
    }
    let released = release::light_runs(work);
    equal_blocks(work, &mut drafts, left);
    extend::all(work, &mut drafts, 0);
    reseat::all(work, &mut drafts);
    extend::join(work, &mut drafts);
    judge::all(work, &mut drafts, 0);
    release::refill(work, &released);
    let mut unmatched = edits::in_place(work);
    for (side, unmatched) in unmatched.iter_mut().enumerate() {
        unmatched.retain(|l| work.is_free(side, l.index));
    }
    let known = drafts.drafts.len();
    fuzzy::seek(work, &mut drafts, &unmatched);
    if drafts.drafts.len() > known {
        extend::all(work, &mut drafts, known);
        judge::all(work, &mut drafts, known);
    }
    demote_unmoved::all(work, &mut drafts);
    if edges::all(work, &mut drafts) {
        judge::dismiss_unlike(work, &mut drafts);
        demote_unmoved::all(work, &mut drafts);
    }
    drafts
}

/// Selects blocks of equal elements. `left` holds the blocks that the alignment
/// set aside, some of which consist of common elements only.
fn equal_blocks<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    drafts: &mut MoveCandidates,
    mut left: Vec<Block>,
) {
    let unmatched = work.leftovers();
    if unmatched[OLD].is_empty() || unmatched[NEW].is_empty() {
        return;
    }
    work.count_occurrences();
    // With several segments, a block that the alignment set aside may have a
    // better match in another segment.
    let is_one = work.segments.iter().all(|segments| segments.len() == 1);
    left.retain(|block| is_one && block.len > 0);
    let leftovers = if unmatched[OLD].len() > MANY {
        Leftovers::new(work, &without_clear(work, &unmatched, &left))
    } else {
        Leftovers::new(work, &unmatched)
    };
    let blocks = candidates::blocks(work, &leftovers);
    let trimmed = |block| candidates::trimmed(work, block);
    let mut blocks: Vec<Block> = blocks.into_iter().map(trimmed).collect();
    blocks.extend(left);
    let chains = candidates::chains(work, &blocks);
    select::select(
        work,
        drafts,
        (chains, &unmatched),
        select::CandidateKind::Equal,
    );
}

/// With more unmatched elements than this, those of long blocks that the alignment
/// set aside are not looked up again.
const MANY: usize = 1 << 14;
/// Elements of a long block.
const LONG: u32 = 32;

/// The unmatched elements outside of long blocks. The alignment found those around
/// elements that occur once: little else competes for them.
fn without_clear<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    unmatched: &[Vec<Leftover>; 2],
    left: &[Block],
) -> [Vec<Leftover>; 2] {
    [OLD, NEW].map(|side| {
        let mut is_clear = vec![false; work.tokens[side].len()];
        for block in left.iter().filter(|block| block.len >= LONG) {
            let start = [block.old, block.new][side] as usize;
            is_clear[start..start + block.len as usize].fill(true);
        }
        let rest = unmatched[side].iter().copied();
        rest.filter(|item| !is_clear[item.index as usize]).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Slices};

    #[test]
    fn long_blocks_are_not_looked_up_again() {
        let elements: Vec<u32> = (0..200).collect();
        let slices = Slices::new(&elements, &elements).expect("few elements");
        let options = Options::default();
        let work = Work::new(&slices, &options).expect("a plain problem");
        let all = || (0..200).map(|index| Leftover { index, gap: 0 }).collect();
        let block = |old, new, len| Block { old, new, len };
        let left = [block(10, 100, LONG), block(60, 20, LONG - 1)];
        let rest = without_clear(&work, &[all(), all()], &left);
        for (side, start) in [(OLD, 10), (NEW, 100)] {
            let found: Vec<u32> = rest[side].iter().map(|item| item.index).collect();
            let expected = (0..200).filter(|i| !(start..start + LONG).contains(i));
            assert_eq!(found, expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn shuffled_blocks_are_one_move_each_however_many_there_are() {
        const SIZE: u32 = 40;
        let blocks = MANY as u32 / SIZE + 20;
        let elements = |order: &dyn Fn(u32) -> u32| -> Vec<u32> {
            let of_block = |block: u32| order(block) * SIZE..(order(block) + 1) * SIZE;
            (0..blocks).flat_map(of_block).collect()
        };
        let old = elements(&|block| block);
        let new = elements(&|block| blocks - 1 - block);
        let slices = Slices::new(&old, &new).expect("few elements");
        let diff = crate::diff(&slices, &Options::default()).expect("a plain problem");
        assert_eq!(diff.script.moves().len() as u32, blocks - 1);
        let is_whole = |found: &crate::Move| found.old.len() as u32 == SIZE;
        assert!(diff.script.moves().iter().all(is_whole));
    }
}
