//! `mvdiff git`: asks git for a diff.

mod attributes;
mod batch;
mod commits;
pub(crate) mod driver;
mod filters;
mod install;
mod raw;
mod repo;
mod summaries;

pub(crate) use raw::Ids;
pub(crate) use repo::Repo;

use crate::args::{GitArgs, GitCommand, GitOptions, ReportArgs};
use crate::contents::{Objects, Place};
use crate::effective;
use anyhow::bail;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn run(args: GitArgs) -> anyhow::Result<u8> {
    match args.command {
        Some(GitCommand::Install(args)) => install::run(&args),
        Some(GitCommand::Show(args)) => commits::show(args),
        Some(GitCommand::Log(args)) => commits::log(args),
        None => compare(args),
    }
}

/// `mvdiff git [REVS] [PATHS]`.
fn compare(mut args: GitArgs) -> anyhow::Result<u8> {
    let prefix = prefix();
    let repo = Repo::here()?;
    split(&repo, &prefix, &mut args.revs, &mut args.paths)?;
    if args.revs.len() > 2 {
        bail!("git: more than two revisions; give one, two, A..B or A...B");
    }
    if let Some(output) = &mut args.report.output {
        *output = prefix.join(&*output);
    }
    if let Some(summary) = args.git.summary().filter(|summary| *summary != "--stat") {
        let answer = diff(&repo, &args, &prefix, &[summary])?;
        return summaries::print(&answer, args.report.exit_code);
    }
    let answer = diff(&repo, &args, &prefix, RAW)?;
    let (ids, patch) = raw::split(&answer);
    let changesets = match patch {
        b"" => Vec::new(),
        patch => effective::parse(patch, "git")?,
    };
    let stat = if args.git.stat {
        Some(diff(&repo, &args, &prefix, &[&summaries::stat_width()])?)
    } else {
        None
    };
    // Contents have the white space that the patch leaves out.
    let mut place = if args.git.ignores() {
        Place::Nowhere
    } else {
        Place::Repo(Objects::with_ids(repo, ids))
    };
    if let Some(stat) = stat {
        return summaries::stat(&stat, &changesets, &mut place, &args.report);
    }
    effective::report(changesets, &mut place, &args.report, Some(&name(&args)))
}

/// Tells revisions from paths where no `--` does: from the first word on that names a
/// file and no revision, they are paths. Paths become those below the working tree.
pub(super) fn split(
    repo: &Repo,
    prefix: &Path,
    revs: &mut Vec<OsString>,
    paths: &mut Vec<OsString>,
) -> anyhow::Result<()> {
    // clap takes no such revision either, and git must never see one.
    let is_option = |rev: &&OsString| rev.as_encoded_bytes().starts_with(b"-");
    if let Some(option) = revs.iter().find(is_option) {
        bail!("git: {}: not a revision; see --help", option.display());
    }
    let is_file = |word: &OsString| prefix.join(word).symlink_metadata().is_ok();
    let mut first = None;
    for (at, word) in revs.iter().enumerate() {
        if !is_file(word) {
            continue;
        }
        let mut git = repo.command();
        git.args(["rev-parse", "--verify", "--quiet", "--end-of-options"]);
        if !repo::output(git.arg(word))?.status.success() {
            first = Some(at);
            break;
        }
        if paths.is_empty() {
            bail!(
                "git: {0}: is both a revision and a file; use mvdiff git {0} -- or mvdiff git -- {0}",
                word.display()
            );
        }
    }
    if let Some(first) = first {
        if !paths.is_empty() {
            bail!(
                "git: {}: not a revision; put paths after --",
                revs[first].display()
            );
        }
        *paths = revs.split_off(first);
        if let Some(absent) = paths.iter().find(|path| !is_file(path)) {
            bail!(
                "git: {}: no such file; put the path of a deleted file after --",
                absent.display()
            );
        }
    }
    for path in paths {
        *path = prefix.join(&*path).into();
    }
    Ok(())
}

