//! Maps lines to tokens. Every old line is hashed, but only those new lines that
//! do not simply follow the old text.

use crate::Error;
use crate::lines::{Files, Lines, check_size};
use mvdiff_core::{Interner, Token};
use xxhash_rust::xxh3::xxh3_64;

/// The interner, and the locations of its contents.
pub(crate) struct Table {
    interner: Interner,
    /// The line that each token was created for: its number among the old lines,
    /// or after them among the new ones. A number takes a third of the space of a
    /// slice, and untouched memory costs nothing.
    first: Vec<u32>,
}

impl Table {
    /// Reads the old side into a table of matching size.
    pub(crate) fn read_old<'t>(texts: &[&'t [u8]]) -> Result<(Self, Files<'t>), Error> {
        let split: Result<Vec<Lines<'t>>, Error> =
            texts.iter().map(|text| Lines::new(text)).collect();
        let split = split?;
        let count = split.iter().map(Lines::len).sum();
        let mut table = Self {
            interner: Interner::with_capacity(count),
            first: Vec::with_capacity(count),
        };
        let mut side = Files::new(texts.len(), count);
        for lines in split {
            table.intern_all(&lines, &mut side);
            side.end_file(lines)?;
        }
        Ok((table, side))
    }

    /// Reads the new side in parallel with the old one: two versions of a text
    /// mostly agree, and equal bytes are equal lines without hashing.
    pub(crate) fn read_new<'t>(
        &mut self,
        texts: &[&'t [u8]],
        old: &Files<'t>,
        partners: &[(u32, u32)],
    ) -> Result<Files<'t>, Error> {
        let mut side = Files::new(texts.len(), old.tokens.len());
        let mut starts = vec![0; texts.len()];
        for (file, new) in partners {
            let there = old.starts.get(*file as usize).copied();
            if let (Some(there), Some(start)) = (there, starts.get_mut(*new as usize)) {
                *start = there;
            }
        }
        for (&text, start) in texts.iter().zip(starts) {
            check_size(text)?;
            let lines = self.follow(text, old, start, &mut side);
            side.end_file(lines)?;
        }
        Ok(side)
    }

    /// Appends the tokens of a file's `lines` to its side.
    fn intern_all(&mut self, lines: &Lines<'_>, side: &mut Files<'_>) {
        const BATCH: usize = 64;
        let base = side.tokens.len() as u32;
        let mut hashes = [0; BATCH];
        let mut start = 0;
        for ends in lines.ends.chunks(BATCH) {
            let hashes = &mut hashes[..ends.len()];
            let mut from = start;
            for (hash, &end) in hashes.iter_mut().zip(ends) {
                *hash = xxh3_64(&lines.bytes[from..end as usize]);
                from = end as usize;
            }
            self.interner.warm(hashes);
            for (&hash, &end) in hashes.iter().zip(ends) {
                let line = &lines.bytes[start..end as usize];
                start = end as usize;
                let first = &self.first;
                let token = self.interner.intern(hash, |seen| {
                    let number = first[seen.0 as usize];
                    match number.checked_sub(base) {
                        Some(here) => lines.get(here as usize) == line,
                        None => side.line(number) == line,
                    }
                });
                self.remember(token, side.tokens.len());
                side.tokens.push(token);
            }
        }
    }

    /// Records the line that a new token was created for.
    #[inline]
    fn remember(&mut self, token: Token, number: usize) {
        if token.0 as usize == self.first.len() {
            self.first.push(number as u32);
        }
    }

    /// Splits `text` and appends the tokens of its lines, continuing in `old`
    /// from the last matched line.
    fn follow<'t>(
        &mut self,
        text: &'t [u8],
        old: &Files<'t>,
        mut expected: u32,
        side: &mut Files<'t>,
    ) -> Lines<'t> {
        let old_count = old.tokens.len() as u32;
        let base = side.tokens.len() as u32;
        let room = old.tokens.len().min(text.len() / 4 + 1);
        let mut lines = Lines {
            bytes: text,
            ends: Vec::with_capacity(room),
        };
        let mut at = 0;
        while at < text.len() {
            if expected < old_count {
                let (file, line) = old.place(expected);
                let there = &old.texts[file];
                let start = there.start(line);
                let equal = whole_lines(there, line, &text[at..]);
                if equal > 0 {
                    let from = expected as usize;
                    side.tokens
                        .extend_from_slice(&old.tokens[from..from + equal]);
                    let ends = there.ends[line..line + equal].iter();
                    lines
                        .ends
                        .extend(ends.map(|end| end - start as u32 + at as u32));
                    at += there.ends[line + equal - 1] as usize - start;
                    expected += equal as u32;
                    continue;
                }
            }
            let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |n| at + n + 1);
            let line = &text[at..end];
            let first = &self.first;
            let token = self.interner.intern(xxh3_64(line), |seen| {
                let number = first[seen.0 as usize];
                let known = match number.checked_sub(old_count) {
                    None => old.line(number),
                    Some(new) if new < base => side.line(new),
                    Some(new) => lines.get((new - base) as usize),
                };
                known == line
            });
            self.remember(token, old_count as usize + side.tokens.len());
            // Continue after the place of the line in `old`; a line that does not
            // occur there replaces another one.
            expected = match self.first[token.0 as usize] {
                number if number < old_count => number + 1,
                _ => expected.saturating_add(1),
            };
            side.tokens.push(token);
            lines.ends.push(end as u32);
            at = end;
        }
        lines
    }
}

