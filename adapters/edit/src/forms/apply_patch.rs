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

use super::beside::Taken;
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

/// Where in an input a line is.
#[derive(Clone, Copy, Default, PartialEq)]
enum At {
    /// Before, between and behind patches: prose.
    #[default]
    Outside,
    /// In a patch, where the head of a file is due.
    Inside,
    Add,
    Update,
}

pub(super) fn read(input: &[u8], taken: &mut Taken) -> Result<Vec<Task>, BlockError> {
    let lines = lines_of_patches(input);
    let mut reader = Reader::default();
    for (index, (number, line)) in lines.iter().enumerate() {
        let head = match reader.at {
            // A line that begins with a blank is one that stays, whatever it says.
            At::Update if !is_last_end(line, &lines[index + 1..]) => line.trim_ascii_end(),
            _ => line.trim_ascii(),
        };
        let is_head = reader.head(*number, head)?;
        if is_head || reader.is_inside() {
            taken.line(*number);
        }
        if !is_head {
            reader.line(*number, line, head)?;
        }
    }
    let number = lines.last().map_or(1, |(number, _)| number + 1);
    reader.finish(number)
}

/// The way through patches.
#[derive(Default)]
struct Reader {
    tasks: Vec<Task>,
    at: At,
    /// The line where a patch began that has not ended.
    begun: Option<u32>,
    chunk: Chunk,
}

/// What follows a prefix.
fn named(head: &[u8], prefix: &[u8]) -> Option<Vec<u8>> {
    let rest = head.strip_prefix(prefix)?;
    Some(rest.trim_ascii().to_vec())
}

impl Reader {
    /// Takes a line that begins or ends a patch, or begins a file.
    fn head(&mut self, number: u32, head: &[u8]) -> Result<bool, BlockError> {
        let starts = [ADD, DELETE, UPDATE]
            .into_iter()
            .find_map(|prefix| Some((prefix, named(head, prefix)?)));
        if head != BEGIN && head != END && starts.is_none() {
            return Ok(false);
        }
        self.chunk.end(&mut self.tasks);
        self.at = At::Inside;
        if head == BEGIN {
            self.begun = Some(number);
        }
        if head == END {
            (self.at, self.begun) = (At::Outside, None);
        }
        let Some((kind, path)) = starts else {
            return Ok(true);
        };
        if path.is_empty() {
            return Err(bad(number, "a path is missing here"));
        }
        let mut task = Task::new(Some(path), Edits::Blocks(Vec::new()));
        task.input_line = number;
        (self.at, task.end) = match kind {
            ADD => (At::Add, End::IsMade),
            DELETE => (At::Inside, End::Goes),
            _ => (At::Update, End::Stays),
        };
        self.chunk = Chunk::new(number, self.at == At::Add);
        self.tasks.push(task);
        Ok(true)
    }

    /// Whether a line belongs to a patch. Prose may follow one that was never begun.
    fn is_inside(&self) -> bool {
        match self.at {
            At::Outside => false,
            At::Inside => self.begun.is_some(),
            At::Add | At::Update => true,
        }
    }

    /// Takes any other line; `head` is what it says if its ends do not count.
    fn line(&mut self, number: u32, line: &[u8], head: &[u8]) -> Result<(), BlockError> {
        match self.at {
            _ if !self.is_inside() => {}
            At::Outside => {}
            At::Inside if head.is_empty() => {}
            At::Inside => {
                return Err(bad(
                    number,
                    "here *** Add File, *** Delete File, *** Update File or *** End Patch is due",
                ));
            }
            At::Add => self.chunk.add(number, line)?,
            At::Update => {
                if let Some(to) = named(head, MOVE) {
                    if let Some(task) = self.tasks.last_mut() {
                        task.end = End::Moves(to);
                    }
                } else if head == END_OF_FILE {
                    self.chunk.at_end = true;
                } else if let Some(above) = line.strip_prefix(b"@@") {
                    self.within(number, above);
                } else {
                    self.chunk.update(number, line)?;
                }
            }
        }
        Ok(())
    }

    /// Takes the line behind `@@`.
    fn within(&mut self, number: u32, above: &[u8]) {
        if self.chunk.has_lines() {
            self.chunk.end(&mut self.tasks);
            self.chunk = Chunk::new(number, false);
        }
        let above = above.strip_suffix(b"@@").unwrap_or(above).trim_ascii_end();
        let above = above.strip_prefix(b" ").unwrap_or(above);
        if !above.is_empty() {
            self.chunk.within.push(above.to_vec());
        }
    }

