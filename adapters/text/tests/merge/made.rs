//! Random texts, and changes of two sides.

use proptest::prelude::*;

/// One change.
#[derive(Clone, Debug)]
pub enum Doing {
    Edit(usize),
    Insert(usize, usize),
    Delete(usize, usize),
    Move(usize, usize, usize),
}

/// A base and two versions of it.
#[derive(Clone, Debug)]
pub struct Triple {
    pub base: String,
    pub ours: String,
    pub theirs: String,
}

fn doing(moves: bool) -> impl Strategy<Value = Doing> {
    let place = 0..60usize;
    let weight = u32::from(moves) * 2;
    prop_oneof![
        3 => place.clone().prop_map(Doing::Edit),
        2 => (place.clone(), 1..4usize).prop_map(|(at, count)| Doing::Insert(at, count)),
        2 => (place.clone(), 1..4usize).prop_map(|(at, count)| Doing::Delete(at, count)),
        weight => (place.clone(), 2..9usize, place).prop_map(|(from, count, to)| Doing::Move(from, count, to)),
    ]
}

/// Applies the changes of a side; each new line is unique.
fn done(base: &[String], doings: &[Doing], side: &str) -> Vec<String> {
    let mut lines = base.to_vec();
    for (number, doing) in doings.iter().enumerate() {
        let len = lines.len();
        match *doing {
            Doing::Edit(at) if len > 0 => {
                let at = at % len;
                lines[at] = format!("{} edited by {side} {number}", lines[at]);
            }
            Doing::Insert(at, count) => {
                let at = at % (len + 1);
                let new = (0..count).map(|i| format!("a new line of {side}, number {number} {i}"));
                lines.splice(at..at, new.collect::<Vec<_>>());
            }
            Doing::Delete(at, count) if len > 0 => {
                let at = at % len;
                lines.drain(at..(at + count).min(len));
            }
            Doing::Move(from, count, to) if len > 0 => {
                let from = from % len;
                let block: Vec<String> = lines.drain(from..(from + count).min(len)).collect();
                let to = to % (lines.len() + 1);
                lines.splice(to..to, block);
            }
            _ => {}
        }
    }
    lines
}

fn joined(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [&**line, "\n"]).collect()
}

/// A base of distinct lines, and two versions.
pub fn triple(moves: bool) -> impl Strategy<Value = Triple> {
    let doings = move || prop::collection::vec(doing(moves), 0..4);
    (4..40usize, doings(), doings()).prop_map(|(count, ours, theirs)| {
        let word = |i: usize| ["amber", "basalt", "cedar", "dolomite"][i % 4];
        let line = |i: usize| format!("let {}_{i} = measure({}, {i});", word(i), word(i + 1));
        let base: Vec<String> = (0..count).map(line).collect();
        Triple {
            ours: joined(&done(&base, &ours, "ours")),
            theirs: joined(&done(&base, &theirs, "theirs")),
            base: joined(&base),
        }
    })
}

/// Texts of few distinct lines, with many repeats.
pub fn repetitive() -> impl Strategy<Value = Triple> {
    let text = || {
        let line = prop::sample::select(vec!["{", "}", "", "a", "b", "return x", "c"]);
        prop::collection::vec(line, 0..14)
    };
    let joined = |lines: &[&str]| lines.iter().flat_map(|line| [&**line, "\n"]).collect();
    let cut = prop::collection::vec((0..14usize, 0..3usize, text()), 0..3);
    (text(), cut.clone(), cut).prop_map(move |(base, ours, theirs)| {
        let change = |cuts: &[(usize, usize, Vec<&'static str>)]| {
            let mut lines = base.clone();
            for (at, count, new) in cuts {
                let at = at % (lines.len() + 1);
                let end = (at + count).min(lines.len());
                lines.splice(at..end, new.iter().take(2).copied());
            }
            lines
        };
        Triple {
            ours: joined(&change(&ours)),
            theirs: joined(&change(&theirs)),
            base: joined(&base),
        }
    })
}
