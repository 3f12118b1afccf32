//! Paths as written in headers: quoted if they contain special characters.

use super::error::PatchErrorKind;
use std::borrow::Cow;

/// How non-ASCII bytes in a path are quoted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum HighBytes {
    /// Left as they are, and no reason to quote: git's `core.quotePath=false`.
    Plain,
    /// As octal escapes: git's default.
    Octal,
}

/// Quotes a path as git does by default: in quotes and with C escapes if it
/// contains quotes, backslashes, control characters or non-ASCII bytes.
///
/// ```
/// use mvdiff_text::patch::quote_path;
/// assert_eq!(&*quote_path(b"a b"), b"a b");
/// assert_eq!(&*quote_path("größe\t".as_bytes()), br#""gr\303\266\303\237e\t""#);
/// ```
#[must_use]
pub fn quote_path(path: &[u8]) -> Cow<'_, [u8]> {
    quote(path, HighBytes::Octal)
}

pub(crate) fn quote(path: &[u8], high: HighBytes) -> Cow<'_, [u8]> {
    let special = |byte: u8| {
        byte.is_ascii_control()
            || matches!(byte, b'"' | b'\\')
            || (high == HighBytes::Octal && !byte.is_ascii())
    };
    if !path.iter().any(|&byte| special(byte)) {
        return Cow::Borrowed(path);
    }
    let mut quoted = Vec::with_capacity(path.len() + 8);
    quoted.push(b'"');
    for &byte in path {
        match letter(byte) {
            Some(letter) => quoted.extend([b'\\', letter]),
            None if special(byte) => {
                let digit = |shift: u8| b'0' + (byte >> shift & 7);
                quoted.extend([b'\\', digit(6), digit(3), digit(0)]);
            }
            None => quoted.push(byte),
        }
    }
    quoted.push(b'"');
    Cow::Owned(quoted)
}

/// The letter that represents a byte after a backslash.
fn letter(byte: u8) -> Option<u8> {
    Some(match byte {
        0x07 => b'a',
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0b => b'v',
        0x0c => b'f',
        b'\r' => b'r',
        b'"' | b'\\' => byte,
        _ => return None,
    })
}

/// Reads a quoted path after its opening quote. Returns it and the text after the
/// closing quote.
pub(super) fn unquote(mut text: &[u8]) -> Result<(Vec<u8>, &[u8]), PatchErrorKind> {
    let mut path = Vec::new();
    loop {
        match *text {
            [b'"', ref rest @ ..] => return Ok((path, rest)),
            [
                b'\\',
                a @ b'0'..=b'3',
                b @ b'0'..=b'7',
                c @ b'0'..=b'7',
                ref rest @ ..,
            ] => {
                path.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                text = rest;
            }
            [b'\\', code, ref rest @ ..] => {
                path.push(unescape(code)?);
                text = rest;
            }
            [b'\\'] | [] => return Err(PatchErrorKind::Quoting),
            [byte, ref rest @ ..] => {
                path.push(byte);
                text = rest;
            }
        }
    }
}

fn unescape(code: u8) -> Result<u8, PatchErrorKind> {
    Ok(match code {
        b'a' => 0x07,
        b'b' => 0x08,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 0x0b,
        b'f' => 0x0c,
        b'r' => b'\r',
        b'"' | b'\\' => code,
        _ => return Err(PatchErrorKind::Quoting),
    })
}

/// A path that spans the whole text, quoted or not.
pub(super) fn whole(text: &[u8]) -> Result<Cow<'_, [u8]>, PatchErrorKind> {
    let Some(quoted) = text.strip_prefix(b"\"") else {
        return Ok(Cow::Borrowed(text));
    };
    match unquote(quoted)? {
        (path, []) => Ok(Cow::Owned(path)),
        _ => Err(PatchErrorKind::Quoting),
    }
}

/// A path without its first bytes.
pub(super) fn without_first(path: Cow<'_, [u8]>, count: usize) -> Cow<'_, [u8]> {
    match path {
        Cow::Borrowed(path) => Cow::Borrowed(&path[count..]),
        Cow::Owned(mut path) => {
            path.drain(..count);
            Cow::Owned(path)
        }
    }
}
