//! What of a text counts when white space and typography do not.

use unicode_normalization::UnicodeNormalization as _;

/// A character of a text that need not be UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    Char(char),
    /// A byte that is part of no character.
    Byte(u8),
}

/// Characters that show nothing and that editors and web pages leave behind.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'
    )
}

/// The characters of some bytes as they are meant: composed where they can be,
/// and without those that show nothing.
fn decode_meant(bytes: &[u8]) -> impl Iterator<Item = Unit> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid().nfc().filter(|c| !is_invisible(*c));
        let valid = valid.map(Unit::Char);
        valid.chain(chunk.invalid().iter().map(|b| Unit::Byte(*b)))
    })
}

/// The characters of some bytes.
pub(crate) fn decode(bytes: &[u8]) -> impl Iterator<Item = Unit> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid().chars().map(Unit::Char);
        valid.chain(chunk.invalid().iter().map(|b| Unit::Byte(*b)))
    })
}

/// White space as editors on the web see it: Unicode's, and the byte order mark.
pub(crate) fn is_space(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}'
        | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}')
}

/// How many bytes of white space a text starts with.
pub(crate) fn leading_space(bytes: &[u8]) -> usize {
    let mut at = 0;
    for unit in decode(bytes) {
        match unit {
            Unit::Char(c) if is_space(c) => at += c.len_utf8(),
            _ => break,
        }
    }
    at
}

/// How many bytes are left without the white space at the end.
pub(crate) fn trimmed_len(bytes: &[u8]) -> usize {
    if bytes.is_ascii() {
        return bytes.trim_ascii_end().len();
    }
    let (mut at, mut end) = (0, 0);
    for unit in decode(bytes) {
        let (len, space) = match unit {
            Unit::Char(c) => (c.len_utf8(), is_space(c)),
            Unit::Byte(_) => (1, false),
        };
        at += len;
        if !space {
            end = at;
        }
    }
    end
}

/// A text without white space at its ends.
pub(crate) fn trim(bytes: &[u8]) -> &[u8] {
    let end = trimmed_len(bytes);
    let start = leading_space(&bytes[..end]);
    &bytes[start..end]
}

/// Whether a line is nothing but white space.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    leading_space(line) == line.len()
}

/// The plain character that a typographic one stands for.
pub(crate) fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{201c}'..='\u{201f}' => "\"",
        '\u{2018}'..='\u{201b}' => "'",
        '\u{2010}'..='\u{2015}' | '\u{2212}' => "-",
        '\u{2026}' => "...",
        _ => return None,
    })
}

/// As [`plain`], in Roo Code's multi-search-replace, which knows fewer of them.
fn plain_for_similarity(c: char) -> Option<&'static str> {
    match c {
        '\u{201c}' | '\u{201d}' | '\u{2018}' | '\u{2019}' | '\u{2026}' | '\u{2013}'
        | '\u{2014}' => plain(c),
        _ => None,
    }
}

/// Appends what similarity is measured on: plain quotes, dashes and ellipses,
/// every run of white space one space, none at the ends, in UTF-16.
pub(crate) fn push_units(text: &[u8], out: &mut Vec<u16>) {
    let start = out.len();
    let mut space = false;
    let push = |code: u16, out: &mut Vec<u16>, space: &mut bool| {
        if std::mem::take(space) && out.len() > start {
            out.push(u16::from(b' '));
        }
        out.push(code);
    };
    if text.is_ascii() {
        for &byte in text {
            if matches!(byte, b'\t'..=b'\r' | b' ') {
                space = true;
            } else {
                push(u16::from(byte), out, &mut space);
            }
        }
        return;
    }
    for unit in decode(text) {
        match unit {
            Unit::Char(c) if is_space(c) => space = true,
            Unit::Char(c) => {
                if let Some(plain) = plain_for_similarity(c) {
                    plain
                        .bytes()
                        .for_each(|b| push(u16::from(b), out, &mut space));
                } else {
                    let mut buffer = [0; 2];
                    for code in c.encode_utf16(&mut buffer) {
                        push(*code, out, &mut space);
                    }
                }
            }
            // A lone surrogate, which no character has.
            Unit::Byte(b) => push(0xdc00 | u16::from(b), out, &mut space),
        }
    }
}

