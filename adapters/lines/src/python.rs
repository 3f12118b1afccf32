//! Lines as Python splits and strips them.

/// The lines of a text, including blank ones, split as by Python's
/// `str.splitlines`.
///
/// ```
/// assert_eq!(mvdiff_lines::python::split_lines("a\r\nb\u{2028}c\n"), ["a", "b", "c"]);
/// ```
#[must_use]
pub fn split_lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    each_line(text, |line| lines.push(line));
    lines
}

/// Calls `f` with each line, split as by Python's `str.splitlines`.
pub fn each_line<'t>(text: &'t str, mut f: impl FnMut(&'t str)) {
    let bytes = text.as_bytes();
    let plain = !may_break(bytes);
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes).chain([text.len()]) {
        if start == text.len() {
            break;
        }
        let is_last = end == text.len();
        // A carriage return before a newline is part of the same line end.
        let with_return = !is_last && end > start && bytes[end - 1] == b'\r';
        let line = &text[start..end - usize::from(with_return)];
        if plain || !may_break(line.as_bytes()) {
            f(line);
        } else {
            split_rare(line, is_last, &mut f);
        }
        start = end + 1;
    }
}

/// Whether a byte could belong to a line end other than `\n`.
fn may_break(line: &[u8]) -> bool {
    // Without an early exit, so that the loop vectorises.
    let found = line.iter().fold(0, |found, &b| {
        found | u8::from(b.wrapping_sub(0x0b) < 0x14) | u8::from(b >= 0xc2)
    });
    found != 0
}

/// Splits a line without `\n` at other line ends.
fn split_rare<'t>(line: &'t str, is_last: bool, f: &mut impl FnMut(&'t str)) {
    let mut start = 0;
    for (at, end) in line.char_indices().filter(|(_, c)| is_line_end(*c)) {
        f(&line[start..at]);
        start = at + end.len_utf8();
    }
    // A line that ends with a newline counts even if it is empty.
    if start < line.len() || !is_last {
        f(&line[start..]);
    }
}

/// Whether a character is a line end other than `\n`.
fn is_line_end(c: char) -> bool {
    matches!(
        c,
        '\r' | '\x0b' | '\x0c' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// Whether Python's `str.strip` leaves a line empty.
#[inline]
#[must_use]
pub fn is_blank(line: &str) -> bool {
    let first = line.bytes().find(|b| *b != b' ' && *b != b'\t');
    match first {
        None => true,
        Some(b'!'..=b'~') => false,
        // Python counts four ASCII separators as space, Unicode does not.
        Some(_) => line
            .chars()
            .all(|c| c.is_whitespace() || matches!(c, '\x1c'..='\x1f')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_python_ends_them() {
        assert_eq!(split_lines(""), [""; 0]);
        assert_eq!(split_lines("\n"), [""]);
        assert_eq!(split_lines("a\nb"), ["a", "b"]);
        assert_eq!(split_lines("a\r\nb\rc\r"), ["a", "b", "c"]);
        assert_eq!(split_lines("a\r\r\nb"), ["a", "", "b"]);
        assert_eq!(split_lines("\r\n\r\n"), ["", ""]);
        assert_eq!(
            split_lines("a\x0bb\x0cc\x1cd\x1de\x1ef\x1fg"),
            ["a", "b", "c", "d", "e", "f\x1fg"]
        );
        assert_eq!(split_lines("a\u{85}b\u{2028}c\u{2029}"), ["a", "b", "c"]);
        assert_eq!(split_lines("a\u{2028}\nb\n\u{2028}"), ["a", "", "b", ""]);
        assert_eq!(
            split_lines("\u{2027}\u{202a}\u{e9}\n"),
            ["\u{2027}\u{202a}\u{e9}"]
        );
    }

    #[test]
    fn blank_is_what_python_strips() {
        assert!(is_blank("\t \x1f\u{a0}\u{3000}"));
        assert!(!is_blank("\u{200b}"));
        assert!(!is_blank("\u{feff}"));
        assert!(!is_blank("\u{180e}"));
    }
}
