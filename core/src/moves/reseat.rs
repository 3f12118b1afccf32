//! Reconsiders which of two equal neighbours stayed.
//!
//! When `#[test] f #[test] g` becomes `#[test] g`, either attribute may be the
//! kept one. The alignment picks one; if picking the other completes the move of
//! `f`, that is the better choice, and nothing else changes.

use super::{MoveCandidate, MoveCandidates};
use crate::align::{Block, push};
use crate::work::{KEPT, NEW, OLD, Work};
use crate::{Problem, Strategy};

/// Extends drafts over kept elements that have an equal at the other end of the
/// unkept stretch.
pub(super) fn all<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &mut MoveCandidates) {
    let mut seats = Seats::new(work);
    let mut reseated = false;
    for id in 0..drafts.drafts.len() as u32 {
        for end in [End::Start, End::End] {
            while step(work, drafts, &mut seats, id, end) {
                reseated = true;
            }
        }
    }
    if reseated {
        work.outcome.ran(Strategy::Reseated);
        work.open_gaps();
    }
}

/// One of the two ends of a draft.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum End {
    Start,
    End,
}

impl End {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Start => Self::End,
            Self::End => Self::Start,
        }
    }
}

/// How an element beyond the end of a draft can join it.
#[derive(Clone, Copy)]
enum Way {
    Free,
    /// It is kept, and this equal element can be kept in its place.
    Swap(u32),
}

/// Adds the next pair beyond an end to the draft, if keeping an equal element
/// instead makes that possible.
fn step<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    drafts: &mut MoveCandidates,
    seats: &mut Seats,
    id: u32,
    end: End,
) -> bool {
    let Some(draft) = &drafts.drafts[id as usize] else {
        return false;
    };
    let beyond = [draft.old(), draft.new_range()].map(|range| match end {
        End::Start => range.start.checked_sub(1),
        End::End => Some(range.end),
    });
    let [Some(old), Some(new)] = beyond else {
        return false;
    };
    let joint = |index: u32| if end == End::Start { index } else { index - 1 };
    let inside = (old as usize) < work.counterpart[OLD].len()
        && (new as usize) < work.counterpart[NEW].len();
    let blocked = inside && (work.is_kept(OLD, old) || work.is_kept(NEW, new));
    let touching = blocked && work.touches(OLD, joint(old)) && work.touches(NEW, joint(new));
    if !touching || work.level(old, new).is_none() {
        return false;
    }
    // The equal at the far end may belong to a move of its own, to exactly the
    // place needed here.
    let crossed = seats
        .far(work, OLD, old, end)
        .filter(|&far| work.counterpart[OLD][far as usize] == new)
        .map(|far| (far, new))
        .or_else(|| {
            let far = seats.far(work, NEW, new, end)?;
            (work.counterpart[NEW][far as usize] == old).then_some((old, far))
        });
    if let Some((moved_old, moved_new)) = crossed
        && !drafts.detach(work, moved_old, moved_new)
    {
        return false;
    }
    let ways = (
        seats.way(work, OLD, old, end),
        seats.way(work, NEW, new, end),
    );
    let (Some(old_way), Some(new_way)) = ways else {
        return false;
    };
    if let Way::Swap(far) = old_way {
        let stays = work.counterpart[OLD][old as usize];
        work.unpair_old(old);
        work.pair(
            Block {
                old: far,
                new: stays,
                len: 1,
            },
            KEPT,
        );
        seats.shift(OLD, old, end);
    }
    if let Way::Swap(far) = new_way {
        let stays = work.counterpart[NEW][new as usize];
        work.unpair_old(stays);
        work.pair(
            Block {
                old: stays,
                new: far,
                len: 1,
            },
            KEPT,
        );
        seats.shift(NEW, new, end);
    }
    let pair = Block { old, new, len: 1 };
    work.pair(pair, id);
    if let Some(draft) = &mut drafts.drafts[id as usize] {
        draft.attach(pair, end);
    }
    true
}

