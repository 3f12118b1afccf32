//! A text as lines, of which each keeps its own end.

use std::ops::Range;

/// The byte order mark of UTF-8, which belongs to the file and to no line.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Bytes split at `\n`; a `\r` before it belongs to the line's end.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'t> {
    pub bytes: &'t [u8],
    /// Where the first line starts, behind a byte order mark.
    first: usize,
    /// Where each line ends, its end included.
    ends: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(bytes: &'t [u8]) -> Self {
        let first = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let mut ends = Vec::with_capacity(bytes.len() / 32);
        ends.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1));
        if ends.last().copied().unwrap_or(first) < bytes.len() {
            ends.push(bytes.len());
        }
        Self { bytes, first, ends }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Where a line starts; of the line behind the last, where the text ends.
    #[inline]
    pub(crate) fn start(&self, index: usize) -> usize {
        match index {
            0 => self.first,
            _ => self.ends[index - 1],
        }
    }

    /// A line with its end.
    #[inline]
    pub(crate) fn whole(&self, index: usize) -> &'t [u8] {
        &self.bytes[self.start(index)..self.ends[index]]
    }

    /// A line without its end.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> &'t [u8] {
        without_end(self.whole(index))
    }

    /// How a line ends: `\n`, `\r\n`, or nothing at the end of the text.
    pub(crate) fn end(&self, index: usize) -> &'t [u8] {
        let whole = self.whole(index);
        &whole[without_end(whole).len()..]
    }

    pub(crate) fn range(&self, range: Range<usize>) -> impl Iterator<Item = &'t [u8]> {
        range.map(|index| self.get(index))
    }

    /// Whether the last line lacks its end.
    pub(crate) fn is_open(&self) -> bool {
        !self.is_empty() && self.end(self.len() - 1).is_empty()
    }

    /// The number of the line that holds a byte.
    pub(crate) fn line_of(&self, at: usize) -> usize {
        self.ends.partition_point(|end| *end <= at)
    }
}

/// A line without `\n` or `\r\n`.
#[inline]
pub(crate) fn without_end(line: &[u8]) -> &[u8] {
    match line.strip_suffix(b"\n") {
        Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_ends() {
        let lines = Lines::new(b"\xef\xbb\xbfa\r\n\nb\rc");
        assert_eq!(lines.len(), 3);
        assert_eq!((lines.get(0), lines.end(0)), (&b"a"[..], &b"\r\n"[..]));
        assert_eq!((lines.get(1), lines.end(1)), (&b""[..], &b"\n"[..]));
        assert_eq!((lines.get(2), lines.end(2)), (&b"b\rc"[..], &b""[..]));
        assert!(lines.is_open());
        assert!(Lines::new(b"").is_empty());
        assert!(Lines::new(BOM).is_empty());
        assert!(!Lines::new(b"a\n").is_open());
    }
}
