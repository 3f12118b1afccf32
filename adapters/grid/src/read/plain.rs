//! Sheets as nearly all programs write them, read without an XML parser.
//!
//! The scanner knows what a sheet may look like and says [`Stop::Unusual`] at
//! anything else: comments, other encodings, entities of its own, elements in a cell that it does not know. Then calamine reads the sheet from its
//! beginning. So there are two readers, and a test holds them to the same answer.

use super::cursor::{Cursor, Tag};
use super::error::ReadError;
use super::sink::{Formula, Sink, iso_day};
use super::strings::push_text;
use super::xml;
use crate::{Address, Area, ErrorCode, MAX_COLS, MAX_ROWS, Value};
use memchr::memmem;

/// Why the scanner stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// It may be right, but it is not plain.
    Unusual,
    /// It is wrong.
    Bad(Box<ReadError>),
}

impl From<ReadError> for Stop {
    fn from(error: ReadError) -> Self {
        Self::Bad(Box::new(error))
    }
}

/// Bytes taken from the part at a time.
const CHUNK: u64 = 1 << 18;

/// Reads the sheet whose bytes `fill` adds to a buffer until it says false. Gives
/// the merged regions; the cells are in the sink.
pub(super) fn read(
    mut fill: impl FnMut(&mut Vec<u8>, u64) -> Result<bool, ReadError>,
    sink: &mut Sink<'_>,
) -> Result<Vec<Area>, Stop> {
    let mut buffer = Vec::new();
    let mut more = true;
    // Up to the cells.
    let (begin, prefix) = loop {
        if let Some(found) = find_cells(&buffer) {
            break found;
        }
        if !more {
            return Err(Stop::Unusual);
        }
        more = fill(&mut buffer, CHUNK)?;
    };
    let prefix = prefix.as_str();
    check_head(&buffer[..begin], prefix)?;
    let row_end = format!("</{prefix}row>");
    let row_end = memmem::FinderRev::new(&row_end);
    let mut cursor = Cursor::new(utf8_prefix(&buffer), prefix);
    cursor.at = begin;
    let closed = cursor.skip_attributes()? == Tag::Closed;
    let mut done = cursor.at;
    let mut rows = Rows {
        sink,
        next: 0,
        text: String::new(),
        formula: String::new(),
    };
    if !closed {
        loop {
            // Whole rows only, as long as there is more to come.
            let end = if more {
                let found = row_end.rfind(&buffer[done..]);
                found.map(|at| done + at + row_end.needle().len())
            } else {
                Some(buffer.len())
            };
            if let Some(end) = end {
                let text = std::str::from_utf8(&buffer[done..end]).map_err(|_| Stop::Unusual)?;
                let mut cursor = Cursor::new(text, prefix);
                let ended = rows.scan(&mut cursor)?;
                done += cursor.at;
                if ended {
                    break;
                }
                if !more {
                    return Err(Stop::Unusual);
                }
                buffer.drain(..done);
                done = 0;
            }
            more = fill(&mut buffer, CHUNK)?;
        }
    }
    while more {
        more = fill(&mut buffer, CHUNK)?;
    }
    let part = rows.sink.part;
    merges(part, &buffer[done..], prefix)
}

/// The longest beginning that is valid.
fn utf8_prefix(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// Where the attributes of `<sheetData` begin, once its tag is there, and the
/// prefix of all elements.
fn find_cells(buffer: &[u8]) -> Option<(usize, String)> {
    const NAME: &[u8] = b"sheetData";
    let at = memmem::find_iter(buffer, NAME).find(|at| {
        // The name of an element, and not something that only ends so.
        let ends = matches!(buffer.get(at + NAME.len()), Some(b'>' | b'/' | b' '));
        ends && matches!(buffer.get(at.wrapping_sub(1)), Some(b'<' | b':'))
    })?;
    memchr::memchr(b'>', &buffer[at..])?;
    let open = memchr::memrchr(b'<', &buffer[..at])?;
    let prefix = std::str::from_utf8(&buffer[open + 1..at]).ok()?;
    Some((at + NAME.len(), prefix.to_owned()))
}

/// What comes before the cells may not change how they are read.
fn check_head(head: &[u8], prefix: &str) -> Result<(), Stop> {
    let head = std::str::from_utf8(head).map_err(|_| Stop::Unusual)?;
    let head = head.strip_prefix('\u{feff}').unwrap_or(head);
    let declared = head.find("?>").map_or("", |end| &head[..end]);
    if let Some(at) = declared.find("encoding=") {
        let label = declared[at + "encoding=".len()..].get(1..6);
        if !label.is_some_and(|label| label.eq_ignore_ascii_case("utf-8")) {
            return Err(Stop::Unusual);
        }
    }
    if head.contains("<!") || !head.contains(&format!("<{prefix}worksheet")) {
        return Err(Stop::Unusual);
    }
    Ok(())
}

/// The merged regions in what follows the cells.
fn merges(part: &str, tail: &[u8], prefix: &str) -> Result<Vec<Area>, Stop> {
    let tail = std::str::from_utf8(tail).map_err(|_| Stop::Unusual)?;
    if !tail.trim_end().ends_with(&format!("</{prefix}worksheet>")) {
        return Err(Stop::Unusual);
    }
    let open = format!("<{prefix}mergeCells");
    let Some(begin) = tail.find(&open) else {
        return Ok(Vec::new());
    };
    // A comment could hide them.
    if tail.contains("<!") {
        return Err(Stop::Unusual);
    }
    let mut cursor = Cursor::new(tail, prefix);
    cursor.at = begin + open.len();
    let mut areas = Vec::new();
    if cursor.skip_attributes()? == Tag::Closed {
        return Ok(areas);
    }
    loop {
        cursor.skip_blanks();
        if cursor.eat_tag("</mergeCells>") {
            areas.sort_unstable();
            return Ok(areas);
        }
        if !cursor.eat_tag("<mergeCell") {
            return Err(Stop::Unusual);
        }
        let mut found = None;
        let tag = cursor.attributes(|name, value| {
            if name == "ref" {
                found = Some(value);
            }
        })?;
        if tag == Tag::Open && !cursor.eat_tag("</mergeCell>") {
            return Err(Stop::Unusual);
        }
        areas.push(area(part, found.unwrap_or_default())?);
    }
}

/// `A1:B2` as a merged region.
pub(super) fn area(part: &str, text: &str) -> Result<Area, ReadError> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let wrong = || ReadError::address(part, text);
    let first: Address = first.parse().map_err(|_| wrong())?;
    let last: Address = last.parse().map_err(|_| wrong())?;
    Ok(Area {
        first: Address::new(first.row.min(last.row), first.col.min(last.col)),
        last: Address::new(first.row.max(last.row), first.col.max(last.col)),
    })
}

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

