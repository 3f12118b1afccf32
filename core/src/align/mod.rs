//! Alignment: finds the elements that stayed and the exact blocks that clearly
//! moved away.
//!
//! Blocks first, diff last: anchors grow into blocks, blocks chain across small
//! gaps, the heaviest increasing set of chains is the spine, and a diff handles
//! only the gaps in between. Each gap is a region again, with its own anchors.

mod anchors;
pub(crate) mod gap;
mod grow;
mod spine;

pub(crate) use anchors::{NONE, Occurrences};
pub(crate) use gap::push;
pub(crate) use grow::Field;

use crate::moves::NEARBY;
use crate::options::MOST_GAP;
use crate::{Limit, Options, Outcome, Strategy, Token};
use anchors::{RUN_LENGTHS, unique_runs};

/// A run of equal elements along one diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub old: u32,
    pub new: u32,
    pub len: u32,
}

impl Block {
    pub(crate) fn old_end(self) -> u32 {
        self.old + self.len
    }

    pub(crate) fn new_end(self) -> u32 {
        self.new + self.len
    }
}

/// Result of aligning one pair of partners, in their own coordinates.
#[derive(Default)]
pub(crate) struct Alignment {
    /// Equal runs that stayed, increasing on both sides.
    pub kept: Vec<Block>,
    /// Exact blocks off the spine, of chains that are informative enough to be
    /// moves.
    pub left: Vec<Block>,
}

/// How informative a chain of blocks is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    /// Not informative enough for a move.
    Weak,
    /// Informative enough for a move over a short distance.
    Near,
    /// Informative enough for any move.
    Strong,
}

/// Rates a chain of blocks. The rating also decides whether the chain may split
/// the gaps it lies in.
pub(crate) type Weigh<'a> = dyn Fn(&[Block]) -> Strength + 'a;

/// Aligns pairs of sequences whose tokens are below `distinct`.
pub(crate) struct Aligner<'a> {
    options: &'a Options,
    occurrences: Occurrences,
}

/// How often, on average, the elements of a pair may be scanned for anchors.
const RESCANS: usize = 32;

/// A region still to be aligned.
struct Region {
    old: Part,
    new: Part,
    /// Whether the region is bounded by corners only. Off-spine blocks of such a
    /// region may be moves; those of an inner gap are local coincidences.
    top: bool,
}

/// The elements of a region on one side.
enum Part {
    Range(u32, u32),
    /// A range without its claimed elements.
    Picked(Vec<u32>),
}

impl Part {
    fn len(&self) -> usize {
        match self {
            Self::Range(start, end) => (end - start) as usize,
            Self::Picked(at) => at.len(),
        }
    }

    fn at(&self, index: u32) -> u32 {
        match self {
            Self::Range(start, _) => start + index,
            Self::Picked(at) => at[index as usize],
        }
    }

    fn tokens<'t>(&self, all: &'t [Token], buffer: &'t mut Vec<Token>) -> &'t [Token] {
        match self {
            Self::Range(start, end) => &all[*start as usize..*end as usize],
            Self::Picked(at) => {
                buffer.clear();
                buffer.extend(at.iter().map(|&i| all[i as usize]));
                buffer
            }
        }
    }

    /// The sub-part `start..end`, without the elements that are `taken`.
    fn sub(&self, start: u32, end: u32, taken: Option<&[bool]>) -> Self {
        let free = |i: &u32| taken.is_none_or(|t| !t[*i as usize]);
        match self {
            Self::Range(base, _) if (start..end).all(|i| free(&i)) => {
                Self::Range(base + start, base + end)
            }
            _ => Self::Picked((start..end).filter(free).map(|i| self.at(i)).collect()),
        }
    }
}

impl<'a> Aligner<'a> {
    pub(crate) fn new(options: &'a Options, distinct: usize) -> Self {
        Self {
            options,
            occurrences: Occurrences::new(distinct),
        }
    }

