//! Lines and their state.

use crate::patch::{Hunk, LineKind};
use std::ops::Range;

/// The line is kept.
pub(super) const KEPT: u8 = 1;
/// The line is an end of a pair of a move, or the new end of a pair of a copy.
pub(super) const PAIRED: u8 = 2;
/// The line is in the effective diff.
pub(super) const SHOWN: u8 = 4;

/// The known lines of one side and their states.
pub(super) struct Known<'a> {
    texts: Texts<'a>,
    pub marks: Vec<u8>,
}

impl<'a> Known<'a> {
    pub(super) fn new(texts: Texts<'a>) -> Self {
        let marks = vec![0; texts.len()];
        Self { texts, marks }
    }

    /// A line with its newline.
    pub(super) fn text(&self, at: usize) -> &'a [u8] {
        self.texts.get(at)
    }

    pub(super) fn is(&self, at: usize, mark: u8) -> bool {
        self.marks[at] & mark != 0
    }
}

/// Lines, of a whole file or of its hunks.
pub(super) enum Texts<'a> {
    Whole {
        bytes: &'a [u8],
        ends: Vec<u32>,
    },
    /// For each line, its hunk and its place there: half of what the lines themselves
    /// would take.
    Parts {
        hunks: &'a [Hunk<'a>],
        places: Vec<[u32; 2]>,
    },
}

impl<'a> Texts<'a> {
    /// A file's lines; `None` if it is too large.
    pub(super) fn whole(bytes: &'a [u8]) -> Option<Self> {
        u32::try_from(bytes.len()).ok().filter(|&n| n < u32::MAX)?;
        let mut ends: Vec<u32> = Vec::with_capacity(bytes.len() / 32);
        ends.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at as u32 + 1));
        if ends.last().map_or(0, |&end| end as usize) != bytes.len() {
            ends.push(bytes.len() as u32);
        }
        Some(Self::Whole { bytes, ends })
    }

    /// The lines of hunks that are not of a kind.
    pub(super) fn without(kind: LineKind, hunks: &'a [Hunk<'a>]) -> Self {
        let lines = (0..).zip(hunks).flat_map(|(hunk, of)| {
            let lines = (0..).zip(&of.lines);
            lines.map(move |(at, line)| ([hunk, at], line.kind))
        });
        let own = lines.filter(|(_, other)| *other != kind);
        let mut places = Vec::with_capacity(own.clone().count());
        places.extend(own.map(|(place, _)| place));
        Self::Parts { hunks, places }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Whole { ends, .. } => ends.len(),
            Self::Parts { places, .. } => places.len(),
        }
    }

    pub(super) fn get(&self, at: usize) -> &'a [u8] {
        match self {
            Self::Whole { .. } => self.slice(at..at + 1),
            Self::Parts { hunks, places } => {
                let [hunk, line] = places[at];
                hunks[hunk as usize].lines[line as usize].text
            }
        }
    }

    /// Several lines of a whole file; empty if they are not all present.
    pub(super) fn slice(&self, range: Range<usize>) -> &'a [u8] {
        match self {
            Self::Whole { bytes, ends } if !range.is_empty() && range.end <= ends.len() => {
                let start = range.start.checked_sub(1).map_or(0, |at| ends[at] as usize);
                &bytes[start..ends[range.end - 1] as usize]
            }
            _ => &[],
        }
    }
}
