//! Places in a sheet as people write them: `C14`.

use std::fmt;
use std::str::FromStr;

/// Rows that a sheet can have: 1,048,576.
pub const MAX_ROWS: u32 = 1 << 20;
/// Columns that a sheet can have: 16,384, the last one is `XFD`.
pub const MAX_COLS: u32 = 1 << 14;

/// The place of a cell, rows and columns counted from zero.
///
/// ```
/// use mvdiff_grid::Address;
///
/// let address: Address = "C14".parse()?;
/// assert_eq!((address.row, address.col), (13, 2));
/// assert_eq!(address.to_string(), "C14");
/// # Ok::<(), mvdiff_grid::NoAddress>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// The row, from zero.
    pub row: u32,
    /// The column, from zero.
    pub col: u32,
}

/// A text that is not an address within a sheet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a cell address; write one from A1 to XFD1048576, such as C14")]
pub struct NoAddress(pub String);

impl Address {
    /// The cell in this row and column, both from zero.
    #[must_use]
    pub fn new(row: u32, col: u32) -> Self {
        Self { row, col }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_name(self.col), u64::from(self.row) + 1)
    }
}

impl FromStr for Address {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Self, NoAddress> {
        let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (name, number) = text.split_at(letters);
        let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        let row = number.parse::<u32>().ok().filter(|_| digits);
        match (column_index(name), row) {
            (Some(col), Some(row @ 1..=MAX_ROWS)) => Ok(Self { row: row - 1, col }),
            _ => Err(NoAddress(text.to_owned())),
        }
    }
}

/// The letters of a column: `A` for 0, `XFD` for 16,383.
#[must_use]
pub fn column_name(col: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(col) + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// The column of these letters, in either case; none beyond `XFD`.
#[must_use]
pub fn column_index(letters: &str) -> Option<u32> {
    if letters.is_empty() || letters.len() > 3 || !letters.bytes().all(|b| b.is_ascii_alphabetic())
    {
        return None;
    }
    let number = letters.bytes().fold(0, |number, letter| {
        number * 26 + u32::from(letter.to_ascii_uppercase() - b'A') + 1
    });
    (number <= MAX_COLS).then(|| number - 1)
}

#[cfg(test)]
mod tests {
    use super::{Address, MAX_COLS, column_index, column_name};

    #[test]
    fn every_column_has_letters_that_lead_back() {
        for col in 0..MAX_COLS {
            assert_eq!(column_index(&column_name(col)), Some(col));
        }
        assert_eq!(column_name(MAX_COLS - 1), "XFD");
        assert_eq!(column_index("XFE"), None);
        assert_eq!(column_index("aaaa"), None);
    }

    #[test]
    fn what_lies_outside_a_sheet_is_no_address() {
        for text in ["", "A", "1", "A0", "A1048577", "XFE1", "A+1", "$A$1", "A1 "] {
            assert!(text.parse::<Address>().is_err(), "{text:?}");
        }
        assert_eq!("xfd1048576".parse(), Ok(Address::new(1_048_575, 16_383)));
    }
}
