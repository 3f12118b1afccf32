//! Compares the matcher with a direct implementation of the definition and with
//! Python.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod definition;
mod pairs;
mod python;

use mvdiff_core::Token;
use mvdiff_metrics::difflib::{Matcher, Opcode, Tag};

/// Opcodes as Python prints them: tag and four numbers.
type Told = Vec<(String, u32, u32, u32, u32)>;

fn told(opcodes: &[Opcode]) -> Told {
    let tell = |o: &Opcode| {
        let tag = match o.tag {
            Tag::Equal => "equal",
            Tag::Replace => "replace",
            Tag::Delete => "delete",
            Tag::Insert => "insert",
        };
        (
            tag.to_owned(),
            o.old.start,
            o.old.end,
            o.new.start,
            o.new.end,
        )
    };
    opcodes.iter().map(tell).collect()
}

fn ours(matcher: &mut Matcher, old: &[u32], new: &[u32]) -> Told {
    let [old, new] = [old, new].map(|side| side.iter().map(|t| Token(*t)).collect::<Vec<_>>());
    told(&matcher.opcodes(&old, &new))
}

/// A number from the environment.
fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}
