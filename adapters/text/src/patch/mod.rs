//! Unified diffs as others write them: git, GNU diff, Subversion, Mercurial,
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
//! Everything borrows from the input; what a patch says is never trusted for
//! an allocation. Time and memory are linear in the input.

mod binary;
mod cursor;
mod error;
mod foreign;
mod header;
mod hunk;
mod loose;
mod names;
mod parse;
mod paths;
mod print;
mod stream;

pub use error::{Format, Found, PatchError, PatchErrorKind, Side};
pub use loose::Remark;
pub use parse::parse;
pub use paths::quote_path;
pub use print::{write_header, write_hunk, write_patch};

pub(crate) use binary::opens as opens_binary;
pub(crate) use header::{is_fact, says_more};
pub(crate) use paths::HighBytes;
pub(crate) use print::{Numbers, write_git_line, write_line, write_name};

mod apply;

pub use apply::{apply, fits, unapply};

use std::borrow::Cow;

/// The files of one commit or one run of diff.
///
/// A stream of several commits (`git log -p`, a mail series) is several
/// changesets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changeset<'p> {
    /// What stands before the first file: a commit's or a mail's head. Empty
    /// for a bare diff.
    pub preamble: &'p [u8],
    /// The commit's id, if the preamble names one; `r12` in Subversion's log.
    pub commit: Option<&'p [u8]>,
    /// The first line of the commit's message, if there is one; of a mail's
    /// subject, without `[PATCH]`.
    pub subject: Option<&'p [u8]>,
    /// The files, in order.
    pub files: Vec<FilePatch<'p>>,
}

/// What a patch says of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePatch<'p> {
    /// Path before, without prefix (`a/`) or quotes; `None` if the file is new.
    pub old_path: Option<Cow<'p, [u8]>>,
    /// Path after; `None` if the file is gone.
    pub new_path: Option<Cow<'p, [u8]>>,
    /// What happened to the file as a whole.
    pub status: Status,
    /// Mode before, such as `0o100644`, if the patch says it.
    pub old_mode: Option<u32>,
    /// Mode after, if the patch says it.
    pub new_mode: Option<u32>,
    /// Blob ids (hex, possibly shortened) of the `index` line.
    pub ids: Option<(&'p [u8], &'p [u8])>,
    /// The head as it stands in the input, up to the first hunk or binary body.
    /// Empty for the bare remark of GNU diff that binary files differ.
    pub header: &'p [u8],
    /// What follows the head.
    pub body: Body<'p>,
    /// What stands behind it and belongs to no file: Subversion's properties, a
    /// mail's signature, remarks. What of it may be a change is said by
    /// [`Changeset::remarks`].
    pub trailer: &'p [u8],
}

/// What happened to a file as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It is none of the others. In a diff of two files without more of a head
    /// both paths may differ.
    Modified,
    /// It is new.
    Added,
    /// It is gone.
    Deleted,
    /// It has another path.
    Renamed,
    /// It began as a copy of another file, which stays.
    Copied,
}

/// The content of a [`FilePatch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body<'p> {
    /// Hunks of lines; none if only the head says something.
    Text(Vec<Hunk<'p>>),
    /// A binary patch, or the remark that binary files differ, as it stands.
    Binary(&'p [u8]),
}

/// A run of lines around changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk<'p> {
    /// First old line, as written: 1-based, the line before if there is none.
    pub old_start: u32,
    /// Old lines.
    pub old_count: u32,
    /// First new line, as written.
    pub new_start: u32,
    /// New lines.
    pub new_count: u32,
    /// What follows the second `@@`, a space included, without line end.
    pub heading: &'p [u8],
    /// The lines in order.
    pub lines: Vec<HunkLine<'p>>,
    /// The whole hunk as it stands in the input.
    pub bytes: &'p [u8],
}

/// A line of a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HunkLine<'p> {
    /// Which sides it stands on.
    pub kind: LineKind,
    /// The line with its newline; without one if a mark says so. A blank
    /// context line whose space was lost in the mail is `"\n"`.
    pub text: &'p [u8],
}

/// Which sides a line of a hunk stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// On both.
    Context,
    /// On the old one.
    Removed,
    /// On the new one.
    Added,
}

impl<'p> FilePatch<'p> {
    /// The hunks; none of a binary file.
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

    /// The path that names the file: the new one, or the old one if it is gone.
    #[must_use]
    pub fn path(&self) -> &[u8] {
        self.new_path
            .as_deref()
            .or(self.old_path.as_deref())
            .unwrap_or_default()
    }
}
