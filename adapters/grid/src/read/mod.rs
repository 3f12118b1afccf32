//! Reading workbooks, whatever program wrote them.
//!
//! The way of the data: [`sniff`] finds out what the file is, [`package`] looks the
//! archive over before anything in it is read, [`book`], [`strings`] and
//! [`formats`] read what the sheets refer to, [`plain`] and [`rows`] read the sheets
//! and leave to [`fallback`] what is not plain, and both give their cells to a
//! [`sink`].

mod alike;
pub(crate) mod book;
mod csv;
mod cursor;
mod data_table;
mod error;
pub(crate) mod extras;
mod fallback;
pub(crate) mod formats;
mod guard;
mod limits;
mod metadata;
mod odf;
mod ole;
mod other;
pub(crate) mod package;
mod pair;
mod plain;
pub(crate) mod rows;
mod shared;
mod sink;
mod sniff;
mod strings;
mod xlsx;
pub(crate) mod xml;

pub use error::{PairError, ReadError};
pub use guard::keep_caught_panics_quiet;
pub use limits::{Limit, Limits, ReadOptions};
pub use pair::{open_pair, read_pair};

use crate::Workbook;
use crate::extras::PartDigest;
use error::within;
use package::Package;
use sniff::{Container, Inside};
use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use xlsx::Source;

/// Reads a workbook from a file.
///
/// The content says what the file is: `.xlsx`, `.xlsm`, `.xlsb`, `.xls`, `.ods`,
/// or a text with columns.
///
/// ```
/// use mvdiff_grid::{Address, ReadOptions, Value, open_workbook};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("prices.csv");
/// std::fs::write(&path, "id,price\n1000,12.5\n")?;
/// let workbook = open_workbook(&path, &ReadOptions::default())?;
/// let grid = workbook.sheets[0].grid().expect("cells");
/// assert_eq!(grid.value(Address::new(1, 1)), Value::Number(12.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ReadError`] says which part of the file is wrong and what to do.
pub fn open_workbook(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Workbook, ReadError> {
    let path = path.as_ref();
    let bytes = load(path, options)?;
    read_workbook(&bytes, Some(path), options)
}

/// Reads a workbook from memory: what came over a pipe, or a blob of git. The name
/// tells texts with commas from texts with tabs; all else tells the content.
///
/// # Errors
/// [`ReadError`] says which part of the file is wrong and what to do.
pub fn read_workbook(
    bytes: &[u8],
    name: Option<&Path>,
    options: &ReadOptions,
) -> Result<Workbook, ReadError> {
    prepare(bytes, name, options)?.read(options)
}

/// Reads a workbook from memory with all that it has besides its cells, for comparing it
/// with several others.
///
/// # Errors
/// [`ReadError`] as [`read_workbook`].
pub fn read_whole_workbook(
    bytes: &[u8],
    name: Option<&Path>,
    options: &ReadOptions,
) -> Result<Workbook, ReadError> {
    let nothing = std::collections::HashSet::new();
    match prepare(bytes, name, options)? {
        FileFormat::Xlsx(source) => source.read(options, &nothing, Some(&nothing)),
        other => {
            let parts = other.beside(options);
            let mut book = other.read(options)?;
            book.parts = parts.unwrap_or_default();
            Ok(book)
        }
    }
}

/// Whether an archive is a workbook in the format of today.
pub(crate) fn is_xlsx(package: &mut Package<'_>) -> bool {
    matches!(sniff::inside(package), Ok(Inside::Xlsx))
}

/// A file that is known for what it is.
enum FileFormat<'b> {
    Xlsx(Box<Source<'b>>),
    Text { bytes: &'b [u8], tabs: bool },
    Xls(&'b [u8]),
    Xlsb(&'b [u8]),
    Ods(&'b [u8]),
}

fn prepare<'b>(
    bytes: &'b [u8],
    name: Option<&Path>,
    options: &ReadOptions,
) -> Result<FileFormat<'b>, ReadError> {
    match sniff::container(bytes, name)? {
        Container::Text { tabs } => Ok(FileFormat::Text { bytes, tabs }),
        Container::Ole => Ok(FileFormat::Xls(bytes)),
        Container::Zip => {
            let mut package = Package::open(bytes, &options.limits)?;
            match sniff::inside(&mut package)? {
                Inside::Xlsx => {
                    let source = Source::open(package, bytes)?;
                    Ok(FileFormat::Xlsx(Box::new(source)))
                }
                Inside::Xlsb => Ok(FileFormat::Xlsb(bytes)),
                Inside::Ods => {
                    let content = package.read("content.xml")?;
                    odf::check("content.xml", &content, &options.limits)?;
                    Ok(FileFormat::Ods(bytes))
                }
            }
        }
    }
}

impl FileFormat<'_> {
    /// The parts of a file of which only cells are read, for telling whether the
    /// rest of it differs; none of a text, which has no more, and of `.xlsx`,
    /// which is read in full.
    fn beside(&self, options: &ReadOptions) -> Option<Vec<PartDigest>> {
        match self {
            Self::Xlsx(_) | Self::Text { .. } => None,
            Self::Xls(bytes) => Some(alike::whole(bytes)),
            Self::Xlsb(bytes) | Self::Ods(bytes) => {
                let mut package = Package::open(bytes, &options.limits).ok()?;
                Some(alike::opaque(&mut package))
            }
        }
    }

    fn read(self, options: &ReadOptions) -> Result<Workbook, ReadError> {
        match self {
            Self::Xlsx(source) => source.read(options, &HashSet::new(), None),
            Self::Text { bytes, tabs } => csv::read(bytes, tabs, options),
            Self::Xls(bytes) => other::xls(bytes, options),
            Self::Xlsb(bytes) => other::xlsb(bytes, options),
            Self::Ods(bytes) => other::ods(bytes, options),
        }
    }
}

/// The bytes of a file that is not larger than anything in it may be.
fn load(path: &Path, options: &ReadOptions) -> Result<Vec<u8>, ReadError> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    within(&options.limits, Limit::Inflated, "the file", size)?;
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    // A pipe has no size.
    let most = options.limits.inflated.saturating_add(1);
    Read::by_ref(&mut file).take(most).read_to_end(&mut bytes)?;
    within(
        &options.limits,
        Limit::Inflated,
        "the file",
        bytes.len() as u64,
    )?;
    Ok(bytes)
}
