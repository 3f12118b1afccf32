//! The rows of a plain sheet, cell by cell.

use super::cursor::{Cursor, Tag, Text};
use super::data_table::DataTable;
use super::error::ReadError;
use super::extras::hidden;
use super::plain::{Stop, area};
use super::sink::{Formula, Sink, iso_day};
use super::strings::push_text;
use super::xml;
use crate::extras::LineLook;
use crate::{Address, ErrorCode, MAX_COLS, MAX_ROWS, Value};

/// The `t` of a cell.
#[derive(Clone, Copy, PartialEq)]
enum Type {
    Number,
    Shared,
    Own,
    Inline,
    Bool,
    Error,
    Date,
}

pub(super) struct Rows<'r, 'w> {
    pub sink: &'r mut Sink<'w>,
    /// The row that comes next if it does not say its number.
    next: u32,
    text: String,
    formula: String,
}

impl<'r, 'w> Rows<'r, 'w> {
    /// The rows of a sheet, from the first.
    pub fn new(sink: &'r mut Sink<'w>) -> Self {
        Self {
            sink,
            next: 0,
            text: String::new(),
            formula: String::new(),
        }
    }

    /// Reads rows; true at the end of the sheet's cells.
    pub fn scan(&mut self, cursor: &mut Cursor<'_>) -> Result<bool, Stop> {
        loop {
            cursor.skip_blanks();
            if cursor.is_at_end() {
                return Ok(false);
            }
            if cursor.eat_tag("<row") {
                self.row(cursor)?;
            } else if cursor.eat_tag("</sheetData>") {
                return Ok(true);
            } else {
                return Err(Stop::Unusual);
            }
        }
    }

    fn row(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        let (mut number, mut style) = (None, None);
        let (mut height, mut custom) = (None, [false; 2]);
        let (mut is_hidden, mut level, mut folded) = (false, None, false);
        let yes = |value: &str| matches!(value, "1" | "true");
        let mut left = Vec::new();
        let tag = cursor.attributes(|name, value| match name {
            "r" => number = Some(value),
            "s" => style = value.parse().ok(),
            "ht" => height = value.parse::<f64>().ok(),
            "customHeight" => custom[0] = yes(value),
            "customFormat" => custom[1] = yes(value),
            "hidden" => is_hidden = yes(value),
            "outlineLevel" => level = value.parse().ok(),
            "collapsed" => folded = yes(value),
            "spans" => {}
            name => left.push((name, value)),
        })?;
        let part = self.sink.part;
        let mut row = match number {
            Some(text) => row_number(part, text)?,
            None => self.next,
        };
        let look = LineLook {
            size: row_size(height.filter(|_| custom[0])),
            hidden: hidden(is_hidden, level, folded),
        };
        self.sink.looks.row(row, style.filter(|_| custom[1]), look);
        for (name, value) in left {
            self.sink.left(Address::new(row, 0), "row", name, value);
        }
        let mut certain = number.is_some();
        if tag == Tag::Open {
            let mut col = 0;
            loop {
                cursor.skip_blanks();
                if cursor.eat_tag("<c") {
                    let at = self.cell(cursor, Address::new(row, col), certain)?;
                    (row, col, certain) = (at.row, at.col + 1, true);
                } else if cursor.eat_tag("</row>") {
                    break;
                } else {
                    return Err(Stop::Unusual);
                }
            }
        }
        self.next = row + 1;
        Ok(())
    }

    /// Reads a cell that is at `at` unless it says otherwise; whether its row
    /// is certain, it may not.
    fn cell(
        &mut self,
        cursor: &mut Cursor<'_>,
        at: Address,
        certain: bool,
    ) -> Result<Address, Stop> {
        let part = self.sink.part;
        let (mut address, mut style, mut kind) = (None, None, None);
        let mut left = Vec::new();
        let tag = cursor.attributes(|name, value| match name {
            "r" => address = Some(value),
            "s" => style = Some(value),
            "t" => kind = Some(value),
            name => left.push((name, value)),
        })?;
        let at = place(part, at, address, certain)?;
        let looks = style.map_or(0, |style| style.parse().unwrap_or(0));
        self.sink.looks.cell(at.row, at.col, looks);
        for (name, value) in left {
            self.sink.left(at, "c", name, value);
        }
        if tag == Tag::Closed {
            return Ok(at);
        }
        let kind_says = kind;
        let kind = match kind {
            None | Some("n") => Type::Number,
            Some("s") => Type::Shared,
            Some("str") => Type::Own,
            Some("inlineStr") => Type::Inline,
            Some("b") => Type::Bool,
            Some("e") => Type::Error,
            Some("d") => Type::Date,
            Some(other) => {
                let what = format!("is of type {other:?}, which is none");
                return Err(ReadError::cell(part, at, what).into());
            }
        };
        let says_number = kind_says == Some("n");
        let mut formula = None;
        // The range of the value's text; a text that had to be decoded is ours.
        let mut value: Option<Text<'_>> = None;
        loop {
            cursor.skip_blanks();
            if cursor.eat_tag("<v") {
                let text = element_text(cursor, "</v>", &mut self.text)?;
                if kind != Type::Inline {
                    value = text;
                }
            } else if cursor.eat_tag("</c>") {
                break;
            } else if cursor.eat_tag("<f") {
                formula = self.formula(cursor, at)?;
            } else if cursor.eat_tag("<is>") {
                if kind != Type::Inline {
                    return Err(Stop::Unusual);
                }
                value = inline_text(cursor, &mut self.text)?;
            } else {
                return Err(Stop::Unusual);
            }
        }
        let text = match value {
            None => "",
            Some(Text::Plain(text)) => text,
            Some(Text::Decoded) => self.text.as_str(),
        };
        let cell = Raw {
            at,
            kind,
            style,
            says_number,
            formula,
        };
        cell.push(text, self.sink)?;
        Ok(at)
    }

