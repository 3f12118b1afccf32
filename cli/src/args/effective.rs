//! What can be said to `mvdiff effective` and `mvdiff git`.

use super::{PageArgs, ScreenArgs, share};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Read a patch and print what is left once moved code is recognised
#[derive(Debug, Parser)]
#[command(after_help = "\
The patch is a unified diff of git, GNU diff, Subversion or Mercurial. Of a
stream of commits (git log -p, a mail series) each is looked at by itself.
Whole files help to find where a block begins and ends. They are taken from the
repository around the working directory, if it has them; see --repo and --old.
The plain diff that is printed is for reading: it does not apply, since moved
lines are not in it. What moved is then told on standard error.

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

/// Ask git for a diff and print what is left once moved code is recognised
#[derive(Debug, Parser)]
#[command(
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    after_help = "\
Revisions are those of git diff: none for the working tree against the index,
one for the working tree against it, two, A..B or A...B for those two. A branch
called \"install\" is refs/heads/install here.
Nothing that the repository's own configuration names is run: no external diff,
no text conversion, no file system monitor, no hook, and no clean filter but
those of your own or the system's configuration. Nothing is fetched.

Exit status: 0; with --exit-code 1 if something is left to read; 2 on trouble.

Examples:
  mvdiff git                     what is not staged yet
  mvdiff git --staged            what is
  mvdiff git main...HEAD         what this branch did since it left main
  mvdiff git v1.0 v1.1           between two tags
  mvdiff git HEAD~3 -- src       since three commits ago, below src
  mvdiff git --format html -o review.html main...    a page for the browser
  mvdiff git --layout unified    one column, however wide the terminal is
  mvdiff git install             make it \"git mvdiff\", and show workbooks in git diff"
)]
pub(crate) struct GitArgs {
    #[command(subcommand)]
    pub command: Option<GitCommand>,
    /// At most two revisions, or A..B, or A...B
    #[arg(value_name = "REVS")]
    pub revs: Vec<OsString>,
    /// Only these files and directories
    #[arg(value_name = "PATHS", last = true)]
    pub paths: Vec<OsString>,
    /// The index against HEAD or the revision given
    #[arg(long, visible_alias = "cached")]
    pub staged: bool,
    #[command(flatten)]
    pub report: ReportArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GitCommand {
    Install(InstallArgs),
}

/// Make "mvdiff git" a command of git, and mvdiff its diff driver for workbooks
#[derive(Debug, Parser)]
#[command(after_help = "\
Sets alias.mvdiff, diff.mvdiff.command and diff.mvdiff.textconv, and adds lines
such as \"*.xlsx diff=mvdiff\" to the attributes file: .git/info/attributes, or
that of core.attributesFile, or ~/.config/git/attributes. git diff then shows
what happened to workbooks; git log -p and git show compare them cell by cell,
or like git diff with --ext-diff. What somebody else set stays as it is.

Examples:
  mvdiff git install             for you, everywhere
  mvdiff git install --local     in this repository only
  mvdiff git install --print     only say what would be done
  mvdiff git install --undo      take it back")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct InstallArgs {
    /// For you, everywhere; this is the default
    #[arg(long, conflicts_with = "local")]
    pub global: bool,
    /// For this repository
    #[arg(long)]
    pub local: bool,
    /// Print what would be done, and do nothing
    #[arg(long)]
    pub print: bool,
    /// Take back what was installed
    #[arg(long)]
    pub undo: bool,
}

/// How to look for moves and how to print what is left.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// How to print [default: terminal on a terminal or with -y, else unified]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// Write to FILE instead, all of it or nothing
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Lines of context around changes inside moved blocks
    #[arg(short = 'U', long, value_name = "N", default_value_t = 0)]
    pub unified: u32,
    /// White space that changed inside moved blocks: indentation of the block as
    /// a whole, line ends, blank lines
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Whitespace::Hide)]
    pub whitespace: Whitespace,
    /// Least likeness of a moved block of which every line was edited, 0 to 1; at 1
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
    /// Also look for copies: new lines that still stand elsewhere
    #[arg(long, conflicts_with = "no_moves")]
    pub copies: bool,
    /// Exit with 1 if something is left to read; moves count
    #[arg(long)]
    pub exit_code: bool,
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
    /// A page for the browser, in one file
    Html,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Whitespace {
    /// Show it
    Show,
    /// Leave it out and count it
    Hide,
}
