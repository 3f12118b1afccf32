//! Drafts that turn out to be in their place.
//!
//! Cutting, dismissing and reseating change what is kept around a draft; one
//! that crosses nothing any more did not move.

use super::Drafts;
use crate::align::NONE;
use crate::work::{KEPT, NEW, OLD, Work};
use crate::Problem;

/// Turns drafts that cross nothing kept into kept pairs; of several in one
/// place that cross each other, the largest stays first.
pub(super) fn all<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &mut Drafts) {
    if drafts.standing().next().is_none() {
        return;
    }
    let places = places(work, drafts);
    let in_place = |&id: &u32| {
        let [old, new] = places[id as usize];
        old != NONE && old == new
    };
    let mut ids: Vec<u32> = drafts.standing().map(|(id, _)| id).filter(in_place).collect();
    let size = |drafts: &Drafts, id: u32| {
        drafts.drafts[id as usize].as_ref().map_or(0, |d| d.blocks.iter().map(|b| b.len).sum())
    };
    ids.sort_by_key(|&id| (places[id as usize][OLD], std::cmp::Reverse(size(drafts, id)), id));
    for group in ids.chunk_by(|&a, &b| places[a as usize] == places[b as usize]) {
        let mut stayed: Vec<(u32, u32)> = Vec::new(); // starts, increasing on both sides
        for &id in group {
            let Some(draft) = &drafts.drafts[id as usize] else { continue };
            let (old, new) = (draft.old().start, draft.new_range().start);
            let at = stayed.partition_point(|s| s.0 < old);
            let fits = stayed[..at].last().is_none_or(|s| s.1 < new) && stayed.get(at).is_none_or(|s| s.1 > new);
            if fits {
                stayed.insert(at, (old, new));
                keep(work, drafts, id);
            }
        }
    }
}

/// For each draft the number of the gap in which it starts, on each side; equal
/// numbers mean that nothing kept lies between. What starts outside all gaps
/// took a kept element's seat.
fn places<P: Problem + ?Sized>(work: &Work<'_, P>, drafts: &Drafts) -> Vec<[u32; 2]> {
    let mut places = vec![[NONE; 2]; drafts.count()];
    let mut base = 0;
    for [olds, news] in &work.open {
        let mut gap = base;
        for index in olds.clone() {
            if work.is_kept(OLD, index) {
                gap += 1;
            } else if let Some(draft) = drafts.drafts.get(work.role[index as usize] as usize) {
                if draft.as_ref().is_some_and(|d| d.old().start == index) {
                    places[work.role[index as usize] as usize][OLD] = gap;
                }
            }
        }
        let mut there = base;
        for index in news.clone() {
            let mate = work.mate[NEW][index as usize];
            if mate == NONE {
                continue;
            }
            let role = work.role[mate as usize];
            if role == KEPT {
                there += 1;
            } else if drafts.drafts[role as usize].as_ref().is_some_and(|d| d.new_range().start == index) {
                places[role as usize][NEW] = there;
            }
        }
        base = gap.max(there) + 1;
    }
    places
}

fn keep<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &mut Drafts, id: u32) {
    let Some(draft) = drafts.drafts[id as usize].take() else { return };
    for old in draft.blocks.iter().flat_map(|b| b.old..b.old_end()) {
        work.role[old as usize] = KEPT;
    }
    for (side, range) in [draft.old(), draft.new_range()].into_iter().enumerate() {
        work.held[side][range.start as usize..range.end as usize].fill(false);
    }
}