    /// Aligns `old` with `new`. With `weigh`, informative off-spine chains are
    /// set aside as moves; without it, all chains compete for the spine.
    pub(crate) fn align(
        &mut self,
        old: &[Token],
        new: &[Token],
        weigh: Option<&Weigh<'_>>,
        outcome: &mut Outcome,
    ) -> Alignment {
        let mut alignment = Alignment::default();
        let mut todo = vec![Region {
            old: Part::Range(0, old.len() as u32),
            new: Part::Range(0, new.len() as u32),
            top: true,
        }];
        let (mut old_buffer, mut new_buffer) = (Vec::new(), Vec::new());
        let mut pairs: Vec<Block> = Vec::new();
        // A region may lose a few anchors at its ends on each scan; bound the
        // number of scans so that this cannot repeat for every element.
        let mut allowance = RESCANS * (old.len() + new.len());
        while let Some(whole) = todo.pop() {
            if whole.old.len() == 0 || whole.new.len() == 0 {
                continue;
            }
            let a = whole.old.tokens(old, &mut old_buffer);
            let b = whole.new.tokens(new, &mut new_buffer);
            let scanned = a.len() + b.len();
            let anchors = if allowance >= scanned {
                allowance -= scanned;
                self.anchors(a, b, outcome)
            } else {
                Anchors::none()
            };
            let region = whole.strip(&anchors, &mut pairs);
            let (start, end) = (anchors.prefix as usize, anchors.suffix as usize);
            let (a, b) = (&a[start..a.len() - end], &b[start..b.len() - end]);
            if anchors.cores.is_empty() {
                outcome.ran(Strategy::GapDiff);
                let mut found = Vec::new();
                if anchors.shares && gap::diff(a, b, self.options.budget.gap_area, &mut found) {
                    outcome.spent(Limit::GapArea);
                }
                for block in found {
                    region.emit(block, &mut pairs);
                }
            } else {
                let field = Field::new(a, b, anchors.cores);
                let weigh = weigh.filter(|_| region.top);
                let weigh = weigh.map(|weigh| {
                    move |chain: &[Block]| {
                        let elements: u32 = chain.iter().map(|b| b.len).sum();
                        if elements < anchors.least {
                            Strength::Weak
                        } else {
                            weigh(chain)
                        }
                    }
                });
                let weigh = weigh.as_ref().map(|weigh| weigh as &Weigh<'_>);
                let gaps = self.split(&field, &region, weigh, &mut pairs, &mut alignment.left);
                todo.extend(gaps);
            }
        }
        pairs.sort_unstable_by_key(|b| b.old);
        for block in pairs {
            push(&mut alignment.kept, block);
        }
        alignment
    }

    /// The anchors of a region, without those at its ends.
    fn anchors(&mut self, a: &[Token], b: &[Token], outcome: &mut Outcome) -> Anchors {
        let (cores, shares) = self.occurrences.unique(a, b);
        let mut anchors = Anchors::strip(a, b, cores);
        anchors.shares = shares;
        if !shares {
            return anchors;
        }
        if !anchors.cores.is_empty() {
            outcome.ran(Strategy::UniqueAnchors);
            return anchors;
        }
        let (start, end) = (anchors.prefix as usize, anchors.suffix as usize);
        let (a, b) = (&a[start..a.len() - end], &b[start..b.len() - end]);
        for length in RUN_LENGTHS {
            // In a small gap the diff itself is exact and costs less.
            if a.len().min(b.len()) < 8 * length {
                break;
            }
            anchors.cores = unique_runs(a, b, length);
            anchors.least = 4 * length as u32;
            if !anchors.cores.is_empty() {
                outcome.ran(Strategy::RunAnchors);
                break;
            }
        }
        anchors
    }

    /// Chooses the spine, sets strong chains aside, and returns the gaps.
    fn split(
        &self,
        field: &Field,
        region: &Region,
        weigh: Option<&Weigh<'_>>,
        pairs: &mut Vec<Block>,
        left: &mut Vec<Block>,
    ) -> Vec<Region> {
        let chains = spine::chains(field, self.options.gap.min(MOST_GAP));
        let count = chains.list.len();
        let mut buffer = Vec::new();
        let strengths: Vec<Strength> = match weigh {
            None => vec![Strength::Weak; count],
            Some(weigh) => (0..count)
                .map(|c| {
                    let members = chains
                        .members(c)
                        .iter()
                        .map(|&m| field.grown[m as usize].claimed());
                    buffer.clear();
                    buffer.extend(members.map(|b| region.map(b)));
                    weigh(&buffer)
                })
                .collect(),
        };
        let stays = spine::stays(&chains.list, self.options, |c| {
            strengths[c] != Strength::Strong
        });
        let last = field.grown.len() - 1;
        let mut on_spine = vec![false; field.grown.len()];
        (on_spine[0], on_spine[last]) = (true, true);
        for c in (0..count).filter(|&c| stays[c]) {
            chains
                .members(c)
                .iter()
                .for_each(|&m| on_spine[m as usize] = true);
        }
        let blocks = field.settle(|g| on_spine[g]);
        let only_corners = (1..last).all(|g| field.at_corner(g));

        // Distance of a block from the diagonal of the preceding spine block.
        let spine: Vec<Block> = (0..=last)
            .filter(|&g| on_spine[g])
            .map(|g| blocks[g])
            .collect();
        let way = |block: Block| {
            let before = spine[spine.partition_point(|s| s.old <= block.old) - 1];
            (before.new_end() + block.old - before.old_end().min(block.old)).abs_diff(block.new)
        };
        let mut taken: Option<(Vec<bool>, Vec<bool>)> = None;
        for c in (0..count).filter(|&c| weigh.is_some() && !stays[c]) {
            let members = chains.members(c).iter().map(|&m| blocks[m as usize]);
            let leaves = match strengths[c] {
                Strength::Weak => false,
                Strength::Near => members.clone().next().is_some_and(|b| way(b) <= NEARBY),
                Strength::Strong => true,
            };
            if !leaves {
                continue;
            }
            let (old, new) = taken.get_or_insert_with(|| {
                (vec![false; region.old.len()], vec![false; region.new.len()])
            });
            for block in members.clone() {
                old[block.old as usize..block.old_end() as usize].fill(true);
                new[block.new as usize..block.new_end() as usize].fill(true);
            }
            left.extend(members.map(|b| region.map(b)));
        }

        let (taken_old, taken_new) = match &taken {
            Some((old, new)) => (Some(&old[..]), Some(&new[..])),
            None => (None, None),
        };
        let mut gaps = Vec::new();
        let mut at = (0, 0);
        let kept = blocks.iter().enumerate().filter(|(g, _)| on_spine[*g]);
        for (_, &block) in kept {
            gaps.push(Region {
                old: region.old.sub(at.0, block.old, taken_old),
                new: region.new.sub(at.1, block.new, taken_new),
                top: region.top && only_corners,
            });
            region.emit(block, pairs);
            at = (block.old_end(), block.new_end());
        }
        gaps
    }
}

/// The anchors of a region, and the anchored ends that are always kept.
///
/// The common prefix, up to its last anchor, is set apart before anything is
/// weighed, so that it cannot change how the rest is aligned: a common prefix of
/// other elements only shifts the result. Elements after that anchor are not set
/// apart: a brace there may belong to a moved block.
struct Anchors {
    prefix: u32,
    suffix: u32,
    /// The other anchors, in the coordinates of the remaining region.
    cores: Vec<Block>,
    /// Minimum length of a chain that is a move: short runs of common elements
    /// recur by chance.
    least: u32,
    /// Whether the two sides may have an element in common.
    shares: bool,
}

impl Anchors {
    fn none() -> Self {
        Self {
            prefix: 0,
            suffix: 0,
            cores: Vec::new(),
            least: 0,
            shares: true,
        }
    }

