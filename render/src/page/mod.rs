//! What all pages have in common: one file that loads nothing and runs nothing but
//! its own script, colours for light and dark, text that is never markup.

mod escape;
mod shell;
mod text;

pub(crate) use escape::{escaped, marked, marked_name};
pub(crate) use shell::Shell;
pub use text::{PageOptions, page};
