//! Demotes drafts that turn out not to have moved.
//!
//! Cutting, dismissing and reseating change what is kept around a draft. A draft
//! that no longer crosses anything did not move.

use super::MoveCandidates;
use crate::Problem;
use crate::work::{KEPT, NEW, OLD, Work};

/// Turns drafts that cross nothing kept into kept pairs. If several in one place
/// cross each other, the largest is kept first.
pub(super) fn all<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &mut MoveCandidates) {
    if drafts.standing().next().is_none() {
        return;
    }
    let places = places(work, drafts);
    let in_place = |&id: &u32| {
        let [old, new] = places[id as usize];
        old.is_some() && old == new
    };
    let mut ids: Vec<u32> = drafts
        .standing()
        .map(|(id, _)| id)
        .filter(in_place)
        .collect();
    let size = |drafts: &MoveCandidates, id: u32| {
        drafts.drafts[id as usize]
            .as_ref()
            .map_or(0, |d| d.blocks.iter().map(|b| b.len).sum())
    };
    ids.sort_by_key(|&id| {
        (
            places[id as usize][OLD],
            std::cmp::Reverse(size(drafts, id)),
            id,
        )
    });
    for group in ids.chunk_by(|&a, &b| places[a as usize] == places[b as usize]) {
        let mut stayed: Vec<(u32, u32)> = Vec::new(); // starts, increasing on both sides
        for &id in group {
            let Some(draft) = &drafts.drafts[id as usize] else {
                continue;
            };
            let (old, new) = (draft.old().start, draft.new_range().start);
            let at = stayed.partition_point(|s| s.0 < old);
            let fits = stayed[..at].last().is_none_or(|s| s.1 < new)
                && stayed.get(at).is_none_or(|s| s.1 > new);
            if fits {
                stayed.insert(at, (old, new));
                keep(work, drafts, id);
            }
        }
    }
}

/// For each draft and side, where it starts: its gap, and the number of pairs
/// kept in that gap before it. Equal numbers mean that nothing kept lies between.
/// A draft that starts outside all gaps replaces a kept element.
fn places<P: Problem + ?Sized>(work: &Work<'_, P>, drafts: &MoveCandidates) -> Vec<[Place; 2]> {
    let sides = [OLD, NEW].map(|side| {
        let mut gaps: Vec<(u32, u32, u32)> = work
            .open
            .iter()
            .enumerate()
            .map(|(number, open)| (open[side].start, open[side].end, number as u32))
            .filter(|(start, end, _)| start < end)
            .collect();
        gaps.sort_unstable();
        let mut added: Vec<u32> = work
            .added
            .iter()
            .map(|pair| if side == OLD { pair.0 } else { pair.1 })
            .collect();
        added.sort_unstable();
        (gaps, added)
    });
    let place = |side: usize, start: u32| {
        let (gaps, added) = &sides[side];
        let at = gaps.partition_point(|gap| gap.0 <= start).checked_sub(1)?;
        let (from, end, number) = gaps[at];
        let before = |index: u32| added.partition_point(|&a| a < index);
        (start < end).then(|| (number, before(start) - before(from)))
    };
    let mut places = vec![[None; 2]; drafts.count()];
    for (id, draft) in drafts.standing() {
        let (old, new) = (draft.old().start, draft.new_range().start);
        places[id as usize] = [place(OLD, old), place(NEW, new)];
    }
    places
}

/// A gap, and the number of pairs kept in it before.
type Place = Option<(u32, usize)>;

fn keep<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &mut MoveCandidates, id: u32) {
    let Some(draft) = drafts.drafts[id as usize].take() else {
        return;
    };
    for old in draft.blocks.iter().flat_map(|b| b.old..b.old_end()) {
        work.role[old as usize] = KEPT;
    }
    for (side, range) in [draft.old(), draft.new_range()].into_iter().enumerate() {
        work.held[side][range.start as usize..range.end as usize].fill(false);
    }
}
