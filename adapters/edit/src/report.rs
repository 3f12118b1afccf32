//! What became of blocks, files and the run: the JSON of `mvdiff apply`.

use crate::blocks::BlockError;
use crate::options::percent;
use crate::{ErrorKind, Tier};
pub use mvdiff_lines::Text;
use serde::Serialize;

/// What became of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Its edit is in the new text.
    Applied,
    /// The text has it already.
    AlreadyApplied,
    /// It is not in the new text.
    Failed,
}

/// A place that a block could mean.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// Its first line, counted from one.
    pub line: u32,
    /// How it was found.
    pub tier: Tier,
    /// How alike it is, 0 to 1.
    pub similarity: f64,
    /// The same in whole percent, rounded down.
    pub similarity_pct: u32,
    /// It with the lines around it that distinguish it from the others, where there are
    /// several; of the first few.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub around: Option<Best>,
}

impl Candidate {
    pub(crate) fn new(line: usize, tier: Tier, similarity: f64) -> Self {
        Self {
            line: line as u32 + 1,
            tier,
            similarity,
            similarity_pct: percent(similarity),
            around: None,
        }
    }
}

/// Lines of the file that a block may mean.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Best {
    /// The first and the last of them, counted from one.
    pub lines: [u32; 2],
    /// Their text, to look for instead.
    pub text: Text,
    /// Whether there are more lines than the text has.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// A line of a block and the line of the file in its place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mismatch {
    /// The line of the file, counted from one; none if the file lacks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The block's line; none if the block lacks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yours: Option<Text>,
    /// The file's line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theirs: Option<Text>,
}

/// Why a block probably does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HintKind {
    /// Lines were left out, or a line stands for others.
    Elision,
    /// There are line numbers in it.
    Numbers,
    /// There are HTML entities in it.
    Entities,
    /// It was written for another version of the file, or from memory.
    Stale,
    /// It fits several places.
    Ambiguous,
    /// Nothing in the file is like it.
    WrongFile,
}

/// What became of one block.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BlockReport {
    /// Its number in the file, counted from zero.
    pub index: u32,
    /// What became of it.
    pub status: Status,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_kind: Option<ErrorKind>,
    /// How its place was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// How alike its place, or the best place, is, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// The same in whole percent, rounded down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity_pct: Option<u32>,
    /// What it would have to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs_pct: Option<u32>,
    /// The first line of its place, or of the best place, counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// In how many places it was applied, if it says how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<u32>,
    /// The start line that it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_line: Option<u32>,
    /// The next best place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<Candidate>,
    /// The places that it could mean, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// The lines most like it, if it failed or was taken by similarity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Best>,
    /// These with lines around them, at least to where the block ends, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub around: Option<Best>,
    /// How these differ from it; the first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mismatches: Vec<Mismatch>,
    /// Why it probably does not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint_kind: Option<HintKind>,
    /// The line of its text that cannot be read, counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff_line: Option<u32>,
    /// What is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// What should be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_marker: Option<String>,
    /// What happened, in a sentence or several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The message with the lines around, numbered.
    #[serde(skip)]
    pub details: Option<String>,
}

impl BlockReport {
    pub(crate) fn new(index: usize, status: Status) -> Self {
        Self {
            index: index as u32,
            status,
            error_kind: None,
            tier: None,
            similarity: None,
            similarity_pct: None,
            needs_pct: None,
            line: None,
            places: None,
            start_line: None,
            runner_up: None,
            candidates: Vec::new(),
            best: None,
            around: None,
            mismatches: Vec::new(),
            hint_kind: None,
            diff_line: None,
            found: None,
            expected_marker: None,
            message: None,
            details: None,
        }
    }

    pub(crate) fn failed(index: usize, kind: ErrorKind) -> Self {
        Self {
            error_kind: Some(kind),
            ..Self::new(index, Status::Failed)
        }
    }

    /// A text whose blocks cannot be read, reported as a block that failed.
    #[must_use]
    pub fn unreadable(index: usize, error: &BlockError) -> Self {
        Self {
            diff_line: error.is_about_a_line().then_some(error.line),
            found: error.found.clone(),
            expected_marker: error.expected.clone(),
            message: Some(error.to_string()),
            ..Self::failed(index, error.kind)
        }
    }

    pub(crate) fn with_similarity(mut self, similarity: f64) -> Self {
        self.similarity = Some(similarity);
        self.similarity_pct = Some(percent(similarity));
        self
    }

    /// Whether the block's edit is in the text.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.status != Status::Failed
    }
}

/// What becomes of a file beyond its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// It is made.
    Created,
    /// It goes.
    Deleted,
    /// It gets another name.
    Moved,
    /// It is as it was before an earlier run.
    Undone,
}

/// What became of one file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FileReport {
    /// The path as it was given.
    pub path: Text,
    /// Whether its blocks applied: all of them, or some if that was asked for.
    pub success: bool,
    /// Why none of them did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_kind: Option<ErrorKind>,
    /// What becomes of the file beyond its lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// Its new path, if it gets one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<Text>,
    /// The new content, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Text>,
    /// Why the file as a whole cannot be edited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Its blocks, in order.
    pub blocks: Vec<BlockReport>,
}

/// What became of everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// `mvdiff.apply/1`.
    pub schema: &'static str,
    /// Whether the edits applied: all of them, or some if that was asked for.
    pub success: bool,
    /// Why none of them did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_kind: Option<ErrorKind>,
    /// The line of the input that cannot be read, counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff_line: Option<u32>,
    /// What is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// What should be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_marker: Option<String>,
    /// What is wrong, if it is about no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Whether files were written.
    pub written: bool,
    /// The files, in order.
    pub files: Vec<FileReport>,
}

/// The name and version of the JSON.
pub const SCHEMA: &str = "mvdiff.apply/1";

impl Report {
    /// A report on files; `success` is for the caller to judge.
    #[must_use]
    pub fn new(success: bool, files: Vec<FileReport>) -> Self {
        Self {
            schema: SCHEMA,
            success,
            error_kind: None,
            diff_line: None,
            found: None,
            expected_marker: None,
            message: None,
            written: false,
            files,
        }
    }

    /// A report on a run that came to nothing.
    #[must_use]
    pub fn trouble(kind: ErrorKind, message: String) -> Self {
        Self {
            error_kind: Some(kind),
            message: Some(message),
            ..Self::new(false, Vec::new())
        }
    }

    /// A report on blocks that cannot be read at all.
    #[must_use]
    pub fn unreadable(error: &BlockError) -> Self {
        Self {
            error_kind: Some(error.kind),
            diff_line: error.is_about_a_line().then_some(error.line),
            found: error.found.clone(),
            expected_marker: error.expected.clone(),
            message: Some(error.to_string()),
            ..Self::new(false, Vec::new())
        }
    }
}
