//! `difflib.SequenceMatcher`: matching blocks of texts and of sequences of numbers.

use mvdiff_core::Token;
use mvdiff_metrics::difflib::{ElementKind, JunkMatcher, Matcher, MatchingBlock};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use std::collections::HashMap;

/// `(i, j, size)`, as Python's `Match`.
type Match = (u32, u32, u32);

fn as_match(block: MatchingBlock) -> Match {
    (block.old, block.new, block.len)
}

fn standings(kinds: &[u8]) -> Vec<ElementKind> {
    let standing = |kind: &u8| match kind {
        0 => ElementKind::Ordinary,
        1 => ElementKind::Popular,
        _ => ElementKind::Junk,
    };
    kinds.iter().map(standing).collect()
}

fn blocks(old: &[Token], new: &[Token], standing: &[ElementKind]) -> Vec<Match> {
    let plain = standing.iter().all(|s| *s == ElementKind::Ordinary);
    let found = if plain {
        Matcher::default().matching_blocks(old, new)
    } else {
        JunkMatcher::new(old, new, standing).matching_blocks()
    };
    found.into_iter().map(as_match).collect()
}

/// The blocks of two sequences of numbers. `kinds` says of each number below its length
/// whether it is ordinary (0), popular (1) or junk (2); numbers beyond are only in `a`.
#[pyfunction]
pub(crate) fn matching_blocks(
    py: Python<'_>,
    a: Vec<u32>,
    b: Vec<u32>,
    kinds: Vec<u8>,
) -> Vec<Match> {
    py.detach(|| {
        let [a, b] = [a, b].map(|side| side.into_iter().map(Token).collect::<Vec<_>>());
        blocks(&a, &b, &standings(&kinds))
    })
}

/// The longest match within ranges of the same.
#[pyfunction]
pub(crate) fn longest_match(
    py: Python<'_>,
    a: Vec<u32>,
    b: Vec<u32>,
    kinds: Vec<u8>,
    old: (u32, u32),
    new: (u32, u32),
) -> Match {
    py.detach(|| {
        let [a, b] = [a, b].map(|side| side.into_iter().map(Token).collect::<Vec<_>>());
        let standing = standings(&kinds);
        as_match(JunkMatcher::new(&a, &b, &standing).longest(old.0..old.1, new.0..new.1))
    })
}

/// The blocks of two texts, character by character. With `autojunk`, characters that
/// are more than one in a hundred of a long text are popular.
#[pyfunction]
pub(crate) fn matching_blocks_of_text(
    py: Python<'_>,
    a: PyBackedStr,
    b: PyBackedStr,
    autojunk: bool,
) -> Vec<Match> {
    py.detach(|| {
        let mut numbers = Numbers::default();
        let new: Vec<Token> = b.chars().map(|c| numbers.of(c)).collect();
        let mut counts = vec![0_usize; numbers.count as usize];
        for token in &new {
            counts[token.0 as usize] += 1;
        }
        let most = if autojunk && new.len() >= 200 {
            new.len() / 100 + 1
        } else {
            usize::MAX
        };
        let standing = counts.iter().map(|count| match count {
            count if *count > most => ElementKind::Popular,
            _ => ElementKind::Ordinary,
        });
        let standing: Vec<ElementKind> = standing.collect();
        let old: Vec<Token> = a.chars().map(|c| numbers.of(c)).collect();
        blocks(&old, &new, &standing)
    })
}

/// Characters to numbers that count up from zero.
struct Numbers {
    ascii: [u32; 128],
    others: HashMap<char, u32>,
    count: u32,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            ascii: [u32::MAX; 128],
            others: HashMap::new(),
            count: 0,
        }
    }
}

impl Numbers {
    fn of(&mut self, c: char) -> Token {
        let number = match self.ascii.get_mut(c as usize) {
            Some(number) => number,
            None => self.others.entry(c).or_insert(u32::MAX),
        };
        if *number == u32::MAX {
            *number = self.count;
            self.count += 1;
        }
        Token(*number)
    }
}