/// The units of a whole text.
pub(crate) fn units(text: &[u8]) -> Vec<u16> {
    let mut out = Vec::with_capacity(text.len());
    push_units(text, &mut out);
    out
}

/// Whether typographic characters are taken for the plain ones.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Typography {
    Counts,
    Folded,
}

/// The words of lines, as characters with a mark where a word begins.
struct Words<I> {
    units: I,
    typography: Typography,
    rest: &'static [u8],
    space: bool,
    /// Whether the character before is one of those that words are made of.
    inside: bool,
}

impl<I: Iterator<Item = Unit>> Iterator for Words<I> {
    /// The character, and whether white space sets it apart from a word before it.
    /// Between signs white space sets nothing apart.
    type Item = (Unit, bool);

    fn next(&mut self) -> Option<(Unit, bool)> {
        if let Some((first, rest)) = self.rest.split_first() {
            self.rest = rest;
            self.inside = false;
            return Some((Unit::Char(char::from(*first)), false));
        }
        loop {
            let mut unit = self.units.next()?;
            if let Unit::Char(c) = unit {
                if is_space(c) {
                    self.space = true;
                    continue;
                }
                if self.typography == Typography::Folded
                    && let Some(plain) = plain(c)
                {
                    let (first, rest) = plain.as_bytes().split_at(1);
                    unit = Unit::Char(char::from(first[0]));
                    self.rest = rest;
                }
            }
            let word = match unit {
                Unit::Char(c) => c.is_alphanumeric() || c == '_',
                Unit::Byte(_) => true,
            };
            let apart = std::mem::take(&mut self.space) && word && self.inside;
            self.inside = word;
            return Some((unit, apart));
        }
    }
}

/// Whether lines consist of the same words, however they are spaced and broken.
pub(crate) fn same_words<'l>(
    a: impl Iterator<Item = &'l [u8]>,
    b: impl Iterator<Item = &'l [u8]>,
    typography: Typography,
) -> bool {
    words(a, typography).eq(words(b, typography))
}

fn words<'l>(
    lines: impl Iterator<Item = &'l [u8]>,
    typography: Typography,
) -> impl Iterator<Item = (Unit, bool)> {
    let newline = || std::iter::once(Unit::Char('\n'));
    Words {
        units: lines.flat_map(move |line| newline().chain(units_of(line, typography))),
        typography,
        rest: &[],
        space: false,
        inside: false,
    }
}

/// The characters of a line, as they are or as they are meant.
fn units_of(line: &[u8], typography: Typography) -> Box<dyn Iterator<Item = Unit> + '_> {
    if typography == Typography::Folded && !line.is_ascii() {
        Box::new(decode_meant(line))
    } else {
        Box::new(decode(line))
    }
}

/// Appends what a line says, white space and typography aside.
pub(crate) fn push_said(line: &[u8], out: &mut Vec<u8>) {
    if line.is_ascii() {
        let told = line.iter().filter(|b| !matches!(b, b'\t'..=b'\r' | b' '));
        out.extend(told);
        return;
    }
    for unit in decode_meant(line) {
        match unit {
            Unit::Char(c) if is_space(c) => {}
            Unit::Char(c) => match plain(c) {
                Some(plain) => out.extend_from_slice(plain.as_bytes()),
                None => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            },
            Unit::Byte(b) => out.push(b),
        }
    }
}

/// What a line says but for white space and typography: how many bytes that
/// are, and a sum over them. Sums of several lines add up to the sum of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Sum {
    pub len: u32,
    bag: u64,
}

impl Sum {
    pub(crate) fn of(line: &[u8]) -> Self {
        let mut sum = Self::default();
        for piece in line.chunks(PIECE) {
            let (mut packed, mut high) = (0u64, 0);
            for &byte in piece {
                packed = packed.wrapping_add(TABLE[usize::from(byte)]);
                high |= byte;
            }
            if high >= 0x80 {
                return Self::of_unicode(line);
            }
            sum.add_packed(packed);
        }
        sum
    }

