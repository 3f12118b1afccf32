//! The blocks that [`crate::blocks`] reads, bare or for several files as JSON or
//! in tags.

use super::Task;
use super::beside::Taken;
use super::lines::{Markers, is_marker, split};
use crate::Edits;
use crate::blocks::{BlockError, FileEdits, from_json, from_xml};
use memchr::memmem;

/// Whether a line opens a block.
pub(super) fn is_search(line: &[u8]) -> bool {
    is_marker(line.trim_ascii_start(), b'<', 7..=7, "SEARCH")
}

pub(super) const MARKERS: Markers = Markers {
    search: is_search,
    separator: |line| line.trim_ascii() == b"=======",
    replace: |line| is_marker(line.trim_ascii_start(), b'>', 7..=7, "REPLACE"),
    shown: ["<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"],
};

/// Whether the blocks are for several files.
pub(super) fn is_wrapped(text: &[u8]) -> bool {
    is_json(text) || is_tagged(text)
}

fn is_json(text: &[u8]) -> bool {
    let object = text.trim_ascii_start().starts_with(b"{");
    object && memmem::find(text, b"\"files\"").is_some()
}

/// Whether the first block is in tags; before them there may be prose.
fn is_tagged(text: &[u8]) -> bool {
    let block = memmem::find(text, b"<<<<<<<").unwrap_or(text.len());
    let tagged = |tag: &[u8]| memmem::find(&text[..block], tag).is_some();
    (tagged(b"<file>") || tagged(b"<apply_diff>")) && tagged(b"<path>")
}

/// The lines from the first tag to the last one.
fn take_tags(text: &[u8], taken: &mut Taken) {
    const TAGS: [&str; 6] = [
        "<file>",
        "<args>",
        "<apply_diff>",
        "</file>",
        "</args>",
        "</apply_diff>",
    ];
    let tag = |line: &[u8]| {
        TAGS.iter()
            .any(|tag| memmem::find(line, tag.as_bytes()).is_some())
    };
    let mut tags = split(text).filter(|(_, line)| tag(line));
    if let Some((first, _)) = tags.next() {
        let last = tags.last().map_or(first, |(last, _)| last);
        taken.lines(first..last + 1);
    }
}

/// The lines of blocks; one that does not end is for [`crate::blocks`] to refuse.
fn take_blocks(text: &[u8], taken: &mut Taken) {
    let mut inside = false;
    for (number, line) in split(text) {
        inside |= (MARKERS.search)(line);
        if inside {
            taken.line(number);
        }
        inside &= !(MARKERS.replace)(line);
    }
}

pub(super) fn read(text: &[u8], taken: &mut Taken) -> Result<Vec<Task>, BlockError> {
    let files = if is_json(text) {
        taken.lines(1..u32::MAX);
        from_json(text)?
    } else if is_tagged(text) {
        take_tags(text, taken);
        from_xml(text)?
    } else {
        take_blocks(text, taken);
        return Ok(vec![Task::new(None, Edits::Text(text.to_vec()))]);
    };
    let task = |file: FileEdits| Task::new(Some(file.path), Edits::Items(file.items));
    Ok(files.into_iter().map(task).collect())
}
