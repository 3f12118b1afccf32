//! `mvdiff git`: asks git for a diff.

mod attributes;
mod batch;
pub(crate) mod driver;
mod filters;
mod install;
mod raw;
mod repo;

pub(crate) use raw::Ids;
pub(crate) use repo::Repo;

use crate::args::{GitArgs, GitCommand};
use crate::contents::{Objects, Place};
use crate::effective;
use anyhow::bail;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub(crate) fn run(mut args: GitArgs) -> anyhow::Result<u8> {
    if let Some(GitCommand::Install(args)) = &args.command {
        return install::run(args);
    }
    if args.revs.len() > 2 {
        bail!("git: more than two revisions; give one, two, A..B or A...B");
    }
    // clap takes no such revision either, and git must never see one.
    let is_option = |rev: &&OsString| rev.as_encoded_bytes().starts_with(b"-");
    if let Some(option) = args.revs.iter().find(is_option) {
        bail!("git: {}: no revision; try --help", option.display());
    }
    let prefix = prefix();
    for path in &mut args.paths {
        *path = prefix.join(&*path).into();
    }
    if let Some(output) = &mut args.report.output {
        *output = prefix.join(&*output);
    }
    let repo = Repo::here()?;
    let answer = diff(&repo, &args, &prefix)?;
    let (ids, patch) = raw::split(&answer);
    let changesets = match patch {
        b"" => Vec::new(),
        patch => effective::parse(patch, "git")?,
    };
    let mut place = Place::Repo(Objects::with_ids(repo, ids));
    effective::report(changesets, &mut place, &args.report, Some(&name(&args)))
}

/// What was asked for, as one would say it.
fn name(args: &GitArgs) -> String {
    let revs: Vec<_> = args.revs.iter().map(|rev| rev.to_string_lossy()).collect();
    match (&revs[..], args.staged) {
        ([], true) => "staged".to_owned(),
        ([], false) => "not staged".to_owned(),
        (revs, true) => format!("staged since {}", revs.join(" ")),
        (revs, false) => revs.join(" "),
    }
}

/// Where the user stands below the working directory: git runs an alias at the
/// top of the working tree and says in a variable where it was called.
fn prefix() -> PathBuf {
    let prefix = std::env::var_os("GIT_PREFIX").map(PathBuf::from);
    // Left over from an alias that ran a shell, it may name anything.
    let names_a_folder = |prefix: &PathBuf| prefix.is_relative() && prefix.is_dir();
    prefix.filter(names_a_folder).unwrap_or_default()
}

/// What git says is different: raw entries, then the patch.
fn diff(repo: &Repo, args: &GitArgs, prefix: &Path) -> anyhow::Result<Vec<u8>> {
    let mut command = repo.command();
    filters::neutralise(repo, &mut command)?;
    command.arg("diff").args(DIFF);
    if args.staged {
        command.arg("--cached");
    } else if args.revs.is_empty() {
        // In a conflict, against our side: not a combined diff.
        command.arg("--ours");
    }
    command.arg("--end-of-options").args(&args.revs);
    command.arg("--").args(&args.paths);
    if let [_, last] = &args.paths[..] {
        // Of exactly two paths git takes those outside the repository for
        // files to compare.
        command.arg(last);
    }
    let output = repo::output(&mut command)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = repo::complaint(&output);
    let is_path = |rev: &&_| prefix.join(rev).symlink_metadata().is_ok();
    let advice = match args.revs.iter().find(is_path) {
        Some(path) => format!("a path goes behind --: mvdiff git -- {}", path.display()),
        None if said.contains("revision") => "name commits, branches or tags".into(),
        None => "git diff with the same arguments may say more".into(),
    };
    bail!("git: {said}; {advice}");
}

/// How git is asked, so that neither the user's nor the repository's settings
/// run a program or change the form of the answer. Its ways of finding
/// differences (algorithm, context, indent heuristic) stay as they are set.
const DIFF: &[&str] = &[
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    // Ids of all files, renames without changes included.
    "--raw",
    "-z",
    "--no-abbrev",
    "--patch",
    "--full-index",
    // Renames; not copies, which `diff.renames` may ask for.
    "-M",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    // In git's own order, whatever file `diff.orderFile` names.
    "-O/dev/null",
    // A submodule's work tree has a configuration of its own.
    "--submodule=short",
    "--ignore-submodules=dirty",
];
