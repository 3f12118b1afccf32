//! Two trees of files: laws on random trees, and corner cases.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod budgets;
mod files;
mod laws;
mod patches;
mod renames;
mod spoilt;

#[path = "../effective/trees.rs"]
mod random;

use mvdiff_text::Error;
use mvdiff_text::effective::Rebuilt;
use mvdiff_text::tree::{Entry, TreeOptions, TreeReport, Trees};
use std::collections::BTreeMap;

/// Paths with modes and bytes.
type Files = BTreeMap<Vec<u8>, (u32, Vec<u8>)>;

const PLAIN: u32 = 0o100_644;
const SCRIPT: u32 = 0o100_755;
const LINK: u32 = 0o120_000;

/// Text files.
fn files(files: &[(&str, &str)]) -> Files {
    let file = |(path, text): &(&str, &str)| {
        let bytes = text.as_bytes().to_vec();
        (path.as_bytes().to_vec(), (PLAIN, bytes))
    };
    files.iter().map(file).collect()
}

/// A few lines that resemble nothing else.
fn block(word: &str) -> String {
    let line = |i: u32| format!("the {word} of line {i} is nobody else's {word}\n");
    (1..=6).map(line).collect()
}

fn trees<'f>(old: &'f Files, new: &'f Files) -> Trees<'f> {
    let entries = |files: &'f Files| -> Vec<Entry<'f>> {
        let entry = |(path, (mode, bytes)): (&'f Vec<u8>, &'f (u32, Vec<u8>))| Entry {
            path: path.clone(),
            mode: *mode,
            binary: bytes.contains(&0),
            bytes,
        };
        files.iter().map(entry).collect()
    };
    Trees::new(entries(old), entries(new))
}

fn report(old: &Files, new: &Files) -> TreeReport {
    TreeReport::new(&trees(old, new), &TreeOptions::default()).unwrap()
}

/// Replays a report on the old tree.
fn replayed(old: &Files, report: &TreeReport) -> Result<Files, Error> {
    let rebuilt = report.replay(|path| {
        let file = old.get(path);
        file.map(|file| file.1.clone())
            .ok_or(Error::NotReplayable("there is no such file"))
    })?;
    let mut new = old.clone();
    let (gone, come): (Vec<Rebuilt>, Vec<Rebuilt>) =
        rebuilt.into_iter().partition(|file| file.bytes.is_none());
    for file in gone {
        new.remove(&file.path);
    }
    for file in come {
        let origin = file.origin.as_ref().and_then(|path| old.get(path));
        let mode = file.mode.or(origin.map(|origin| origin.0));
        new.insert(file.path, (mode.unwrap_or(PLAIN), file.bytes.unwrap()));
    }
    Ok(new)
}
