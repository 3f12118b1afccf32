//! The program as a user meets it: exit codes, streams, files and formats, a folder for each
//! command. One test binary: it is linked once, and its tests run side by side.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod apply;
mod diff;
mod effective;
mod eval;
mod git;
#[cfg(target_os = "linux")]
mod growth;
#[cfg(target_os = "linux")]
mod honest;
mod pager;
mod replay;
mod score;
mod shell;
mod support;
mod workbook;
