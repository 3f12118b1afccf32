//! A report as people read it. Knows reports, computes nothing.

mod effective;
mod paint;
mod terminal;
mod workbook;

pub use effective::{effective, one_line};
pub use terminal::{Names, terminal};
pub use workbook::{name_line, sheet_lines, workbook_terminal, workbook_text};
