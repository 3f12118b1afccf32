//! What an adapter states: two sequences and what it knows about them.

use crate::{Error, Interner, Token};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use xxhash_rust::xxh3::Xxh3Default;

/// One of the two sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// What was there.
    Old,
    /// What is there now.
    New,
}

impl Side {
    /// The side that it is compared with.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Old => Self::New,
            Self::New => Self::Old,
        }
    }
}

/// How an element looks on a page, for placing hunks where people expect them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Nothing but white space, or an empty row.
    pub blank: bool,
    /// Columns of leading white space, or an outline level.
    pub indent: u32,
    /// The neighbour that it belongs to, whatever else could claim it.
    pub lean: Lean,
}

/// The neighbour that an element belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lean {
    /// Neither more than the other.
    #[default]
    Neither,
    /// The one before: a closing brace.
    Back,
    /// The one behind: an attribute, the start of a comment.
    Forward,
}

/// Whether an element moves by itself, or only along with others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Companion {
    /// It moves by itself.
    #[default]
    Never,
    /// From one file to another it only goes along: a comment.
    AcrossFiles,
    /// It only goes along: an import.
    Always,
}

/// An alignment that came with the input, such as the context of a patch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// Runs `(old, new, length)` of equal elements, increasing between partners.
    pub runs: Vec<(u32, u32, u32)>,
    /// Pinned runs are kept whatever happens; others may be given up where only
    /// light elements hold them inside a moved region.
    pub pinned: bool,
}

/// Two sequences of elements, as the engine sees them.
///
/// Only [`tokens`](Self::tokens) has to be written; each other method adds
/// knowledge that makes the answer better. Methods other than `tokens` are
/// called for few elements: those that did not simply stay where they were.
pub trait Problem {
    /// The exact identity of every element of a side, from one [`Interner`].
    fn tokens(&self, side: Side) -> &[Token];

    /// Stretches of the side that belong together (files, sheets), in order and
    /// without overlap, covering it. Default: one segment.
    fn segments(&self, side: Side) -> Vec<Range<u32>> {
        let all = 0..self.tokens(side).len() as u32;
        vec![all]
    }

    /// Pairs (old segment, new segment) that are versions of one thing. Only
    /// between partners can an element be kept; elsewhere a match is a move.
    /// Each segment has at most one partner. Default: segments pair by number.
    fn partners(&self) -> Vec<(u32, u32)> {
        let count = self
            .segments(Side::Old)
            .len()
            .min(self.segments(Side::New).len());
        (0..count as u32).map(|s| (s, s)).collect()
    }

    /// The element's position in its segment; neighbours differ by one, so a
    /// hole in the positions parts what an adapter could not see between.
    /// Strictly increasing within a segment. Default: the index itself.
    fn position(&self, side: Side, index: u32) -> u32 {
        let _ = side;
        index
    }

    /// How much the element says; 1.0 is an ordinary element that could hardly
    /// occur twice by chance, 0.0 one that says nothing (a blank line, a lone
    /// brace, an empty row). Default 1.0.
    fn weight(&self, side: Side, index: u32) -> f32 {
        let _ = (side, index);
        1.0
    }

    /// Whether the element only goes along with others: an import, a comment.
    /// Default never.
    fn companion(&self, side: Side, index: u32) -> Companion {
        let _ = (side, index);
        Companion::Never
    }

    /// The number of the file that a segment belongs to, the same on both sides
    /// for versions of one file. Default: every segment has its own, and only
    /// partners share one.
    fn file(&self, side: Side, segment: u32) -> u32 {
        match side {
            Side::Old => segment,
            Side::New => u32::MAX - segment,
        }
    }

    /// How many levels of identity there are beyond the exact one. Default 0.
    fn coarser_levels(&self) -> u8 {
        0
    }

    /// A hash of the element's identity at a coarser `level` (1 and up).
    fn key(&self, level: u8, side: Side, index: u32) -> u64 {
        let _ = level;
        u64::from(self.tokens(side)[index as usize].0)
    }

    /// Whether two elements are equal at a coarser `level`; asked when their
    /// [`key`](Self::key)s agree.
    fn same(&self, level: u8, a: (Side, u32), b: (Side, u32)) -> bool {
        let _ = level;
        self.tokens(a.0)[a.1 as usize] == self.tokens(b.0)[b.1 as usize]
    }

    /// Hashes of the element's parts (words of a line, cells of a row), pushed
    /// to `out`. They only propose candidates; likeness decides. Default none.
    fn features(&self, side: Side, index: u32, out: &mut Vec<u64>) {
        let _ = (side, index, out);
    }

    /// How alike an old and a new element are, 0.0 to 1.0: the share that
    /// survives in place. Default: 1.0 for equal tokens, else 0.0.
    fn likeness(&self, old: u32, new: u32) -> f32 {
        let same = self.tokens(Side::Old)[old as usize] == self.tokens(Side::New)[new as usize];
        f32::from(u8::from(same))
    }

    /// How the element looks, for the plain view. Default: not blank, indent 0.
    fn layout(&self, side: Side, index: u32) -> Layout {
        let _ = (side, index);
        Layout::default()
    }

    /// The alignment that came with the input, if one did. Default none.
    fn given(&self) -> Option<Given> {
        None
    }
}

/// The simplest problem: two slices of anything that can be compared.
///
/// Every element weighs 1.0, unequal elements are not alike at all.
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

/// Refuses a side whose positions would not fit; the last two values of `u32`
/// are marks.
pub(crate) fn check_len(side: Side, elements: usize) -> Result<(), Error> {
    if elements >= u32::MAX as usize - 1 {
        return Err(Error::TooManyElements { side, elements });
    }
    Ok(())
}
