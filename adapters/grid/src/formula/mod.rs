//! Formulas: what they name, what of them no move of cells changes, and how they
//! stand after the cells went elsewhere.

mod follow;
mod layout_invariant;
mod normal;
mod r1c1;
mod reference;
mod rewrite_ref;
mod scan;
mod sheet;

pub(crate) use follow::{Places, Where};
pub(crate) use r1c1::{extended, r1c1};
pub(crate) use rewrite_ref::Shift;

use crate::Address;
use scan::{Scanner, TokenKind};
use std::borrow::Cow;

/// The text of a formula, with or without its `=`.
///
/// Every text is one. Nothing is kept with it: each question scans it again,
/// which costs less than keeping what a scan found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Formula<'t> {
    text: &'t str,
}

impl<'t> Formula<'t> {
    /// The formula that is written so. What cannot be understood in it is text.
    pub fn parse(text: &'t str) -> Self {
        Self { text }
    }

    /// A hash of functions, operators and constants, in which references say only
    /// whether they name the row and the column of the formula itself (`at`), where
    /// they are fixed, and their sheet as `sheet` numbers it.
    ///
    /// Moving rows and columns does not change it, nor do case, and blanks that say
    /// nothing.
    pub fn skeleton(&self, at: Address, sheet: impl Fn(&str) -> u64) -> u64 {
        normal::skeleton(self.text, at, sheet)
    }

    /// A hash of functions, operators and constants alone.
    pub fn words(&self) -> u64 {
        normal::words(self.text)
    }

    /// The formula after the cells that it names went elsewhere.
    pub fn follow(&self, places: &impl Places) -> Cow<'t, str> {
        follow::follow(self.text, places, Shift::default())
    }

    /// The same for a formula that was sorted or copied: relative references go as
    /// far as it went itself.
    pub fn follow_shifted(&self, places: &impl Places, shift: Shift) -> Cow<'t, str> {
        follow::follow(self.text, places, shift)
    }

    /// Whether it names the same cells after it followed, and comes to the same.
    pub fn is_layout_invariant(&self, places: &impl Places) -> bool {
        layout_invariant::is_layout_invariant(self.text, places)
    }

    /// Whether it names cells in a way that cannot be followed: by a text made up
    /// while calculating (`INDIRECT`), or by a distance (`OFFSET`).
    pub fn has_text_references(&self) -> bool {
        let bytes = self.text.as_bytes();
        Scanner::new(self.text).any(|token| {
            let behind = bytes[token.start + token.text.len()..].trim_ascii_start();
            let names = |name: &&str| token.text.eq_ignore_ascii_case(name);
            token.kind == TokenKind::Word
                && behind.first() == Some(&b'(')
                && ["INDIRECT", "OFFSET"].iter().any(names)
        })
    }
}

/// Whether two formulas are equal but for case outside strings and blanks that say
/// nothing.
pub(crate) fn same(a: &str, b: &str) -> bool {
    normal::same(a, b)
}

#[cfg(test)]
mod tests;
