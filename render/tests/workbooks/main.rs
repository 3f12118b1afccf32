//! Reports on workbooks: pages and marked-up workbooks.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod marked;
mod pages;
