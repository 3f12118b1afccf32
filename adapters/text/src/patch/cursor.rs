//! The position of a parser in its input.

use memchr::memchr;

/// A position at the start of a line. Copy it to look ahead.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'p> {
    input: &'p [u8],
    /// Offset of the current line.
    pub(super) at: usize,
    /// Its number, 1-based.
    pub(super) line: u64,
}

impl<'p> Cursor<'p> {
    pub(super) fn new(input: &'p [u8], at: usize) -> Self {
        Self { input, at, line: 1 }
    }

    /// The rest of the input.
    pub(super) fn rest(&self) -> &'p [u8] {
        &self.input[self.at..]
    }

    /// The input between an earlier offset and here.
    pub(super) fn since(&self, start: usize) -> &'p [u8] {
        &self.input[start..self.at]
    }

    /// The input between two offsets.
    pub(super) fn between(&self, start: usize, end: usize) -> &'p [u8] {
        &self.input[start..end]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.input.len()
    }

    /// The current line, including its newline, if any; empty at the end.
    pub(super) fn peek(&self) -> &'p [u8] {
        let rest = self.rest();
        &rest[..memchr(b'\n', rest).map_or(rest.len(), |end| end + 1)]
    }

    /// Consumes and returns the current line; empty at the end.
    pub(super) fn take(&mut self) -> &'p [u8] {
        let line = self.peek();
        self.pass(line);
        line
    }

    /// Consumes the current line, which the caller has peeked at.
    pub(super) fn pass(&mut self, line: &[u8]) {
        if !line.is_empty() {
            self.at += line.len();
            self.line += 1;
        }
    }

    /// The line after the current one.
    pub(super) fn second(mut self) -> &'p [u8] {
        self.take();
        self.peek()
    }
}

/// A header line without its line end. A name that ends in a carriage return is
/// quoted, so an unquoted one was added in transit.
pub(super) fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
