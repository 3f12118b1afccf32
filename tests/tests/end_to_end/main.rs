//! Every fixture end to end, and laws about texts.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod cases;
mod effective;
mod fixtures;
mod grid;
mod manifest;
mod patch;
mod properties;
mod schema;
mod texts;

use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
