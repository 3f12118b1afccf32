//! Edits as models write them: what lands, and what must not.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod already;
mod drift;
mod indentation;
mod spelling;

use mvdiff_edit::{Edited, Edits, ErrorKind, Options, edit};

fn run_with(text: &str, search: &str, replace: &str, options: &Options) -> Edited {
    let end = |text: &str| if text.is_empty() { "" } else { "\n" };
    let block = format!(
        "<<<<<<< SEARCH\n{search}{}=======\n{replace}{}>>>>>>> REPLACE\n",
        end(search),
        end(replace)
    );
    edit(text.as_bytes(), &Edits::Text(block.into_bytes()), options).unwrap()
}

fn run(text: &str, search: &str, replace: &str) -> Edited {
    run_with(text, search, replace, &Options::default())
}

#[track_caller]
fn becomes(text: &str, search: &str, replace: &str, due: &str) {
    let edited = run(text, search, replace);
    let found = edited.text.map(|text| String::from_utf8(text).unwrap());
    assert_eq!(
        found.as_deref(),
        Some(due),
        "{:?}",
        edited.blocks[0].message
    );
}

#[track_caller]
fn fails(text: &str, search: &str, replace: &str, kind: ErrorKind) {
    let edited = run(text, search, replace);
    assert_eq!(edited.text, None, "{:?}", edited.blocks[0]);
    assert_eq!(edited.error_kind, Some(kind));
}

const CODE: &str = "\
import os

def load(path):
    with open(path) as file:
        data = file.read()
    check(data)
    return data

def save(path, data):
    check(data)
    with open(path, 'w') as file:
        file.write(data)
";
