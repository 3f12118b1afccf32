//! The old workbook and a report make the new workbook.

mod books;
mod grids;
mod invert;
mod plan;

pub(crate) use books::{Applied, apply_mapped};
pub(crate) use grids::place;
pub use invert::invert;
pub(crate) use plan::Plan;

use crate::{DiffReport, Workbook};

/// Why a report does not fit a workbook.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// An operation names a sheet that is not there.
    #[error(
        "the report speaks of sheet {0:?}, which the workbook does not have; is it the old one?"
    )]
    NoSheet(String),
    /// Two operations claim the same line or place.
    #[error("sheet {sheet:?}: {what}; the report contradicts itself")]
    Contradiction {
        /// The sheet.
        sheet: String,
        /// What is claimed twice, or cannot be.
        what: String,
    },
    /// An address or region that is none.
    #[error("the report has {0:?} where a cell address should be")]
    NoPlace(String),
}

/// Makes the new workbook from the old one and the report on both.
///
/// ```
/// use mvdiff_grid::{Grid, Options, Sheet, Value, Workbook, apply, diff_workbooks, invert};
///
/// let book = |names: &[&str]| {
///     let grid = Grid::from_rows(names.iter().map(|name| vec![Value::Text(*name)]));
///     Workbook { sheets: vec![Sheet::new("Data", grid)], ..Workbook::default() }
/// };
/// let (old, new) = (book(&["amber", "cedar"]), book(&["amber", "basalt", "cedar"]));
/// let report = diff_workbooks(&old, &new, &Options::default())?;
/// assert!(apply(&old, &report)?.same(&new));
/// assert!(apply(&new, &invert(&report))?.same(&old));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ApplyError`] if the report is not one on this workbook.
pub fn apply(old: &Workbook, report: &DiffReport) -> Result<Workbook, ApplyError> {
    Ok(books::apply_mapped(old, report)?.book)
}
