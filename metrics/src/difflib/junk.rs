//! `SequenceMatcher` with elements that are junk or too popular to start a match.
//!
//! Such elements are not looked up. A match found without them is extended over
//! them: first over elements that are not junk, then over junk. No bound holds
//! across that, so this computes the definition directly, without Python's
//! dictionaries.

use super::MatchingBlock;
use mvdiff_core::Token;
use std::ops::Range;

/// The kind of an element of the new side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ElementKind {
    /// It starts matches.
    #[default]
    Ordinary,
    /// It occurs too often to start a match; matches are extended over it
    /// (`bpopular`).
    Popular,
    /// The caller marked it as junk; matches are extended over it last (`bjunk`).
    Junk,
}

/// Matches two sequences of tokens, some of which are junk or popular.
#[derive(Debug)]
pub struct JunkMatcher<'t> {
    old: &'t [Token],
    new: &'t [Token],
    standing: &'t [ElementKind],
    /// Positions in new, grouped by token.
    places: Vec<u32>,
    /// Start of the positions of each token.
    starts: Vec<u32>,
    /// Lengths of the runs that end at each new element: of this row and the
    /// previous one.
    lengths: [Vec<u32>; 2],
}

impl<'t> JunkMatcher<'t> {
    /// `standing` has one entry for each token that occurs in new; higher tokens
    /// of old do not occur in new.
    #[must_use]
    pub fn new(old: &'t [Token], new: &'t [Token], standing: &'t [ElementKind]) -> Self {
        let mut starts = vec![0_u32; standing.len() + 1];
        let looked_up = |token: &Token| standing[token.0 as usize] == ElementKind::Ordinary;
        for token in new.iter().filter(|token| looked_up(token)) {
            starts[token.0 as usize + 1] += 1;
        }
        for token in 0..standing.len() {
            starts[token + 1] += starts[token];
        }
        let mut places = vec![0; starts[standing.len()] as usize];
        let mut next = starts.clone();
        for (place, token) in (0..).zip(new) {
            if looked_up(token) {
                places[next[token.0 as usize] as usize] = place;
                next[token.0 as usize] += 1;
            }
        }
        let room = || vec![0; new.len() + 1];
        Self {
            old,
            new,
            standing,
            places,
            starts,
            lengths: [room(), room()],
        }
    }

    /// `find_longest_match`; its length may be 0.
    pub fn longest(&mut self, old: Range<u32>, new: Range<u32>) -> MatchingBlock {
        let mut best = MatchingBlock {
            old: old.start,
            new: new.start,
            len: 0,
        };
        let [mut last, mut this] = std::mem::take(&mut self.lengths);
        let mut before: &[u32] = &[];
        for i in old.clone() {
            let token = self.old[i as usize].0 as usize;
            let places: &[u32] = match self.starts.get(token + 1) {
                Some(end) => &self.places[self.starts[token] as usize..*end as usize],
                None => &[],
            };
            let from = places.partition_point(|j| *j < new.start);
            let to = places.partition_point(|j| *j < new.end);
            let places = &places[from..to];
            for &j in places {
                // Shifted by one, so that the first element has a predecessor.
                let run = last[j as usize] + 1;
                this[j as usize + 1] = run;
                if run > best.len {
                    best = MatchingBlock {
                        old: i + 1 - run,
                        new: j + 1 - run,
                        len: run,
                    };
                }
            }
            for &j in before {
                last[j as usize + 1] = 0;
            }
            before = places;
            std::mem::swap(&mut last, &mut this);
        }
        for &j in before {
            last[j as usize + 1] = 0;
        }
        self.lengths = [last, this];
        for junk in [false, true] {
            self.extend(&mut best, &old, &new, junk);
        }
        best
    }

