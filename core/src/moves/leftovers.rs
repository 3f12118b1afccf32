//! Unmatched elements of both sides, laid out so that blocks can grow in them.

use crate::align::{Block, NONE};
use crate::work::{Leftover, NEW, OLD, Work};
use crate::{Problem, Token};

/// Elements without a counterpart, compacted. A wall separates elements that are
/// not adjacent: a token that equals nothing, so that a block of equal tokens is
/// always a block of adjacent elements.
pub(super) struct Leftovers {
    /// Tokens at the coarsest level.
    pub tokens: [Vec<Token>; 2],
    /// For each place, its element, or [`NONE`] for a wall.
    pub index: [Vec<u32>; 2],
    /// One more than the highest token.
    pub distinct: usize,
}

impl Leftovers {
    pub(super) fn new<P: Problem + ?Sized>(
        work: &mut Work<'_, P>,
        left: &[Vec<Leftover>; 2],
    ) -> Self {
        let coarse = [OLD, NEW].map(|side| {
            let left = left[side].iter();
            left.map(|item| work.coarse(side, item.index))
                .collect::<Vec<Token>>()
        });
        let present = [OLD, NEW].map(|side| present(&coarse[side], work.count_coarse()));
        let mut tokens = [Vec::new(), Vec::new()];
        let mut index = [Vec::new(), Vec::new()];
        // Walls count down from the highest token and are renumbered below.
        let mut walls = 0;
        for side in [OLD, NEW] {
            let mut before: Option<Leftover> = None;
            let mut parted = true;
            for (item, &token) in left[side].iter().zip(&coarse[side]) {
                parted |= before.is_none_or(|before| !follows(work, side, before, *item));
                before = Some(*item);
                // An element with no equal on the other side is a wall, too.
                if !present[1 - side][token.0 as usize] {
                    parted = true;
                    continue;
                }
                if std::mem::take(&mut parted) {
                    tokens[side].push(Token(NONE));
                    index[side].push(NONE);
                    walls += 1;
                }
                tokens[side].push(token);
                index[side].push(item.index);
            }
        }
        let mut next = work.count_coarse() as u32;
        for side in [OLD, NEW] {
            for token in tokens[side].iter_mut().filter(|t| t.0 == NONE) {
                *token = Token(next);
                next += 1;
            }
        }
        debug_assert_eq!(next as usize, work.count_coarse() + walls);
        Self {
            tokens,
            index,
            distinct: next as usize,
        }
    }

    /// Converts a block of places to a block of elements.
    pub(super) fn element_block(&self, block: Block) -> Block {
        Block {
            old: self.index[OLD][block.old as usize],
            new: self.index[NEW][block.new as usize],
            len: block.len,
        }
    }
}

/// Which tokens occur.
fn present(tokens: &[Token], distinct: usize) -> Vec<bool> {
    let mut present = vec![false; distinct];
    for token in tokens {
        present[token.0 as usize] = true;
    }
    present
}

/// Whether an element directly follows another.
fn follows<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    side: usize,
    before: Leftover,
    item: Leftover,
) -> bool {
    if before.index + 1 != item.index {
        return false;
    }
    // A gap lies within one segment, so there is no need to look it up.
    (before.gap == item.gap && item.gap != NONE) || work.touches(side, before.index)
}
