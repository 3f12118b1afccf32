//! Opcodes equal to those of Python's `difflib.SequenceMatcher(autojunk=False)`,
//! including all ties, and fast where Python is slow.
//!
//! ```
//! use mvdiff_metrics::difflib::{Tag, opcodes};
//!
//! let opcodes = opcodes(&["q", "a", "b", "x", "c", "d"], &["a", "b", "y", "c", "d", "f"])?;
//! let told: Vec<_> = opcodes.iter().map(|o| (o.tag, o.old.clone(), o.new.clone())).collect();
//! assert_eq!(
//!     told,
//!     [
//!         (Tag::Delete, 0..1, 0..0),
//!         (Tag::Equal, 1..3, 0..2),
//!         (Tag::Replace, 3..4, 2..3),
//!         (Tag::Equal, 4..6, 3..5),
//!         (Tag::Insert, 6..6, 5..6),
//!     ]
//! );
//! # Ok::<(), mvdiff_core::Error>(())
//! ```
//!
//! The definition is short: take the longest run of equal elements, of several
//! the one that starts first in old, and of those the one that starts first in
//! new; then do the same before and after it. Computed directly, it is quadratic
//! for every run found, and cubic on repetitive input. Three techniques make it
//! fast without changing the answer:
//!
//! - **An upper bound.** After the longest run, of length `L`, no run is longer than
//!   `L`, and before it none is longer than `L - 1`, or it would have been taken. A
//!   search that reaches its bound stops. So all runs of one length are found in one
//!   pass, and every element is visited once for each length on its way, of which
//!   there are few.
//! - **Rows** (`rows.rs`): compare old elements with their positions in new, as Python
//!   does, while there are few. With a run of length `L` found, only one old element
//!   in `L + 1` needs a look, since a longer run cannot slip through.
//! - **Ranks** (`ranked.rs`): if there are many, sort the suffixes of the range once.
//!   Equal runs of any one length are adjacent in that order, so a few linear passes
//!   find the longest and take all of its length, and the parts between them inherit
//!   their share of the order. Sorting once and passing the order down beats a suffix
//!   automaton per range, which would have to be rebuilt below every run.

mod junk;
mod ranked;
mod rows;
mod suffixes;

pub use junk::{ElementKind, JunkMatcher};

use mvdiff_core::{Error, Problem as _, Side, Slices, Token};
use ranked::Ranked;
use rows::{Rows, Scan};
use std::hash::Hash;
use std::ops::Range;

/// The relation of the two ranges of an [`Opcode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// They are equal.
    Equal,
    /// The new range replaces the old one.
    Replace,
    /// The old range is deleted; the new one is empty.
    Delete,
    /// The new range is inserted; the old one is empty.
    Insert,
}

/// A step from old to new, as `SequenceMatcher.get_opcodes` returns them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Opcode {
    /// The relation of the ranges.
    pub tag: Tag,
    /// The old elements.
    pub old: Range<u32>,
    /// The new elements.
    pub new: Range<u32>,
}

/// A run of equal elements, as `SequenceMatcher.get_matching_blocks` returns
/// them, without the empty last block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MatchingBlock {
    /// First old element.
    pub old: u32,
    /// First new element.
    pub new: u32,
    /// Number of elements.
    pub len: u32,
}

/// A part of both sides that is not matched yet.
#[derive(Clone, Debug)]
struct Part {
    old: Range<u32>,
    new: Range<u32>,
    /// Upper bound for the length of a run in it.
    bound: u32,
}

impl Part {
    fn new(old: Range<u32>, new: Range<u32>, bound: u32) -> Self {
        let bound = bound.min(old.end - old.start).min(new.end - new.start);
        Self { old, new, bound }
    }

    fn rows(&self) -> u64 {
        u64::from(self.old.end - self.old.start)
    }

    fn columns(&self) -> u64 {
        u64::from(self.new.end - self.new.start)
    }

    /// The part before a run found in it.
    fn before(&self, run: MatchingBlock) -> Self {
        let (old, new) = (self.old.start..run.old, self.new.start..run.new);
        Self::new(old, new, run.len - 1)
    }

    /// The part after a run found in it.
    fn behind(&self, run: MatchingBlock) -> Self {
        let old = run.old + run.len..self.old.end;
        Self::new(old, run.new + run.len..self.new.end, run.len)
    }
}

/// Remaining work, last first.
enum Task {
    /// A part to search row by row while there is credit.
    Rows(Part, Option<i64>),
    /// A part with sorted suffixes.
    Ranked(Part, ranked::List),
    /// A run that was found; everything before it is finished.
    Found(MatchingBlock),
}

/// Pairs of equal elements that a row search may examine for each row, ...
const PAIRS_A_ROW: i64 = 32;
/// ... for each column ...
const PAIRS_A_COLUMN: i64 = 8;
/// ... and in any case, before sorting the suffixes pays off.
const PAIRS: i64 = 1024;
/// Sorting the suffixes of a part does not pay off up to this ratio of pairs to
/// elements.
const SMALL: u64 = 16;
/// An index of a part does not pay off up to this many pairs.
const TINY: u64 = 256;

