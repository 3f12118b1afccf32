//! The statement on a line, ignoring modifiers and spacing.
//!
//! `private final NameIndex index;` and `final NameIndex  index;` are the same
//! declaration. Two lines with the same statement are one edited line: they can
//! move together, and the edit is shown.

use mvdiff_lines::is_word;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Whether a word may precede a declaration without changing what it declares.
#[rustfmt::skip]
fn is_modifier(word: &[u8]) -> bool {
    matches!(
        word,
        b"abstract" | b"async" | b"const" | b"constexpr" | b"declare" | b"default"
            | b"explicit" | b"export" | b"extern" | b"final" | b"inline" | b"internal"
            | b"lateinit" | b"mut" | b"native" | b"open" | b"override" | b"private"
            | b"protected" | b"pub" | b"public" | b"readonly" | b"sealed" | b"static"
            | b"synchronized" | b"transient" | b"virtual" | b"volatile"
    )
}

/// A line without its leading modifiers. A line of nothing but modifiers keeps
/// them.
fn without_modifiers(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    let mut rest = line;
    while let Some(behind) = without_modifier(rest) {
        rest = behind;
    }
    if rest.is_empty() { line } else { rest }
}

/// A hash that lines with the same statement share: of everything but white
/// space.
pub(crate) fn key(line: &[u8]) -> u64 {
    const PIECE: usize = 64;
    let mut hash = 0;
    let mut piece = [0; PIECE];
    let mut count = 0;
    // Without a branch for each byte: what follows overwrites a blank.
    for few in without_modifiers(line).chunks(PIECE / 2) {
        for &byte in few {
            piece[count % PIECE] = byte;
            count += usize::from(COUNTS[usize::from(byte)]);
        }
        // Pieces end after the same number of bytes that count, wherever blanks
        // are.
        if count >= PIECE / 2 {
            hash = xxh3_64_with_seed(&piece[..PIECE / 2], hash);
            piece.copy_within(PIECE / 2.., 0);
            count -= PIECE / 2;
        }
    }
    xxh3_64_with_seed(&piece[..count], hash)
}

/// For each byte, 1 if it is not white space.
const COUNTS: [u8; 256] = {
    let mut table = [1; 256];
    let mut byte = 0;
    while byte < 256 {
        if (byte as u8).is_ascii_whitespace() {
            table[byte] = 0;
        }
        byte += 1;
    }
    table
};

/// Whether two lines state the same: equal without leading modifiers, and with
/// blanks between the same words.
pub(crate) fn is_same_statement(old: &[u8], new: &[u8]) -> bool {
    let (mut old, mut new) = (without_modifiers(old), without_modifiers(new));
    let mut last = b' ';
    loop {
        let (a, b) = (old.trim_ascii_start(), new.trim_ascii_start());
        let blanks = (a.len() != old.len(), b.len() != new.len());
        let (Some((&first, a)), Some((&second, b))) = (a.split_first(), b.split_first()) else {
            return a.is_empty() && b.is_empty();
        };
        let parts_words = is_word(last) && is_word(first);
        if first != second || (parts_words && blanks.0 != blanks.1) {
            return false;
        }
        (old, new, last) = (a, b, first);
    }
}

/// The rest of a line after its leading modifier.
fn without_modifier(line: &[u8]) -> Option<&[u8]> {
    // The longest has 12 letters, and all start with a lowercase letter.
    if !line.first()?.is_ascii_lowercase() {
        return None;
    }
    let end = line
        .iter()
        .take(13)
        .position(|b| !b.is_ascii_alphanumeric())?;
    let (word, mut rest) = line.split_at(end);
    let ends_word = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'(';
    if !rest.first().is_some_and(ends_word) || !is_modifier(word) {
        return None;
    }
    // `pub(crate)`
    if word == b"pub" && rest.starts_with(b"(") {
        let close = rest.iter().position(|&b| b == b')')?;
        rest = &rest[close + 1..];
    }
    // A separate word, not a call or an assignment.
    rest.first()
        .is_some_and(u8::is_ascii_whitespace)
        .then(|| rest.trim_ascii_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_and_spacing_do_not_count() {
        let same = [
            (
                "private final NameIndex index;",
                "  final NameIndex  index;",
            ),
            ("pub(crate) fn f(a: u8) {", "fn f( a: u8 ) {"),
            ("export default async function go() {", "function go() {"),
            ("int   x = 1;", "int x=1;"),
        ];
        for (old, new) in same {
            assert!(is_same_statement(old.as_bytes(), new.as_bytes()), "{old}");
            assert_eq!(key(old.as_bytes()), key(new.as_bytes()), "{old}");
        }
    }

    #[test]
    fn everything_else_does() {
        let other = [
            ("int x = 1;", "intx = 1;"),
            ("public:", "private:"),
            ("private Map<String> a;", "private Map<String> b;"),
            ("default(x)", "x"),
            ("static", "final"),
        ];
        for (old, new) in other {
            assert!(!is_same_statement(old.as_bytes(), new.as_bytes()), "{old}");
        }
    }
}
