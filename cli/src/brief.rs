//! `mvdiff diff -q` and `-s`: which files differ, with diff's messages.

use crate::args::DiffArgs;
use crate::diff::{self, DIFFERENT, SAME, read_or_empty};
use crate::tree::walk::{self, File, LeftOut};
use crate::{input, output};
use mvdiff_text::LineProblem;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::Path;

/// Says which files differ, and with `-s` which do not.
pub(crate) fn run(args: &DiffArgs) -> anyhow::Result<u8> {
    if args.old.is_dir() && args.new.is_dir() {
        return trees(args);
    }
    let read = |path: &Path| {
        if args.new_file {
            read_or_empty(path)
        } else {
            input::read(path)
        }
    };
    let is_same = is_same(args, &read(&args.old)?, &read(&args.new)?)?;
    match (is_same, args.report_identical_files) {
        (true, true) => say_identical(args)?,
        (true, false) => {}
        (false, _) => say(&[differ(&args.old, &args.new)])?,
    }
    Ok(if is_same { SAME } else { DIFFERENT })
}

/// Whether files are the same except for what is ignored.
fn is_same(args: &DiffArgs, old: &[u8], new: &[u8]) -> anyhow::Result<bool> {
    if old == new {
        return Ok(true);
    }
    let ignore = args.ignore();
    if ignore.is_nothing() || input::is_binary(old) || input::is_binary(new) {
        return Ok(false);
    }
    let problem = LineProblem::ignoring(old, new, ignore)?;
    let options = diff::options(args, crate::args::DiffFormat::Unified);
    let diff = mvdiff_core::diff(&problem, &options)?;
    Ok(mvdiff_text::LineReport::new(&problem, &diff).is_empty())
}

fn trees(args: &DiffArgs) -> anyhow::Result<u8> {
    let files = walk::read(&args.old, &args.new, &LeftOut::of(args)?)?;
    let mut said: BTreeMap<Vec<u8>, String> = BTreeMap::new();
    let by_path = |files: &[File]| -> BTreeSet<Vec<u8>> {
        files.iter().map(|file| file.path.clone()).collect()
    };
    let (olds, news) = (by_path(&files.old), by_path(&files.new));
    let find = |files: &[File], path: &[u8]| files.iter().position(|file| file.path == path);
    for path in olds.union(&news) {
        let below = String::from_utf8_lossy(path).into_owned();
        let (old, new) = (args.old.join(&below), args.new.join(&below));
        let bytes = |side: &[File]| find(side, path).map(|at| side[at].bytes.clone());
        match (bytes(&files.old), bytes(&files.new)) {
            (Some(before), Some(after)) if is_same(args, &before, &after)? => {
                if args.report_identical_files {
                    said.insert(path.clone(), identical(&old, &new));
                }
            }
            (Some(_), Some(_)) => _ = said.insert(path.clone(), differ(&old, &new)),
            _ if args.new_file => _ = said.insert(path.clone(), differ(&old, &new)),
            (is_old, _) => {
                let (root, other) = match is_old {
                    Some(_) => (&args.old, &args.new),
                    None => (&args.new, &args.old),
                };
                let (path, line) = only_in(root, other, Path::new(&below));
                said.insert(path, line);
            }
        }
    }
    let is_same = said.values().all(|line| line.ends_with(" are identical")) && !files.has_lone();
    for path in &files.same_paths {
        let below = String::from_utf8_lossy(path).into_owned();
        said.insert(
            path.clone(),
            identical(&args.old.join(&below), &args.new.join(&below)),
        );
    }
    say(&said.into_values().collect::<Vec<_>>())?;
    Ok(if is_same { SAME } else { DIFFERENT })
}

/// `Only in a/sub: name`: the highest directory that the other side does not have, or
/// the file.
fn only_in(root: &Path, other: &Path, below: &Path) -> (Vec<u8>, String) {
    let mut above: Vec<&Path> = below
        .ancestors()
        .filter(|path| !path.as_os_str().is_empty())
        .collect();
    above.reverse();
    let is_absent = |path: &&&Path| other.join(path).symlink_metadata().is_err();
    let first = above.iter().find(is_absent).copied().unwrap_or(below);
    let folder = match first
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        Some(parent) => root.join(parent),
        None => root.to_path_buf(),
    };
    let name = first.file_name().unwrap_or_default().to_string_lossy();
    let line = format!("Only in {}: {name}", folder.display());
    (first.to_string_lossy().into_owned().into_bytes(), line)
}

/// Says that two files are the same.
pub(crate) fn say_identical(args: &DiffArgs) -> anyhow::Result<()> {
    say(&[identical(&args.old, &args.new)])
}

/// Says it of files in two directories.
pub(crate) fn say_same(args: &DiffArgs, paths: &[Vec<u8>]) -> anyhow::Result<()> {
    let lines = paths.iter().map(|path| {
        let below = String::from_utf8_lossy(path).into_owned();
        identical(&args.old.join(&below), &args.new.join(&below))
    });
    say(&lines.collect::<Vec<_>>())
}

fn differ(old: &Path, new: &Path) -> String {
    format!("Files {} and {} differ", old.display(), new.display())
}

fn identical(old: &Path, new: &Path) -> String {
    format!(
        "Files {} and {} are identical",
        old.display(),
        new.display()
    )
}

fn say(lines: &[String]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for line in lines {
        writeln!(out, "{}", output::visible(line))?;
    }
    out.flush()?;
    Ok(())
}
