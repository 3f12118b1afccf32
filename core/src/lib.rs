//! The diff that knows what moved: two sequences in, one script out.
//!
//! ```
//! use mvdiff_core::{Options, Slices, diff};
//!
//! let (old, new) = (["x", "y", "z", "a", "b"], ["a", "b", "x", "y", "z"]);
//! let script = diff(&Slices::new(&old, &new)?, &Options::default())?.script;
//! assert_eq!((script.moves()[0].old.clone(), script.moves()[0].new.clone()), (3..5, 0..2));
//! # Ok::<(), mvdiff_core::Error>(())
//! ```
//!
//! # Three steps
//!
//! **State the problem.** [`Slices`] is the simplest one. An adapter that knows
//! more about its elements implements [`Problem`]: how informative an element is,
//! how similar two elements are, which files or sheets are versions of each
//! other. Each of these improves the answer; only [`Problem::tokens`] is
//! required.
//!
//! ```
//! use mvdiff_core::{Options, Problem, Side, Slices, Token, diff};
//!
//! /// Words, of which short ones are less informative.
//! struct Words<'w>(Slices, [&'w [&'w str]; 2]);
//!
//! impl Problem for Words<'_> {
//!     fn tokens(&self, side: Side) -> &[Token] {
//!         self.0.tokens(side)
//!     }
//!     fn weight(&self, side: Side, index: u32) -> f32 {
//!         self.1[side as usize][index as usize].len() as f32 / 8.0
//!     }
//! }
//!
//! let (old, new) = (["is", "cathedral", "a", "b", "c"], ["a", "b", "c", "cathedral", "is"]);
//! let words = Words(Slices::new(&old, &new)?, [&old, &new]);
//! let diff = diff(&words, &Options::default())?;
//! assert_eq!(diff.script.moves().len(), 1); // the cathedral; "is" is not informative enough
//! # Ok::<(), mvdiff_core::Error>(())
//! ```
//!
//! **Diff.** [`diff`] returns a [`Script`], in which every element of both sides
//! occurs exactly once, and an [`Outcome`], which lists the steps taken and the
//! guards and budgets that applied. [`Options`] is plain data with documented
//! defaults; budgets are counts, so the answer is the same on every machine.
//!
//! **Use the script.** Read it along either side ([`Script::in_old_order`],
//! [`Script::in_new_order`]), rebuild the new side from it ([`Script::replay`]),
//! invert it ([`Script::invert`]), check it ([`Script::check`]), or view it as
//! plain hunks ([`plain()`]).
//!
//! A related operation on the same kind of problem: [`locate()`] finds the exact
//! or approximate occurrences of a pattern in a text.
//!
//! # Laws
//!
//! Every script is a partition. Its pairs hold at their stated level or
//! similarity. Kept pairs are strictly increasing between partner segments. A
//! move lies in one segment on each side, contains no elements of other moves,
//! crosses something, and is at least as similar as [`Options::threshold`].
//! `old + script = new`, always. The property tests in `tests/laws` are the full
//! list.

mod align;
mod edits;
mod engine;
mod error;
mod intern;
mod locate;
mod moves;
mod options;
mod outcome;
mod plain;
mod positions;
mod problem;
mod script;
mod slide;
mod work;

pub use engine::{Diff, diff};
pub use error::Error;
pub use intern::{Interner, Token};
pub use locate::{Site, locate};
pub use options::{Budget, Options};
pub use outcome::{Evidence, Guard, Limit, Outcome, Refusal, Strategy};
pub use plain::{Hunk, plain};
pub use problem::{Companion, Layout, Lean, Occurrences, Problem, Side, Slices};
pub use script::{
    Copied, Move, Relation, ReplayError, Role, Run, Script, Step, Violation, block_hash,
    fingerprint,
};
