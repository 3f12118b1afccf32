//! Releases elements that the alignment keeps on weak grounds.
//!
//! A brace inside a block that moved or was indented is often kept in place,
//! paired with whatever brace is there now, and tears the block apart. So light
//! runs are released before the search for blocks, and those still unused
//! afterwards are kept again.

use crate::align::{Block, gap};
use crate::work::{KEPT, NEW, OLD, Work};
use crate::{Limit, Problem, Strategy, Token};
use std::ops::Range;

/// Runs with less information than this are light.
const LIGHT: f32 = 0.3;

/// Releases light kept runs between changes. Returns their old elements.
pub(super) fn light_runs<P: Problem + ?Sized>(work: &mut Work<'_, P>) -> Vec<u32> {
    // Without both a deletion and an insertion, no block is torn apart.
    if [OLD, NEW]
        .iter()
        .any(|&side| work.open.iter().all(|open| open[side].is_empty()))
    {
        return Vec::new();
    }
    let mut released = Vec::new();
    for pair in work.open.windows(2) {
        let [before, after] = pair else { continue };
        let run = before[OLD].end..after[OLD].start;
        let across = before[NEW].end..after[NEW].start;
        // Both gaps must be in one segment, with exactly one kept run between
        // them.
        let is_run = run.len() == across.len() && !run.is_empty();
        if !is_run || !is_kept_run(work, run.start, across.start) {
            continue;
        }
        let mut weight = 0.0;
        let light = run.clone().all(|i| {
            weight += work.weight(OLD, i);
            weight < LIGHT
        });
        if light {
            released.extend(run);
        }
    }
    if !released.is_empty() {
        for &old in &released {
            work.unpair_old(old);
        }
        work.outcome.ran(Strategy::Released);
        work.open_gaps();
    }
    released
}

fn is_kept_run<P: Problem + ?Sized>(work: &Work<'_, P>, old: u32, new: u32) -> bool {
    work.counterpart[OLD][old as usize] == new && work.role[old as usize] == KEPT
}

/// Keeps equal elements in the gaps of released ones, in order, and then elements
/// equal at the coarsest level in any gap, such as a brace that was indented
/// along with its block.
pub(super) fn refill<P: Problem + ?Sized>(work: &mut Work<'_, P>, released: &[u32]) {
    let has_coarse = work.problem.coarser_levels() > 0;
    if released.is_empty() && !has_coarse {
        return;
    }
    if !released.is_empty() {
        fill(work, Some(released));
    }
    if has_coarse {
        fill(work, None);
    }
}

/// Keeps equal elements of gaps, in order: exactly equal ones in the gaps of
/// released elements, or ones equal at the coarsest level in all gaps.
fn fill<P: Problem + ?Sized>(work: &mut Work<'_, P>, released: Option<&[u32]>) {
    let open = std::mem::take(&mut work.open);
    let mut is_changed = false;
    // The last gap in whose old side each token occurs: most gaps have no token on
    // both sides and need no diff.
    let mut occurs: Vec<u32> = Vec::new();
    for (gap, [old, new]) in (1..).zip(&open) {
        let is_wanted = released.is_none_or(|released| {
            let first = released.partition_point(|&i| i < old.start);
            released.get(first).is_some_and(|&i| i < old.end)
        });
        if old.is_empty() || new.is_empty() || !is_wanted {
            continue;
        }
        let free = |work: &Work<'_, P>, side: usize, range: &Range<u32>| -> Vec<u32> {
            range.clone().filter(|&i| work.is_free(side, i)).collect()
        };
        let (olds, news) = (free(work, OLD, old), free(work, NEW, new));
        let mut tokens = |side: usize, at: &[u32]| -> Vec<Token> {
            let token = |&i: &u32| match released {
                Some(_) => work.tokens[side][i as usize],
                None => work.coarse(side, i),
            };
            at.iter().map(token).collect()
        };
        let tokens = [tokens(OLD, &olds), tokens(NEW, &news)];
        for token in &tokens[OLD] {
            let at = token.0 as usize;
            if at >= occurs.len() {
                occurs.resize(work.distinct.max(at + 1), 0);
            }
            occurs[at] = gap;
        }
        let is_shared = |token: &Token| occurs.get(token.0 as usize) == Some(&gap);
        if !tokens[NEW].iter().any(is_shared) {
            continue;
        }
        let mut found = Vec::new();
        let area = work.options.budget.gap_area;
        if gap::diff(&tokens[OLD], &tokens[NEW], area, &mut found) {
            work.outcome.spent(Limit::GapArea);
        }
        is_changed |= !found.is_empty();
        for block in found {
            for i in 0..block.len {
                let pair = Block {
                    old: olds[(block.old + i) as usize],
                    new: news[(block.new + i) as usize],
                    len: 1,
                };
                work.pair(pair, KEPT);
            }
        }
    }
    work.open = open;
    if is_changed {
        work.divide_gaps();
    }
}