/// What was asked for, in words.
fn name(args: &GitArgs) -> String {
    let revs: Vec<_> = args.revs.iter().map(|rev| rev.to_string_lossy()).collect();
    match (&revs[..], args.staged) {
        ([], true) => "staged".to_owned(),
        ([], false) => "not staged".to_owned(),
        (revs, true) => format!("staged since {}", revs.join(" ")),
        (revs, false) => revs.join(" "),
    }
}

/// The user's folder below the working directory: git runs an alias at the
/// top of the working tree and says in a variable where it was called.
fn prefix() -> PathBuf {
    let prefix = std::env::var_os("GIT_PREFIX").map(PathBuf::from);
    // Left over from an alias that ran a shell, it may name anything.
    let names_a_folder = |prefix: &PathBuf| prefix.is_relative() && prefix.is_dir();
    prefix.filter(names_a_folder).unwrap_or_default()
}

/// What git says is different, in the form that is asked for.
fn diff(repo: &Repo, args: &GitArgs, prefix: &Path, form: &[&str]) -> anyhow::Result<Vec<u8>> {
    let mut command = repo.command();
    filters::neutralise(repo, &mut command)?;
    command.arg("diff").args(DIFF).args(form);
    words(&mut command, &args.git, &args.report);
    if args.git.nul {
        command.arg("-z");
    }
    if args.staged {
        command.arg("--cached");
    } else if args.revs.is_empty() {
        // In a conflict, against our side: not a combined diff.
        command.arg("--ours");
    }
    command.arg("--end-of-options").args(&args.revs);
    let paths = pathspecs(&args.paths, &args.git.exclude);
    command.arg("--").args(&paths);
    if let [_, last] = &paths[..] {
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
        Some(path) => format!(
            "a path goes behind revisions, or behind --: {}",
            path.display()
        ),
        None if said.contains("revision") => match args.revs.first().and_then(command_like) {
            Some(command) => format!("did you mean mvdiff git {command}?"),
            None => "name commits, branches or tags".into(),
        },
        None => match repo::culprit() {
            Some(name) => format!("{name} is set: unset it"),
            None => "git diff with the same arguments may say more".into(),
        },
    };
    bail!("git: {said}; {advice}");
}

/// A command of `mvdiff git` that a word nearly is.
fn command_like(word: &OsString) -> Option<&'static str> {
    let word = word.to_str()?;
    let is_near = |name: &&str| strsim::damerau_levenshtein(name, word) <= 2;
    // Two letters of three say nothing.
    let is_short = |name: &&str| name.len() > 3 || strsim::damerau_levenshtein(name, word) == 1;
    let mut names = ["show", "diff", "log", "install"].into_iter();
    names.find(|name| is_near(name) && is_short(name))
}

/// Options of git that people gave.
fn words(command: &mut Command, words: &GitOptions, report: &ReportArgs) {
    command.args(words.as_git_has_them());
    if let Some(lines) = report.unified {
        command.arg(format!("--unified={lines}"));
    }
}

/// Paths as they are, and patterns of those that are left out.
fn pathspecs(paths: &[OsString], exclude: &[String]) -> Vec<OsString> {
    let magic = |path: &OsString| {
        let mut word = OsString::from(":(literal)");
        word.push(path);
        word
    };
    let mut specs: Vec<OsString> = paths.iter().map(magic).collect();
    for pattern in exclude {
        let pattern = pattern.trim_end_matches('/');
        let anywhere = if pattern.contains('/') { "" } else { "**/" };
        let pattern = pattern.trim_start_matches('/');
        specs.push(format!(":(exclude,top,glob){anywhere}{pattern}").into());
        specs.push(format!(":(exclude,top,glob){anywhere}{pattern}/**").into());
    }
    specs
}

/// Ids of all files, renames without changes included, and the patch.
const RAW: &[&str] = &["--raw", "-z", "--no-abbrev", "--patch", "--full-index"];

/// How git is asked, so that neither the user's nor the repository's settings
/// run a program or change the form of the answer. Its ways of finding
/// differences (algorithm, context, indent heuristic) stay as they are set.
const DIFF: &[&str] = &[
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
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
