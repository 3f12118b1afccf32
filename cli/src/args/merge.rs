//! Options of `mvdiff merge`.

use super::{FileKind, LimitArgs};
use clap::{Parser, ValueEnum};
use std::path::PathBuf;

/// Merge two versions of a workbook or a text that come from one
#[derive(Debug, Parser)]
#[command(after_help = "\
The result has what either side did to BASE. Code or rows that one side edited and
the other moved are edited in their new place. Where both sides changed the same
thing differently, that is a conflict: it is listed, and marked in the result.

Workbooks: OUT is OURS with the changes of THEIRS. Conflicting cells keep what
OURS has, with a colour and a note, and a last sheet lists them. Without -o, only
the list is printed.

Texts: conflicts are between markers, as git writes them. Without -o, the merged
text is printed.

Exit status: 0 if all was merged, 1 if there are conflicts, 2 on trouble; then
OUT is as it was.

Examples:
  mvdiff merge base.xlsx ours.xlsx theirs.xlsx -o merged.xlsx
  mvdiff merge base.xlsx ours.xlsx theirs.xlsx      what would happen
  mvdiff merge --format json base.xlsx ours.xlsx theirs.xlsx -o merged.xlsx
  mvdiff merge --style diff3 base.py ours.py theirs.py > merged.py
  mvdiff git install                                git merge, for workbooks")]
pub(crate) struct MergeArgs {
    /// The version that both come from; an empty file if there is none
    #[arg(value_name = "BASE")]
    pub base: PathBuf,
    /// The version that the result starts from
    #[arg(value_name = "OURS")]
    pub ours: PathBuf,
    /// The version that is brought in
    #[arg(value_name = "THEIRS")]
    pub theirs: PathBuf,
    /// Where to write the result, all of it or nothing; may be one of the three
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// How to print what happened [default: terminal on a terminal, else text]
    #[arg(long, value_enum)]
    pub format: Option<MergeFormat>,
    /// Take the files for this, whatever they look like
    #[arg(long = "as", value_name = "KIND", value_enum)]
    pub kind: Option<FileKind>,
    /// The name of the file in messages, as git's %P
    #[arg(long, value_name = "NAME")]
    pub path: Option<String>,
    /// Leave conflicts out of the workbook, and only list them
    #[arg(long)]
    pub no_marks: bool,
    /// Labels for conflict markers in text: of OURS, of BASE, of THEIRS
    #[arg(short = 'L', long, value_name = "NAME")]
    pub label: Vec<String>,
    /// Characters of a marker
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub marker_size: u16,
    /// What is between the markers
    #[arg(long, value_enum, default_value_t = StyleArg::Merge)]
    pub style: StyleArg,
    /// Which side to take where both changed a text, instead of conflicts
    #[arg(long, value_enum, value_name = "SIDE")]
    pub favor: Option<FavorArg>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MergeFormat {
    /// For reading, with colours where there are any
    Terminal,
    /// A line for each conflict
    Text,
    /// For programs; see docs/schemas
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StyleArg {
    /// Ours and theirs
    Merge,
    /// The base, too
    Diff3,
    /// The base, too; what both begin and end with stays outside
    Zdiff3,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FavorArg {
    /// What ours has
    Ours,
    /// What theirs has
    Theirs,
    /// What both have, ours first
    Union,
}
