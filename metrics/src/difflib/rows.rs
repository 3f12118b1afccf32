//! Finds the longest run of a part by examining as few old elements as possible.

use super::{MatchingBlock, PAIRS_A_ROW, Part};
use mvdiff_core::Token;
use std::ops::Range;

/// The result of a search.
pub(super) enum Scan {
    /// No elements are equal.
    Nothing,
    /// The longest run, and the remaining credit.
    Longest(MatchingBlock, Option<i64>),
    /// There are too many equal pairs for this method.
    TooMany,
}

/// The positions of each token in new.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// For each token, its range of `places`.
    spans: Vec<Range<u32>>,
    /// Positions in new, grouped by token and in order.
    places: Vec<u32>,
}

impl Rows {
    /// Records the positions of each token of `new`.
    pub(super) fn index(&mut self, new: &[Token]) {
        let tokens = new.iter().map(|t| t.0 as usize + 1).max().unwrap_or(0);
        if self.spans.len() < tokens {
            self.spans.resize(tokens, 0..0);
        }
        for token in new {
            self.spans[token.0 as usize].end += 1;
        }
        // Position 0 stays unused, so that a span that starts at 0 is still a
        // count.
        let mut taken = 1;
        self.places.resize(self.places.len().max(new.len() + 1), 0);
        for (at, token) in new.iter().enumerate() {
            let span = &mut self.spans[token.0 as usize];
            if span.start == 0 {
                let count = span.end;
                *span = taken..taken;
                taken += count;
            }
            self.places[span.end as usize] = at as u32;
            span.end += 1;
        }
    }

    /// Clears the entries recorded by [`index`](Self::index).
    pub(super) fn forget(&mut self, new: &[Token]) {
        for token in new {
            self.spans[token.0 as usize] = 0..0;
        }
    }

    /// The longest run of `part`, found with the index. With a `credit`, the
    /// search gives up after examining that many pairs.
    pub(super) fn scan(
        &self,
        old: &[Token],
        new: &[Token],
        part: &Part,
        credit: Option<i64>,
    ) -> Scan {
        let places = |token: Token| {
            let span = self.spans.get(token.0 as usize).cloned();
            let span = span.unwrap_or_default();
            let mut places = &self.places[span.start as usize..span.end as usize];
            if places.len() > 8 {
                places = &places[places.partition_point(|j| *j < part.new.start)..];
            }
            let from_here = places.iter().copied().skip_while(|j| *j < part.new.start);
            from_here.take_while(|j| *j < part.new.end)
        };
        scan(old, new, part, credit, places)
    }
}

/// The longest run of a part that is too small to need an index.
pub(super) fn compare(old: &[Token], new: &[Token], part: &Part) -> Scan {
    let places = |token| part.new.clone().filter(move |j| new[*j as usize] == token);
    scan(old, new, part, None, places)
}

/// Examines one old element in `L + 1`, where `L` is the length of the longest
/// run so far. A longer run that contains none of the elements examined so far
/// starts after the last of them, and contains the next. A run of equal length
/// that starts earlier contains one of them, too, and was found before.
fn scan<I: Iterator<Item = u32>>(
    old: &[Token],
    new: &[Token],
    part: &Part,
    credit: Option<i64>,
    places: impl Fn(Token) -> I,
) -> Scan {
    let mut left = credit.unwrap_or(i64::MAX / 2);
    let mut best = MatchingBlock::default();
    let mut i = part.old.start;
    while i < part.old.end {
        let mut steps = 0;
        for j in places(old[i as usize]) {
            let run = around(old, new, part, (i, j));
            steps += i64::from(run.len);
            let is_first = run.len == best.len && run.old < best.old;
            if run.len > best.len || is_first {
                best = run;
            }
            if run.len == part.bound && run.old == part.old.start {
                // No run is longer, and none starts earlier.
                break;
            }
            if steps > left + PAIRS_A_ROW * i64::from(best.len + 1) {
                return Scan::TooMany;
            }
        }
        i += best.len + 1;
        left += PAIRS_A_ROW * i64::from(best.len + 1) - steps;
        if best.len == part.bound {
            break;
        }
    }
    match best.len {
        0 => Scan::Nothing,
        _ => Scan::Longest(best, credit.map(|_| left)),
    }
}

/// The whole run that a pair of equal elements belongs to.
fn around(old: &[Token], new: &[Token], part: &Part, (i, j): (u32, u32)) -> MatchingBlock {
    let before = old[part.old.start as usize..i as usize].iter().rev();
    let before = before.zip(new[part.new.start as usize..j as usize].iter().rev());
    let before = before.take_while(|(a, b)| a == b).count() as u32;
    let behind = old[i as usize + 1..part.old.end as usize].iter();
    let behind = behind.zip(&new[j as usize + 1..part.new.end as usize]);
    let behind = behind.take_while(|(a, b)| a == b).count() as u32;
    MatchingBlock {
        old: i - before,
        new: j - before,
        len: before + 1 + behind,
    }
}
