//! What all pages have in common: one file that loads nothing and runs nothing but
//! its own script, colours for light and dark, text that is never markup.

mod escape;
mod shell;

pub(crate) use escape::escaped;
pub(crate) use shell::Shell;
