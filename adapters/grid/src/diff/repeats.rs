//! Rows that occur in a sheet many times.
//!
//! Where nearly all rows are equal, the one that is not is the engine's only anchor,
//! and everything else would have moved past it. Counted, equal rows are themselves:
//! the third of them is the third of them.

use crate::cell_map::Lines;
use crate::diff::rows::Rows;
use mvdiff_core::{Layout, Problem, Side, Token};
use std::collections::{HashMap, HashSet};

/// Whether some row both went and came.
pub(crate) fn came_back(rows: &Rows<'_, '_>, lines: &Lines) -> bool {
    let went: HashSet<Token> = lines
        .removed
        .iter()
        .map(|row| rows.tokens(Side::Old)[*row as usize])
        .collect();
    let mut came = lines.added.iter();
    came.any(|row| went.contains(&rows.tokens(Side::New)[*row as usize]))
}

/// Rows of which equal ones are distinguished by counting.
pub(crate) struct Counted<'r, 'k, 'g> {
    rows: &'r Rows<'k, 'g>,
    tokens: [Vec<Token>; 2],
    /// Tokens of rows that occur once on both sides.
    alone: HashSet<Token>,
}

impl<'r, 'k, 'g> Counted<'r, 'k, 'g> {
    /// Counts equal rows from the top.
    pub fn new(rows: &'r Rows<'k, 'g>) -> Self {
        let mut known: HashMap<(Token, u32), Token> = HashMap::new();
        let mut most: HashMap<Token, u32> = HashMap::new();
        let tokens = [Side::Old, Side::New].map(|side| {
            let mut seen: HashMap<Token, u32> = HashMap::new();
            let all = rows.tokens(side).iter().map(|token| {
                let count = seen.entry(*token).or_default();
                *count += 1;
                let most = most.entry(*token).or_default();
                *most = (*most).max(*count);
                let next = Token(known.len() as u32);
                *known.entry((*token, *count)).or_insert(next)
            });
            all.collect()
        });
        let alone = most.iter().filter(|(_, most)| **most == 1);
        let alone = alone.map(|(token, _)| known[&(*token, 1)]).collect();
        Self {
            rows,
            tokens,
            alone,
        }
    }

    /// Whether only rows moved that occur once: of equal ones it is unknown which moved.
    pub fn is_sure(&self, lines: &Lines) -> bool {
        let mut moved = lines
            .moves
            .iter()
            .flat_map(|step| step.src..step.src + step.len);
        moved.all(|row| self.alone.contains(&self.tokens[0][row as usize]))
    }
}

impl Problem for Counted<'_, '_, '_> {
    fn tokens(&self, side: Side) -> &[Token] {
        &self.tokens[side as usize]
    }

    fn weight(&self, side: Side, index: u32) -> f32 {
        self.rows.weight(side, index)
    }

    fn features(&self, side: Side, index: u32, out: &mut Vec<u64>) {
        self.rows.features(side, index, out);
    }

    fn similarity(&self, old: u32, new: u32) -> f32 {
        self.rows.similarity(old, new)
    }

    fn layout(&self, side: Side, index: u32) -> Layout {
        self.rows.layout(side, index)
    }
}