/// Matches sequences of tokens and reuses its memory between calls: for many
/// small sequences one matcher is much faster than calling [`opcodes`] for each.
///
/// ```
/// use mvdiff_core::Token;
/// use mvdiff_metrics::difflib::{MatchingBlock, Matcher};
///
/// let [old, new] = [[1, 2, 3, 4], [3, 4, 1, 2]].map(|side| side.map(Token));
/// let blocks = Matcher::default().matching_blocks(&old, &new);
/// assert_eq!(blocks, [MatchingBlock { old: 0, new: 2, len: 2 }]);
/// ```
#[derive(Debug, Default)]
pub struct Matcher {
    rows: Rows,
    ranked: Ranked,
}

impl Matcher {
    /// The runs of equal elements, in order. Runs that are adjacent on both sides
    /// are joined.
    ///
    /// Tokens come from one [`Interner`](mvdiff_core::Interner): they count up
    /// from zero and are used as indices.
    pub fn matching_blocks(&mut self, old: &[Token], new: &[Token]) -> Vec<MatchingBlock> {
        let mut blocks = Vec::new();
        self.each_block(old, new, |block| blocks.push(block));
        blocks
    }

    /// The steps from old to new, in order.
    pub fn opcodes(&mut self, old: &[Token], new: &[Token]) -> Vec<Opcode> {
        let mut opcodes = Vec::new();
        self.each_opcode(old, new, |tag, old, new| {
            opcodes.push(Opcode { tag, old, new });
        });
        opcodes
    }

    /// Calls a function with each step from old to new, in order.
    pub(crate) fn each_opcode(
        &mut self,
        old: &[Token],
        new: &[Token],
        mut tell: impl FnMut(Tag, Range<u32>, Range<u32>),
    ) {
        let (mut i, mut j) = (0, 0);
        let between = |old: Range<u32>, new: Range<u32>| match (old.is_empty(), new.is_empty()) {
            (true, true) => None,
            (false, true) => Some(Tag::Delete),
            (true, false) => Some(Tag::Insert),
            (false, false) => Some(Tag::Replace),
        };
        self.each_block(old, new, |block| {
            let (before, after) = (i..block.old, j..block.new);
            if let Some(tag) = between(before.clone(), after.clone()) {
                tell(tag, before, after);
            }
            (i, j) = (block.old + block.len, block.new + block.len);
            tell(Tag::Equal, block.old..i, block.new..j);
        });
        let (before, after) = (i..old.len() as u32, j..new.len() as u32);
        if let Some(tag) = between(before.clone(), after.clone()) {
            tell(tag, before, after);
        }
    }

    fn each_block(&mut self, old: &[Token], new: &[Token], mut tell: impl FnMut(MatchingBlock)) {
        let mut last: Option<MatchingBlock> = None;
        self.search(old, new, |found| match &mut last {
            Some(block) if touches(*block, found) => block.len += found.len,
            last => {
                if let Some(block) = last.replace(found) {
                    tell(block);
                }
            }
        });
        if let Some(block) = last {
            tell(block);
        }
    }

    /// Finds all runs, in order.
    fn search(&mut self, old: &[Token], new: &[Token], mut found: impl FnMut(MatchingBlock)) {
        let whole = Part::new(0..old.len() as u32, 0..new.len() as u32, u32::MAX);
        if whole.bound == 0 {
            return;
        }
        if old == new {
            let len = old.len() as u32;
            return found(MatchingBlock {
                old: 0,
                new: 0,
                len,
            });
        }
        let tiny = whole.rows() * whole.columns() <= TINY;
        if !tiny {
            self.rows.index(new);
        }
        let first = (!tiny).then(|| credit(&whole));
        let mut todo = vec![Task::Rows(whole, first)];
        while let Some(task) = todo.pop() {
            match task {
                Task::Found(block) => found(block),
                Task::Rows(part, _) if part.bound == 0 => {}
                Task::Rows(part, left) => {
                    let scan = if tiny {
                        rows::compare(old, new, &part)
                    } else {
                        self.rows.scan(old, new, &part, left)
                    };
                    match scan {
                        Scan::Nothing => {}
                        Scan::Longest(run, rest) => {
                            let (before, behind) = (part.before(run), part.behind(run));
                            // Runs of one length share their credit.
                            let rest = match left {
                                Some(_) if run.len < part.bound => Some(credit(&behind)),
                                _ => rest,
                            };
                            let fresh = left.map(|_| credit(&before));
                            todo.push(Task::Rows(behind, rest));
                            todo.push(Task::Found(run));
                            todo.push(Task::Rows(before, fresh));
                        }
                        Scan::TooMany => {
                            let list = self.ranked.sort(old, new, &part);
                            todo.push(Task::Ranked(part, list));
                        }
                    }
                }
                Task::Ranked(part, list) => self.ranked.split(part, &list, &mut todo),
            }
        }
        if !tiny {
            self.rows.forget(new);
        }
    }
}

/// The number of pairs a row search may examine before it gives up.
fn credit(part: &Part) -> i64 {
    PAIRS + PAIRS_A_COLUMN * part.columns() as i64
}

fn touches(block: MatchingBlock, next: MatchingBlock) -> bool {
    block.old + block.len == next.old && block.new + block.len == next.new
}

/// The opcodes between two slices of any comparable elements.
///
/// # Errors
/// [`Error::TooManyElements`] if a side does not fit `u32` positions.
pub fn opcodes<T: Hash + Eq>(old: &[T], new: &[T]) -> Result<Vec<Opcode>, Error> {
    let slices = Slices::new(old, new)?;
    let mut matcher = Matcher::default();
    Ok(matcher.opcodes(slices.tokens(Side::Old), slices.tokens(Side::New)))
}
