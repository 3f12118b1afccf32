//! Texts with columns, as workbooks of one sheet.
//!
//! A field is a number if the number is written back the same way; `007`, `1.50`
//! and `1e5` stay texts, and so do dates and truth values, since the format has no
//! types and a guess would hide an edit.

use super::error::ReadError;
use super::formats::Format;
use super::limits::ReadOptions;
use super::metadata::Metadata;
use super::sink::{Common, Sink, Used};
use super::strings::Strings;
use crate::{Address, MAX_COLS, MAX_ROWS, Note, Sheet, Workbook};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::borrow::Cow;

/// The name of the one sheet, the same for every file, so that two files pair.
pub(super) const SHEET: &str = "Sheet1";

/// Reads the text.
pub(super) fn read(bytes: &[u8], tabs: bool, options: &ReadOptions) -> Result<Workbook, ReadError> {
    let mut notes = Vec::new();
    let text = decode(bytes, &mut notes);
    let (delimiter, text) = delimiter(&text, tabs);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let strings = Strings::default();
    let common = Common {
        strings: &strings,
        formats: &[],
        metadata: Metadata::none(),
        is_1904: false,
        limits: &options.limits,
    };
    let mut sink = Sink::new("the text", common, Used::default());
    let mut record = csv::StringRecord::new();
    let mut row = 0u32;
    while reader
        .read_record(&mut record)
        .map_err(|e| ReadError::malformed("the text", e.to_string()))?
    {
        let start = record.position().map_or(0, csv::Position::byte);
        row += blank_lines(text.as_bytes(), start as usize);
        for (col, field) in record.iter().enumerate() {
            let at = Address::new(row, col as u32);
            if at.row >= MAX_ROWS || at.col >= MAX_COLS {
                let place = format!("row {}, column {}", at.row + 1, col + 1);
                return Err(ReadError::address("the text", place));
            }
            match number(field) {
                Some(number) => sink.dated(at, number, Format::Number, None)?,
                None => sink.text(at, field, None)?,
            }
        }
        row += 1;
    }
    let (grid, _, _) = sink.finish(SHEET)?;
    Ok(Workbook {
        sheets: vec![Sheet::new(SHEET, grid)],
        notes,
        ..Workbook::default()
    })
}

/// How many empty lines are where a record was looked for: they are rows, and
/// the reader goes past them without a word.
fn blank_lines(text: &[u8], start: usize) -> u32 {
    let mut at = start;
    // The record before may have ended within its line end.
    if at > 0 && text.get(at - 1..=at) == Some(b"\r\n") {
        at += 1;
    }
    let mut blank = 0;
    loop {
        match &text[at..] {
            [b'\r', b'\n', ..] => at += 2,
            [b'\r' | b'\n', ..] => at += 1,
            _ => return blank,
        }
        blank += 1;
    }
}

/// The text in the encoding that it begins with, or else what it can only be.
fn decode<'b>(bytes: &'b [u8], notes: &mut Vec<Note>) -> Cow<'b, str> {
    let encoding = Encoding::for_bom(bytes).map_or(UTF_8, |(encoding, _)| encoding);
    let (text, _, wrong) = encoding.decode(bytes);
    if !wrong {
        return text;
    }
    let message = "the text is not UTF-8, read as Windows-1252";
    notes.push(Note::new("encoding", message));
    WINDOWS_1252.decode(bytes).0
}

/// What ends a column: a tab if so named, what a first line `sep=;` says, or what
/// the first line has most of. With it comes the text without that first line.
fn delimiter(text: &str, tabs: bool) -> (u8, &str) {
    if let Some(said) = text.strip_prefix("sep=") {
        let (line, rest) = said.split_once('\n').unwrap_or((said, ""));
        if let &[delimiter] = line.trim_end_matches('\r').as_bytes() {
            return (delimiter, rest);
        }
    }
    if tabs {
        return (b'\t', text);
    }
    let mut counts = [(b',', 0u32), (b';', 0), (b'\t', 0), (b'|', 0)];
    let mut quoted = false;
    for byte in text.bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => break,
            byte if !quoted => {
                for (delimiter, count) in &mut counts {
                    *count += u32::from(byte == *delimiter);
                }
            }
            _ => {}
        }
    }
    // The first of those with as many.
    let most = counts.iter().rev().max_by_key(|(_, count)| count);
    (most.map_or(b',', |(delimiter, _)| *delimiter), text)
}

/// The number, if it is written back the same way.
fn number(field: &str) -> Option<f64> {
    let first = field.bytes().next()?;
    if !(first.is_ascii_digit() || first == b'-') || field.len() > 24 {
        return None;
    }
    let number: f64 = field.parse().ok()?;
    (number.to_string() == field).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::{ReadOptions, Value, Workbook};

    fn cells(text: &[u8]) -> Vec<String> {
        let workbook = read(text, false, &ReadOptions::default()).unwrap();
        let grid = workbook.sheets[0].grid().unwrap();
        let show = |value: Value<&str>| match value {
            Value::Number(number) => format!("#{number}"),
            Value::Text(text) => text.to_owned(),
            other => format!("{other:?}"),
        };
        grid.cells()
            .map(|cell| format!("{} {}", cell.address, show(cell.value)))
            .collect()
    }

    #[test]
    fn fields_are_numbers_if_they_are_written_back_the_same() {
        let all = cells(b"1,1.5,-3,007,1.50,1e5,-0,,NaN,inf,123456789012345678901\n");
        let expected = [
            "A1 #1",
            "B1 #1.5",
            "C1 #-3",
            "D1 007",
            "E1 1.50",
            "F1 1e5",
            "G1 #-0",
            "I1 NaN",
            "J1 inf",
            "K1 123456789012345678901",
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn empty_lines_are_rows() {
        for text in [
            "\na\n\n\nb,\"x\n\ny\"\n\nc\n",
            "\r\na\r\n\r\n\r\nb,\"x\n\ny\"\r\n\r\nc",
        ] {
            assert_eq!(
                cells(text.as_bytes()),
                ["A2 a", "A5 b", "B5 x\n\ny", "A7 c"]
            );
        }
    }

    #[test]
    fn columns_end_at_what_the_first_line_has_most_of() {
        assert_eq!(cells(b"a;b;\"x,y,z,\"\n"), ["A1 a", "B1 b", "C1 x,y,z,"]);
        assert_eq!(cells(b"a\tb,c\td\n"), ["A1 a", "B1 b,c", "C1 d"]);
        assert_eq!(cells(b"sep=;\r\na,b;c\n"), ["A1 a,b", "B1 c"]);
        assert_eq!(cells(b"one\n1,5\n"), ["A1 one", "A2 #1", "B2 #5"]);
    }

    #[test]
    fn encodings_are_told_by_their_first_bytes() {
        let utf16: Vec<u8> = "\u{feff}\u{e4},b"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(cells(&utf16), ["A1 \u{e4}", "B1 b"]);
        assert_eq!(cells("\u{feff}a".as_bytes()), ["A1 a"]);
        let Workbook { notes, .. } = read(b"\xe4", false, &ReadOptions::default()).unwrap();
        assert_eq!(notes[0].kind, "encoding");
        assert_eq!(cells(b"\xe4"), ["A1 \u{e4}"]);
        assert!(cells(b"").is_empty());
    }
}
