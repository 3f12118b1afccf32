//! A text as lines, of which each keeps its own end.

pub(crate) use mvdiff_lines::without_end;
use std::ops::Range;

/// The byte order mark of UTF-8, which belongs to the file and to no line.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Bytes split at `\n` and `\r\n`, and, if asked for, at a `\r` by itself.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'t> {
    pub bytes: &'t [u8],
    /// Where the first line starts, behind a byte order mark.
    first: usize,
    /// Where each line ends, its end included.
    ends: Vec<usize>,
    /// Whether a `\r` by itself ends a line.
    lone_cr: bool,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(bytes: &'t [u8]) -> Self {
        let first = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let mut ends = Vec::with_capacity(bytes.len() / 32);
        ends.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1));
        Self::with_ends(bytes, first, ends, false)
    }

    /// The same, where a `\r` by itself ends a line, too.
    pub(crate) fn with_lone_cr(bytes: &'t [u8]) -> Self {
        let first = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes);
        let ends = ends.filter(|at| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
        Self::with_ends(bytes, first, ends.map(|at| at + 1).collect(), true)
    }

    fn with_ends(bytes: &'t [u8], first: usize, mut ends: Vec<usize>, lone_cr: bool) -> Self {
        if ends.last().copied().unwrap_or(first) < bytes.len() {
            ends.push(bytes.len());
        }
        Self {
            bytes,
            first,
            ends,
            lone_cr,
        }
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
        self.without_end(self.whole(index))
    }

    fn without_end(&self, line: &'t [u8]) -> &'t [u8] {
        match line.strip_suffix(b"\r") {
            Some(line) if self.lone_cr => line,
            _ => without_end(line),
        }
    }

    /// Whether a text that was made from this one ends with the end of a line.
    pub(crate) fn is_closed(&self, text: &[u8]) -> bool {
        text.ends_with(b"\n") || self.lone_cr && text.ends_with(b"\r")
    }

    /// How a line ends: `\n`, `\r\n`, `\r`, or nothing at the end of the text.
    pub(crate) fn end(&self, index: usize) -> &'t [u8] {
        let whole = self.whole(index);
        &whole[self.without_end(whole).len()..]
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

/// Whether a text has characters beyond ASCII, in UTF-8.
pub(crate) fn is_beyond_ascii(text: &[u8]) -> bool {
    !text.is_ascii() && std::str::from_utf8(text).is_ok()
}

/// Whether characters of a text take two bytes or more each, as in UTF-16: it begins with
/// a mark that says so, or has a NUL in every few bytes.
pub(crate) fn is_wide(text: &[u8]) -> bool {
    let head = &text[..text.len().min(4096)];
    let marked = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    let nuls = memchr::memchr_iter(0, head).count();
    marked || nuls * 4 > head.len()
}

/// Whether a text has characters beyond ASCII in another encoding than UTF-8. Of a text
/// in UTF-8, some bytes may be damaged.
pub(crate) fn is_in_another_encoding(text: &[u8]) -> bool {
    if std::str::from_utf8(text).is_ok() {
        return false;
    }
    let (mut read, mut unread) = (0, 0);
    for chunk in text.utf8_chunks() {
        read += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        unread += chunk.invalid().len();
    }
    unread > read
}

/// Whether a text has a `\r` that is not part of a `\r\n`.
pub(crate) fn has_lone_cr(text: &[u8]) -> bool {
    memchr::memchr_iter(b'\r', text).any(|at| text.get(at + 1) != Some(&b'\n'))
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

    #[test]
    fn other_encodings_are_told_from_damaged_text() {
        assert!(is_in_another_encoding(b"caf\xe9 cr\xe8me"));
        assert!(!is_in_another_encoding("caf\u{e9} cr\u{e8}me".as_bytes()));
        assert!(!is_in_another_encoding(b"plain"));
        assert!(is_wide(b"a\0\n\0") && is_wide(b"\xff\xfe") && !is_wide(b"a\0b\nplain text\n"));
        assert!(!is_wide(b"") && !is_wide(BOM));
        assert!(!is_in_another_encoding(b"\xc3\xa9 \xc3\xa8 \xff"));
    }

    #[test]
    fn a_lone_carriage_return_ends_a_line_if_asked_for() {
        let text = b"a\r\nb\rc\n\rd\r";
        assert!(has_lone_cr(text) && !has_lone_cr(b"a\r\nb"));
        let lines = Lines::with_lone_cr(text);
        let all: Vec<_> = (0..lines.len())
            .map(|at| (lines.get(at), lines.end(at)))
            .collect();
        let due: [(&[u8], &[u8]); 5] = [
            (b"a", b"\r\n"),
            (b"b", b"\r"),
            (b"c", b"\n"),
            (b"", b"\r"),
            (b"d", b"\r"),
        ];
        assert_eq!(all, due);
        assert!(!lines.is_open() && lines.is_closed(b"x\r"));
    }
}
