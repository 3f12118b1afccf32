//! Marks and colours on a terminal, and characters made visible.

use anstyle::{AnsiColor, Effects, Style};
use mvdiff_text::Indent;
use std::fmt::Write as _;

/// A mark at the start of a line and its colour: never colour alone.
pub(crate) type Mark = (&'static str, Style);

pub(crate) const OLD: Mark = ("-", AnsiColor::Red.on_default());
pub(crate) const NEW: Mark = ("+", AnsiColor::Green.on_default());
pub(crate) const MOVED: Style = AnsiColor::Cyan.on_default().effects(Effects::BOLD);
pub(crate) const FAINT: Style = Style::new().effects(Effects::DIMMED);
pub(crate) const NAME: Style = Style::new().effects(Effects::BOLD);

/// The spans, or none when they would mark nearly all of a line of this many
/// characters, which only shouts.
pub(crate) fn quiet(spans: Vec<(usize, usize)>, chars: usize) -> Vec<(usize, usize)> {
    let marked: usize = spans.iter().map(|(start, end)| end - start).sum();
    if marked * 4 > chars * 3 {
        Vec::new()
    } else {
        spans
    }
}

/// A shift in words.
pub(crate) fn indented(shift: &Indent) -> String {
    let (from, to) = (shift.from.len(), shift.to.len());
    match (from, to) {
        (0, by) => format!("indented by {by}"),
        (by, 0) => format!("dedented by {by}"),
        _ => "indented another way".to_owned(),
    }
}

/// What is said of a line that kept its indentation while its block did not.
pub(crate) fn unlike(shift: &Indent) -> &'static str {
    if shift.to.is_empty() {
        "not dedented with its block"
    } else {
        "not indented with its block"
    }
}

/// A line without its newline, each broken byte a replacement character.
pub(crate) fn decode(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let mut text = String::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}

/// The bytes that replacement characters replace in the decoded line, with the
/// places of these.
pub(crate) fn broken(line: &[u8]) -> Vec<(usize, u8)> {
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

/// A byte that is not text, as it is spelt.
pub(crate) fn spelt(byte: u8) -> String {
    format!("\\x{byte:02x}")
}

/// Control and direction-changing characters made visible; a tab stays.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => shown.push(c),
            c if is_hidden(c) => {
                let _ = write!(shown, "{}", c.escape_unicode());
            }
            c => shown.push(c),
        }
    }
    shown
}

/// The same for a name, in which a tab has no business either.
pub(crate) fn visible_name(name: &str) -> String {
    visible(name).replace('\t', "\\t")
}

/// Control characters, those that change the direction, and those that take no
/// room or show nothing: a reader would not see that they are there.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{180e}' | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{feff}'
        )
        || matches!(c, '\u{2060}'..='\u{2064}' | '\u{fff9}'..='\u{fffb}')
        // Fillers of Hangul.
        || matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
        // Variations of the character before, those of emoji aside, and tags.
        || matches!(c, '\u{fe00}'..='\u{fe0d}' | '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Whether a character does nothing behind the one before: what joins letters or
/// emoji, or changes how these look, is seen only there.
pub(crate) fn is_lost(before: Option<char>, c: char) -> bool {
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
}
