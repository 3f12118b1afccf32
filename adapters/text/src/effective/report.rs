//! The report of an effective diff, in the form of its JSON
//! (`mvdiff.effective/1`). Lines are one-based.

use crate::{Indent, Note, Text};
pub use crate::{MoveKind, TwinSide};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// The moves in a patch and the changes that remain.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct EffectiveReport {
    /// Name and version of the schema.
    pub schema: String,
    /// The commit of the patch, in a stream of several.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub commit: Option<Text>,
    /// Whether no budget was exhausted.
    pub complete: bool,
    /// Exhausted budgets, ambiguities and missing contents.
    pub notes: Vec<Note>,
    /// The origin of file contents.
    pub contents: Source,
    /// Counts of the parsed input.
    pub input: InputCounts,
    /// Number of moves; copies and reindented blocks do not count.
    pub moves_detected: u32,
    /// Number of blocks reindented in place.
    #[cfg_attr(feature = "serde", serde(default))]
    pub indents_detected: u32,
    /// Old lines of those blocks.
    #[cfg_attr(feature = "serde", serde(default))]
    pub total_lines_reindented: u32,
    /// Old lines that moved, unedited.
    pub total_lines_moved: u32,
    /// `+` and `-` lines that remain.
    pub total_lines_effectively_changed: u32,
    /// The moves, followed by blocks reindented in place, copies, merges, and
    /// lines that stayed.
    pub moves: Vec<MoveDetail>,
    /// The final base alignment: the kept lines.
    pub kept: Vec<KeptRun>,
    /// The remaining changes, as a unified diff.
    pub effective_diff: Text,
    /// How to build the new files from the old ones, if contents are known.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub recipe: Option<Vec<RecipeFile>>,
    /// The lines that `effective_diff` shows; not part of the JSON.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub shown: ShownLines,
}

/// The lines that an effective diff shows as removed or added, for views that do not
/// print it. Unknown for a report that was read from JSON.
#[derive(Clone, Debug, Default)]
pub struct ShownLines {
    sides: Option<[RangesByPath; 2]>,
}

/// First and last line numbers of ranges by path, one-based.
type RangesByPath = HashMap<Vec<u8>, Vec<[u32; 2]>>;

/// Shown lines follow from the diff, which is compared.
impl PartialEq for ShownLines {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl ShownLines {
    /// No lines, which is known.
    pub(super) fn none() -> Self {
        Self {
            sides: Some(Default::default()),
        }
    }

    /// The lines of two paths, to be added to.
    pub(super) fn of(&mut self, paths: [Option<&[u8]>; 2]) -> [Option<ShownRanges<'_>>; 2] {
        let [old, new] = self.sides.get_or_insert_default();
        [(old, paths[0]), (new, paths[1])].map(|(side, path)| {
            let path = path?;
            if !side.contains_key(path) {
                side.insert(path.to_vec(), Vec::new());
            }
            side.get_mut(path).map(ShownRanges)
        })
    }

    /// Whether the lines are known.
    #[must_use]
    pub fn are_known(&self) -> bool {
        self.sides.is_some()
    }

    /// The line numbers that are shown of the file at a path on one side.
    pub fn numbers(&self, side: TwinSide, path: &[u8]) -> impl Iterator<Item = u32> {
        let side = self.sides.as_ref().map(|sides| &sides[side as usize]);
        let ranges = side.and_then(|side| side.get(path));
        let ranges = ranges.into_iter().flatten();
        ranges.flat_map(|&[first, last]| first..=last)
    }
}

/// The shown lines of one path.
pub(super) struct ShownRanges<'s>(&'s mut Vec<[u32; 2]>);

impl ShownRanges<'_> {
    pub(super) fn push(&mut self, first: u32, last: u32) {
        match self.0.last_mut() {
            Some([_, end]) if end.checked_add(1) == Some(first) => *end = last,
            _ => self.0.push([first, last]),
        }
    }
}

impl EffectiveReport {
    /// The blocks of `moves` to present to a reader. Lines that stayed and are
    /// shown as changes ([`MoveKind::Stay`]) come last and are omitted.
    #[must_use]
    pub fn blocks(&self) -> &[MoveDetail] {
        let stayed = self.moves.iter().position(|m| m.kind == MoveKind::Stay);
        &self.moves[..stayed.unwrap_or(self.moves.len())]
    }
}

/// The origin of file contents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Source {
    /// A repository's objects.
    Repo,
    /// Two directories.
    Dirs,
    /// None: only the hunks are known.
    #[default]
    None,
}

/// Counts of the parsed input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct InputCounts {
    /// Files, including renames, mode changes and binaries.
    pub files: u32,
    /// Hunks.
    pub hunks: u32,
    /// `+` lines.
    pub added: u32,
    /// `-` lines.
    pub removed: u32,
    /// Binary files.
    pub binary: u32,
    /// Stretches of text around the files that may be changes and are shown
    /// verbatim.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    pub remarks: u32,
}

