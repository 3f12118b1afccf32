//! The ways to read a block, the most literal first: numbers in front of its
//! lines, entities and dashes are taken for what they are only if nothing in the
//! text is as the block has it.

use crate::Options;
use crate::blocks::{Block, numbers, unescape};
use crate::ground::{Ground, has_entity_in_code, is_comment};
use memchr::memmem;

/// A block as it could be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    pub search: Vec<Vec<u8>>,
    pub replace: Vec<Vec<u8>>,
    /// Where it should be, counted from one.
    pub hint: Option<u32>,
    pub kind: ReadingKind,
    /// Whether it is a string that may begin and end inside of lines.
    pub string: bool,
}

/// What a reading takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadingKind {
    Literal,
    Entities,
    Numbers,
}

/// A line of dashes, which may be text or the end of a head.
const DASHES: &[u8] = b"-------";

pub(crate) fn readings(block: &Block, ground: &Ground<'_>, options: &Options) -> Vec<Reading> {
    let hint = block.start_line.or(options.start_line);
    let literal = Reading {
        search: block.search.clone(),
        replace: block.replace.clone(),
        hint,
        kind: ReadingKind::Literal,
        string: block.string,
    };
    if block.literal {
        return vec![literal];
    }
    let mut readings = with_dashes(block, literal);
    let escaped = |lines: &[Vec<u8>]| lines.iter().any(|line| unescape(line) != *line);
    for reading in &mut readings {
        // Somebody who says so, or whose new lines have nothing but entities, and
        // whose old lines tell nothing to the contrary.
        let code = || reading.replace.iter().any(|line| is_escaped_code(line));
        let plain = || {
            !has_signs(reading) && (ground.is_plain_code() || !ground.has_any_entities() && code())
        };
        // In a program that writes markup, those between quotes may be text.
        let in_code = || reading.replace.iter().any(|line| has_entity_in_code(line));
        let meant =
            || options.unescape_html || plain() && (!ground.has_entities_in_strings() || in_code());
        if !escaped(&reading.search) && escaped(&reading.replace) && meant() {
            let keeps = !options.unescape_html && ground.has_entities_in_comments();
            for line in &mut reading.replace {
                if !keeps || !is_comment(line) || has_known_tags(line, ground.lines.bytes) {
                    *line = unescape(line);
                }
            }
        }
    }
    let meant: Vec<Reading> = readings
        .iter()
        .filter(|reading| escaped(&reading.search))
        .map(|reading| Reading {
            search: unescaped(&reading.search),
            replace: unescaped(&reading.replace),
            hint,
            kind: ReadingKind::Entities,
            string: block.string,
        })
        .collect();
    readings.extend(meant);
    let plain = readings.len();
    for index in 0..plain {
        let Reading {
            search, replace, ..
        } = &readings[index];
        if let Some(stripped) = numbers::strip_new(search, replace) {
            readings[index].replace = stripped;
        } else if let Some(stripped) = numbers::strip_both(search, replace) {
            readings.push(Reading {
                search: stripped.search,
                replace: stripped.replace,
                hint: hint.or(stripped.first),
                kind: ReadingKind::Numbers,
                string: block.string,
            });
        }
    }
    readings
}

/// Whether a block has a sign as it is that would be an entity in HTML.
fn has_signs(reading: &Reading) -> bool {
    let lines = || reading.search.iter().chain(&reading.replace);
    // Who writes some quotes as they are means an entity by the others.
    let has = |part: &[u8]| lines().any(|line| memmem::find(line, part).is_some());
    let quotes: [&[u8]; 4] = [b"&quot;", b"&apos;", b"&#39;", b"&#x27;"];
    if (has(b"\"") || has(b"'")) && quotes.into_iter().any(has) {
        return true;
    }
    lines().any(|line| {
        let meant = unescape(line).len();
        // Every entity counts as its sign once.
        let signs = |line: &[u8]| line.iter().filter(|b| b"<>&".contains(b)).count();
        line.iter().any(|b| b"<>".contains(b)) || meant == line.len() && signs(line) > 0
    })
}

/// Whether all entities of a line are in tags that a text has as they are, and never with
/// entities.
fn has_known_tags(line: &[u8], text: &[u8]) -> bool {
    let mut rest = line;
    let mut known = false;
    while let Some(at) = memmem::find(rest, b"&lt;") {
        let Some(end) = memmem::find(&rest[at..], b"&gt;") else {
            return false;
        };
        let tag = &rest[at..at + end + 4];
        let is_there = |tag: &[u8]| memmem::find(text, tag).is_some();
        if !is_there(&unescape(tag)) || is_there(tag) || rest[..at].contains(&b'&') {
            return false;
        }
        known = true;
        rest = &rest[at + end + 4..];
    }
    known && !rest.contains(&b'&')
}

/// Whether a line is code that markup has between its text, with entities for its signs:
/// a tag that a line begins with, an arrow before a body, a conjunction.
fn is_escaped_code(line: &[u8]) -> bool {
    let tag = line.trim_ascii_start().strip_prefix(b"&lt;");
    let tag = tag.is_some_and(|tag| {
        tag.first()
            .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'/')
    });
    let arrow = memmem::find(line, b"=&gt;").map(|at| line[at + 5..].trim_ascii_start());
    let arrow = arrow.is_some_and(|body| matches!(body.first(), None | Some(b'{' | b'(')));
    tag || arrow || memmem::find(line, b" &amp;&amp; ").is_some()
}

fn unescaped(lines: &[Vec<u8>]) -> Vec<Vec<u8>> {
    lines.iter().map(|line| unescape(line)).collect()
}

/// A line of dashes at the start may end a head that is not there, and one that
/// ended a head may be text.
fn with_dashes(block: &Block, literal: Reading) -> Vec<Reading> {
    let dashed = |lines: &[Vec<u8>]| lines.first().is_some_and(|l| l.trim_ascii_end() == DASHES);
    if block.dashes && dashed(&block.replace) {
        let mut search = vec![DASHES.to_vec()];
        search.extend_from_slice(&block.search);
        let text = Reading {
            search,
            ..literal.clone()
        };
        return vec![text, literal];
    }
    if !block.dashes && dashed(&block.search) && block.search.len() > 1 {
        let from = usize::from(dashed(&block.replace));
        let head = Reading {
            search: block.search[1..].to_vec(),
            replace: block.replace[from..].to_vec(),
            ..literal.clone()
        };
        return vec![literal, head];
    }
    vec![literal]
}
