//! A formula after the cells that it names went elsewhere.

use super::reference::{self, Target};
use super::rewrite_ref::{Shift, rewrite_ref};
use super::scan::{Scanner, TokenKind};
use super::sheet;
use crate::cell_map::CellMap;
use std::borrow::Cow;

/// What is written where a reference has nothing left to name.
const LOST: &str = "#REF!";

/// Knows what became of the sheets that formulas name.
pub(crate) trait Places {
    /// What became of this sheet; none is the one that the formula is in.
    fn place(&self, sheet: Option<&str>) -> Where<'_>;

    /// The number that the other workbook `[number]` has now.
    fn link(&self, number: u32) -> u32 {
        number
    }
}

/// What became of a sheet.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Where<'a> {
    /// It is there, under this name, and its cells went by this map.
    Mapped { map: &'a CellMap, name: &'a str },
    /// It was removed.
    Gone,
    /// There never was one, as far as is known: what is said about it is text.
    Unknown,
}

pub(super) fn follow<'t>(text: &'t str, places: &impl Places, shift: Shift) -> Cow<'t, str> {
    let mut out = String::new();
    let mut copied = 0;
    for token in Scanner::new(text) {
        let now = match token.kind {
            TokenKind::Here(target) => here(target, places, shift),
            TokenKind::There(mark, target) => there(token.text, mark, target, places, shift),
            TokenKind::Away(mark, target) => away(token.text, mark, target, places, shift),
            // The sheet of what is lost goes on being followed.
            TokenKind::Lost => match token.text.rfind("!#") {
                Some(mark) if !token.text.contains('[') => {
                    there(token.text, mark, Target::Other, places, shift)
                }
                _ => continue,
            },
            TokenKind::Verbatim | TokenKind::Word | TokenKind::Intersection => continue,
        };
        if let Some(now) = now {
            out.push_str(&text[copied..token.start]);
            now.write(&mut out);
            copied = token.start + token.text.len();
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// A reference that reads differently than before.
enum Now<'a> {
    At(Prefix<'a>, Rest<'a>),
    Lost,
}

enum Prefix<'a> {
    None,
    AsWritten(&'a str),
    Renamed(&'a str, Option<&'a str>),
    Linked(String),
}

enum Rest<'a> {
    AsWritten(&'a str),
    To(Target),
    /// The sheet is there, the cells are not: programs keep its name.
    Lost,
}

impl Now<'_> {
    fn write(&self, out: &mut String) {
        let Self::At(sheet, rest) = self else {
            out.push_str(LOST);
            return;
        };
        match sheet {
            Prefix::None => {}
            Prefix::AsWritten(prefix) => out.push_str(prefix),
            Prefix::Renamed(first, last) => sheet::write(first, *last, out),
            Prefix::Linked(prefix) => out.push_str(prefix),
        }
        match rest {
            Rest::AsWritten(rest) => out.push_str(rest),
            Rest::To(target) => reference::write(target, out),
            Rest::Lost => out.push_str(LOST),
        }
    }
}

/// How a reference in the formula's own sheet reads now; none if as before.
fn here(target: Target, places: &impl Places, shift: Shift) -> Option<Now<'_>> {
    match places.place(None) {
        Where::Mapped { map, .. } => match rewrite_ref(target, map, shift) {
            Some(now) if now == target => None,
            Some(now) => Some(Now::At(Prefix::None, Rest::To(now))),
            None => Some(Now::Lost),
        },
        Where::Gone => Some(Now::Lost),
        Where::Unknown => None,
    }
}

/// The same for a reference that names its sheet.
fn there<'a>(
    written: &'a str,
    mark: usize,
    target: Target,
    places: &'a impl Places,
    shift: Shift,
) -> Option<Now<'a>> {
    let ((first, last), behind) = sheet::split(written, mark);
    let unmoved = CellMap::default();
    let (map, names) = match (places.place(Some(&first)), &last) {
        (Where::Mapped { map, name }, None) => (map, Some((name, None))),
        (Where::Gone, None) => return Some(Now::Lost),
        // Each of several sheets has a map of its own, so the cells stay as written;
        // only the names follow.
        (Where::Mapped { name: first, .. }, Some(last)) => match places.place(Some(last)) {
            Where::Mapped { name: last, .. } => (&unmoved, Some((first, Some(last)))),
            Where::Gone | Where::Unknown => (&unmoved, None),
        },
        (Where::Gone | Where::Unknown, _) => (&unmoved, None),
    };
    let renamed = names.filter(|(now, now_last)| {
        let same_last = last
            .iter()
            .zip(now_last)
            .all(|(last, now)| sheet::same(last, now));
        !(sheet::same(&first, now) && same_last)
    });
    let sheet = match renamed {
        Some((first, last)) => Prefix::Renamed(first, last),
        None => Prefix::AsWritten(&written[..=mark]),
    };
    Some(match rewrite_ref(target, map, shift) {
        Some(now) if now == target && renamed.is_none() => return None,
        Some(now) if now == target => Now::At(sheet, Rest::AsWritten(behind)),
        Some(now) => Now::At(sheet, Rest::To(now)),
        None => Now::At(sheet, Rest::Lost),
    })
}

/// A reference to another workbook follows nothing, but may go with the formula;
/// and that workbook may have another number.
fn away<'a>(
    written: &'a str,
    mark: usize,
    target: Target,
    places: &impl Places,
    shift: Shift,
) -> Option<Now<'a>> {
    let linked = renumbered(&written[..=mark], places);
    match (rewrite_ref(target, &CellMap::default(), shift), linked) {
        (None, _) => Some(Now::Lost),
        (Some(now), None) if now == target => None,
        (Some(now), linked) => {
            let prefix = match linked {
                Some(linked) => Prefix::Linked(linked),
                None => Prefix::AsWritten(&written[..=mark]),
            };
            let rest = if now == target {
                Rest::AsWritten(&written[mark + 1..])
            } else {
                Rest::To(now)
            };
            Some(Now::At(prefix, rest))
        }
    }
}

/// `[3]Sheet!` with another number; none if it keeps the one it has.
fn renumbered(prefix: &str, places: &impl Places) -> Option<String> {
    let (before, number, behind) = super::sheet::link(prefix)?;
    let now = places.link(number);
    (now != number).then(|| format!("{before}[{now}]{behind}"))
}
