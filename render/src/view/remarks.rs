//! Remarks about a comparison, apart from its rows.

use mvdiff_text::{Ignore, Note, Space};

/// A remark on a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The remark in words.
    pub text: String,
    /// Whether it is about all of the answer and must be seen.
    pub is_weighty: bool,
}

/// The notes of a report: first what was not compared on request.
pub(super) fn remarks(ignore: Ignore, notes: &[Note]) -> Vec<Remark> {
    let ignoring = ignoring(ignore).map(|text| Remark {
        text,
        is_weighty: true,
    });
    let told = notes.iter().map(|note| Remark {
        text: note.message.clone(),
        is_weighty: matches!(&note.kind[..], "check" | "budget" | "unread"),
    });
    ignoring.into_iter().chain(told).collect()
}

/// Which differences do not count, and which options said so.
fn ignoring(ignore: Ignore) -> Option<String> {
    let space = match ignore.space {
        Space::Counts => None,
        Space::Change => Some("the amount of white space (-b)"),
        Space::All => Some("white space (-w)"),
    };
    let blank = ignore
        .blank_lines
        .then_some("added and removed blank lines (-B)");
    let case = ignore.case.then_some("upper and lower case (-i)");
    let parts: Vec<&str> = [space, blank, case].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("ignored: {}.", parts.join(", ")))
}

/// What the two sides may still differ in where nothing else is left: the end of a
/// sentence such as "The files are the same except for white space.".
#[must_use]
pub fn same_but_for(ignore: Ignore) -> String {
    let parts = [
        (ignore.space != Space::Counts, "white space"),
        (ignore.blank_lines, "blank lines"),
        (ignore.case, "case"),
    ];
    let parts = parts.into_iter().filter(|(is_ignored, _)| *is_ignored);
    let names: Vec<&str> = parts.map(|(_, name)| name).collect();
    match &names[..] {
        [] => "the same".to_owned(),
        [one] => format!("the same except for {one}"),
        [rest @ .., last] => format!("the same except for {} and {last}", rest.join(", ")),
    }
}
