//! Candidate sources of leftovers: blocks of equal elements, chained across small
//! gaps, so that an edited block competes as a whole.

use super::leftovers::Leftovers;
use super::price::{Content, Price, Way};
use crate::align::{Block, NONE, push};
use crate::positions::{highest_first, order_by};
use crate::work::{NEW, OLD, Work};
use crate::{Guard, Lean, Limit, Problem, Side, Token};
use std::ops::Range;

/// Blocks of equal pairs, increasing on both sides, close together.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    pub blocks: Vec<Block>,
    /// What it says, if that is known already.
    pub content: Option<Content>,
}

impl From<Vec<Block>> for Chain {
    fn from(blocks: Vec<Block>) -> Self {
        Self {
            blocks,
            content: None,
        }
    }
}

impl Chain {
    pub(super) fn range(&self, side: usize) -> Range<u32> {
        let (first, last) = (self.blocks[0], self.blocks[self.blocks.len() - 1]);
        match side {
            OLD => first.old..last.old_end(),
            _ => first.new..last.new_end(),
        }
    }

    pub(super) fn ends(&self) -> (Range<u32>, Range<u32>) {
        (self.range(OLD), self.range(NEW))
    }

    /// The elements that the chain pairs.
    pub(super) fn elements(&self, side: usize) -> impl Iterator<Item = u32> {
        self.blocks.iter().flat_map(move |b| match side {
            OLD => b.old..b.old_end(),
            _ => b.new..b.new_end(),
        })
    }

    /// Number of pairs.
    pub(super) fn len(&self) -> u32 {
        self.blocks.iter().map(|b| b.len).sum()
    }

    /// The chain without its first `count` pairs, which must be fewer than its
    /// first block has.
    pub(super) fn without_start(mut self, count: u32) -> Self {
        let first = &mut self.blocks[0];
        *first = Block {
            old: first.old + count,
            new: first.new + count,
            len: first.len - count,
        };
        self.content = None;
        self
    }

    /// For each pair, whether both elements are still free.
    fn are_free<P: Problem + ?Sized>(&self, work: &Work<'_, P>) -> impl Iterator<Item = bool> {
        let pairs = super::similarity::pairs(&self.blocks);
        pairs.map(move |(old, new)| work.is_free(OLD, old) && work.is_free(NEW, new))
    }

    pub(super) fn is_all_free<P: Problem + ?Sized>(&self, work: &Work<'_, P>) -> bool {
        self.are_free(work).all(|is_free| is_free)
    }

    pub(super) fn is_partly_free<P: Problem + ?Sized>(&self, work: &Work<'_, P>) -> bool {
        self.are_free(work).any(|is_free| is_free)
    }

    /// The pieces of the chain whose elements are all still free.
    pub(super) fn free_pieces<P: Problem + ?Sized>(&self, work: &Work<'_, P>) -> Vec<Self> {
        let mut pieces = vec![Self::default()];
        for block in &self.blocks {
            for i in 0..block.len {
                let (old, new) = (block.old + i, block.new + i);
                if !work.is_free(OLD, old) || !work.is_free(NEW, new) {
                    pieces.push(Self::default());
                } else if let Some(piece) = pieces.last_mut() {
                    push(&mut piece.blocks, Block { old, new, len: 1 });
                }
            }
        }
        pieces.retain(|piece| !piece.blocks.is_empty());
        pieces
    }
}

/// Maximal equal blocks around informative elements that occur at most
/// `max_repeat` times.
pub(super) fn blocks<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    leftovers: &Leftovers,
) -> Vec<Block> {
    let [old, new] = &leftovers.tokens;
    let limit = work.options.max_repeat as usize;
    let here = Places::new(old, leftovers.distinct);
    let there = Places::new(new, leftovers.distinct);
    let mut crowded = None;
    // For each diagonal, where the last block on it ends in old.
    let mut covered = vec![0; old.len() + new.len()];
    let mut found = Vec::new();
    let mut budget = work.options.budget.candidates;
    for (place, token) in old.iter().enumerate() {
        let there = there.of(*token);
        if there.is_empty() {
            continue;
        }
        if here.of(*token).len() > limit || there.len() > limit {
            crowded = crowded.or(Some((place, there[0] as usize)));
            continue;
        }
        if work.weight(OLD, leftovers.index[OLD][place]) == 0.0 {
            continue;
        }
        for &other in there {
            let (o, n) = (place, other as usize);
            let covered = &mut covered[new.len() + o - n];
            if o < *covered as usize {
                continue;
            }
            if budget == 0 {
                work.outcome.spent(Limit::Candidates);
                return found;
            }
            budget -= 1;
            let behind = old[..o].iter().rev().zip(new[..n].iter().rev());
            let left = behind.take_while(|(a, b)| a == b).count();
            let ahead = old[o..].iter().zip(&new[n..]);
            let right = ahead.take_while(|(a, b)| a == b).count();
            *covered = (o + right) as u32;
            let block = leftovers.element_block(Block {
                old: (o - left) as u32,
                new: (n - left) as u32,
                len: (left + right) as u32,
            });
            found.push(block);
        }
    }
    if let Some((o, n)) = crowded {
        let one = |index: u32| index..index + 1;
        let first = (one(leftovers.index[OLD][o]), one(leftovers.index[NEW][n]));
        work.outcome.refuse(Guard::Repetition, first, None);
    }
    if found.len() > MANY {
        drop_inner(work, &mut found);
    }
    found
}

