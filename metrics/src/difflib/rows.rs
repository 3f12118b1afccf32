//! The longest run of a part, old element by old element.

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

/// The length of the run that ends here, and the row that wrote it.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    row: u32,
    len: u32,
}

/// Where each token stands in new, and the two rows at work.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// For each token its part of `places`.
    spans: Vec<Range<u32>>,
    /// Positions in new by token, each token's in order.
    places: Vec<u32>,
    /// Cells by position in new, one to the right: of the row at hand and of the
    /// one before it, by turns.
    cells: [Vec<Cell>; 2],
    /// Rows so far; numbers are never used twice, so cells need no clearing.
    row: u32,
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
        let (mut taken, room) = (1, new.len() + 1);
        self.places.resize(room.max(self.places.len()), 0);
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
        for cells in &mut self.cells {
            cells.resize(room.max(cells.len()), Cell::default());
        }
    }

    /// Takes back what [`index`](Self::index) noted.
    pub(super) fn forget(&mut self, new: &[Token]) {
        for token in new {
            self.spans[token.0 as usize] = 0..0;
        }
    }

    /// The longest run of `part`. With a `credit`, it is given up when the pairs
    /// looked at have used it up.
    pub(super) fn scan(&mut self, old: &[Token], part: &Part, credit: Option<i64>) -> Scan {
        let mut credit = credit.unwrap_or(i64::MAX / 2);
        let limited = credit < i64::MAX / 4;
        self.start(part);
        let mut best = Block::default();
        for i in part.old.clone() {
            self.row += 1;
            let Some(span) = self.spans.get(old[i as usize].0 as usize) else {
                continue;
            };
            let mut places = &self.places[span.start as usize..span.end as usize];
            if places.len() > 8 {
                places = &places[places.partition_point(|j| *j < part.new.start)..];
            }
            let [above, row] = &mut self.cells;
            let mut pairs = 0;
            for &j in places {
                if j < part.new.start {
                    continue;
                }
                if j >= part.new.end {
                    break;
                }
                pairs += 1;
                let before = above[j as usize];
                let len = if before.row + 1 == self.row {
                    before.len + 1
                } else {
                    1
                };
                row[j as usize + 1] = Cell { row: self.row, len };
                if len > best.len {
                    best = Block {
                        old: i + 1 - len,
                        new: j + 1 - len,
                        len,
                    };
                    if len == part.bound {
                        let left = credit - pairs;
                        return Scan::Longest(best, limited.then_some(left));
                    }
                }
            }
            self.cells.swap(0, 1);
            credit += PAIRS_A_ROW - pairs;
            if credit < 0 {
                return Scan::TooMany;
            }
        }
        match best.len {
            0 => Scan::Nothing,
            _ => Scan::Longest(best, limited.then_some(credit)),
        }
    }

    /// Numbers rows on, so that no cell of an earlier search is taken for one of
    /// this one's.
    fn start(&mut self, part: &Part) {
        let rows = part.old.end - part.old.start;
        if self.row >= u32::MAX - rows - 2 {
            self.row = 0;
            for cells in &mut self.cells {
                cells.fill(Cell::default());
            }
        }
        self.row += 1;
    }
}

/// The longest run of a part so small that every pair is looked at.
pub(super) fn compare(old: &[Token], new: &[Token], part: &Part) -> Scan {
    // Lengths of the runs that end in the row above, one to the right.
    let mut lens = [0; super::TINY as usize + 1];
    let new = &new[part.new.start as usize..part.new.end as usize];
    let mut best = Block::default();
    for i in part.old.clone() {
        let mut above = 0;
        for (j, token) in new.iter().enumerate() {
            let len = if old[i as usize] == *token {
                above + 1
            } else {
                0
            };
            above = std::mem::replace(&mut lens[j + 1], len);
            if len > best.len {
                let end = part.new.start + j as u32 + 1;
                best = Block {
                    old: i + 1 - len,
                    new: end - len,
                    len,
                };
                if len == part.bound {
                    return Scan::Longest(best, None);
                }
            }
        }
    }
    match best.len {
        0 => Scan::Nothing,
        _ => Scan::Longest(best, None),
    }
}
