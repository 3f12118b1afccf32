//! `mvdiff git` as a user meets it: revisions, paths, contents, and
//! repositories that mean harm.

mod contents;
mod hostile;
mod install;
mod revisions;
mod trouble;

use crate::support::{Ran, Repo, lines};
use serde_json::Value;

impl Repo {
    /// The report of `mvdiff git`.
    #[track_caller]
    fn git_report(&self, args: &[&str]) -> Value {
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