    fn formula(&mut self, cursor: &mut Cursor<'_>, at: Address) -> Result<Option<u32>, Stop> {
        let (mut kind, mut index, mut range) = (None, None, None);
        let mut table = DataTable::default();
        let mut left = Vec::new();
        let tag = cursor.attributes(|name, value| match name {
            "t" => kind = Some(value),
            "si" => index = Some(value),
            "ref" => range = Some(value),
            name if table.take(name, value) => {}
            name => left.push((name, value)),
        })?;
        for (name, value) in left {
            self.sink.left(at, "f", name, value);
        }
        let text = match tag {
            Tag::Closed => "",
            Tag::Open => match cursor.text("</f>", &mut self.formula)? {
                Text::Plain(text) => text,
                Text::Decoded => self.formula.as_str(),
            },
        };
        let formula = match kind {
            Some("shared") => {
                let index = index.and_then(|index| index.parse().ok()).ok_or_else(|| {
                    let what = "shares a formula and does not say which";
                    ReadError::cell(self.sink.part, at, what)
                })?;
                match range {
                    Some(_) => Formula::First(index, text),
                    None => Formula::Shared(index),
                }
            }
            // A data table has no text, and what it computes are values.
            Some("dataTable") => {
                table.give(self.sink, at, range)?;
                Formula::Own(text)
            }
            _ => Formula::Own(text),
        };
        let id = self.sink.formula(at, &formula)?;
        if let (Some("array"), Some(range), Some(_)) = (kind, range, id) {
            let filled = area(self.sink.part, range)?;
            self.sink.array(at, filled);
        }
        Ok(id)
    }
}

/// A cell but for the text of its value.
struct Raw<'t> {
    at: Address,
    kind: Type,
    style: Option<&'t str>,
    /// It claims to be a number.
    says_number: bool,
    formula: Option<u32>,
}

impl Raw<'_> {
    /// Gives the cell with this text to the sink.
    fn push(&self, text: &str, sink: &mut Sink<'_>) -> Result<(), ReadError> {
        let (at, formula) = (self.at, self.formula);
        if text.is_empty() {
            return sink.value(at, Value::Empty, formula);
        }
        match self.kind {
            Type::Shared => {
                let index = shared_index(text);
                let index = index.ok_or_else(|| self.wrong(sink, text, "no number of a text"))?;
                sink.shared_text(at, index, formula)
            }
            Type::Number => {
                // A style that there is not is not a style.
                let style = self.style.map_or(0, |style| style.parse().unwrap_or(0));
                match number(text) {
                    Some(number) => sink.number(at, number, style, formula),
                    None if self.says_number => Err(self.wrong(sink, text, "no number")),
                    None => sink.text(at, text, formula),
                }
            }
            Type::Own => sink.text(at, &xml::unescape(text), formula),
            Type::Inline => sink.text(at, text, formula),
            Type::Bool => {
                let is = truth(text);
                let is = is.ok_or_else(|| self.wrong(sink, text, "neither true nor false"))?;
                sink.value(at, Value::Bool(is), formula)
            }
            Type::Error => {
                let code = ErrorCode::parse(text);
                let code = code.ok_or_else(|| self.wrong(sink, text, "no error"))?;
                sink.value(at, Value::Error(code), formula)
            }
            Type::Date => {
                let day = iso_day(text);
                let day = day.ok_or_else(|| self.wrong(sink, text, "no date"))?;
                sink.value(at, Value::Date(day), formula)
            }
        }
    }

    fn wrong(&self, sink: &Sink<'_>, text: &str, what: &str) -> ReadError {
        let what = format!("shows {text:?}, which is {what}");
        ReadError::cell(sink.part, self.at, what)
    }
}

