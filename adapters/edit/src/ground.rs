//! A text that blocks are looked for in, and what helps to look for many.

use crate::blocks::Block;
use crate::exact_match;
use crate::fold::{self, Sum};
use crate::match_site::Place;
use crate::text::{Lines, has_lone_cr};
use memchr::memmem;
use std::cell::Cell;

/// A text, by line.
pub(crate) struct Ground<'t> {
    pub lines: Lines<'t>,
    pub sums: Vec<Sum>,
    index: Option<Index>,
    /// Bytes that may still be searched for what is merely alike.
    budget: Cell<usize>,
    /// Bytes that may still be searched for what is inside of lines, too.
    looks: Cell<usize>,
}

/// Of so many lines, one begins with a tag if it is markup.
const MARKUP: usize = 32;
/// Blocks from which on an index pays.
const MANY: usize = 24;
/// Bytes that are searched for similarity in all.
const BUDGET: usize = 1 << 29;

impl<'t> Ground<'t> {
    /// A text that so many blocks are looked for in.
    pub(crate) fn new(text: &'t [u8], blocks: usize) -> Self {
        Self::of_lines(Lines::new(text), blocks)
    }

    /// A text that these blocks are looked for in. Among lines that end otherwise, a
    /// `\r` by itself ends one, too, unless a block has one inside of a line.
    pub(crate) fn for_blocks(text: &'t [u8], blocks: &[Block]) -> Self {
        let mut lines = blocks
            .iter()
            .flat_map(|b| b.search.iter().chain(&b.replace));
        let mixed = has_lone_cr(text) && memchr::memchr(b'\n', text).is_some();
        if mixed && !lines.any(|line| line.contains(&b'\r')) {
            Self::of_lines(Lines::with_lone_cr(text), blocks.len())
        } else {
            Self::new(text, blocks.len())
        }
    }

    fn of_lines(lines: Lines<'t>, blocks: usize) -> Self {
        let sums = exact_match::sums(&lines);
        let index = (blocks >= MANY).then(|| Index::new(&lines));
        Self {
            lines,
            sums,
            index,
            budget: Cell::new(BUDGET),
            looks: Cell::new(BUDGET),
        }
    }

    /// The lines alone, without what helps to find something in them.
    pub(crate) fn into_lines(self) -> Lines<'t> {
        self.lines
    }

    /// All places that say the same as some lines, but for white space and
    /// typography, in order.
    pub(crate) fn places(&self, search: &[Vec<u8>]) -> Vec<Place> {
        let starts = self.index.as_ref().and_then(|index| index.starts(search));
        match starts {
            Some(starts) => exact_match::places_at(search, &self.lines, &self.sums, &starts),
            None => exact_match::places(search, &self.lines, &self.sums),
        }
    }

    /// Whether the text has no entities but in comments, and is not markup.
    pub(crate) fn is_plain_code(&self) -> bool {
        let has = |part: &[u8]| memmem::find(self.lines.bytes, part).is_some();
        // Programs have tags in strings; markup has them at the start of lines.
        let tag = |line: &usize| fold::trim(self.lines.get(*line)).starts_with(b"<");
        let tags = || (0..self.lines.len()).filter(tag).count() * MARKUP;
        let in_code = |line: &[u8], at: usize| !is_comment(line) && !is_in_string(line, at);
        !self.has_entities(in_code) && (!has(b"</") || tags() < self.lines.len())
    }

    /// Whether the text has entities at all.
    pub(crate) fn has_any_entities(&self) -> bool {
        self.has_entities(|_, _| true)
    }

    /// Whether strings have entities, as programs do that write markup.
    pub(crate) fn has_entities_in_strings(&self) -> bool {
        self.has_entities(|line, at| !is_comment(line) && is_in_string(line, at))
    }

    /// Whether comments have entities, as Javadoc does.
    pub(crate) fn has_entities_in_comments(&self) -> bool {
        self.has_entities(|line, _| is_comment(line))
    }

    fn has_entities(&self, of: impl Fn(&[u8], usize) -> bool) -> bool {
        ENTITIES.into_iter().any(|entity| {
            let mut found = memmem::find_iter(self.lines.bytes, entity);
            found.any(|at| {
                let line = self.lines.line_of(at);
                of(self.lines.get(line), at - self.lines.start(line))
            })
        })
    }

    /// Whether the text may be searched for a block that was found, once more.
    pub(crate) fn may_look(&self) -> bool {
        let left = self.looks.get().checked_sub(self.lines.bytes.len() + 1);
        self.looks.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Whether the text may be searched once more for what is alike.
    pub(crate) fn spend(&self) -> bool {
        let cost = self.lines.bytes.len() + 1;
        let left = self.budget.get().checked_sub(cost);
        // Once is always worth it.
        let first = self.budget.get() == BUDGET;
        self.budget.set(left.unwrap_or(0));
        left.is_some() || first
    }
}

