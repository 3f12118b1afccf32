//! A report as people read it. Knows reports, computes nothing.

mod effective;
mod enclosing;
pub mod eval;
mod page;
mod styles;
mod score;
mod syntax;
mod terminal;
pub mod view;
mod workbook;

pub use effective::one_line;
pub use page::{PageOptions, page};
pub use score::score;
pub use syntax::{Class, SyntaxColours};
pub use terminal::{Colours, Layout, Names, Screen, link_path, repaint, terminal};
pub use workbook::{WorkbookView, name_line, sheet_lines, workbook_terminal, workbook_text};