    /// Extends a match at both ends over elements that are junk, or are not, by
    /// `junk`.
    fn extend(&self, best: &mut MatchingBlock, old: &Range<u32>, new: &Range<u32>, junk: bool) {
        let fits = |i: u32, j: u32| {
            let (a, b) = (self.old[i as usize], self.new[j as usize]);
            a == b && (self.standing[b.0 as usize] == ElementKind::Junk) == junk
        };
        while best.old > old.start && best.new > new.start && fits(best.old - 1, best.new - 1) {
            (best.old, best.new, best.len) = (best.old - 1, best.new - 1, best.len + 1);
        }
        while best.old + best.len < old.end
            && best.new + best.len < new.end
            && fits(best.old + best.len, best.new + best.len)
        {
            best.len += 1;
        }
    }

    /// `get_matching_blocks`, without the empty last block.
    pub fn matching_blocks(&mut self) -> Vec<MatchingBlock> {
        let mut todo = vec![(0..self.old.len() as u32, 0..self.new.len() as u32)];
        let mut found = Vec::new();
        while let Some((old, new)) = todo.pop() {
            let run = self.longest(old.clone(), new.clone());
            if run.len == 0 {
                continue;
            }
            found.push(run);
            if old.start < run.old && new.start < run.new {
                todo.push((old.start..run.old, new.start..run.new));
            }
            let (i, j) = (run.old + run.len, run.new + run.len);
            if i < old.end && j < new.end {
                todo.push((i..old.end, j..new.end));
            }
        }
        found.sort_unstable_by_key(|run| (run.old, run.new));
        let mut blocks: Vec<MatchingBlock> = Vec::with_capacity(found.len());
        for run in found {
            match blocks.last_mut() {
                Some(block) if super::touches(*block, run) => block.len += run.len,
                _ => blocks.push(run),
            }
        }
        blocks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difflib::Matcher;

    fn tokens(text: &str) -> Vec<Token> {
        text.bytes().map(|b| Token(u32::from(b - b'a'))).collect()
    }

    fn told(blocks: &[MatchingBlock]) -> Vec<(u32, u32, u32)> {
        blocks.iter().map(|b| (b.old, b.new, b.len)).collect()
    }

    /// Without junk, both implement the same definition.
    #[test]
    fn without_junk_it_is_the_other_matcher() {
        let mut seed = 1_u32;
        for _ in 0..500 {
            let mut text = |most: u32| -> Vec<Token> {
                let mut next = || {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    seed >> 16
                };
                (0..next() % most).map(|_| Token(next() % 4)).collect()
            };
            let (old, new) = (text(40), text(40));
            let ordinary = [ElementKind::Ordinary; 4];
            assert_eq!(
                JunkMatcher::new(&old, &new, &ordinary).matching_blocks(),
                Matcher::default().matching_blocks(&old, &new)
            );
        }
    }

    /// `SequenceMatcher(lambda x: x == " ", " abcd", "abcd abcd")`, with `z` for the blank.
    #[test]
    fn junk_starts_no_match() {
        let (old, new) = (tokens("zabcd"), tokens("abcdzabcd"));
        let mut standing = vec![ElementKind::Ordinary; 26];
        standing[25] = ElementKind::Junk;
        let mut sifted = JunkMatcher::new(&old, &new, &standing);
        assert_eq!(told(&[sifted.longest(0..5, 0..9)]), [(1, 0, 4)]);
        standing[25] = ElementKind::Ordinary;
        let mut plain = JunkMatcher::new(&old, &new, &standing);
        assert_eq!(told(&[plain.longest(0..5, 0..9)]), [(0, 4, 5)]);
    }

    /// An element of old that does not occur in new.
    #[test]
    fn unknown_elements_match_nothing() {
        let (old, new) = (tokens("cab"), tokens("ab"));
        let standing = [ElementKind::Ordinary; 2];
        assert_eq!(
            told(&JunkMatcher::new(&old, &new, &standing).matching_blocks()),
            [(1, 0, 2)]
        );
    }
}
