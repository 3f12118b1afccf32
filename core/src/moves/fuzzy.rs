//! Blocks in which every element was edited: proposed by rare features,
//! decided by likeness.

use super::candidates::{Candidate, choose};
use super::Drafts;
use crate::align::{Block, NONE};
use crate::work::{Loose, NEW, OLD, SIDES, Work};
use crate::{Limit, Problem, Strategy};
use std::collections::{HashMap, HashSet};

/// A feature in more loose elements than this tells nothing.
const COMMON: usize = 8;
/// Places tried for one element.
const TRIED: usize = 4;

/// Finds blocks without an unedited element.
pub(super) fn seek<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &mut Drafts) {
    if work.options.threshold >= 1.0 {
        return;
    }
    let loose = work.loose();
    if loose[OLD].is_empty() || loose[NEW].is_empty() {
        return;
    }
    let room = work.options.budget.featured;
    if (loose[OLD].len() + loose[NEW].len()) as u64 > room {
        work.outcome.spent(Limit::Featured);
        return;
    }
    let index = index(work, &loose[NEW]);
    let gap: [HashMap<u32, u32>; 2] = [OLD, NEW].map(|side| {
        loose[side].iter().map(|l| (l.index, l.gap)).collect()
    });
    let mut seen: HashSet<(u32, u32)> = HashSet::new();
    let mut candidates = Vec::new();
    let mut budget = work.options.budget.feature_pairs;
    let mut features = Vec::new();
    for item in &loose[OLD] {
        if work.weight(OLD, item.index) <= 0.0 {
            continue;
        }
        features.clear();
        work.problem.features(SIDES[OLD], item.index, &mut features);
        for new in proposals(&features, &index) {
            if budget == 0 {
                work.outcome.spent(Limit::FeaturePairs);
                break;
            }
            budget -= 1;
            if seen.contains(&(item.index, new)) {
                continue;
            }
            if let Some(candidate) = grow(work, item.index, new, &mut seen) {
                let first = candidate.blocks[0];
                let here = gap[OLD].get(&first.old).copied().unwrap_or(NONE);
                let there = gap[NEW].get(&first.new).copied().unwrap_or(NONE);
                if here == NONE || here != there {
                    candidates.push(candidate);
                }
            }
        }
    }
    choose(work, drafts, candidates, Strategy::FuzzyMoves);
}

/// The new elements that hold each rare feature.
fn index<P: Problem + ?Sized>(work: &Work<'_, P>, loose: &[Loose]) -> HashMap<u64, Vec<u32>> {
    let mut index: HashMap<u64, Vec<u32>> = HashMap::new();
    let mut features = Vec::new();
    for item in loose {
        features.clear();
        work.problem.features(SIDES[NEW], item.index, &mut features);
        features.sort_unstable();
        features.dedup();
        for &feature in &features {
            let holders = index.entry(feature).or_default();
            if holders.len() <= COMMON {
                holders.push(item.index);
            }
        }
    }
    index.retain(|_, holders| holders.len() <= COMMON);
    index
}

/// The new elements that share the most rare features, best first.
fn proposals(features: &[u64], index: &HashMap<u64, Vec<u32>>) -> Vec<u32> {
    let mut holders: Vec<u32> = features
        .iter()
        .filter_map(|feature| index.get(feature))
        .flatten()
        .copied()
        .collect();
    holders.sort_unstable();
    let mut votes: Vec<(usize, u32)> = holders.chunk_by(|a, b| a == b).map(|c| (c.len(), c[0])).collect();
    votes.sort_unstable_by_key(|&(count, new)| (std::cmp::Reverse(count), new));
    votes.truncate(TRIED);
    votes.into_iter().map(|(_, new)| new).collect()
}

/// The block around a pair along its diagonal while elements are alike; `None`
/// below the threshold or with too little weight.
fn grow<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    old: u32,
    new: u32,
    seen: &mut HashSet<(u32, u32)>,
) -> Option<Candidate> {
    let floor = work.options.edit_likeness;
    let alike = |o: u32, n: u32| {
        let likeness = work.likeness(o, n);
        (likeness >= floor).then_some(likeness)
    };
    let mut total = Tally::default();
    total.add(work, (old, new), alike(old, new)?);
    seen.insert((old, new));
    let (mut start, mut end) = ((old, new), (old + 1, new + 1));
    while start.0 > 0 && start.1 > 0 {
        let (o, n) = (start.0 - 1, start.1 - 1);
        let free = work.touches(OLD, o) && work.touches(NEW, n) && work.is_free(OLD, o) && work.is_free(NEW, n);
        let Some(likeness) = free.then(|| alike(o, n)).flatten() else { break };
        total.add(work, (o, n), likeness);
        seen.insert((o, n));
        start = (o, n);
    }
    while work.touches(OLD, end.0 - 1)
        && work.touches(NEW, end.1 - 1)
        && work.is_free(OLD, end.0)
        && work.is_free(NEW, end.1)
    {
        let Some(likeness) = alike(end.0, end.1) else { break };
        total.add(work, end, likeness);
        seen.insert(end);
        end = (end.0 + 1, end.1 + 1);
    }
    // Nothing in it is unedited, so it must say twice as much.
    let enough = total.survived >= 2.0 * work.options.min_lone_weight;
    let block = Block {
        old: start.0,
        new: start.1,
        len: end.0 - start.0,
    };
    (enough && total.survived >= work.options.threshold * total.weight).then(|| Candidate {
        blocks: vec![block],
        score: total.survived,
    })
}

#[derive(Default)]
struct Tally {
    weight: f32,
    survived: f32,
}

impl Tally {
    fn add<P: Problem + ?Sized>(&mut self, work: &Work<'_, P>, pair: (u32, u32), likeness: f32) {
        let weight = f32::midpoint(work.weight(OLD, pair.0), work.weight(NEW, pair.1));
        self.weight += weight;
        self.survived += weight * likeness;
    }
}
