//! Unified diffs as models write them: the numbers behind `@@` may be wrong,
//! missing, or `...`.
//!
//! ```text
//! --- a/src/total.py
//! +++ b/src/total.py
//! @@ ... @@
//!  a line that stays
//! -a line that goes
//! +a line that comes
//! ```
//!
//! `/dev/null` on one side makes a file or takes it away; `rename from` and
//! `rename to` give it another name.

use super::beside::Taken;
use super::lines::split;
use super::{End, Task, bad};
use crate::Edits;
use crate::blocks::{Block, BlockError};

/// Whether there are hunks below the names of files.
pub(super) fn is_it(input: &[u8]) -> bool {
    let mut lines = split(input).map(|(_, line)| line);
    let hunk = lines.clone().any(|line| line.starts_with(b"@@"));
    let mut before: &[u8] = b"";
    let named = lines.any(|line| {
        let names = before.starts_with(b"--- ") && line.starts_with(b"+++ ");
        before = line;
        names
    });
    hunk || named || split(input).any(|(_, line)| line.starts_with(b"diff --git "))
}

/// The first line of a head or a hunk.
pub(super) fn first(input: &[u8]) -> Option<u32> {
    let mut lines = split(input).peekable();
    std::iter::from_fn(|| {
        let (number, line) = lines.next()?;
        let next = lines.peek().map_or(&b""[..], |(_, next)| next);
        let head = line.starts_with(b"--- ") && next.starts_with(b"+++ ");
        let hunk =
            line.starts_with(b"@@") && next.first().is_some_and(|sign| b" +-".contains(sign));
        Some((head || hunk).then_some(number))
    })
    .flatten()
    .next()
}

/// For each line, whether lines of a hunk follow before anything else begins.
fn goes_on(lines: &[(u32, &[u8])]) -> Vec<bool> {
    let mut goes_on = vec![false; lines.len() + 1];
    for (index, (_, line)) in lines.iter().enumerate().rev() {
        let ends = [&b"@@"[..], b"```", b"~~~", b"diff --git ", b"--- ", b"+++ "];
        let ends = ends.iter().any(|head| line.starts_with(head));
        goes_on[index] = !ends && (is_change(line) || goes_on[index + 1]);
    }
    goes_on
}

/// Whether a line outside of a hunk goes or comes all the same, and is not an item of a
/// list, a rule or what mail puts before a signature.
fn is_change(line: &[u8]) -> bool {
    match line {
        [b'+' | b'-', b' ', told, ..] if !told.is_ascii_whitespace() => false,
        [sign @ (b'+' | b'-'), rest @ ..] => {
            let rest = rest.trim_ascii();
            !rest.is_empty() && rest.iter().any(|byte| byte != sign)
        }
        _ => false,
    }
}

/// A file on its way.
#[derive(Default)]
struct File {
    line: u32,
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
    renamed: Option<(Vec<u8>, Vec<u8>)>,
    blocks: Vec<Block>,
}

/// A hunk on its way.
#[derive(Default)]
struct Hunk {
    line: u32,
    start: Option<u32>,
    /// How many lines of either side its head promises.
    counts: [Option<usize>; 2],
    heading: Option<Vec<u8>>,
    lines: Vec<(u8, Vec<u8>)>,
    /// Whether a side lacks its last newline.
    open: [bool; 2],
}

