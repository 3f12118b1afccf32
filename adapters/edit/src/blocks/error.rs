//! Blocks that cannot be read: which line, why, and what to do.

use crate::ErrorKind;
use std::fmt;

/// Why blocks cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockError {
    /// Its name.
    pub kind: ErrorKind,
    /// The line of the input, counted from one; for an end that came too early
    /// the one behind the last.
    pub line: u32,
    /// The block that it is in, counted from one, and the line where it begins.
    pub block: Option<(u32, u32)>,
    /// What is there: the marker, in the way Roo Code
    /// names it.
    pub found: Option<String>,
    /// The marker that was due.
    pub expected: Option<String>,
}

impl BlockError {
    pub(crate) fn new(kind: ErrorKind, line: u32) -> Self {
        Self {
            kind,
            line,
            block: None,
            found: None,
            expected: None,
        }
    }

    /// Whether the input only ended too early, or holds nothing at all: such
    /// an error is about no line.
    #[must_use]
    pub fn is_about_a_line(&self) -> bool {
        self.found.is_some()
    }

    /// The marker as it is in the input, for people.
    fn marker(&self) -> &str {
        match self.found.as_deref() {
            Some("^<<<<<<< SEARCH>?$") | None => "<<<<<<< SEARCH",
            Some(found) => found,
        }
    }
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        let marker = self.marker();
        let block = self.block.map_or_else(
            || "outside of any block".into(),
            |(number, line)| format!("in block {number} (line {line})"),
        );
        match self.kind {
            ErrorKind::UnescapedMarker => write!(
                f,
                "line {line}: {marker:?} {block} looks like a marker; if it is text, \
                 put a backslash before it: \\{marker}"
            ),
            ErrorKind::MalformedSequence => write!(
                f,
                "line {line}: found {marker} {block} where {} was due; a block is \
                 <<<<<<< SEARCH, lines, =======, lines, >>>>>>> REPLACE",
                self.expected.as_deref().map_or("another marker", |marker| {
                    marker.strip_suffix(">?").unwrap_or(marker)
                }),
            ),
            ErrorKind::LineMarkerInReplace => write!(
                f,
                "line {line}: {marker} {block} is behind =======; it belongs directly \
                 below <<<<<<< SEARCH, or, if it is text, behind a backslash"
            ),
            ErrorKind::UnexpectedEndWantSeparator | ErrorKind::UnexpectedEndWantReplace => {
                let (number, start) = self.block.unwrap_or((1, 1));
                let missing = match self.kind {
                    ErrorKind::UnexpectedEndWantReplace => {
                        "its >>>>>>> REPLACE; add >>>>>>> REPLACE"
                    }
                    _ => "its =======; add ======= and >>>>>>> REPLACE",
                };
                write!(
                    f,
                    "line {line}: block {number} (line {start}) ends before {missing}"
                )
            }
            ErrorKind::BadForm => {
                write!(
                    f,
                    "line {line}: {}",
                    self.found.as_deref().unwrap_or("cannot be read")
                )
            }
            _ => write!(
                f,
                "has no blocks; a block is <<<<<<< SEARCH, lines, =======, lines, \
                 >>>>>>> REPLACE, each marker on a line of its own"
            ),
        }
    }
}

impl std::error::Error for BlockError {}
