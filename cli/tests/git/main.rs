//! `mvdiff git` as a user meets it: revisions, paths, contents, and
//! repositories that mean harm.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod contents;
mod hostile;
mod install;
mod revisions;
#[path = "../support/mod.rs"]
mod support;
mod trouble;

use serde_json::Value;
use support::{Ran, Repo, lines};

impl Repo {
    fn mvdiff(&self, args: &[&str]) -> Ran {
        self.run(&self.path(""), args, b"", &[])
    }

    /// The report of `mvdiff git`.
    #[track_caller]
    fn report(&self, args: &[&str]) -> Value {
        self.mvdiff(&[&["git", "--format", "json"], args].concat())
            .json()
    }
}

/// Paths that the effective diff has heads of.
fn files(report: &Value) -> Vec<&str> {
    let diff = report["effective_diff"].as_str().unwrap();
    let heads = diff.lines().filter_map(|l| l.strip_prefix("diff --git "));
    heads
        .map(|head| head.rsplit(" b/").next().unwrap())
        .collect()
}
