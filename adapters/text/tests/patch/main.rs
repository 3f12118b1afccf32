//! Patches in the wild: difficult cases, laws, and comparison with git.

mod git;
mod laws;
mod nasty;
mod paths;
mod refusals;
mod remarks;
mod streams;

use mvdiff_text::patch::{Body, Changeset, LineKind, parse, write_patch};

/// Parses an input that must be accepted.
fn accept(bytes: &[u8]) -> Vec<Changeset<'_>> {
    match parse(bytes) {
        Ok(sets) => sets,
        Err(error) => panic!("{error}\n{}", String::from_utf8_lossy(bytes)),
    }
}

/// Prints all changesets.
fn print(sets: &[Changeset<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    for set in sets {
        write_patch(&mut out, set).expect("memory");
    }
    out
}

/// Clears the verbatim bytes of hunks, which are not part of their meaning.
fn without_bytes<'p>(sets: &[Changeset<'p>]) -> Vec<Changeset<'p>> {
    let mut sets = sets.to_vec();
    for file in sets.iter_mut().flat_map(|set| &mut set.files) {
        if let Body::Text(hunks) = &mut file.body {
            for hunk in hunks {
                hunk.bytes = b"";
            }
        }
    }
    sets
}

/// The facts of a patch that every parser should agree on.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    files: u64,
    hunks: u64,
    added: u64,
    removed: u64,
    binary: u64,
}

fn count(sets: &[Changeset<'_>]) -> Counts {
    let mut counts = Counts::default();
    for file in sets.iter().flat_map(|set| &set.files) {
        counts.files += u64::from(!file.header.is_empty());
        counts.binary += u64::from(file.is_binary());
        for hunk in file.hunks() {
            counts.hunks += 1;
            let of = |kind| hunk.lines.iter().filter(|line| line.kind == kind).count() as u64;
            counts.added += of(LineKind::Added);
            counts.removed += of(LineKind::Removed);
        }
    }
    counts
}

/// The paths of each file, `-` for none.
fn names(sets: &[Changeset<'_>]) -> Vec<(String, String)> {
    let name = |path: &Option<std::borrow::Cow<'_, [u8]>>| match path {
        Some(path) => String::from_utf8_lossy(path).into_owned(),
        None => "-".to_owned(),
    };
    sets.iter()
        .flat_map(|set| &set.files)
        .map(|file| (name(&file.old_path), name(&file.new_path)))
        .collect()
}
