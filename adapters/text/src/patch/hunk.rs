//! Parses one hunk. Only its counts determine where it ends, never its lines.

use super::cursor::{Cursor, bare};
use super::error::{Format, Found, PatchError, PatchErrorKind, Side};
use super::foreign;
use super::{Hunk, HunkLine, LineKind};
use memchr::memchr;

/// First line and count of each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    old: (u32, u32),
    new: (u32, u32),
}

/// Parses `@@ -1,2 +3,4 @@ heading`, or the same with another marker in place of
/// `@@`. Returns the numbers and the heading.
pub(super) fn numbers<'p>(
    line: &'p [u8],
    mark: &[u8],
) -> Result<(Numbers, &'p [u8]), PatchErrorKind> {
    let malformed = PatchErrorKind::HunkHeader;
    let skip = |text: &'p [u8], what: &[u8]| text.strip_prefix(what).ok_or(malformed);
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let text = skip(skip(line, mark)?, b" -")?;
    let (old, text) = range(text)?;
    let (new, text) = range(skip(text, b" +")?)?;
    let heading = skip(skip(text, b" ")?, mark)?;
    Ok((Numbers { old, new }, heading))
}

/// `START` or `START,COUNT`.
fn range(text: &[u8]) -> Result<((u32, u32), &[u8]), PatchErrorKind> {
    let (start, text) = number(text)?;
    let (count, text) = match text.strip_prefix(b",") {
        Some(text) => number(text)?,
        None => (1, text),
    };
    let is_nowhere = start == 0 && count > 0;
    if is_nowhere || start.checked_add(count).is_none() {
        return Err(PatchErrorKind::Number);
    }
    Ok(((start, count), text))
}

fn number(text: &[u8]) -> Result<(u32, &[u8]), PatchErrorKind> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return Err(PatchErrorKind::HunkHeader);
    }
    let mut value = 0_u32;
    for digit in &text[..digits] {
        value = value
            .checked_mul(10)
            .and_then(|value| value.checked_add(u32::from(digit - b'0')))
            .ok_or(PatchErrorKind::Number)?;
    }
    Ok((value, &text[digits..]))
}

/// From this many lines on, a hunk keeps the buffer it was read into.
const MANY_LINES: usize = 1024;

/// Reads the hunk that starts at the current line. The lines are collected in
/// `scratch`, so that a small hunk allocates no more than it needs.
pub(super) fn read<'p>(
    cursor: &mut Cursor<'p>,
    scratch: &mut Vec<HunkLine<'p>>,
) -> Result<Hunk<'p>, PatchError> {
    let (at, start) = (cursor.at, cursor.line);
    let (numbers, heading) = numbers(cursor.take(), b"@@").map_err(|kind| kind.at(start))?;
    scratch.clear();
    Reader::new(start, numbers, scratch).read(cursor)?;
    let lines = if scratch.len() < MANY_LINES {
        scratch.clone()
    } else {
        let mut lines = std::mem::take(scratch);
        lines.shrink_to_fit();
        lines
    };
    if let Some(index) = words_instead_of_lines(&lines) {
        return Err(Format::Words.at(start + 1 + index as u64));
    }
    Ok(Hunk {
        old_start: numbers.old.0,
        old_count: numbers.old.1,
        new_start: numbers.new.0,
        new_count: numbers.new.1,
        heading,
        lines,
        bytes: cursor.since(at),
    })
}

