//! What every function shares: texts as Python has them, and errors in the program's
//! words.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use std::fmt::Display;

create_exception!(
    mvdiff,
    MvdiffError,
    PyValueError,
    "What mvdiff refuses, in the words that the program prints."
);

/// An error of a crate as Python's.
pub(crate) fn refuse(error: impl Display) -> PyErr {
    MvdiffError::new_err(error.to_string())
}

/// A text: `str` or `bytes`. Neither is copied.
#[derive(FromPyObject)]
pub(crate) enum Text {
    /// A `str`.
    Str(PyBackedStr),
    /// `bytes` or `bytearray`.
    Bytes(PyBackedBytes),
}

impl Text {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Str(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}
