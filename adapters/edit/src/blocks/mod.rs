//! Search/replace blocks: what they are, and reading them.
//!
//! ```
//! let text = b"\
//! <<<<<<< SEARCH
//! :start_line:12
//! -------
//! let limit = 10;
//! =======
//! let limit = 20;
//! >>>>>>> REPLACE
//! ";
//! let blocks = mvdiff_edit::blocks::parse(text, Default::default())?;
//! assert_eq!(blocks[0].search, [b"let limit = 10;".to_vec()]);
//! assert_eq!(blocks[0].start_line, Some(12));
//!
//! let error = mvdiff_edit::blocks::parse(b"<<<<<<< SEARCH\nx\n", Default::default()).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "line 3: block 1 (line 1) ends before its =======; add ======= and >>>>>>> REPLACE",
//! );
//! # Ok::<(), mvdiff_edit::blocks::BlockError>(())
//! ```

mod entities;
mod error;
mod form;
mod marker;
pub(crate) mod numbers;
mod parse;
mod xml;

pub use error::BlockError;
pub use form::{FileEdits, Item, from_json, from_xml};
pub use marker::Dialect;
pub use parse::parse;

pub(crate) use entities::unescape;
pub(crate) use marker::{Marker, validate};
pub(crate) use numbers::{is_numbered, strip, strip_loosely};
pub(crate) use parse::finish;

/// How often a block applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Wherever its text occurs.
    All,
    /// Wherever its text occurs, which must be this often.
    Exactly(u32),
}

/// Lines to look for, and lines to put there.
pub type Sides = (Vec<Vec<u8>>, Vec<Vec<u8>>);

/// One edit: lines to look for and the lines to put in their place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own"
)]
pub struct Block {
    /// The lines to look for, without line ends.
    pub search: Vec<Vec<u8>>,
    /// The lines to put there, without line ends.
    pub replace: Vec<Vec<u8>>,
    /// Where the lines should be, counted from one. It ranks the places that
    /// fit and does not limit them.
    pub start_line: Option<u32>,
    /// Whether the start line may be off by any number of lines: then it says nothing
    /// about places that are not near it.
    pub vague_line: bool,
    /// The line of the input where the block begins, counted from one; 0 if it
    /// was made otherwise.
    pub input_line: u32,
    /// Whether the file should end with a newline, if the block reaches its end
    /// and says so; unified diffs do.
    pub final_newline: Option<bool>,
    /// Lines above the place, the farthest first. They rank the places
    /// that fit and do not limit them.
    pub within: Vec<Vec<u8>>,
    /// Whether the place is at the end of the file.
    pub at_end: bool,
    /// How often the lines should be there, if not once.
    pub count: Option<Count>,
    /// Whether the lines are a string that may begin and end inside of lines.
    pub string: bool,
    /// Other ways to split the block, where lines of it look like separators.
    pub splits: Vec<Sides>,
    /// Lines to look for and the new lines that they are, if the block says which stay, as
    /// diffs do.
    pub kept: Vec<(usize, usize)>,
    /// Whether a line of dashes ended the block's head and is in neither side.
    pub dashes: bool,
    /// Take the lines as they are: nothing is stripped from them, and a blank
    /// line is a blank line. Unified diffs are meant that way.
    pub literal: bool,
}

impl Block {
    /// A block of lines that are meant as they are, as a hunk of a unified diff.
    #[must_use]
    pub fn literal(search: Vec<Vec<u8>>, replace: Vec<Vec<u8>>, start_line: Option<u32>) -> Self {
        Self {
            search,
            replace,
            start_line,
            literal: true,
            ..Self::default()
        }
    }
}
