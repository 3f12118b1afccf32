//! Formulas whose references name rows and columns by identity, so that they
//! follow them wherever those go.
//!
//! Nothing here is shared with the engine: the rules of following are written
//! down twice, and the fixtures hold one against the other.

use crate::model::{Book, SheetId};
use crate::positions::Positions;
use mvdiff_grid::{column_index, column_name};
use std::fmt::Write as _;

/// A formula: texts and references, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula(pub Vec<Part>);

/// A stretch of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// What no move of rows and columns changes.
    Text(String),
    /// A reference to cells.
    Refers(Reference),
}

/// A reference: a cell, a range, or whole rows or columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The sheet, where one is named.
    pub sheet: Option<SheetId>,
    /// The cell, or the first corner.
    pub first: Corner,
    /// The last corner of a range.
    pub last: Option<Corner>,
}

/// A corner; without a row it stands for a whole column, and the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner {
    /// The row.
    pub row: Option<Mark>,
    /// The column.
    pub col: Option<Mark>,
}

/// A row or a column as a formula names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Which one.
    pub id: u32,
    /// Whether it is written with `$`.
    pub absolute: bool,
}

impl Formula {
    /// Reads a formula, with or without `=`, in this sheet and means the
    /// cells as they lie there now.
    ///
    /// # Errors
    /// If it names a place beyond what the sheet's model covers.
    pub fn parse(text: &str, book: &Book, own: SheetId) -> Result<Self, String> {
        let mut rest = text.strip_prefix('=').unwrap_or(text);
        let mut parts = vec![Part::Text(String::new())];
        while let Some(c) = rest.chars().next() {
            if c == '"' {
                let end = rest[1..].find('"').map_or(rest.len(), |i| i + 2);
                push(&mut parts, &rest[..end]);
                rest = &rest[end..];
                continue;
            }
            let (sheet, after) = sheet_prefix(rest);
            if let Some((mut reference, len)) = reference(after, book, sheet, own)? {
                if let Some(name) = sheet {
                    reference.sheet = Some(book.find(name)?);
                }
                parts.push(Part::Refers(reference));
                parts.push(Part::Text(String::new()));
                rest = &after[len..];
            } else {
                let word = word_len(rest).max(c.len_utf8());
                push(&mut parts, &rest[..word]);
                rest = &rest[word..];
            }
        }
        parts.retain(|part| *part != Part::Text(String::new()));
        Ok(Self(parts))
    }

    /// The formula as it is in this sheet, beginning with `=`.
    #[must_use]
    pub fn render(&self, places: &Positions<'_>, own: SheetId) -> String {
        let mut out = String::from("=");
        for part in &self.0 {
            match part {
                Part::Text(text) => out += text,
                Part::Refers(reference) => reference.render(places, own, &mut out),
            }
        }
        out
    }

    /// Its references.
    pub fn references_mut(&mut self) -> impl Iterator<Item = &mut Reference> {
        self.0.iter_mut().filter_map(|part| match part {
            Part::Refers(reference) => Some(reference),
            Part::Text(_) => None,
        })
    }
}

impl Reference {
    /// A cell of the formula's own sheet.
    #[must_use]
    pub fn cell(row: u32, col: u32) -> Self {
        Self {
            sheet: None,
            first: Corner::relative(row, col),
            last: None,
        }
    }

    /// A range of the formula's own sheet.
    #[must_use]
    pub fn range(first: (u32, u32), last: (u32, u32)) -> Self {
        Self {
            sheet: None,
            first: Corner::relative(first.0, first.1),
            last: Some(Corner::relative(last.0, last.1)),
        }
    }

    fn render(&self, places: &Positions<'_>, own: SheetId, out: &mut String) {
        let sheet = self.sheet.unwrap_or(own);
        let last = self.last.unwrap_or(self.first);
        let rows = ends(self.first.row, last.row, |a, b| places.rows(sheet, a, b));
        let cols = ends(self.first.col, last.col, |a, b| places.cols(sheet, a, b));
        let (Some(rows), Some(cols)) = (rows, cols) else {
            *out += "#REF!";
            return;
        };
        if let Some(sheet) = self.sheet {
            let _ = write!(out, "{}!", quoted(places.sheet_name(sheet)));
        }
        corner(rows.map(|r| r[0]), cols.map(|c| c[0]), out);
        if self.last.is_some() {
            out.push(':');
            corner(rows.map(|r| r[1]), cols.map(|c| c[1]), out);
        }
    }
}

impl Corner {
    /// A cell without `$`.
    #[must_use]
    pub fn relative(row: u32, col: u32) -> Self {
        let mark = |id| {
            Some(Mark {
                id,
                absolute: false,
            })
        };
        Self {
            row: mark(row),
            col: mark(col),
        }
    }
}

