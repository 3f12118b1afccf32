//! Evidence for a move: the components of its confidence.

use super::similarity::{pairs, similarity};
use super::{MoveCandidate, MoveCandidates};
use crate::work::{NEW, OLD, Work};
use crate::{Evidence, Problem};

/// Longest block whose elements are all weighed; longer ones are weighed by as
/// many evenly spaced elements.
const WEIGHED_WHOLE: u32 = 64;

/// A draft under judgement.
pub(crate) struct Verdict {
    pub similarity: f32,
    pub evidence: Evidence,
}

/// Token counts among the elements that were not kept.
pub(crate) struct Pool {
    counts: [Vec<u32>; 2],
}

impl Pool {
    pub(crate) fn new<P: Problem + ?Sized>(work: &Work<'_, P>, drafts: &MoveCandidates) -> Self {
        let mut counts = [vec![0; work.distinct], vec![0; work.distinct]];
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
    /// Collects the evidence for an accepted draft.
    pub(crate) fn new<P: Problem + ?Sized>(
        work: &Work<'_, P>,
        draft: &MoveCandidate,
        pool: &Pool,
    ) -> Self {
        let similarity = draft.similarity.unwrap_or_else(|| similarity(work, draft));
        let (mut weight, mut unique, mut count) = (0.0, 0.0, 0u32);
        let mut strayed = 0.0;
        let diagonal = |o: u32, n: u32| f64::from(n) - f64::from(o);
        let first = draft.blocks[0];
        for &block in &draft.blocks {
            let step = block.len.div_ceil(WEIGHED_WHOLE);
            let weighed = (0..block.len).step_by(step as usize);
            let scale = block.len as f32 / weighed.clone().count() as f32;
            for i in weighed {
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
            uniqueness: (unique / count).min(1.0),
            consistency,
            distance: distance(work, draft),
            margin: runner_up
                .as_ref()
                .map_or(1.0, |(_, share)| (1.0 - share).clamp(0.0, 1.0)),
            runner_up: runner_up.map(|(ends, _)| ends),
        };
        Self {
            similarity,
            evidence,
        }
    }
}

/// 1 across segments; within one, the share of the distance between the ends that
/// exceeds the block itself.
fn distance<P: Problem + ?Sized>(work: &Work<'_, P>, draft: &MoveCandidate) -> f32 {
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
