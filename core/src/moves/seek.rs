//! Blocks anchored by what is unique among the leftovers.

use super::evidence::says_enough;
use super::lane::Lanes;
use super::{Draft, Drafts};
use crate::align::{Block, Field, Occurrences, chains, stays};
use crate::work::{KEPT, NEW, OLD, Work};
use crate::{Guard, Problem, Strategy};

/// Finds blocks that are unique among what is left, exactly or at the coarsest
/// level. Those whose ends lie between the same kept neighbours stayed; the
/// others moved, if they say enough.
pub(super) fn unique<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &mut Drafts) {
    let loose = work.loose();
    if loose[OLD].is_empty() || loose[NEW].is_empty() {
        return;
    }
    let lanes = Lanes::new(work, &loose);
    let [old, new] = &lanes.tokens;
    let mut cores = Occurrences::new(lanes.distinct).unique(old, new);
    if work.problem.coarser_levels() > 0 {
        let exact =
            Occurrences::new(lanes.distinct_exact).unique(&lanes.exact[OLD], &lanes.exact[NEW]);
        add_apart(&mut cores, exact, (old.len(), new.len()));
    }
    if cores.is_empty() {
        return;
    }
    let field = Field::new(old, new, cores);
    let chains = chains(&field, work.gap());
    let blocks = field.settle(|_| false);

    // A chain that lies between the same kept neighbours on both sides is in
    // place; of those that cross, the heaviest set stays.
    let gap_of = |chain: usize| {
        let first = blocks[chains.members(chain)[0] as usize];
        let gap = lanes.gap[OLD][first.old as usize];
        let stayed = chains.members(chain).iter().all(|&m| {
            let block = blocks[m as usize];
            block.len == 0
                || (lanes.gap[OLD][block.old as usize] == gap
                    && lanes.gap[NEW][block.new as usize] == gap)
        });
        stayed.then_some(gap)
    };
    let mut in_place: Vec<(u32, usize)> = (0..chains.list.len())
        .filter_map(|c| gap_of(c).map(|gap| (gap, c)))
        .collect();
    in_place.sort_unstable();
    let mut kept = vec![false; chains.list.len()];
    for group in in_place.chunk_by(|a, b| a.0 == b.0) {
        let of_gap: Vec<_> = group.iter().map(|&(_, c)| chains.list[c]).collect();
        let chosen = stays(&of_gap, work.options, |_| false);
        for ((_, c), stays) in group.iter().zip(chosen) {
            kept[*c] = stays;
        }
    }
    let mut parted = false;
    let found_by = match work.problem.coarser_levels() {
        0 => Strategy::ExactMoves,
        _ => Strategy::CoarseMoves,
    };
    for (c, kept) in kept.into_iter().enumerate() {
        let blocks: Vec<Block> = chains
            .members(c)
            .iter()
            .map(|&m| lanes.element_block(blocks[m as usize]))
            .filter(|block| block.len > 0)
            .collect();
        if blocks.is_empty() {
            continue;
        }
        if kept {
            for block in blocks {
                work.pair(block, KEPT);
            }
            parted = true;
        } else if says_enough(work, &blocks) {
            work.outcome.ran(found_by);
            drafts.accept(work, Draft::new(blocks));
        } else {
            let draft = Draft::new(blocks);
            let ends = (draft.old(), draft.new_range());
            work.outcome.refuse(Guard::LittleEvidence, ends, None);
        }
    }
    if parted {
        work.open_gaps();
    }
}

/// Adds blocks that overlap none of `cores` on either side, in old order.
fn add_apart(cores: &mut Vec<Block>, more: Vec<Block>, lens: (usize, usize)) {
    let mut taken = [vec![false; lens.0], vec![false; lens.1]];
    for core in cores.iter() {
        taken[OLD][core.old as usize..core.old_end() as usize].fill(true);
        taken[NEW][core.new as usize..core.new_end() as usize].fill(true);
    }
    let count = cores.len();
    cores.extend(more.into_iter().filter(|block| {
        let old = &taken[OLD][block.old as usize..block.old_end() as usize];
        let new = &taken[NEW][block.new as usize..block.new_end() as usize];
        !old.contains(&true) && !new.contains(&true)
    }));
    if cores.len() > count {
        cores.sort_unstable_by_key(|core| core.old);
    }
}
