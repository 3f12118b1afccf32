//! The tree report, in the form of its JSON. Lines are one-based.

use crate::{Change, Ignore, MovedBlock, Note, Stats, Text};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Name and version of the schema of [`TreeReport`].
pub const SCHEMA: &str = "mvdiff.tree/1";

/// Changes and moves between two trees.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct TreeReport {
    /// Name and version of the schema.
    pub schema: Cow<'static, str>,
    /// Whether no work budget was exhausted and nothing was omitted.
    pub complete: bool,
    /// Exhausted budgets, ambiguities and omissions.
    pub notes: Vec<Note>,
    /// Whether a work budget was exhausted; editors use this field name.
    pub hit_timeout: bool,
    /// The ignored differences.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Ignore::is_nothing")
    )]
    pub ignore: Ignore,
    /// Counts of files and lines.
    pub stats: TreeStats,
    /// The changed files, sorted by path.
    pub files: Vec<FileReport>,
    /// Files with ignored differences only, listed so that the new tree can be
    /// rebuilt byte for byte.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub ignored_files: Vec<FileReport>,
    /// The moves, in old order.
    pub moves: Vec<MovedBetween>,
    /// Copies, if requested.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub copies: Vec<MovedBetween>,
    /// Merges of equal blocks, if copies are requested.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub merges: Vec<MovedBetween>,
}

/// Counts over a whole tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct TreeStats {
    /// Counts of files.
    pub files: FileStats,
    /// Counts of lines over all files.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub lines: Stats,
}

/// Counts of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct FileStats {
    /// Added files.
    pub added: u32,
    /// Removed files.
    pub removed: u32,
    /// Files changed at the same path.
    pub modified: u32,
    /// Renamed files.
    pub renamed: u32,
    /// Files equal on both sides.
    pub unchanged: u32,
}

/// The change to a file as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum FileStatus {
    /// It is added.
    Added,
    /// It is removed.
    Removed,
    /// It changed at the same path.
    Modified,
    /// It has a new path, and may have changed.
    Renamed,
}

/// The changes to one file.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct FileReport {
    /// Its new path; the old one if it is removed.
    pub path: Text,
    /// Its old path, if it was renamed.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub old_path: Option<Text>,
    /// The change to the file as a whole.
    pub status: FileStatus,
    /// Similarity of both versions of a renamed file, 0 to 1; 1 only if they are
    /// equal.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub similarity: Option<f32>,
    /// Its new mode in octal, if the file was added or its mode changed.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub mode: Option<String>,
    /// Its old mode in octal, if the file was removed or its mode changed.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub old_mode: Option<String>,
    /// Whether it was compared as a whole.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "std::ops::Not::not")
    )]
    pub binary: bool,
    /// Number of lines in the old and the new version; zero for a binary file.
    pub lines: [u32; 2],
    /// Whether the new version ends without a newline.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "std::ops::Not::not")
    )]
    pub no_eol: bool,
    /// Counts of its lines; `moved` counts old lines of this file.
    pub stats: Stats,
    /// Changes in place, in order. They contain no line of a move.
    pub changes: Vec<Change>,
    /// Ignored differences outside moves.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub ignored: Vec<Change>,
    /// The new bytes of a binary file, if they changed.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub content: Option<Text>,
    /// Whether the new bytes of a binary file are too large to include.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "std::ops::Not::not")
    )]
    pub content_omitted: bool,
    /// Indices of the file in the two trees.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub entries: (Option<usize>, Option<usize>),
}

impl FileReport {
    /// Its old path, if it existed.
    #[must_use]
    pub fn path_before(&self) -> Option<&Text> {
        match self.status {
            FileStatus::Added => None,
            _ => Some(self.old_path.as_ref().unwrap_or(&self.path)),
        }
    }

    /// Its new path, if it exists.
    #[must_use]
    pub fn path_after(&self) -> Option<&Text> {
        (self.status != FileStatus::Removed).then_some(&self.path)
    }
}

/// A block that was moved or copied within a file or between files.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct MovedBetween {
    /// The old file.
    pub original_path: Text,
    /// The new file.
    pub modified_path: Text,
    /// Its lines in them, and the changes inside.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub block: MovedBlock,
}

impl TreeReport {
    /// Whether the trees are equal, apart from ignored differences.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}
