//! Old tree and report are the new tree, whatever was asked to be ignored.

use super::two_texts;
use mvdiff_text::tree::{Entry, TreeOptions, TreeReport, Trees};
use mvdiff_text::{Error, Ignore, Space};
use std::collections::BTreeMap;

type Files = BTreeMap<Vec<u8>, (u32, Vec<u8>)>;

pub(crate) fn law(input: &[u8]) {
    let (old, new) = two_texts(input);
    let (old, new) = (files(&old, 0), files(&new, input.len()));
    let trees = Trees::new(entries(&old), entries(&new));
    for space in [Space::Counts, Space::Change, Space::All] {
        let options = TreeOptions {
            ignore: Ignore {
                space,
                blank_lines: input.len().is_multiple_of(3),
                case: input.len().is_multiple_of(5),
            },
            ..TreeOptions::default()
        };
        let report = TreeReport::new(&trees, &options).expect("a report");
        let json = serde_json::to_vec(&report).expect("JSON");
        let report: TreeReport = serde_json::from_slice(&json).expect("its own JSON");
        assert_eq!(carried_out(&report, &old), new);
        let back = report
            .invert(|path| Ok::<_, Error>(found(&old, path)))
            .expect("a report of ours");
        assert_eq!(carried_out(&back, &new), old);
    }
}

fn found(files: &Files, path: &[u8]) -> Vec<u8> {
    files.get(path).expect("an old file").1.clone()
}

fn carried_out(report: &TreeReport, old: &Files) -> Files {
    let mut made = old.clone();
    let rebuilt = report
        .replay(|path| Ok::<_, Error>(found(old, path)))
        .expect("a report of ours");
    for file in rebuilt.iter().filter(|file| file.bytes.is_none()) {
        made.remove(&file.path);
    }
    for file in rebuilt {
        let Some(bytes) = file.bytes else { continue };
        let origin = file.origin.as_ref().and_then(|path| old.get(path));
        let bits = file.mode.or(origin.map(|(mode, _)| *mode));
        made.insert(file.path, (bits.unwrap_or(0o100_644), bytes));
    }
    made
}

fn entries(files: &Files) -> Vec<Entry<'_>> {
    let mut all = Vec::with_capacity(files.len());
    for (path, (mode, bytes)) in files {
        all.push(Entry {
            path: path.clone(),
            mode: *mode,
            binary: bytes.contains(&0),
            bytes,
        });
    }
    all
}

/// A text cut into files, some of which have other names on the other side.
fn files(text: &[u8], turn: usize) -> Files {
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let mut files = Files::new();
    for (number, piece) in lines.chunks(9).enumerate() {
        let name = match (number + turn) % 5 {
            0 => format!("d{}/f{number}", turn % 3),
            _ => format!("f{number}"),
        };
        let mode = if (number * 7 + turn).is_multiple_of(11) {
            0o100_755
        } else {
            0o100_644
        };
        files.insert(name.into_bytes(), (mode, piece.concat()));
    }
    files
}
