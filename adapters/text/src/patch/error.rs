//! What is wrong with a patch, and where.

/// Why a patch was refused, and the line of the input where that shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct PatchError {
    /// Line of the input, 1-based; one beyond the last for what is missing at
    /// the end.
    pub line: u64,
    /// What is wrong there.
    pub kind: PatchErrorKind,
}

/// What can be wrong with a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchErrorKind {
    /// A line that begins with `@@` and is no hunk header.
    #[error("malformed hunk header; expected `@@ -START,COUNT +START,COUNT @@`")]
    HunkHeader,
    /// A number in a hunk header that no file can have.
    #[error(
        "number out of range in a hunk header; expected lines from 1 to {}, or 0,0",
        u32::MAX
    )]
    Number,
    /// A hunk that ends before its header says so.
    #[error(
        "expected {missing} more {} of the hunk that starts at line {start}, found {found}",
        if *missing == 1 { "line" } else { "lines" }
    )]
    HunkTruncated {
        /// Line of the hunk's header.
        start: u64,
        /// Lines that are missing on the side that misses more.
        missing: u32,
        /// What stands there instead.
        found: Found,
    },
    /// A hunk that goes on where its header says it ends.
    #[error(
        "one line too many on the {side} side of the hunk that starts at line {start}; \
         expected what its numbers say"
    )]
    HunkOverrun {
        /// Line of the hunk's header.
        start: u64,
        /// The side that has too many.
        side: Side,
    },
    /// A hunk that belongs to no file.
    #[error("hunk without a file header; expected `---` and `+++` lines before it")]
    OrphanHunk,
    /// A no-newline mark after another one.
    #[error("two no-newline marks after one line; expected one at most")]
    NoNewlineTwice,
    /// A no-newline mark with no line before it.
    #[error("no-newline mark at the start of a hunk; expected it after a line")]
    NoNewlineFirst,
    /// A line after the one that has no newline, on the same side.
    #[error("a line follows the last one of its side; expected no line after a no-newline mark")]
    AfterNoNewline,
    /// A quoted path that does not end, or holds an unknown escape.
    #[error("bad quoting of a path; expected \"…\" with C escapes")]
    Quoting,
    /// A file of which the header says no path.
    #[error("no path can be told from the file header; expected `---` and `+++` lines")]
    NoPath,
    /// A file that stands on no side.
    #[error("both sides are /dev/null; expected a path on one of them")]
    NoSide,
    /// A file that is new and deleted at once.
    #[error("the file header says both new and deleted; expected one of them")]
    Contradiction,
    /// A mode that is none.
    #[error("bad file mode; expected octal digits such as 100644")]
    Mode,
    /// A damaged `GIT binary patch`.
    #[error("corrupt binary patch; expected {0}")]
    Binary(&'static str),
    /// A part of the input that would be left out.
    #[error("a part of the patch could not be read; expected every byte to be a part of it")]
    Unaccounted,
    /// Another format, refused by name.
    #[error("{0}")]
    Unsupported(Format),
}

/// What stands where a line of a hunk should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Found {
    /// Nothing.
    #[error("the end of the input")]
    End,
    /// A line that begins with no mark of a hunk's line.
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

/// Formats that are told apart from a unified diff only to be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Format {
    /// `git diff --cc`, `@@@`: a merge against several parents.
    #[error("combined diff of a merge; make it with -m, --first-parent or against one parent")]
    Combined,
    /// With colours.
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
