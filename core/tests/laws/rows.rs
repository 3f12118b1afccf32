//! Rows of small numbers as a problem, with simple levels, features and segments.

use mvdiff_core::{Layout, Lean, Problem, Side, Token};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// One element.
pub type Row = Vec<u32>;

/// Two sequences of rows.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    sides: [Vec<Row>; 2],
    tokens: [Vec<Token>; 2],
    segments: [Vec<Range<u32>>; 2],
    partners: Vec<(u32, u32)>,
    levels: u8,
    upright: bool,
}

impl Rows {
    /// One segment on each side, exact identity and similarity only.
    pub fn new(old: &[Row], new: &[Row]) -> Self {
        let mut known: Vec<&Row> = old.iter().chain(new).collect();
        known.sort_unstable();
        known.dedup();
        let tokens = [old, new].map(|side| {
            let token = |row: &Row| Token(known.partition_point(|k| *k < row) as u32);
            side.iter().map(token).collect()
        });
        let whole = |side: &[Row]| {
            vec![Range {
                start: 0,
                end: side.len() as u32,
            }]
        };
        Self {
            sides: [old.to_vec(), new.to_vec()],
            tokens,
            segments: [whole(old), whole(new)],
            partners: vec![(0, 0)],
            levels: 0,
            upright: false,
        }
    }

    /// With rows that lean on no neighbour, for tests that add a prefix and a
    /// suffix.
    pub fn upright(mut self) -> Self {
        self.upright = true;
        self
    }

    /// With coarser levels: 1 ignores the first cell, 2 also the order.
    pub fn with_levels(mut self, levels: u8) -> Self {
        self.levels = levels;
        self
    }

    /// With segments that end at these positions, the last one at the end.
    pub fn with_segments(mut self, ends: [&[u32]; 2], partners: &[(u32, u32)]) -> Self {
        self.segments = [0, 1].map(|side| {
            let mut at = 0;
            let all = ends[side]
                .iter()
                .copied()
                .chain([self.sides[side].len() as u32]);
            all.map(|end| std::mem::replace(&mut at, end)..end)
                .collect()
        });
        self.partners = partners.to_vec();
        self
    }

    fn coarse(&self, level: u8, side: Side, index: u32) -> Row {
        let row = &self.sides[side as usize][index as usize];
        let mut rest = row.get(1..).unwrap_or_default().to_vec();
        if level > 1 {
            rest.sort_unstable();
        }
        rest
    }
}

impl Problem for Rows {
    fn tokens(&self, side: Side) -> &[Token] {
        &self.tokens[side as usize]
    }

    fn segments(&self, side: Side) -> Vec<Range<u32>> {
        self.segments[side as usize].clone()
    }

    fn partners(&self) -> Vec<(u32, u32)> {
        self.partners.clone()
    }

    fn coarser_levels(&self) -> u8 {
        self.levels
    }

    fn key(&self, level: u8, side: Side, index: u32) -> u64 {
        // A poor hash on purpose: a collision must only cost a comparison.
        u64::from(self.coarse(level, side, index).iter().sum::<u32>() % 4)
    }

    fn same(&self, level: u8, a: (Side, u32), b: (Side, u32)) -> bool {
        self.coarse(level, a.0, a.1) == self.coarse(level, b.0, b.1)
    }

    fn features(&self, side: Side, index: u32, out: &mut Vec<u64>) {
        let row = &self.sides[side as usize][index as usize];
        let hash = |(column, cell): (usize, &u32)| {
            xxh3_64(
                &[column as u64, u64::from(*cell)]
                    .map(u64::to_le_bytes)
                    .concat(),
            )
        };
        out.extend(row.iter().enumerate().map(hash));
    }

    fn similarity(&self, old: u32, new: u32) -> f32 {
        let (old, new) = (&self.sides[0][old as usize], &self.sides[1][new as usize]);
        let equal = old.iter().zip(new).filter(|(o, n)| o == n).count();
        match old.len().max(new.len()) {
            0 => 1.0,
            cells => equal as f32 / cells as f32,
        }
    }

    /// Rows with the same last cell lean the same way, so that edges of moves are
    /// contested.
    fn layout(&self, side: Side, index: u32) -> Layout {
        let row = &self.sides[side as usize][index as usize];
        Layout {
            blank: row.is_empty(),
            indent: row.first().copied().unwrap_or(0) % 3,
            lean: match row.last().map(|cell| cell % 4) {
                _ if self.upright => Lean::Neither,
                Some(1) => Lean::Back,
                Some(2) => Lean::Forward,
                _ => Lean::Neither,
            },
        }
    }
}
