//! The line report: changes and moves between two texts, in the form of its JSON.
//! Lines are one-based.

use crate::changes::{Carried, Found};
use crate::ignore::Ignore;
use crate::indent::Indent;
use crate::{Error, LineProblem};
use mvdiff_core::{Diff, Guard, Options, Outcome, Side};
pub use mvdiff_lines::Text;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;

/// Name and version of the schema of [`LineReport`].
pub const SCHEMA: &str = "mvdiff.lines/1";

/// The changes and moves between two texts.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct LineReport {
    /// Name and version of the schema.
    pub schema: Cow<'static, str>,
    /// Whether no work budget was exhausted.
    pub complete: bool,
    /// Exhausted budgets and ambiguities.
    pub notes: Vec<Note>,
    /// Whether a work budget was exhausted; editors use this field name.
    pub hit_timeout: bool,
    /// The ignored differences.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Ignore::is_nothing")
    )]
    pub ignore: Ignore,
    /// Number of lines in the old and the new text.
    pub lines: [u32; 2],
    /// Whether the new text ends without a newline.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "std::ops::Not::not")
    )]
    pub no_eol: bool,
    /// Counts of lines.
    pub stats: Stats,
    /// Changes in place, in order. They contain no line of a move.
    pub changes: Vec<Change>,
    /// Moves and blocks reindented in place, in old order.
    pub moves: Vec<MovedBlock>,
    /// Copies, if requested.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub copies: Vec<MovedBlock>,
    /// Merges of equal blocks, if copies are requested.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub merges: Vec<MovedBlock>,
    /// Ignored differences outside moves. They are not counted, and are listed so
    /// that the report can be replayed.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub ignored: Vec<Change>,
}

/// A note on the report.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Note {
    /// Its topic, in one word: `budget`, `ambiguous`, `contents`.
    pub kind: Cow<'static, str>,
    /// The text of the note.
    pub message: String,
}

/// Counts of lines; lines in a move count as moved only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Stats {
    /// New lines without a counterpart.
    pub additions: u32,
    /// Old lines without a counterpart.
    pub deletions: u32,
    /// Lines edited in place.
    pub modified: u32,
    /// Old lines that moved.
    pub moved: u32,
    /// Old lines in blocks reindented in place.
    #[cfg_attr(feature = "serde", serde(default))]
    pub reindented: u32,
}

/// Old lines replaced by new ones.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Change {
    /// Old lines, half open.
    pub original: [u32; 2],
    /// New lines, half open.
    pub modified: [u32; 2],
    /// Changes inside edited lines.
    pub inner: Vec<Inner>,
    /// The new lines, without their newlines.
    pub text: Vec<Text>,
    /// Pairs (old, new) of edited lines.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub pairs: Vec<(u32, u32)>,
}

impl Change {
    /// Whether it changes nothing, as for an added empty file.
    pub(crate) fn is_empty(&self) -> bool {
        self.original[0] == self.original[1] && self.modified[0] == self.modified[1]
    }
}

/// A change inside a line: `[line, column, end line, end column]`, columns in
/// characters, end exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Inner {
    /// In the old text.
    pub original: [u32; 4],
    /// In the new text.
    pub modified: [u32; 4],
}

/// The kind of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum MoveKind {
    /// It moved.
    #[default]
    Move,
    /// It was copied: it also remains in the old place.
    Copy,
    /// It is one of several equal old blocks that were merged into one.
    Merge,
    /// It stayed, and all its lines were shifted equally.
    Indent,
    /// Lines of it stayed and state the same, ignoring white space and modifiers,
    /// although the patch removes and adds them. They are shown; only an
    /// effective report lists them.
    Stay,
}

/// A block that was moved, copied or reindented in place. Its lines are
/// inclusive.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct MovedBlock {
    /// Number of the move, one-based.
    pub id: u32,
    /// What happened to it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub kind: MoveKind,
    /// First old line.
    pub original_line_start: u32,
    /// Last old line.
    pub original_line_end: u32,
    /// First new line.
    pub modified_line_start: u32,
    /// Last new line.
    pub modified_line_end: u32,
    /// The share of the block that survived, 0 to 1; 1 only when exact.
    pub similarity: f32,
    /// Confidence of the engine, 0 to 1.
    pub confidence: f32,
    /// The uniform change of indentation of the block. Lines that merely follow
    /// it are in no change.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub indent: Option<Indent>,
    /// Equal blocks that could have been one of its ends.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub twins: Vec<BlockTwin>,
    /// Changes inside the block.
    pub changes: Vec<Change>,
    /// Ignored differences inside the block.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub ignored: Vec<Change>,
}

/// A block that could have been one end of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct BlockTwin {
    /// The end that it could be.
    pub side: TwinSide,
    /// Its file, if there are several.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub path: Option<Text>,
    /// First and last line.
    pub lines: [u32; 2],
    /// The number of its file.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub file: usize,
}

