//! What happened to a workbook, as people read it.

mod acts;
mod beside;
mod code;
mod counts;
mod edits;
mod lines;
mod marked;
mod moves;
mod object;
mod page;
mod pages;
mod sentence;
mod show;
mod table;
mod terminal;
mod text;
mod value;
mod xlsx;

pub use show::WorkbookView;
pub use terminal::workbook_terminal;
pub use text::{name_line, sheet_lines, workbook_text};
