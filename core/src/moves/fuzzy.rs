//! Finds blocks in which every element was edited: rare features propose them,
//! similarity decides.

use super::MoveCandidates;
use super::candidates::Chain;
use super::price::Price;
use super::select::{CandidateKind, select};
use crate::align::{Block, NONE};
use crate::positions::PositionSet;
use crate::work::{Leftover, NEW, OLD, Work};
use crate::{Interner, Limit, Problem};

/// A feature in more unmatched elements than this is not informative.
const COMMON: usize = 8;
/// With more leftover elements than this, only every other one is looked up.
const SPARSE: usize = 1 << 12;
/// How far around its own rank an element's rivals are searched.
const NEAR: usize = 8;
/// Places tried for one element.
const TRIED: usize = 4;

/// Finds blocks without an unedited element.
pub(super) fn seek<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    drafts: &mut MoveCandidates,
    unmatched: &[Vec<Leftover>; 2],
) {
    if work.options.threshold >= 1.0 {
        return;
    }
    if unmatched[OLD].is_empty() || unmatched[NEW].is_empty() {
        return;
    }
    let room = work.options.budget.featured;
    if (unmatched[OLD].len() + unmatched[NEW].len()) as u64 > room {
        work.outcome.spent(Limit::Featured);
        return;
    }
    // Index the side with fewer leftovers, look up the elements of the other.
    let (few, many) = if unmatched[OLD].len() <= unmatched[NEW].len() {
        (OLD, NEW)
    } else {
        (NEW, OLD)
    };
    let index = FeatureIndex::new(work, few, &unmatched[few]);
    let gap_of = |side: usize, index: u32| {
        let at = unmatched[side].partition_point(|l| l.index < index);
        unmatched[side]
            .get(at)
            .filter(|l| l.index == index)
            .map(|l| l.gap)
    };
    let mut seen: PositionSet<(u32, u32)> = PositionSet::default();
    let mut candidates = Vec::new();
    let mut budget = work.options.budget.feature_pairs;
    let mut features = Vec::new();
    let mut proposals = Proposals::default();
    // With many leftovers, look up every other one: a block of two contains one
    // of them and grows from there.
    let sparse = unmatched[many].len() > SPARSE;
    let mut last = NONE;
    for item in &unmatched[many] {
        if sparse && last != NONE && last + 1 == item.index {
            last = NONE;
            continue;
        }
        last = item.index;
        features.clear();
        work.features(many, item.index, &mut features);
        index.proposals(&features, &mut proposals);
        for &(_, other) in &proposals.votes {
            if budget == 0 {
                work.outcome.spent(Limit::FeaturePairs);
                break;
            }
            budget -= 1;
            let (old, new) = if many == OLD {
                (item.index, other)
            } else {
                (other, item.index)
            };
            if seen.contains(&(old, new)) || work.weight(OLD, old) <= 0.0 {
                continue;
            }
            if let Some(candidate) = grow(work, old, new, &mut seen) {
                let first = candidate.blocks[0];
                let gaps = (gap_of(OLD, first.old), gap_of(NEW, first.new));
                if gaps.0 != gaps.1 && !has_rival(work, unmatched, (old, new)) {
                    candidates.push(candidate);
                }
            }
        }
    }
    select(work, drafts, (candidates, unmatched), CandidateKind::Alike);
}

/// Whether an element of a pair has an equally similar one between its own kept
/// neighbours, and so was edited in place. Once edits in place are paired, no
/// leftover has such a rival.
fn has_rival<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    unmatched: &[Vec<Leftover>; 2],
    (old, new): (u32, u32),
) -> bool {
    if work.options.edits {
        return false;
    }
    let similarity = work.similarity(old, new);
    [(OLD, old), (NEW, new)].into_iter().any(|(side, index)| {
        let own = &unmatched[side];
        let Some(at) = own.binary_search_by_key(&index, |l| l.index).ok() else {
            return false;
        };
        let gap = own[at].gap;
        let rank = own[..at].iter().rev().take_while(|l| l.gap == gap).count();
        let others = &unmatched[1 - side];
        // Gaps are in order where partners are.
        let start = others.partition_point(|l| l.gap < gap);
        let facing = others[start..].iter().take_while(|l| l.gap == gap);
        let near = facing.skip(rank.saturating_sub(NEAR)).take(2 * NEAR + 1);
        near.map(|l| match side {
            OLD => work.similarity(index, l.index),
            _ => work.similarity(l.index, index),
        })
        .any(|rival| rival >= similarity)
    })
}

