//! The answers of Roo Code's multi-search-replace, block for block, its faults
//! included: for those who move over and want to compare.
//!
//! Nothing else in the crate uses this module, and it uses little of the
//! others: what Roo Code does must not change with ours.

mod grammar;
mod search;

use crate::blocks::{
    BlockError, Dialect, Item, is_numbered, strip, strip_loosely, unescape, validate,
};
use crate::report::{BlockReport, Status};
use crate::{ErrorKind, Options, Tier, fold};
use grammar::Raw;
use search::{Haystack, Hit};

/// What Roo Code makes of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Compat {
    /// The new text, if a block applied.
    pub text: Option<Vec<u8>>,
    /// What became of the blocks that it reports, in the order it takes them.
    pub blocks: Vec<BlockReport>,
}

/// One text of blocks, as its single-file variant takes it.
pub(crate) fn single(text: &[u8], blocks: &[u8], options: &Options) -> Result<Compat, BlockError> {
    let start_line = options.start_line;
    one(text, blocks, start_line, options, Dialect::Single)
}

/// Several texts of blocks one after the other, as its multi-file variant takes
/// them: a text that cannot be read is a block that failed.
pub(crate) fn items(text: &[u8], items: &[Item], options: &Options) -> Compat {
    let mut current = text.to_vec();
    let mut blocks: Vec<BlockReport> = Vec::new();
    let mut applied = false;
    for item in items {
        let start_line = item.start_line.or(options.start_line);
        let index = blocks.len();
        match one(&current, &item.content, start_line, options, Dialect::Multi) {
            Ok(Compat {
                text: Some(new),
                blocks: done,
            }) if !new.is_empty() => {
                // It does not report blocks that failed along with others.
                blocks.extend(done.into_iter().filter(BlockReport::is_done));
                current = new;
                applied = true;
            }
            Ok(Compat { blocks: failed, .. }) => {
                let failed: Vec<_> = failed.into_iter().filter(|b| !b.is_done()).collect();
                if failed.is_empty() {
                    blocks.push(BlockReport::failed(index, ErrorKind::EmptyResult));
                }
                blocks.extend(failed);
            }
            Err(error) => blocks.push(BlockReport::unreadable(index, &error)),
        }
    }
    for (index, block) in (0..).zip(&mut blocks) {
        block.index = index;
    }
    Compat {
        text: applied.then_some(current),
        blocks,
    }
}

fn one(
    text: &[u8],
    blocks: &[u8],
    start_line: Option<u32>,
    options: &Options,
    dialect: Dialect,
) -> Result<Compat, BlockError> {
    let unescaped = options.unescape_html.then(|| unescape(blocks));
    let blocks = unescaped.as_deref().unwrap_or(blocks);
    validate(blocks.split(|b| *b == b'\n'), dialect)?;
    let raw = grammar::blocks(blocks, dialect);
    if raw.is_empty() {
        return Err(BlockError::new(ErrorKind::NoBlocks, 1));
    }
    let mut raw: Vec<(usize, Raw<'_>)> = raw.into_iter().enumerate().collect();
    for (_, block) in &mut raw {
        block.start_line = start_line.or(block.start_line);
    }
    raw.sort_by_key(|(_, block)| block.start_line.unwrap_or(0));
    let mut sheet = Sheet {
        lines: split(text),
        delta: 0,
        options,
    };
    let reports: Vec<BlockReport> = raw
        .into_iter()
        .map(|(index, block)| sheet.apply(index, &block))
        .collect();
    let applied = reports.iter().any(BlockReport::is_done);
    let end: &[u8] = match memchr::memmem::find(text, b"\r\n") {
        Some(_) => b"\r\n",
        None => b"\n",
    };
    Ok(Compat {
        text: applied.then(|| sheet.lines.join(end)),
        blocks: reports,
    })
}

fn split(text: &[u8]) -> Vec<Vec<u8>> {
    let lines: Vec<&[u8]> = text.split(|b| *b == b'\n').collect();
    let last = lines.len() - 1;
    let line = |(i, line): (usize, &[u8])| match line.strip_suffix(b"\r") {
        Some(line) if i < last => line.to_vec(),
        _ => line.to_vec(),
    };
    lines.into_iter().enumerate().map(line).collect()
}

/// The text while blocks are applied to it one by one.
struct Sheet<'o> {
    lines: Vec<Vec<u8>>,
    /// How many lines more there are than there were.
    delta: i64,
    options: &'o Options,
}

