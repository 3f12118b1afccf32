//! Lines, marks and colours on a terminal, the same for every view.

use anstyle::{AnsiColor, Effects, Style};
use mvdiff_text::Indent;
use std::fmt::Write as _;
use std::io::{self, Write};

/// A mark at the start of a line and its colour: never colour alone.
pub(crate) type Mark = (&'static str, Style);

pub(crate) const OLD: Mark = ("-", AnsiColor::Red.on_default());
pub(crate) const NEW: Mark = ("+", AnsiColor::Green.on_default());
pub(crate) const MOVED: Style = AnsiColor::Cyan.on_default().effects(Effects::BOLD);
pub(crate) const FAINT: Style = Style::new().effects(Effects::DIMMED);
pub(crate) const NAME: Style = Style::new().effects(Effects::BOLD);

/// A line that stayed, with its number.
pub(crate) fn context(
    out: &mut dyn Write,
    width: usize,
    number: u32,
    text: &[u8],
) -> io::Result<()> {
    writeln!(
        out,
        "{FAINT}{number:width$} │{FAINT:#}  {}",
        visible_line(text)
    )
}

/// One line with its number, its mark, and the changed words underlined.
pub(crate) fn line(
    out: &mut dyn Write,
    width: usize,
    number: u32,
    (mark, style): Mark,
    text: &[u8],
    spans: &[(usize, usize)],
) -> io::Result<()> {
    write!(out, "{FAINT}{number:width$} │{FAINT:#} {style}{mark}")?;
    let strong = style.effects(Effects::BOLD.insert(Effects::UNDERLINE));
    let chars: Vec<char> = decode(text).chars().collect();
    let mut at = 0;
    for &(start, end) in spans {
        let (start, end) = (start.min(chars.len()), end.min(chars.len()));
        let (plain, marked): (String, String) = (
            chars[at..start].iter().collect(),
            chars[start..end].iter().collect(),
        );
        write!(
            out,
            "{}{style:#}{strong}{}{strong:#}{style}",
            visible(&plain),
            visible(&marked)
        )?;
        at = end;
    }
    let rest: String = chars[at..].iter().collect();
    let end = if text.ends_with(b"\n") {
        ""
    } else {
        " (no newline at the end)"
    };
    writeln!(out, "{}{style:#}{FAINT}{end}{FAINT:#}", visible(&rest))
}

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

pub(crate) fn visible_line(line: &[u8]) -> String {
    visible(&decode(line))
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

/// Control and direction-changing characters.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
}
