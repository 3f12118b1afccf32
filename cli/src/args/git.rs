//! Options of `mvdiff git`.

use super::ReportArgs;
use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;

/// Run git diff, recognise moved code, and print what is left to read
#[derive(Debug, Parser)]
#[command(
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    after_help = "\
Revisions are written as for git diff: none compares the working tree with the
index, one compares the working tree with that revision, and two (also A..B or
A...B) with each other. Files and directories may follow, after -- if they could
be mistaken for revisions. For a branch called \"diff\", \"install\", \"show\" or
\"log\", write refs/heads/install and so on.
On a terminal, changes in lock files and generated files (linguist-generated in
.gitattributes) are only counted; --show-generated shows them.
No program that the repository's own configuration names is run: no external
diff, text conversion, file system monitor or hook, and no clean filter except
those from your own or the system's configuration. Nothing is fetched.

Exit status: 0, or 1 with --exit-code if something is left to read; 2 on trouble.

Examples:
  mvdiff git                     unstaged changes
  mvdiff git --staged            staged changes
  mvdiff git main...HEAD         this branch, since it forked from main
  mvdiff git v1.0 v1.1           between two tags
  mvdiff git HEAD~3 src          since three commits ago, in src
  mvdiff git -w --exclude '*.lock' main...    without white space and lock files
  mvdiff git --stat main...      counts by file, and how many lines only moved
  mvdiff git show HEAD~1         one commit
  mvdiff git log -p -n 3         the last three commits; also: -3
  mvdiff git --format html -o review.html main...    an HTML page
  mvdiff git --layout unified    one column, on terminals of any width
  mvdiff git install             add \"git mvdiff\", and show workbooks in git diff"
)]
pub(crate) struct GitArgs {
    #[command(subcommand)]
    pub command: Option<GitCommand>,
    /// At most two revisions, or A..B, or A...B; then files and directories
    #[arg(value_name = "REVS")]
    pub revs: Vec<OsString>,
    /// Only these files and directories
    #[arg(value_name = "PATHS", last = true)]
    pub paths: Vec<OsString>,
    /// Compare the index with HEAD or the given revision
    #[arg(long, visible_alias = "cached")]
    pub staged: bool,
    #[command(flatten)]
    pub git: GitOptions,
    #[command(flatten)]
    pub report: ReportArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GitCommand {
    Install(InstallArgs),
    Show(ShowArgs),
    Log(LogArgs),
}

/// Show commits: author, date, message, and what is left to read of their diffs
#[derive(Debug, Parser)]
#[command(after_help = "\
Takes what git show takes: commits, tags, files as REV:PATH. A merge is compared
with its first parent.

Examples:
  mvdiff git show                the last commit
  mvdiff git show v1.0 -- src    a tag, only in src")]
pub(crate) struct ShowArgs {
    /// What to show [default: HEAD]
    #[arg(value_name = "REVS")]
    pub revs: Vec<OsString>,
    /// Only these files and directories
    #[arg(value_name = "PATHS", last = true)]
    pub paths: Vec<OsString>,
    #[command(flatten)]
    pub git: GitOptions,
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Show a log with what is left to read of each commit's diff
#[derive(Debug, Parser)]
#[command(after_help = "\
Example:
  mvdiff git log -p -n 5 main.. -- src    the last five commits of a branch, only in src")]
pub(crate) struct LogArgs {
    /// Show at most N commits; -3 is short for -n 3
    #[arg(short = 'n', long, value_name = "N", value_parser = super::lines)]
    pub max_count: Option<u32>,
    /// Show the head of each commit on one line
    #[arg(long)]
    pub oneline: bool,
    /// Show the oldest commits first
    #[arg(long = "reverse")]
    pub oldest_first: bool,
    /// Leave out merges
    #[arg(long)]
    pub no_merges: bool,
    /// Show only commits since DATE, as git writes dates: yesterday, "2 weeks ago"
    #[arg(long, value_name = "DATE", visible_alias = "after")]
    pub since: Option<String>,
    /// Show only commits by matching authors
    #[arg(long, value_name = "PATTERN")]
    pub author: Option<String>,
    /// Show only commits with a matching message
    #[arg(long, value_name = "PATTERN")]
    pub grep: Option<String>,
    /// Revisions and ranges [default: HEAD]; then files and directories
    #[arg(value_name = "REVS")]
    pub revs: Vec<OsString>,
    /// Only these files and directories
    #[arg(value_name = "PATHS", last = true)]
    pub paths: Vec<OsString>,
    #[command(flatten)]
    pub git: GitOptions,
    #[command(flatten)]
    pub report: ReportArgs,
}

impl LogArgs {
    /// As git takes them.
    pub(crate) fn as_git_has_them(&self) -> Vec<String> {
        let mut words = Vec::new();
        words.extend(self.max_count.map(|count| format!("--max-count={count}")));
        let switches = [
            (self.oneline, "--oneline"),
            (self.oldest_first, "--reverse"),
            (self.no_merges, "--no-merges"),
        ];
        let given = switches.into_iter().filter(|(is_given, _)| *is_given);
        words.extend(given.map(|(_, word)| word.to_owned()));
        let values = [
            ("since", &self.since),
            ("author", &self.author),
            ("grep", &self.grep),
        ];
        for (name, value) in values {
            words.extend(value.as_ref().map(|value| format!("--{name}={value}")));
        }
        words
    }
}

/// Options of git diff, with its meanings.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Options of git")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct GitOptions {
    /// Show diffs; always on, accepted for compatibility with git
    #[arg(short, long, visible_short_alias = 'u')]
    pub patch: bool,
    /// Ignore all white space
    #[arg(short = 'w', long)]
    pub ignore_all_space: bool,
    /// Ignore changes in the amount of white space
    #[arg(short = 'b', long)]
    pub ignore_space_change: bool,
    /// Ignore white space at line ends
    #[arg(long)]
    pub ignore_space_at_eol: bool,
    /// Ignore added and removed blank lines
    #[arg(short = 'B', long)]
    pub ignore_blank_lines: bool,
    /// Swap old and new
    #[arg(short = 'R')]
    pub reverse: bool,
    /// Leave out matching files; as in .gitignore, a pattern without a slash matches
    /// anywhere
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// Show only how many lines changed and moved in each file
    #[arg(long, group = "summary")]
    pub stat: bool,
    /// Show only counts, for scripts: added, removed, path
    #[arg(long, group = "summary")]
    pub numstat: bool,
    /// Only name files
    #[arg(long, group = "summary")]
    pub name_only: bool,
    /// Only name files, with a letter for what happened to each
    #[arg(long, group = "summary")]
    pub name_status: bool,
    /// End names with NUL, for programs
    #[arg(short = 'z', requires = "summary")]
    pub nul: bool,
}

impl GitOptions {
    /// As git takes them.
    pub(crate) fn as_git_has_them(&self) -> Vec<&'static str> {
        let words = [
            (self.ignore_all_space, "--ignore-all-space"),
            (self.ignore_space_change, "--ignore-space-change"),
            (self.ignore_space_at_eol, "--ignore-space-at-eol"),
            (self.ignore_blank_lines, "--ignore-blank-lines"),
            (self.reverse, "-R"),
        ];
        let given = words.into_iter().filter(|(is_given, _)| *is_given);
        given.map(|(_, word)| word).collect()
    }

