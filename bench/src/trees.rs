//! Two versions of a real package as one large text each.

use crate::random::Random;
use crate::workloads::Pair;
use anyhow::Context;
use std::collections::BTreeMap;
use std::path::Path;

/// Files by their path below the root, in path order.
pub type Tree = BTreeMap<String, Vec<u8>>;

/// Reads every regular text file below `root`.
///
/// # Errors
/// If a folder or file cannot be read.
pub fn read(root: &Path) -> anyhow::Result<Tree> {
    let mut tree = Tree::new();
    visit(root, "", &mut tree).with_context(|| format!("cannot read {}", root.display()))?;
    Ok(tree)
}

fn visit(folder: &Path, prefix: &str, tree: &mut Tree) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        // A name that is not UTF-8 cannot be paired through git's output.
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let path = format!("{prefix}{name}");
        if kind.is_dir() {
            visit(&entry.path(), &format!("{path}/"), tree)?;
        } else if kind.is_file() {
            let bytes = std::fs::read(entry.path())?;
            if is_text(&bytes) {
                tree.insert(path, bytes);
            }
        }
    }
    Ok(())
}

/// Git's rule: no NUL among the first 8,000 bytes.
fn is_text(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(8000)]).is_none()
}

/// All files of each version in path order (T6).
#[must_use]
pub fn concatenated(old: &Tree, new: &Tree) -> Pair {
    Pair {
        old: joined(old.values()),
        new: joined(new.values()),
    }
}

/// The same, with the files of the new version in a random order (T7).
#[must_use]
pub fn shuffled(old: &Tree, new: &Tree) -> Pair {
    let mut files: Vec<&Vec<u8>> = new.values().collect();
    Random::new(10).shuffle(&mut files);
    Pair {
        old: joined(old.values()),
        new: joined(files),
    }
}

/// One text; a file without a newline at its end gets one.
fn joined<'a>(files: impl IntoIterator<Item = &'a Vec<u8>>) -> Vec<u8> {
    let mut text = Vec::new();
    for file in files {
        text.extend_from_slice(file);
        if file.last().is_some_and(|b| *b != b'\n') {
            text.push(b'\n');
        }
    }
    text
}
