//! A report as people read it. Knows reports, computes nothing.

mod effective;
pub mod eval;
mod files;
mod page;
mod paint;
mod score;
mod terminal;
pub mod view;
mod workbook;

pub use effective::{effective, one_line};
pub use files::files;
pub use score::score;
pub use terminal::{Names, terminal};
pub use workbook::{name_line, sheet_lines, workbook_terminal, workbook_text};
