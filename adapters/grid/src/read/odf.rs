//! What is special about `OpenDocument`: cells that stand for many, and formulas
//! spelt in another way.

use super::error::{ReadError, within};
use super::limits::{Limit, Limits};
use super::xml;
use quick_xml::events::{BytesStart, Event};

/// Refuses tables that unpack to more cells or text than allowed: one cell may stand
/// for a whole sheet, one element for any number of spaces, and calamine makes a full
/// rectangle of every table.
pub(super) fn check(part: &str, bytes: &[u8], limits: &Limits) -> Result<(), ReadError> {
    // What is wrong with the XML is for calamine to say.
    let content = String::from_utf8_lossy(bytes);
    let mut reader = xml::events(&content);
    // calamine would wait for the end of a table for ever; one that closes before it
    // opens is no end of it.
    reader.config_mut().check_end_names = true;
    let mut open = 0u64;
    let mut tables = Tables::default();
    loop {
        match xml::next(part, &mut reader)? {
            Event::Start(element) => {
                open += 1;
                tables.start(part, &element)?;
            }
            Event::Text(more) => tables.add(more.len() as u64),
            Event::End(end) => {
                open = open.saturating_sub(1);
                tables.end(end.name().as_ref());
                within(limits, Limit::Text, part, tables.text)?;
                within(limits, Limit::Cells, part, tables.cells())?;
            }
            Event::Eof if open > 0 => {
                return Err(ReadError::malformed(part, "it breaks off in an element"));
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// What tables unpack to.
#[derive(Default)]
struct Tables {
    /// Cells of those before.
    before: u64,
    /// Where the table ends so far.
    rows: u64,
    cols: u64,
    next_row: u64,
    next_col: u64,
    /// How often the row is repeated, and whether it holds something.
    repeats: u64,
    filled: bool,
    /// Bytes of text: in all rows, in this one, and in this cell, with how often it
    /// is repeated.
    text: u64,
    row_text: u64,
    cell_text: u64,
    cell_repeats: u64,
}

impl Tables {
    fn cells(&self) -> u64 {
        self.before
            .saturating_add(self.rows.saturating_mul(self.cols))
    }

    fn add(&mut self, text: u64) {
        self.cell_text = self.cell_text.saturating_add(text);
    }

    fn start(&mut self, part: &str, element: &BytesStart<'_>) -> Result<(), ReadError> {
        let said = |name: &str| xml::attribute(part, element, name);
        let count = |name: &str| -> Result<u64, ReadError> {
            Ok(said(name)?.map_or(1, |count| count.parse().unwrap_or(u64::MAX)))
        };
        match element.name().as_ref() {
            "table:table" => (self.rows, self.cols, self.next_row) = (0, 0, 0),
            "table:table-row" => {
                self.repeats = count("number-rows-repeated")?;
                (self.next_col, self.filled, self.row_text) = (0, false, 0);
            }
            "table:table-cell" | "table:covered-table-cell" => {
                let repeats = count("number-columns-repeated")?;
                self.next_col = self.next_col.saturating_add(repeats);
                let (formula, text) = (said("formula")?, said("string-value")?);
                let is_filled = said("value-type")?.is_some() || formula.is_some();
                if is_filled {
                    self.filled = true;
                    self.cols = self.cols.max(self.next_col);
                }
                let lengths = [formula, text].map(|said| said.map_or(0, |said| said.len()));
                self.cell_text = lengths.iter().sum::<usize>() as u64;
                self.cell_repeats = if is_filled { repeats } else { 0 };
            }
            "text:s" => self.add(count("c")?),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &str) {
        match name {
            "table:table-cell" | "table:covered-table-cell" => {
                let cells = self.cell_text.saturating_mul(self.cell_repeats);
                self.row_text = self.row_text.saturating_add(cells);
                (self.cell_text, self.cell_repeats) = (0, 0);
            }
            "table:table-row" => {
                let rows = self.row_text.saturating_mul(self.repeats);
                self.text = self.text.saturating_add(rows);
                self.next_row = self.next_row.saturating_add(self.repeats);
                if self.filled {
                    self.rows = self.next_row;
                }
            }
            "table:table" => {
                self.before = self.cells();
                (self.rows, self.cols) = (0, 0);
            }
            _ => {}
        }
    }
}

/// `of:=SUM([.A1:.B2];[$Data.C3])` is `SUM(A1:B2,$Data!C3)`; without its `=`.
pub(super) fn formula(text: &str) -> String {
    let text = text
        .strip_prefix("of:")
        .or_else(|| text.strip_prefix("msoxl:"))
        .unwrap_or(text);
    let text = text.strip_prefix('=').unwrap_or(text);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = match character {
            '"' | '\'' => {
                let close = rest[1..].find(character);
                let length = close.map_or(rest.len(), |close| close + 2);
                out.push_str(&rest[..length]);
                length
            }
            '[' => {
                let close = closing(rest);
                out.push_str(&reference(&rest[1..close]));
                (close + 1).min(rest.len())
            }
            // Arguments end at `;`, and rows of constants at `|`.
            ';' => {
                out.push(',');
                1
            }
            '|' => {
                out.push(';');
                1
            }
            _ => {
                out.push(character);
                character.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    out
}

/// What a name stands for: a formula, or a reference without brackets.
pub(super) fn named(text: &str) -> String {
    if text.contains('=') || text.contains('[') {
        formula(text)
    } else {
        reference(text)
    }
}

/// Where the bracket closes that `text` begins with; names of sheets in quotes may
/// hold brackets.
fn closing(text: &str) -> usize {
    let mut quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\'' => quoted = !quoted,
            b']' if !quoted => return at,
            _ => {}
        }
    }
    text.len()
}

/// `.A1`, `Data.A1:.B2`, `'My data'.A1`
fn reference(text: &str) -> String {
    let mut ends = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\'' => quoted = !quoted,
            b':' if !quoted => {
                ends.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    ends.push(&text[start..]);
    let ends: Vec<String> = ends
        .iter()
        .map(|end| match end.rsplit_once('.') {
            Some(("", cell)) => cell.to_owned(),
            Some((sheet, cell)) => format!("{}!{cell}", sheet.strip_prefix('$').unwrap_or(sheet)),
            None => (*end).to_owned(),
        })
        .collect();
    ends.join(":")
}

#[cfg(test)]
mod tests {
    use super::{check, formula, named};
    use crate::read::limits::Limits;

    #[test]
    fn references_lose_their_brackets() {
        for (from, to) in [
            ("of:=SUM([.A1:.B2];[$Data.C3])", "SUM(A1:B2,Data!C3)"),
            (
                "of:=['My ]data'.$A$1]&\";[.A1]\"",
                "'My ]data'!$A$1&\";[.A1]\"",
            ),
            ("of:={1;2|3;4}", "{1,2;3,4}"),
            ("$Sheet1.$A$1", "$Sheet1.$A$1"),
            ("of:=[.A1", "A1"),
        ] {
            assert_eq!(formula(from), to);
        }
        assert_eq!(named("$Sheet1.$A$1:.$B$2"), "Sheet1!$A$1:$B$2");
        assert_eq!(named("of:=1+[.A1]"), "1+A1");
    }

    #[test]
    fn a_table_without_an_end_is_refused() {
        let limits = Limits::default();
        for text in [
            "<table:table>",
            "<a></table:table><table:table></a>",
            "<a></table:table></a><table:table>",
            "<table:table><table:table-row></table:table></table:table-row>",
        ] {
            assert!(check("content.xml", text.as_bytes(), &limits).is_err());
        }
        assert!(check("content.xml", b"<a><table:table/></a>", &limits).is_ok());
    }

    #[test]
    fn a_cell_that_stands_for_too_many_is_refused() {
        let table = |rows: u64, cols: u64, kind: &str| {
            format!(
                "<table:table><table:table-row table:number-rows-repeated=\"{rows}\">\
                 <table:table-cell table:number-columns-repeated=\"{cols}\"{kind}/>\
                 </table:table-row></table:table>"
            )
        };
        let limits = Limits::default();
        let filled = " office:value-type=\"float\"";
        let bomb = table(1_048_576, 16_384, filled);
        let error = check("content.xml", bomb.as_bytes(), &limits).unwrap_err();
        assert!(error.to_string().contains("--max-cells"), "{error}");
        // Empty ones cost nothing, and tables are counted together.
        let empty = table(1_048_576, 16_384, "");
        assert!(check("content.xml", empty.as_bytes(), &limits).is_ok());
        let many = table(1_000, 1_000, filled).repeat(21);
        assert!(check("content.xml", many.as_bytes(), &limits).is_err());
    }

    #[test]
    fn text_that_is_repeated_too_often_is_refused() {
        let limits = Limits::default();
        let table = |rows: u64, cols: u64, text: &str| {
            format!(
                "<table:table><table:table-row table:number-rows-repeated=\"{rows}\">\
                 <table:table-cell table:number-columns-repeated=\"{cols}\" \
                 office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>\
                 </table:table-row></table:table>"
            )
        };
        let refused = |table: String| {
            let checked = check("content.xml", table.as_bytes(), &limits);
            checked.is_err_and(|error| error.to_string().contains("--max-text"))
        };
        let (long, spaces) = ("x".repeat(2_000), "a<text:s text:c=\"2147483647\"/>");
        assert!(refused(table(1, 1, spaces)));
        assert!(refused(table(1_000, 1_000, &long)));
        assert!(!refused(table(100, 1_000, &long)));
        assert!(!refused(table(1_000, 1_000, "short")));
    }
}
