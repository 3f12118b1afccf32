//! Adjusts the ends of moves among elements that could go either way.
//!
//! The brace after a function may be its own or the next one's; either way the
//! same number of elements is left over. It belongs to the code it closes: an
//! element that leans on its neighbour goes where that neighbour goes.

use super::reseat::End;
use super::{MoveCandidate, MoveCandidates};
use crate::align::Block;
use crate::problem::Lean;
use crate::work::{KEPT, NEW, OLD, SIDES, Work};
use crate::{Problem, Strategy};

/// Most elements that one end of a move may gain or lose.
const MOST: u32 = 8;

/// Adjusts the ends of moves to the elements that lean on them. Returns whether
/// anything changed.
pub(super) fn all<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    drafts: &mut MoveCandidates,
) -> bool {
    let mut changed = false;
    for id in 0..drafts.drafts.len() {
        let Some(mut draft) = drafts.drafts[id].take() else {
            continue;
        };
        for end in [End::Start, End::End] {
            let edge = Edge { id: id as u32, end };
            for _ in 0..MOST {
                if !(edge.release(work, &mut draft) || edge.adopt(work, &mut draft)) {
                    break;
                }
                draft.similarity = None;
                changed = true;
            }
        }
        drafts.drafts[id] = Some(draft);
    }
    if changed {
        work.outcome.ran(Strategy::Reseated);
        work.open_gaps();
    }
    changed
}

/// One end of a draft.
struct Edge {
    id: u32,
    end: End,
}

/// What happens to a kept element whose counterpart joins a move.
enum Heir {
    /// It becomes unpaired: the element it leans on has no counterpart either.
    Nobody,
    /// It is kept with this equal element instead.
    Other(u32),
}

impl Edge {
    /// The next element away from the draft.
    fn outward<P: Problem + ?Sized>(
        &self,
        work: &Work<'_, P>,
        side: usize,
        index: u32,
    ) -> Option<u32> {
        match self.end {
            End::Start => index.checked_sub(1).filter(|&i| work.touches(side, i)),
            End::End => work.touches(side, index).then_some(index + 1),
        }
    }

    /// The next element towards the draft.
    fn inward<P: Problem + ?Sized>(
        &self,
        work: &Work<'_, P>,
        side: usize,
        index: u32,
    ) -> Option<u32> {
        let back = Self {
            end: self.end.other(),
            ..*self
        };
        back.outward(work, side, index)
    }

    /// Whether an element at this end leans away from the draft, or towards it.
    fn leans<P: Problem + ?Sized>(&self, work: &Work<'_, P>, index: u32, away: bool) -> bool {
        let layout = work.problem.layout(SIDES[OLD], index);
        let back = layout.lean == Lean::Back;
        let forward = layout.lean == Lean::Forward;
        match (self.end, away) {
            // A block does not begin with the blank line before it.
            (End::Start, true) => back || layout.blank,
            (End::End, true) | (End::Start, false) => forward,
            (End::End, false) => back,
        }
    }