/// The elements that have each rare feature.
struct FeatureIndex {
    features: Interner,
    /// For each feature, where its elements end in `holders`; a common feature has
    /// none.
    ends: Vec<u32>,
    holders: Vec<u32>,
}

impl FeatureIndex {
    fn new<P: Problem + ?Sized>(work: &Work<'_, P>, side: usize, unmatched: &[Leftover]) -> Self {
        let mut features = Interner::with_capacity(unmatched.len());
        let mut counts: Vec<u32> = Vec::new();
        // The features of all elements, as (feature, element).
        let mut held: Vec<(u32, u32)> = Vec::with_capacity(unmatched.len() * 4);
        let mut own = Vec::new();
        for item in unmatched {
            own.clear();
            work.features(side, item.index, &mut own);
            let first = held.len();
            for &feature in &own {
                // Features are compared by hash only: a collision costs a wasted
                // proposal.
                let slot = features.intern(feature, |_| true).0;
                if slot as usize == counts.len() {
                    counts.push(0);
                }
                if !held[first..].contains(&(slot, item.index)) {
                    held.push((slot, item.index));
                    counts[slot as usize] += 1;
                }
            }
        }
        let mut end = 0;
        for count in &mut counts {
            let start = end;
            if *count as usize <= COMMON {
                end += *count;
                *count = start;
            } else {
                *count = NONE;
            }
        }
        let mut ends = counts;
        let mut holders = vec![0; end as usize];
        for (slot, element) in held {
            let at = &mut ends[slot as usize];
            if *at != NONE {
                holders[*at as usize] = element;
                *at += 1;
            }
        }
        // A common feature ends where the one before it does.
        let mut last = 0;
        for end in &mut ends {
            *end = if *end == NONE { last } else { *end };
            last = *end;
        }
        Self {
            features,
            ends,
            holders,
        }
    }

    fn holders(&self, slot: usize) -> &[u32] {
        let start = slot.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.holders[start as usize..self.ends[slot] as usize]
    }

    /// The elements that share the most rare features, best first.
    fn proposals(&self, features: &[u64], proposals: &mut Proposals) {
        let Proposals { found, votes } = proposals;
        found.clear();
        votes.clear();
        for feature in features {
            if let Some(slot) = self.features.find(*feature) {
                found.extend_from_slice(self.holders(slot.0 as usize));
            }
        }
        // Elements that share less than a third of their features are not
        // similar.
        if found.len() * 3 < features.len() {
            return;
        }
        found.sort_unstable();
        let counted = found.chunk_by(|a, b| a == b);
        let counted = counted.map(|same| (same.len(), same[0]));
        votes.extend(counted.filter(|(count, _)| count * 3 >= features.len()));
        votes.sort_unstable_by_key(|&(count, element)| (std::cmp::Reverse(count), element));
        votes.truncate(TRIED);
    }
}

/// Buffers of [`FeatureIndex::proposals`].
#[derive(Default)]
struct Proposals {
    /// Elements that share a feature, once for each.
    found: Vec<u32>,
    /// How many features an element shares.
    votes: Vec<(usize, u32)>,
}

/// Grows a block around a pair along its diagonal while elements are similar.
/// `None` if it is below the threshold or not informative enough.
fn grow<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    old: u32,
    new: u32,
    seen: &mut PositionSet<(u32, u32)>,
) -> Option<Chain> {
    let floor = work.options.edit_similarity;
    let alike = |o: u32, n: u32| {
        let similarity = work.similarity(o, n);
        (similarity >= floor).then_some(similarity)
    };
    alike(old, new)?;
    seen.insert((old, new));
    let (mut start, mut end) = ((old, new), (old + 1, new + 1));
    while start.0 > 0 && start.1 > 0 {
        let (o, n) = (start.0 - 1, start.1 - 1);
        let free = work.touches(OLD, o)
            && work.touches(NEW, n)
            && work.is_free(OLD, o)
            && work.is_free(NEW, n);
        if !free || alike(o, n).is_none() {
            break;
        }
        seen.insert((o, n));
        start = (o, n);
    }
    while work.touches(OLD, end.0 - 1)
        && work.touches(NEW, end.1 - 1)
        && work.is_free(OLD, end.0)
        && work.is_free(NEW, end.1)
    {
        if alike(end.0, end.1).is_none() {
            break;
        }
        seen.insert(end);
        end = (end.0 + 1, end.1 + 1);
    }
    let block = Block {
        old: start.0,
        new: start.1,
        len: end.0 - start.0,
    };
    Price::of_alike(work, &[block])
        .is_worth_it()
        .then(|| Chain::from(vec![block]))
}
