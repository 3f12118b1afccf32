//! What is left of a side, laid out so that blocks can grow in it.

use crate::align::{Block, NONE};
use crate::work::{Loose, NEW, OLD, SIDES, Work};
use crate::{Problem, Token};

/// Loose elements of both sides, compacted, with walls where they do not touch:
/// as many tokens that equal nothing as a chain may leap over, and one more.
pub(super) struct Lanes {
    /// Tokens at the coarsest level.
    pub tokens: [Vec<Token>; 2],
    /// Exact tokens, with the same walls.
    pub exact: [Vec<Token>; 2],
    /// For each place its element, or [`NONE`] for a wall.
    pub index: [Vec<u32>; 2],
    /// For each place its gap.
    pub gap: [Vec<u32>; 2],
    pub distinct: usize,
    pub distinct_exact: usize,
}

impl Lanes {
    /// Lays out `loose` elements.
    pub(super) fn new<P: Problem + ?Sized>(
        work: &mut Work<'_, P>,
        loose: &[Vec<Loose>; 2],
    ) -> Self {
        let level = work.problem.coarser_levels();
        let mut lanes = Self {
            tokens: [Vec::new(), Vec::new()],
            exact: [Vec::new(), Vec::new()],
            index: [Vec::new(), Vec::new()],
            gap: [Vec::new(), Vec::new()],
            distinct: 0,
            distinct_exact: 0,
        };
        let mut dense = Dense::new(work.distinct);
        let coarse = [OLD, NEW].map(|side| {
            let loose = loose[side].iter();
            loose
                .map(|item| work.coarse(side, item.index))
                .collect::<Vec<Token>>()
        });
        let present = [OLD, NEW].map(|side| present(&coarse[side], work, level));
        let thick = work.gap() + 1;
        for side in [OLD, NEW] {
            let mut before: Option<Loose> = None;
            // Elements in a row that equal nothing on the other side: a wall,
            // too, of which only the thickness counts.
            let mut skipped = 0;
            for (item, &token) in loose[side].iter().zip(&coarse[side]) {
                let parted = before.is_none_or(|before| !follows(work, side, before, *item));
                before = Some(*item);
                if parted {
                    skipped = thick;
                }
                if !present[1 - side][token.0 as usize] {
                    skipped += 1;
                    continue;
                }
                lanes.wall(side, skipped.min(thick));
                skipped = 0;
                let exact = dense.of(work.tokens[side][item.index as usize]);
                lanes.tokens[side].push(token);
                lanes.exact[side].push(exact);
                lanes.index[side].push(item.index);
                lanes.gap[side].push(item.gap);
            }
        }
        let coarse = if level == 0 {
            work.distinct
        } else {
            work.count_coarse()
        };
        lanes.distinct = number_walls(&mut lanes.tokens, &lanes.index, coarse);
        lanes.distinct_exact = number_walls(&mut lanes.exact, &lanes.index, dense.count as usize);
        lanes
    }

    fn wall(&mut self, side: usize, thickness: u32) {
        for _ in 0..thickness {
            self.tokens[side].push(Token(NONE));
            self.exact[side].push(Token(NONE));
            self.index[side].push(NONE);
            self.gap[side].push(NONE);
        }
    }

    /// A block of places as a block of elements. Walls equal nothing, so the
    /// elements of a block touch.
    pub(super) fn element_block(&self, block: Block) -> Block {
        if block.len == 0 {
            return block;
        }
        Block {
            old: self.index[OLD][block.old as usize],
            new: self.index[NEW][block.new as usize],
            len: block.len,
        }
    }
}

/// Which tokens there are.
fn present<P: Problem + ?Sized>(tokens: &[Token], work: &Work<'_, P>, level: u8) -> Vec<bool> {
    let count = if level == 0 {
        work.distinct
    } else {
        work.count_coarse()
    };
    let mut present = vec![false; count];
    for token in tokens {
        present[token.0 as usize] = true;
    }
    present
}

/// Whether an element comes right behind another.
fn follows<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    side: usize,
    before: Loose,
    item: Loose,
) -> bool {
    if before.index + 1 != item.index {
        return false;
    }
    // A gap lies within a segment, which need not be looked up then.
    if before.gap == item.gap && item.gap != NONE {
        let position = |index| work.problem.position(SIDES[side], index);
        return position(item.index) == position(before.index) + 1;
    }
    work.touches(side, before.index)
}

/// Tokens renumbered in the order in which they are met, so that tables over
/// what is left are as small as what is left.
struct Dense {
    /// For each token its number + 1, or 0. Zeroed memory costs nothing until
    /// it is touched.
    numbers: Vec<u32>,
    count: u32,
}

impl Dense {
    fn new(distinct: usize) -> Self {
        Self {
            numbers: vec![0; distinct],
            count: 0,
        }
    }

    fn of(&mut self, token: Token) -> Token {
        let number = &mut self.numbers[token.0 as usize];
        if *number == 0 {
            self.count += 1;
            *number = self.count;
        }
        Token(*number - 1)
    }
}

/// Gives every wall a token of its own; returns the number of tokens.
fn number_walls(tokens: &mut [Vec<Token>; 2], index: &[Vec<u32>; 2], from: usize) -> usize {
    let mut next = from as u32;
    for side in [OLD, NEW] {
        let walls = tokens[side].iter_mut().zip(&index[side]);
        for (token, _) in walls.filter(|(_, index)| **index == NONE) {
            *token = Token(next);
            next += 1;
        }
    }
    next as usize
}