impl<'t> Files<'t> {
    fn new(files: usize, lines: usize) -> Self {
        Self {
            texts: Vec::with_capacity(files),
            starts: vec![0],
            tokens: Vec::with_capacity(lines),
        }
    }

    fn line(&self, number: u32) -> &'t [u8] {
        let (file, line) = self.place(number);
        self.texts[file].get(line)
    }

    /// Finishes a file whose tokens were appended.
    fn end_file(&mut self, lines: Lines<'t>) -> Result<(), Error> {
        // Old and new lines are numbered together.
        if self.tokens.len() >= u32::MAX as usize / 2 {
            return Err(Error::TooLarge {
                bytes: lines.bytes.len(),
            });
        }
        self.starts.push(self.tokens.len() as u32);
        self.texts.push(lines);
        Ok(())
    }
}

/// Number of lines from `line` on that `text` starts with, too.
fn whole_lines(lines: &Lines<'_>, line: usize, text: &[u8]) -> usize {
    let start = lines.start(line);
    let common = common_prefix(&lines.bytes[start..], text);
    let reach = (start + common) as u32;
    // At most one line per byte.
    let ends = &lines.ends[line..lines.ends.len().min(line + common)];
    let whole = ends.partition_point(|&end| end <= reach);
    // A last line without a newline equals only another last line.
    let last =
        whole > 0 && ends[whole - 1] as usize == lines.bytes.len() && !lines.bytes.ends_with(b"\n");
    if last && common < text.len() {
        whole - 1
    } else {
        whole
    }
}

/// Length of the common prefix of two texts.
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    const PIECE: usize = 128;
    let pieces = a.chunks_exact(PIECE).zip(b.chunks_exact(PIECE));
    let equal = pieces.take_while(|(a, b)| a == b).count() * PIECE;
    let rest = a[equal..].iter().zip(&b[equal..]);
    equal + rest.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares tokens from the table with equality of the lines themselves.
    fn check(old: &[u8], new: &[u8]) {
        let (mut table, a) = Table::read_old(&[old]).unwrap();
        let b = table.read_new(&[new], &a, &[(0, 0)]).unwrap();
        let split = Lines::new(new).unwrap();
        assert_eq!(b.texts[0].ends, split.ends);
        let old = a.tokens.iter().zip(a.texts[0].iter());
        let all: Vec<_> = old.chain(b.tokens.iter().zip(split.iter())).collect();
        for (i, s) in &all {
            for (j, t) in &all {
                assert_eq!(i == j, s == t, "{s:?} {t:?}");
            }
        }
    }

    #[test]
    fn following_gives_the_tokens_that_hashing_gives() {
        let texts: [&[u8]; 10] = [
            b"",
            b"\n",
            b"a",
            b"a\n",
            b"a\nb",
            b"a\nb\n",
            b"a\nb\nc\na\nb",
            b"b\na\n\n\nb\na\nb\n",
            b"ab\nabc\nab",
            b"x\na\nb\nc\na\nb\n",
        ];
        for old in texts {
            for new in texts {
                check(old, new);
            }
        }
    }

    #[test]
    fn a_line_that_only_begins_alike_is_another_line() {
        check(b"alpha\nbeta", b"alpha\nbetamax\n");
        check(b"alpha\nbetamax", b"alpha\nbeta");
        let long = [b"y".repeat(500), b"\nz".to_vec()].concat();
        check(&long, &[long.clone(), b"z\nz".to_vec()].concat());
    }
}
