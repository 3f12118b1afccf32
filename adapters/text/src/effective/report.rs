//! The report of an effective diff, as the contract's JSON has it
//! (`mvdiff.effective/1`). Lines count from one.

use crate::{Indent, Note, Text};
pub use crate::{MoveKind, TwinSide};
use serde::{Deserialize, Serialize};

/// What is left of a patch when moved code is recognised, and what moved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EffectiveReport {
    /// Name and version of this document's form.
    pub schema: String,
    /// The commit that it is about, in a stream of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Text>,
    /// Whether nothing was cut short.
    pub complete: bool,
    /// What was cut short, left open, or could not be looked up.
    pub notes: Vec<Note>,
    /// Where the contents of files came from.
    pub contents: Source,
    /// What the parser found.
    pub input: InputCounts,
    /// How many moves there are; copies and indented blocks do not count.
    pub moves_detected: u32,
    /// How many blocks were indented in place.
    #[serde(default)]
    pub indents_detected: u32,
    /// Old lines of those blocks.
    #[serde(default)]
    pub total_lines_reindented: u32,
    /// Old lines that moved, unedited.
    pub total_lines_moved: u32,
    /// `+` and `-` lines left to read.
    pub total_lines_effectively_changed: u32,
    /// The moves, then what was indented in place, then copies, merges
    /// and lines that stayed.
    pub moves: Vec<MoveDetail>,
    /// The base alignment in the end: what stayed.
    pub kept: Vec<KeptRun>,
    /// What is left to read, as a unified diff.
    pub effective_diff: Text,
    /// How to build the new files from the old ones, where contents are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<Vec<RecipeFile>>,
}

impl EffectiveReport {
    /// The blocks of `moves` that a reader is told of: lines that stayed and are
    /// shown as changes ([`MoveKind::Stay`]) come last and are left out.
    #[must_use]
    pub fn blocks(&self) -> &[MoveDetail] {
        let stayed = self.moves.iter().position(|m| m.kind == MoveKind::Stay);
        &self.moves[..stayed.unwrap_or(self.moves.len())]
    }
}

/// Where the contents of files came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A repository's objects.
    Repo,
    /// Two directories.
    Dirs,
    /// Nowhere: the hunks are all there is.
    #[default]
    None,
}

/// What the parser found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputCounts {
    /// Files, renames, mode changes and binaries included.
    pub files: u32,
    /// Hunks.
    pub hunks: u32,
    /// `+` lines.
    pub added: u32,
    /// `-` lines.
    pub removed: u32,
    /// Files that are binary.
    pub binary: u32,
    /// Stretches of text around the files that may be changes and are shown as
    /// they came.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub remarks: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so.
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Another block that could have been one end of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Twin {
    /// The end that it could have been.
    pub side: TwinSide,
    /// Its file.
    pub file: Text,
    /// First and last line.
    pub lines: [u32; 2],
}

/// A block that moved, was indented in place, copied or merged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveDetail {
    /// Its number, from one.
    pub id: u32,
    /// Moved, indented in place, copied or merged.
    pub kind: MoveKind,
    /// The move that a copy shares its old lines with, or a merge its new ones;
    /// none where those lines stayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u32>,
    /// The old file.
    pub source_file: Text,
    /// The new file.
    pub target_file: Text,
    /// First and last old line.
    pub source_lines: [u32; 2],
    /// First and last new line.
    pub target_lines: [u32; 2],
    /// Lines in `pairs`.
    pub matched_lines: u32,
    /// How sure it is, 0 to 1.
    pub score: f32,
    /// `+` and `-` lines of the block that are left to read.
    pub effective_diff_lines: u32,
    /// The one change of indentation that the block underwent as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub indent: Option<Indent>,
    /// Lines left out though white space in them changed.
    pub whitespace_lines: u32,
    /// Runs `[old line, new line, length]` of lines that survived: equal but
    /// for the block's indentation and white space at the line's end.
    pub pairs: Vec<[u32; 3]>,
    /// Pairs of lines that are the same line, edited.
    pub edited_pairs: Vec<[u32; 2]>,
    /// Equal blocks that could have been one of its ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub twins: Vec<Twin>,
    /// Why it was believed.
    pub evidence: EvidenceParts,
}

/// Why a move was believed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvidenceParts {
    /// How much it says, 0 to 1.
    pub size: f32,
    /// How rare its lines are among what changed, 0 to 1.
    pub uniqueness: f32,
    /// Whether its lines kept their order and distance, 0 to 1.
    pub consistency: f32,
    /// Whether it went anywhere, 0 to 1.
    pub distance: f32,
    /// How much it says, in ordinary lines.
    pub weight: f32,
    /// The next best place's share of the score.
    pub runner_up: Option<f32>,
}

/// A run of lines that stayed: `[old file, old line, new file, new line, length]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptRun(pub Text, pub u32, pub Text, pub u32, pub u32);

/// How to build one new file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecipeFile {
    /// Its path.
    pub file: Text,
    /// Its path before, if it was renamed or copied: where no mode is said, that
    /// file's holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Text>,
    /// Its mode after, in octal, if the patch says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// Whether the file goes away.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
    /// Whether its bytes are no text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub binary: bool,
    /// Whether the file ends without a newline.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_eol: bool,
    /// What it is made of, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<RecipePart>,
}

/// A stretch of a new file. Places are `(old file, first line, count)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RecipePart {
    /// Old lines that stayed.
    Kept {
        /// Where they stand.
        kept: (Text, u32, u32),
    },
    /// Old lines that moved.
    Moved {
        /// Number of the move.
        #[serde(rename = "move")]
        id: u32,
        /// Where they stood.
        from: (Text, u32, u32),
        /// How their indentation changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        indent: Option<Indent>,
    },
    /// Old lines that were copied.
    Copied {
        /// Number of the copy.
        #[serde(rename = "copy")]
        id: u32,
        /// Where they stand.
        from: (Text, u32, u32),
        /// How their indentation changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        indent: Option<Indent>,
    },
    /// New lines, without their newlines.
    Lines {
        /// Their text.
        lines: Vec<Text>,
    },
}
