//! Blocks as Roo Code takes them out of a text that passed its
//! validation. White space behind a marker is swallowed up to the last newline
//! in it; a closing marker counts only if nothing follows it on its line.

use crate::blocks::Dialect;
use crate::fold;
use memchr::memmem;

/// A block as it is in the text.
pub(super) struct Raw<'b> {
    pub start_line: Option<u32>,
    pub search: &'b [u8],
    pub replace: &'b [u8],
}

pub(super) fn blocks(text: &[u8], dialect: Dialect) -> Vec<Raw<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = opening(text, at, dialect) {
        let tail = usize::from(text[start..].starts_with(b">"));
        let Some(inside) = swallow(text, start + tail) else {
            at = start;
            continue;
        };
        // Where no closing marker follows, none follows later openings, either.
        let Some((raw, end)) = block(text, inside, dialect) else {
            break;
        };
        found.push(raw);
        at = end;
    }
    found
}

/// Where the text of the next opening marker ends, at or behind `from`.
fn opening(text: &[u8], from: usize, dialect: Dialect) -> Option<usize> {
    lines_from(text, from)
        .find_map(|at| marker(&text[at..], b'<', b" SEARCH", dialect).map(|len| at + len))
}

/// The starts of lines at or behind a position.
fn lines_from(text: &[u8], from: usize) -> impl Iterator<Item = usize> {
    let first = (from == 0).then_some(0);
    let later = memchr::memchr_iter(b'\n', &text[from..]).map(move |at| from + at + 1);
    first.into_iter().chain(later)
}

/// The length of a marker that the text starts with.
fn marker(text: &[u8], sign: u8, word: &[u8], dialect: Dialect) -> Option<usize> {
    let signs = text.iter().take_while(|b| **b == sign).count();
    let enough = signs == 7 || signs == 8 && dialect == Dialect::Multi;
    (enough && text[signs..].starts_with(word)).then_some(signs + word.len())
}

/// The position behind the last newline of the white space here.
fn swallow(text: &[u8], at: usize) -> Option<usize> {
    let space = fold::leading_space(&text[at..]);
    let newline = memchr::memrchr(b'\n', &text[at..at + space])?;
    Some(at + newline + 1)
}

/// The block whose inside begins here, and the position behind it.
fn block(text: &[u8], mut at: usize, dialect: Dialect) -> Option<(Raw<'_>, usize)> {
    let mut start_line = None;
    if let Some((number, end)) = header(text, at, b":start_line:") {
        start_line = Some(number);
        at = end;
    }
    if let Some((_, end)) = header(text, at, b":end_line:") {
        at = end;
    }
    if text[at..].starts_with(b"-------")
        && let Some(end) = swallow(text, at + 7)
    {
        at = end;
    }
    let (search, at) = up_to(text, at, |rest| {
        rest.starts_with(b"=======")
            .then(|| swallow(rest, 7))
            .flatten()
    })?;
    let (replace, at) = up_to(text, at, |rest| {
        let len = marker(rest, b'>', b" REPLACE", dialect)?;
        let ends = |len: usize| matches!(rest.get(len), None | Some(b'\n')).then_some(len);
        let tail = dialect == Dialect::Multi && rest[len..].starts_with(b"<");
        tail.then(|| ends(len + 1)).flatten().or_else(|| ends(len))
    })?;
    let raw = Raw {
        start_line,
        search,
        replace,
    };
    Some((raw, at))
}

/// `:start_line: 12`, and the position behind it.
fn header(text: &[u8], at: usize, name: &[u8]) -> Option<(u32, usize)> {
    let rest = text[at..].strip_prefix(name)?;
    let rest = &rest[fold::leading_space(rest)..];
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    let number = std::str::from_utf8(&rest[..digits]).ok()?;
    let end = swallow(text, text.len() - rest.len() + digits)?;
    Some((number.parse().unwrap_or(u32::MAX), end))
}

/// The text up to the first line that `ends` takes, without the newline before
/// it, and the position behind what was taken.
fn up_to(
    text: &[u8],
    from: usize,
    ends: impl Fn(&[u8]) -> Option<usize>,
) -> Option<(&[u8], usize)> {
    let here = (from > 0 && text[from - 1] == b'\n').then_some(from);
    let later = memmem::find_iter(&text[from..], b"\n").map(|at| from + at + 1);
    for at in here.into_iter().chain(later) {
        if let Some(len) = ends(&text[at..]) {
            let end = if at > from { at - 1 } else { at };
            return Some((&text[from..end], at + len));
        }
    }
    None
}
