//! Reports on workbooks: text, terminal, page and marked-up workbook.

mod acts;
mod counts;
mod drawings;
mod edits;
mod lines;
mod macros;
mod marked;
mod moves;
mod non_cell;
mod page;
mod pages;
mod summary;
mod table;
mod terminal;
mod text;
mod value;
mod view;
mod xlsx;

pub use terminal::workbook_terminal;
pub use text::{name_line, sheet_lines, workbook_text};
pub use view::WorkbookView;
