//! A report as people read it. Knows reports, computes nothing.

mod terminal;

pub use terminal::{Names, terminal};
