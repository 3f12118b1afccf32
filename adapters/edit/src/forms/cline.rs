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

use super::Task;
use super::lines::{Markers, is_marker};
use crate::Edits;
use crate::blocks::BlockError;

const MANY: std::ops::RangeInclusive<usize> = 3..=usize::MAX;

/// Whether a line is one that only this form has.
pub(super) fn is_search(line: &[u8]) -> bool {
    is_marker(line, b'-', MANY, "SEARCH")
}

const MARKERS: Markers = Markers {
    search: |line| is_search(line) || is_marker(line, b'<', MANY, "SEARCH"),
    separator: |line| is_marker(line, b'=', MANY, ""),
    replace: |line| {
        is_marker(line, b'+', MANY, "REPLACE") || is_marker(line, b'>', MANY, "REPLACE")
    },
    shown: ["------- SEARCH", "=======", "+++++++ REPLACE"],
};

pub(super) fn read(input: &[u8]) -> Result<Vec<Task>, BlockError> {
    let blocks = MARKERS.read(input)?.into_iter().map(|(_, block)| block);
    Ok(vec![Task::new(None, Edits::Blocks(blocks.collect()))])
}
