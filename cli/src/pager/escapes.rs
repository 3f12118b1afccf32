//! Colours that git puts into its output.

use memchr::memchr;

const ESCAPE: u8 = 0x1b;

/// The bytes without the colours: `ESC [ … m`, and `ESC [ K`, which clears the rest of
/// a line. Other escapes belong to the text.
pub(super) fn without_colours(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = memchr(ESCAPE, rest) {
        plain.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let length = colour(rest);
        if length == 0 {
            plain.push(ESCAPE);
            rest = &rest[1..];
        } else {
            rest = &rest[length..];
        }
    }
    plain.extend_from_slice(rest);
    plain
}

/// Whether a line begins with a colour.
pub(super) fn is_coloured(line: &[u8]) -> bool {
    colour(line) > 0
}

/// The bytes of the colour that a text begins with; 0 if it does not.
fn colour(text: &[u8]) -> usize {
    let Some(rest) = text.strip_prefix(b"\x1b[") else {
        return 0;
    };
    let numbers = rest
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b';' | b':'))
        .count();
    match rest.get(numbers) {
        Some(b'm' | b'K') => 2 + numbers + 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::without_colours;

    #[test]
    fn only_colours_go() {
        let text = b"\x1b[1;38;5;2m+\x1b[m\x1b[Ka\x1b[2Jb\x1b\x1b[";
        assert_eq!(without_colours(text), b"+a\x1b[2Jb\x1b\x1b[");
        assert_eq!(without_colours(b"plain\r\n"), b"plain\r\n");
    }
}