impl MoveCandidate {
    /// Adds the pair beyond an end.
    pub(super) fn attach(&mut self, pair: Block, end: End) {
        match end {
            End::End => push(&mut self.blocks, pair),
            End::Start => {
                let first = &mut self.blocks[0];
                if pair.old + 1 == first.old && pair.new + 1 == first.new {
                    *first = Block {
                        old: pair.old,
                        new: pair.new,
                        len: first.len + 1,
                    };
                } else {
                    self.blocks.insert(0, pair);
                }
            }
        }
    }
}

impl MoveCandidates {
    /// Removes a pair from its draft, if it is at one of its ends.
    fn detach<P: Problem + ?Sized>(&mut self, work: &mut Work<'_, P>, old: u32, new: u32) -> bool {
        let id = work.role[old as usize];
        let Some(draft) = self.drafts.get_mut(id as usize).and_then(Option::as_mut) else {
            return false;
        };
        let last = draft.blocks.len() - 1;
        if (draft.blocks[0].old, draft.blocks[0].new) == (old, new) {
            let first = &mut draft.blocks[0];
            *first = Block {
                old: old + 1,
                new: new + 1,
                len: first.len - 1,
            };
        } else if (draft.blocks[last].old_end(), draft.blocks[last].new_end()) == (old + 1, new + 1)
        {
            draft.blocks[last].len -= 1;
        } else {
            return false;
        }
        draft.blocks.retain(|block| block.len > 0);
        if draft.blocks.is_empty() {
            self.drafts[id as usize] = None;
        }
        work.unpair_old(old);
        true
    }
}

/// The stretches of each side without a kept element.
struct Seats {
    stretches: [Vec<(u32, u32)>; 2],
}

impl Seats {
    fn new<P: Problem + ?Sized>(work: &Work<'_, P>) -> Self {
        let stretches = [OLD, NEW].map(|side| {
            let open = work
                .open
                .iter()
                .map(|open| (open[side].start, open[side].end));
            let mut stretches: Vec<(u32, u32)> = open.filter(|(start, end)| start < end).collect();
            stretches.sort_unstable();
            stretches
        });
        Self { stretches }
    }

    /// The index of the stretch that begins or ends next to a kept element.
    fn beside(&self, side: usize, kept: u32, end: End) -> Option<usize> {
        let stretches = &self.stretches[side];
        match end {
            End::Start => stretches.binary_search_by_key(&(kept + 1), |s| s.0).ok(),
            End::End => stretches.binary_search_by_key(&kept, |s| s.1).ok(),
        }
    }

    /// The element equal to a kept one, at the far end of the stretch beside it.
    fn far<P: Problem + ?Sized>(
        &self,
        work: &Work<'_, P>,
        side: usize,
        kept: u32,
        end: End,
    ) -> Option<u32> {
        if !work.is_kept(side, kept) {
            return None;
        }
        let (start, stop) = self.stretches[side][self.beside(side, kept, end)?];
        let far = match end {
            End::Start => stop - 1,
            End::End => start,
        };
        let tokens = work.tokens[side];
        (tokens[far as usize] == tokens[kept as usize]).then_some(far)
    }

    fn way<P: Problem + ?Sized>(
        &self,
        work: &Work<'_, P>,
        side: usize,
        index: u32,
        end: End,
    ) -> Option<Way> {
        if work.is_free(side, index) {
            return Some(Way::Free);
        }
        let far = self.far(work, side, index, end)?;
        work.is_free(side, far).then_some(Way::Swap(far))
    }

    /// Shifts a stretch by one, onto the element that was kept.
    fn shift(&mut self, side: usize, kept: u32, end: End) {
        if let Some(at) = self.beside(side, kept, end) {
            let (start, stop) = &mut self.stretches[side][at];
            match end {
                End::Start => (*start, *stop) = (*start - 1, *stop - 1),
                End::End => (*start, *stop) = (*start + 1, *stop + 1),
            }
        }
    }
}
