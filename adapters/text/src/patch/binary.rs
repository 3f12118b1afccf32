//! Bodies without lines: `GIT binary patch`, and messages that files differ.

use super::cursor::{Cursor, bare};
use super::error::{PatchError, PatchErrorKind};

/// Whether a line opens a binary body.
pub(crate) fn opens(line: &[u8]) -> bool {
    is_patch(line) || is_remark(line)
}

fn is_patch(line: &[u8]) -> bool {
    bare(line) == b"GIT binary patch"
}

/// Messages of git, GNU diff, Mercurial and Subversion in place of a binary
/// patch.
fn is_remark(line: &[u8]) -> bool {
    let line = bare(line);
    two_names(line).is_some()
        || one_name(line).is_some()
        || line == b"Cannot display: file marked as a binary type."
}

/// The names in `Binary files A and B differ`, unsplit.
pub(super) fn two_names(line: &[u8]) -> Option<&[u8]> {
    bare(line)
        .strip_prefix(b"Binary files ")?
        .strip_suffix(b" differ")
}

/// The name in Mercurial's `Binary file A has changed`.
pub(super) fn one_name(line: &[u8]) -> Option<&[u8]> {
    bare(line)
        .strip_prefix(b"Binary file ")?
        .strip_suffix(b" has changed")
}

/// Reads a binary body whose first line [`opens`] accepted.
pub(super) fn read<'p>(cursor: &mut Cursor<'p>) -> Result<&'p [u8], PatchError> {
    let start = cursor.at;
    if !is_patch(cursor.take()) {
        return Ok(cursor.since(start));
    }
    block(cursor)?;
    if is_method(cursor.peek()) {
        block(cursor)?;
    }
    Ok(cursor.since(start))
}

fn is_method(line: &[u8]) -> bool {
    let line = bare(line);
    let size = line
        .strip_prefix(b"literal ")
        .or_else(|| line.strip_prefix(b"delta "));
    size.is_some_and(|size| !size.is_empty() && size.iter().all(u8::is_ascii_digit))
}

/// One direction: the method, lines of base 85, an empty line.
fn block(cursor: &mut Cursor<'_>) -> Result<(), PatchError> {
    let corrupt = |what, line| Err(PatchErrorKind::Binary(what).at(line));
    let line = cursor.line;
    if !is_method(cursor.take()) {
        return corrupt("`literal SIZE` or `delta SIZE`", line);
    }
    loop {
        if cursor.is_at_end() {
            return corrupt("an empty line at its end", cursor.line);
        }
        let line = cursor.line;
        let Some((&length, digits)) = bare(cursor.take()).split_first() else {
            return Ok(());
        };
        let bytes = match length {
            b'A'..=b'Z' => length - b'A' + 1,
            b'a'..=b'z' => length - b'a' + 27,
            _ => return corrupt("a letter for the length of a line", line),
        };
        if digits.len() != usize::from(bytes).div_ceil(4) * 5 {
            return corrupt("as many characters as the line's first letter says", line);
        }
        if !digits.chunks(5).all(is_word) {
            return corrupt("characters of git's base 85", line);
        }
    }
}

/// Whether five digits are a number of 32 bits.
fn is_word(digits: &[u8]) -> bool {
    let mut word = 0_u64;
    for &digit in digits {
        let Some(value) = base85(digit) else {
            return false;
        };
        word = word * 85 + u64::from(value);
    }
    u32::try_from(word).is_ok()
}

fn base85(digit: u8) -> Option<u8> {
    const PUNCTUATION: &[u8] = b"!#$%&()*+-;<=>?@^_`{|}~";
    Some(match digit {
        b'0'..=b'9' => digit - b'0',
        b'A'..=b'Z' => digit - b'A' + 10,
        b'a'..=b'z' => digit - b'a' + 36,
        _ => 62 + PUNCTUATION.iter().position(|&p| p == digit)? as u8,
    })
}
