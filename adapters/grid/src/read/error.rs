//! Why a workbook was not read.

use super::limits::{Limit, Limits};
use crate::Address;
use std::path::PathBuf;
use std::{fmt, io};

/// Characters of what a reader says of a part.
const MOST_SAID: usize = 200;

/// Why a workbook was not read: the part of the file, what is wrong with it, and
/// what to do. The file's own name is for the caller to say.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be opened or read at all.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// There is not a byte in it.
    #[error("the file is empty; is it a download that broke off?")]
    Empty,
    /// It is something else, whatever its name says.
    #[error("this is {found}, not a workbook; {advice}")]
    NotAWorkbook {
        /// What it is.
        found: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// It is encrypted.
    #[error(
        "the workbook is protected by a password; open it in a spreadsheet program and save it without one"
    )]
    Password,
    /// The archive around the parts is damaged.
    #[error("{part}: the archive is damaged: {what}; get the file again or save it anew")]
    Archive {
        /// Which part.
        part: String,
        /// What is wrong.
        what: String,
    },
    /// Two files of the archive have one name, or share their bytes.
    #[error("{part}: is in the archive twice; save the workbook anew in a spreadsheet program")]
    DuplicatePart {
        /// Which part.
        part: String,
    },
    /// A part that must be there is not.
    #[error("{part}: is missing; save the workbook anew in a spreadsheet program")]
    MissingPart {
        /// Which part.
        part: String,
    },
    /// There is more than is allowed.
    #[error("{part}: {found} {}, the limit is {max}; if you trust the file, lift it with {}", limit.counted(), limit.flag())]
    Limit {
        /// Which part.
        part: String,
        /// Which limit.
        limit: Limit,
        /// How many there are, or would be.
        found: u64,
        /// How many may be.
        max: u64,
    },
    /// A part announces more than it can hold.
    #[error(
        "{part}: announces {found} texts, and its {bytes} bytes hold {max} at most; save the workbook anew in a spreadsheet program"
    )]
    Announced {
        /// Which part.
        part: String,
        /// What it announces.
        found: String,
        /// Its length.
        bytes: u64,
        /// What fits.
        max: u64,
    },
    /// A workbook without sheets.
    #[error("{part}: there is no sheet in the workbook; is it the right file?")]
    NoSheets {
        /// Which part.
        part: String,
    },
    /// Two sheets have one name.
    #[error("{part}: two sheets are named {name:?}; rename one in a spreadsheet program")]
    DuplicateSheet {
        /// Which part.
        part: String,
        /// Their name.
        name: String,
    },
    /// A part is not what it should be.
    #[error("{part}: {what}; save the workbook anew in a spreadsheet program")]
    Malformed {
        /// Which part.
        part: String,
        /// What is wrong.
        what: String,
    },
    /// A cell or row lies outside every sheet.
    #[error(
        "{part}: {found:?} is not a cell address, A1 to XFD1048576; save the workbook again in a spreadsheet program"
    )]
    Address {
        /// Which part.
        part: String,
        /// The address.
        found: String,
    },
    /// A cell cannot be what it says.
    #[error("{part}: cell {cell}: {what}; save the workbook anew in a spreadsheet program")]
    Cell {
        /// Which part.
        part: String,
        /// Which cell.
        cell: Address,
        /// What is wrong.
        what: String,
    },
    /// The reader broke down.
    #[error("{part}: the reader broke down: {what}; please report this with the file")]
    Broke {
        /// Which part.
        part: String,
        /// Where.
        what: String,
    },
}

impl ReadError {
    pub(crate) fn malformed(part: &str, what: impl Into<String>) -> Self {
        // A reader may quote what it found, however long that is.
        let what: String = what.into();
        let one_line = what.chars().map(|c| if c.is_control() { ' ' } else { c });
        Self::Malformed {
            part: part.to_owned(),
            what: one_line.take(MOST_SAID).collect(),
        }
    }

    pub(crate) fn archive(part: &str, what: impl fmt::Display) -> Self {
        Self::Archive {
            part: part.to_owned(),
            what: what.to_string(),
        }
    }

    pub(crate) fn missing(part: &str) -> Self {
        Self::MissingPart {
            part: part.to_owned(),
        }
    }

    pub(crate) fn address(part: &str, found: impl Into<String>) -> Self {
        Self::Address {
            part: part.to_owned(),
            found: found.into(),
        }
    }

    pub(crate) fn cell(part: &str, cell: Address, what: impl Into<String>) -> Self {
        Self::Cell {
            part: part.to_owned(),
            cell,
            what: what.into(),
        }
    }
}

/// The error for a limit, if it is exceeded.
pub(crate) fn within(
    limits: &Limits,
    limit: Limit,
    part: &str,
    found: u64,
) -> Result<(), ReadError> {
    let max = limit.of(limits);
    if found <= max {
        return Ok(());
    }
    Err(ReadError::Limit {
        part: part.to_owned(),
        limit,
        found,
        max,
    })
}

/// Why one of two workbooks was not read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct PairError {
    /// Which file.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub error: ReadError,
}
