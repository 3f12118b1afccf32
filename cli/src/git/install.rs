//! `mvdiff git install`: an alias in git's configuration.

use super::repo::{complaint, output};
use crate::args::InstallArgs;
use crate::output::is_installed;
use anyhow::bail;
use std::io::{self, Write as _};
use std::process::{Command, Output};

const KEY: &str = "alias.mvdiff";
const ALIAS: &str = "!mvdiff git";

pub(super) fn run(args: &InstallArgs) -> anyhow::Result<u8> {
    let scope = if args.local { "--local" } else { "--global" };
    let present = present(scope)?;
    if let Some(other) = present.as_deref().filter(|alias| *alias != ALIAS) {
        bail!(
            "git: {KEY} is already {other}; to replace it: \
             git config {scope} --unset-all {KEY}"
        );
    }
    let (there, want) = (present.is_some(), !args.undo);
    if there == want {
        let state = if there { "there already" } else { "not there" };
        return say(&format!("{KEY} is {state}: nothing to do"));
    }
    let change: &[&str] = if want {
        &[scope, KEY, ALIAS]
    } else {
        &[scope, "--unset", KEY]
    };
    if args.print {
        let quoted = change.join(" ").replace(ALIAS, &format!("'{ALIAS}'"));
        return say(&format!("git config {quoted}"));
    }
    let answer = config(change)?;
    if !answer.status.success() {
        bail!("git: {}; {KEY} stays as it was", complaint(&answer));
    }
    if !want {
        return say("\"git mvdiff\" is gone");
    }
    if !is_installed("mvdiff") {
        let note = "mvdiff: note: mvdiff is not on the PATH, where git will look for it";
        let _ = writeln!(io::stderr(), "{note}");
    }
    say("\"git mvdiff\" is ready; try: git mvdiff HEAD~1")
}

/// The alias as it is now.
fn present(scope: &str) -> anyhow::Result<Option<String>> {
    let answer = config(&[scope, "--null", "--get", KEY])?;
    match answer.status.code() {
        Some(0) => {
            let value = String::from_utf8_lossy(&answer.stdout);
            Ok(Some(value.trim_end_matches('\0').into()))
        }
        Some(1) => Ok(None),
        _ => bail!("git: {}; nothing was changed", complaint(&answer)),
    }
}

fn config(args: &[&str]) -> anyhow::Result<Output> {
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
