//! Recognises formats other than unified diffs, so that they are rejected by name
//! and never half read.

use super::cursor::{Cursor, bare};
use super::error::{Format, PatchError};
use memchr::memmem;

/// Prefixes of lines that every diff contains.
const LINE_STARTS: [&[u8]; 7] = [
    b"diff -", b"index ", b"--- ", b"+++ ", b"@@", b"commit ", b"Index: ",
];

/// Prefixes of the second line of a combined diff.
const COMBINED_SECONDS: [&[u8]; 6] = [
    b"index ",
    b"mode ",
    b"new ",
    b"deleted ",
    b"--- ",
    b"Binary ",
];

/// Whether a header line is coloured.
pub(super) fn is_coloured(line: &[u8]) -> bool {
    let mut rest = line;
    while let Some(code) = rest.strip_prefix(b"\x1b[") {
        let parameters = code
            .iter()
            .take_while(|byte| byte.is_ascii_digit() || **byte == b';')
            .count();
        match code.get(parameters) {
            Some(b'm' | b'K') => rest = &code[parameters + 1..],
            _ => return false,
        }
    }
    rest.len() < line.len() && LINE_STARTS.iter().any(|start| rest.starts_with(start))
}

/// Whether the current line starts a file of a combined diff.
pub(super) fn is_combined(cursor: Cursor<'_>) -> bool {
    let line = cursor.peek();
    if line.starts_with(b"@@@") {
        let ats = line.iter().take_while(|byte| **byte == b'@').count();
        return line[ats..].starts_with(b" -");
    }
    (line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined "))
        && COMBINED_SECONDS
            .iter()
            .any(|start| cursor.second().starts_with(start))
}

/// Whether a line contains the markers of a word diff: `[-old-]` or `{+new+}`.
pub(super) fn has_word_marks(line: &[u8]) -> bool {
    let holds = |open: &[u8], close: &[u8]| {
        memmem::find(line, open).is_some_and(|at| memmem::find(&line[at + 2..], close).is_some())
    };
    holds(b"[-", b"-]") || holds(b"{+", b"+}")
}

/// Whether an invalid hunk continues as `git diff --word-diff=porcelain`, where a
/// line `~` represents each newline.
pub(super) fn is_porcelain(mut cursor: Cursor<'_>) -> bool {
    (0..32)
        .map(|_| bare(cursor.take()))
        .take_while(|line| matches!(line.first(), Some(b' ' | b'+' | b'-' | b'~')))
        .any(|line| line == b"~")
}

/// Whether the input is UTF-16, which no other rule would recognise.
pub(super) fn is_utf16(input: &[u8]) -> bool {
    input.starts_with(b"\xff\xfe") || input.starts_with(b"\xfe\xff")
}

/// Checks an input without files for formats other than unified diffs.
pub(super) fn check(input: &[u8]) -> Result<(), PatchError> {
    let mut cursor = Cursor::new(input, 0);
    let mut columns = Columns::default();
    let mut is_first = true;
    while !cursor.is_at_end() {
        let number = cursor.line;
        let line = bare(cursor.take());
        if line.is_empty() {
            continue;
        }
        let next = cursor.peek();
        if is_graph(line) {
            return Err(Format::Graph.at(number));
        }
        if line.starts_with(b"*** ")
            && next.starts_with(b"--- ")
            && cursor.second().starts_with(b"***************")
        {
            return Err(Format::Context.at(number));
        }
        match command(line) {
            Some(Command::Ed) if is_first => return Err(Format::Ed.at(number)),
            Some(Command::Normal) if next.starts_with(b"< ") || next.starts_with(b"> ") => {
                return Err(Format::Normal.at(number));
            }
            _ => {}
        }
        columns.see(number, line);
        is_first = false;
    }
    columns.verdict()
}

/// `| diff --git …`: a log with a graph.
fn is_graph(line: &[u8]) -> bool {
    let drawn = line
        .iter()
        .take_while(|byte| matches!(byte, b'|' | b'*' | b'\\' | b'/' | b'_' | b' '))
        .count();
    line[drawn..].starts_with(b"diff --") && line[..drawn].contains(&b'|')
}

enum Command {
    Ed,
    Normal,
}

/// `4c`, `2,3d`: an ed command; `4c5,6`: a command of a normal diff.
fn command(line: &[u8]) -> Option<Command> {
    let rest = lines(line)?;
    let (b'a' | b'c' | b'd', rest) = rest.split_first()? else {
        return None;
    };
    if rest.is_empty() {
        return Some(Command::Ed);
    }
    lines(rest)?.is_empty().then_some(Command::Normal)
}

/// Skips `4` or `2,3`.
fn lines(text: &[u8]) -> Option<&[u8]> {
    let number = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let first = number(text);
    let rest = &text[first..];
    let rest = match rest.strip_prefix(b",") {
        Some(second) if number(second) > 0 => &second[number(second)..],
        Some(_) => return None,
        None => rest,
    };
    (first > 0).then_some(rest)
}

/// Side by side: every line has a tab between its columns, and one has a marker.
#[derive(Default)]
struct Columns {
    broken: bool,
    marked: Option<u64>,
}

impl Columns {
    fn see(&mut self, number: u64, line: &[u8]) {
        self.broken |= !line.contains(&b'\t');
        let is_mark = |w: &[u8]| matches!(w, [b' ' | b'\t', b'|' | b'<' | b'>', b'\t']);
        let ends = line.ends_with(b" <") || line.ends_with(b"\t<");
        if self.marked.is_none() && (ends || line.windows(3).any(is_mark)) {
            self.marked = Some(number);
        }
    }

    fn verdict(self) -> Result<(), PatchError> {
        match self.marked {
            Some(line) if !self.broken => Err(Format::SideBySide.at(line)),
            _ => Ok(()),
        }
    }
}
