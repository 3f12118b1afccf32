//! What is tried, and the laws that hold for it. A law that is broken panics.

mod edit;
mod effective;
mod file;
mod formula;
mod grid;
mod lines;
mod manifest;
mod merge;
mod parts;
mod patch;
mod replay;
mod report;
mod results;
mod score;
mod shown;
mod tree;
mod undo;

use crate::random::Random;

/// A law, and what its inputs are made from.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Endings of the fixtures that inputs are made from.
    pub endings: &'static [&'static str],
    /// More that they are made from.
    pub made: fn() -> Vec<Vec<u8>>,
    /// How long most inputs are at most.
    pub longest: usize,
    /// What holds for every input: panics if it does not.
    pub law: fn(&[u8]),
}

const TEXTS: &[&str] = &[".txt", ".py", ".rs"];

/// Every target.
pub const TARGETS: &[Target] = &[
    Target {
        name: "patch",
        endings: &[".diff"],
        made: || texts(patch::SEEDS),
        longest: 1024,
        law: patch::law,
    },
    Target {
        name: "effective",
        endings: &[".diff"],
        made: || texts(patch::SEEDS),
        longest: 1024,
        law: effective::law,
    },
    Target {
        name: "contents",
        endings: TEXTS,
        made: Vec::new,
        longest: 512,
        law: effective::with_contents,
    },
    Target {
        name: "lines",
        endings: TEXTS,
        made: Vec::new,
        longest: 512,
        law: lines::law,
    },
    Target {
        name: "tree",
        endings: TEXTS,
        made: Vec::new,
        longest: 512,
        law: tree::law,
    },
    Target {
        name: "edit",
        endings: &["blocks.json", "blocks.txt", ".py"],
        made: || texts(edit::SEEDS),
        longest: 512,
        law: edit::law,
    },
    Target {
        name: "undo",
        endings: TEXTS,
        made: Vec::new,
        longest: 512,
        law: undo::law,
    },
    Target {
        name: "replay",
        endings: &[],
        made: || texts(replay::SEEDS),
        longest: 2048,
        law: replay::law,
    },
    Target {
        name: "score",
        endings: &[".jsonl"],
        made: || texts(score::SEEDS),
        longest: 512,
        law: score::law,
    },
    Target {
        name: "manifest",
        endings: &["manifest.yaml"],
        made: || texts(manifest::SEEDS),
        longest: 512,
        law: manifest::law,
    },
    Target {
        name: "results",
        endings: &["baseline.json"],
        made: || texts(results::SEEDS),
        longest: 1024,
        law: results::law,
    },
    Target {
        name: "file",
        endings: &[".xlsx", ".xls", ".ods", ".csv", ".tsv"],
        made: || texts(file::SEEDS),
        longest: 16 << 10,
        law: file::law,
    },
    Target {
        name: "csv",
        endings: &[".csv", ".tsv"],
        made: || texts(file::SEEDS),
        longest: 512,
        law: file::law,
    },
    Target {
        name: "parts",
        endings: &[],
        made: parts::xlsx_seeds,
        longest: 2048,
        law: parts::xlsx,
    },
    Target {
        name: "formats",
        endings: &[],
        made: parts::other_seeds,
        longest: 4096,
        law: parts::others,
    },
    Target {
        name: "grid",
        endings: &[".csv", ".tsv"],
        made: || texts(grid::SEEDS),
        longest: 512,
        law: grid::law,
    },
    Target {
        name: "formula",
        endings: &[],
        made: || texts(formula::SEEDS),
        longest: 256,
        law: formula::law,
    },
    Target {
        name: "merge",
        endings: TEXTS,
        made: Vec::new,
        longest: 512,
        law: merge::texts,
    },
    Target {
        name: "books",
        endings: &[".csv", ".tsv"],
        made: || texts(grid::SEEDS),
        longest: 512,
        law: merge::books,
    },
    Target {
        name: "shown",
        endings: &[],
        made: shown::seeds,
        longest: 4096,
        law: shown::law,
    },
    Target {
        name: "report",
        endings: &[],
        made: report::seeds,
        longest: 4096,
        law: report::law,
    },
];

fn texts(all: &[&str]) -> Vec<Vec<u8>> {
    all.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Numbers that follow from an input: a law may try something at random and is still the
/// same for the same input.
fn numbers(input: &[u8]) -> Random {
    let hash = input.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Random::new(hash, "input", 0)
}

/// Two texts out of one input: the input and a copy that changed.
fn two_texts(input: &[u8]) -> (Vec<u8>, Vec<u8>) {
    (input.to_vec(), changed(input, 7))
}

/// What its bytes ask for is done to a copy of an input, in one of several ways.
fn changed(input: &[u8], way: usize) -> Vec<u8> {
    let lines: Vec<&[u8]> = input.split_inclusive(|byte| *byte == b'\n').collect();
    let mut new = lines.clone();
    let mut state = input
        .iter()
        .fold(way, |s, b| s.wrapping_mul(31).wrapping_add(usize::from(*b)));
    let mut next = |end: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % end.max(1)
    };
    for _ in 0..next(6) {
        if new.is_empty() {
            break;
        }
        let first = next(new.len());
        let count = 1 + next((new.len() - first).min(8));
        let block: Vec<&[u8]> = match next(3) {
            0 => new[first..first + count].to_vec(),
            _ => new.drain(first..first + count).collect(),
        };
        let to = next(new.len() + 1);
        if next(4) > 0 {
            new.splice(to..to, block);
        }
    }
    new.concat()
}
