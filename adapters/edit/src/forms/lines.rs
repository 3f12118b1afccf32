//! Lines of an input, and blocks between markers in it.

use super::bad;
use super::beside::Taken;
use crate::blocks::{Block, BlockError, finish};
use crate::text::without_end;

/// The lines of an input with their numbers, counted from one.
pub(super) fn split(input: &[u8]) -> impl Iterator<Item = (u32, &[u8])> + Clone {
    let lines = mvdiff_lines::split(input).map(without_end);
    (1..).zip(lines)
}

/// A text as lines without their ends; a final newline ends the last one.
pub(super) fn lines_of(text: &[u8]) -> Vec<Vec<u8>> {
    split(text).map(|(_, line)| line.to_vec()).collect()
}

/// A line that is signs, at least so many and at most so many, and then a word.
/// A sign more behind the word is nothing.
pub(super) fn is_marker(
    line: &[u8],
    sign: u8,
    count: std::ops::RangeInclusive<usize>,
    word: &str,
) -> bool {
    let line = line.trim_ascii_end();
    let signs = line.iter().take_while(|b| **b == sign).count();
    let rest = &line[signs..];
    if !count.contains(&signs) {
        return false;
    }
    if word.is_empty() {
        return rest.is_empty();
    }
    let Some(rest) = rest.strip_prefix(b" ") else {
        return false;
    };
    rest.strip_prefix(word.as_bytes())
        .is_some_and(|rest| matches!(rest, b"" | b">" | b"<"))
}

/// What the markers of a form are.
pub(super) struct Markers {
    pub search: fn(&[u8]) -> bool,
    pub separator: fn(&[u8]) -> bool,
    pub replace: fn(&[u8]) -> bool,
    /// How they are written, for messages.
    pub shown: [&'static str; 3],
}

/// A block, and the number of the line that it begins with.
pub(super) type Read = (u32, Block);

impl Markers {
    /// The blocks of an input. Where a block has several separators, each may be
    /// the one: the text decides. A block that is indented as a whole, in a list perhaps,
    /// is read without that.
    pub(super) fn read(&self, input: &[u8], taken: &mut Taken) -> Result<Vec<Read>, BlockError> {
        let mut blocks = Vec::new();
        let mut lines = split(input);
        while let Some((start, line)) = lines.next() {
            let indent = &line[..line.len() - line.trim_ascii_start().len()];
            if !(self.search)(&line[indent.len()..]) {
                continue;
            }
            let mut body: Vec<Vec<u8>> = Vec::new();
            let mut separators = Vec::new();
            loop {
                let Some((number, line)) = lines.next() else {
                    let missing = match separators.len() {
                        0 => self.shown[1],
                        _ => self.shown[2],
                    };
                    let number = split(input).count() as u32 + 1;
                    return Err(bad(
                        number,
                        format!("the block of line {start} ends before its {missing}"),
                    ));
                };
                let line = match line.strip_prefix(indent) {
                    Some(line) => line,
                    None if line.trim_ascii().is_empty() => b"",
                    None => {
                        return Err(bad(
                            number,
                            format!("this line is not indented as the block of line {start} is"),
                        ));
                    }
                };
                if (self.replace)(line) && !separators.is_empty() {
                    taken.lines(start..number + 1);
                    break;
                }
                if (self.search)(line) {
                    return Err(bad(
                        number,
                        format!(
                            "the block of line {start} is not closed before this {}",
                            self.shown[0]
                        ),
                    ));
                }
                if (self.separator)(line) {
                    separators.push(body.len());
                }
                body.push(line.to_vec());
            }
            blocks.push((start, block(start, &body, &separators)));
        }
        if blocks.is_empty() {
            let [search, separator, replace] = self.shown;
            return Err(bad(
                1,
                format!("has no blocks; a block is {search}, lines, {separator}, lines, {replace}"),
            ));
        }
        Ok(blocks)
    }
}

/// A block of lines with separators among them.
fn block(start: u32, body: &[Vec<u8>], separators: &[usize]) -> Block {
    let split_at = |at: &usize| {
        finish(Block {
            search: body[..*at].to_vec(),
            replace: body[at + 1..].to_vec(),
            input_line: start,
            ..Block::default()
        })
    };
    let mut ways = separators.iter().map(split_at);
    let first = ways.next().unwrap_or_default();
    let others = ways.map(|way| (way.search, way.replace)).collect();
    Block {
        splits: others,
        ..first
    }
}
