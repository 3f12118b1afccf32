//! Candidates that compete: repeated elements, each with several places it
//! could have gone to.

use super::evidence::says_enough;
use super::lane::Lanes;
use super::{Draft, Drafts};
use crate::align::Block;
use crate::work::{KEPT, NEW, OLD, Work};
use crate::{Guard, Limit, Problem, Strategy, Token};
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::ops::Range;

/// Finds moves among elements that occur a few times in what is left.
pub(super) fn repeated<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &mut Drafts) {
    let loose = work.loose();
    if loose[OLD].is_empty() || loose[NEW].is_empty() {
        return;
    }
    let mut lanes = Lanes::new(work, &loose);
    let mut found = blocks(work, &lanes);
    if keep_in_place(work, &lanes, &found) {
        let loose = work.loose();
        lanes = Lanes::new(work, &loose);
        found = blocks(work, &lanes);
    }
    let candidates: Vec<Candidate> = found
        .into_iter()
        .filter_map(|block| {
            let places = [block.old as usize, block.new as usize];
            let gaps = [OLD, NEW].map(|side| lanes.gap[side][places[side]]);
            if gaps[OLD] == gaps[NEW] {
                return None; // equal elements of one gap pair in order
            }
            let block = lanes.element_block(block);
            says_enough(work, &[block]).then(|| Candidate::new(work, block))
        })
        .collect();
    choose(work, drafts, &candidates, Strategy::RepeatedMoves);
}

/// Keeps what has an equal between its own kept neighbours: it stayed, whatever
/// it equals elsewhere. The heaviest blocks first, in order within a gap.
fn keep_in_place<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    lanes: &Lanes,
    found: &[Block],
) -> bool {
    let gap = |block: &Block| {
        let [old, new] = [block.old as usize, block.new as usize];
        let gaps = [lanes.gap[OLD][old], lanes.gap[NEW][new]];
        (gaps[OLD] == gaps[NEW]).then_some(gaps[OLD])
    };
    let mut stay: Vec<(u32, Block)> = found
        .iter()
        .filter_map(|block| Some((gap(block)?, lanes.element_block(*block))))
        .collect();
    stay.sort_by_key(|(gap, block)| (*gap, std::cmp::Reverse(block.len), block.old, block.new));
    for group in stay.chunk_by(|a, b| a.0 == b.0) {
        let mut kept: Vec<Block> = Vec::new();
        for (_, block) in group {
            let fits = kept.iter().all(|other| {
                (block.old_end() <= other.old && block.new_end() <= other.new)
                    || (block.old >= other.old_end() && block.new >= other.new_end())
            });
            if fits {
                work.pair(*block, KEPT);
                kept.push(*block);
            }
        }
    }
    let any = !stay.is_empty();
    if any {
        work.open_gaps();
    }
    any
}

/// Maximal equal blocks around elements repeated at most `max_repeat` times.
pub(super) fn blocks<P: Problem + ?Sized>(work: &mut Work<'_, P>, lanes: &Lanes) -> Vec<Block> {
    let [old, new] = &lanes.tokens;
    let limit = work.options.max_repeat as usize;
    let here = Places::new(old, lanes.distinct);
    let there = Places::new(new, lanes.distinct);
    let mut crowded = None;
    let mut covered: HashMap<i64, u32> = HashMap::new();
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
        if work.weight(OLD, lanes.index[OLD][place]) == 0.0 {
            continue;
        }
        for &other in there {
            let (o, n) = (place, other as usize);
            let diagonal = o as i64 - n as i64;
            if covered.get(&diagonal).is_some_and(|&end| o < end as usize) {
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
            covered.insert(diagonal, (o + right) as u32);
            found.push(Block {
                old: (o - left) as u32,
                new: (n - left) as u32,
                len: (left + right) as u32,
            });
        }
    }
    if let Some((o, n)) = crowded {
        let one = |index: u32| index..index + 1;
        let first = (one(lanes.index[OLD][o]), one(lanes.index[NEW][n]));
        work.outcome.refuse(Guard::Repetition, first, None);
    }
    found
}

/// Where each token stands.
struct Places {
    /// For each token the start of its places, and behind the last their number.
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

/// A block that could be a move, with what speaks for it.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub blocks: Vec<Block>,
    pub score: f32,
}

impl Candidate {
    fn new<P: Problem + ?Sized>(work: &Work<'_, P>, block: Block) -> Self {
        let score = (block.old..block.old_end())
            .map(|o| work.weight(OLD, o))
            .sum();
        Self {
            blocks: vec![block],
            score,
        }
    }

    fn range(&self, side: usize) -> Range<u32> {
        let (first, last) = (self.blocks[0], self.blocks[self.blocks.len() - 1]);
        match side {
            OLD => first.old..last.old_end(),
            _ => first.new..last.new_end(),
        }
    }