    /// Whether the patch leaves out differences that the files have.
    pub(crate) fn ignores(&self) -> bool {
        self.ignore_all_space
            || self.ignore_space_change
            || self.ignore_space_at_eol
            || self.ignore_blank_lines
    }

    /// The summary that is wanted instead of the diff.
    pub(crate) fn summary(&self) -> Option<&'static str> {
        match self {
            _ if self.stat => Some("--stat"),
            _ if self.numstat => Some("--numstat"),
            _ if self.name_only => Some("--name-only"),
            _ if self.name_status => Some("--name-status"),
            _ => None,
        }
    }
}

/// Add the command "git mvdiff", and make mvdiff git's diff and merge driver for workbooks
#[derive(Debug, Parser)]
#[command(after_help = "\
Sets alias.mvdiff, diff.mvdiff.command, diff.mvdiff.textconv and
merge.mvdiff.driver, and adds lines such as \"*.xlsx diff=mvdiff\" to the
attributes file: .git/info/attributes, or that of core.attributesFile, or
~/.config/git/attributes. git diff then shows what changed in workbooks, and
git merge merges them; git log -p and git show compare them cell by cell, or
like git diff with --ext-diff. Settings that already exist are kept.

Examples:
  mvdiff git install             for all your repositories
  mvdiff git install --local     for this repository only
  mvdiff git install --print     show what it would do
  mvdiff git install --undo      remove what it added")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct InstallArgs {
    /// Install for all your repositories; this is the default
    #[arg(long, conflicts_with = "local")]
    pub global: bool,
    /// Install for this repository only
    #[arg(long)]
    pub local: bool,
    /// Print what would be done, without doing it
    #[arg(long)]
    pub print: bool,
    /// Undo the installation
    #[arg(long)]
    pub undo: bool,
}
