//! Patches between `*** Begin Patch` and `*** End Patch`:
//!
//! ```text
//! *** Begin Patch
//! *** Update File: src/total.py
//! *** Move to: src/sum.py
//! @@ class Total:
//! @@     def add(self):
//!  a line that stays
//! -a line that goes
//! +a line that comes
//! *** End of File
//! *** Add File: src/new.py
//! +its first line
//! *** Delete File: src/old.py
//! *** End Patch
//! ```
//!
//! A line behind `@@` is somewhere above the place.

use super::lines::split;
use super::{End, Task, bad};
use crate::Edits;
use crate::blocks::{Block, BlockError};

const ADD: &[u8] = b"*** Add File:";
const DELETE: &[u8] = b"*** Delete File:";
const UPDATE: &[u8] = b"*** Update File:";
const MOVE: &[u8] = b"*** Move to:";
const BEGIN: &[u8] = b"*** Begin Patch";
const END: &[u8] = b"*** End Patch";
const END_OF_FILE: &[u8] = b"*** End of File";

/// Whether a line is one that only this form has.
pub(super) fn is_marker(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line == BEGIN
        || [ADD, DELETE, UPDATE]
            .iter()
            .any(|head| line.starts_with(head))
}

#[derive(PartialEq)]
enum At {
    Outside,
    Add,
    Update,
}

pub(super) fn read(input: &[u8]) -> Result<Vec<Task>, BlockError> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut at = At::Outside;
    let mut chunk = Chunk::default();
    for (number, line) in split(input) {
        let head = line.trim_ascii();
        let named = |prefix: &[u8]| head.strip_prefix(prefix).map(|p| p.trim_ascii().to_vec());
        let starts = [ADD, DELETE, UPDATE]
            .into_iter()
            .find_map(|p| Some((p, named(p)?)));
        if head == BEGIN || head == END || starts.is_some() {
            chunk.end(&mut tasks);
            at = At::Outside;
        }
        if let Some((kind, path)) = starts {
            if path.is_empty() {
                return Err(bad(number, "a path is missing here"));
            }
            let mut task = Task::new(Some(path), Edits::Blocks(Vec::new()));
            task.input_line = number;
            (at, task.end) = match kind {
                ADD => (At::Add, End::IsMade),
                DELETE => (At::Outside, End::Goes),
                _ => (At::Update, End::Stays),
            };
            chunk = Chunk::new(number, at == At::Add);
            tasks.push(task);
            continue;
        }
        match at {
            At::Outside => {}
            At::Update if named(MOVE).is_some() => {
                if let (Some(task), Some(to)) = (tasks.last_mut(), named(MOVE)) {
                    task.end = End::Moves(to);
                }
            }
            At::Update if head == END_OF_FILE => chunk.at_end = true,
            At::Update if line.starts_with(b"@@") => {
                if chunk.has_lines() {
                    chunk.end(&mut tasks);
                    chunk = Chunk::new(number, false);
                }
                let above = line.strip_prefix(b"@@").unwrap_or_default();
                let above = above.strip_suffix(b"@@").unwrap_or(above).trim_ascii_end();
                let above = above.strip_prefix(b" ").unwrap_or(above);
                chunk
                    .within
                    .extend((!above.is_empty()).then(|| above.to_vec()));
            }
            At::Add => match line.strip_prefix(b"+") {
                Some(text) => chunk.replace.push(text.to_vec()),
                None if head.is_empty() => chunk.replace.push(Vec::new()),
                None => return Err(bad(number, "a line of a new file begins with +")),
            },
            At::Update => match line.split_first() {
                Some((b' ', text)) => chunk.both(text),
                Some((b'-', text)) => chunk.search.push(text.to_vec()),
                Some((b'+', text)) => chunk.replace.push(text.to_vec()),
                None => chunk.both(b""),
                _ => {
                    return Err(bad(
                        number,
                        "a line of a patch begins with a space, + or -, or is @@",
                    ));
                }
            },
        }
    }
    chunk.end(&mut tasks);
    if tasks.is_empty() {
        return Err(bad(
            1,
            "it contains no *** Add File, *** Delete File or *** Update File",
        ));
    }
    Ok(tasks)
}

/// A stretch of a patch on its way.
#[derive(Default)]
struct Chunk {
    line: u32,
    makes: bool,
    within: Vec<Vec<u8>>,
    search: Vec<Vec<u8>>,
    replace: Vec<Vec<u8>>,
    at_end: bool,
}

impl Chunk {
    fn new(line: u32, makes: bool) -> Self {
        Self {
            line,
            makes,
            ..Self::default()
        }
    }

    fn has_lines(&self) -> bool {
        !self.search.is_empty() || !self.replace.is_empty()
    }

    fn both(&mut self, text: &[u8]) {
        self.search.push(text.to_vec());
        self.replace.push(text.to_vec());
    }

    /// Hands what it holds to the last task.
    fn end(&mut self, tasks: &mut [Task]) {
        let mut chunk = std::mem::take(self);
        // Empty lines before the next head set it off.
        while chunk.search != chunk.replace
            && chunk.search.last().is_some_and(Vec::is_empty)
            && chunk.replace.last().is_some_and(Vec::is_empty)
        {
            chunk.search.pop();
            chunk.replace.pop();
        }
        let Some(task) = tasks.last_mut() else { return };
        let Edits::Blocks(blocks) = &mut task.edits else {
            return;
        };
        if chunk.search == chunk.replace && !chunk.makes {
            return;
        }
        let mut block = Block {
            search: chunk.search,
            replace: chunk.replace,
            within: chunk.within,
            at_end: chunk.at_end,
            input_line: chunk.line,
            ..Block::default()
        };
        if block.search.is_empty() && !chunk.makes {
            // It goes behind the line that is named, else to the end.
            match block.within.pop() {
                Some(above) => {
                    block.search.push(above.clone());
                    block.replace.insert(0, above);
                }
                None => block.start_line = Some(u32::MAX),
            }
        }
        blocks.push(block);
    }
}
