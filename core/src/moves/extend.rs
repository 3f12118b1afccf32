//! Drafts that take in what belongs to them: edited elements inside and at the
//! edges, and their own continuation behind a small gap.

use super::{Draft, Drafts};
use crate::align::{Block, NONE, push};
use crate::edits::{Marks, pair_alike};
use crate::work::{NEW, OLD, Work};
use crate::{Limit, Problem};
use std::cell::OnceCell;
use std::ops::Range;

/// Extends every draft from number `from` on.
pub(super) fn all<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &mut Drafts, from: usize) {
    if work.options.threshold >= 1.0 {
        return;
    }
    let rivals = OnceCell::new();
    for id in from..drafts.drafts.len() {
        if let Some(mut draft) = drafts.drafts[id].take() {
            fill(work, &mut draft, id as u32);
            grow(work, &mut draft, id as u32, &rivals);
            drafts.drafts[id] = Some(draft);
        }
    }
}

/// Pairs what is alike in the gaps of a draft.
fn fill<P: Problem + ?Sized>(work: &mut Work<'_, P>, draft: &mut Draft, id: u32) {
    let mut blocks = Vec::with_capacity(draft.blocks.len());
    for (b, &block) in draft.blocks.iter().enumerate() {
        if b > 0 {
            let before = draft.blocks[b - 1];
            let free = |side, range: Range<u32>| -> Vec<u32> {
                range.filter(|&i| work.is_free(side, i)).collect()
            };
            let old = free(OLD, before.old_end()..block.old);
            let new = free(NEW, before.new_end()..block.new);
            let mut found = Vec::new();
            if pair_alike(work, &old, &new, &mut found) {
                work.outcome.spent(Limit::EditArea);
            }
            for pair in found {
                work.pair(pair, id);
                push(&mut blocks, pair);
            }
        }
        push(&mut blocks, block);
    }
    draft.blocks = blocks;
}

/// Extends a draft at both ends while what follows is equal or alike.
fn grow<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    draft: &mut Draft,
    id: u32,
    rivals: &OnceCell<Rivals>,
) {
    loop {
        let ends = (draft.old().end, draft.new_range().end);
        let Some((old, new)) = next(work, ends, Direction::Forward, rivals) else {
            break;
        };
        let pair = Block { old, new, len: 1 };
        work.pair(pair, id);
        push(&mut draft.blocks, pair);
    }
    let mut before = Vec::new();
    let mut ends = (draft.old().start, draft.new_range().start);
    while let Some((old, new)) = next(work, ends, Direction::Backward, rivals) {
        let pair = Block { old, new, len: 1 };
        work.pair(pair, id);
        before.push(pair);
        ends = (old, new);
    }
    if !before.is_empty() {
        let mut blocks = Vec::with_capacity(draft.blocks.len() + before.len());
        before.iter().rev().for_each(|&pair| push(&mut blocks, pair));
        draft.blocks.iter().for_each(|&block| push(&mut blocks, block));
        draft.blocks = blocks;
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Forward,
    Backward,
}

/// The next pair beyond the ends of a draft, at most `gap` elements away.
fn next<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    ends: (u32, u32),
    direction: Direction,
    rivals: &OnceCell<Rivals>,
) -> Option<(u32, u32)> {
    let old = reach(work, OLD, ends.0, direction);
    if old.is_empty() {
        return None;
    }
    let new = reach(work, NEW, ends.1, direction);
    if new.is_empty() {
        return None;
    }
    let marks = Marks::new(work, &old, &new);
    let mut best: Option<(f32, u32, u32)> = None;
    for (a, &o) in old.iter().enumerate() {
        for (b, &n) in new.iter().enumerate() {
            if !marks.may_match(a, b) {
                continue;
            }
            let skipped = (a + b) as f32;
            let weight = work.weight(OLD, o).min(work.weight(NEW, n));
            // Behind a gap only what says something is the continuation.
            if a + b > 0 && weight < 0.25 {
                continue;
            }
            let likeness = match work.level(o, n) {
                Some(level) => 1.0 - f32::from(level) * 0.01,
                None if weight > 0.0 => work.problem.likeness(o, n),
                None => 0.0,
            };
            if likeness < work.options.edit_likeness {
                continue;
            }
            let worth = likeness - 0.1 * skipped;
            let beaten = best.is_some_and(|(w, ..)| w >= worth);
            if beaten || (likeness < 0.99 && rivals.get_or_init(|| Rivals::new(work)).better(work, o, n, likeness)) {
                continue;
            }
            best = Some((worth, o, n));
        }
    }
    best.map(|(_, o, n)| (o, n))
}

