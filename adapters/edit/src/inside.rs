//! Blocks that look for a part of a line.

use crate::change::Change;
use crate::fold;
use crate::ground::Ground;
use crate::merge::line_end;
use crate::problem::is_informative;
use crate::readings::Reading;
use crate::resolve::{Found, Target};
use memchr::memmem;

/// Characters other than space from which on a text is searched for inside of
/// lines: less occurs by chance.
const WITHIN_LINE: usize = 6;
/// Places that are looked at.
const MOST: usize = 9;
/// Signs that are one word if they follow each other: `--`, `//`, `==`.
const SIGNS: &[u8] = b"-/=#*&|+<>:.!~%^\\";

/// What came of looking inside of lines.
pub(crate) enum Inside {
    Once(Found),
    /// In these lines, or in one where it is unclear what goes.
    Unclear(Vec<usize>),
    Never,
}

/// Looks for a text inside of lines, byte for byte, between words.
pub(crate) fn inside(reading: &Reading, ground: &Ground<'_>) -> Inside {
    let text = ground.lines.bytes;
    let mut search = reading.search.join(&b'\n');
    let end = line_end(&ground.lines, 0);
    if reading.string && end != b"\n" && memmem::find(text, &search).is_none() {
        search = reading.search.join(end);
    }
    let informative = search.iter().filter(|b| !b.is_ascii_whitespace()).count();
    // A blank line is not the end of a line that has text.
    let blank = reading
        .search
        .first()
        .is_some_and(|line| fold::is_blank(line));
    if blank && !reading.string {
        return Inside::Never;
    }
    let least = if reading.string { 1 } else { WITHIN_LINE };
    if informative < least || reading.replace.is_empty() && !reading.string {
        return Inside::Never;
    }
    // A string is as it is.
    let apart = |at: &usize| reading.string || is_apart(text, *at, &search);
    let found: Vec<usize> = memmem::find_iter(text, &search)
        .filter(apart)
        .take(MOST)
        .collect();
    let line_of = |at: &usize| ground.lines.line_of(*at);
    match found[..] {
        [] => Inside::Never,
        [at] => once(reading, ground, at, search.len())
            .map_or_else(|| Inside::Unclear(vec![line_of(&at)]), Inside::Once),
        _ => Inside::Unclear(found.iter().map(line_of).collect()),
    }
}

/// Where the lines of a block are byte for byte, between words; of white space that goes on
/// to the left, the last.
pub(crate) fn occurrences(reading: &Reading, ground: &Ground<'_>) -> Vec<usize> {
    let text = ground.lines.bytes;
    let search = reading.search.join(&b'\n');
    let blank = |byte: Option<&u8>| byte.is_some_and(|b| b" \t".contains(b));
    let found = memmem::find_iter(text, &search).filter(|at| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        let goes_on = blank(before) && blank(search.first());
        is_apart(text, *at, &search) && !goes_on
    });
    found.take(MOST).collect()
}

/// Whether something in a text does not begin or end inside of a word.
fn is_apart(text: &[u8], at: usize, search: &[u8]) -> bool {
    let joins = |a: Option<&u8>, b: Option<&u8>| {
        let words = a.is_some_and(|b| word(*b)) && b.is_some_and(|b| word(*b));
        words || a == b && a.is_some_and(|sign| SIGNS.contains(sign))
    };
    let before = at.checked_sub(1).and_then(|at| text.get(at));
    let behind = text.get(at + search.len());
    !joins(before, search.first()) && !joins(search.last(), behind)
}

fn word(byte: u8) -> bool {
    is_informative(byte) || byte == b'_'
}