/// The text of an element whose name has been read; none if it is closed at once.
fn element_text<'t>(
    cursor: &mut Cursor<'t>,
    close: &'static str,
    buffer: &mut String,
) -> Result<Option<Text<'t>>, Stop> {
    if !cursor.eat(">") && cursor.skip_attributes()? == Tag::Closed {
        return Ok(None);
    }
    cursor.text(close, buffer).map(Some)
}

/// The text of `<is>` if it is in one piece.
fn inline_text<'t>(cursor: &mut Cursor<'t>, buffer: &mut String) -> Result<Option<Text<'t>>, Stop> {
    cursor.skip_blanks();
    if cursor.eat_tag("</is>") {
        return Ok(None);
    }
    if !cursor.eat_tag("<t") {
        return Err(Stop::Unusual);
    }
    let mut preserve = false;
    let tag = cursor.attributes(|name, value| {
        preserve |= name == "xml:space" && value == "preserve";
    })?;
    if tag == Tag::Open {
        let piece = match cursor.text("</t>", buffer)? {
            Text::Plain(piece) => piece.to_owned(),
            Text::Decoded => buffer.clone(),
        };
        buffer.clear();
        push_text(buffer, &piece, preserve);
    } else {
        buffer.clear();
    }
    cursor.skip_blanks();
    if !cursor.eat_tag("</is>") {
        return Err(Stop::Unusual);
    }
    Ok(Some(Text::Decoded))
}

/// A number for a height that somebody chose.
pub(super) fn row_size(height: Option<f64>) -> u64 {
    height.map_or(0, |height| rounded(height, 16.0))
}

/// A size as bits, never zero: programs round to pixels, each in its own way.
pub(super) fn rounded(size: f64, steps: f64) -> u64 {
    ((size * steps).round() / steps).max(1.0 / 1024.0).to_bits()
}

/// The row of this number, from zero.
pub(super) fn row_number(part: &str, text: &str) -> Result<u32, ReadError> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse::<u32>().ok().filter(|_| digits) {
        Some(row @ 1..=MAX_ROWS) => Ok(row - 1),
        _ => Err(ReadError::address(part, format!("row {text}"))),
    }
}

/// Where a cell is: where it says, or else behind the one before.
pub(super) fn place(
    part: &str,
    next: Address,
    says: Option<&str>,
    certain: bool,
) -> Result<Address, ReadError> {
    let at = match says {
        Some(text) => address(text).ok_or_else(|| ReadError::address(part, text))?,
        None => next,
    };
    if certain && at.row != next.row {
        let what = format!("stands in row {}", next.row + 1);
        return Err(ReadError::cell(part, at, what));
    }
    if at.col >= MAX_COLS || at.row >= MAX_ROWS {
        return Err(ReadError::address(part, at.to_string()));
    }
    Ok(at)
}

/// `str::parse` for an address, for every cell of a sheet.
fn address(text: &str) -> Option<Address> {
    let (mut col, mut row) = (0u32, 0u32);
    let bytes = text.as_bytes();
    let letters = bytes.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    if !(1..=3).contains(&letters) || !(1..=7).contains(&(bytes.len() - letters)) {
        return None;
    }
    for letter in &bytes[..letters] {
        col = col * 26 + u32::from(letter.to_ascii_uppercase() - b'A') + 1;
    }
    for digit in &bytes[letters..] {
        if !digit.is_ascii_digit() {
            return None;
        }
        row = row * 10 + u32::from(digit - b'0');
    }
    let inside = col <= MAX_COLS && (1..=MAX_ROWS).contains(&row);
    inside.then(|| Address::new(row - 1, col - 1))
}

/// The number of a shared text.
pub(super) fn shared_index(text: &str) -> Option<usize> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// A number as XML knows it.
fn number(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let (minus, digits) = match bytes {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, bytes),
    };
    // Whole numbers that a float holds exactly are many.
    if digits.len() <= 15 && !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
        let whole = digits
            .iter()
            .fold(0u64, |n, d| n * 10 + u64::from(d - b'0')) as f64;
        return Some(if minus { -whole } else { whole });
    }
    text.trim().parse().ok()
}

fn truth(text: &str) -> Option<bool> {
    let text = text.trim();
    if text == "0" || text.eq_ignore_ascii_case("false") {
        Some(false)
    } else if text == "1" || text.eq_ignore_ascii_case("true") {
        Some(true)
    } else {
        None
    }
}
