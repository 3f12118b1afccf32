//! Decides which drafts are moves: similar enough, informative, not rewritten.

use super::price::Price;
use super::similarity::{LEAST, Share, of_gap, of_pair, pairs, similarity};
use super::{MoveCandidate, MoveCandidates};
use crate::align::Block;
use crate::work::{NEW, OLD, Work};
use crate::{Guard, Problem};
use std::ops::Range;

/// Judges the drafts numbered `from` and up: cuts them where too little survives,
/// then dismisses pieces that are rewritten or have too little evidence.
pub(super) fn all<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    drafts: &mut MoveCandidates,
    from: usize,
) {
    for id in from..drafts.drafts.len() {
        let Some(draft) = &drafts.drafts[id] else {
            continue;
        };
        let pieces = apart(work, draft);
        if pieces.len() > 1 {
            drafts.dismiss(work, id as u32);
            for own in pieces {
                drafts.accept(work, own);
            }
        }
    }
    let count = drafts.drafts.len();
    for id in from..count {
        judge(work, drafts, id as u32);
    }
    dismiss_light(work, drafts, from);
    for (_, draft) in drafts.standing().filter(|(id, _)| *id as usize >= from) {
        hold(work, draft);
    }
}

/// Dismisses drafts that are no longer similar enough because their edges gave up
/// equal elements.
pub(super) fn dismiss_unlike<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    drafts: &mut MoveCandidates,
) {
    for id in 0..drafts.drafts.len() {
        let Some(draft) = &mut drafts.drafts[id] else {
            continue;
        };
        if draft.similarity.is_some() {
            continue;
        }
        let found = similarity(work, draft);
        if found >= least(work, draft) {
            draft.similarity = Some(found);
            continue;
        }
        let ranges = [draft.old(), draft.new_range()];
        drafts.dismiss(work, id as u32);
        for (side, range) in ranges.into_iter().enumerate() {
            work.held[side][range.start as usize..range.end as usize].fill(false);
        }
    }
}

/// The guard on evidence: the rest of a draft must still be worth the cost of
/// reporting it, which is higher among other changes.
fn dismiss_light<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    drafts: &mut MoveCandidates,
    from: usize,
) {
    for id in from..drafts.drafts.len() {
        let Some(draft) = &drafts.drafts[id] else {
            continue;
        };
        let price = Price::of_move(work, &draft.blocks, is_embedded(work, draft));
        if !price.is_worth_it() {
            let ends = (draft.old(), draft.new_range());
            drafts.dismiss(work, id as u32);
            work.outcome.refuse(Guard::LittleEvidence, ends, None);
        }
    }
}

/// Cuts a draft where an element inside is paired elsewhere, and where a gap is
/// too wide: a move contains only its own elements.
fn apart<P: Problem + ?Sized>(work: &Work<'_, P>, draft: &MoveCandidate) -> Vec<MoveCandidate> {
    if draft.blocks.len() == 1 {
        return Vec::new();
    }
    let own = |side: usize, mut range: Range<u32>| range.all(|i| work.is_free(side, i));
    let mut pieces = vec![Vec::new()];
    for (b, &block) in draft.blocks.iter().enumerate() {
        if let Some(before) = b.checked_sub(1).map(|b| draft.blocks[b]) {
            let near = block.old - before.old_end() <= work.reach()
                && block.new - before.new_end() <= work.reach();
            let whole = near
                && own(OLD, before.old_end()..block.old)
                && own(NEW, before.new_end()..block.new);
            if !whole {
                pieces.push(Vec::new());
            }
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(block);
        }
    }
    let runner_up = &draft.runner_up;
    let pieces = pieces.into_iter().filter(|blocks| !blocks.is_empty());
    pieces
        .map(|blocks| MoveCandidate {
            blocks,
            runner_up: runner_up.clone(),
            twins: Vec::new(),
            similarity: None,
        })
        .collect()
}

/// Assigns unpaired elements inside a move to it.
fn hold<P: Problem + ?Sized>(work: &mut Work<'_, P>, draft: &MoveCandidate) {
    let ranges = [draft.old(), draft.new_range()];
    for (side, range) in ranges.into_iter().enumerate() {
        for index in range {
            if work.is_unpaired(side, index) {
                work.held[side][index as usize] = true;
            }
        }
    }
}

fn judge<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &mut MoveCandidates, id: u32) {
    let Some(draft) = &drafts.drafts[id as usize] else {
        return;
    };
    let found = similarity(work, draft);
    if rewritten(work, draft) {
        let ends = (draft.old(), draft.new_range());
        drafts.dismiss(work, id);
        work.outcome.refuse(Guard::Rewritten, ends, None);
    } else if found < 1.0 && found < least(work, draft) {
        let Some(draft) = drafts.dismiss(work, id) else {
            return;
        };
        for piece in split(work, draft) {
            drafts.accept(work, piece);
        }
    } else if let Some(draft) = &mut drafts.drafts[id as usize] {
        draft.similarity = Some(found);
    }
}

