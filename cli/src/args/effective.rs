//! Options of `mvdiff effective` and of its output.

use super::{PageArgs, ScreenArgs, lines, share};
use clap::{Args, Parser, ValueEnum};
use std::path::PathBuf;

/// Read a patch and print what is left once moved code is recognised
#[derive(Debug, Parser)]
#[command(after_help = "\
The patch is a unified diff of git, GNU diff, Subversion or Mercurial. In a
stream of commits (git log -p, a mail series) each commit is read by itself.
Whole files help to find where a block begins and ends. They are taken from the
repository around the working directory, if it has them; see --repo and --old.
The plain diff that is printed is for reading: it does not apply, since moved
lines are not in it. Moves are then listed on standard error.

Exit status: 0; with --exit-code 1 if something is left to read; 2 on trouble.

Examples:
  git diff main... | mvdiff effective            what is left of a branch
  git log -p -3 | mvdiff effective               the last three commits
  mvdiff effective -y change.patch               old on the left, new on the right
  mvdiff effective --format json change.patch    for programs; see docs/schemas
  mvdiff effective --old a --new b change.patch  with two trees at hand
  git diff main... | mvdiff effective --format html -o review.html    a page")]
pub(crate) struct EffectiveArgs {
    /// The patch, or - for standard input [default: -]
    #[arg(value_name = "PATCH")]
    pub patch: Option<PathBuf>,
    /// Take whole files from this repository
    #[arg(long, value_name = "DIR", conflicts_with_all = ["old", "new"])]
    pub repo: Option<PathBuf>,
    /// Take whole files before the change from this directory
    #[arg(long, value_name = "DIR", requires = "new")]
    pub old: Option<PathBuf>,
    /// Take whole files after the change from this directory
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
    /// How to print [default: terminal on a terminal or with -y, else unified]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// Write to FILE, all or nothing
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Lines of context [default: those of the patch; inside moved blocks none]
    #[arg(short = 'U', long, value_name = "N", value_parser = lines)]
    pub unified: Option<u32>,
    /// White space that changed inside moved blocks: indentation of the block as
    /// a whole, line ends, blank lines
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Whitespace::Hide)]
    pub whitespace: Whitespace,
    /// Least similarity of a moved block in which every line was edited, 0 to 1; with 1
    /// only exact moves
    #[arg(long, value_name = "X", default_value_t = 0.8, value_parser = share)]
    pub threshold: f32,
    /// Unmatched lines in a row that a moved block may contain, at its edges and, if
    /// it is not 3, between its unedited parts (20 otherwise)
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub gap: u32,
    /// Lines beyond a hunk that a block may reach into, where whole files are known
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub extend: u32,
    /// Lines that a block may reach beyond its unedited ones
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub trim: u32,
    /// Least score of a move, 0 to 1; scores are in the JSON
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = share)]
    pub min_score: f32,
    /// Do not look for moves
    #[arg(long)]
    pub no_moves: bool,
    /// Also look for copies: new lines that are still elsewhere
    #[arg(long, conflicts_with = "no_moves")]
    pub copies: bool,
    /// Exit with 1 if something is left to read; moves count
    #[arg(long)]
    pub exit_code: bool,
    /// Show lock files and generated files, too
    #[arg(long)]
    pub show_generated: bool,
    #[command(flatten)]
    pub screen: ScreenArgs,
    #[command(flatten)]
    pub page: PageArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For reading, with colours where there are any
    Terminal,
    /// A plain unified diff
    Unified,
    /// For programs; see docs/schemas
    Json,
    /// A web page in one file
    Html,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Whitespace {
    /// Show it
    Show,
    /// Leave it out and count it
    Hide,
}
