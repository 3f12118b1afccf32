//! Blocks with dashes and pluses:
//!
//! ```text
//! ------- SEARCH
//! lines to look for
//! =======
//! lines to put there
//! +++++++ REPLACE
//! ```
//!
//! Three signs or more; `<` and `>` for `-` and `+` are taken, too.

use super::beside::Taken;
use super::lines::{Markers, is_marker, split};
use super::{Task, joined};
use crate::Edits;
use crate::blocks::BlockError;

const MANY: std::ops::RangeInclusive<usize> = 3..=usize::MAX;

/// Whether a line is one that only this form has.
pub(super) fn is_search(line: &[u8]) -> bool {
    is_marker(line, b'-', MANY, "SEARCH")
}

/// Whether a line opens a block, of this form or one like it.
pub(super) fn is_any_search(line: &[u8]) -> bool {
    is_search(line) || is_marker(line, b'<', MANY, "SEARCH")
}

const MARKERS: Markers = Markers {
    search: is_any_search,
    separator: |line| is_marker(line, b'=', MANY, ""),
    replace: |line| {
        is_marker(line, b'+', MANY, "REPLACE") || is_marker(line, b'>', MANY, "REPLACE")
    },
    shown: ["------- SEARCH", "=======", "+++++++ REPLACE"],
};

/// Blocks in the call of a tool are for the file that it names in its first tag.
pub(super) fn read(input: &[u8], taken: &mut Taken) -> Result<Vec<Task>, BlockError> {
    let mut paths = Vec::new();
    let mut before: &[u8] = b"";
    for (number, line) in split(input) {
        let line = line.trim_ascii();
        let path = line.strip_prefix(b"<path>");
        let path = path.and_then(|path| path.strip_suffix(b"</path>"));
        let path = path.filter(|_| before == b"<replace_in_file>");
        paths.extend(path.map(|path| (number, path.trim_ascii().to_vec())));
        before = line;
    }
    let mut tasks = Vec::new();
    for (number, block) in MARKERS.read(input, taken)? {
        let above = paths.iter().rev().find(|(line, _)| *line < number);
        let path = above.map(|(_, path)| path.clone());
        tasks.push(Task {
            input_line: number,
            ..Task::new(path, Edits::Blocks(vec![block]))
        });
    }
    Ok(joined(tasks))
}
