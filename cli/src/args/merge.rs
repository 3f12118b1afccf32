//! Options of `mvdiff merge`.

use super::{FileKind, LimitArgs};
use clap::{Parser, ValueEnum};
use std::path::PathBuf;

/// Three-way merge of workbooks or text files
#[derive(Debug, Parser)]
#[command(after_help = "\
The result has the changes that either side made to BASE. Code or rows that one side
edited and the other moved are edited in their new place. If both sides changed the
same thing differently, that is a conflict: it is listed, and marked in the result.

Workbooks: OUT is OURS with the changes of THEIRS. Conflicting cells keep the value of
OURS, with a colour and a note, and the last sheet lists the conflicts. Without -o,
only that list is printed.

Text files: conflicts are marked as git marks them. Without -o, the merged text is
printed.

Exit status: 0 if there are no conflicts, 1 if there are some, 2 on trouble, which
leaves OUT unchanged.

Examples:
  mvdiff merge base.xlsx ours.xlsx theirs.xlsx -o merged.xlsx
  mvdiff merge base.xlsx ours.xlsx theirs.xlsx      show what would happen
  mvdiff merge --format json base.xlsx ours.xlsx theirs.xlsx -o merged.xlsx
  mvdiff merge --style diff3 base.py ours.py theirs.py > merged.py
  mvdiff git install                                let git merge workbooks")]
pub(crate) struct MergeArgs {
    /// The common ancestor; an empty file if there is none
    #[arg(value_name = "BASE")]
    pub base: PathBuf,
    /// Our version, which the result starts from
    #[arg(value_name = "OURS")]
    pub ours: PathBuf,
    /// Their version, which is merged into ours
    #[arg(value_name = "THEIRS")]
    pub theirs: PathBuf,
    /// Where to write the result, all of it or nothing; may be one of the three
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Format of the summary [default: terminal on a terminal, else text]
    #[arg(long, value_enum)]
    pub format: Option<MergeFormat>,
    /// Treat the files as this kind, whatever their content
    #[arg(long = "as", value_name = "KIND", value_enum)]
    pub kind: Option<FileKind>,
    /// Name of the file in messages; git's %P
    #[arg(long, value_name = "NAME")]
    pub path: Option<String>,
    /// List conflicts without marking them in the workbook
    #[arg(long)]
    pub no_marks: bool,
    /// Labels after conflict markers; up to three times: for OURS, BASE, THEIRS
    #[arg(short = 'L', long, value_name = "NAME")]
    pub label: Vec<String>,
    /// Length of conflict markers
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub marker_size: u16,
    /// Style of conflicts in text, as in git's merge.conflictStyle
    #[arg(long, value_enum, default_value_t = StyleArg::Merge)]
    pub style: StyleArg,
    /// Resolve conflicts in text by taking this side
    #[arg(long, value_enum, value_name = "SIDE")]
    pub favor: Option<FavorArg>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MergeFormat {
    /// For people, in colour if the terminal supports it
    Terminal,
    /// One line per conflict
    Text,
    /// For scripts; see docs/schemas
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StyleArg {
    /// Ours and theirs
    Merge,
    /// Ours, base and theirs
    Diff3,
    /// Like diff3, without the lines that ours and theirs both begin or end with
    Zdiff3,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FavorArg {
    /// Take the lines of ours
    Ours,
    /// Take the lines of theirs
    Theirs,
    /// Take both, ours first
    Union,
}
