//! Names of sheets as formulas write them.

use super::reference::target;
use super::scan::is_word;
use std::borrow::Cow;

/// One sheet, or the first and the last of several.
pub(super) type Sheets<'t> = (Cow<'t, str>, Option<Cow<'t, str>>);

/// The names before the `!` at `mark`, and what is behind it.
pub(super) fn split(reference: &str, mark: usize) -> (Sheets<'_>, &str) {
    (read(&reference[..mark]), &reference[mark + 1..])
}

/// Quotes may be around one name, around each of two, and around both.
fn read(written: &str) -> Sheets<'_> {
    if !written.contains('\'') {
        return match written.split_once(':') {
            Some((first, last)) => (first.into(), Some(last.into())),
            None => (written.into(), None),
        };
    }
    let mut names = String::with_capacity(written.len());
    let mut chars = written.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        if c != '\'' {
            names.push(c);
        } else if quoted && chars.next_if_eq(&'\'').is_some() {
            names.push('\'');
        } else {
            quoted = !quoted;
        }
    }
    match names.split_once(':') {
        Some((first, last)) => (first.to_owned().into(), Some(last.to_owned().into())),
        None => (names.into(), None),
    }
}

/// The number of another workbook in `'[3]Sheet'!`, and what is around its
/// brackets.
pub(super) fn link(prefix: &str) -> Option<(&str, u32, &str)> {
    let (before, rest) = prefix.split_once('[')?;
    let (number, behind) = rest.split_once(']')?;
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    Some((before, number.parse().ok().filter(|_| digits)?, behind))
}

/// Writes the names, with quotes where they need them, and a `!`.
pub(super) fn write(first: &str, last: Option<&str>, out: &mut String) {
    let all = [Some(first), last];
    let quotes = all.iter().flatten().any(|name| needs_quotes(name));
    if quotes {
        out.push('\'');
    }
    for (name, place) in all.iter().flatten().zip(0..) {
        if place > 0 {
            out.push(':');
        }
        if quotes {
            out.push_str(&name.replace('\'', "''"));
        } else {
            out.push_str(name);
        }
    }
    out.push_str(if quotes { "'!" } else { "!" });
}

/// Whether a formula would read this name as something else, or not as one name.
fn needs_quotes(name: &str) -> bool {
    let plain = |c: char| c == '_' || c == '.' || c.is_alphanumeric();
    let begins_well = |c: char| c == '_' || c.is_alphabetic();
    !name.starts_with(begins_well)
        || !name.chars().all(plain)
        || is_reference(name)
        || ["TRUE", "FALSE"]
            .iter()
            .any(|word| name.eq_ignore_ascii_case(word))
}

/// Whether it looks like `A1`, or like `R1C1`.
fn is_reference(name: &str) -> bool {
    let bytes = name.as_bytes();
    debug_assert!(bytes.iter().all(|&b| is_word(b)));
    let a1 = target(bytes, 0).is_some_and(|(_, end)| end == bytes.len());
    let mut rest = name.trim_start_matches(['R', 'r']);
    let row = name.len() - rest.len();
    rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind_row = rest;
    rest = rest.trim_start_matches(['C', 'c']);
    let col = behind_row.len() - rest.len();
    rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    a1 || (rest.is_empty() && row <= 1 && col <= 1 && row + col > 0)
}

/// Whether two names are one, as Excel sees it: case does not count.
pub(super) fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b) || (!a.is_ascii() && folded(a).eq(folded(b)))
}

/// The characters of a text in one case.
pub(super) fn folded(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}
