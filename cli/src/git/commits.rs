//! `mvdiff git show` and `mvdiff git log -p`: git lists commits, and their diffs are
//! shown as they come.

use super::{DIFF, filters, pathspecs, prefix, repo, split, words};
use crate::args::{GitOptions, LogArgs, ReportArgs, ReportFormat, ShowArgs};
use crate::contents::Place;
use crate::screen::is_read_by_people;
use crate::{effective, pager};
use anyhow::{Context as _, bail};
use std::ffi::OsString;
use std::io::Read as _;
use std::process::Stdio;

pub(super) fn show(args: ShowArgs) -> anyhow::Result<u8> {
    run(&["show"], args.revs, args.paths, &args.git, args.report)
}

pub(super) fn log(args: LogArgs) -> anyhow::Result<u8> {
    let given = args.as_git_has_them();
    let mut command = vec!["log"];
    command.extend(given.iter().map(String::as_str));
    run(&command, args.revs, args.paths, &args.git, args.report)
}

fn run(
    command: &[&str],
    mut revs: Vec<OsString>,
    mut paths: Vec<OsString>,
    git_words: &GitOptions,
    mut report: ReportArgs,
) -> anyhow::Result<u8> {
    let prefix = prefix();
    let repo = repo::Repo::here()?;
    split(&repo, &prefix, &mut revs, &mut paths)?;
    if let Some(output) = &mut report.output {
        *output = prefix.join(&*output);
    }
    let is_for_reading = match report.format {
        None => report.output.is_none() && is_read_by_people(),
        Some(format) => format == ReportFormat::Terminal && report.output.is_none(),
    };
    let mut git = repo.command();
    filters::neutralise(&repo, &mut git)?;
    git.args(command).args(DIFF);
    git.arg(git_words.summary().unwrap_or("--patch"));
    if git_words.nul {
        git.arg("-z");
    }
    git.arg("--full-index");
    if command == ["show"] {
        // A merge against its first parent; against both it is not a unified diff.
        git.arg("--diff-merges=first-parent");
    }
    words(&mut git, git_words, &report);
    git.arg("--end-of-options").args(&revs);
    git.arg("--").args(pathspecs(&paths, &git_words.exclude));
    git.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = git.spawn().map_err(|error| repo::cannot_run(&error))?;
    let mut stdout = child.stdout.take().context("git: cannot read its output")?;
    let code = if is_for_reading || git_words.summary().is_some() {
        pager::show(stdout, &report)?
    } else {
        let mut patch = Vec::new();
        stdout
            .read_to_end(&mut patch)
            .context("git: cannot read its output")?;
        let changesets = match &patch[..] {
            b"" => Vec::new(),
            patch => effective::parse(patch, "git")?,
        };
        let mut place = if git_words.ignores() {
            Place::Nowhere
        } else {
            Place::around(&changesets)
        };
        effective::report(changesets, &mut place, &report, None)?
    };
    let ended = child
        .wait_with_output()
        .context("git: cannot wait for it")?;
    if !ended.status.success() && !ended.stderr.is_empty() {
        bail!("git: {}", repo::complaint(&ended));
    }
    Ok(code)
}