impl Sheet<'_> {
    fn apply(&mut self, index: usize, raw: &Raw<'_>) -> BlockReport {
        let header = i64::from(raw.start_line.unwrap_or(0));
        let mut start = header + if header == 0 { 0 } else { self.delta };
        let mut search = unescape_markers(raw.search);
        let mut replace = unescape_markers(raw.replace);
        let numbered = |text: &[u8]| split(text).iter().all(|line| is_numbered(line));
        let blank = fold::is_blank(&replace);
        if numbered(&search) && (numbered(&replace) || blank) {
            let (stripped, first) = strip(&split(&search));
            if start == 0 {
                start = i64::from(first.unwrap_or(0));
            }
            replace = joined(&strip(&split(&replace)).0, &replace);
            search = joined(&stripped, &search);
        }
        let start_line = u32::try_from(start).ok().filter(|line| *line > 0);
        let failed = |kind| BlockReport {
            start_line,
            ..BlockReport::failed(index, kind)
        };
        if search == replace {
            return failed(ErrorKind::Identical);
        }
        if search.is_empty() {
            return failed(ErrorKind::EmptySearch);
        }
        let haystack = Haystack::new(&self.lines);
        let threshold = self.options.threshold;
        let buffer = i64::from(self.options.buffer_lines);
        let count = self.lines.len() as i64;
        let height = split(&search).len() as i64;
        let named = (start != 0).then(|| haystack.at(&search, start - 1));
        let named = named.filter(|hit| hit.similarity >= threshold);
        let range = match (start, &named) {
            (0, _) | (_, Some(_)) => 0..count,
            _ => (start - buffer - 1).max(0)..(start + height + buffer).min(count),
        };
        // A place before the first line is none: so Roo Code
        // marks what it did not find.
        let named = named.filter(|hit| hit.index != -1);
        let best = named.or_else(|| haystack.middle_out(&search, range.clone()));
        let found = best.clone().filter(|hit| hit.similarity >= threshold);
        let found = found.or_else(|| {
            let loose = joined(&strip_loosely(&split(&search)), &search);
            let hit = haystack.middle_out(&loose, range)?;
            let hit = (hit.similarity >= threshold).then_some(hit)?;
            replace = joined(&strip_loosely(&split(&replace)), &replace);
            search = loose;
            Some(hit)
        });
        let Some(hit) = found else {
            let similarity = best.map_or(0.0, |hit| hit.similarity);
            let needs = self.options.needs_pct();
            let report = failed(ErrorKind::NoMatch).with_similarity(similarity);
            return BlockReport {
                needs_pct: Some(needs),
                message: Some(format!(
                    "no sufficiently similar match ({} % similar, needs {needs} %)",
                    report.similarity_pct.unwrap_or(0)
                )),
                ..report
            };
        };
        self.replace(index, &hit, &split(&search), &replace)
    }

    fn replace(
        &mut self,
        index: usize,
        hit: &Hit,
        search: &[Vec<u8>],
        replace: &[u8],
    ) -> BlockReport {
        let matched = search::slice(self.lines.len(), hit.index, hit.index + search.len() as i64);
        let new = if replace.is_empty() {
            Vec::new()
        } else {
            split(replace)
        };
        let first = self.lines[matched.clone()].first();
        let base = first.map_or_else(Vec::new, |line| indent(line).to_vec());
        let own = indent(&search[0]).len();
        let new: Vec<Vec<u8>> = new.iter().map(|line| reindent(line, &base, own)).collect();
        self.delta += new.len() as i64 - matched.len() as i64;
        let behind = search::slice(self.lines.len(), hit.index + search.len() as i64, i64::MAX);
        let before = search::slice(self.lines.len(), 0, hit.index);
        let behind = self.lines[behind].to_vec();
        let mut lines = self.lines[before].to_vec();
        lines.extend(new);
        lines.extend(behind);
        self.lines = lines;
        let exact = hit.similarity >= 1.0;
        BlockReport {
            line: u32::try_from(hit.index + 1).ok(),
            tier: Some(if exact { Tier::Space } else { Tier::Fuzzy }),
            ..BlockReport::new(index, Status::Applied).with_similarity(hit.similarity)
        }
    }
}

/// Lines put together again with the line ends they had.
fn joined(lines: &[Vec<u8>], was: &[u8]) -> Vec<u8> {
    let end: &[u8] = match memchr::memmem::find(was, b"\r\n") {
        Some(_) => b"\r\n",
        None => b"\n",
    };
    lines.join(end)
}

/// Tabs and blanks at the start of a line.
fn indent(line: &[u8]) -> &[u8] {
    let len = line
        .iter()
        .take_while(|b| matches!(b, b'\t' | b' '))
        .count();
    &line[..len]
}

/// A new line relative to the first line of the place, counted in characters.
fn reindent(line: &[u8], base: &[u8], own: usize) -> Vec<u8> {
    let current = indent(line);
    let indent = if current.len() < own {
        let less = own - current.len();
        base[..base.len().saturating_sub(less)].to_vec()
    } else {
        [base, &current[own..]].concat()
    };
    [&indent, fold::trim(line)].concat()
}

/// Removes the backslash before a marker at the start of a line.
fn unescape_markers(text: &[u8]) -> Vec<u8> {
    const MARKERS: [&[u8]; 6] = [
        b"<<<<<<<",
        b"=======",
        b">>>>>>>",
        b"-------",
        b":start_line:",
        b":end_line:",
    ];
    let line = |line: &[u8]| match line.strip_prefix(b"\\") {
        Some(rest) if MARKERS.iter().any(|marker| rest.starts_with(marker)) => rest.to_vec(),
        _ => line.to_vec(),
    };
    let lines: Vec<Vec<u8>> = text.split(|b| *b == b'\n').map(line).collect();
    lines.join(&b'\n')
}