    fn strip(a: &[Token], b: &[Token], mut cores: Vec<Block>) -> Self {
        let (mut prefix, mut suffix) = (0, 0);
        if let Some(first) = cores.first().filter(|core| core.old == core.new) {
            let before = first.old as usize;
            if a[..before] == b[..before] {
                prefix = first.old_end();
                cores.remove(0);
            }
        }
        let lens = (a.len() as u32, b.len() as u32);
        if let Some(last) = cores
            .last()
            .filter(|core| lens.0 - core.old == lens.1 - core.new)
            && a[last.old_end() as usize..] == b[last.new_end() as usize..]
        {
            suffix = lens.0 - last.old;
            cores.pop();
        }
        for core in &mut cores {
            core.old -= prefix;
            core.new -= prefix;
        }
        Self {
            prefix,
            suffix,
            cores,
            least: 0,
            shares: true,
        }
    }
}

/// Lengths of the common prefix and suffix of two sequences, without overlap.
pub(crate) fn common_ends(old: &[Token], new: &[Token]) -> (u32, u32) {
    let prefix = old.iter().zip(new).take_while(|(o, n)| o == n).count();
    let rest = old[prefix..].iter().rev().zip(new[prefix..].iter().rev());
    let suffix = rest.take_while(|(o, n)| o == n).count();
    (prefix as u32, suffix as u32)
}

impl Region {
    /// The region without its anchored ends, which are added to `pairs`.
    fn strip(&self, anchors: &Anchors, pairs: &mut Vec<Block>) -> Self {
        let ends = [&self.old, &self.new].map(|part| part.len() as u32 - anchors.suffix);
        for (at, len) in [
            ((0, 0), anchors.prefix),
            ((ends[0], ends[1]), anchors.suffix),
        ] {
            let (old, new) = at;
            self.emit(Block { old, new, len }, pairs);
        }
        Self {
            old: self.old.sub(anchors.prefix, ends[0], None),
            new: self.new.sub(anchors.prefix, ends[1], None),
            top: self.top,
        }
    }

    /// Maps a block of this region to the coordinates of the whole. In a picked
    /// region only contiguous blocks map as a whole, so callers that need every
    /// pair use [`emit`](Self::emit).
    fn map(&self, block: Block) -> Block {
        Block {
            old: self.old.at(block.old),
            new: self.new.at(block.new),
            len: block.len,
        }
    }

    fn emit(&self, block: Block, pairs: &mut Vec<Block>) {
        if let (Part::Range(..), Part::Range(..)) = (&self.old, &self.new) {
            if block.len > 0 {
                pairs.push(self.map(block));
            }
            return;
        }
        for i in 0..block.len {
            push(
                pairs,
                Block {
                    old: self.old.at(block.old + i),
                    new: self.new.at(block.new + i),
                    len: 1,
                },
            );
        }
    }
}
