//! The guard on evidence: how much a block must say to be called a move.

use crate::align::{Block, NONE};
use crate::work::{KEPT, NEW, OLD, Work};
use crate::Problem;

/// Whether blocks say enough: weight decides, not length, and a lone element
/// needs more of it, the more the farther it went.
pub(super) fn says_enough<P: Problem + ?Sized>(work: &Work<'_, P>, blocks: &[Block]) -> bool {
    says_enough_at(work, blocks, None)
}

/// The same where the way that the blocks went is known.
pub(crate) fn says_enough_at<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    blocks: &[Block],
    way: Option<u32>,
) -> bool {
    let mut weight = 0.0;
    let mut telling = 0;
    for old in blocks.iter().flat_map(|b| b.old..b.old_end()) {
        let w = work.weight(OLD, old);
        weight += w;
        telling += u32::from(w > 0.0);
        if telling > 1 && weight >= work.options.min_weight {
            return true;
        }
    }
    telling == 1 && weight >= lone_bar(work, blocks[0], way)
}

/// The weight that a lone element must have.
pub(super) fn lone_bar<P: Problem + ?Sized>(work: &Work<'_, P>, block: Block, way: Option<u32>) -> f32 {
    let way = way.or_else(|| way_of(work, block)).unwrap_or(u32::MAX);
    if way <= work.options.near {
        work.options.min_near_weight
    } else {
        work.options.min_lone_weight
    }
}

/// How far a block stands from where its kept neighbours would have it; `None`
/// without such a neighbour nearby.
fn way_of<P: Problem + ?Sized>(work: &Work<'_, P>, block: Block) -> Option<u32> {
    let s = work.segment(OLD, block.old);
    if work.partner[s] != work.segment(NEW, block.new) as u32 {
        return None;
    }
    let start = work.segments[OLD][s].start;
    let nearby = (start..block.old).rev().take(4 * work.options.near as usize);
    let expected = nearby.into_iter().find_map(|old| {
        let new = work.mate[OLD][old as usize];
        let kept = new != NONE && work.role[old as usize] == KEPT;
        kept.then(|| new + (block.old - old))
    });
    expected.map(|expected| expected.abs_diff(block.new))
}
