//! A formula that many cells share: written once, relative to its first cell.

use crate::{Address, MAX_COLS, MAX_ROWS, column_index};

/// A formula cut into what stays and what moves along with the cell.
pub(super) struct Template {
    home: Address,
    pieces: Vec<Piece>,
}

enum Piece {
    Literal(String),
    Reference(Reference),
}

#[derive(Clone, Copy)]
struct Reference {
    col: Option<Axis>,
    row: Option<Axis>,
}

#[derive(Clone, Copy)]
struct Axis {
    at: u32,
    absolute: bool,
}

impl Axis {
    /// Seen from another cell. What leaves the sheet comes in again on the other
    /// side, as spreadsheet programs have it.
    fn shifted(self, by: i64, end: u32) -> u32 {
        if self.absolute {
            return self.at;
        }
        (i64::from(self.at) + by).rem_euclid(i64::from(end)) as u32
    }
}

impl Template {
    /// The formula as it is in the cell `home`.
    pub fn new(home: Address, formula: &str) -> Self {
        let mut cutter = Cutter {
            formula,
            at: 0,
            literal: 0,
            pieces: Vec::new(),
        };
        cutter.cut();
        Self {
            home,
            pieces: cutter.pieces,
        }
    }

    /// Adds the formula as it is in the cell `to`.
    pub fn write(&self, to: Address, out: &mut String) {
        let rows = i64::from(to.row) - i64::from(self.home.row);
        let cols = i64::from(to.col) - i64::from(self.home.col);
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => out.push_str(text),
                Piece::Reference(reference) => {
                    if let Some(col) = reference.col {
                        out.push_str(if col.absolute { "$" } else { "" });
                        push_column(out, col.shifted(cols, MAX_COLS));
                    }
                    if let Some(row) = reference.row {
                        out.push_str(if row.absolute { "$" } else { "" });
                        push_number(out, row.shifted(rows, MAX_ROWS) + 1);
                    }
                }
            }
        }
    }
}

/// The letters of a column, for every reference of every cell.
fn push_column(out: &mut String, col: u32) {
    let letter = |digit: u32| char::from(b'A' + (digit % 26) as u8);
    if col >= 26 * 27 {
        out.push(letter((col - 26 * 27) / (26 * 26)));
    }
    if col >= 26 {
        out.push(letter((col - 26) / 26));
    }
    out.push(letter(col));
}

fn push_number(out: &mut String, number: u32) {
    let mut digits = [0; 10];
    let (mut at, mut rest) = (digits.len(), number);
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend(digits[at..].iter().map(|digit| char::from(*digit)));
}

struct Cutter<'f> {
    formula: &'f str,
    at: usize,
    /// Where the literal before `at` begins.
    literal: usize,
    pieces: Vec<Piece>,
}

impl Cutter<'_> {
    fn cut(&mut self) {
        let bytes = self.formula.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                // Texts and quoted sheet names; a doubled quote closes and opens.
                b'"' | b'\'' => self.skip_past(byte),
                b'[' => self.skip_brackets(),
                byte if is_word(byte) => self.word(),
                _ => self.at += 1,
            }
        }
        self.flush(self.at);
    }

    fn skip_past(&mut self, quote: u8) {
        let rest = &self.formula.as_bytes()[self.at + 1..];
        let close = rest.iter().position(|b| *b == quote);
        self.at += close.map_or(rest.len() + 1, |close| close + 2);
    }

    /// Columns of tables and numbers of other workbooks; `'` escapes in them.
    fn skip_brackets(&mut self) {
        let bytes = self.formula.as_bytes();
        let mut depth = 0usize;
        while let Some(&byte) = bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\'' => self.at += 1,
                b'[' => depth += 1,
                b']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        self.at = self.at.min(bytes.len());
        while !self.formula.is_char_boundary(self.at) {
            self.at += 1;
        }
    }

    /// A word is a reference, or one end of one, or a name of something.
    fn word(&mut self) {
        let bytes = self.formula.as_bytes();
        let (start, end) = (self.at, word_end(bytes, self.at));
        self.at = end;
        if is_named(bytes, end) {
            return;
        }
        let first = reference(&self.formula[start..end]);
        if let Some(cell) = first.filter(|r| r.col.is_some() && r.row.is_some()) {
            // Two sheets with `:` between may look like cells.
            if self
                .second(end)
                .is_none_or(|last| bytes.get(last) != Some(&b'!'))
            {
                self.push(start, end, cell);
            }
            return;
        }
        // Whole rows and columns come in pairs.
        let (Some(first), Some(last)) = (first, self.second(end)) else {
            return;
        };
        let second = reference(&self.formula[end + 1..last]);
        let Some(second) = second.filter(|_| !is_named(bytes, last)) else {
            return;
        };
        let alike = first.col.is_some() == second.col.is_some()
            && first.row.is_some() == second.row.is_some();
        if alike {
            self.push(start, end, first);
            self.push(end + 1, last, second);
            self.at = last;
        }
    }

    /// Where the word behind a `:` ends, if there is one.
    fn second(&self, end: usize) -> Option<usize> {
        let bytes = self.formula.as_bytes();
        let is = bytes.get(end) == Some(&b':') && bytes.get(end + 1).is_some_and(|b| is_word(*b));
        is.then(|| word_end(bytes, end + 1))
    }

    fn push(&mut self, start: usize, end: usize, reference: Reference) {
        self.flush(start);
        self.pieces.push(Piece::Reference(reference));
        self.literal = end;
    }

    fn flush(&mut self, until: usize) {
        if self.literal < until {
            let literal = self.formula[self.literal..until].to_owned();
            self.pieces.push(Piece::Literal(literal));
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'.' | b'$' | b'\\' | b'?')
        || byte >= 0x80
}

