//! What a line states, without its modifiers and its spacing.
//!
//! `private final NameIndex index;` and `final NameIndex  index;` are the same
//! declaration. Lines that state the same are one line, edited: they can move
//! together, and the edit is shown.

/// Words that may come before a declaration without changing what it declares.
const MODIFIERS: [&[u8]; 28] = [
    b"abstract",
    b"async",
    b"const",
    b"constexpr",
    b"declare",
    b"default",
    b"explicit",
    b"export",
    b"extern",
    b"final",
    b"inline",
    b"internal",
    b"lateinit",
    b"mut",
    b"native",
    b"open",
    b"override",
    b"private",
    b"protected",
    b"pub",
    b"public",
    b"readonly",
    b"sealed",
    b"static",
    b"synchronized",
    b"transient",
    b"virtual",
    b"volatile",
];

/// A line as it is compared when modifiers and spacing do not count: no
/// modifiers in front, one blank between words, none elsewhere. A line that is
/// nothing else keeps its modifiers.
pub(crate) fn statement(line: &[u8]) -> Vec<u8> {
    let line = line.trim_ascii();
    let mut rest = line;
    while let Some(behind) = without_modifier(rest) {
        rest = behind;
    }
    spaced(if rest.is_empty() { line } else { rest })
}

/// Whether two lines state the same.
pub(crate) fn is_same_statement(old: &[u8], new: &[u8]) -> bool {
    statement(old) == statement(new)
}

/// What is behind the modifier that a line begins with.
fn without_modifier(line: &[u8]) -> Option<&[u8]> {
    let end = line.iter().position(|b| !b.is_ascii_alphanumeric())?;
    let (word, mut rest) = line.split_at(end);
    MODIFIERS.binary_search(&word).ok()?;
    // `pub(crate)`
    if word == b"pub" && rest.starts_with(b"(") {
        let close = rest.iter().position(|&b| b == b')')?;
        rest = &rest[close + 1..];
    }
    // A word of its own, not a call or an assignment.
    rest.first()
        .is_some_and(u8::is_ascii_whitespace)
        .then(|| rest.trim_ascii_start())
}

/// A line with one blank between words and none elsewhere.
fn spaced(line: &[u8]) -> Vec<u8> {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    let mut out: Vec<u8> = Vec::with_capacity(line.len());
    let mut blank = false;
    for &byte in line {
        if byte.is_ascii_whitespace() {
            blank = true;
            continue;
        }
        let parts = is_word(byte) && out.last().is_some_and(|&last| is_word(last));
        if std::mem::take(&mut blank) && parts {
            out.push(b' ');
        }
        out.push(byte);
    }
    out
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

    #[test]
    fn modifiers_are_in_order() {
        assert!(MODIFIERS.is_sorted());
    }
}
