//! `mvdiff git install`: an alias, a diff driver and a merge driver for workbooks, and the
//! names of the files that they are for.

use super::attributes::{Attributes, Change, DRIVERS};
use super::repo::{complaint, output};
use crate::args::InstallArgs;
use crate::output::is_installed;
use anyhow::bail;
use std::io::{self, Write as _};
use std::process::{Command, Output};

/// Entries of git's configuration. `git diff` runs the command, and `git log -p`
/// and `git show` compare what the text conversion prints, as git has it for all
/// drivers. `git merge` and all that merges runs the driver, which leaves the result in
/// the file of ours.
const SETTINGS: [(&str, &str); 5] = [
    ("alias.mvdiff", "!mvdiff git"),
    ("diff.mvdiff.command", "mvdiff"),
    ("diff.mvdiff.textconv", "mvdiff textconv"),
    (
        "merge.mvdiff.name",
        "mvdiff: workbooks by row, column and cell",
    ),
    (
        "merge.mvdiff.driver",
        "mvdiff merge %O %A %B -o %A --marker-size=%L --path=%P",
    ),
];

pub(super) fn run(args: &InstallArgs) -> anyhow::Result<u8> {
    let scope = if args.local { "--local" } else { "--global" };
    let mut present = Vec::new();
    for (key, ours) in SETTINGS {
        let found = present_value(scope, key)?;
        if let Some(other) = found.as_deref().filter(|value| *value != ours) {
            bail!(
                "git: {key} is already {other}; to replace it: \
                 git config {scope} --unset-all {key}"
            );
        }
        present.push(found.is_some());
    }
    let attributes = Attributes::of(scope)?;
    let want = !args.undo;
    let change = if want {
        attributes.added()
    } else {
        attributes.removed()
    };
    let settings = SETTINGS.iter().zip(present);
    let settings: Vec<_> = settings
        .filter(|(_, there)| *there != want)
        .map(|(setting, _)| *setting)
        .collect();
    if settings.is_empty() && change.is_none() {
        let state = if want { "there already" } else { "not there" };
        return say(&format!("mvdiff is {state}: nothing to do"));
    }
    if args.print {
        return print(scope, want, &settings, change.as_ref());
    }
    for (key, value) in settings {
        let answer = if want {
            config(&[scope, key, value])?
        } else {
            config(&[scope, "--unset", key])?
        };
        if !answer.status.success() {
            bail!("git: {}; {key} stays as it was", complaint(&answer));
        }
    }
    if !want {
        remove_section(scope)?;
    }
    if let Some(change) = &change {
        change.write()?;
    }
    if !want {
        return say("\"git mvdiff\" and the diff and merge drivers for workbooks are gone");
    }
    for driver in DRIVERS {
        for pattern in attributes.taken(driver) {
            note(&format!(
                "{}: {pattern} already has a {driver} driver, which is kept; \
                 to use mvdiff instead: {pattern} {driver}=mvdiff",
                attributes.path().display()
            ));
        }
    }
    if !is_installed("mvdiff") {
        note("mvdiff is not on the PATH, so git will not find it");
    }
    say(&format!(
        "\"git mvdiff\" is ready; try: git mvdiff HEAD~1\n\
         \"git diff\", \"git log -p\" and \"git show\" show workbooks, \"git merge\" merges them ({})",
        attributes.path().display()
    ))
}

fn note(text: &str) {
    let _ = writeln!(io::stderr(), "mvdiff: note: {text}");
}

/// What would be done, as commands for a shell.
fn print(
    scope: &str,
    want: bool,
    settings: &[(&str, &str)],
    change: Option<&Change>,
) -> anyhow::Result<u8> {
    let mut lines: Vec<String> = Vec::new();
    for (key, value) in settings {
        lines.push(if want {
            format!("git config {scope} {key} '{value}'")
        } else {
            format!("git config {scope} --unset {key}")
        });
    }
    lines.extend(change.map(Change::as_commands));
    say(&lines.join("\n"))
}

/// A setting as it is now.
fn present_value(scope: &str, key: &str) -> anyhow::Result<Option<String>> {
    let answer = config(&[scope, "--null", "--get", key])?;
    match answer.status.code() {
        Some(0) => {
            let value = String::from_utf8_lossy(&answer.stdout);
            Ok(Some(value.trim_end_matches('\0').into()))
        }
        Some(1) => Ok(None),
        _ => bail!("git: {}; nothing was changed", complaint(&answer)),
    }
}

/// Older versions of git leave the heading of a section whose last setting went.
fn remove_section(scope: &str) -> anyhow::Result<()> {
    for driver in DRIVERS {
        let left = config(&[scope, "--get-regexp", &format!(r"^{driver}\.mvdiff\.")])?;
        if left.status.code() == Some(1) {
            // There may be none, which is as well.
            config(&[scope, "--remove-section", &format!("{driver}.mvdiff")])?;
        }
    }
    Ok(())
}

pub(super) fn config(args: &[&str]) -> anyhow::Result<Output> {
    let mut git = Command::new("git");
    git.arg("config").args(args).env("LC_ALL", "C");
    output(&mut git)
}

fn say(what: &str) -> anyhow::Result<u8> {
    let mut out = io::stdout().lock();
    writeln!(out, "{what}")?;
    out.flush()?;
    Ok(0)
}