    fn of_unicode(line: &[u8]) -> Self {
        let mut said = Vec::with_capacity(line.len());
        push_said(line, &mut said);
        let mut sum = Self::default();
        sum.add_bytes(&said);
        sum
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.add_packed(TABLE[usize::from(byte)]);
        }
    }

    fn add_packed(&mut self, packed: u64) {
        self.len += (packed & COUNT) as u32;
        self.bag = self.bag.wrapping_add(packed >> COUNT_BITS);
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.len = self.len.saturating_add(other.len);
        self.bag = self.bag.wrapping_add(other.bag);
    }

    pub(crate) fn subtract(&mut self, other: Self) {
        self.len = self.len.saturating_sub(other.len);
        self.bag = self.bag.wrapping_sub(other.bag);
    }

    /// A hash of it, for look-ups.
    pub(crate) fn key(self) -> u64 {
        (self.bag ^ u64::from(self.len) << 48).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The low bits of an entry count, the others are random.
const COUNT_BITS: u32 = 16;
const COUNT: u64 = (1 << COUNT_BITS) - 1;
/// Bytes whose count fits, and whose random parts do not carry out of the top.
const PIECE: usize = 1 << 12;

const TABLE: [u64; 256] = table();

const fn table() -> [u64; 256] {
    let mut table = [0; 256];
    let mut seed: u64 = 0x5eed_ed17;
    let mut byte = 0;
    while byte < 256 {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = seed;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let space = byte == b' ' as usize || (byte >= 9 && byte <= 13);
        if !space {
            // 36 random bits: 4096 of them still fit above the count.
            table[byte] = ((mixed >> 28) << COUNT_BITS) | 1;
        }
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn similarity_text(text: &[u8]) -> String {
        String::from_utf16_lossy(&units(text))
    }

    #[test]
    fn white_space_and_typography_are_made_plain() {
        assert_eq!(similarity_text(b"  a \t b\n\nc  "), "a b c");
        assert_eq!(
            similarity_text("\u{201c}x\u{201d}\u{a0}\u{2014} y\u{2026}".as_bytes()),
            "\"x\" - y..."
        );
        assert_eq!(units(b"a\xffb"), [97, 0xdcff, 98]);
    }

    #[test]
    fn sums_add_up_over_lines_and_ignore_spacing() {
        let mut both = Sum::of(b"  let x = 1;");
        both.add(Sum::of(b"let y = 2;"));
        assert_eq!(both, Sum::of(b"let x = 1; let  y=2;"));
        assert_eq!(
            Sum::of("a \u{2014} \u{201c}b\u{201d}".as_bytes()),
            Sum::of(b"a - \"b\"")
        );
        let long = vec![b'z'; 100_000];
        assert_eq!(Sum::of(&long).len, 100_000);
        assert_ne!(Sum::of(b"ab"), Sum::of(b"ac"));
    }

    #[test]
    fn accents_and_invisible_characters_do_not_count() {
        let (composed, apart) = ("caf\u{e9} x", "cafe\u{301}\u{200b} x");
        let [composed, apart] = [composed, apart].map(str::as_bytes);
        assert_eq!(Sum::of(composed), Sum::of(apart));
        let same = |typography| same_words([composed].into_iter(), [apart].into_iter(), typography);
        assert!(same(Typography::Folded) && !same(Typography::Counts));
    }

    #[test]
    fn words_are_told_apart_by_space() {
        let same =
            |a: &[u8], b: &[u8]| same_words([a].into_iter(), [b].into_iter(), Typography::Folded);
        assert!(same(b"x  y", b" x y "));
        assert!(!same(b"x y", b"xy") && !same(b"1 2", b"12") && !same(b"a_ b", b"a_b"));
        assert!(same(b"f( a, b ) {", b"f(a,b){") && same(b"x = - 1", b"x=-1"));
        assert!(same_words(
            [&b"x"[..], b"y"].into_iter(),
            [&b"x y"[..]].into_iter(),
            Typography::Counts
        ));
    }
}
