//! The row that holds the names of columns.

use crate::grid::CellKind;
use crate::keys::{Keyed, NOTHING};
use crate::{Grid, Value, column_index};
use std::collections::HashSet;

/// The row of names, and the keys of those that name one column only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Header {
    /// The row, if there is one.
    pub row: Option<u32>,
    names: Vec<u64>,
}

/// Rows from the top that may be the header.
const LOOKED_AT: usize = 32;

impl Header {
    /// The row that the caller names, or the first of different texts that is at
    /// least half as wide as the sheet.
    pub fn find(side: &Keyed<'_>, asked: Option<u32>) -> Self {
        let row = asked.or_else(|| header_row(side.grid));
        let Some(at) = row else {
            return Self::default();
        };
        let mut names = vec![NOTHING; side.grid.col_count() as usize];
        let mut seen = HashSet::new();
        let mut twice = HashSet::new();
        for (col, key) in side.row(at) {
            names[col as usize] = key;
            if !seen.insert(key) {
                twice.insert(key);
            }
        }
        for name in &mut names {
            if twice.contains(name) {
                *name = NOTHING;
            }
        }
        Self { row, names }
    }

    /// The key of each column's name; [`NOTHING`] for one without, or one whose
    /// name is another's, too.
    pub fn names(&self) -> &[u64] {
        &self.names
    }
}

/// The first row of different texts that is at least half as wide as the sheet.
pub(crate) fn header_row(grid: &Grid) -> Option<u32> {
    let wide = grid.col_count().div_ceil(2).max(2) as usize;
    let mut rows = grid.filled_rows().take(LOOKED_AT);
    let found = rows.find(|(_, slots)| {
        let mut seen = HashSet::new();
        let different = |slot: &crate::grid::Slot| {
            slot.kind == CellKind::Text && slot.formula().is_none() && seen.insert(slot.bits)
        };
        slots.len() >= wide && slots.iter().all(different)
    });
    found.map(|(row, _)| row)
}

/// The column that a caller names: by its name in the header, without case, or by
/// its letters.
pub(crate) fn named_column(grid: &Grid, header: Option<u32>, name: &str) -> Option<u32> {
    let wanted = name.trim().to_lowercase();
    let called = |row: u32| {
        let mut cells = grid.row(row);
        cells.find(|cell| match cell.value {
            Value::Text(text) => text.trim().to_lowercase() == wanted,
            _ => false,
        })
    };
    let by_name = header.and_then(called).map(|cell| cell.address.col);
    by_name.or_else(|| column_index(name.trim()))
}
