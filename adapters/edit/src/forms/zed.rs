//! Old and new text in tags:
//!
//! ```text
//! <edits>
//! <old_text line=10>
//! lines to look for
//! </old_text>
//! <new_text>
//! lines to put there
//! </new_text>
//! </edits>
//! ```

use super::beside::Taken;
use super::lines::lines_of;
use super::{Task, bad};
use crate::Edits;
use crate::blocks::{Block, BlockError};
use memchr::memmem;

/// Whether an old text is followed by a new one.
pub(super) fn is_it(input: &[u8]) -> bool {
    let old = memmem::find(input, b"<old_text");
    old.is_some_and(|at| memmem::find(&input[at..], b"<new_text").is_some())
}

/// The line where the first old text begins.
pub(super) fn first(input: &[u8]) -> Option<u32> {
    let at = memmem::find(input, b"<old_text").filter(|_| is_it(input));
    at.map(|at| line_at(input, at))
}

fn line_at(input: &[u8], at: usize) -> u32 {
    memchr::memchr_iter(b'\n', &input[..at]).count() as u32 + 1
}

/// An element: the line it begins with, what its tag says, and its text.
struct Element<'i> {
    line: u32,
    tag: &'i [u8],
    text: &'i [u8],
    end: usize,
}

fn element<'i>(
    input: &'i [u8],
    from: usize,
    name: &str,
) -> Result<Option<Element<'i>>, BlockError> {
    let open = format!("<{name}");
    let Some(at) = memmem::find(&input[from..], open.as_bytes()) else {
        return Ok(None);
    };
    let at = from + at;
    let line = line_at(input, at);
    let inner = memchr::memchr(b'>', &input[at..]).map(|end| at + end + 1);
    let close = format!("</{name}>");
    let found = inner.and_then(|inner| {
        let end = memmem::find(&input[inner..], close.as_bytes())?;
        Some((inner, inner + end))
    });
    let Some((inner, end)) = found else {
        return Err(bad(line, format!("{open}> is never closed; add {close}")));
    };
    Ok(Some(Element {
        line,
        tag: &input[at + open.len()..inner - 1],
        text: &input[inner..end],
        end: end + close.len(),
    }))
}

pub(super) fn read(input: &[u8], taken: &mut Taken) -> Result<Vec<Task>, BlockError> {
    let mut blocks = Vec::new();
    let mut from = 0;
    while let Some(old) = element(input, from, "old_text")? {
        let Some(new) = element(input, old.end, "new_text")? else {
            return Err(bad(old.line, "<old_text> has no <new_text> behind it"));
        };
        blocks.push(Block {
            search: lines_of(trimmed(old.text)),
            replace: lines_of(trimmed(new.text)),
            start_line: start_line(&old)?,
            input_line: old.line,
            ..Block::default()
        });
        from = new.end;
        taken.lines(old.line..line_at(input, from) + 1);
    }
    if blocks.is_empty() {
        return Err(bad(1, "it contains no <old_text>"));
    }
    Ok(vec![Task::new(None, Edits::Blocks(blocks))])
}

fn start_line(old: &Element<'_>) -> Result<Option<u32>, BlockError> {
    let tag = String::from_utf8_lossy(old.tag);
    let Some((_, value)) = tag.split_once("line=") else {
        return Ok(None);
    };
    let digits: String = value
        .trim_start_matches(['"', '\''])
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    match digits.parse() {
        Ok(line) => Ok(Some(line).filter(|line| *line > 0)),
        Err(_) => Err(bad(old.line, "line= is not a number")),
    }
}

/// A text without the line ends next to its tags.
fn trimmed(text: &[u8]) -> &[u8] {
    let text = text.strip_prefix(b"\r").unwrap_or(text);
    text.strip_prefix(b"\n").unwrap_or(text)
}
