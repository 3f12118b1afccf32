//! Did two edits of one text do the same thing?
//!
//! ```
//! use mvdiff_metrics::{Edits, Options, Scorer};
//!
//! let base = "let total = 0;\nprint(total);\n";
//! let a = "let total = 1;\nprint(total);\n"; // expected
//! let b = "let total = 1;\nprint(total)\n"; // actual
//! let score = Scorer::default().score(&Edits { base, a, b }, &Options::default())?;
//! assert!(score.score > 0.9 && score.score < 1.0);
//! # Ok::<(), mvdiff_metrics::Error>(())
//! ```
//!
//! **Text-IoU** compares the changes, not the texts: of all lines that either
//! edit changed, the share that both changed alike. Lines that neither touched do
//! not count, however many there are. [`Scorer::explain`] lists the lines that
//! contributed.
//!
//! It is not symmetric, it gives credit for doing nothing, and a block moved to
//! the next gap costs more than one deleted. [`Variant`]s address this under
//! names of their own; the score itself always follows the original definition.
//!
//! [`mod@batch`] scores JSON lines on all cores, [`eval`] evaluates many cases
//! against a gate. [`difflib`] is the underlying matcher, equal to Python's
//! including all ties.

pub mod batch;
pub mod difflib;
mod error;
pub mod eval;
mod lines;
mod score;
mod variants;

pub use error::Error;
pub use lines::{Edits, split_lines, text_of};
pub use score::{
    BlockShare, Explanation, Options, PairShare, Parts, Score, ScoreReport, Scorer, Shares,
    SlotShare,
};
pub use variants::{MoveAware, NoopAdjusted, Symmetric, Variant, Variants};
