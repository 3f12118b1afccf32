//! A report as people read it. Knows reports, computes nothing.

mod effective;
mod paint;
mod terminal;

pub use effective::{effective, one_line};
pub use terminal::{Names, terminal};
