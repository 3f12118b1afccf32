//! The blocks that [`crate::blocks`] reads, bare or for several files as JSON or
//! in tags.

use super::Task;
use super::lines::{Markers, is_marker};
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

pub(super) fn read(text: &[u8]) -> Result<Vec<Task>, BlockError> {
    let files = if is_json(text) {
        from_json(text)?
    } else if is_tagged(text) {
        from_xml(text)?
    } else {
        return Ok(vec![Task::new(None, Edits::Text(text.to_vec()))]);
    };
    let task = |file: FileEdits| Task::new(Some(file.path), Edits::Items(file.items));
    Ok(files.into_iter().map(task).collect())
}
