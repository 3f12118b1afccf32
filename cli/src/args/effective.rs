//! Options of `mvdiff effective` and of its output.

use super::{PageArgs, ScreenArgs, lines, share};
use clap::{Args, Parser, ValueEnum};
use std::path::PathBuf;

/// Read a patch, recognise moved code, and print what is left to read
#[derive(Debug, Parser)]
#[command(after_help = "\
The patch is a unified diff of git, GNU diff, Subversion or Mercurial. In a
stream of commits (git log -p, a mail series), each commit is handled on its own.
With whole files, mvdiff can tell better where a block begins and ends. They are
taken from the repository around the working directory; see --repo and --old.
The unified output is for reading only: it does not apply, because moved lines
are missing. The moves are listed on standard error.

Exit status: 0, or 1 with --exit-code if something is left to read; 2 on trouble.

Examples:
  git diff main... | mvdiff effective            review a branch
  git log -p -3 | mvdiff effective               the last three commits
  mvdiff effective -y change.patch               old on the left, new on the right
  mvdiff effective --format json change.patch    for scripts; see docs/schemas
  mvdiff effective --old a --new b change.patch  take whole files from two directories
  git diff main... | mvdiff effective --format html -o review.html    an HTML page")]
pub(crate) struct EffectiveArgs {
    /// The patch, or - for standard input [default: -]
    #[arg(value_name = "PATCH")]
    pub patch: Option<PathBuf>,
    /// Take whole files from this repository
    #[arg(long, value_name = "DIR", conflicts_with_all = ["old", "new"])]
    pub repo: Option<PathBuf>,
    /// Take whole old files from this directory
    #[arg(long, value_name = "DIR", requires = "new")]
    pub old: Option<PathBuf>,
    /// Take whole new files from this directory
    #[arg(long, value_name = "DIR", requires = "old")]
    pub new: Option<PathBuf>,
    #[command(flatten)]
    pub report: ReportArgs,
}

impl EffectiveArgs {
    /// A patch from standard input.
    pub(crate) fn of_standard_input(report: ReportArgs) -> Self {
        Self {
            patch: None,
            repo: None,
            old: None,
            new: None,
            report,
        }
    }
}

/// How to look for moves and how to print what is left.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct ReportArgs {
    /// Output format [default: terminal on a terminal or with -y, else unified]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// Write to FILE, all or nothing
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Lines of context [default: as in the patch; none inside moved blocks]
    #[arg(short = 'U', long, value_name = "N", value_parser = lines)]
    pub unified: Option<u32>,
    /// Whether to show changes of white space inside moved blocks: the block's
    /// indentation, line ends, blank lines
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Whitespace::Hide)]
    pub whitespace: Whitespace,
    /// Minimum similarity of a moved block in which every line was edited, 0 to 1; 1
    /// finds exact moves only
    #[arg(long, value_name = "X", default_value_t = 0.8, value_parser = share)]
    pub threshold: f32,
    /// How many consecutive unmatched lines a moved block may contain near its edges
    /// and, unless N is 3, between its unedited parts (for 3, that limit is 20)
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub gap: u32,
    /// How many lines a block may reach beyond a hunk, if whole files are known
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub extend: u32,
    /// How many edited lines a block may have at its edges
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub trim: u32,
    /// Minimum score of a move, 0 to 1; the JSON has the scores
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = share)]
    pub min_score: f32,
    /// Do not look for moves
    #[arg(long)]
    pub no_moves: bool,
    /// Also find copies: new lines that equal lines still in place
    #[arg(long, conflicts_with = "no_moves")]
    pub copies: bool,
    /// Exit with 1 if something is left to read or moved
    #[arg(long)]
    pub exit_code: bool,
    /// Show lock files and generated files instead of only counting their changes
    #[arg(long)]
    pub show_generated: bool,
    #[command(flatten)]
    pub screen: ScreenArgs,
    #[command(flatten)]
    pub page: PageArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people, in colour if the terminal supports it
    Terminal,
    /// A plain unified diff
    Unified,
    /// For scripts; see docs/schemas
    Json,
    /// An HTML page in one file
    Html,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Whitespace {
    /// Show them
    Show,
    /// Only count them
    Hide,
}
