//! Chains of blocks, and the heaviest set of chains that keeps its order.

use super::grow::Field;
use super::Block;

/// Blocks along one diagonal with small gaps between them: an edited block,
/// which competes for the spine as one.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// Indices into the field's `grown`, increasing on both sides.
    pub members: Vec<u32>,
    first: Block,
    last: Block,
    elements: u32,
}

impl Chain {
    fn displacement(&self) -> u64 {
        u64::from(self.first.old.abs_diff(self.first.new))
    }
}

/// Links blocks whose distance is at most `gap` on both sides. Corner blocks
/// stay alone: their length is an accident of where the region was cut.
pub(crate) fn chains(field: &Field, gap: u32) -> Vec<Chain> {
    const FREE: u32 = u32::MAX;
    let last = field.grown.len() - 1;
    let mut next = vec![FREE; field.grown.len()];
    let mut price_to = vec![u64::MAX; field.grown.len()];
    let mut from = vec![FREE; field.grown.len()];
    for e in 1..last {
        if field.at_corner(e) {
            continue;
        }
        let block = field.grown[e].claimed();
        let mut best: Option<(u64, usize)> = None;
        for f in e + 1..last {
            let other = field.grown[f].claimed();
            let ahead = other.old.saturating_sub(block.old_end());
            if ahead > gap {
                break;
            }
            // Claims may overlap, cores may not.
            let after = field.grown[f].core.new >= field.grown[e].core.new_end();
            let along = other.new.saturating_sub(block.new_end());
            if !after || along > gap || field.at_corner(f) {
                continue;
            }
            let price = u64::from(ahead + along) + u64::from(ahead.abs_diff(along));
            if price < best.map_or(price_to[f], |(p, _)| p.min(price_to[f])) {
                best = Some((price, f));
            }
        }
        if let Some((price, f)) = best {
            if from[f] != FREE {
                next[from[f] as usize] = FREE;
            }
            (next[e], from[f], price_to[f]) = (f as u32, e as u32, price);
        }
    }
    let mut chains = Vec::new();
    for start in 1..last {
        if from[start] != FREE {
            continue;
        }
        let mut members = vec![start as u32];
        while next[members[members.len() - 1] as usize] != FREE {
            members.push(next[members[members.len() - 1] as usize]);
        }
        let core = |m: u32| field.grown[m as usize].core;
        chains.push(Chain {
            first: core(members[0]),
            last: core(members[members.len() - 1]),
            elements: members.iter().map(|&m| field.grown[m as usize].claimed().len).sum(),
            members,
        });
    }
    chains
}

/// The value of the best order-keeping set that ends in some chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Worth {
    /// Elements, and the price of leaving for each chain that does not.
    score: u64,
    elements: u64,
    /// Elements of chains too weak to be told as moves: if they left, they
    /// would have to be read as deleted and inserted.
    weak: u64,
    /// Negated, so that less displacement is worth more.
    displacement: std::cmp::Reverse<u64>,
    chain: std::cmp::Reverse<u32>,
}

/// Which chains stay: the heaviest set increasing on both sides, as a flag per
/// chain. `weak` tells chains that could not be told as moves. `O(k log k)`.
pub(crate) fn stays(chains: &[Chain], leave_price: u32, weak: impl Fn(&Chain) -> bool) -> Vec<bool> {
    const START: u32 = u32::MAX;
    let mut ends: Vec<u32> = chains.iter().map(|c| c.last.new_end()).collect();
    ends.sort_unstable();
    let mut tree = vec![None::<Worth>; ends.len() + 1];
    let mut by_end: Vec<u32> = (0..chains.len() as u32).collect();
    by_end.sort_by_key(|&c| chains[c as usize].last.old_end());
    let mut done = by_end.iter().peekable();

    let mut worth = vec![Worth::default(); chains.len()];
    let mut before = vec![START; chains.len()];
    // `chains` are in order of their first core on the old side.
    for (c, chain) in chains.iter().enumerate() {
        while let Some(&&d) = done.peek() {
            let finished = &chains[d as usize];
            if finished.last.old_end() > chain.first.old {
                break;
            }
            let rank = ends.partition_point(|&e| e < finished.last.new_end());
            raise(&mut tree, rank, worth[d as usize]);
            done.next();
        }
        let best = best_below(&tree, ends.partition_point(|&e| e <= chain.first.new));
        let base = best.unwrap_or_default();
        before[c] = best.map_or(START, |b| b.chain.0);
        worth[c] = Worth {
            score: base.score + u64::from(chain.elements) + u64::from(leave_price),
            elements: base.elements + u64::from(chain.elements),
            weak: base.weak + if weak(chain) { u64::from(chain.elements) } else { 0 },
            displacement: std::cmp::Reverse(base.displacement.0 + chain.displacement()),
            chain: std::cmp::Reverse(c as u32),
        };
    }
    let mut stays = vec![false; chains.len()];
    let mut at = worth.iter().max().map_or(START, |w| w.chain.0);
    while at != START && !chains.is_empty() {
        stays[at as usize] = true;
        at = before[at as usize];
    }
    stays
}

/// Fenwick tree of maxima: `rank` is zero-based.
fn raise(tree: &mut [Option<Worth>], rank: usize, worth: Worth) {
    let mut at = rank + 1;
    while at < tree.len() {
        tree[at] = tree[at].max(Some(worth));
        at += at & at.wrapping_neg();
    }
}

/// The best of the first `count` ranks.
fn best_below(tree: &[Option<Worth>], count: usize) -> Option<Worth> {
    let (mut at, mut best) = (count, None);
    while at > 0 {
        best = best.max(tree[at]);
        at -= at & at.wrapping_neg();
    }
    best
}
