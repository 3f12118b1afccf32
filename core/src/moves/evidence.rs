//! The guard on evidence: how much a block must say to be called a move.

use crate::Problem;
use crate::align::{Block, NONE, Strength};
use crate::work::{KEPT, NEW, OLD, Work};

/// How much blocks say: weight decides, not length, and a lone element needs
/// more of it, the more the farther it went.
pub(crate) fn strength<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    blocks: impl IntoIterator<Item = Block>,
) -> Strength {
    let mut weight = 0.0;
    let mut telling = 0;
    for old in blocks.into_iter().flat_map(|b| b.old..b.old_end()) {
        let w = work.weight(OLD, old);
        weight += w;
        telling += u32::from(w > 0.0);
        if telling > 1 && weight >= work.options.min_weight {
            return Strength::Strong;
        }
    }
    if telling == 1 && weight >= work.options.min_lone_weight {
        Strength::Strong
    } else if telling == 1 && weight >= work.options.min_near_weight {
        Strength::Near
    } else {
        Strength::Weak
    }
}

/// Whether blocks say enough for the way they went.
pub(super) fn says_enough<P: Problem + ?Sized>(work: &Work<'_, P>, blocks: &[Block]) -> bool {
    match strength(work, blocks.iter().copied()) {
        Strength::Weak => false,
        Strength::Near => is_near(work, blocks[0]),
        Strength::Strong => true,
    }
}

/// Whether a block stands about where its kept neighbours would have it.
pub(super) fn is_near<P: Problem + ?Sized>(work: &Work<'_, P>, block: Block) -> bool {
    way_of(work, block).is_some_and(|way| way <= work.options.near)
}

/// How far a block stands from where its kept neighbours would have it; `None`
/// without such a neighbour nearby.
fn way_of<P: Problem + ?Sized>(work: &Work<'_, P>, block: Block) -> Option<u32> {
    let s = work.segment(OLD, block.old);
    if work.partner[s] != work.segment(NEW, block.new) as u32 {
        return None;
    }
    let start = work.segments[OLD][s].start;
    let nearby = (start..block.old)
        .rev()
        .take(work.options.near.saturating_mul(4) as usize);
    let expected = nearby.into_iter().find_map(|old| {
        let new = work.mate[OLD][old as usize];
        let kept = new != NONE && work.role[old as usize] == KEPT;
        kept.then(|| new + (block.old - old))
    });
    // Partners begin together.
    let begin = work.segments[NEW][work.partner[s] as usize].start;
    let near_start = block.old - start <= work.options.near.saturating_mul(4);
    let expected = expected.or(near_start.then(|| begin + (block.old - start)));
    expected.map(|expected| expected.abs_diff(block.new))
}
