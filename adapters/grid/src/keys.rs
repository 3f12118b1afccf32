//! One number for what each cell holds, so that lines can be compared quickly.
//!
//! Numbers only propose: whether a cell changed is decided by its contents, once
//! rows and columns are known, so that two contents that share a number cannot
//! hide a change.

use crate::formula::Formula;
use crate::grid::{CellKind, Slot};
use crate::value::number_key;
use crate::{Address, Area, Grid, Options, date, string_pool};
use std::borrow::Cow;
use std::ops::Range;

/// What is in no cell.
pub(crate) const NOTHING: u64 = 0;

/// A grid and the numbers of its cells.
#[derive(Clone)]
pub(crate) struct Keyed<'g> {
    pub grid: &'g Grid,
    keys: Vec<u64>,
}

impl<'g> Keyed<'g> {
    /// Numbers all cells. `sheet` gives one number to a name of a sheet and that of
    /// its partner in the other workbook.
    pub fn new(grid: &'g Grid, options: &Options, sheet: &dyn Fn(&str) -> u64) -> Self {
        let texts = grid.texts();
        let texts: Vec<u64> = (0..texts.len() as u32)
            .map(|id| match fold(texts.get(id), options) {
                text if text.is_empty() => NOTHING,
                text => string_pool::hash(&text),
            })
            .collect();
        let mut keys = Vec::with_capacity(grid.cell_count());
        for (row, slots) in grid.filled_rows() {
            for &slot in slots {
                let formula = slot.formula().filter(|_| !options.values_only);
                keys.push(match formula {
                    Some(id) => {
                        let at = Address::new(row, slot.col());
                        let formula = Formula::parse(grid.texts().get(id));
                        let salt = if grid.array(at).is_some() { 11 } else { 7 };
                        mix(formula.skeleton(at, sheet), salt)
                    }
                    None => value_key(slot, &texts),
                });
            }
        }
        Self { grid, keys }
    }

    /// A number for what a cell shows, whatever computed it.
    pub fn shown(&self, slot: Slot) -> u64 {
        match slot.kind {
            CellKind::Text => mix(
                string_pool::hash(self.grid.texts().get(slot.bits as u32)),
                CellKind::Text as u64,
            ),
            _ => value_key(slot, &[]),
        }
    }

    /// Where the cells of a row are among all cells.
    pub fn range(&self, row: u32) -> Range<usize> {
        self.grid.slot_range(row)
    }

    /// The key of the cell in this place.
    pub fn key(&self, at: Address) -> u64 {
        let range = self.range(at.row);
        let slots = self.grid.slots_of(at.row);
        let found = slots.binary_search_by_key(&at.col, |slot| slot.col());
        found.map_or(NOTHING, |i| self.keys[range.start + i])
    }

    /// The keys of the cells in this range.
    pub fn keys(&self, range: Range<usize>) -> &[u64] {
        &self.keys[range]
    }

    /// The cells of a row, as (column, key), without those that are nothing.
    pub fn row(&self, row: u32) -> impl Iterator<Item = (u32, u64)> {
        let keys = &self.keys[self.range(row)];
        let cells = self.grid.slots_of(row).iter().zip(keys);
        cells
            .filter(|(_, key)| **key != NOTHING)
            .map(|(slot, key)| (slot.col(), *key))
    }

    /// All cells, as (row, column, key), without those that are nothing.
    pub fn cells(&self) -> impl Iterator<Item = (u32, u32, u64)> {
        let rows = self.grid.filled_rows();
        let places = rows.flat_map(|(row, slots)| slots.iter().map(move |s| (row, s.col())));
        let cells = places.zip(&self.keys);
        cells
            .filter(|(_, key)| **key != NOTHING)
            .map(|((row, col), key)| (row, col, *key))
    }

    /// Takes these areas out, as if nothing were there.
    pub fn hide(&mut self, areas: &[Area]) {
        for area in areas {
            for row in area.first.row..=area.last.row.min(self.grid.row_count()) {
                let range = self.range(row);
                let slots = self.grid.slots_of(row);
                for (slot, key) in slots.iter().zip(&mut self.keys[range]) {
                    if (area.first.col..=area.last.col).contains(&slot.col()) {
                        *key = NOTHING;
                    }
                }
            }
        }
    }
}

/// A text as the options compare it.
pub(crate) fn fold<'t>(text: &'t str, options: &Options) -> Cow<'t, str> {
    let text = if options.trim { text.trim() } else { text };
    if options.ignore_case {
        Cow::Owned(text.to_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

fn value_key(slot: Slot, texts: &[u64]) -> u64 {
    let number = f64::from_bits(slot.bits);
    let bits = match slot.kind {
        CellKind::Empty => return NOTHING,
        CellKind::Text => match texts[slot.bits as usize] {
            NOTHING => return NOTHING,
            hash => hash,
        },
        CellKind::Number => number_key(number),
        CellKind::Date | CellKind::Duration => date::millis(number) as u64,
        CellKind::Bool | CellKind::Error => slot.bits,
    };
    mix(bits, slot.kind as u64)
}

/// Spreads a number over all bits; never [`NOTHING`].
pub(crate) fn mix(bits: u64, salt: u64) -> u64 {
    let mut x = bits ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (x ^ (x >> 32)).max(1)
}
