//! Errors in a patch, with their location.

/// Why a patch was rejected, and at which line of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct PatchError {
    /// Line of the input, one-based; one past the last if the end of the input is
    /// missing something.
    pub line: u64,
    /// What is wrong there.
    pub kind: PatchErrorKind,
}

/// The kinds of errors in a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchErrorKind {
    /// A line that starts with `@@` but is not a hunk header.
    #[error("malformed hunk header; expected `@@ -START,COUNT +START,COUNT @@`")]
    HunkHeader,
    /// A number in a hunk header that is out of range.
    #[error(
        "number out of range in a hunk header; expected lines from 1 to {}, or 0,0",
        u32::MAX
    )]
    Number,
    /// A hunk with fewer lines than its header states.
    #[error(
        "expected {missing} more {} of the hunk that starts at line {start}, found {found}",
        if *missing == 1 { "line" } else { "lines" }
    )]
    HunkTruncated {
        /// Line of the hunk's header.
        start: u64,
        /// Number of missing lines, on the side that misses more.
        missing: u32,
        /// What was found instead.
        found: Found,
    },
    /// A hunk with more lines than its header states.
    #[error(
        "one line too many on the {side} side of the hunk that starts at line {start}; \
         expected what its numbers say"
    )]
    HunkOverrun {
        /// Line of the hunk's header.
        start: u64,
        /// The side with too many lines.
        side: Side,
    },
    /// A hunk that does not belong to a file.
    #[error("hunk without a file header; expected `---` and `+++` lines before it")]
    OrphanHunk,
    /// A second no-newline marker.
    #[error("two no-newline marks after one line; expected one at most")]
    NoNewlineTwice,
    /// A no-newline marker without a line before it.
    #[error("no-newline mark at the start of a hunk; expected it after a line")]
    NoNewlineFirst,
    /// A line after the last line of its side, which has no newline.
    #[error("a line follows the last one of its side; expected no line after a no-newline mark")]
    AfterNoNewline,
    /// A quoted path that is unterminated or has an unknown escape.
    #[error("bad quoting of a path; expected \"…\" with C escapes")]
    Quoting,
    /// A file header without a path.
    #[error("the file header names no path; expected `---` and `+++` lines")]
    NoPath,
    /// A file that exists on neither side.
    #[error("both sides are /dev/null; expected a path on one of them")]
    NoSide,
    /// A file that is both new and deleted.
    #[error("the file header says both new and deleted; expected one of them")]
    Contradiction,
    /// An invalid mode.
    #[error("bad file mode; expected octal digits such as 100644")]
    Mode,
    /// A damaged `GIT binary patch`.
    #[error("corrupt binary patch; expected {0}")]
    Binary(&'static str),
    /// A part of the input that would be lost.
    #[error("a part of the patch could not be read; expected every byte to be a part of it")]
    Unaccounted,
    /// Another format, rejected by name.
    #[error("{0}")]
    Unsupported(Format),
}

/// What was found instead of a line of a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Found {
    /// The end of the input.
    #[error("the end of the input")]
    End,
    /// A line without the prefix of a hunk line.
    #[error("a line that begins with none of ' ', '+', '-' and '\\'")]
    Line,
}

/// A side of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Side {
    /// Before.
    #[error("old")]
    Old,
    /// After.
    #[error("new")]
    New,
}

/// Formats other than unified diffs, recognised only to be rejected by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Format {
    /// `git diff --cc`, `@@@`: a merge against several parents.
    #[error("combined diff of a merge; make it with -m, --first-parent or against one parent")]
    Combined,
    /// With colour escapes.
    #[error("coloured diff; make it with --no-color")]
    Coloured,
    /// `git diff --word-diff`.
    #[error("word diff; make it without --word-diff")]
    Words,
    /// `git log --graph`.
    #[error("diff drawn beside a graph; make it without --graph")]
    Graph,
    /// `diff -e`.
    #[error("ed script; make it with diff -u")]
    Ed,
    /// `diff` without an option.
    #[error("normal diff; make it with diff -u")]
    Normal,
    /// `diff -c`.
    #[error("context diff; make it with diff -u")]
    Context,
    /// `diff -y`.
    #[error("side-by-side diff; make it with diff -u")]
    SideBySide,
    /// UTF-16, as some shells redirect it.
    #[error("UTF-16 text; save the patch as bytes, for instance with --output=FILE")]
    Utf16,
}

impl PatchErrorKind {
    pub(super) fn at(self, line: u64) -> PatchError {
        PatchError { line, kind: self }
    }
}

impl Format {
    pub(super) fn at(self, line: u64) -> PatchError {
        PatchErrorKind::Unsupported(self).at(line)
    }
}
