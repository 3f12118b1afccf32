//! Unified diffs as other tools write them: git, GNU diff, Subversion, Mercurial,
//! mail.
//!
//! ```
//! use mvdiff_text::patch;
//!
//! let text = b"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n";
//! let changesets = patch::parse(text)?;
//! let file = &changesets[0].files[0];
//! assert_eq!(file.path(), b"f");
//! assert_eq!(file.hunks()[0].lines[1].text, b"old\n");
//!
//! let mut out = Vec::new();
//! patch::write_patch(&mut out, &changesets[0])?;
//! assert_eq!(out, text);
//!
//! let error = patch::parse(b"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n same\n").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "line 5: expected 1 more line of the hunk that starts at line 3, found the end of the input",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything borrows from the input, and no allocation trusts a number in a
//! patch. Time and memory are linear in the input.

mod binary;
mod cursor;
mod error;
mod foreign;
mod header;
mod hunk;
mod names;
mod parse;
mod paths;
mod print;
mod remarks;
mod stream;

pub use error::{Format, Found, PatchError, PatchErrorKind, Side};
pub use parse::parse;
pub use paths::quote_path;
pub use print::{write_header, write_hunk, write_patch};
pub use remarks::Remark;

pub(crate) use binary::opens as opens_binary;
pub(crate) use header::{is_fact, says_more};
pub(crate) use paths::HighBytes;
pub(crate) use print::{Numbers, write_git_line, write_line, write_name};

mod apply;

pub use apply::{apply, fits, unapply};

use std::borrow::Cow;

/// The files of one commit or one run of diff.
///
/// A stream of several commits (`git log -p`, a mail series) consists of several
/// changesets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changeset<'p> {
    /// The text before the first file: the header of a commit or mail. Empty for
    /// a bare diff.
    pub preamble: &'p [u8],
    /// The commit's id, if the preamble names one; `r12` in Subversion's log.
    pub commit: Option<&'p [u8]>,
    /// The first line of the commit message, if any; for a mail, its subject
    /// without `[PATCH]`.
    pub subject: Option<&'p [u8]>,
    /// The files, in order.
    pub files: Vec<FilePatch<'p>>,
}

/// The changes to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePatch<'p> {
    /// Old path, without prefix (`a/`) or quotes; `None` if the file is new.
    pub old_path: Option<Cow<'p, [u8]>>,
    /// New path; `None` if the file is deleted.
    pub new_path: Option<Cow<'p, [u8]>>,
    /// The change to the file as a whole.
    pub status: Status,
    /// Old mode, such as `0o100644`, if stated.
    pub old_mode: Option<u32>,
    /// New mode, if stated.
    pub new_mode: Option<u32>,
    /// Blob ids (hex, possibly abbreviated) of the `index` line.
    pub ids: Option<(&'p [u8], &'p [u8])>,
    /// The header, verbatim, up to the first hunk or binary body. Empty for GNU
    /// diff's bare message that binary files differ.
    pub header: &'p [u8],
    /// The body after the header.
    pub body: Body<'p>,
    /// Text after the file that belongs to no file: Subversion's properties, a
    /// mail's signature, messages. [`Changeset::remarks`] lists the parts that
    /// may be changes.
    pub trailer: &'p [u8],
}

/// The change to a file as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// None of the others. In a bare diff of two files the paths may differ.
    Modified,
    /// It is new.
    Added,
    /// It is deleted.
    Deleted,
    /// It has a new path.
    Renamed,
    /// It is a copy of another file, which stays.
    Copied,
}

/// The content of a [`FilePatch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body<'p> {
    /// Hunks of lines; empty if the header contains the only change.
    Text(Vec<Hunk<'p>>),
    /// A binary patch, or the message that binary files differ, verbatim.
    Binary(&'p [u8]),
}

/// A run of lines around changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk<'p> {
    /// First old line, as written: one-based, or the line before if the side is
    /// empty.
    pub old_start: u32,
    /// Number of old lines.
    pub old_count: u32,
    /// First new line, as written.
    pub new_start: u32,
    /// Number of new lines.
    pub new_count: u32,
    /// The text after the second `@@`, including a space, without the line end.
    pub heading: &'p [u8],
    /// The lines in order.
    pub lines: Vec<HunkLine<'p>>,
    /// The whole hunk, verbatim.
    pub bytes: &'p [u8],
}

impl Hunk<'_> {
    /// The numbers of its first old and new line, one-based; of an empty side, the line
    /// after the one that the head names.
    #[must_use]
    pub fn first_lines(&self) -> [u32; 2] {
        let first = |start: u32, count: u32| start.saturating_add(u32::from(count == 0));
        [
            first(self.old_start, self.old_count),
            first(self.new_start, self.new_count),
        ]
    }
}

/// A line of a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HunkLine<'p> {
    /// The sides that contain it.
    pub kind: LineKind,
    /// The line with its newline, unless a marker says that it has none. A blank
    /// context line whose space was lost in a mail is `"\n"`.
    pub text: &'p [u8],
}

/// The sides that contain a line of a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// Both.
    Context,
    /// The old side.
    Removed,
    /// The new side.
    Added,
}

impl<'p> FilePatch<'p> {
    /// The hunks; empty for a binary file.
    #[must_use]
    pub fn hunks(&self) -> &[Hunk<'p>] {
        match &self.body {
            Body::Text(hunks) => hunks,
            Body::Binary(_) => &[],
        }
    }

    /// Whether the file is binary.
    #[must_use]
    pub fn is_binary(&self) -> bool {
        matches!(self.body, Body::Binary(_))
    }

    /// The path that identifies the file: the new one, or the old one if it is
    /// deleted.
    #[must_use]
    pub fn path(&self) -> &[u8] {
        self.new_path
            .as_deref()
            .or(self.old_path.as_deref())
            .unwrap_or_default()
    }
}
