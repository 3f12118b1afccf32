//! Line diff with moves, on bytes.
//!
//! ```
//! let old = "fn total(order: &Order) {\n    sum(order.items)\n}\nfn name(page: &Page) {\n    title(page)\n}\n";
//! let new = "fn name(page: &Page) {\n    title(page)\n}\nfn total(order: &Order) {\n    sum(order.lines)\n}\n";
//! let report = mvdiff_text::diff_lines(old.as_bytes(), new.as_bytes(), &mvdiff_text::options())?;
//! assert_eq!(report.moves.len(), 1);
//! assert_eq!(report.replay(old.as_bytes())?, new.as_bytes());
//! # Ok::<(), mvdiff_text::Error>(())
//! ```
//!
//! The pipeline: bytes to [`Lines`], lines to a [`LineProblem`] for the core, its
//! answer to a [`LineReport`] (the JSON of `mvdiff diff`) or, with
//! [`write_unified`], to a plain patch. Texts need not be UTF-8; carriage returns
//! and a missing newline at the end are part of their lines.
//!
//! [`patch`] reads and prints unified diffs, [`effective`] reduces one to the
//! changes that remain once moved code is recognised, and [`verify`] checks that
//! answer against the input. [`tree`] compares two trees of files, and [`merge`]
//! merges three versions of a text.

mod changes;
pub mod effective;
mod error;
pub mod fates;
mod ignore;
mod indent;
mod invert;
mod line;
mod lines;
pub mod merge;
mod pairing;
pub mod patch;
mod replay;
mod report;
mod shifted;
mod similarity;
mod statement;
mod table;
pub mod tree;
mod unified;
pub mod verify;
mod words;
mod wrapped;

pub use error::Error;
pub use ignore::{Ignore, Space};
pub use indent::Indent;
pub use lines::{LineProblem, Lines};
pub use pairing::pair_lines;
pub use report::{
    BlockTwin, Change, Inner, LineReport, MoveKind, MovedBlock, Note, SCHEMA, Stats, Text,
    TwinSide, diff_lines,
};
pub use unified::{UnifiedOptions, is_worth_a_patch, write_unified};
pub use words::{Stretches, changed_words};

/// The engine's options for text: [`Options::text`](mvdiff_core::Options::text).
#[must_use]
pub fn options() -> mvdiff_core::Options {
    mvdiff_core::Options::text()
}
