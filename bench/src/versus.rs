//! Plain diffs of ours beside git's, over two versions of a tree.

use crate::measure::without_git_config;
use crate::patch::{self, Change};
use crate::trees::{self, Tree};
use anyhow::{Context, bail};
use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// A file that both versions have and that is not the same.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The path below the roots.
    pub path: String,
    /// Lines deleted and inserted by ours.
    pub ours: usize,
    /// Lines deleted and inserted by git.
    pub git: usize,
    /// Whether both changed the very same ranges.
    pub same: bool,
}

impl Compared {
    /// Whether ours is longer than anybody would excuse: 1.1 times git's and
    /// four lines.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.ours as f64 > 1.1 * self.git as f64 + 4.0
    }
}

/// Compares all changed text files of two trees; with `moves`, through the
/// plain view of a script that has them.
///
/// # Errors
/// If a tree cannot be read, git cannot be run, or the two disagree on which
/// files changed.
pub fn compare(old_root: &Path, new_root: &Path, moves: bool) -> anyhow::Result<Vec<Compared>> {
    let (old, new) = (trees::read(old_root)?, trees::read(new_root)?);
    let git = git_changes(old_root, new_root)?;
    let mut compared = Vec::new();
    for (path, old, new) in changed(&old, &new) {
        let file = patch::parse(&patch::unified((old, new), path, 0, moves)?)?;
        let ours = file
            .first()
            .with_context(|| format!("ours says nothing about {path}"))?;
        let git = git
            .get(path)
            .with_context(|| format!("git says nothing about {path}"))?;
        let count = |changes: &[Change]| changes.iter().map(|c| c.old.len() + c.new.len()).sum();
        compared.push(Compared {
            path: path.to_owned(),
            ours: ours.count(),
            git: count(git),
            same: ours.changes == *git,
        });
    }
    Ok(compared)
}

/// Files of both trees that differ, as (path, old, new).
fn changed<'t>(
    old: &'t Tree,
    new: &'t Tree,
) -> impl Iterator<Item = (&'t str, &'t [u8], &'t [u8])> {
    let both = old
        .iter()
        .filter_map(|(path, old)| Some((path.as_str(), old.as_slice(), new.get(path)?.as_slice())));
    both.filter(|(_, old, new)| old != new)
}

/// What git's histogram diff changes in each file, with its indent heuristic.
fn git_changes(old: &Path, new: &Path) -> anyhow::Result<HashMap<String, Vec<Change>>> {
    let mut command = Command::new("git");
    without_git_config(&mut command);
    command.args([
        "-c",
        "core.quotePath=false",
        "diff",
        "--no-index",
        "--histogram",
        "-U0",
    ]);
    command.args([
        "--no-renames",
        "--no-ext-diff",
        "--no-color",
        "--no-prefix",
        "--",
    ]);
    let output = command
        .args([old, new])
        .output()
        .context("cannot run git")?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        bail!(
            "git diff failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let prefix = format!("{}/", new.display());
    let prefix = prefix.trim_start_matches("./");
    let mut changes = HashMap::new();
    for file in patch::parse(&output.stdout)? {
        // Git drops the first slash of an absolute path.
        let below = file
            .path
            .strip_prefix(prefix)
            .or_else(|| file.path.strip_prefix(prefix.trim_start_matches('/')));
        // The rest are files that only the old version has.
        if let Some(path) = below {
            changes.insert(path.to_owned(), file.changes);
        }
    }
    Ok(changes)
}

/// Applies ours with `git apply` to all changed files at once and returns the
/// paths that did not become what they should.
///
/// # Errors
/// If git cannot be run or refuses the patch.
pub fn apply(old_root: &Path, new_root: &Path, moves: bool) -> anyhow::Result<Vec<String>> {
    let (old, new) = (trees::read(old_root)?, trees::read(new_root)?);
    let dir = tempfile::tempdir()?;
    let mut all = Vec::new();
    for (path, old, new) in changed(&old, &new) {
        let target = dir.path().join(path);
        std::fs::create_dir_all(target.parent().context("a file has a folder")?)?;
        std::fs::write(&target, old)?;
        all.extend_from_slice(&patch::unified((old, new), path, 3, moves)?);
    }
    let patch = tempfile::NamedTempFile::new()?;
    std::fs::write(patch.path(), all)?;
    git(dir.path(), &["init", "--quiet"])?;
    let name = patch
        .path()
        .to_str()
        .context("the patch has a name that git accepts")?;
    git(dir.path(), &["apply", "--whitespace=nowarn", name])?;
    let mut wrong = Vec::new();
    for (path, _, new) in changed(&old, &new) {
        if std::fs::read(dir.path().join(path))? != new {
            wrong.push(path.to_owned());
        }
    }
    Ok(wrong)
}

fn git(dir: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    let mut command = Command::new("git");
    without_git_config(&mut command);
    let output = command
        .current_dir(dir)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .context("cannot run git")?;
    if !output.status.success() {
        bail!(
            "git {} failed: {}",
            arguments[0],
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(())
}
