//! The errors of the check.

use mvdiff_core::Side;
use std::fmt;

/// A line of an old or a new file, one-based.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The side of the file.
    pub side: Side,
    /// The file's path.
    pub file: Vec<u8>,
    /// The line.
    pub line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::Old => "old",
            Side::New => "new",
        };
        let file = String::from_utf8_lossy(&self.file);
        write!(f, "{side} {file}:{}", self.line)
    }
}

/// Why a report must not be printed: it omits something, or a statement in it is
/// false.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Hidden {
    /// A changed line is missing.
    #[error("{0}: the line is neither shown nor moved")]
    NotShown(Place),
    /// A fact about a whole file (a rename, a mode, a creation, a deletion) is
    /// missing, or a part that must be verbatim is not.
    #[error("{}: what the input says of the file as a whole is left out", lossy(.file))]
    FactLost {
        /// The file.
        file: Vec<u8>,
    },
    /// Text around the files that may be a change is missing.
    #[error("{}: the text is left out, though it may be a change", lossy(.line))]
    RemarkLost {
        /// Its first line.
        line: Vec<u8>,
    },
    /// A line of an edited pair of a move is missing.
    #[error("{0}: the line is called edited but not shown")]
    EditNotShown(Place),
    /// A pair of which one end is shown and the other is not.
    #[error("{old} and {new}: one end of the pair is shown without the other")]
    HalfShown {
        /// Its old end.
        old: Place,
        /// Its new end.
        new: Place,
    },
    /// Two paired lines differ in more than the permitted white space.
    #[error("{old} and {new}: the lines are called moved but differ")]
    Unequal {
        /// The old line.
        old: Place,
        /// The new line.
        new: Place,
    },
    /// A line in two moves, or twice in one.
    #[error("{0}: the line is claimed twice")]
    ClaimedTwice(Place),
    /// A line that both stayed and moved.
    #[error("{0}: the line is called moved, but it stayed")]
    MovedButKept(Place),
    /// A line that does not exist in the input.
    #[error("{0}: there is no such line in the input")]
    NoSuchLine(Place),
    /// A file that does not exist in the input, or in which nothing can move.
    #[error("{}: there is no such file in the input, or it must stay as it is", lossy(.file))]
    NoSuchFile {
        /// The file.
        file: Vec<u8>,
    },
    /// A pair outside its block's lines, or out of order.
    #[error("{0}: the pair lies outside its block or out of order")]
    PairOutOfOrder(Place),
    /// A block with an invalid range of lines.
    #[error("move {id}: its lines are not a range, or its indent is not white space")]
    BadBlock {
        /// The move's number.
        id: u32,
    },
    /// Files that are not versions of each other.
    #[error("{} is not a version of {}, so no line can have stayed", lossy(.new), lossy(.old))]
    NotPartners {
        /// The old file.
        old: Vec<u8>,
        /// The new file.
        new: Vec<u8>,
    },
    /// Kept lines that are not equal, or not the ones that the patch implies.
    #[error("{old} and {new}: the lines are called kept but are not the same")]
    KeptUnequal {
        /// The old line.
        old: Place,
        /// The new line.
        new: Place,
    },
    /// Kept lines that cross or repeat.
    #[error("{old} and {new}: kept lines cross or repeat")]
    KeptOutOfOrder {
        /// The old line.
        old: Place,
        /// The new line.
        new: Place,
    },
    /// A shown line that is not a change.
    #[error("{0}: the line is shown as changed, but it is not")]
    Invented(Place),
    /// A shown line with different bytes.
    #[error("{0}: the line is shown with another text")]
    OtherText(Place),
    /// A line shown twice.
    #[error("{0}: the line is shown twice")]
    ShownTwice(Place),
    /// A context line that differs between the sides.
    #[error("{old} and {new}: the context is not true")]
    FalseContext {
        /// The old line.
        old: Place,
        /// The new line.
        new: Place,
    },
    /// A hunk whose two positions do not match.
    #[error("line {line} of the effective diff: the two places of the hunk do not fit")]
    Misplaced {
        /// The line of its header.
        line: usize,
    },
    /// An effective diff that cannot be read.
    #[error("line {line} of the effective diff: {what}")]
    Malformed {
        /// The line.
        line: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// A number in the report that does not add up.
    #[error("{what} is {says}, but should be {is}")]
    Count {
        /// The name of the number.
        what: &'static str,
        /// The value in the report.
        says: u32,
        /// The correct value.
        is: u32,
    },
}

fn lossy(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
