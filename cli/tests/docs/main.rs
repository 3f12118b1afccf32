//! README and book: samples are what the program prints, code is code that runs, links
//! lead somewhere.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod links;
mod markdown;
mod samples;

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The Markdown files below `folder`, as paths below the root, sorted.
fn pages_below(folder: &str) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = folder.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// README and book.
fn pages_for_users() -> Vec<PathBuf> {
    [vec![PathBuf::from("README.md")], pages_below("docs")].concat()
}

fn read(path: &Path) -> String {
    let text = std::fs::read_to_string(root().join(path));
    text.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_readme_stays_short() {
    let lines = read(Path::new("README.md")).lines().count();
    assert!(lines <= 220, "{lines} lines; details belong in docs/");
}
