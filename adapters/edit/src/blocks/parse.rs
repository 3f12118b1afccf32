//! Blocks out of text, in one pass.

use super::{Block, BlockError, Dialect, Marker, validate};
use crate::text::{BOM, without_end};
use crate::{ErrorKind, fold};

/// Reads blocks; text between them is prose and is left alone.
///
/// # Errors
/// A marker out of order, one that should be escaped, an end that came too
/// early, or no block at all, with the line.
pub fn parse(input: &[u8], dialect: Dialect) -> Result<Vec<Block>, BlockError> {
    let input = input.strip_prefix(BOM).unwrap_or(input);
    validate(split(input), dialect)?;
    let mut blocks = Vec::new();
    let mut current: Option<Block> = None;
    let mut in_replace = false;
    for (line, text) in (1..).zip(split(input)) {
        match (dialect.marker(text), &mut current) {
            (Marker::Search, _) => {
                current = Some(Block {
                    input_line: line,
                    ..Block::default()
                });
                in_replace = false;
            }
            (Marker::Separator, Some(_)) => in_replace = true,
            (Marker::Replace, Some(_)) => blocks.extend(current.take().map(finish)),
            (_, Some(block)) => {
                let side = if in_replace {
                    &mut block.replace
                } else {
                    &mut block.search
                };
                side.push(text.to_vec());
            }
            (_, None) => {}
        }
    }
    if blocks.is_empty() {
        return Err(BlockError::new(ErrorKind::NoBlocks, 1));
    }
    Ok(blocks)
}

/// The lines of an input; a final newline ends the last one.
fn split(input: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    mvdiff_lines::split(input).map(without_end)
}

/// Takes the head off the lines to look for, and the escapes off all.
pub(crate) fn finish(mut block: Block) -> Block {
    let mut at = 0;
    let (mut start, mut end) = (None, None);
    while let Some(line) = block.search.get(at) {
        let value = |name: &[u8]| {
            let rest = line.strip_prefix(name)?;
            if !rest.trim_ascii().is_empty() {
                return Some((number(rest)?, 1));
            }
            // The number may be on the line below.
            Some((number(block.search.get(at + 1)?)?, 2))
        };
        let found = match (start, end) {
            (None, _) if line.starts_with(b":start_line:") => {
                value(b":start_line:").inspect(|(line, _)| start = Some(*line))
            }
            (_, None) => value(b":end_line:").inspect(|(line, _)| end = Some(*line)),
            _ => None,
        };
        let Some((_, taken)) = found else { break };
        at += taken;
    }
    // Without a head a line of dashes is text; it may be read otherwise later.
    let text = block.search[at..].iter().position(|l| !fold::is_blank(l));
    if let Some(dashes) = text.filter(|_| at > 0)
        && block.search[at + dashes].trim_ascii_end() == b"-------"
    {
        at += dashes + 1;
        block.dashes = true;
    }
    block.search.drain(..at);
    block.start_line = start.filter(|line| *line > 0);
    for line in block.search.iter_mut().chain(&mut block.replace) {
        unescape_marker(line);
    }
    // An empty line between the markers is how people write "nothing".
    if block.replace.iter().all(|line| fold::is_blank(line)) {
        block.replace.clear();
    }
    block
}

fn number(text: &[u8]) -> Option<u32> {
    let text = text.trim_ascii();
    let digits = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    // A number beyond all lines is still a number.
    let value = || std::str::from_utf8(text).ok()?.parse().ok();
    digits.then(|| value().unwrap_or(u32::MAX))
}

const ESCAPED: [&[u8]; 6] = [
    b"<<<<<<<",
    b"=======",
    b">>>>>>>",
    b"-------",
    b":start_line:",
    b":end_line:",
];

/// Takes the backslash before a marker away; indentation may come first.
fn unescape_marker(line: &mut Vec<u8>) {
    let indent = fold::leading_space(line);
    if let Some(rest) = line[indent..].strip_prefix(b"\\")
        && ESCAPED.iter().any(|marker| rest.starts_with(marker))
    {
        line.remove(indent);
    }
}
