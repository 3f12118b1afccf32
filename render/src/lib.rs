//! Reports as terminal output, HTML pages and marked-up workbooks. Nothing is compared here.
//!
//! The feature `xlsx`, on by default, adds reports on workbooks. Without it, neither
//! `mvdiff-grid` nor what reads and writes workbooks is built.

mod effective;
mod enclosing;
pub mod eval;
mod page;
mod score;
mod styles;
mod syntax;
mod terminal;
pub mod view;
#[cfg(feature = "xlsx")]
mod workbook;

pub use effective::one_line;
pub use page::{PageOptions, page};
pub use score::score;
pub use syntax::{Class, SyntaxColours};
pub use terminal::{Colours, Layout, Names, Screen, link_path, repaint, terminal};
#[cfg(feature = "xlsx")]
pub use workbook::{WorkbookView, name_line, sheet_lines, workbook_terminal, workbook_text};