/// Least similarity of a draft; lower if unedited elements hold both of its ends.
fn least<P: Problem + ?Sized>(work: &Work<'_, P>, draft: &MoveCandidate) -> f32 {
    let held = |(o, n): &(u32, u32)| work.level(*o, *n).is_some() && work.weight(OLD, *o) > 0.0;
    let near = work.gap().max(1) as usize;
    let holds = |mut pairs: &mut dyn Iterator<Item = (u32, u32)>| {
        (&mut pairs).take(near).any(|pair| held(&pair))
    };
    let (first, last) = (draft.blocks.iter(), draft.blocks.iter().rev());
    let starts = holds(&mut first.flat_map(|b| (b.old..b.old_end()).zip(b.new..)));
    let ends = starts
        && holds(&mut last.flat_map(|b| {
            let pairs = (b.old..b.old_end()).zip(b.new..b.new_end());
            pairs.rev()
        }));
    if !ends {
        return work.options.threshold;
    }
    let mut weight = 0.0;
    for (o, n) in pairs(&draft.blocks).filter(held) {
        weight += work.weight(OLD, o).min(work.weight(NEW, n));
        if weight >= HELD_BY {
            return work.options.least_held();
        }
    }
    work.options.threshold
}

/// Minimum weight of unedited elements that hold a block together.
const HELD_BY: f32 = 3.0;

/// Whether a draft lies among deletions and insertions: new text shares lines
/// with any old text by chance.
fn is_embedded<P: Problem + ?Sized>(work: &Work<'_, P>, draft: &MoveCandidate) -> bool {
    let mut count = 0;
    for (side, range) in [draft.old(), draft.new_range()].into_iter().enumerate() {
        let free = |i: u32| work.is_free(side, i) && work.weight(side, i) > 0.0;
        let before = range
            .start
            .checked_sub(1)
            .filter(|&i| work.touches(side, i));
        let behind = work.touches(side, range.end - 1).then_some(range.end);
        count += [before, behind]
            .into_iter()
            .flatten()
            .filter(|&i| free(i))
            .count();
    }
    count >= 2
}

/// Cuts a draft into pieces that are similar enough: at its worst gap while it
/// has one, then before and after its least similar pair.
fn split<P: Problem + ?Sized>(work: &Work<'_, P>, draft: MoveCandidate) -> Vec<MoveCandidate> {
    let mut todo = vec![draft];
    let mut pieces = Vec::new();
    while let Some(draft) = todo.pop() {
        let found = similarity(work, &draft);
        if found >= least(work, &draft) {
            pieces.push(MoveCandidate {
                similarity: Some(found),
                ..draft
            });
            continue;
        }
        let (left, right) = cut(work, &draft.blocks);
        for blocks in [right, left] {
            if !blocks.is_empty() {
                todo.push(MoveCandidate {
                    blocks,
                    runner_up: draft.runner_up.clone(),
                    twins: Vec::new(),
                    similarity: None,
                });
            }
        }
    }
    pieces
}

/// The blocks before and after the worst place of a draft.
fn cut<P: Problem + ?Sized>(work: &Work<'_, P>, blocks: &[Block]) -> (Vec<Block>, Vec<Block>) {
    let gaps = blocks.windows(2).enumerate().map(|(b, w)| {
        let gap = of_gap(work, w[0].old_end()..w[1].old, w[0].new_end()..w[1].new);
        (b + 1, gap.whole)
    });
    let worst_gap = gaps.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    let worst_pair = pairs(blocks)
        .map(|(o, n)| {
            let share = of_pair(work, o, n);
            ((o, n), share.whole - share.survived)
        })
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    match (worst_gap, worst_pair) {
        (Some((at, loss)), pair) if pair.is_none_or(|(_, l)| loss >= l) => {
            (blocks[..at].to_vec(), blocks[at..].to_vec())
        }
        (_, Some(((o, _), _))) => {
            let side = |keep: &dyn Fn(u32) -> bool| {
                let mut kept = Vec::new();
                for (old, new) in pairs(blocks).filter(|&(old, _)| keep(old)) {
                    crate::align::push(&mut kept, Block { old, new, len: 1 });
                }
                kept
            };
            (side(&|old| old < o), side(&|old| old > o))
        }
        _ => (Vec::new(), Vec::new()),
    }
}

/// The guard on rewriting: the draft lies in a deleted run and an inserted run of
/// the same length, on their diagonal, and too little of the run survives.
fn rewritten<P: Problem + ?Sized>(work: &Work<'_, P>, draft: &MoveCandidate) -> bool {
    if work.options.held < 1.0 {
        return false;
    }
    let (old, new) = (
        run(work, OLD, &draft.old()),
        run(work, NEW, &draft.new_range()),
    );
    let same_shape = old.len() == new.len()
        && draft.old().start - old.start == draft.new_range().start - new.start;
    if !same_shape || (old == draft.old() && draft.blocks.len() == 1) {
        return false;
    }
    let share = old
        .zip(new)
        .map(|(o, n)| {
            if work.counterpart[OLD][o as usize] == n {
                return of_pair(work, o, n);
            }
            let similarity = work.similarity(o, n);
            let whole = work.weight(OLD, o).max(LEAST) + work.weight(NEW, n).max(LEAST);
            Share {
                survived: whole * similarity,
                whole,
            }
        })
        .fold(Share::default(), Share::plus);
    share.ratio() < work.options.threshold
}

/// The longest unpaired stretch around `range`.
fn run<P: Problem + ?Sized>(work: &Work<'_, P>, side: usize, range: &Range<u32>) -> Range<u32> {
    let kept = |i: u32| !work.is_free(side, i);
    let (mut start, mut end) = (range.start, range.end);
    while start > 0 && work.touches(side, start - 1) && !kept(start - 1) {
        start -= 1;
    }
    while work.touches(side, end - 1) && !kept(end) {
        end += 1;
    }
    start..end
}
