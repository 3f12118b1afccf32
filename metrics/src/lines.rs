//! Splits texts into lines as the metric counts them: Python's `str.splitlines`,
//! without blank lines.

use crate::Error;
use mvdiff_core::{Interner, Token};
pub use mvdiff_lines::python::split_lines;
use mvdiff_lines::python::{each_line, is_blank};
use std::borrow::Cow;
use xxhash_rust::xxh3::xxh3_64;

/// Two edits of one text.
#[derive(Clone, Copy, Debug)]
pub struct Edits<'t> {
    /// The common starting point.
    pub base: &'t str,
    /// One edit; the expected one, if there is one.
    pub a: &'t str,
    /// The other edit, such as a prediction.
    pub b: &'t str,
}

/// The lines of one text that are not blank.
#[derive(Debug, Default)]
pub(crate) struct Lines<'t> {
    pub text: Vec<&'t str>,
    /// Their line numbers in the whole text, one-based.
    pub number: Vec<u32>,
    pub token: Vec<Token>,
}

impl Lines<'_> {
    /// The lines that are not `taken`.
    pub(crate) fn without(&self, taken: &[bool]) -> Self {
        let mut rest = Self::default();
        for (index, _) in taken.iter().enumerate().filter(|(_, taken)| !**taken) {
            rest.text.push(self.text[index]);
            rest.number.push(self.number[index]);
            rest.token.push(self.token[index]);
        }
        rest
    }
}

/// The three texts, with tokens from one interner.
#[derive(Debug)]
pub(crate) struct Triple<'t> {
    pub base: Lines<'t>,
    pub a: Lines<'t>,
    pub b: Lines<'t>,
}

impl<'t> Triple<'t> {
    /// Splits and interns.
    pub(crate) fn new(edits: &Edits<'t>) -> Result<Self, Error> {
        let texts = [edits.base, edits.a, edits.b];
        for text in texts {
            if text.len() >= u32::MAX as usize {
                return Err(Error::TooLarge { bytes: text.len() });
            }
        }
        let mut table = Table::with_capacity(edits.base.len() / LINE);
        let base = table.read(edits.base, &Lines::default());
        let a = table.read(edits.a, &base);
        let b = table.read(edits.b, &base);
        Ok(Self { base, a, b })
    }

    /// Swaps the two edits.
    pub(crate) fn swapped(self) -> Self {
        Self {
            base: self.base,
            a: self.b,
            b: self.a,
        }
    }
}

/// Bytes of an ordinary line, for estimating the number of lines.
const LINE: usize = 24;

/// Tokens and the lines they were created for.
struct Table<'t> {
    interner: Interner,
    first: Vec<&'t str>,
    /// The position of each line in its text.
    place: Vec<u32>,
}

impl<'t> Table<'t> {
    fn with_capacity(lines: usize) -> Self {
        Self {
            interner: Interner::with_capacity(lines),
            first: Vec::with_capacity(lines),
            place: Vec::with_capacity(lines),
        }
    }

    /// Reads a text in parallel with the base: an edit mostly follows it, and a
    /// line that matches the expected one need not be looked up.
    fn read(&mut self, text: &'t str, base: &Lines<'t>) -> Lines<'t> {
        let room = text.len() / LINE;
        let mut lines = Lines {
            text: Vec::with_capacity(room),
            number: Vec::with_capacity(room),
            token: Vec::with_capacity(room),
        };
        let (mut number, mut expected) = (0, 0);
        each_line(text, |line| {
            number += 1;
            if is_blank(line) {
                return;
            }
            let token = if base.text.get(expected) == Some(&line) {
                expected += 1;
                base.token[expected - 1]
            } else {
                let token = self.intern(line, lines.token.len());
                let known = self.place[token.0 as usize] as usize;
                expected = if base.token.get(known) == Some(&token) {
                    known + 1
                } else {
                    expected + 1
                };
                token
            };
            lines.text.push(line);
            lines.number.push(number);
            lines.token.push(token);
        });
        lines
    }

    fn intern(&mut self, line: &'t str, at: usize) -> Token {
        let first = &self.first;
        let hash = xxh3_64(line.as_bytes());
        let token = self
            .interner
            .intern(hash, |seen| first[seen.0 as usize] == line);
        if token.0 as usize == self.first.len() {
            self.first.push(line);
            self.place.push(at as u32);
        }
        token
    }
}

/// Converts bytes to text. Invalid UTF-8 becomes one private-use character per
/// byte, so that different bytes stay different.
///
/// ```
/// assert_eq!(mvdiff_metrics::text_of(b"caf\xc3\xa9"), "caf\u{e9}");
/// assert_ne!(mvdiff_metrics::text_of(b"caf\xe9"), mvdiff_metrics::text_of(b"caf\xe8"));
/// ```
#[must_use]
pub fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let foreign = chunk.invalid().iter();
        text.extend(foreign.filter_map(|byte| char::from_u32(0x10_ff00 + u32::from(*byte))));
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_blank_lines() {
        let edits = Edits {
            base: "a\n\n  \nb\n",
            a: "",
            b: "b",
        };
        let triple = Triple::new(&edits).unwrap();
        assert_eq!(triple.base.number, [1, 4]);
        assert_eq!(triple.base.token[1], triple.b.token[0]);
    }
}
