//! Generated workbooks: formulas follow, another program reads them, `--check` sees differences.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod check;
mod follow;
mod reads_back;