/// Detects a word diff whose lines are all indented and so look like context.
fn words_instead_of_lines(lines: &[HunkLine<'_>]) -> Option<usize> {
    if lines.iter().any(|line| line.kind != LineKind::Context) {
        return None;
    }
    lines
        .iter()
        .position(|line| foreign::has_word_marks(line.text))
}

struct Reader<'s, 'p> {
    start: u64,
    old_left: u32,
    new_left: u32,
    /// Whether a no-newline marker ended the old side.
    old_closed: bool,
    new_closed: bool,
    lines: &'s mut Vec<HunkLine<'p>>,
}

impl<'s, 'p> Reader<'s, 'p> {
    fn new(start: u64, numbers: Numbers, lines: &'s mut Vec<HunkLine<'p>>) -> Self {
        Self {
            start,
            old_left: numbers.old.1,
            new_left: numbers.new.1,
            old_closed: false,
            new_closed: false,
            lines,
        }
    }

    fn read(&mut self, cursor: &mut Cursor<'p>) -> Result<(), PatchError> {
        while self.old_left > 0 || self.new_left > 0 {
            let rest = cursor.rest();
            let Some(&first) = rest.first() else {
                return Err(self.truncated(Found::End).at(cursor.line));
            };
            let line = &rest[..memchr(b'\n', rest).map_or(rest.len(), |end| end + 1)];
            let result = match first {
                b' ' => self.push(LineKind::Context, &line[1..]),
                b'+' => self.push(LineKind::Added, &line[1..]),
                b'-' => self.push(LineKind::Removed, &line[1..]),
                b'\\' => self.mark(),
                _ if line == b"\n" || line == b"\r\n" => self.blank(line),
                _ => Err(self.foreign(line)),
            };
            if let Err(kind) = result {
                return Err(if foreign::is_porcelain(*cursor) {
                    Format::Words.at(cursor.line)
                } else {
                    kind.at(cursor.line)
                });
            }
            cursor.pass(line);
        }
        if cursor.rest().first() == Some(&b'\\') {
            self.mark().map_err(|kind| kind.at(cursor.line))?;
            cursor.take();
        }
        Ok(())
    }

    #[inline]
    fn push(&mut self, kind: LineKind, text: &'p [u8]) -> Result<(), PatchErrorKind> {
        if kind != LineKind::Added {
            self.old_left = self.count(self.old_left, Side::Old)?;
        }
        if kind != LineKind::Removed {
            self.new_left = self.count(self.new_left, Side::New)?;
        }
        if self.old_closed || self.new_closed {
            self.check_open(kind)?;
        }
        self.lines.push(HunkLine { kind, text });
        Ok(())
    }

    fn count(&self, left: u32, side: Side) -> Result<u32, PatchErrorKind> {
        let start = self.start;
        left.checked_sub(1)
            .ok_or(PatchErrorKind::HunkOverrun { start, side })
    }

    fn check_open(&self, kind: LineKind) -> Result<(), PatchErrorKind> {
        let old = self.old_closed && kind != LineKind::Added;
        let new = self.new_closed && kind != LineKind::Removed;
        if old || new {
            return Err(PatchErrorKind::AfterNoNewline);
        }
        Ok(())
    }

    /// A blank context line whose space was lost in transit.
    fn blank(&mut self, line: &'p [u8]) -> Result<(), PatchErrorKind> {
        if self.old_left == 0 || self.new_left == 0 {
            return Err(self.truncated(Found::Line));
        }
        self.push(LineKind::Context, line)
    }

    /// A no-newline marker, in any language: removes the newline of the line
    /// before.
    fn mark(&mut self) -> Result<(), PatchErrorKind> {
        let last = self
            .lines
            .last_mut()
            .ok_or(PatchErrorKind::NoNewlineFirst)?;
        last.text = last
            .text
            .strip_suffix(b"\n")
            .ok_or(PatchErrorKind::NoNewlineTwice)?;
        match last.kind {
            LineKind::Removed => self.old_closed = true,
            LineKind::Added => self.new_closed = true,
            // If white space is ignored, git prints the line of the new side, and
            // the old side may continue.
            LineKind::Context => {}
        }
        Ok(())
    }

    fn truncated(&self, found: Found) -> PatchErrorKind {
        PatchErrorKind::HunkTruncated {
            start: self.start,
            missing: self.old_left.max(self.new_left),
            found,
        }
    }

    /// Classifies a line that is not part of a hunk; often it is another format.
    fn foreign(&self, line: &[u8]) -> PatchErrorKind {
        if line[0] == 0x1b {
            PatchErrorKind::Unsupported(Format::Coloured)
        } else if foreign::has_word_marks(line) {
            PatchErrorKind::Unsupported(Format::Words)
        } else {
            self.truncated(Found::Line)
        }
    }
}

/// Skips a hunk: one of a Subversion property (`## -0,0 +1 ##`), so that no line
/// of the property's text is taken for a header, or one in a message. Returns
/// whether there was one.
pub(super) fn skip(cursor: &mut Cursor<'_>, mark: &[u8]) -> bool {
    let Ok((numbers, _)) = numbers(bare(cursor.peek()), mark) else {
        return false;
    };
    let start = cursor.line;
    cursor.take();
    // If it is malformed, it is part of the text between files.
    let _ = Reader::new(start, numbers, &mut Vec::new()).read(cursor);
    true
}
