//! Workbooks, from paths or bytes.

use crate::input::refuse;
use mvdiff_grid::{
    DiffReport, Mode, Options, ReadOptions, Tolerance, Workbook, diff_workbooks, open_pair,
    read_pair,
};
use mvdiff_render::WorkbookView;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::path::{Path, PathBuf};

/// A workbook: the path of a file, or what is in it.
#[derive(FromPyObject)]
pub(crate) enum Book {
    /// What is in it.
    Bytes(PyBackedBytes),
    /// Where it is.
    Path(PathBuf),
}

impl Book {
    fn bytes(&self) -> PyResult<Vec<u8>> {
        match self {
            Self::Bytes(bytes) => Ok(bytes.to_vec()),
            Self::Path(path) => std::fs::read(path)
                .map_err(|error| refuse(format!("{}: cannot read: {error}", path.display()))),
        }
    }

    fn name(&self) -> Option<&Path> {
        match self {
            Self::Bytes(_) => None,
            Self::Path(path) => Some(path),
        }
    }
}

/// How workbooks are compared, as keywords.
#[derive(FromPyObject)]
#[allow(clippy::struct_excessive_bools)] // each is one keyword
pub(crate) struct Wanted {
    key: Vec<String>,
    auto_key: bool,
    sheets: Vec<String>,
    ignore_columns: Vec<String>,
    values_only: bool,
    tolerance: Option<f64>,
    relative: bool,
    ignore_case: bool,
    trim: bool,
    moves: bool,
}

impl Wanted {
    pub(crate) fn options(&self) -> Options {
        let mut options = Options::default().with(|o| {
            o.mode = match &self.key[..] {
                [] if self.auto_key => Mode::AutoKey,
                [] => Mode::Grid,
                columns => Mode::Keyed(columns.to_vec()),
            };
            o.only_sheets.clone_from(&self.sheets);
            o.ignore_columns.clone_from(&self.ignore_columns);
            o.values_only = self.values_only;
            o.tolerance = self.tolerance.map(if self.relative {
                Tolerance::Relative
            } else {
                Tolerance::Absolute
            });
            o.ignore_case = self.ignore_case;
            o.trim = self.trim;
            // As the program prints them.
            o.labels = true;
            o.hints = true;
        });
        options.engine.0.moves = self.moves;
        options
    }
}

fn read(old: &Book, new: &Book) -> PyResult<(Workbook, Workbook)> {
    let options = ReadOptions::default();
    if let (Book::Path(old), Book::Path(new)) = (old, new) {
        return open_pair(old, new, &options).map_err(refuse);
    }
    let bytes = (old.bytes()?, new.bytes()?);
    let (first, second) = read_pair((&bytes.0, old.name()), (&bytes.1, new.name()), &options);
    let named = |side: &str, book: &Book, read: Result<Workbook, _>| {
        read.map_err(|error| match book.name() {
            Some(path) => refuse(format!("{}: {error}", path.display())),
            None => refuse(format!("the {side} workbook: {error}")),
        })
    };
    Ok((named("old", old, first)?, named("new", new, second)?))
}

/// The JSON of `mvdiff diff` on two workbooks.
#[pyfunction]
pub(crate) fn workbooks_json(
    py: Python<'_>,
    old: Book,
    new: Book,
    wanted: Wanted,
) -> PyResult<String> {
    py.detach(|| {
        let (old, new) = read(&old, &new)?;
        let report = diff_workbooks(&old, &new, &wanted.options()).map_err(refuse)?;
        serde_json::to_string(&report).map_err(refuse)
    })
}

/// The page of a report on two workbooks.
#[pyfunction]
pub(crate) fn workbooks_page(
    py: Python<'_>,
    report: &str,
    old: Book,
    new: Book,
    names: (String, String),
) -> PyResult<String> {
    py.detach(|| {
        let report: DiffReport = serde_json::from_str(report).map_err(refuse)?;
        let (old, new) = read(&old, &new)?;
        page((&names.0, &names.1), &old, &new, &report)
    })
}

/// Bytes that the page of a workbook may have, as in the program.
const PAGE_LIMIT: u64 = 8 << 20;

pub(crate) fn page(
    names: (&str, &str),
    old: &Workbook,
    new: &Workbook,
    report: &DiffReport,
) -> PyResult<String> {
    let plain = report.unfolded();
    let view = WorkbookView::with_acts(names, (old, new), &plain, &report.ops).map_err(refuse)?;
    let mut out = Vec::new();
    view.write_html(&mut out, PAGE_LIMIT).map_err(refuse)?;
    String::from_utf8(out).map_err(refuse)
}
