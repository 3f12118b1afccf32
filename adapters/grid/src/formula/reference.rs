//! References as they are written: `$A$1`, `A1:B2`, `3:5`, `A:C`.

use super::scan::is_word;
use crate::{Address, MAX_COLS, MAX_ROWS};

/// A row or a column, and whether a `$` is before it; as small as can be,
/// because every token holds up to four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line(u32);

impl Line {
    const FIXED: u32 = 1 << 31;

    fn new(at: u32, fixed: bool) -> Self {
        Self(at | if fixed { Self::FIXED } else { 0 })
    }

    /// Its number, from zero.
    pub fn at(self) -> u32 {
        self.0 & !Self::FIXED
    }

    pub fn is_fixed(self) -> bool {
        self.0 & Self::FIXED != 0
    }

    /// The same mark before another line.
    pub fn to(self, at: u32) -> Self {
        Self::new(at, self.is_fixed())
    }
}

/// The rows, or the columns, of a range, in the order in which they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub first: Line,
    pub last: Line,
}

impl Span {
    /// Whether all lines of an axis of this length are in it. Such a range means
    /// "all of them", however many others come or go.
    pub fn is_all(self, len: u32) -> bool {
        self.first.at().min(self.last.at()) == 0 && self.first.at().max(self.last.at()) == len - 1
    }
}

/// What a reference names, its sheet aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Cell {
        row: Line,
        col: Line,
    },
    Range {
        rows: Span,
        cols: Span,
    },
    Rows(Span),
    Cols(Span),
    /// A name: only its sheet is followed.
    Other,
}

/// One end of a range.
#[derive(Clone, Copy)]
struct Corner {
    row: Option<Line>,
    col: Option<Line>,
    end: usize,
}

/// The reference that begins at `start`, without a sheet, and where it ends.
///
/// Nothing is one that goes on as a name (`A1B`), is called (`LOG10(`), or is a
/// sheet itself (`Q1!A1`).
#[inline]
pub(super) fn target(bytes: &[u8], start: usize) -> Option<(Target, usize)> {
    let first = corner(bytes, start)?;
    if let Some(last) = far_corner(bytes, first.end) {
        let found = match (first.row, first.col, last.row, last.col) {
            (Some(top), Some(left), Some(bottom), Some(right)) => Target::Range {
                rows: Span {
                    first: top,
                    last: bottom,
                },
                cols: Span {
                    first: left,
                    last: right,
                },
            },
            (Some(first), None, Some(last), None) => Target::Rows(Span { first, last }),
            (None, Some(first), None, Some(last)) => Target::Cols(Span { first, last }),
            _ => return single(bytes, first),
        };
        return Some((found, last.end));
    }
    single(bytes, first)
}

fn single(bytes: &[u8], corner: Corner) -> Option<(Target, usize)> {
    match (corner.row, corner.col) {
        (Some(row), Some(col)) if ends(bytes, corner.end) => {
            Some((Target::Cell { row, col }, corner.end))
        }
        _ => None,
    }
}

/// The corner behind a colon; blanks may be around it.
#[inline]
fn far_corner(bytes: &[u8], from: usize) -> Option<Corner> {
    let colon = skip_blanks(bytes, from);
    if bytes.get(colon) != Some(&b':') {
        return None;
    }
    let last = corner(bytes, skip_blanks(bytes, colon + 1))?;
    ends(bytes, last.end).then_some(last)
}

/// Letters, digits or both, each with or without `$`, within the bounds of a sheet.
#[inline]
fn corner(bytes: &[u8], start: usize) -> Option<Corner> {
    let mut at = start;
    let mut fixed = dollar(bytes, &mut at);
    let mut col = None;
    let mut number = 0;
    let letters = at;
    while let Some(letter) = bytes.get(at).filter(|b| b.is_ascii_alphabetic()) {
        number = number * 26 + u32::from(letter & 0x1f);
        at += 1;
        if at - letters > 3 {
            return None;
        }
    }
    if at > letters {
        if number > MAX_COLS {
            return None;
        }
        col = Some(Line::new(number - 1, fixed));
        fixed = dollar(bytes, &mut at);
    }
    let mut row = None;
    let mut number = 0;
    let digits = at;
    while let Some(digit) = bytes.get(at).filter(|b| b.is_ascii_digit()) {
        number = number * 10 + u32::from(digit - b'0');
        at += 1;
        if number > MAX_ROWS {
            return None;
        }
    }
    if at > digits {
        row = Some(Line::new(number.checked_sub(1)?, fixed));
    } else if fixed && col.is_some() {
        return None;
    }
    let known = row.is_some() || col.is_some();
    let over = !bytes.get(at).is_some_and(|&b| is_word(b));
    (known && over).then_some(Corner { row, col, end: at })
}

fn dollar(bytes: &[u8], at: &mut usize) -> bool {
    let is = bytes.get(*at) == Some(&b'$');
    *at += usize::from(is);
    is
}

/// Whether what ends here is not a name of a function, a sheet or a table.
fn ends(bytes: &[u8], at: usize) -> bool {
    !matches!(bytes.get(at), Some(b'(' | b'!' | b'['))
}

pub(super) fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// Writes what a reference names.
pub(super) fn write(target: &Target, out: &mut String) {
    match target {
        Target::Cell { row, col } => write_corner(Some(*row), Some(*col), out),
        Target::Range { rows, cols } => {
            write_corner(Some(rows.first), Some(cols.first), out);
            out.push(':');
            write_corner(Some(rows.last), Some(cols.last), out);
        }
        Target::Rows(rows) => {
            write_corner(Some(rows.first), None, out);
            out.push(':');
            write_corner(Some(rows.last), None, out);
        }
        Target::Cols(cols) => {
            write_corner(None, Some(cols.first), out);
            out.push(':');
            write_corner(None, Some(cols.last), out);
        }
        Target::Other => {}
    }
}

fn write_corner(row: Option<Line>, col: Option<Line>, out: &mut String) {
    if let Some(col) = col {
        if col.is_fixed() {
            out.push('$');
        }
        write_column(col.at(), out);
    }
    if let Some(row) = row {
        if row.is_fixed() {
            out.push('$');
        }
        write_number(row.at() + 1, out);
    }
}

fn write_column(col: u32, out: &mut String) {
    let letter = |n: u32| char::from(b'A' + (n % 26) as u8);
    if col >= 26 {
        write_column(col / 26 - 1, out);
    }
    out.push(letter(col));
}

fn write_number(number: u32, out: &mut String) {
    if number >= 10 {
        write_number(number / 10, out);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

/// The two corners of a range, top left first.
pub(super) fn corners(rows: Span, cols: Span) -> (Address, Address) {
    let low = |span: Span| span.first.at().min(span.last.at());
    let high = |span: Span| span.first.at().max(span.last.at());
    (
        Address::new(low(rows), low(cols)),
        Address::new(high(rows), high(cols)),
    )
}
