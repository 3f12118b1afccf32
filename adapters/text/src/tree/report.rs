//! The tree report, as JSON has it. Lines count from one.

use crate::{Change, Ignore, MovedBlock, Note, Stats, Text};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The name of [`TreeReport`]'s form.
pub const SCHEMA: &str = "mvdiff.tree/1";

/// What changed and what moved between two trees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeReport {
    /// Name and version of this document's form.
    pub schema: Cow<'static, str>,
    /// Whether no work budget ran out and nothing was left out.
    pub complete: bool,
    /// What was cut short, left open or left out.
    pub notes: Vec<Note>,
    /// Whether a work budget ran out; the field is named as editors name it.
    pub hit_timeout: bool,
    /// Which differences were asked to be ignored.
    #[serde(default, skip_serializing_if = "Ignore::is_nothing")]
    pub ignore: Ignore,
    /// Counts of files and lines.
    pub stats: TreeStats,
    /// The files to which something happened, in order of their paths.
    pub files: Vec<FileReport>,
    /// Files in which nothing changed but what was asked to be ignored: with these,
    /// the new tree can be rebuilt to the byte.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored_files: Vec<FileReport>,
    /// What moved, in old order.
    pub moves: Vec<MovedBetween>,
    /// What was copied, where copies were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<MovedBetween>,
    /// What became one with an equal block, where copies were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merges: Vec<MovedBetween>,
}

/// Counts over a whole tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeStats {
    /// Counts of files.
    pub files: FileStats,
    /// Counts of lines, of all files.
    #[serde(flatten)]
    pub lines: Stats,
}

/// Counts of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStats {
    /// Only new.
    pub added: u32,
    /// Only old.
    pub removed: u32,
    /// At the same path and not the same.
    pub modified: u32,
    /// At another path.
    pub renamed: u32,
    /// The same on both sides.
    pub unchanged: u32,
}

/// What happened to a file as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileStatus {
    /// It came.
    Added,
    /// It went.
    Removed,
    /// It is where it was, and not the same.
    Modified,
    /// It is at another path, and may have changed.
    Renamed,
}

/// What happened to one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileReport {
    /// Its new path; the old one if it is gone.
    pub path: Text,
    /// Its old path, if it was renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_path: Option<Text>,
    /// What happened to it as a whole.
    pub status: FileStatus,
    /// Of a renamed file, the share that both versions have in common, 0 to 1; 1
    /// only if they are the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f32>,
    /// Its new mode in octal, if the file came or its mode changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// Its old mode in octal, if the file went or its mode changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_mode: Option<String>,
    /// Whether it was compared as a whole.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub binary: bool,
    /// Lines in the old and in the new version; none of a binary file.
    pub lines: [u32; 2],
    /// Whether the new version ends without a newline.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_eol: bool,
    /// Counts of its lines; `moved` are old lines of this file.
    pub stats: Stats,
    /// What changed in place, in order. No line of a move is in it.
    pub changes: Vec<Change>,
    /// Differences outside moves that were asked to be ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<Change>,
    /// The new bytes of a binary file, if they are new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Text>,
    /// Whether the new bytes of a binary file were too many to be here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub content_omitted: bool,
    /// Where the file is in the two trees that were compared.
    #[serde(skip)]
    pub entries: (Option<usize>, Option<usize>),
}

impl FileReport {
    /// The path that it had, if it was there.
    #[must_use]
    pub fn path_before(&self) -> Option<&Text> {
        match self.status {
            FileStatus::Added => None,
            _ => Some(self.old_path.as_ref().unwrap_or(&self.path)),
        }
    }

    /// The path that it has, if it is there.
    #[must_use]
    pub fn path_after(&self) -> Option<&Text> {
        (self.status != FileStatus::Removed).then_some(&self.path)
    }
}

/// A block that moved (or was copied) within a file or from one to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MovedBetween {
    /// The old file.
    pub original_path: Text,
    /// The new file.
    pub modified_path: Text,
    /// Where in them, and what changed inside.
    #[serde(flatten)]
    pub block: MovedBlock,
}

impl TreeReport {
    /// Whether the trees are the same, but for what was to be ignored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}
