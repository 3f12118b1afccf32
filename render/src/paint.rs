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
/// room: a reader would not see that they are there.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
        || matches!(
            c,
            '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}' | '\u{feff}'
        )
}