fn word_end(bytes: &[u8], from: usize) -> usize {
    let length = bytes[from..].iter().position(|b| !is_word(*b));
    length.map_or(bytes.len(), |length| from + length)
}

/// What follows tells a function, a sheet and a table from a reference.
fn is_named(bytes: &[u8], end: usize) -> bool {
    matches!(bytes.get(end), Some(b'(' | b'!' | b'['))
}

/// `A1`, `$A$1`, `A`, `$1` and the like.
fn reference(word: &str) -> Option<Reference> {
    let axis = |text: &str| -> (bool, usize) {
        let absolute = text.starts_with('$');
        (absolute, usize::from(absolute))
    };
    let (absolute, from) = axis(word);
    let letters = word[from..]
        .bytes()
        .take_while(u8::is_ascii_alphabetic)
        .count();
    if letters == 0 {
        let row = row(word)?;
        return Some(Reference {
            col: None,
            row: Some(row),
        });
    }
    let at = column_index(&word[from..from + letters])?;
    let rest = &word[from + letters..];
    let row = if rest.is_empty() {
        None
    } else {
        Some(row(rest)?)
    };
    Some(Reference {
        col: Some(Axis { at, absolute }),
        row,
    })
}

fn row(text: &str) -> Option<Axis> {
    let digits = text.strip_prefix('$').unwrap_or(text);
    let is = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let number: u32 = digits.parse().ok().filter(|_| is)?;
    (1..=MAX_ROWS).contains(&number).then(|| Axis {
        at: number - 1,
        absolute: digits.len() < text.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Template, push_column, push_number};
    use crate::{Address, MAX_COLS, column_name};

    fn shifted(formula: &str, rows: u32, cols: u32) -> String {
        let mut out = String::new();
        let template = Template::new(Address::new(10, 10), formula);
        template.write(Address::new(10 + rows, 10 + cols), &mut out);
        out
    }

    #[test]
    fn references_follow_and_absolute_ones_stay() {
        assert_eq!(shifted("A1+$A1+A$1+$A$1", 2, 1), "B3+$A3+B$1+$A$1");
        assert_eq!(shifted("SUM(A1:B2)*A:C+1:$3", 1, 1), "SUM(B2:C3)*B:D+2:$3");
        assert_eq!(shifted("A1:INDEX(B:B,4)", 1, 0), "A2:INDEX(B:B,4)");
        assert_eq!(shifted("Sheet1!A1&Q1:Q3!A1", 1, 0), "Sheet1!A2&Q1:Q3!A2");
        assert_eq!(shifted("xfd1", 0, 0), "XFD1");
    }

    #[test]
    fn what_only_looks_like_a_reference_stays() {
        for formula in [
            "LOG10(2)+ATAN2(1,2)",
            "\"A1 \"\" A1\"&'Q1'!$A$1&'it''s A1'!$B$2",
            "Table1[A1]+T1[[#This Row],[B2]]+[1]Q1!$A$1",
            "1E5+2.5E3+#REF!+#N/A+TRUE",
            "Tax_A1+A1.b+äA1+A1ä+XFE1+A1048577+A0",
            "T1[a']A1]&\"ä",
            "T1[ä'ä",
        ] {
            assert_eq!(shifted(formula, 3, 3), formula);
        }
    }

    #[test]
    fn columns_and_rows_are_written_as_everywhere() {
        for col in 0..MAX_COLS {
            let mut out = String::new();
            push_column(&mut out, col);
            assert_eq!(out, column_name(col));
        }
        for number in [1, 9, 10, 99, 1_048_576] {
            let mut out = String::new();
            push_number(&mut out, number);
            assert_eq!(out, number.to_string());
        }
    }

    #[test]
    fn beyond_the_edge_it_goes_on_at_the_other_side() {
        let template = Template::new(Address::new(4, 4), "A1+B2");
        let mut out = String::new();
        template.write(Address::new(0, 0), &mut out);
        assert_eq!(out, "XFA1048573+XFB1048574");
    }
}
