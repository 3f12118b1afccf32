//! A place in a text that a block could mean, and how its lines correspond.

use std::ops::Range;

use serde::Serialize;

/// How a place was found; the first are the more certain ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Byte for byte.
    Exact,
    /// But for line ends.
    LineEnds,
    /// But for white space at the ends of lines.
    TrailingSpace,
    /// But for one change of indentation.
    Indent,
    /// But for white space: indentation, runs of it, blank lines, line breaks.
    Space,
    /// But for typographic quotes, dashes and ellipses, and white space.
    Typographic,
    /// Byte for byte, inside a line.
    WithinLine,
    /// At least as alike as the threshold.
    Fuzzy,
}

/// Stretches of lines that correspond; an empty one stands for lines that the
/// other side does not have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pair {
    pub search: Range<usize>,
    pub text: Range<usize>,
    /// How alike they are, 0 to 1.
    pub similarity: f64,
}

/// A place, with all lines of the block and of the place in its pairs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub tier: Tier,
    /// Lines of the text.
    pub lines: Range<usize>,
    /// In order, and without holes on either side.
    pub pairs: Vec<Pair>,
    pub similarity: f64,
}

impl Place {
    pub(crate) fn overlaps(&self, lines: &Range<usize>) -> bool {
        self.lines.start < lines.end && lines.start < self.lines.end
    }
}