/// With more blocks than this, those inside of much longer ones are dropped.
const MANY: usize = 1 << 14;
/// How many times as long the longer ones are.
const LONGER: u32 = 16;

/// Drops blocks whose elements all lie in much longer blocks, on both sides: the
/// longer ones are selected first and leave nothing of them. Where the files of a
/// package were shuffled, they are 84 of 100.
fn drop_inner<P: Problem + ?Sized>(work: &Work<'_, P>, found: &mut Vec<Block>) {
    let mut longest = [OLD, NEW].map(|side| vec![0; work.tokens[side].len()]);
    let place = |block: &Block, side: usize| {
        let start = [block.old, block.new][side] as usize;
        start..start + block.len as usize
    };
    for block in found.iter().filter(|block| block.len >= LONGER) {
        for side in [OLD, NEW] {
            for len in &mut longest[side][place(block, side)] {
                *len = block.len.max(*len);
            }
        }
    }
    found.retain(|block| {
        let is_inner = |side: usize| {
            let mut around = longest[side][place(block, side)].iter();
            around.all(|&len| len / LONGER >= block.len)
        };
        !(is_inner(OLD) && is_inner(NEW))
    });
}

/// Trims a block to its own elements: it does not start with the brace that
/// closes the code before it, nor end with a comment on the code after it. It may
/// take back edge elements that nothing else claims.
pub(super) fn trimmed<P: Problem + ?Sized>(work: &Work<'_, P>, block: Block) -> Block {
    let layout = |index: u32| work.problem.layout(Side::Old, index);
    let leans_back = |index: u32| {
        work.weight(OLD, index) <= 0.0 && {
            let layout = layout(index);
            layout.blank || layout.lean == Lean::Back
        }
    };
    let mut own = block;
    while own.len > 0 && leans_back(own.old) {
        own = Block {
            old: own.old + 1,
            new: own.new + 1,
            len: own.len - 1,
        };
    }
    while own.len > 0 && layout(own.old_end() - 1).lean == Lean::Forward {
        own.len -= 1;
    }
    if own.len > 0 { own } else { block }
}

/// Where each token occurs.
struct Places {
    /// For each token, the start of its places; the last entry is the total.
    starts: Vec<u32>,
    places: Vec<u32>,
}

impl Places {
    fn new(tokens: &[Token], distinct: usize) -> Self {
        let mut starts = vec![0; distinct + 2];
        for token in tokens {
            starts[token.0 as usize + 2] += 1;
        }
        for t in 1..starts.len() {
            starts[t] += starts[t - 1];
        }
        let mut places = vec![0; tokens.len()];
        for (place, token) in tokens.iter().enumerate() {
            let at = &mut starts[token.0 as usize + 1];
            places[*at as usize] = place as u32;
            *at += 1;
        }
        Self { starts, places }
    }

    fn of(&self, token: Token) -> &[u32] {
        let (start, end) = (
            self.starts[token.0 as usize],
            self.starts[token.0 as usize + 1],
        );
        &self.places[start as usize..end as usize]
    }
}

