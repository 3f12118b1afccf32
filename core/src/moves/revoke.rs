//! Giving up what only light elements hold.
//!
//! A closing brace inside a block that moved is often kept where it stood, by
//! whatever brace stands there now. It went with its block.

use crate::work::{NEW, OLD, Work};
use crate::{Problem, Strategy};
use std::ops::Range;

/// Whether a gap of a move holds nothing of others, once light kept elements in
/// it are given up. Gives them up only if that clears the gap.
pub(super) fn clear<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    old: Range<u32>,
    new: Range<u32>,
) -> bool {
    let mut weight = 0.0;
    let mut light: Vec<u32> = Vec::new();
    for (side, range) in [old, new].into_iter().enumerate() {
        for index in range.filter(|&i| !work.is_free(side, i)) {
            if work.pinned || !work.is_kept(side, index) {
                return false;
            }
            weight += work.weight(side, index);
            if weight >= work.options.light {
                return false;
            }
            light.push(match side {
                OLD => index,
                _ => work.mate[NEW][index as usize],
            });
        }
    }
    for old in light {
        work.unpair_old(old);
        work.revoked = true;
    }
    true
}

/// Takes stock again of what is open, if anything was given up.
pub(super) fn take_stock<P: Problem + ?Sized>(work: &mut Work<'_, P>) {
    if work.revoked {
        work.outcome.ran(Strategy::Revoked);
        work.open_gaps();
    }
}
