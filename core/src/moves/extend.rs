//! Extends drafts with edited elements inside and at their edges, and with their
//! continuation behind a small gap.

use super::{MoveCandidate, MoveCandidates};
use crate::align::{Block, push};
use crate::edits::{Edited, Marks, pair_alike};
use crate::positions::order_by;
use crate::work::{NEW, OLD, Work};
use crate::{Limit, Problem};
use std::ops::Range;

/// Extends all drafts numbered `from` and up.
pub(super) fn all<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    drafts: &mut MoveCandidates,
    from: usize,
) {
    if work.options.threshold >= 1.0 {
        return;
    }
    for id in from..drafts.drafts.len() {
        if let Some(mut draft) = drafts.drafts[id].take() {
            fill(work, &mut draft, id as u32);
            grow(work, &mut draft, id as u32);
            drafts.drafts[id] = Some(draft);
        }
    }
}

/// Pairs similar elements in the gaps of a draft.
fn fill<P: Problem + ?Sized>(work: &mut Work<'_, P>, draft: &mut MoveCandidate, id: u32) {
    if draft.blocks.len() == 1 {
        return;
    }
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
            for pair in found.into_iter().map(Edited::pair) {
                work.pair(pair, id);
                push(&mut blocks, pair);
            }
        }
        push(&mut blocks, block);
    }
    draft.blocks = blocks;
}

/// Extends a draft at both ends while the next elements are equal or similar.
fn grow<P: Problem + ?Sized>(work: &mut Work<'_, P>, draft: &mut MoveCandidate, id: u32) {
    loop {
        let ends = (draft.old().end, draft.new_range().end);
        let Some((old, new)) = next(work, ends, Direction::Forward) else {
            break;
        };
        let pair = Block { old, new, len: 1 };
        work.pair(pair, id);
        push(&mut draft.blocks, pair);
    }
    let mut before = Vec::new();
    let mut ends = (draft.old().start, draft.new_range().start);
    while let Some((old, new)) = next(work, ends, Direction::Backward) {
        let pair = Block { old, new, len: 1 };
        work.pair(pair, id);
        before.push(pair);
        ends = (old, new);
    }
    if !before.is_empty() {
        let mut blocks = Vec::with_capacity(draft.blocks.len() + before.len());
        before
            .iter()
            .rev()
            .for_each(|&pair| push(&mut blocks, pair));
        draft
            .blocks
            .iter()
            .for_each(|&block| push(&mut blocks, block));
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
) -> Option<(u32, u32)> {
    let old = reach(work, OLD, ends.0, direction);
    if old.is_empty() {
        return None;
    }
    let new = reach(work, NEW, ends.1, direction);
    let (first, there) = (old[0], *new.first()?);
    if work.level(first, there).is_some() {
        return Some((first, there)); // nothing farther can be better
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
            // Across a gap, only an informative element continues the draft.
            if a + b > 0 && weight < 0.25 {
                continue;
            }
            let similarity = match work.level(o, n) {
                Some(level) => 1.0 - f32::from(level) * 0.01,
                None if weight > 0.0 => work.edited_similarity(o, n),
                None => 0.0,
            };
            if similarity < work.options.edit_similarity {
                continue;
            }
            let worth = similarity - 0.1 * skipped;
            let beaten = best.is_some_and(|(w, ..)| w >= worth);
            if beaten || (similarity < 0.99 && has_better_place(work, o, n, similarity)) {
                continue;
            }
            best = Some((worth, o, n));
        }
    }
    best.map(|(_, o, n)| (o, n))
}

/// The free elements beyond an end, nearest first, up to one more than the gap.
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
            Direction::Forward if (at as usize) < work.counterpart[side].len() && at > 0 => {
                (at, at - 1)
            }
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

/// Joins drafts that continue each other across a small gap with nothing kept in
/// it, and pairs similar elements in between.
pub(super) fn join<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &mut MoveCandidates) {
    if work.options.threshold >= 1.0 {
        return;
    }
    let gap = work.reach();
    let starts: Vec<(u32, u32)> = drafts
        .standing()
        .map(|(id, draft)| (draft.old().start, id))
        .collect();
    let mut last: Option<u32> = None;
    for at in order_by(starts.len(), |at| starts[at].0) {
        let id = starts[at as usize].1;
        let joined = last.and_then(|before| {
            let (a, b) = (drafts.get(before)?, drafts.get(id)?);
            let near = |end: u32, start: u32| start >= end && start - end <= gap;
            let apart =
                near(a.old().end, b.old().start) && near(a.new_range().end, b.new_range().start);
            let (old, new) = (
                a.old().end..b.old().start,
                a.new_range().end..b.new_range().start,
            );
            (apart
                && work.is_open(OLD, old.start, old.end)
                && work.is_open(NEW, new.start, new.end))
            .then_some(before)
        });
        match joined {
            Some(before) => {
                let Some(tail) = drafts.dismiss(work, id) else {
                    continue;
                };
                let Some(mut draft) = drafts.drafts[before as usize].take() else {
                    continue;
                };
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

impl MoveCandidates {
    fn get(&self, id: u32) -> Option<&MoveCandidate> {
        self.drafts[id as usize].as_ref()
    }
}

/// Longest gap that counts as edited; a longer one was rewritten.
const EDITED: u32 = 8;

/// Whether `old` or `new` has a better match in its own place.
fn has_better_place<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    old: u32,
    new: u32,
    than: f32,
) -> bool {
    let free = |side: usize, range: Range<u32>| range.filter(move |&i| work.is_free(side, i));
    free(NEW, opposite(work, OLD, old)).any(|n| n != new && work.similarity(old, n) > than)
        || free(OLD, opposite(work, NEW, new)).any(|o| o != old && work.similarity(o, new) > than)
}

/// The elements of the other side between the same kept neighbours. Empty if
/// there are too many, or if there is no partner.
fn opposite<P: Problem + ?Sized>(work: &Work<'_, P>, side: usize, index: u32) -> Range<u32> {
    let s = work.segment(side, index);
    let partner = match side {
        OLD => work.segments[NEW].get(work.partner[s] as usize),
        _ => work
            .partner
            .iter()
            .position(|&p| p as usize == s)
            .map(|o| &work.segments[OLD][o]),
    };
    let Some(partner) = partner else { return 0..0 };
    let segment = &work.segments[side][s];
    let kept = |i: &u32| work.is_kept(side, *i);
    let far = 4 * EDITED;
    let before = (segment.start.max(index.saturating_sub(far))..index)
        .rev()
        .find(kept);
    let after = (index + 1..segment.end.min(index + far)).find(kept);
    let start = match before {
        Some(i) => work.counterpart[side][i as usize] + 1,
        None if index - segment.start <= far => partner.start,
        None => return 0..0,
    };
    let end = match after {
        Some(i) => work.counterpart[side][i as usize],
        None if segment.end - index <= far => partner.end,
        None => return 0..0,
    };
    if end.saturating_sub(start) > EDITED {
        0..0
    } else {
        start..end.max(start)
    }
}