struct Rows<'r, 'w> {
    sink: &'r mut Sink<'w>,
    /// The row that comes next if it does not say its number.
    next: u32,
    text: String,
    formula: String,
}

impl Rows<'_, '_> {
    /// Reads rows; true at the end of the sheet's cells.
    fn scan(&mut self, cursor: &mut Cursor<'_>) -> Result<bool, Stop> {
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
        let mut number = None;
        let tag = cursor.attributes(|name, value| {
            if name == "r" {
                number = Some(value);
            }
        })?;
        let part = self.sink.part;
        let mut row = match number {
            Some(text) => row_number(part, text)?,
            None => self.next,
        };
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

    /// Reads a cell that stands at `at` unless it says otherwise; whether its row
    /// is certain, it may not.
    fn cell(
        &mut self,
        cursor: &mut Cursor<'_>,
        at: Address,
        certain: bool,
    ) -> Result<Address, Stop> {
        let part = self.sink.part;
        let (mut address, mut style, mut kind) = (None, None, None);
        let tag = cursor.attributes(|name, value| match name {
            "r" => address = Some(value),
            "s" => style = Some(value),
            "t" => kind = Some(value),
            _ => {}
        })?;
        let at = place(part, at, address, certain)?;
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
        let text = match &value {
            None => return self.push(at, Value::Empty, formula),
            Some(Text::Plain(text)) => text,
            Some(Text::Decoded) => self.text.as_str(),
        };
        if text.is_empty() {
            return self.push(at, Value::Empty, formula);
        }
        match kind {
            Type::Shared => {
                let index = shared_index(text).ok_or_else(|| {
                    let what = format!("shows shared text {text:?}, which is no number");
                    ReadError::cell(part, at, what)
                })?;
                self.sink.shared_text(at, index, formula)?;
            }
            Type::Number => {
                // A style that there is not is no style.
                let style = style.map_or(0, |style| style.parse().unwrap_or(0));
                match number(text) {
                    Some(number) => self.sink.number(at, number, style, formula)?,
                    None if says_number => {
                        let what = format!("shows {text:?}, which is no number");
                        return Err(ReadError::cell(part, at, what).into());
                    }
                    None => self.sink.text(at, text, formula)?,
                }
            }
            Type::Own => {
                let text = xml::unescape(text);
                self.sink.text(at, &text, formula)?;
            }
            Type::Inline => self.sink.text(at, text, formula)?,
            Type::Bool => {
                let is = truth(text).ok_or_else(|| {
                    let what = format!("shows {text:?}, which is neither true nor false");
                    ReadError::cell(part, at, what)
                })?;
                self.sink.value(at, Value::Bool(is), formula)?;
            }
            Type::Error => {
                let code = ErrorCode::parse(text).ok_or_else(|| {
                    ReadError::cell(part, at, format!("shows {text:?}, which is no error"))
                })?;
                self.sink.value(at, Value::Error(code), formula)?;
            }
            Type::Date => {
                let day = iso_day(text).ok_or_else(|| {
                    ReadError::cell(part, at, format!("shows {text:?}, which is no date"))
                })?;
                self.sink.value(at, Value::Date(day), formula)?;
            }
        }
        Ok(at)
    }

    fn push(
        &mut self,
        at: Address,
        value: Value<&str>,
        formula: Option<u32>,
    ) -> Result<Address, Stop> {
        self.sink.value(at, value, formula)?;
        Ok(at)
    }

    fn formula(&mut self, cursor: &mut Cursor<'_>, at: Address) -> Result<Option<u32>, Stop> {
        let (mut kind, mut index, mut range) = (None, None, None);
        let tag = cursor.attributes(|name, value| match name {
            "t" => kind = Some(value),
            "si" => index = Some(value),
            "ref" => range = Some(value),
            _ => {}
        })?;
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
            _ => Formula::Own(text),
        };
        Ok(self.sink.formula(at, &formula)?)
    }
}

/// A text in the part, or in the buffer it was decoded to.
pub(super) enum Text<'t> {
    Plain(&'t str),
    Decoded,
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

/// The row of this number, from zero.
pub(super) fn row_number(part: &str, text: &str) -> Result<u32, ReadError> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse::<u32>().ok().filter(|_| digits) {
        Some(row @ 1..=MAX_ROWS) => Ok(row - 1),
        _ => Err(ReadError::address(part, format!("row {text}"))),
    }
}

/// Where a cell stands: where it says, or else behind the one before.
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
