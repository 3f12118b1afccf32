//! Which drafts are moves: alike enough, saying enough, not rewritten.

use super::evidence::{is_near, says_enough};
use super::{Draft, Drafts};
use crate::align::Block;
use crate::work::{NEW, OLD, Work};
use crate::{Evidence, Guard, Problem};
use std::ops::Range;

/// Weight of an element that says nothing: inserting one is still no exact move.
const LEAST: f32 = 0.01;

/// A draft as it is judged.
pub(crate) struct Verdict {
    pub likeness: f32,
    pub evidence: Evidence,
}

/// Judges the drafts from number `from` on: cuts them where too little
/// survives, dismisses what is left with too little evidence or is rewritten.
pub(super) fn all<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &mut Drafts, from: usize) {
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
    for (_, draft) in drafts.standing().filter(|(id, _)| *id as usize >= from) {
        hold(work, draft);
    }
}

/// A move holds nothing but its own: cut where an element inside went another
/// way, and where a gap has become too wide.
fn apart<P: Problem + ?Sized>(work: &Work<'_, P>, draft: &Draft) -> Vec<Draft> {
    if draft.blocks.len() == 1 {
        return Vec::new();
    }
    let own = |side: usize, mut range: Range<u32>| range.all(|i| work.is_free(side, i));
    let mut pieces = vec![Vec::new()];
    for (b, &block) in draft.blocks.iter().enumerate() {
        if let Some(before) = b.checked_sub(1).map(|b| draft.blocks[b]) {
            let near = block.old - before.old_end() <= work.gap()
                && block.new - before.new_end() <= work.gap();
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
        .map(|blocks| Draft {
            blocks,
            runner_up: runner_up.clone(),
            weighed: false,
            likeness: None,
        })
        .collect()
}

/// What is unpaired inside a move belongs to it.
fn hold<P: Problem + ?Sized>(work: &mut Work<'_, P>, draft: &Draft) {
    let ranges = [draft.old(), draft.new_range()];
    for (side, range) in ranges.into_iter().enumerate() {
        for index in range {
            if work.is_unpaired(side, index) {
                work.held[side][index as usize] = true;
            }
        }
    }
}

fn judge<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &mut Drafts, id: u32) {
    let Some(draft) = &drafts.drafts[id as usize] else {
        return;
    };
    if let ([block], true) = (
        &draft.blocks[..],
        draft.weighed && work.options.min_survival <= 0.0,
    ) && all_exact(work, *block)
    {
        if let Some(draft) = &mut drafts.drafts[id as usize] {
            draft.likeness = Some(1.0);
        }
        return;
    }
    let ends = (draft.old(), draft.new_range());
    if rewritten(work, draft) {
        drafts.dismiss(work, id);
        work.outcome.refuse(Guard::Rewritten, ends, None);
        return;
    }
    let found = likeness(work, draft);
    if found >= work.options.threshold {
        if !draft.weighed && !enough(work, draft) {
            drafts.dismiss(work, id);
            work.outcome.refuse(Guard::LittleEvidence, ends, None);
        } else if let Some(draft) = &mut drafts.drafts[id as usize] {
            draft.likeness = Some(found);
        }
        return;
    }
    let Some(draft) = drafts.dismiss(work, id) else {
        return;
    };
    for piece in split(work, draft) {
        if enough(work, &piece) {
            drafts.accept(work, piece);
        } else {
            let ends = (piece.old(), piece.new_range());
            work.outcome.refuse(Guard::LittleEvidence, ends, None);
        }
    }
}

/// The guard on evidence for a finished draft: what survived must say enough,
/// and unedited elements count in full, edited ones by what is left of them.
fn enough<P: Problem + ?Sized>(work: &Work<'_, P>, draft: &Draft) -> bool {
    if says_enough_exactly(work, draft) {
        return true;
    }
    let mut weight = 0.0;
    let mut telling = 0;
    for (o, n) in pairs(&draft.blocks) {
        let w = work.weight(OLD, o).min(work.weight(NEW, n));
        weight += w * work.likeness(o, n);
        telling += u32::from(w > 0.0);
    }
    match telling {
        0 => false,
        1 if is_near(work, draft.blocks[0]) => weight >= work.options.min_near_weight * 0.99,
        1 => weight >= work.options.min_lone_weight * 0.99,
        _ => {
            weight
                >= work
                    .options
                    .min_weight
                    .max(0.6 * work.options.min_lone_weight)
        }
    }
}

fn says_enough_exactly<P: Problem + ?Sized>(work: &Work<'_, P>, draft: &Draft) -> bool {
    if let [block] = draft.blocks[..] {
        return all_exact(work, block) && says_enough(work, &[block]);
    }
    let equal: Vec<Block> = pairs(&draft.blocks)
        .take(4)
        .filter(|&(o, n)| work.exact(o, n))
        .map(|(old, new)| Block { old, new, len: 1 })
        .collect();
    !equal.is_empty() && says_enough(work, &equal)
}

fn pairs(blocks: &[Block]) -> impl Iterator<Item = (u32, u32)> {
    blocks
        .iter()
        .flat_map(|b| (b.old..b.old_end()).zip(b.new..b.new_end()))
}

/// Surviving and whole weight of a stretch of a draft.
#[derive(Clone, Copy, Default)]
struct Share {
    survived: f32,
    whole: f32,
}

impl Share {
    fn ratio(self) -> f32 {
        if self.whole > 0.0 {
            self.survived / self.whole
        } else {
            1.0
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            survived: self.survived + other.survived,
            whole: self.whole + other.whole,
        }
    }
}

fn of_pair<P: Problem + ?Sized>(work: &Work<'_, P>, old: u32, new: u32) -> Share {
    if work.exact(old, new) {
        let whole = 2.0 * work.weight(OLD, old).max(LEAST);
        return Share {
            survived: whole,
            whole,
        };
    }
    let whole = work.weight(OLD, old).max(LEAST) + work.weight(NEW, new).max(LEAST);
    Share {
        survived: whole * work.likeness(old, new),
        whole,
    }
}

fn all_exact<P: Problem + ?Sized>(work: &Work<'_, P>, block: Block) -> bool {
    let old = &work.tokens[OLD][block.old as usize..block.old_end() as usize];
    old == &work.tokens[NEW][block.new as usize..block.new_end() as usize]
}

/// Exact blocks longer than this are weighed by a sample.
const WEIGHED: u32 = 4;

/// The elements of a block that stand for all: each of a short one, evenly
/// spaced ones of a long one.
fn sample(block: Block) -> impl Iterator<Item = u32> + Clone {
    let step = block.len.div_ceil(WEIGHED).max(1);
    (step / 2..block.len).step_by(step as usize)
}

fn of_block<P: Problem + ?Sized>(work: &Work<'_, P>, block: Block) -> Share {
    let of = |i: u32| of_pair(work, block.old + i, block.new + i);
    if block.len <= WEIGHED || !all_exact(work, block) {
        return (0..block.len).map(of).fold(Share::default(), Share::plus);
    }
    let share = sample(block).map(of).fold(Share::default(), Share::plus);
    let scale = block.len as f32 / sample(block).count() as f32;
    Share {
        survived: share.survived * scale,
        whole: share.whole * scale,
    }
}

/// What lies unpaired between two stretches of a draft.
fn of_gap<P: Problem + ?Sized>(work: &Work<'_, P>, old: Range<u32>, new: Range<u32>) -> Share {
    let loose = |side: usize, range: Range<u32>| -> f32 {
        range
            .filter(|&i| work.is_unpaired(side, i))
            .map(|i| work.weight(side, i).max(LEAST))
            .sum()
    };
    Share {
        survived: 0.0,
        whole: loose(OLD, old) + loose(NEW, new),
    }
}

/// The share of a draft's weight that survives in place; 1.0 only when exact.
fn likeness<P: Problem + ?Sized>(work: &Work<'_, P>, draft: &Draft) -> f32 {
    if let [block] = draft.blocks[..]
        && all_exact(work, block)
    {
        return 1.0;
    }
    let paired = draft
        .blocks
        .iter()
        .map(|&b| of_block(work, b))
        .fold(Share::default(), Share::plus);
    let gaps = draft
        .blocks
        .windows(2)
        .map(|w| of_gap(work, w[0].old_end()..w[1].old, w[0].new_end()..w[1].new));
    gaps.fold(paired, Share::plus).ratio().min(1.0)
}

/// Cuts a draft into pieces that are alike enough: at its worst gap while it
/// has one, then before and after its least alike pair.
fn split<P: Problem + ?Sized>(work: &Work<'_, P>, draft: Draft) -> Vec<Draft> {
    let mut todo = vec![draft];
    let mut pieces = Vec::new();
    while let Some(draft) = todo.pop() {
        let found = likeness(work, &draft);
        if found >= work.options.threshold {
            pieces.push(Draft {
                likeness: Some(found),
                ..draft
            });
            continue;
        }
        let (left, right) = cut(work, &draft.blocks);
        for blocks in [right, left] {
            if !blocks.is_empty() {
                todo.push(Draft {
                    blocks,
                    runner_up: draft.runner_up.clone(),
                    weighed: false,
                    likeness: None,
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

/// The guard on rewriting: the draft lies in a whole deleted run and a whole
/// inserted run of the same length, on their diagonal, and too little of the
/// run survives.
fn rewritten<P: Problem + ?Sized>(work: &Work<'_, P>, draft: &Draft) -> bool {
    if work.options.min_survival <= 0.0 {
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
            if work.mate[OLD][o as usize] == n {
                return of_pair(work, o, n);
            }
            let likeness = work.likeness(o, n);
            let whole = work.weight(OLD, o).max(LEAST) + work.weight(NEW, n).max(LEAST);
            Share {
                survived: whole * likeness,
                whole,
            }
        })
        .fold(Share::default(), Share::plus);
    share.ratio() < work.options.min_survival
}

/// The longest stretch around `range` of which nothing is paired.
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

/// How often tokens occur among what was not kept.
pub(crate) struct Pool {
    counts: [Vec<u32>; 2],
}

impl Pool {
    pub(crate) fn new<P: Problem + ?Sized>(
        work: &Work<'_, P>,
        drafts: &Drafts,
        distinct: usize,
    ) -> Self {
        let mut counts = [vec![0; distinct], vec![0; distinct]];
        let mut add = |side: usize, index: u32| {
            let token = work.tokens[side][index as usize];
            counts[side][token.0 as usize] += 1;
        };
        for side in [OLD, NEW] {
            let open = work.open.iter().flat_map(|open| open[side].clone());
            open.filter(|&i| work.is_unpaired(side, i))
                .for_each(|i| add(side, i));
        }
        for (o, n) in drafts.standing().flat_map(|(_, d)| pairs(&d.blocks)) {
            add(OLD, o);
            add(NEW, n);
        }
        Self { counts }
    }

    fn repeats<P: Problem + ?Sized>(&self, work: &Work<'_, P>, old: u32, new: u32) -> u32 {
        let count =
            |side: usize, i: u32| self.counts[side][work.tokens[side][i as usize].0 as usize];
        count(OLD, old).max(count(NEW, new)).max(1)
    }
}

impl Verdict {
    /// What speaks for a draft that stands.
    pub(crate) fn new<P: Problem + ?Sized>(work: &Work<'_, P>, draft: &Draft, pool: &Pool) -> Self {
        let likeness = draft.likeness.unwrap_or_else(|| likeness(work, draft));
        let (mut weight, mut unique, mut count) = (0.0, 0.0, 0u32);
        let mut strayed = 0.0;
        let diagonal = |o: u32, n: u32| f64::from(n) - f64::from(o);
        let first = draft.blocks[0];
        for &block in &draft.blocks {
            let scale = block.len as f32 / sample(block).count() as f32;
            for i in sample(block) {
                let (o, n) = (block.old + i, block.new + i);
                let rare = scale / pool.repeats(work, o, n) as f32;
                weight += work.weight(OLD, o) * rare;
                unique += rare;
            }
            count += block.len;
            let off = diagonal(block.old, block.new) - diagonal(first.old, first.new);
            strayed += off.abs() * f64::from(block.len);
        }
        let count = count.max(1) as f32;
        let consistency = 1.0 / (1.0 + strayed as f32 / (count * count));
        let runner_up = draft.runner_up.clone();
        let evidence = Evidence {
            weight,
            size: weight / (weight + 1.0),
            uniqueness: unique / count,
            consistency,
            distance: distance(work, draft),
            margin: runner_up
                .as_ref()
                .map_or(1.0, |(_, share)| (1.0 - share).clamp(0.0, 1.0)),
            runner_up: runner_up.map(|(ends, _)| ends),
        };
        Self { likeness, evidence }
    }
}

/// 1 across segments; within one, how much of the way between the ends is more
/// than the block itself.
fn distance<P: Problem + ?Sized>(work: &Work<'_, P>, draft: &Draft) -> f32 {
    let (old, new) = (draft.old(), draft.new_range());
    let (s, t) = (work.segment(OLD, old.start), work.segment(NEW, new.start));
    if work.partner[s] != t as u32 {
        return 1.0;
    }
    let from = old.start - work.segments[OLD][s].start;
    let to = new.start - work.segments[NEW][t].start;
    let way = from.abs_diff(to) as f32;
    (way + 1.0) / (way + 1.5)
}
