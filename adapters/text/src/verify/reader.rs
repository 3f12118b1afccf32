//! A strict reader of effective diffs: headers by line, hunks by their counts.

use super::hidden::Hidden;

/// A reader positioned in a diff.
#[derive(Clone, Copy)]
pub(super) struct Reader<'d> {
    all: &'d [u8],
    rest: &'d [u8],
}

/// A hunk header. An empty side is normalised to the line after the one it
/// states, so that both cases give the next line of the side.
#[derive(Clone, Copy)]
pub(super) struct Head {
    pub old: (u32, u32),
    pub new: (u32, u32),
}

impl<'d> Reader<'d> {
    pub(super) fn new(all: &'d [u8]) -> Self {
        Self { all, rest: all }
    }

    pub(super) fn rest(&self) -> &'d [u8] {
        self.rest
    }

    /// Skips some bytes.
    pub(super) fn skip(&mut self, count: usize) {
        self.rest = &self.rest[count..];
    }

    /// Skips `bytes`, if they are next.
    pub(super) fn eat(&mut self, bytes: &[u8]) -> bool {
        let rest = self.rest.strip_prefix(bytes);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// The next line, including its newline; empty at the end.
    pub(super) fn peek(&self) -> &'d [u8] {
        first_line(self.rest)
    }

    pub(super) fn next(&mut self) -> &'d [u8] {
        let line = self.peek();
        self.skip(line.len());
        line
    }

    /// The number of the next line.
    pub(super) fn line(&self) -> usize {
        let read = &self.all[..self.all.len() - self.rest.len()];
        1 + memchr::memchr_iter(b'\n', read).count()
    }

    pub(super) fn malformed(&self, what: &'static str) -> Hidden {
        Hidden::Malformed {
            line: self.line(),
            what,
        }
    }

    /// Reads a line of a hunk: its prefix, and its text with its newline, unless
    /// a marker says that it has none.
    pub(super) fn hunk_line(&mut self) -> Option<(u8, &'d [u8])> {
        let line = self.next();
        let (kind, mut text) = match line {
            // A blank context line whose space was lost in transit.
            b"\n" | b"\r\n" => (b' ', line),
            [kind @ (b' ' | b'-' | b'+'), text @ ..] => (*kind, text),
            _ => return None,
        };
        while self.rest.first() == Some(&b'\\') {
            self.next();
            text = text.strip_suffix(b"\n").unwrap_or(text);
        }
        Some((kind, text))
    }

    /// Reads a hunk header, if one is next.
    pub(super) fn head(&mut self) -> Result<Option<Head>, Hidden> {
        if !self.rest.starts_with(b"@@ ") {
            return Ok(None);
        }
        let head = head(self.peek()).ok_or_else(|| self.malformed("no head of a hunk"))?;
        self.next();
        Ok(Some(head))
    }
}

pub(super) fn first_line(bytes: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'\n', bytes);
    &bytes[..end.map_or(bytes.len(), |at| at + 1)]
}

fn head(line: &[u8]) -> Option<Head> {
    let (old, rest) = place(line.strip_prefix(b"@@ -")?)?;
    let (new, rest) = place(rest.strip_prefix(b" +")?)?;
    rest.starts_with(b" @@").then_some(Head { old, new })
}

/// Parses `12,3` or `12`; returns the rest, too.
fn place(text: &[u8]) -> Option<((u32, u32), &[u8])> {
    let (start, rest) = number(text)?;
    let (count, rest) = match rest.strip_prefix(b",") {
        Some(rest) => number(rest)?,
        None => (1, rest),
    };
    let first = start.checked_add(u32::from(count == 0))?;
    first.checked_add(count).filter(|_| first > 0)?;
    Some(((first, count), rest))
}

fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let number = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    Some((number, &text[digits..]))
}

/// The two paths of a `diff --git` line, if `known` resolves them: names with
/// spaces can be split in several ways.
pub(super) fn git_paths(
    line: &[u8],
    known: impl Fn(&[u8], &[u8]) -> bool,
) -> Option<(Vec<u8>, Vec<u8>)> {
    let line = line.trim_ascii_end().strip_prefix(b"diff --git ")?;
    let splits = line.iter().enumerate().filter(|(_, b)| **b == b' ');
    let mut paths = splits.filter_map(|(at, _)| {
        let old = unquoted(&line[..at])?.strip_prefix(b"a/")?.to_vec();
        let new = unquoted(&line[at + 1..])?.strip_prefix(b"b/")?.to_vec();
        known(&old, &new).then_some((old, new))
    });
    let first = paths.next()?;
    paths.next().is_none().then_some(first)
}

/// The path of a `---` or `+++` line, without its prefix.
pub(super) fn file_path(line: &[u8], mark: &[u8], prefix: &[u8]) -> Option<Vec<u8>> {
    let name = line.strip_suffix(b"\n")?.strip_prefix(mark)?;
    // A tab terminates an unquoted name.
    let end = memchr::memchr(b'\t', name).unwrap_or(name.len());
    let path = unquoted(&name[..end])?;
    Some(path.strip_prefix(prefix)?.to_vec())
}

/// A path as git writes it: plain, or quoted with C escapes.
fn unquoted(name: &[u8]) -> Option<Vec<u8>> {
    let Some(inner) = name.strip_prefix(b"\"") else {
        return Some(name.to_vec());
    };
    let mut bytes = inner.strip_suffix(b"\"")?.iter().copied();
    let mut path = Vec::with_capacity(inner.len());
    while let Some(byte) = bytes.next() {
        path.push(match byte {
            b'"' => return None,
            b'\\' => match bytes.next()? {
                b'a' => 0x07,
                b'b' => 0x08,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 0x0b,
                b'f' => 0x0c,
                b'r' => b'\r',
                same @ (b'"' | b'\\') => same,
                high @ b'0'..=b'3' => {
                    let mut octal = || bytes.next().filter(|b| (b'0'..=b'7').contains(b));
                    let (middle, low) = (octal()?, octal()?);
                    (high - b'0') << 6 | (middle - b'0') << 3 | (low - b'0')
                }
                _ => return None,
            },
            _ => byte,
        });
    }
    Some(path)
}
