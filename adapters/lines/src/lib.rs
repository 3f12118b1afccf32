//! Lines of text: what the crates of mvdiff share about them.
//!
//! [`Text`] carries bytes that need not be UTF-8 in JSON. [`weight`] says how
//! informative a line is; [`common_ends`] and [`letters_in_common`] bound how similar two
//! lines can be. [`python`] splits texts as Python does, which differs from splitting at
//! `\n`.

mod line;
pub mod python;
mod text;

pub use line::{common_ends, is_informative, is_word, letters_in_common, weight, without_newline};
pub use text::Text;
