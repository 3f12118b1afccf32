//! A report as people read it. Knows reports, computes nothing.

mod effective;
pub mod eval;
mod paint;
mod score;
mod terminal;

pub use effective::{effective, one_line};
pub use score::score;
pub use terminal::{Names, terminal};