    fn finish(mut self, number: u32) -> Result<Vec<Task>, BlockError> {
        self.chunk.end(&mut self.tasks);
        if let Some(begun) = self.begun {
            // What was cut off may lack lines of a file, or files.
            let message = format!("the patch of line {begun} ends before its *** End Patch");
            return Err(bad(number, message));
        }
        let nothing = |task: &&Task| {
            task.end == End::Stays && matches!(&task.edits, Edits::Blocks(none) if none.is_empty())
        };
        if let Some(task) = self.tasks.iter().find(nothing) {
            return Err(bad(task.input_line, "nothing of this file is changed"));
        }
        if self.tasks.is_empty() {
            return Err(bad(
                1,
                "it contains no *** Add File, *** Delete File or *** Update File",
            ));
        }
        Ok(self.tasks)
    }
}

/// The lines of an input; those of a patch that is indented as a whole, in a list
/// perhaps, without that.
fn lines_of_patches(input: &[u8]) -> Vec<(u32, &[u8])> {
    let mut lines: Vec<(u32, &[u8])> = split(input).collect();
    let mut from = 0;
    while let Some(begin) = lines[from..].iter().position(|(_, line)| is(line, BEGIN)) {
        let begin = from + begin;
        let end = lines[begin..].iter().position(|(_, line)| is(line, END));
        let end = end.map_or(lines.len(), |end| begin + end + 1);
        let line = lines[begin].1;
        let indent = &line[..line.len() - line.trim_ascii_start().len()];
        let own = |line: &[u8]| line.trim_ascii().is_empty() || line.starts_with(indent);
        if !indent.is_empty() && lines[begin..end].iter().all(|(_, line)| own(line)) {
            for (_, line) in &mut lines[begin..end] {
                *line = line.strip_prefix(indent).unwrap_or_default();
            }
        }
        from = end;
    }
    lines
}

fn is(line: &[u8], marker: &[u8]) -> bool {
    line.trim_ascii() == marker
}

/// Whether a line ends a patch, indented or not: no line behind it does.
fn is_last_end(line: &[u8], behind: &[(u32, &[u8])]) -> bool {
    let mut behind = behind.iter().map(|(_, line)| *line);
    let mut behind = behind
        .by_ref()
        .take_while(|line| line.trim_ascii_end() != BEGIN);
    is(line, END) && !behind.any(|line| is(line, END))
}

/// A stretch of a patch on its way.
#[derive(Default)]
struct Chunk {
    line: u32,
    makes: bool,
    within: Vec<Vec<u8>>,
    search: Vec<Vec<u8>>,
    replace: Vec<Vec<u8>>,
    /// Which lines stay.
    kept: Vec<(usize, usize)>,
    at_end: bool,
    /// Empty lines of a new file that are not in it yet.
    blank: usize,
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

    /// Takes a line of a new file.
    fn add(&mut self, number: u32, line: &[u8]) -> Result<(), BlockError> {
        match line.strip_prefix(b"+") {
            Some(text) => {
                // Empty lines are lines of the file where others follow.
                let blank = std::mem::take(&mut self.blank);
                self.replace.extend(vec![Vec::new(); blank]);
                self.replace.push(text.to_vec());
            }
            None if line.trim_ascii().is_empty() => self.blank += 1,
            None => return Err(bad(number, "a line of a new file begins with +")),
        }
        Ok(())
    }

    /// Takes a line that stays, goes or comes.
    fn update(&mut self, number: u32, line: &[u8]) -> Result<(), BlockError> {
        match line.split_first() {
            Some((b' ', text)) => self.both(text),
            Some((b'-', text)) => self.search.push(text.to_vec()),
            Some((b'+', text)) => self.replace.push(text.to_vec()),
            None => self.both(b""),
            _ => {
                return Err(bad(
                    number,
                    "a line of a patch begins with a space, + or -, or is @@",
                ));
            }
        }
        Ok(())
    }

    fn both(&mut self, text: &[u8]) {
        self.kept.push((self.search.len(), self.replace.len()));
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
        let (old, new) = (chunk.search.len(), chunk.replace.len());
        chunk.kept.retain(|pair| pair.0 < old && pair.1 < new);
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
            kept: chunk.kept,
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
