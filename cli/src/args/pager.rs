//! Options of `mvdiff pager`.

use super::ReportArgs;
use clap::Parser;

/// Show a diff from standard input for reading, and pass everything else through; this
/// is what mvdiff does without a command
#[derive(Debug, Parser)]
#[command(after_help = "\
Colours in a diff are replaced. What is not a diff (git blame, git grep, a log
without patches), and diffs in other forms (merges, --word-diff, --graph), go
through byte for byte. A log is shown commit by commit, as it comes.

Examples:
  git diff | mvdiff                                  for once
  git config --global core.pager mvdiff              for everything git shows
  git config --global interactive.diffFilter 'mvdiff --color-only'    git add -p
  git log -p | mvdiff pager --layout unified         the same, by its name
  git diff | mvdiff pager --format html -o a.html    as a page")]
pub(crate) struct PagerArgs {
    /// Only colour the lines, one for one, as git's interactive.diffFilter needs it
    #[arg(long)]
    pub color_only: bool,
    #[command(flatten)]
    pub report: ReportArgs,
}
