//! The longest run of a part, found by looking at as few old elements as will do.

use super::{Block, PAIRS_A_ROW, Part};
use mvdiff_core::Token;
use std::ops::Range;

/// What a search came to.
pub(super) enum Scan {
    /// Nothing is equal.
    Nothing,
    /// The longest run, and the credit that is left.
    Longest(Block, Option<i64>),
    /// There are too many equal pairs for this way.
    TooMany,
}

/// Where each token stands in new.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// For each token its part of `places`.
    spans: Vec<Range<u32>>,
    /// Positions in new by token, each token's in order.
    places: Vec<u32>,
}

impl Rows {
    /// Notes where each token of `new` stands.
    pub(super) fn index(&mut self, new: &[Token]) {
        let tokens = new.iter().map(|t| t.0 as usize + 1).max().unwrap_or(0);
        if self.spans.len() < tokens {
            self.spans.resize(tokens, 0..0);
        }
        for token in new {
            self.spans[token.0 as usize].end += 1;
        }
        // The first place is nobody's, so that a span from 0 is still a count.
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

    /// Takes back what [`index`](Self::index) noted.
    pub(super) fn forget(&mut self, new: &[Token]) {
        for token in new {
            self.spans[token.0 as usize] = 0..0;
        }
    }

    /// The longest run of `part`, with the help of the index. With a `credit`, it
    /// is given up when the pairs looked at have used it up.
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

/// The longest run of a part so small that it needs no index.
pub(super) fn compare(old: &[Token], new: &[Token], part: &Part) -> Scan {
    let places = |token| part.new.clone().filter(move |j| new[*j as usize] == token);
    scan(old, new, part, None, places)
}

/// Looks at one old element in `L + 1`, where `L` is the longest run so far: a
/// longer one that holds none of those looked at so far begins behind the last
/// of them, and holds the next. What is as long and begins earlier holds one of
/// them, too, and was found before.
fn scan<I: Iterator<Item = u32>>(
    old: &[Token],
    new: &[Token],
    part: &Part,
    credit: Option<i64>,
    places: impl Fn(Token) -> I,
) -> Scan {
    let mut left = credit.unwrap_or(i64::MAX / 2);
    let mut best = Block::default();
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
                // Nothing is longer, and nothing begins before it.
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
fn around(old: &[Token], new: &[Token], part: &Part, (i, j): (u32, u32)) -> Block {
    let before = old[part.old.start as usize..i as usize].iter().rev();
    let before = before.zip(new[part.new.start as usize..j as usize].iter().rev());
    let before = before.take_while(|(a, b)| a == b).count() as u32;
    let behind = old[i as usize + 1..part.old.end as usize].iter();
    let behind = behind.zip(&new[j as usize + 1..part.new.end as usize]);
    let behind = behind.take_while(|(a, b)| a == b).count() as u32;
    Block {
        old: i - before,
        new: j - before,
        len: before + 1 + behind,
    }
}
