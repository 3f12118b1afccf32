//! The input of the engine: two sequences and what the adapter knows about them.

use crate::{Error, Interner, Token};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use xxhash_rust::xxh3::Xxh3Default;

/// One of the two sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The version before the change.
    Old,
    /// The version after the change.
    New,
}

impl Side {
    /// The opposite side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Old => Self::New,
            Self::New => Self::Old,
        }
    }
}

/// Visual layout of an element, for placing hunks where people expect them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Nothing but white space, or an empty row.
    pub blank: bool,
    /// Columns of leading white space, or an outline level.
    pub indent: u32,
    /// The neighbour it belongs to.
    pub lean: Lean,
}

/// The neighbour that an element belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lean {
    /// Neither.
    #[default]
    Neither,
    /// The previous one: a closing brace.
    Back,
    /// The next one: an attribute, the start of a comment.
    Forward,
}

/// Whether an element moves by itself, or only together with others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Companion {
    /// It moves by itself.
    #[default]
    Never,
    /// Between files it only moves with others: a comment.
    AcrossFiles,
    /// It only moves with others: an import.
    Always,
}

/// How often an element occurs on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrences {
    /// In its own file.
    pub in_file: [u32; 2],
    /// In all files.
    pub anywhere: [u32; 2],
}

/// Two sequences of elements, as the engine sees them.
///
/// Only [`tokens`](Self::tokens) is required; each other method adds knowledge
/// that improves the answer. Methods other than `tokens` are called for few
/// elements: those that did not simply stay in place.
pub trait Problem {
    /// The exact identity of every element of a side, from one [`Interner`].
    fn tokens(&self, side: Side) -> &[Token];

    /// Stretches of the side that belong together (files, sheets): in order,
    /// without overlap, covering the side. Default: one segment.
    fn segments(&self, side: Side) -> Vec<Range<u32>> {
        let all = 0..self.tokens(side).len() as u32;
        vec![all]
    }

    /// Pairs (old segment, new segment) that are versions of each other. An
    /// element can be kept only between partners; elsewhere a match is a move.
    /// Each segment has at most one partner. Default: segments pair by index.
    fn partners(&self) -> Vec<(u32, u32)> {
        let count = self
            .segments(Side::Old)
            .len()
            .min(self.segments(Side::New).len());
        (0..count as u32).map(|s| (s, s)).collect()
    }

    /// How informative the element is: 1.0 for an ordinary element that hardly
    /// occurs twice by chance, 0.0 for an uninformative one (a blank line, a lone
    /// brace, an empty row). Default 1.0.
    fn weight(&self, side: Side, index: u32) -> f32 {
        let _ = (side, index);
        1.0
    }

    /// How often the element occurs, if more is known than the elements: an
    /// element that also occurs far from every change recurs by chance more
    /// easily. Default: its occurrences among the elements are counted.
    fn occurrences(&self, side: Side, index: u32) -> Option<Occurrences> {
        let _ = (side, index);
        None
    }

    /// The number of files that the rarest part of the element occurs in, on
    /// either side. Default: unknown.
    fn spread(&self, side: Side, index: u32) -> Option<u32> {
        let _ = (side, index);
        None
    }

    /// Whether the element only moves with others, like an import or a comment.
    /// Default never.
    fn companion(&self, side: Side, index: u32) -> Companion {
        let _ = (side, index);
        Companion::Never
    }

    /// The number of the file that a segment belongs to, the same on both sides
    /// for versions of one file. Default: every segment has its own, shared only
    /// by partners.
    fn file(&self, side: Side, segment: u32) -> u32 {
        match side {
            Side::Old => segment,
            Side::New => u32::MAX - segment,
        }
    }

    /// Number of identity levels beyond the exact one. Default 0.
    fn coarser_levels(&self) -> u8 {
        0
    }

    /// A hash of the element's identity at a coarser `level` (1 and up).
    fn key(&self, level: u8, side: Side, index: u32) -> u64 {
        let _ = level;
        u64::from(self.tokens(side)[index as usize].0)
    }

    /// Whether two elements are equal at a coarser `level`; called when their
    /// [`key`](Self::key)s agree.
    fn same(&self, level: u8, a: (Side, u32), b: (Side, u32)) -> bool {
        let _ = level;
        self.tokens(a.0)[a.1 as usize] == self.tokens(b.0)[b.1 as usize]
    }

    /// Pushes hashes of the element's parts (words of a line, cells of a row) to
    /// `out`. They only propose candidates; similarity decides. Default none.
    fn features(&self, side: Side, index: u32, out: &mut Vec<u64>) {
        let _ = (side, index, out);
    }

    /// Similarity of an old and a new element, 0.0 to 1.0: the share that
    /// survives in place. Default: 1.0 for equal tokens, else 0.0.
    fn similarity(&self, old: u32, new: u32) -> f32 {
        let same = self.tokens(Side::Old)[old as usize] == self.tokens(Side::New)[new as usize];
        f32::from(u8::from(same))
    }

    /// Layout of the element, for the plain view. Default: not blank, indent 0.
    fn layout(&self, side: Side, index: u32) -> Layout {
        let _ = (side, index);
        Layout::default()
    }
}

/// The simplest problem: two slices of any comparable elements.
///
/// Every element weighs 1.0, and the similarity of unequal elements is 0.0.
#[derive(Clone, Debug)]
pub struct Slices {
    old: Vec<Token>,
    new: Vec<Token>,
}

impl Slices {
    /// Interns both slices.
    ///
    /// # Errors
    /// [`Error::TooManyElements`] if a side does not fit `u32` positions.
    pub fn new<T: Hash + Eq>(old: &[T], new: &[T]) -> Result<Self, Error> {
        check_len(Side::Old, old.len())?;
        check_len(Side::New, new.len())?;
        let mut interner = Interner::with_capacity(old.len());
        let mut first: Vec<&T> = Vec::new();
        let mut tokens = Vec::with_capacity(old.len() + new.len());
        for element in old.iter().chain(new) {
            let mut hasher = Xxh3Default::new();
            element.hash(&mut hasher);
            let token = interner.intern(hasher.finish(), |seen| first[seen.0 as usize] == element);
            if token.0 as usize == first.len() {
                first.push(element);
            }
            tokens.push(token);
        }
        let new = tokens.split_off(old.len());
        Ok(Self { old: tokens, new })
    }
}

impl Problem for Slices {
    fn tokens(&self, side: Side) -> &[Token] {
        match side {
            Side::Old => &self.old,
            Side::New => &self.new,
        }
    }
}

/// Rejects a side whose positions do not fit; the last two values of `u32` are
/// reserved as markers.
pub(crate) fn check_len(side: Side, elements: usize) -> Result<(), Error> {
    if elements >= u32::MAX as usize - 1 {
        return Err(Error::TooManyElements { side, elements });
    }
    Ok(())
}
