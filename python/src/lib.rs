//! The extension module `mvdiff._mvdiff`: what the library crates do, for Python.
//!
//! Reports cross as the JSON that the program prints; `python/mvdiff` makes
//! dataclasses of it. Arrow batches cross without a copy. Everything that takes time
//! runs without the GIL. Nothing here computes: it reads arguments, calls a crate and
//! hands the answer over.

mod apply;
mod arrow;
mod columns;
mod frames;
mod input;
mod matcher;
mod parallel;
mod text;
mod workbooks;

use pyo3::prelude::*;

/// What the library crates can do, as functions of JSON and bytes.
#[pymodule(gil_used = false)]
mod _mvdiff {
    #[pymodule_export]
    use super::apply::{apply_files, apply_text};
    #[pymodule_export]
    use super::arrow::{arrow_commits, arrow_text_iou};
    #[pymodule_export]
    use super::frames::{frames_json, frames_page};
    #[pymodule_export]
    use super::input::MvdiffError;
    #[pymodule_export]
    use super::matcher::{longest_match, matching_blocks, matching_blocks_of_text};
    #[pymodule_export]
    use super::text::{
        bootstrap, diff_json, diff_page, effective_json, effective_page, patch_blobs, replay_lines,
        text_iou_json,
    };
    #[pymodule_export]
    use super::workbooks::{workbooks_json, workbooks_page};

    use super::PyResult;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
