//! Lines to tokens: every old line is hashed, of the new ones only those that
//! do not simply follow the old text.

use crate::Error;
use crate::lines::{Files, Lines, check_size};
use mvdiff_core::{Interner, Token};
use xxhash_rust::xxh3::xxh3_64;

/// The interner and where the contents of its tokens stand.
pub(crate) struct Table<'t> {
    interner: Interner,
    first: Vec<First<'t>>,
}

/// Where a line was seen first.
#[derive(Clone, Copy)]
struct First<'t> {
    line: &'t [u8],
    /// Its number among the lines of its side.
    at: u32,
}

impl<'t> Table<'t> {
    pub(crate) fn new(lines: usize) -> Self {
        Self {
            interner: Interner::with_capacity(lines),
            first: Vec::with_capacity(lines),
        }
    }

    pub(crate) fn read_old(&mut self, texts: &[&'t [u8]]) -> Result<Files<'t>, Error> {
        let mut side = Files {
            texts: Vec::with_capacity(texts.len()),
            starts: vec![0],
            tokens: Vec::new(),
        };
        for &text in texts {
            let lines = Lines::new(text)?;
            side.tokens.reserve(lines.len());
            self.intern_all(&lines, &mut side.tokens);
            side.end_file(lines)?;
        }
        Ok(side)
    }

    /// Reads the new side along the old one: two versions of a text run along
    /// each other, and equal bytes are equal lines without looking at them.
    pub(crate) fn read_new(
        &mut self,
        texts: &[&'t [u8]],
        old: &Files<'t>,
        partners: &[(u32, u32)],
    ) -> Result<Files<'t>, Error> {
        let mut side = Files {
            texts: Vec::with_capacity(texts.len()),
            starts: vec![0],
            tokens: Vec::with_capacity(old.tokens.len()),
        };
        for (number, &text) in texts.iter().enumerate() {
            check_size(text)?;
            let partner = partners.iter().find(|(_, new)| *new as usize == number);
            let expected = partner
                .and_then(|(file, _)| old.starts.get(*file as usize))
                .copied();
            let lines = self.follow(text, old, expected.unwrap_or(0), &mut side.tokens);
            side.end_file(lines)?;
        }
        Ok(side)
    }

    /// Appends the tokens of `lines`.
    fn intern_all(&mut self, lines: &Lines<'t>, tokens: &mut Vec<Token>) {
        const BATCH: usize = 64;
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
                tokens.push(self.intern(hash, line, tokens.len()));
            }
        }
    }

    #[inline]
    fn intern(&mut self, hash: u64, line: &'t [u8], at: usize) -> Token {
        let first = &mut self.first;
        let token = self
            .interner
            .intern(hash, |seen| first[seen.0 as usize].line == line);
        if token.0 as usize == first.len() {
            first.push(First {
                line,
                at: at as u32,
            });
        }
        token
    }

    /// Splits `text` and appends the tokens of its lines, reading on from where
    /// the last line stands in `old`.
    fn follow(
        &mut self,
        text: &'t [u8],
        old: &Files<'t>,
        mut expected: u32,
        tokens: &mut Vec<Token>,
    ) -> Lines<'t> {
        let from_old = self.first.len();
        let mut ends: Vec<u32> = Vec::with_capacity(old.tokens.len().min(text.len() / 4 + 1));
        let mut at = 0;
        while at < text.len() {
            if (expected as usize) < old.tokens.len() {
                let (file, line) = old.place(expected);
                let lines = &old.texts[file];
                let start = lines.start(line);
                let equal = whole_lines(lines, line, &text[at..]);
                if equal > 0 {
                    let here = expected as usize;
                    tokens.extend_from_slice(&old.tokens[here..here + equal]);
                    let same = &lines.ends[line..line + equal];
                    ends.extend(same.iter().map(|end| end - start as u32 + at as u32));
                    at += lines.ends[line + equal - 1] as usize - start;
                    expected += equal as u32;
                    continue;
                }
            }
            let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |n| at + n + 1);
            let line = &text[at..end];
            let known = self.first.len();
            let token = self.intern(xxh3_64(line), line, tokens.len());
            // Read on behind the place where the line stands there; a line that
            // stands nowhere has taken another one's place.
            let token_at = token.0 as usize;
            expected = match self.first[token_at] {
                First { at, .. }
                    if token_at < from_old.min(known) && at < old.tokens.len() as u32 =>
                {
                    at + 1
                }
                _ => expected.saturating_add(1),
            };
            tokens.push(token);
            ends.push(end as u32);
            at = end;
        }
        Lines { bytes: text, ends }
    }
}

impl<'t> Files<'t> {
    /// Ends a file whose tokens were appended.
    fn end_file(&mut self, lines: Lines<'t>) -> Result<(), Error> {
        if self.tokens.len() >= u32::MAX as usize - 1 {
            return Err(Error::TooLarge {
                bytes: lines.bytes.len(),
            });
        }
        self.starts.push(self.tokens.len() as u32);
        self.texts.push(lines);
        Ok(())
    }
}

/// How many lines from `line` on stand at the start of `text`, too.
fn whole_lines(lines: &Lines<'_>, line: usize, text: &[u8]) -> usize {
    let start = lines.start(line);
    let common = common_prefix(&lines.bytes[start..], text);
    let reach = (start + common) as u32;
    // At most one line a byte.
    let ends = &lines.ends[line..lines.ends.len().min(line + common)];
    let whole = ends.partition_point(|&end| end <= reach);
    // A last line without newline is equal only to another last line.
    let last =
        whole > 0 && ends[whole - 1] as usize == lines.bytes.len() && !lines.bytes.ends_with(b"\n");
    if last && common < text.len() {
        whole - 1
    } else {
        whole
    }
}

/// How many bytes two texts begin with in common.
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

    /// Tokens through the table, beside equality of the lines themselves.
    fn check(old: &[u8], new: &[u8]) {
        let mut table = Table::new(4);
        let a = table.read_old(&[old]).unwrap();
        let b = table.read_new(&[new], &a, &[(0, 0)]).unwrap();
        let split = Lines::new(new).unwrap();
        assert_eq!(b.texts[0].ends, split.ends);
        for (i, s) in a.tokens.iter().zip(a.texts[0].iter()) {
            for (j, t) in b.tokens.iter().zip(split.iter()) {
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
