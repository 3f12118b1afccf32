//! Line diff with moves, on bytes.

mod error;
mod indent;
mod likeness;
mod lines;
mod replay;
mod report;
mod table;
mod unified;
mod words;

pub use error::Error;
pub use indent::Indent;
pub use lines::{LineProblem, Lines};
pub use report::{Change, Inner, LineReport, MovedBlock, Note, Stats, Text, diff_lines};
pub use unified::{UnifiedOptions, write_unified};

/// The core's defaults for text: a block of which half the lines were rewritten
/// is still a move, if the lines that were not say enough.
#[must_use]
pub fn options() -> mvdiff_core::Options {
    mvdiff_core::Options {
        min_survival: 0.0,
        ..mvdiff_core::Options::default()
    }
}
