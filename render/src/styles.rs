//! Styles and marks on a terminal, and visible control characters.

use anstyle::{AnsiColor, Effects, Style};
pub(crate) use mvdiff_lines::{broken, decode, is_hidden, is_lost, spelt, visible};
use mvdiff_text::Indent;

/// A mark at the start of a line and its colour: never colour alone.
pub(crate) type Mark = (&'static str, Style);

pub(crate) const OLD: Mark = ("-", AnsiColor::Red.on_default());
pub(crate) const NEW: Mark = ("+", AnsiColor::Green.on_default());
#[cfg(feature = "xlsx")]
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

/// A name with hidden characters written out, tabs, too.
pub(crate) fn visible_name(name: &str) -> String {
    visible(name).replace('\t', "\\t")
}
