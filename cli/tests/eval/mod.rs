//! `mvdiff eval` as a user meets it: the fixtures, gates, baselines, reports.

#![allow(
    clippy::float_cmp,
    clippy::format_collect,
    clippy::naive_bytecount,
    reason = "exact numbers are meant, and texts are small"
)]

mod gate;
mod outside;
mod reports;
mod results;

use crate::support::{Ran, Repo};
use std::path::{Path, PathBuf};

/// A file of the repository.
fn root(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

impl Repo {
    fn eval(&self, args: &[&str]) -> Ran {
        self.run(&self.path(""), &[&["eval"], args].concat(), b"", &[])
    }
}

/// `mvdiff eval` on the fixtures of this repository.
fn fixtures(args: &[&str]) -> Ran {
    let manifest = root("fixtures/manifest.yaml");
    let dir = Repo::none();
    dir.eval(&[&[manifest.to_str().unwrap()], args].concat())
}