pub(super) fn read(input: &[u8], taken: &mut Taken) -> Result<Vec<Task>, BlockError> {
    let mut tasks = Vec::new();
    let mut file = File::default();
    let mut hunk: Option<Hunk> = None;
    let all: Vec<(u32, &[u8])> = split(input).collect();
    let goes_on = goes_on(&all);
    for (index, (number, line)) in all.iter().enumerate() {
        let (number, line) = (*number, *line);
        let next = all.get(index + 1).map_or(&b""[..], |(_, line)| line);
        let head = line.starts_with(b"--- ") && next.starts_with(b"+++ ");
        if head || line.starts_with(b"diff --git ") {
            file.blocks.extend(hunk.take().map(Hunk::finish));
            if head && file.old.is_none() && file.blocks.is_empty() {
                file.line = number;
            } else {
                tasks.extend(std::mem::take(&mut file).finish()?);
                file.line = number;
            }
            taken.line(number);
            if head {
                file.old = Some(path(&line[4..]));
            }
        } else if line.starts_with(b"+++ ") && file.new.is_none() && hunk.is_none() {
            taken.line(number);
            file.new = Some(path(&line[4..]));
            // Its first hunk may lack its head.
            if next.first().is_some_and(|sign| b" +-".contains(sign)) {
                hunk = Some(Hunk::new(number + 1, b"@@"));
            }
        } else if let Some(from) = line
            .strip_prefix(b"rename from ")
            .filter(|_| hunk.is_none())
        {
            file.renamed = Some((from.to_vec(), Vec::new()));
        } else if let Some(to) = line.strip_prefix(b"rename to ").filter(|_| hunk.is_none()) {
            if let Some((_, new)) = &mut file.renamed {
                *new = to.to_vec();
            }
        } else if line.starts_with(b"@@") {
            file.blocks.extend(hunk.take().map(Hunk::finish));
            hunk = Some(Hunk::new(number, line));
            taken.line(number);
        } else if let Some(open) = &mut hunk {
            if open.add(line) {
                taken.line(number);
            } else if goes_on[index] {
                // A line that stays, without the blank before it.
                open.lines.push((b' ', line.to_vec()));
                taken.line(number);
            } else {
                file.blocks.extend(hunk.take().map(Hunk::finish));
            }
        }
    }
    file.blocks.extend(hunk.take().map(Hunk::finish));
    tasks.extend(file.finish()?);
    if tasks.is_empty() {
        return Err(bad(1, "it contains no hunk"));
    }
    Ok(tasks)
}

/// A path of a head, without a time behind it.
fn path(text: &[u8]) -> Vec<u8> {
    let text = text.split(|b| *b == b'\t').next().unwrap_or(text);
    text.trim_ascii().to_vec()
}

impl File {
    fn finish(self) -> Result<Option<Task>, BlockError> {
        const NONE: &[u8] = b"/dev/null";
        let has_hunks = !self.blocks.is_empty();
        let blocks: Vec<Block> = self
            .blocks
            .into_iter()
            .filter(|block| block.search != block.replace)
            .collect();
        if let Some((from, to)) = self.renamed {
            return Ok(Some(Task {
                end: End::Moves(to),
                input_line: self.line,
                ..Task::new(Some(from), Edits::Blocks(blocks))
            }));
        }
        if blocks.is_empty() {
            if self.old.is_some() || has_hunks {
                return Err(bad(self.line.max(1), "nothing of this file is changed"));
            }
            return Ok(None);
        }
        let line = blocks[0].input_line;
        let removes = blocks.iter().any(|block| !block.search.is_empty());
        let (old, new) = (self.old, self.new);
        let side = |path: &Option<Vec<u8>>, prefix: &[u8]| {
            let path = path.clone().filter(|path| path != NONE)?;
            let bare = path.strip_prefix(prefix).map(<[u8]>::to_vec);
            Some((path, bare))
        };
        let (bare_old, bare_new) = (side(&old, b"a/"), side(&new, b"b/"));
        // Prefixes are prefixes where no side says otherwise.
        let prefixed = |side: &Option<(Vec<u8>, Option<Vec<u8>>)>| {
            side.as_ref().is_none_or(|(_, bare)| bare.is_some())
        };
        let prefixed = prefixed(&bare_old) && prefixed(&bare_new);
        let named = |side: Option<(Vec<u8>, Option<Vec<u8>>)>| {
            side.map(|(path, bare)| bare.filter(|_| prefixed).unwrap_or(path))
        };
        let (old_name, new_name) = (named(bare_old), named(bare_new));
        let end = match (&old, &new) {
            // What has old lines is there, whatever its head says.
            (Some(old), _) if old == NONE && !removes => End::IsMade,
            (_, Some(new)) if new == NONE => End::GoesIfEmpty,
            _ => End::Stays,
        };
        let Some(path) = new_name.or(old_name) else {
            if old.is_some() || new.is_some() {
                return Err(bad(line, "this hunk is for /dev/null"));
            }
            return Ok(Some(Task {
                input_line: line,
                ..Task::new(None, Edits::Blocks(blocks))
            }));
        };
        Ok(Some(Task {
            end,
            input_line: line,
            ..Task::new(Some(path), Edits::Blocks(blocks))
        }))
    }
}