/// The side that a twin is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum TwinSide {
    /// The old files.
    Old,
    /// The new files.
    New,
}

impl From<Side> for TwinSide {
    fn from(side: Side) -> Self {
        match side {
            Side::Old => Self::Old,
            Side::New => Self::New,
        }
    }
}

impl Stats {
    /// Counts changes outside moves.
    pub(crate) fn of_changes(changes: &[Change]) -> Self {
        changes.iter().fold(Self::default(), |stats, change| {
            let modified = change.pairs.len() as u32;
            let len = |[start, end]: [u32; 2]| end - start - modified;
            Self {
                additions: stats.additions + len(change.modified),
                deletions: stats.deletions + len(change.original),
                modified: stats.modified + modified,
                moved: 0,
                reindented: 0,
            }
        })
    }
}

impl MovedBlock {
    /// Number of old lines.
    pub(crate) fn old_len(&self) -> u32 {
        self.original_line_end + 1 - self.original_line_start
    }
}

/// Diffs two texts into a report.
///
/// ```
/// let old = b"alpha one two three\nbeta one two three\ngamma 1\ndelta 1\n";
/// let new = b"gamma 1\ndelta 1\nalpha one two three\nbeta one two three\n";
/// let report = mvdiff_text::diff_lines(old, new, &mvdiff_text::options())?;
/// assert_eq!(report.moves.len(), 1);
/// assert!(report.changes.is_empty());
/// assert_eq!(report.replay(old)?, new);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error`] if a text is too large or an option is out of range.
pub fn diff_lines(old: &[u8], new: &[u8], options: &Options) -> Result<LineReport, Error> {
    let problem = LineProblem::of_texts(old, new)?;
    let diff = mvdiff_core::diff(&problem, options)?;
    Ok(LineReport::new(&problem, &diff))
}

impl LineReport {
    /// Builds the report of a finished diff of two texts.
    #[must_use]
    pub fn new(problem: &LineProblem<'_>, diff: &Diff) -> Self {
        let script = &diff.script;
        let found = Found::new(problem, script);
        let blocks = |carried: Vec<Carried>| carried.into_iter().map(|c| c.block).collect();
        let moves: Vec<MovedBlock> = blocks(found.moves());
        let place = found.in_place(Some(0), Some(0));
        Self {
            schema: SCHEMA.into(),
            complete: diff.outcome.is_complete(),
            notes: notes(&diff.outcome),
            hit_timeout: !diff.outcome.is_complete(),
            ignore: problem.ignore(),
            lines: [script.old_len(), script.new_len()],
            no_eol: problem.file(Side::New, 0).lacks_newline(),
            stats: Stats {
                moved: old_lines(&moves, MoveKind::Move),
                reindented: old_lines(&moves, MoveKind::Indent),
                ..place.stats
            },
            changes: place.changes,
            moves,
            copies: blocks(found.copies()),
            merges: blocks(found.merges()),
            ignored: place.ignored,
        }
    }

    /// Notes on a diff, for formats that cannot include them.
    #[must_use]
    pub fn notes_of(diff: &Diff) -> Vec<Note> {
        notes(&diff.outcome)
    }

    /// Whether the texts are equal, apart from ignored differences.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.moves.is_empty()
    }

    /// Rebuilds the new text from the old one and this report alone.
    ///
    /// # Errors
    /// [`Error::NotReplayable`] if `old` is not the text of the report.
    pub fn replay(&self, old: &[u8]) -> Result<Vec<u8>, Error> {
        crate::replay::replay_lines(self, old)
    }
}

/// Number of old lines in blocks of a kind.
fn old_lines(blocks: &[MovedBlock], kind: MoveKind) -> u32 {
    let blocks = blocks.iter().filter(|block| block.kind == kind);
    blocks.map(MovedBlock::old_len).sum()
}

/// Notes on exhausted budgets.
pub(crate) fn budget_notes(outcome: &Outcome) -> Vec<Note> {
    outcome
        .limits()
        .iter()
        .map(|limit| Note {
            kind: "budget".into(),
            message: format!(
                "the work budget {limit:?} ran out: the answer is right but may be coarser"
            ),
        })
        .collect()
}

fn notes(outcome: &Outcome) -> Vec<Note> {
    let mut notes = budget_notes(outcome);
    let lines = |r: &Range<u32>| match r.len() {
        1 => format!("line {}", r.end),
        _ => format!("lines {}-{}", r.start + 1, r.end),
    };
    let ambiguous = outcome
        .refusals()
        .iter()
        .filter(|r| r.guard == Guard::Ambiguous);
    notes.extend(ambiguous.map(|refusal| {
        let rival = refusal
            .rival
            .as_ref()
            .map_or_else(String::new, |(old, new)| {
                format!(" and old {} to new {}", lines(old), lines(new))
            });
        Note {
            kind: "ambiguous".into(),
            message: format!(
                "old {} to new {}{rival} are as good as each other: not called a move",
                lines(&refusal.old),
                lines(&refusal.new),
            ),
        }
    }));
    notes
}