    /// Without the pairs whose elements are taken: the pieces that are left.
    fn pieces<P: Problem + ?Sized>(&self, work: &Work<'_, P>, locked: &Locked) -> Vec<Vec<Block>> {
        let mut pieces: Vec<Vec<Block>> = vec![Vec::new()];
        for block in &self.blocks {
            for i in 0..block.len {
                let (old, new) = (block.old + i, block.new + i);
                let free = work.is_free(OLD, old)
                    && work.is_free(NEW, new)
                    && !locked.holds(OLD, old)
                    && !locked.holds(NEW, new);
                if !free {
                    pieces.push(Vec::new());
                } else if let Some(piece) = pieces.last_mut() {
                    crate::align::push(piece, Block { old, new, len: 1 });
                }
            }
        }
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Candidate {}
impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Candidate {
    /// Heavier first; then, for one answer on every run, the earlier.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let place = |c: &Self| (c.range(OLD).start, c.range(NEW).start);
        self.score
            .total_cmp(&other.score)
            .then_with(|| place(other).cmp(&place(self)))
    }
}

/// Elements of ambiguous candidates: nothing lesser may take them.
#[derive(Default)]
struct Locked {
    elements: [HashSet<u32>; 2],
}

impl Locked {
    fn holds(&self, side: usize, index: u32) -> bool {
        self.elements[side].contains(&index)
    }
}

/// Which candidates cover an element.
struct Cover {
    by_element: [Vec<(u32, u32)>; 2],
}

impl Cover {
    fn new(candidates: &[Candidate]) -> Self {
        let by_element = [OLD, NEW].map(|side| {
            let mut cover: Vec<(u32, u32)> = Vec::new();
            for (id, candidate) in candidates.iter().enumerate() {
                cover.extend(candidate.range(side).map(|element| (element, id as u32)));
            }
            cover.sort_unstable();
            cover
        });
        Self { by_element }
    }

    /// Candidates that cover the middle of a range: all that share more than
    /// half of it, and few others.
    fn around(&self, side: usize, range: Range<u32>) -> impl Iterator<Item = u32> {
        let middle = u32::midpoint(range.start, range.end.saturating_sub(1));
        let cover = &self.by_element[side];
        let start = cover.partition_point(|&(element, _)| element < middle);
        let here = cover[start..]
            .iter()
            .take_while(move |&&(element, _)| element == middle);
        here.map(|&(_, id)| id)
    }
}

/// Chooses one-to-one, heaviest first; what overlaps is trimmed and queued
/// again, what has an equal is ambiguous and locked.
pub(super) fn choose<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    drafts: &mut Drafts,
    candidates: &[Candidate],
    found_by: Strategy,
) {
    let mut locked = Locked::default();
    let cover = Cover::new(candidates);
    let mut queue: BinaryHeap<Candidate> = candidates.to_vec().into();
    while let Some(candidate) = queue.pop() {
        let pieces = candidate.pieces(work, &locked);
        let whole: u32 = candidate.blocks.iter().map(|b| b.len).sum();
        let intact = pieces.len() == 1 && pieces[0].iter().map(|b| b.len).sum::<u32>() == whole;
        if !intact {
            let share = candidate.score / whole as f32;
            for piece in pieces.into_iter().filter(|p| says_enough(work, p)) {
                let len: u32 = piece.iter().map(|b| b.len).sum();
                queue.push(Candidate {
                    blocks: piece,
                    score: share * len as f32,
                });
            }
            continue;
        }
        let ends = |c: &Candidate| (c.range(OLD), c.range(NEW));
        let rival = [OLD, NEW]
            .into_iter()
            .flat_map(|side| cover.around(side, candidate.range(side)))
            .map(|id| &candidates[id as usize])
            .filter(|other| {
                // The same diagonal is the candidate itself, or what it was cut from.
                let diagonal =
                    |c: &Candidate| i64::from(c.blocks[0].old) - i64::from(c.blocks[0].new);
                diagonal(other) != diagonal(&candidate)
            })
            .filter(|other| !other.pieces(work, &Locked::default()).is_empty())
            .max();
        match rival {
            Some(rival) if rival.score >= candidate.score * work.options.ambiguity => {
                work.outcome
                    .refuse(Guard::Ambiguous, ends(&candidate), Some(ends(rival)));
                for side in [OLD, NEW] {
                    locked.elements[side].extend(candidate.range(side));
                }
            }
            rival => {
                let runner_up = rival.map(|r| (ends(r), r.score / candidate.score));
                work.outcome.ran(found_by);
                let draft = Draft {
                    blocks: candidate.blocks,
                    runner_up,
                    weighed: true,
                    likeness: None,
                };
                drafts.accept(work, draft);
            }
        }
    }
}