    /// Releases the pair at this end if it leans away and one of its elements can
    /// be kept instead.
    fn release<P: Problem + ?Sized>(
        &self,
        work: &mut Work<'_, P>,
        draft: &mut MoveCandidate,
    ) -> bool {
        let block = match self.end {
            End::Start => draft.blocks[0],
            End::End => draft.blocks[draft.blocks.len() - 1],
        };
        let (old, new) = match self.end {
            End::Start => (block.old, block.new),
            End::End => (block.old_end() - 1, block.new_end() - 1),
        };
        if block.len < 2 || !work.exact(old, new) || !self.leans(work, old, true) {
            return false;
        }
        // The free position next to the counterpart of its neighbour.
        let seat = |work: &Work<'_, P>, side: usize, index: u32| {
            let neighbour = self.outward(work, side, index)?;
            let kept = work.is_kept(side, neighbour);
            let counterpart = kept.then(|| work.counterpart[side][neighbour as usize])?;
            let seat = self.inward(work, 1 - side, counterpart)?;
            let equal = work.tokens[side][index as usize] == work.tokens[1 - side][seat as usize];
            (equal && work.is_free(1 - side, seat)).then_some(seat)
        };
        let stays = if let Some(seat) = seat(work, OLD, old) {
            (old, seat)
        } else if let Some(seat) = seat(work, NEW, new) {
            (seat, new)
        } else {
            return self.slide(work, draft, (old, new));
        };
        work.unpair_old(old);
        draft.drop_pair(self.end);
        work.pair(one(stays), KEPT);
        true
    }

    /// Shifts the draft by one if the pair beyond its other end equals the pair
    /// at this end: the element kept there is then kept here.
    fn slide<P: Problem + ?Sized>(
        &self,
        work: &mut Work<'_, P>,
        draft: &mut MoveCandidate,
        (old, new): (u32, u32),
    ) -> bool {
        let ranges = [draft.old(), draft.new_range()];
        let far = [OLD, NEW].map(|side| match self.end {
            End::Start => self.inward(work, side, ranges[side].end - 1),
            End::End => self.inward(work, side, ranges[side].start),
        });
        let [Some(far_old), Some(far_new)] = far else {
            return false;
        };
        let token = work.tokens[OLD][old as usize];
        let seated = |side: usize, index: u32| {
            work.tokens[side][index as usize] == token
                && (work.is_free(side, index) || work.is_kept(side, index))
        };
        // If both were free they would already be in the draft, and if they were
        // kept with each other they would cross nothing.
        let both_free = work.is_free(OLD, far_old) && work.is_free(NEW, far_new);
        let matched = work.counterpart[OLD][far_old as usize] == far_new;
        if !seated(OLD, far_old) || !seated(NEW, far_new) || both_free || matched {
            return false;
        }
        let heirs = [
            work.is_kept(OLD, far_old)
                .then(|| (old, work.counterpart[OLD][far_old as usize])),
            work.is_kept(NEW, far_new)
                .then(|| (work.counterpart[NEW][far_new as usize], new)),
        ];
        work.unpair_old(old);
        draft.drop_pair(self.end);
        work.unpair_old(far_old);
        if let Some((counterpart, _)) = heirs[NEW] {
            work.unpair_old(counterpart);
        }
        for stays in heirs.into_iter().flatten() {
            work.pair(one(stays), KEPT);
        }
        work.pair(one((far_old, far_new)), self.id);
        draft.attach(one((far_old, far_new)), self.end.other());
        true
    }

    /// Adds the pair beyond this end if it leans on the draft.
    fn adopt<P: Problem + ?Sized>(
        &self,
        work: &mut Work<'_, P>,
        draft: &mut MoveCandidate,
    ) -> bool {
        let ranges = [draft.old(), draft.new_range()];
        let beyond = [OLD, NEW].map(|side| match self.end {
            End::Start => self.outward(work, side, ranges[side].start),
            End::End => self.outward(work, side, ranges[side].end - 1),
        });
        let [Some(old), Some(new)] = beyond else {
            return false;
        };
        let is_matched = work.counterpart[OLD][old as usize] == new;
        if is_matched || !work.exact(old, new) || !self.leans(work, old, false) {
            return false;
        }
        let [Some(old_heir), Some(new_heir)] =
            [(OLD, old), (NEW, new)].map(|(side, index)| self.heir(work, side, index))
        else {
            return false;
        };
        let counterparts = (
            work.counterpart[OLD][old as usize],
            work.counterpart[NEW][new as usize],
        );
        work.unpair_old(old);
        if work.counterpart[NEW][new as usize] != crate::align::NONE {
            work.unpair_old(counterparts.1);
        }
        if let Some(Heir::Other(heir)) = old_heir {
            work.pair(one((heir, counterparts.0)), KEPT);
        }
        if let Some(Heir::Other(heir)) = new_heir {
            work.pair(one((counterparts.1, heir)), KEPT);
        }
        work.pair(one((old, new)), self.id);
        draft.attach(one((old, new)), self.end);
        true
    }

    /// Whether an element may join the draft: it is free (`Some(None)`), or its
    /// kept counterpart has an heir.
    #[allow(clippy::option_option, reason = "may it go, and who inherits")]
    fn heir<P: Problem + ?Sized>(
        &self,
        work: &Work<'_, P>,
        side: usize,
        index: u32,
    ) -> Option<Option<Heir>> {
        if work.is_free(side, index) {
            return Some(None);
        }
        if !work.is_kept(side, index) {
            return None;
        }
        let counterpart = work.counterpart[side][index as usize];
        // The element that the counterpart leans on.
        let support = self.inward(work, 1 - side, counterpart)?;
        if work.is_free(1 - side, support) {
            return Some(Some(Heir::Nobody));
        }
        if !work.is_kept(1 - side, support) {
            return None;
        }
        let there = work.counterpart[1 - side][support as usize];
        let other = self.outward(work, side, there)?;
        let tokens = work.tokens[side];
        let equal = tokens[other as usize] == tokens[index as usize];
        (equal && work.is_free(side, other)).then_some(Some(Heir::Other(other)))
    }
}

fn one((old, new): (u32, u32)) -> Block {
    Block { old, new, len: 1 }
}

impl MoveCandidate {
    /// Removes the pair at an end of a block of several pairs.
    fn drop_pair(&mut self, end: End) {
        let last = self.blocks.len() - 1;
        match end {
            End::Start => {
                let first = &mut self.blocks[0];
                *first = Block {
                    old: first.old + 1,
                    new: first.new + 1,
                    len: first.len - 1,
                };
            }
            End::End => self.blocks[last].len -= 1,
        }
    }
}
