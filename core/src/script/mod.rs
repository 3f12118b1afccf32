//! The result: the fate of every element of both sides.

mod check;
mod order;
mod replay;

pub use check::Violation;
pub use order::Step;
pub use replay::ReplayError;

use crate::positions::order_by;
use crate::{Evidence, Side, Token};
use std::ops::Range;
use xxhash_rust::xxh3::Xxh3Default;

/// Why two elements are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It stayed: kept pairs are increasing between partner segments.
    Kept,
    /// It moved with the move of this number, an index into [`Script::moves`].
    Moved(u32),
}

/// How the two elements of a pair compare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    /// Equal at this level of identity; 0 is exact.
    Same {
        /// The finest level at which they are equal.
        level: u8,
    },
    /// The same element, edited.
    Edited {
        /// [`Problem::similarity`](crate::Problem::similarity) of the two.
        similarity: f32,
    },
}

impl Relation {
    /// Exactly equal.
    pub const EXACT: Self = Self::Same { level: 0 };

    /// The share of an element that survives, 0.0 to 1.0: 1.0 only for exact
    /// pairs.
    #[must_use]
    pub fn similarity(self) -> f32 {
        match self {
            Self::Same { level } => 1.0 - f32::from(level) * 0.01,
            Self::Edited { similarity } => similarity.min(0.99),
        }
    }
}

/// A run of pairs `(old + i, new + i)` that share role and relation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// First old element.
    pub old: u32,
    /// First new element.
    pub new: u32,
    /// Number of pairs.
    pub len: u32,
    /// Why they are paired.
    pub role: Role,
    /// How they compare.
    pub relation: Relation,
}

impl Run {
    /// The old elements.
    #[must_use]
    pub fn old_range(&self) -> Range<u32> {
        self.old..self.old + self.len
    }

    /// The new elements.
    #[must_use]
    pub fn new_range(&self) -> Range<u32> {
        self.new..self.new + self.len
    }
}

/// A block that moved from `old` to `new`.
///
/// Its pairs are the runs whose role names it. Unpaired elements inside its
/// ranges were deleted from it or inserted into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// Where it was, within one segment.
    pub old: Range<u32>,
    /// Where it is, within one segment.
    pub new: Range<u32>,
    /// The share of its weight that survives in place; at least
    /// [`Options::least_held`](crate::Options::least_held), 1.0 only when exact.
    pub similarity: f32,
    /// The evidence for it.
    pub evidence: Evidence,
    /// Equal blocks that could have been one of its ends: the side, and the
    /// range.
    pub twins: Vec<(Side, Range<u32>)>,
}

/// Inserted elements that also remain elsewhere in old, or deleted ones that
/// remain elsewhere in new. Nothing on the other side is consumed.
#[derive(Clone, Debug, PartialEq)]
pub struct Copied {
    /// The old elements.
    pub old: Range<u32>,
    /// The new elements.
    pub new: Range<u32>,
    /// Runs `(old, new, length)` of elements equal at some level.
    pub runs: Vec<(u32, u32, u32)>,
    /// The share of the copy's weight that is equal.
    pub similarity: f32,
}

/// The fate of every element: each is in exactly one [`Run`], or deleted, or
/// inserted.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    old_len: u32,
    new_len: u32,
    runs: Vec<Run>,
    /// Indices into `runs`, in new order.
    new_order: Vec<u32>,
    moves: Vec<Move>,
    copies: Vec<Copied>,
    merged: Vec<Copied>,
}

impl Script {
    /// `runs` are in old order and do not overlap on either side.
    pub(crate) fn new(lens: (u32, u32), runs: Vec<Run>, moves: Vec<Move>) -> Self {
        let new_order = order_by(runs.len(), |r| runs[r].new);
        Self {
            old_len: lens.0,
            new_len: lens.1,
            runs,
            new_order,
            moves,
            copies: Vec::new(),
            merged: Vec::new(),
        }
    }

    pub(crate) fn with_copies(mut self, copies: Vec<Copied>, merged: Vec<Copied>) -> Self {
        self.copies = copies;
        self.merged = merged;
        self
    }

    /// Number of old elements.
    #[must_use]
    pub fn old_len(&self) -> u32 {
        self.old_len
    }

    /// Number of new elements.
    #[must_use]
    pub fn new_len(&self) -> u32 {
        self.new_len
    }

    /// All runs of pairs, in old order.
    #[must_use]
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The moves, in old order.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The runs of one move, in old order.
    pub fn runs_of(&self, id: u32) -> impl Iterator<Item = &Run> {
        let range = self.moves.get(id as usize).map_or(0..0, |m| m.old.clone());
        let from = self.runs.partition_point(|r| r.old < range.start);
        self.runs[from..]
            .iter()
            .take_while(move |r| r.old < range.end)
            .filter(move |r| r.role == Role::Moved(id))
    }

    /// Inserted elements that are copies; empty unless
    /// [`Options::copies`](crate::Options::copies) is set.
    #[must_use]
    pub fn copies(&self) -> &[Copied] {
        &self.copies
    }

    /// Deleted elements that remain in new, where several equal blocks were
    /// merged into one; empty unless [`Options::copies`](crate::Options::copies)
    /// is set.
    #[must_use]
    pub fn merged(&self) -> &[Copied] {
        &self.merged
    }

    /// Whether nothing changed: every element is kept, exactly.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        let kept: u32 = self
            .runs
            .iter()
            .filter(|r| r.role == Role::Kept && r.relation == Relation::EXACT)
            .map(|r| r.len)
            .sum();
        kept == self.old_len && kept == self.new_len
    }
}

/// A hash of a block's tokens, equal for equal blocks of one problem.
///
/// For a fingerprint that is stable between problems, hash the contents with
/// [`block_hash`].
#[must_use]
pub fn fingerprint(block: &[Token]) -> u64 {
    block_hash(block.iter().map(|token| u64::from(token.0)))
}

/// A hash of a block from the hashes of its elements' contents, the same in
/// every problem and on every machine.
#[must_use]
pub fn block_hash(hashes: impl IntoIterator<Item = u64>) -> u64 {
    let mut state = Xxh3Default::new();
    for hash in hashes {
        state.update(&hash.to_le_bytes());
    }
    state.digest()
}
