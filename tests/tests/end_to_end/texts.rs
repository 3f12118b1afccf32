//! Two texts that are versions of one another: few kinds of lines, so that
//! repeats and ties abound, blank lines, indentation, mixed line ends.

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use std::fmt;

/// 300 cases a law; `MVDIFF_CASES` asks for more, `MVDIFF_SEED` for others.
pub fn config() -> ProptestConfig {
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|value| value.parse().ok())
    };
    ProptestConfig {
        cases: number("MVDIFF_CASES").unwrap_or(300),
        // A red run is then the fault of the change, not of the day.
        rng_seed: RngSeed::Fixed(number("MVDIFF_SEED").unwrap_or(0).into()),
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..ProptestConfig::default()
    }
}

/// An old and a new text.
#[derive(Clone)]
pub struct Texts {
    pub old: Vec<u8>,
    pub new: Vec<u8>,
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [old, new] = [&self.old, &self.new].map(|t| String::from_utf8_lossy(t).into_owned());
        write!(f, "old {old:?} new {new:?}")
    }
}

/// What a person does to a text.
#[derive(Clone, Debug)]
enum Act {
    Move {
        from: Index,
        len: usize,
        to: Index,
    },
    Copy {
        from: Index,
        len: usize,
        to: Index,
    },
    Delete {
        from: Index,
        len: usize,
    },
    Insert {
        at: Index,
        lines: Vec<String>,
    },
    Edit {
        at: Index,
    },
    Indent {
        from: Index,
        len: usize,
        by: &'static str,
    },
    Dedent {
        from: Index,
        len: usize,
    },
    LineEnds {
        from: Index,
        len: usize,
    },
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just(String::new()),
        2 => Just("}".to_owned()),
        4 => "[ab]",
        4 => "(    |\t)?call_(one|two|three)\\(first argument\\)",
        4 => "    let (total|count|price) = (sum|max)\\(values of the (first|second) kind\\);",
        1 => Just("   ".to_owned()),
        1 => Just("\u{e9}t\u{e9} \u{1f600}".to_owned()),
        1 => Just("carriage\rreturn inside".to_owned()),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    let (at, len) = (any::<Index>, || 1..6usize);
    prop_oneof![
        4 => (at(), len(), at()).prop_map(|(from, len, to)| Act::Move { from, len, to }),
        1 => (at(), len(), at()).prop_map(|(from, len, to)| Act::Copy { from, len, to }),
        2 => (at(), len()).prop_map(|(from, len)| Act::Delete { from, len }),
        2 => (at(), prop::collection::vec(line(), 1..4)).prop_map(|(at, lines)| Act::Insert { at, lines }),
        3 => at().prop_map(|at| Act::Edit { at }),
        2 => (at(), len(), prop_oneof![Just("    "), Just("\t"), Just("  ")])
            .prop_map(|(from, len, by)| Act::Indent { from, len, by }),
        1 => (at(), len()).prop_map(|(from, len)| Act::Dedent { from, len }),
        1 => (at(), len()).prop_map(|(from, len)| Act::LineEnds { from, len }),
    ]
}

fn perform(lines: &mut Vec<String>, act: &Act) {
    let place = |at: &Index, len: usize| at.index(len + 1);
    let range = |from: &Index, len: usize, lines: &[String]| {
        let start = place(from, lines.len());
        start..(start + len).min(lines.len())
    };
    match act {
        Act::Move { from, len, to } => {
            let block: Vec<String> = lines.drain(range(from, *len, lines)).collect();
            let to = place(to, lines.len());
            lines.splice(to..to, block);
        }
        Act::Copy { from, len, to } => {
            let block = lines[range(from, *len, lines)].to_vec();
            let to = place(to, lines.len());
            lines.splice(to..to, block);
        }
        Act::Delete { from, len } => {
            lines.drain(range(from, *len, lines));
        }
        Act::Insert { at, lines: new } => {
            let at = place(at, lines.len());
            lines.splice(at..at, new.iter().cloned());
        }
        Act::Edit { at } => {
            let range = range(at, 1, lines);
            lines[range]
                .iter_mut()
                .for_each(|line| *line = line.replace("first", "other") + "!");
        }
        Act::Indent { from, len, by } => {
            let range = range(from, *len, lines);
            lines[range]
                .iter_mut()
                .for_each(|line| line.insert_str(0, by));
        }
        Act::Dedent { from, len } => {
            let range = range(from, *len, lines);
            lines[range]
                .iter_mut()
                .for_each(|line| *line = line.trim_start().to_owned());
        }
        Act::LineEnds { from, len } => {
            let range = range(from, *len, lines);
            for line in &mut lines[range] {
                match line.strip_suffix('\r') {
                    Some(bare) => *line = bare.to_owned(),
                    None => line.push('\r'),
                }
            }
        }
    }
}

fn join(lines: &[String], newline_at_end: bool) -> Vec<u8> {
    let mut text = lines.join("\n");
    if newline_at_end && !lines.is_empty() {
        text.push('\n');
    }
    text.into_bytes()
}

/// Two texts; the new one is made from the old one, or is any text.
pub fn texts() -> impl Strategy<Value = Texts> {
    let lines = || prop::collection::vec(line(), 0..30);
    let made = (lines(), prop::collection::vec(act(), 0..6)).prop_map(|(old, acts)| {
        let mut new = old.clone();
        for act in &acts {
            perform(&mut new, act);
        }
        (old, new)
    });
    let sides = prop_oneof![5 => made, 1 => (lines(), lines())];
    let newline = || prop::bool::weighted(0.8);
    (sides, prop::bool::weighted(0.2), newline(), newline()).prop_map(
        |((mut old, mut new), crlf, o, n)| {
            if crlf {
                old.iter_mut()
                    .chain(&mut new)
                    .for_each(|line| line.push('\r'));
            }
            Texts {
                old: join(&old, o),
                new: join(&new, n),
            }
        },
    )
}