/// The one place. Where a line was cut short, the rest goes with it if
/// the new line has it, too.
fn once(reading: &Reading, ground: &Ground<'_>, at: usize, len: usize) -> Option<Found> {
    let text = ground.lines.bytes;
    let mut range = at..at + len;
    let first = ground.lines.line_of(at);
    let last = ground.lines.line_of(range.end - 1);
    let replace = reading.replace.join(&b'\n');
    // The new text may be around the old one already.
    // A string that grows may do so twice.
    let again = if reading.string { &b""[..] } else { &replace };
    let mut offsets = memmem::find_iter(again, &text[range.clone()]);
    let done = |offset: usize| {
        let start = at.checked_sub(offset)?;
        (text.get(start..start + replace.len())? == replace).then_some(())
    };
    let already = offsets.find_map(done).map(|()| first..last + 1);
    let whole = ground.lines.start(first)..line_start_end(ground, last);
    if range.end > whole.end {
        // It ends with a blank line, which is not inside of anything.
        return None;
    }
    let head = text[whole.start..range.start].trim_ascii();
    let tail = text[range.end..whole.end].trim_ascii();
    if reading.replace.is_empty() && is_cut_short(head, tail) {
        // Signs would be left of a line that should go.
        return None;
    }
    if already.is_none() && !reading.replace.is_empty() {
        let change = Change::new(&reading.search, &reading.replace);
        let (line_start, line_end) = (whole.start, whole.end);
        // The new lines that stand for the first and the last of the old ones.
        let stands_for = |old: usize, or: usize| {
            let new = change.became[old].or(change.kept[old]);
            &reading.replace[new.unwrap_or(or)][..]
        };
        let new_first = stands_for(0, 0);
        let new_last = stands_for(reading.search.len() - 1, reading.replace.len() - 1);
        // The signs that the line ends with, those that were cut off included.
        let signs = [signs_at_end(reading.search.last()?), tail].concat();
        if !tail.is_empty() && new_last.trim_ascii_end().ends_with(&signs) {
            range.end = line_end;
        } else if is_cut_short(head, tail) && !(reading.string && continues(reading, new_last)) {
            // It is unknown whether the new line should end with these signs, too.
            return None;
        }
        let begins = |line: &[u8], part: &[u8]| line.trim_ascii_start().starts_with(part);
        if !head.is_empty() && begins(new_first, head) && !begins(reading.search.first()?, head) {
            range.start = line_start + indent_len(&text[line_start..range.start]);
        }
    }
    let mut replace = reading.replace.clone();
    if range.start > ground.lines.start(first) {
        // What is before it indents the line.
        let indented = text[ground.lines.start(first)..range.start]
            .trim_ascii()
            .is_empty();
        let own = reading.search[0].len() - reading.search[0].trim_ascii_start().len();
        if indented && own == 0 {
            let indent = &text[ground.lines.start(first)..range.start];
            for line in replace.iter_mut().skip(1).filter(|line| !line.is_empty()) {
                line.splice(..0, indent.iter().copied());
            }
            let first = &mut replace[0];
            let more = first.len() - first.trim_ascii_start().len();
            first.drain(..more);
        }
    }
    Some(Found {
        search: reading.search.clone(),
        replace,
        place: Target::Bytes(vec![range]),
        already,
        runner_up: None,
    })
}

/// Where a line ends, its end aside.
fn line_start_end(ground: &Ground<'_>, line: usize) -> usize {
    ground.lines.start(line) + ground.lines.get(line).len()
}

fn indent_len(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

/// Whether only signs are left of the line, behind the match.
fn is_cut_short(head: &[u8], tail: &[u8]) -> bool {
    head.is_empty() && !tail.is_empty() && !tail.iter().any(|b| word(*b))
}

/// The signs at the end of a line, behind its last word.
fn signs_at_end(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii_end();
    let words = line.iter().rposition(|b| word(*b)).map_or(0, |at| at + 1);
    &line[words..]
}

/// How many brackets are opened and not closed.
fn open_brackets(lines: &[Vec<u8>]) -> i64 {
    let signs = lines.iter().flatten();
    signs.fold(0, |open, sign| match sign {
        b'(' | b'[' | b'{' => open + 1,
        b')' | b']' | b'}' => open - 1,
        _ => open,
    })
}

/// Whether the new text ends as the old one does, so that what follows the old
/// one can follow the new one.
fn continues(reading: &Reading, new_last: &[u8]) -> bool {
    if open_brackets(&reading.search) != open_brackets(&reading.replace) {
        return false;
    }
    let old = reading
        .search
        .last()
        .and_then(|line| line.trim_ascii_end().last());
    let last = reading
        .replace
        .last()
        .and_then(|line| line.trim_ascii_end().last());
    let same_line = reading.replace.last().is_some_and(|line| line == new_last);
    match (old, last) {
        (Some(old), Some(new)) => same_line && (old == new || word(*old) && word(*new)),
        _ => false,
    }
}
