//! What is tried, and the laws that hold for it. A law that is broken panics.

mod edit;
mod effective;
mod lines;
mod manifest;
mod patch;
mod replay;
mod score;
mod tree;

/// A law, and what its inputs are made from.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    /// Endings of fixtures, and texts of its own.
    pub(crate) seeds: (&'static [&'static str], &'static [&'static str]),
    pub(crate) law: fn(&[u8]),
}

pub(crate) const TARGETS: &[Target] = &[
    Target {
        name: "patch",
        seeds: (&[".diff"], patch::SEEDS),
        law: patch::law,
    },
    Target {
        name: "effective",
        seeds: (&[".diff"], patch::SEEDS),
        law: effective::law,
    },
    Target {
        name: "contents",
        seeds: (&[".txt", ".py", ".rs"], &[]),
        law: effective::with_contents,
    },
    Target {
        name: "lines",
        seeds: (&[".txt", ".py", ".rs"], &[]),
        law: lines::law,
    },
    Target {
        name: "edit",
        seeds: (&["blocks.json", "blocks.txt", ".py"], edit::SEEDS),
        law: edit::law,
    },
    Target {
        name: "tree",
        seeds: (&[".txt", ".py", ".rs"], &[]),
        law: tree::law,
    },
    Target {
        name: "replay",
        seeds: (&[], replay::SEEDS),
        law: replay::law,
    },
    Target {
        name: "score",
        seeds: (&[".jsonl"], score::SEEDS),
        law: score::law,
    },
    Target {
        name: "manifest",
        seeds: (&["manifest.yaml"], manifest::SEEDS),
        law: manifest::law,
    },
];

/// Two texts out of one input: what its bytes ask for is done to a copy of it.
fn two_texts(input: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let lines: Vec<&[u8]> = input.split_inclusive(|byte| *byte == b'\n').collect();
    let mut new = lines.clone();
    let mut state = input.iter().fold(7_usize, |s, b| {
        s.wrapping_mul(31).wrapping_add(usize::from(*b))
    });
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
    (input.to_vec(), new.concat())
}
