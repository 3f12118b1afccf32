//! What can be said on the command line.

mod apply;
mod diff;
mod effective;
mod eval;
mod replay;
mod score;
mod screen;
mod workbook;

pub(crate) use apply::ApplyArgs;
pub(crate) use diff::{DiffArgs, DiffFormat, Kind};
pub(crate) use effective::{
    EffectiveArgs, GitArgs, GitCommand, InstallArgs, ReportArgs, Whitespace,
};
pub(crate) use eval::EvalArgs;
pub(crate) use replay::ReplayArgs;
pub(crate) use score::{ScoreArgs, TableFormat};
pub(crate) use screen::{LayoutArg, ScreenArgs, ThemeArg};
pub(crate) use workbook::{LimitArgs, TextconvArgs, WorkbookArgs};

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

/// The diff that knows what moved.
#[derive(Debug, Parser)]
#[command(
    version,
    about,
    arg_required_else_help = true,
    after_help = "\
Examples:
  git diff main... | mvdiff effective    what is left of a branch, moves aside
  mvdiff git main...                     the same, asking git
  mvdiff diff old.py new.py              two files
  mvdiff diff old.xlsx new.xlsx          two workbooks
  mvdiff apply edit.txt old.py           search/replace blocks, where they fit
  mvdiff score --base O --a A --b B      did two edits do the same thing?

mvdiff COMMAND --help has the options and more examples."
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub color: colorchoice_clap::Color,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Effective(EffectiveArgs),
    Git(GitArgs),
    Diff(DiffArgs),
    Apply(ApplyArgs),
    Replay(ReplayArgs),
    Score(ScoreArgs),
    Eval(EvalArgs),
    Textconv(TextconvArgs),
    /// Print a completion script for your shell
    #[command(
        after_help = "Example:\n  mvdiff completions bash > ~/.local/share/bash-completion/completions/mvdiff"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For reading, with colours where there are any
    Terminal,
    /// A plain unified diff
    Unified,
    /// For programs; see docs/schemas
    Json,
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("must be a number from 0 to 1".into()),
    }
}

/// A score to be reached.
fn gate(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("must be a number from 0 to 1".into()),
    }
}
