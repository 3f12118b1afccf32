//! Lines of text: what the crates of mvdiff share about them.
//!
//! [`Text`] carries bytes that need not be UTF-8 in JSON. [`weight`] says how
//! informative a line is and [`features`] which words it has; [`common_ends`] and
//! [`letters_in_common`] bound how similar two lines can be. [`decode`], [`visible()`] and
//! [`one_line`] prepare text for people, so that no character hides. [`python`] splits
//! texts as Python does, which differs from splitting at `\n`.

mod line;
pub mod python;
mod text;
mod visible;

pub use line::{
    common_ends, features, is_blank, is_informative, is_word, letters_in_common, split, weight,
    without_end, without_newline,
};
pub use text::Text;
pub use visible::{broken, decode, is_hidden, is_lost, one_line, spelt, visible};