/// The free elements beyond an end, nearest first, up to the gap and one more.
fn reach<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    side: usize,
    end: u32,
    direction: Direction,
) -> Vec<u32> {
    let mut found = Vec::new();
    let mut at = end;
    while found.len() <= work.gap() as usize {
        let (index, joint) = match direction {
            Direction::Forward if (at as usize) < work.mate[side].len() && at > 0 => (at, at - 1),
            Direction::Backward if at > 0 => (at - 1, at - 1),
            _ => break,
        };
        if !work.is_free(side, index) || !work.touches(side, joint) {
            break;
        }
        found.push(index);
        at = match direction {
            Direction::Forward => at + 1,
            Direction::Backward => at - 1,
        };
    }
    found
}

/// Joins drafts that continue each other behind a small gap with nothing kept
/// in it, and pairs what is alike in between.
pub(super) fn join<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &mut Drafts) {
    if work.options.threshold >= 1.0 {
        return;
    }
    let gap = work.gap();
    let mut order: Vec<u32> = drafts.standing().map(|(id, _)| id).collect();
    order.sort_unstable_by_key(|&id| drafts.drafts[id as usize].as_ref().map(|d| d.old().start));
    let mut last: Option<u32> = None;
    for id in order {
        let joined = last.and_then(|before| {
            let (a, b) = (drafts.get(before)?, drafts.get(id)?);
            let near = |end: u32, start: u32| start >= end && start - end <= gap;
            let apart = near(a.old().end, b.old().start) && near(a.new_range().end, b.new_range().start);
            (apart && open(work, OLD, a.old().end, b.old().start)
                && open(work, NEW, a.new_range().end, b.new_range().start))
            .then_some(before)
        });
        match joined {
            Some(before) => {
                let Some(tail) = drafts.dismiss(work, id) else { continue };
                let Some(mut draft) = drafts.drafts[before as usize].take() else { continue };
                for block in tail.blocks {
                    work.pair(block, before);
                    push(&mut draft.blocks, block);
                }
                fill(work, &mut draft, before);
                drafts.drafts[before as usize] = Some(draft);
            }
            None => last = Some(id),
        }
    }
}

/// Whether a draft could run from `end` to `start`: one stretch, all free.
fn open<P: Problem + ?Sized>(work: &Work<'_, P>, side: usize, end: u32, start: u32) -> bool {
    (end..=start).all(|i| work.touches(side, i - 1)) && (end..start).all(|i| work.is_free(side, i))
}

impl Drafts {
    fn get(&self, id: u32) -> Option<&Draft> {
        self.drafts[id as usize].as_ref()
    }
}

/// What an element could be an edit of in its own place.
struct Rivals {
    /// For each side the loose elements, sorted by gap.
    by_gap: [Vec<(u32, u32)>; 2],
    gap: [Vec<(u32, u32)>; 2],
}

impl Rivals {
    /// Gaps larger than this are rewritten places, not edits.
    const MOST: usize = 8;

    fn new<P: Problem + ?Sized>(work: &Work<'_, P>) -> Self {
        let loose = work.loose();
        let gap = [OLD, NEW].map(|side| -> Vec<(u32, u32)> {
            loose[side].iter().map(|l| (l.index, l.gap)).collect()
        });
        let by_gap = [OLD, NEW].map(|side| {
            let mut sorted: Vec<(u32, u32)> = gap[side].iter().map(|&(i, g)| (g, i)).collect();
            sorted.sort_unstable();
            sorted
        });
        Self { by_gap, gap }
    }

    /// Whether `old` or `new` is more alike to something in its own place.
    fn better<P: Problem + ?Sized>(&self, work: &Work<'_, P>, old: u32, new: u32, than: f32) -> bool {
        let here = |side: usize, index: u32| -> &[(u32, u32)] {
            let found = self.gap[side].binary_search_by_key(&index, |&(i, _)| i);
            let Ok(at) = found else { return &[] };
            let gap = self.gap[side][at].1;
            if gap == NONE {
                return &[];
            }
            let others = &self.by_gap[1 - side];
            let start = others.partition_point(|&(g, _)| g < gap);
            let end = others.partition_point(|&(g, _)| g <= gap);
            if end - start > Self::MOST { &[] } else { &others[start..end] }
        };
        let new_here = here(OLD, old).iter().filter(|&&(_, n)| n != new && work.is_free(NEW, n));
        let old_here = here(NEW, new).iter().filter(|&&(_, o)| o != old && work.is_free(OLD, o));
        new_here.map(|&(_, n)| work.likeness(old, n)).any(|l| l > than)
            || old_here.map(|&(_, o)| work.likeness(o, new)).any(|l| l > than)
    }
}
