//! What the check refuses, by name.

use mvdiff_core::Side;
use std::fmt;

/// A line of an old or a new file, counted from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Of which side the file is.
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

/// Why a report must not be printed: something is left out of it, or something
/// in it is not true.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Hidden {
    /// A changed line is left out.
    #[error("{0}: the line is neither shown nor moved")]
    NotShown(Place),
    /// A fact about a whole file (a rename, a mode, a creation, a deletion) is
    /// left out, or a part that must stay as it is does not.
    #[error("{}: what the input says of the file as a whole is left out", lossy(.file))]
    FactLost {
        /// The file.
        file: Vec<u8>,
    },
    /// Text around the files that may be a change is left out.
    #[error("{}: the text is left out, though it may be a change", lossy(.line))]
    RemarkLost {
        /// Its first line.
        line: Vec<u8>,
    },
    /// An edited pair of a move of which a line is left out.
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
    /// A pair of lines that differ in more than white space may.
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
    /// A line that the input does not have.
    #[error("{0}: there is no such line in the input")]
    NoSuchLine(Place),
    /// A file that the input does not have, or in which nothing can move.
    #[error("{}: there is no such file in the input, or it must stay as it is", lossy(.file))]
    NoSuchFile {
        /// The file.
        file: Vec<u8>,
    },
    /// A pair outside its block's lines, or out of order.
    #[error("{0}: the pair lies outside its block or out of order")]
    PairOutOfOrder(Place),
    /// A block whose first and last lines are none.
    #[error("move {id}: its lines are no range, or its indent is no white space")]
    BadBlock {
        /// The move's number.
        id: u32,
    },
    /// Files that are not versions of one another.
    #[error("{} is no version of {}, so no line of it stayed there", lossy(.new), lossy(.old))]
    NotPartners {
        /// The old file.
        old: Vec<u8>,
        /// The new file.
        new: Vec<u8>,
    },
    /// Lines that stayed but are not the same, or not the ones the patch
    /// implies.
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
    /// A shown line that is no change.
    #[error("{0}: the line is shown as changed, but it is not")]
    Invented(Place),
    /// A shown line with other bytes.
    #[error("{0}: the line is shown with another text")]
    OtherText(Place),
    /// A line shown twice.
    #[error("{0}: the line is shown twice")]
    ShownTwice(Place),
    /// A context line that is not the same on both sides.
    #[error("{old} and {new}: the context is not true")]
    FalseContext {
        /// The old line.
        old: Place,
        /// The new line.
        new: Place,
    },
    /// A hunk whose two places do not belong together.
    #[error("line {line} of the effective diff: the two places of the hunk do not fit")]
    Misplaced {
        /// Where its head stands.
        line: usize,
    },
    /// An effective diff that cannot be read.
    #[error("line {line} of the effective diff: {what}")]
    Malformed {
        /// Where.
        line: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// A number in the report that does not add up.
    #[error("{what} is {says}, but should be {is}")]
    Count {
        /// The number's name.
        what: &'static str,
        /// What the report says.
        says: u32,
        /// What it should say.
        is: u32,
    },
}

fn lossy(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
