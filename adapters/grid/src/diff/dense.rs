//! Rows of a wide, full sheet as short numbers, so that two are compared many cells at a time.
//!
//! Where no row occurs twice, the engine asks for a million pairs of rows.

use crate::keys::NOTHING;
use std::collections::HashMap;

/// Most cells that are numbered a side, and the least share of them that holds something.
const MOST_CELLS: usize = 1 << 22;
const LEAST_FILLED: f64 = 0.5;
/// Narrower rows are as quick cell by cell.
const LEAST_WIDTH: usize = 16;

/// A number for each cell, row by row; 0 for nothing.
pub(crate) struct Dense {
    width: usize,
    cells: [Vec<u16>; 2],
}

impl Dense {
    /// Numbers the cells of both sides; none if they are too many, too few or too varied.
    /// `rows` are the rows of each side, `filled` how many cells hold something, and `row`
    /// gives the cells of one: column and key.
    pub fn new<I: Iterator<Item = (u32, u64)>>(
        width: usize,
        rows: [usize; 2],
        filled: [usize; 2],
        row: impl Fn(usize, u32) -> I,
    ) -> Option<Self> {
        let sizes = rows.map(|rows| rows.saturating_mul(width));
        let fits = |(size, filled): (&usize, &usize)| {
            *size <= MOST_CELLS && *filled as f64 >= *size as f64 * LEAST_FILLED
        };
        if width < LEAST_WIDTH || !sizes.iter().zip(&filled).all(fits) {
            return None;
        }
        let mut numbers: HashMap<u64, u16> = HashMap::from([(NOTHING, 0)]);
        let mut cells = sizes.map(|size| vec![0; size]);
        for (side, cells) in cells.iter_mut().enumerate() {
            for (at, cells) in cells.chunks_exact_mut(width).enumerate() {
                for (col, key) in row(side, at as u32) {
                    let next = numbers.len();
                    let number = *numbers.entry(key).or_insert(u16::try_from(next).ok()?);
                    cells[col as usize] = number;
                }
            }
        }
        Some(Self { width, cells })
    }

    /// How many cells of two rows are equal in place, and how many are anything.
    pub fn compare(&self, old: u32, new: u32) -> (u32, u32) {
        let row = |side: usize, row: u32| {
            let start = row as usize * self.width;
            &self.cells[side][start..start + self.width]
        };
        // A sheet has fewer columns than these sums can count.
        let (mut differing, mut all) = (0_u16, 0_u16);
        for (a, b) in row(0, old).iter().zip(row(1, new)) {
            differing += u16::from(a != b);
            all += u16::from(a | b != 0);
        }
        (u32::from(all - differing), u32::from(all))
    }
}
