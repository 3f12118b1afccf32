//! Reports on texts: views, the terminal and the page.

mod page;
mod support;
mod terminal;
mod views;