/// Links blocks that continue each other with at most `reach` free elements in
/// between, on both sides. Each block is in one chain: if several blocks continue
/// it, it joins the heaviest chain.
pub(super) fn chains<P: Problem + ?Sized>(work: &Work<'_, P>, blocks: &[Block]) -> Vec<Chain> {
    let blocks = in_new_order(blocks);
    let reach = work.reach();
    // The last block that ends at each new element, and for each block the one
    // before it that ends there, too.
    let mut ending_at = vec![NONE; work.tokens[NEW].len() + 1];
    let mut same_end = vec![NONE; blocks.len()];
    let contents: Vec<Content> = blocks
        .iter()
        .map(|block| Content::of(work, &[*block]))
        .collect();
    // The highest value of a chain that ends with each block.
    let mut worth: Vec<f32> = Vec::with_capacity(blocks.len());
    let mut before: Vec<u32> = Vec::with_capacity(blocks.len());
    for (b, block) in blocks.iter().enumerate() {
        let own = contents[b].said(Way::Stayed);
        let mut best: Option<(f32, u32)> = None;
        let last = (block.new + reach.min(block.len - 1)) as usize;
        let near = &ending_at[block.new.saturating_sub(reach) as usize..=last];
        for &end in near.iter().filter(|&&end| end != NONE) {
            let mut end = end;
            while end != NONE {
                let is_near = blocks[end as usize].old_end().abs_diff(block.old) <= reach;
                if is_near && continues(work, blocks[end as usize], *block) {
                    let cost = Price::of_link(work, blocks[end as usize], *block);
                    let with = worth[end as usize] - cost;
                    let is_better = best.is_none_or(|(highest, first)| {
                        let order = with.total_cmp(&highest);
                        order.then(first.cmp(&end)).is_gt()
                    });
                    if cost < own && is_better {
                        best = Some((with, end));
                    }
                }
                end = same_end[end as usize];
            }
        }
        worth.push(own + best.map_or(0.0, |(with, _)| with.max(0.0)));
        before.push(
            best.filter(|(with, _)| *with > 0.0)
                .map_or(NONE, |best| best.1),
        );
        let ending = &mut ending_at[block.new_end() as usize];
        same_end[b] = std::mem::replace(ending, b as u32);
    }
    let heaviest = order_by(blocks.len(), |b| highest_first(worth[b]));
    let mut used = vec![false; blocks.len()];
    let mut found = Vec::new();
    let mut members = Vec::new();
    for end in heaviest {
        members.clear();
        let mut at = end;
        while at != NONE && !used[at as usize] {
            used[at as usize] = true;
            members.push(at);
            at = before[at as usize];
        }
        let mut chain = Chain::from(Vec::with_capacity(members.len()));
        for &member in members.iter().rev() {
            chain.attach(blocks[member as usize]);
        }
        if let [only] = members[..] {
            chain.content = Some(contents[only as usize]);
        }
        if !chain.blocks.is_empty() {
            found.push(chain);
        }
    }
    found
}

/// Blocks by new, then by old element; of those that start with the same pair, the
/// longest.
fn in_new_order(blocks: &[Block]) -> Vec<Block> {
    let order = order_by(blocks.len(), |b| blocks[b].new).into_iter();
    let mut blocks: Vec<Block> = order.map(|b| blocks[b as usize]).collect();
    for same in blocks.chunk_by_mut(|a, b| a.new == b.new) {
        if same.len() > 1 {
            same.sort_unstable_by_key(|b| (b.old, std::cmp::Reverse(b.len)));
        }
    }
    blocks.dedup_by_key(|b| (b.new, b.old));
    blocks
}

impl Chain {
    /// Appends a block without the elements that the chain already has.
    fn attach(&mut self, block: Block) {
        let over = self.blocks.last().map_or(0, |last| {
            let old = last.old_end().saturating_sub(block.old);
            old.max(last.new_end().saturating_sub(block.new))
        });
        if over < block.len {
            push(
                &mut self.blocks,
                Block {
                    old: block.old + over,
                    new: block.new + over,
                    len: block.len - over,
                },
            );
        }
    }
}

/// Whether a block may follow another in one chain: close behind it on both
/// sides, with only free elements between. Ends may overlap, since two blocks may
/// both claim the brace between them.
fn continues<P: Problem + ?Sized>(work: &Work<'_, P>, before: Block, block: Block) -> bool {
    let reach = work.reach();
    let fits = |end: u32, start: u32| {
        if start >= end {
            start - end <= reach
        } else {
            end - start < block.len && end - start <= reach
        }
    };
    block.old > before.old
        && block.new > before.new
        && fits(before.old_end(), block.old)
        && fits(before.new_end(), block.new)
        && work.is_open(OLD, before.old_end().min(block.old), block.old)
        && work.is_open(NEW, before.new_end().min(block.new), block.new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Slices};

    #[test]
    fn a_block_is_dropped_only_inside_of_much_longer_ones_on_both_sides() {
        let elements: Vec<u32> = (0..200).collect();
        let slices = Slices::new(&elements, &elements).expect("few elements");
        let options = Options::default();
        let work = Work::new(&slices, &options).expect("a plain problem");
        let block = |old, new, len| Block { old, new, len };
        let (long, other) = (block(0, 100, 64), block(100, 0, 64));
        let kept = [
            long,
            other,
            block(10, 20, 5),  // not so much shorter
            block(10, 64, 2),  // outside of them in new
            block(63, 120, 2), // reaches beyond one in old
        ];
        let inner = [block(10, 20, 4), block(60, 160, 4), block(110, 110, 1)];
        let mut found: Vec<Block> = kept.into_iter().chain(inner).collect();
        drop_inner(&work, &mut found);
        assert_eq!(found, kept);
    }
}
