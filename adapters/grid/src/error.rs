//! What can go wrong with two workbooks that were read.

/// Why two workbooks could not be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The core refuses the problem or an option.
    #[error(transparent)]
    Engine(#[from] mvdiff_core::Error),
    /// No sheet has the name that was asked for.
    #[error("there is no sheet {0:?} in either workbook; the sheets are {1}")]
    NoSheet(String, String),
    /// The report would be too large.
    #[error(
        "the report would hold more than {0} bytes of cells; are these two versions of one workbook? --max-report lifts the limit"
    )]
    TooMuchToReport(u64),
    /// No column has the name that was asked for.
    #[error(
        "sheet {sheet:?} has no column {column:?}; name one by its header, or by its letters as in --key B"
    )]
    NoColumn {
        /// The sheet.
        sheet: String,
        /// What was asked for.
        column: String,
    },
}
