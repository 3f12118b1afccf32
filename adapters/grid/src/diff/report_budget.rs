//! How much the cells of a report may take.

use crate::{Cell, CellData, Placed, PlacedCell};
use std::cell::Cell as Counter;

/// What a cell takes besides its texts.
const A_CELL: u64 = 64;

/// Room for the cells of a report. Once it is spent cells come without contents, and
/// there is no report: a small file can say that a long text is in a million
/// cells, and each operation owns what it reports.
pub(crate) struct ReportBudget {
    left: Counter<u64>,
    spent: Counter<bool>,
}

impl ReportBudget {
    /// Room for so many bytes.
    pub fn new(bytes: u64) -> Self {
        Self {
            left: Counter::new(bytes),
            spent: Counter::new(false),
        }
    }

    /// Whether more was asked for than there was.
    pub fn is_spent(&self) -> bool {
        self.spent.get()
    }

    /// Takes so many bytes for something that is not a cell.
    pub fn spend(&self, bytes: u64) {
        match self.left.get().checked_sub(bytes) {
            Some(left) => self.left.set(left),
            None => self.spent.set(true),
        }
    }

    /// A cell with texts of its own.
    pub fn data(&self, cell: &Cell<'_>) -> CellData {
        let text = match cell.value {
            crate::Value::Text(text) => text.len(),
            _ => 0,
        };
        let size = A_CELL + (text + cell.formula.map_or(0, str::len)) as u64;
        let Some(left) = self.left.get().checked_sub(size) else {
            self.spent.set(true);
            return CellData::default();
        };
        self.left.set(left);
        cell.to_data()
    }

    /// A cell and its place.
    pub fn placed(&self, cell: &Cell<'_>) -> PlacedCell {
        PlacedCell {
            addr: Placed(cell.address),
            cell: self.data(cell),
        }
    }
}
