//! Chains of blocks, and the heaviest set of chains that keeps its order.

use super::Block;
use super::grow::Field;
use crate::Options;
use crate::positions::order_by;

/// Cost of a chain that leaves the spine, in elements: of two explanations of an
/// order, the one with fewer moves wins unless the other keeps more than this
/// many additional elements.
const LEAVE: u64 = 2;
/// Most elements that an edited chain is discounted by: a long stretch with a few
/// edits is the text itself, not a moved block.
const MOST_DISCOUNT: u32 = 40;

/// Blocks along one diagonal with small gaps between them: an edited block that
/// competes for the spine as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    first: Block,
    last: Block,
    elements: u32,
    /// Whether elements between its blocks were replaced by others.
    edited: bool,
    /// Range of its members in [`Chains::members`].
    members: (u32, u32),
}

/// Chains, in order of their first block on the old side.
pub(crate) struct Chains {
    members: Vec<u32>,
    pub list: Vec<Chain>,
}

impl Chains {
    /// The blocks of a chain, increasing on both sides, as indices into the
    /// field's `grown`.
    pub(crate) fn members(&self, chain: usize) -> &[u32] {
        let (start, end) = self.list[chain].members;
        &self.members[start as usize..end as usize]
    }
}

impl Chain {
    /// Number of elements that count in favour of keeping the chain.
    fn pull(&self, edited_pull: f32) -> u32 {
        if !self.edited {
            return self.elements;
        }
        let less = self.elements as f32 * (1.0 - edited_pull);
        self.elements - (less as u32).min(MOST_DISCOUNT)
    }

    fn displacement(&self) -> u32 {
        self.first.old.abs_diff(self.first.new)
    }
}

/// Links blocks that are at most `gap` apart on both sides. Corner blocks stay
/// alone: their length depends only on where the region was cut.
pub(crate) fn chains(field: &Field, gap: u32) -> Chains {
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
        for (f, later) in field.grown[..last].iter().enumerate().skip(e + 1) {
            let other = later.claimed();
            let ahead = other.old.saturating_sub(block.old_end());
            if ahead > gap {
                break;
            }
            // Claims may overlap, cores may not.
            let after = later.core.new >= field.grown[e].core.new_end();
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
    let mut chains = Chains {
        members: Vec::with_capacity(last),
        list: Vec::new(),
    };
    for start in (1..last).filter(|&start| from[start] == FREE) {
        let begin = chains.members.len();
        let mut at = start as u32;
        let mut elements = 0;
        let mut edited = field.stands_apart(start).0;
        while at != FREE {
            chains.members.push(at);
            let block = field.grown[at as usize].claimed();
            elements += block.len;
            let here = at;
            at = next[at as usize];
            if at == FREE {
                edited |= field.stands_apart(here as usize).1;
            } else {
                let then = field.grown[at as usize].claimed();
                edited |= then.old > block.old_end() && then.new > block.new_end();
            }
        }
        let end = chains.members.len();
        let core = |m: usize| field.grown[chains.members[m] as usize].core;
        chains.list.push(Chain {
            first: core(begin),
            last: core(end - 1),
            elements,
            edited,
            members: (begin as u32, end as u32),
        });
    }
    chains
}

/// Value of the best order-preserving set that ends in some chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Worth {
    /// Elements that count, plus [`LEAVE`] for each chain that stays.
    score: u64,
    elements: u32,
    /// Elements of chains too weak to be reported as moves: off the spine they
    /// would show as deleted and inserted.
    weak: u32,
    displacement: u32,
}

impl Worth {
    fn with(self, chain: &Chain, options: &Options, weak: bool) -> Self {
        Self {
            score: self.score + u64::from(chain.pull(options.edited_pull)) + LEAVE,
            elements: self.elements.saturating_add(chain.elements),
            weak: self
                .weak
                .saturating_add(if weak { chain.elements } else { 0 }),
            displacement: self.displacement.saturating_add(chain.displacement()),
        }
    }

    /// A single sort key: the score, then more elements, then more weak ones,
    /// then less displacement. Fields are truncated only where billions of
    /// elements would be needed to make a difference.
    fn key(self) -> u128 {
        let weak = self.weak.min((1 << 28) - 1);
        u128::from(self.score.min((1 << 36) - 1)) << 92
            | u128::from(self.elements) << 60
            | u128::from(weak) << 32
            | u128::from(u32::MAX - self.displacement)
    }
}

/// The best chain within a range of ranks.
#[derive(Clone, Copy)]
struct Best {
    key: u128,
    chain: u32,
}

const START: u32 = u32::MAX;

/// Selects the chains that stay: the heaviest set increasing on both sides, as a
/// flag per chain. `weak` marks chains that cannot be reported as moves.
/// `O(k log k)`.
pub(crate) fn stays(
    chains: &[Chain],
    options: &Options,
    weak: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let new_ends = order_by(chains.len(), |c| chains[c].last.new_end());
    let mut rank = vec![0; chains.len()];
    for (r, &c) in new_ends.iter().enumerate() {
        rank[c as usize] = r;
    }
    // How many chains end, on the new side, before each one begins.
    let mut ended = vec![0; chains.len()];
    let mut count = 0;
    for c in order_by(chains.len(), |c| chains[c].first.new) {
        let start = chains[c as usize].first.new;
        while count < new_ends.len() && chains[new_ends[count] as usize].last.new_end() <= start {
            count += 1;
        }
        ended[c as usize] = count;
    }
    let old_ends = order_by(chains.len(), |c| chains[c].last.old_end());
    let mut done = old_ends.iter().peekable();
    let nothing = Best {
        key: 0,
        chain: START,
    };
    let mut tree = vec![nothing; chains.len() + 1];
    let mut worth = vec![Worth::default(); chains.len()];
    let mut before = vec![START; chains.len()];
    let mut best = nothing;
    // `chains` are in order of their first core on the old side.
    for (c, chain) in chains.iter().enumerate() {
        while let Some(&&d) = done.peek() {
            if chains[d as usize].last.old_end() > chain.first.old {
                break;
            }
            raise(
                &mut tree,
                rank[d as usize],
                Best {
                    key: worth[d as usize].key(),
                    chain: d,
                },
            );
            done.next();
        }
        before[c] = best_below(&tree, ended[c], nothing).chain;
        let base = worth.get(before[c] as usize).copied().unwrap_or_default();
        worth[c] = base.with(chain, options, weak(c));
        let here = Best {
            key: worth[c].key(),
            chain: c as u32,
        };
        if here.key > best.key {
            best = here;
        }
    }
    let mut stays = vec![false; chains.len()];
    let mut at = best.chain;
    while at != START {
        stays[at as usize] = true;
        at = before[at as usize];
    }
    stays
}

/// Updates a Fenwick tree of maxima. `rank` is zero-based; ties keep the earlier.
fn raise(tree: &mut [Best], rank: usize, best: Best) {
    let mut at = rank + 1;
    while at < tree.len() {
        if best.key > tree[at].key {
            tree[at] = best;
        }
        at += at & at.wrapping_neg();
    }
}

/// The best of the first `count` ranks.
fn best_below(tree: &[Best], count: usize, nothing: Best) -> Best {
    let (mut at, mut best) = (count, nothing);
    while at > 0 {
        if tree[at].key > best.key {
            best = tree[at];
        }
        at -= at & at.wrapping_neg();
    }
    best
}