#[cfg(feature = "serde")]
#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so.
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Another block that could have been one end of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Twin {
    /// The end that it could be.
    pub side: TwinSide,
    /// Its file.
    pub file: Text,
    /// First and last line.
    pub lines: [u32; 2],
}

/// A block that was moved, reindented in place, copied or merged.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct MoveDetail {
    /// Its number, one-based.
    pub id: u32,
    /// Moved, reindented in place, copied or merged.
    pub kind: MoveKind,
    /// The move that shares its old lines with this copy, or its new lines with
    /// this merge; `None` if those lines stayed.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub of: Option<u32>,
    /// The old file.
    pub source_file: Text,
    /// The new file.
    pub target_file: Text,
    /// First and last old line.
    pub source_lines: [u32; 2],
    /// First and last new line.
    pub target_lines: [u32; 2],
    /// Number of lines in `pairs`.
    pub matched_lines: u32,
    /// Confidence, 0 to 1.
    pub score: f32,
    /// `+` and `-` lines of the block that remain.
    pub effective_diff_lines: u32,
    /// The uniform change of indentation of the block.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub indent: Option<Indent>,
    /// Lines omitted although their white space changed.
    pub whitespace_lines: u32,
    /// Runs `[old line, new line, length]` of surviving lines: equal except for
    /// the block's indentation and trailing white space.
    pub pairs: Vec<[u32; 3]>,
    /// Pairs of edited lines.
    pub edited_pairs: Vec<[u32; 2]>,
    /// Equal blocks that could have been one of its ends.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub twins: Vec<Twin>,
    /// The evidence for it.
    pub evidence: EvidenceParts,
}

/// The evidence for a move.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct EvidenceParts {
    /// How informative it is, 0 to 1.
    pub size: f32,
    /// How rare its lines are among the changes, 0 to 1.
    pub uniqueness: f32,
    /// Whether its lines kept their order and distance, 0 to 1.
    pub consistency: f32,
    /// How far it moved, 0 to 1.
    pub distance: f32,
    /// How informative it is, in units of ordinary lines.
    pub weight: f32,
    /// Score of the next best candidate, relative to this one.
    pub runner_up: Option<f32>,
}

/// A run of kept lines: `[old file, old line, new file, new line, length]`. The runs of
/// a file share its paths: a patch of millions of lines has hundreds of thousands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct KeptRun(
    #[cfg_attr(feature = "serde", serde(with = "shared"))] pub Arc<Text>,
    pub u32,
    #[cfg_attr(feature = "serde", serde(with = "shared"))] pub Arc<Text>,
    pub u32,
    pub u32,
);

#[cfg(feature = "serde")]
mod shared {
    use super::{Arc, Text};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(path: &Text, serializer: S) -> Result<S::Ok, S::Error> {
        path.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<Text>, D::Error> {
        Text::deserialize(from).map(Arc::new)
    }
}

/// How to build one new file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct RecipeFile {
    /// Its path.
    pub file: Text,
    /// Its old path, if it was renamed or copied. If no mode is specified, that
    /// file's mode applies.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub origin: Option<Text>,
    /// Its new mode, in octal, if the patch specifies it.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub mode: Option<String>,
    /// Whether the file is deleted.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "std::ops::Not::not")
    )]
    pub deleted: bool,
    /// Whether the file is not text.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "std::ops::Not::not")
    )]
    pub binary: bool,
    /// Whether the file ends without a newline.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "std::ops::Not::not")
    )]
    pub no_eol: bool,
    /// Its parts, in order.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub parts: Vec<RecipePart>,
}

/// A part of a new file. Places are `(old file, first line, count)`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
pub enum RecipePart {
    /// Kept old lines.
    Kept {
        /// Their place.
        kept: (Text, u32, u32),
    },
    /// Moved old lines.
    Moved {
        /// Number of the move.
        #[cfg_attr(feature = "serde", serde(rename = "move"))]
        id: u32,
        /// Their old place.
        from: (Text, u32, u32),
        /// How their indentation changed.
        #[cfg_attr(
            feature = "serde",
            serde(default, skip_serializing_if = "Option::is_none")
        )]
        indent: Option<Indent>,
    },
    /// Copied old lines.
    Copied {
        /// Number of the copy.
        #[cfg_attr(feature = "serde", serde(rename = "copy"))]
        id: u32,
        /// Their old place.
        from: (Text, u32, u32),
        /// How their indentation changed.
        #[cfg_attr(
            feature = "serde",
            serde(default, skip_serializing_if = "Option::is_none")
        )]
        indent: Option<Indent>,
    },
    /// New lines, without their newlines.
    Lines {
        /// Their text.
        lines: Vec<Text>,
    },
}