/// A place on an axis, and whether it is written with `$`.
type End = (u32, bool);

/// Where both ends of an axis went: `Some(None)` if there is no such axis in the
/// reference, none if nothing is left of it. Ends that would cross change places.
#[allow(clippy::option_option, reason = "no such axis and gone are two things")]
fn ends(
    first: Option<Mark>,
    last: Option<Mark>,
    place: impl Fn(u32, u32) -> Option<(u32, u32)>,
) -> Option<Option<[End; 2]>> {
    let (Some(first), Some(last)) = (first, last) else {
        return Some(None);
    };
    let (a, b) = place(first.id, last.id)?;
    let (a, b) = ((a, first.absolute), (b, last.absolute));
    Some(Some(if a.0 <= b.0 { [a, b] } else { [b, a] }))
}

fn corner(row: Option<End>, col: Option<End>, out: &mut String) {
    let dollar = |absolute| if absolute { "$" } else { "" };
    if let Some((col, absolute)) = col {
        let _ = write!(out, "{}{}", dollar(absolute), column_name(col));
    }
    if let Some((row, absolute)) = row {
        let _ = write!(out, "{}{}", dollar(absolute), row + 1);
    }
}

/// A sheet's name as formulas write it.
#[must_use]
pub fn quoted(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.parse::<mvdiff_grid::Address>().is_err();
    if plain {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', "''"))
    }
}

fn push(parts: &mut Vec<Part>, text: &str) {
    if let Some(Part::Text(last)) = parts.last_mut() {
        *last += text;
    } else {
        parts.push(Part::Text(text.to_owned()));
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '$' | '_' | '.')
}

fn word_len(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// `Name!` or `'A name'!` at the beginning, and what is behind it.
fn sheet_prefix(text: &str) -> (Option<&str>, &str) {
    let (name, rest) = if let Some(inner) = text.strip_prefix('\'') {
        let Some(end) = inner.find('\'') else {
            return (None, text);
        };
        (&inner[..end], &inner[end + 1..])
    } else {
        text.split_at(word_len(text))
    };
    match rest.strip_prefix('!') {
        Some(rest) if !name.is_empty() => (Some(name), rest),
        _ => (None, text),
    }
}

/// The reference at the beginning, and its length.
fn reference(
    text: &str,
    book: &Book,
    sheet: Option<&str>,
    own: SheetId,
) -> Result<Option<(Reference, usize)>, String> {
    let sheet = match sheet {
        Some(name) => book.find(name)?,
        None => own,
    };
    let Some((first, len)) = place(text) else {
        return Ok(None);
    };
    let second = text[len..].strip_prefix(':').and_then(place);
    let cell = first.0.is_some() && first.1.is_some();
    let (last, end) = match second {
        Some((last, more)) => (Some(last), len + 1 + more),
        None if cell => (None, len),
        None => return Ok(None),
    };
    if text[end..].starts_with(|c| is_word(c) || c == '(') {
        return Ok(None);
    }
    let sheet = book.sheet(sheet);
    let identify = |(row, col): Place| -> Result<Corner, String> {
        let mark = |axis: &[u32], end: Option<End>| match end {
            None => Ok(None),
            Some((at, absolute)) => match axis.get(at as usize) {
                Some(id) => Ok(Some(Mark { id: *id, absolute })),
                None => Err(format!("{text:?} reaches beyond the model of the sheet")),
            },
        };
        Ok(Corner {
            row: mark(&sheet.rows, row)?,
            col: mark(&sheet.cols, col)?,
        })
    };
    let reference = Reference {
        sheet: None,
        first: identify(first)?,
        last: last.map(identify).transpose()?,
    };
    Ok(Some((reference, end)))
}

type Place = (Option<End>, Option<End>);

/// `$A$1`, `A` or `1` at the beginning, and its length.
fn place(text: &str) -> Option<(Place, usize)> {
    let word = &text[..word_len(text)];
    let (absolute_col, rest) = strip_dollar(word);
    let letters = rest
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(rest.len());
    let (name, rest) = rest.split_at(letters);
    let (absolute_row, digits) = if name.is_empty() {
        (absolute_col, rest)
    } else {
        strip_dollar(rest)
    };
    let row = match digits {
        "" => None,
        _ => Some((digits.parse::<u32>().ok()?.checked_sub(1)?, absolute_row)),
    };
    let col = match name {
        "" => None,
        _ => Some((column_index(name)?, absolute_col)),
    };
    (row.is_some() || col.is_some()).then_some(((row, col), word.len()))
}

fn strip_dollar(text: &str) -> (bool, &str) {
    match text.strip_prefix('$') {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}
