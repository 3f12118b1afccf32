//! Where the rows, columns and cells of a sheet went, read back from a report.

use crate::cell_map::CellMap;
use crate::replay::Plan;
use crate::{Address, ApplyError, DiffReport, MAX_COLS, MAX_ROWS, SheetReport};

/// Where the lines and cells of one sheet are in its other version.
///
/// ```
/// use mvdiff_grid::{Grid, Options, SheetMap, Value, diff_grids};
///
/// let rows = |ids: &[u32]| Grid::from_rows(ids.iter().map(|id| {
///     vec![Value::Number(f64::from(*id)), Value::Text("cedar")]
/// }).collect::<Vec<_>>());
/// let (old, new) = (rows(&[1, 2, 3, 4]), rows(&[1, 9, 2, 3, 4]));
/// let report = diff_grids("Data", &old, &new, &Options::default())?;
/// let places = SheetMap::new(&report, &report.sheets[0])?;
/// assert_eq!(places.new_row(1), Some(2));
/// assert_eq!(places.old_row(1), None); // it came
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SheetMap {
    there: CellMap,
    back: CellMap,
}

impl SheetMap {
    /// Reads the operations on one sheet of a report back.
    ///
    /// # Errors
    /// [`ApplyError`] if they contradict each other, or name places outside a sheet.
    pub fn new(report: &DiffReport, sheet: &SheetReport) -> Result<Self, ApplyError> {
        let wrong = |what| ApplyError::Contradiction {
            sheet: sheet.sheet.clone(),
            what,
        };
        // Whoever asks goes through all rows and columns.
        if sheet.old_rows.max(sheet.new_rows) > MAX_ROWS
            || sheet.old_cols.max(sheet.new_cols) > MAX_COLS
        {
            return Err(wrong("it would be larger than a sheet can be".to_owned()));
        }
        let report = &*report.unfolded();
        let mine = report
            .ops
            .iter()
            .filter(|op| op.sheet() == Some(&sheet.sheet));
        let mut plan = Plan::new(mine)?;
        let keyed = (!sheet.keyed_by.is_empty()).then_some(sheet);
        let there = plan.map(sheet.old_rows, sheet.old_cols, keyed);
        let there = there.map_err(wrong)?;
        let back = there.inverse();
        Ok(Self { there, back })
    }

    /// Where an old row is now; none if it went.
    #[must_use]
    pub fn new_row(&self, old: u32) -> Option<u32> {
        self.there.rows.get(old)
    }

    /// Where a new row was; none if it came.
    #[must_use]
    pub fn old_row(&self, new: u32) -> Option<u32> {
        self.back.rows.get(new)
    }

    /// Where an old column is now; none if it went.
    #[must_use]
    pub fn new_col(&self, old: u32) -> Option<u32> {
        self.there.cols.get(old)
    }

    /// Where a new column was; none if it came.
    #[must_use]
    pub fn old_col(&self, new: u32) -> Option<u32> {
        self.back.cols.get(new)
    }

    /// Where an old cell is now, with its row and column or with a rectangle; none if
    /// its row or column went.
    #[must_use]
    pub fn new_cell(&self, old: Address) -> Option<Address> {
        self.there.get(old)
    }

    /// Where the cell in a new place was, with its row and column or with a
    /// rectangle; none if its row or column came.
    #[must_use]
    pub fn old_cell(&self, new: Address) -> Option<Address> {
        self.back.get(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_larger_than_sheets_can_be_is_refused() {
        let whole = SheetReport {
            new_rows: MAX_ROWS,
            old_cols: MAX_COLS,
            ..SheetReport::default()
        };
        let report = DiffReport::new();
        assert!(SheetMap::new(&report, &whole).is_ok());
        for (rows, cols) in [(MAX_ROWS + 1, 1), (1, u32::MAX)] {
            let (new_rows, new_cols) = (rows, cols);
            let wild = SheetReport {
                new_rows,
                new_cols,
                ..whole.clone()
            };
            assert!(SheetMap::new(&report, &wild).is_err());
        }
    }
}