impl Hunk {
    fn new(line: u32, head: &[u8]) -> Self {
        let text = String::from_utf8_lossy(head);
        let inner = text.trim_start_matches('@');
        let (numbers, heading) = inner.split_once("@@").unwrap_or((inner, ""));
        let (start, heading) = match numbers.trim().strip_prefix('-') {
            Some(numbers) => (start(numbers), heading),
            // Without a second @@ it is all heading.
            None if !inner.contains("@@") && numbers.trim() != "..." => (None, numbers),
            None => (None, heading),
        };
        let heading = heading.trim();
        let mut sides = numbers.split_whitespace();
        let counts = [sides.next().and_then(count), sides.next().and_then(count)];
        Self {
            line,
            start,
            counts,
            heading: (!heading.is_empty()).then(|| heading.as_bytes().to_vec()),
            ..Self::default()
        }
    }

    /// Takes a line in, if it belongs to the hunk.
    fn add(&mut self, line: &[u8]) -> bool {
        match line.split_first() {
            Some((kind @ (b' ' | b'+' | b'-'), text)) => self.lines.push((*kind, text.to_vec())),
            Some((b'\\', _)) => {
                let last = self.lines.last().map(|(kind, _)| *kind);
                self.open[0] |= last != Some(b'+');
                self.open[1] |= last != Some(b'-');
            }
            None => self.lines.push((b'\n', Vec::new())),
            _ => return false,
        }
        true
    }

    fn finish(mut self) -> Block {
        // Empty lines at the end set off what follows.
        while self.lines.last().is_some_and(|(kind, _)| *kind == b'\n') {
            self.lines.pop();
        }
        let side = |gone: u8| -> Vec<Vec<u8>> {
            let lines = self.lines.iter().filter(|(kind, _)| *kind != gone);
            lines.map(|(_, text)| text.clone()).collect()
        };
        let (search, replace) = (side(b'+'), side(b'-'));
        let mut kept = Vec::new();
        let (mut old, mut new) = (0, 0);
        for (kind, _) in &self.lines {
            let (is_old, is_new) = (*kind != b'+', *kind != b'-');
            kept.extend((is_old && is_new).then_some((old, new)));
            (old, new) = (old + usize::from(is_old), new + usize::from(is_new));
        }
        // Who did not count the lines did not count those above, either.
        let counted = self.counts == [Some(search.len()), Some(replace.len())];
        let start = match self.start {
            Some(start) if search.is_empty() => Some(start.saturating_add(1)),
            start => start.filter(|start| *start > 0),
        };
        Block {
            search,
            replace,
            start_line: start,
            vague_line: !counted,
            kept,
            within: self.heading.into_iter().collect(),
            input_line: self.line,
            final_newline: (self.open != [false; 2]).then_some(!self.open[1]),
            ..Block::default()
        }
    }
}

/// The number of lines in `-12,5`; without one it is a single line.
fn count(side: &str) -> Option<usize> {
    let side = side.strip_prefix(['-', '+'])?;
    let count = side.split_once(',').map_or("1", |(_, count)| count);
    count.parse().ok()
}

/// The first line of the old side, from `12,5 +12,6`.
fn start(numbers: &str) -> Option<u32> {
    let digits: String = numbers.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