const ENTITIES: [&[u8]; 4] = [b"&lt;", b"&gt;", b"&amp;", b"&quot;"];

/// Whether a line has an entity outside of its strings.
pub(crate) fn has_entity_in_code(line: &[u8]) -> bool {
    ENTITIES.into_iter().any(|entity| {
        let mut found = memmem::find_iter(line, entity);
        found.any(|at| !is_in_string(line, at))
    })
}

/// Whether something in a line is between quotes.
fn is_in_string(line: &[u8], at: usize) -> bool {
    let mut open = None;
    let mut escaped = false;
    for byte in &line[..at.min(line.len())] {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' | b'\'' | b'`' if open.is_none() => open = Some(byte),
            _ if open == Some(byte) => open = None,
            _ => {}
        }
    }
    open.is_some()
}

/// Whether a line is a comment, or a line of one.
pub(crate) fn is_comment(line: &[u8]) -> bool {
    const SIGNS: [&[u8]; 4] = [b"//", b"/*", b"*", b"#"];
    let line = fold::trim(line);
    SIGNS.iter().any(|sign| line.starts_with(sign))
}

/// What a text says, white space and typography aside, by how it goes on from
/// each line.
struct Index {
    said: Vec<u8>,
    /// Where each line starts in what is said, and behind the last where it ends.
    starts: Vec<usize>,
    /// For some lengths the lines that go on for so long, by a hash of that.
    levels: Vec<(usize, Vec<(u64, u32)>)>,
}

/// Lengths by which lines are found.
const LEVELS: [usize; 3] = [48, 12, 4];

impl Index {
    fn new(lines: &Lines<'_>) -> Self {
        let mut said = Vec::with_capacity(lines.bytes.len());
        let mut starts = Vec::with_capacity(lines.len() + 1);
        for line in lines.range(0..lines.len()) {
            starts.push(said.len());
            fold::push_said(line, &mut said);
        }
        starts.push(said.len());
        let level = |len: usize| {
            let key = |line: usize| {
                let from = starts[line];
                let told = starts[line + 1] > from;
                let text = said.get(from..from + len).filter(|_| told)?;
                Some((hash(text), line as u32))
            };
            let mut keys: Vec<_> = (0..lines.len()).filter_map(key).collect();
            keys.sort_unstable();
            (len, keys)
        };
        let levels = LEVELS.map(level).to_vec();
        Self {
            said,
            starts,
            levels,
        }
    }

    /// The lines where a text that says the same can start, in order, with the
    /// line behind its end; nothing if it is too short to tell.
    fn starts(&self, search: &[Vec<u8>]) -> Option<Vec<(usize, usize)>> {
        let mut said = Vec::new();
        for line in search {
            fold::push_said(line, &mut said);
        }
        let (len, keys) = self.levels.iter().find(|(len, _)| *len <= said.len())?;
        let key = hash(&said[..*len]);
        let first = keys.partition_point(|(other, _)| *other < key);
        let found = keys[first..].iter().take_while(|(other, _)| *other == key);
        let mut starts = Vec::new();
        for (_, line) in found {
            let line = *line as usize;
            let from = self.starts[line];
            let to = from + said.len();
            if self.said.get(from..to) != Some(&said[..]) {
                continue;
            }
            let end = self.starts.partition_point(|start| *start < to);
            if self.starts.get(end) == Some(&to) {
                starts.push((line, end));
            }
        }
        Some(starts)
    }
}

fn hash(text: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_blocks_are_found_where_few_are() {
        let text =
            "alpha beta\n  gamma\n\nalphabeta gamma\nalpha\nbeta gamma\n\u{201c}x\u{201d}y z w\n";
        let few = Ground::new(text.as_bytes(), 1);
        let many = Ground::new(text.as_bytes(), MANY);
        for search in [
            "alpha beta\ngamma",
            "alpha beta gamma",
            "\"x\"y\nz w",
            "zw",
            "gamma",
        ] {
            let search: Vec<Vec<u8>> = search.lines().map(|l| l.as_bytes().to_vec()).collect();
            assert_eq!(few.places(&search), many.places(&search), "{search:?}");
        }
    }
}
