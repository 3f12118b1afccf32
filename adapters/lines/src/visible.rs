//! Text for people: bytes decoded, and characters that cannot be seen written out.

use std::fmt::Write as _;

/// A line without its newline; each byte that is not UTF-8 becomes one replacement
/// character.
#[must_use]
pub fn decode(line: &[u8]) -> String {
    let line = crate::without_newline(line);
    let mut text = String::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}

/// The bytes that [`decode`] replaces, each with the index of its replacement among the
/// characters.
#[must_use]
pub fn broken(line: &[u8]) -> Vec<(usize, u8)> {
    let mut broken = Vec::new();
    if std::str::from_utf8(line).is_ok() {
        return broken;
    }
    let mut at = 0;
    for chunk in line.utf8_chunks() {
        at += chunk.valid().chars().count();
        for byte in chunk.invalid() {
            broken.push((at, *byte));
            at += 1;
        }
    }
    broken
}

/// A byte that is not text, written out: `\xe9`.
#[must_use]
pub fn spelt(byte: u8) -> String {
    format!("\\x{byte:02x}")
}

/// Hidden characters written out; a tab stays.
#[must_use]
pub fn visible(text: &str) -> String {
    written_out(text, |c| c != '\t' && is_hidden(c), char::escape_unicode)
}

/// Hidden characters written out, tabs and line ends included, for messages of one line.
///
/// ```
/// assert_eq!(mvdiff_lines::one_line("a\tb\n\u{202e}"), "a\\tb\\n\\u{202e}");
/// ```
#[must_use]
pub fn one_line(text: &str) -> String {
    written_out(text, is_hidden, char::escape_default)
}

fn written_out<E: std::fmt::Display>(
    text: &str,
    is_hidden: impl Fn(char) -> bool,
    escape: impl Fn(char) -> E,
) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            let _ = write!(shown, "{}", escape(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Whether a reader would not see a character: control characters, those that change the
/// direction of the text, and those without width or ink.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{180e}' | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{feff}'
        )
        || matches!(c, '\u{2060}'..='\u{2064}' | '\u{fff9}'..='\u{fffb}')
        // Hangul fillers.
        || matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
        // Variation selectors except those of emoji, and tags.
        || matches!(c, '\u{fe00}'..='\u{fe0d}' | '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Whether a character has no effect after the one before: joiners and emoji variation
/// selectors are seen only where they join or vary something.
#[must_use]
pub fn is_lost(before: Option<char>, c: char) -> bool {
    let is_keycap = |c: char| c.is_ascii_digit() || matches!(c, '#' | '*');
    match c {
        '\u{200c}' | '\u{200d}' => before.is_none_or(|b| b.is_ascii() || b == c),
        '\u{fe0e}' | '\u{fe0f}' => before.is_none_or(|b| b.is_ascii() && !is_keycap(b) || b == c),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_bytes_are_where_decode_puts_their_replacements() {
        let line = b"caf\xe9 \xc3\xa9\xf0\x9f\xef\xbf\xbd!\n";
        let decoded: Vec<char> = decode(line).chars().collect();
        let broken = broken(line);
        assert_eq!(broken, [(3, 0xe9), (6, 0xf0), (7, 0x9f)]);
        assert!(broken.iter().all(|(at, _)| decoded[*at] == '\u{fffd}'));
        assert_eq!(spelt(0xe9), "\\xe9");
    }

    #[test]
    fn joiners_stay_where_they_join() {
        let lost = |text: &str| {
            let chars: Vec<char> = text.chars().collect();
            let before = |at: usize| at.checked_sub(1).map(|at| chars[at]);
            (0..chars.len()).any(|at| is_lost(before(at), chars[at]))
        };
        for text in [
            "👩\u{200d}👧",
            "❤\u{fe0f}\u{200d}🔥",
            "1\u{fe0f}\u{20e3}",
            "می\u{200c}خواهم",
        ] {
            assert!(!lost(text), "{text:?}");
        }
        for text in ["a\u{200d}b", "\u{fe0f}x", "a\u{fe0f}", "❤\u{fe0f}\u{fe0f}"] {
            assert!(lost(text), "{text:?}");
        }
    }

    #[test]
    fn messages_hide_nothing() {
        assert_eq!(
            one_line("x\u{202e}gpj.exe\n\u{9b}"),
            "x\\u{202e}gpj.exe\\n\\u{9b}"
        );
        assert_eq!(one_line("größe 日本"), "größe 日本");
        assert_eq!(visible("a\tb\r"), "a\tb\\u{d}");
    }
}
