//! Options of `mvdiff pager`.

use super::ReportArgs;
use clap::Parser;

/// Show diffs from standard input and pass everything else through; this is the
/// default without a command
#[derive(Debug, Parser)]
#[command(after_help = "\
Colours in a diff are replaced. Everything that is not a diff (git blame, git grep, a
log without patches), and other kinds of diffs (merges, --word-diff, --graph), pass
through unchanged. A log is shown commit by commit, as it is read.

Examples:
  git diff | mvdiff                                  show one diff
  git config --global core.pager mvdiff              show everything that git prints
  git config --global interactive.diffFilter 'mvdiff --color-only'    for git add -p
  git log -p | mvdiff pager --layout unified         call it by name to pass options
  git diff | mvdiff pager --format html -o a.html    an HTML page")]
pub(crate) struct PagerArgs {
    /// Only colour the lines and keep their number, as git's interactive.diffFilter
    /// requires
    #[arg(long)]
    pub color_only: bool,
    #[command(flatten)]
    pub report: ReportArgs,
}
