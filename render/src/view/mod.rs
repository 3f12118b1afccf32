//! A comparison laid out row by row, old lines on the left and new ones on the
//! right: what the terminal prints side by side, and what the page holds. Nothing
//! here knows colours or markup.

mod effective;
mod fold;
mod layout;
mod lines;
mod pair_lines;
mod reindent;
mod remarks;
pub(crate) mod summary;
mod tree;

pub use fold::{Stretch, fold};
pub use lines::{FileInput, MoveInput};
pub use remarks::{Remark, same_but_for};

#[cfg(feature = "xlsx")]
use mvdiff_grid::DiffReport;
pub use mvdiff_text::fates::State;
use std::ops::Range;

/// Files beside each other, and the moves in and between them.
#[derive(Clone, Debug, Default)]
pub struct View<'t> {
    /// What is compared.
    pub title: String,
    /// Who made it and when, if a commit says so.
    pub byline: Option<String>,
    /// The files, in the order in which they are shown.
    pub files: Vec<FileView<'t>>,
    /// The moves, then the copies.
    pub moves: Vec<MoveView>,
    /// All of it in a sentence.
    pub summary: String,
    /// How much of it there is to read.
    pub sum: Sum,
    /// What was cut short, left open or not looked at.
    pub notes: Vec<Remark>,
}

/// Lines that changed, old and new ones counted alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Those that changed or moved.
    pub changed: u32,
    /// Those of them that are left to read, since they did not only move.
    pub left: u32,
}

/// One file, before and after. Names are as they are: who shows them makes control
/// characters visible.
#[derive(Clone, Debug, Default)]
pub struct FileView<'t> {
    /// What it was called; `None` if it was not there.
    pub old: Option<String>,
    /// What it is called; `None` if it is no longer there.
    pub new: Option<String>,
    /// What happened to it beside its lines, in words such as `renamed`.
    pub facts: Vec<String>,
    /// Its rows, top to bottom.
    pub rows: Vec<Row<'t>>,
    /// All lines of the new file, where they are at hand and not all of them have rows.
    pub lines: Vec<&'t [u8]>,
    /// What a patch says of the place where a hunk is, by the row it begins at; none
    /// where whole files are at hand.
    pub headings: Vec<(usize, String)>,
    /// Its change, if it is not text.
    pub non_text: NonTextChange,
}

/// A change in a file that is not text: a workbook or a submodule.
#[derive(Clone, Debug, Default)]
pub enum NonTextChange {
    /// Not examined, or a text.
    #[default]
    Nothing,
    /// The changes of a workbook.
    #[cfg(feature = "xlsx")]
    Workbook(Box<DiffReport>),
    /// Commits of a submodule, or other lines that describe the change.
    Lines(Vec<String>),
}

impl FileView<'_> {
    /// What it is called, both names where it has two.
    #[must_use]
    pub fn name(&self) -> String {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) if old != new => format!("{old} → {new}"),
            (old, new) => new.as_ref().or(old.as_ref()).cloned().unwrap_or_default(),
        }
    }
}

/// What is at one height.
#[derive(Clone, Debug)]
pub enum Row<'t> {
    /// A line, or one beside the other. Every line of a file is in one row.
    Lines {
        /// On the left.
        old: Option<Line<'t>>,
        /// On the right.
        new: Option<Line<'t>>,
    },
    /// Lines that did not change and are not at hand.
    Unknown {
        /// Their numbers in the old file, half open.
        old: Range<u32>,
        /// Their numbers in the new file, half open.
        new: Range<u32>,
    },
}

impl Row<'_> {
    /// Whether nothing happened here: a line that stayed as it is.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        match self {
            // White space that does not count may have no counterpart.
            Self::Lines { old, new } => [old, new]
                .into_iter()
                .flatten()
                .all(|line| line.state == State::Same && line.block.is_none()),
            Self::Unknown { .. } => true,
        }
    }
}

/// A line at its place.
#[derive(Clone, Debug)]
pub struct Line<'t> {
    /// Its number, from one.
    pub number: u32,
    /// Its bytes, with the newline if it has one.
    pub text: &'t [u8],
    /// What became of it.
    pub state: State,
    /// The stretches that changed, in characters; none where nearly all did.
    pub spans: Vec<(usize, usize)>,
    /// The move it is part of, as an index into [`View::moves`].
    pub block: Option<usize>,
    /// For a line of a move: where and what it is at the other end.
    pub other: Option<Box<Other<'t>>>,
}

/// A line at the other end of its move.
#[derive(Clone, Debug)]
pub struct Other<'t> {
    /// Its number there, from one.
    pub number: u32,
    /// Its bytes there.
    pub text: &'t [u8],
    /// The stretches that changed, in characters.
    pub spans: Vec<(usize, usize)>,
}

/// A block with two ends.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveView {
    /// `M1` for a move, `C1` for a copy, `I1` for a block that stayed.
    pub label: String,
    /// Whether it is still at its old place, too.
    pub is_copy: bool,
    /// Whether it stayed and was indented as a whole, or changed at its line ends only.
    pub is_indent: bool,
    /// Where it was.
    pub old: End,
    /// Where it is.
    pub new: End,
    /// How much of it is unchanged, in words.
    pub what: String,
    /// How sure it is, 0 to 1.
    pub confidence: f32,
    /// What is said of a line that kept its indentation while the block did not.
    pub unlike: Option<&'static str>,
}

impl MoveView {
    /// What is to be said of one of its lines, which its text does not show: it is
    /// reported as edited, and yet is what it was.
    #[must_use]
    pub fn remark(&self, line: &Line<'_>) -> Option<&'static str> {
        let is_what_it_was = line.other.as_ref().is_some_and(|o| o.text == line.text);
        let is_told = line.state == State::Edited && is_what_it_was;
        self.unlike.filter(|_| is_told)
    }

    /// What happened to a block that stayed.
    pub(crate) fn shifted(&self) -> &'static str {
        if self.unlike.is_some() {
            "indented"
        } else {
            "respaced"
        }
    }

    /// Both ends in words: `8-14 → 18-24`, with the files where they differ.
    #[must_use]
    pub fn places(&self) -> String {
        if self.old.path == self.new.path || self.old.file == self.new.file {
            format!("{} → {}", self.old.numbers(), self.new.numbers())
        } else {
            format!("{} → {}", self.old.place(), self.new.place())
        }
    }
}

/// One end of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The file, as an index into [`View::files`]; `None` if it is not shown.
    pub file: Option<usize>,
    /// The path of the file.
    pub path: String,
    /// Its first line, from one.
    pub first: u32,
    /// Its last line.
    pub last: u32,
}

impl End {
    /// `8-14`, or `8` for a single line.
    #[must_use]
    pub fn numbers(&self) -> String {
        if self.first == self.last {
            self.first.to_string()
        } else {
            format!("{}-{}", self.first, self.last)
        }
    }

    /// `services.py:8-14`.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.path, self.numbers())
    }
}
