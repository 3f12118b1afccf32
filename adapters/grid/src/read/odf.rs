//! What is special about `OpenDocument`: cells that stand for many, and formulas
//! spelt in another way.

use super::error::{ReadError, within};
use super::limits::{Limit, Limits};
use super::xml;
use quick_xml::events::Event;

/// Refuses tables that unpack to more cells than allowed: one cell may stand for a
/// whole sheet, and calamine makes a full rectangle of every table.
pub(super) fn check(part: &str, bytes: &[u8], limits: &Limits) -> Result<(), ReadError> {
    // What is wrong with the text is for calamine to say.
    let text = String::from_utf8_lossy(bytes);
    let mut reader = xml::events(&text);
    // calamine would wait for the end of a table for ever.
    let mut open = 0u64;
    // Where the table ends so far, and the row that is being read.
    let (mut rows, mut cols, mut total) = (0u64, 0u64, 0u64);
    let (mut next_row, mut next_col, mut repeats, mut filled) = (0u64, 0u64, 1u64, false);
    loop {
        match xml::next(part, &mut reader)? {
            Event::Start(element) => {
                open += 1;
                let count = |name: &str| -> Result<u64, ReadError> {
                    let count = xml::attribute(part, &element, name)?;
                    Ok(count.map_or(1, |count| count.parse().unwrap_or(u64::MAX)))
                };
                match element.name().as_ref() {
                    "table:table" => (rows, cols, next_row) = (0, 0, 0),
                    "table:table-row" => {
                        repeats = count("number-rows-repeated")?;
                        (next_col, filled) = (0, false);
                    }
                    "table:table-cell" | "table:covered-table-cell" => {
                        let repeats = count("number-columns-repeated")?;
                        next_col = next_col.saturating_add(repeats);
                        let is_filled = xml::attribute(part, &element, "value-type")?.is_some()
                            || xml::attribute(part, &element, "formula")?.is_some();
                        if is_filled {
                            filled = true;
                            cols = cols.max(next_col);
                        }
                    }
                    _ => {}
                }
            }
            Event::End(end) => {
                open = open.saturating_sub(1);
                match end.name().as_ref() {
                    "table:table-row" => {
                        next_row = next_row.saturating_add(repeats);
                        if filled {
                            rows = next_row;
                        }
                        let cells = total.saturating_add(rows.saturating_mul(cols));
                        within(limits, Limit::Cells, part, cells)?;
                    }
                    "table:table" => total = total.saturating_add(rows.saturating_mul(cols)),
                    _ => {}
                }
            }
            Event::Eof if open > 0 => {
                return Err(ReadError::malformed(part, "it breaks off in an element"));
            }
            Event::Eof => return Ok(()),
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
}
