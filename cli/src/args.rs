//! The command line.

mod apply;
mod diff;
mod effective;
mod environment;
mod eval;
mod git;
mod mcp;
mod merge;
mod page;
mod pager;
mod replay;
mod score;
mod screen;
mod workbook;

pub(crate) use apply::{ApplyArgs, FormArg};
pub(crate) use diff::{DiffArgs, DiffFormat, FileKind};
pub(crate) use effective::{EffectiveArgs, ReportArgs, ReportFormat, Whitespace};
pub(crate) use environment::{check_setting, culprit, parse, parse_alone};
pub(crate) use eval::EvalArgs;
pub(crate) use git::{GitArgs, GitCommand, GitOptions, InstallArgs, LogArgs, ShowArgs};
pub(crate) use mcp::McpArgs;
pub(crate) use merge::{FavorArg, MergeArgs, MergeFormat, StyleArg};
pub(crate) use page::PageArgs;
pub(crate) use pager::PagerArgs;
pub(crate) use replay::ReplayArgs;
pub(crate) use score::{ScoreArgs, TableFormat};
pub(crate) use screen::{LayoutArg, ScreenArgs, ThemeArg};
pub(crate) use workbook::{LimitArgs, TextconvArgs, WorkbookArgs};

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

/// The diff that knows what moved.
#[derive(Debug, Parser)]
#[command(
    version,
    about,
    arg_required_else_help = true,
    after_help = "\
Examples:
  mvdiff git main...                     review a branch
  git diff main... | mvdiff effective    review any unified diff
  git diff | mvdiff                      use as a pager (git config core.pager mvdiff)
  mvdiff diff old.py new.py              compare two files; also: mvdiff old.py new.py
  mvdiff diff old_folder new_folder      compare two directories
  mvdiff diff old.xlsx new.xlsx          compare two workbooks
  mvdiff git --format html -o review.html main...   write a page to open or mail
  mvdiff merge base.xlsx ours.xlsx theirs.xlsx -o merged.xlsx   merge workbooks
  mvdiff apply edit.txt old.py           apply edits that a model wrote
  mvdiff score --base O --a A --b B      score how alike two edits are

See mvdiff COMMAND --help for options and more examples."
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
    Pager(PagerArgs),
    /// Print the display settings and where each comes from
    #[command(after_help = "\
Settings come from, in increasing precedence:
  ~/.config/mvdiff/config.toml
  .mvdiff.toml at the top of a repository (except pager and hyperlinks)
  git config mvdiff.NAME
  environment variables (MVDIFF_NAME)
  the command line

Examples:
  mvdiff config                              show the current settings
  git config --global mvdiff.theme dark      set one for all repositories
  git config mvdiff.tabs 8                   set one for this repository")]
    Config,
    Diff(DiffArgs),
    Apply(ApplyArgs),
    Merge(MergeArgs),
    Mcp(McpArgs),
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
    /// Print a man page, or write all of them
    #[command(after_help = "\
Examples:
  mvdiff man | man -l -                     read the page of mvdiff
  mvdiff man diff | man -l -                read the page of a command
  mvdiff man --out ~/.local/share/man/man1  install all pages")]
    Man {
        /// Print the page of this command [default: the page of mvdiff]
        #[arg(value_name = "COMMAND", conflicts_with = "out")]
        command: Option<String>,
        /// Write the pages of all commands to DIR, created if necessary
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people, in colour if the terminal supports it
    Terminal,
    /// A plain unified diff
    Unified,
    /// For scripts; see docs/schemas
    Json,
}

/// A number of lines.
fn lines(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| "must be a number of lines, such as 3".into())
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

/// How far apart unedited parts of a move may lie: where `--gap` is not given, as
/// far as text allows.
pub(crate) fn reach(gap: u32) -> u32 {
    let default = mvdiff_text::options();
    if gap == default.gap {
        default.reach
    } else {
        gap
    }
}

#[cfg(test)]
mod tests {
    use super::Args;
    use clap::{Command, CommandFactory as _, Parser as _};

    /// Every command, as it is called, with its help.
    fn commands() -> Vec<(String, Command)> {
        let mut all = vec![("mvdiff".to_owned(), Args::command())];
        let mut at = 0;
        while let Some((name, command)) = all.get(at).cloned() {
            let below = command.get_subcommands();
            all.extend(below.map(|c| (format!("{name} {}", c.get_name()), c.clone())));
            at += 1;
        }
        all
    }

    /// The command lines of the examples, split at pipes, without redirections.
    fn examples(help: &str) -> Vec<String> {
        let Some((_, examples)) = help
            .split_once("Examples:\n")
            .or(help.split_once("Example:\n"))
        else {
            return Vec::new();
        };
        let examples = examples.split("\n\n").next().unwrap_or_default();
        let joined = examples.replace("\\\n", " ");
        let lines = joined.lines().map(str::trim_start);
        let piped = lines.flat_map(|line| line.split(" | ").map(str::to_owned).collect::<Vec<_>>());
        piped
            .filter(|part| part.starts_with("mvdiff "))
            .map(|part| part.split(['<', '>']).next().unwrap_or_default().to_owned())
            .collect()
    }

    /// The words of an example; a remark is set off by several blanks.
    fn words(example: &str) -> Vec<String> {
        let command = example.split("  ").next().unwrap_or_default();
        command
            .split(' ')
            .map(str::to_owned)
            .filter(|w| !w.is_empty())
            .collect()
    }

    #[test]
    fn every_command_has_examples_and_all_of_them_are_understood() {
        let mut seen = 0;
        for (name, command) in commands() {
            let help = command
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(help.contains("Example"), "{name} has no examples");
            for example in examples(&help) {
                let words = words(&example);
                seen += 1;
                // Alone it takes what is piped in.
                if words.len() == 1 {
                    continue;
                }
                if let Err(error) = Args::try_parse_from(&words) {
                    panic!("{name}: {example}: {error}");
                }
            }
        }
        assert!(seen >= 30, "the examples are no longer found");
    }
}
