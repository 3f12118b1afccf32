//! What a cell holds, and when two cells hold the same.

use crate::{Area, date};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::io::Write as _;

/// The value of a cell; texts are borrowed from the grid, or owned in a report.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Value<T> {
    /// Nothing, or a text of no characters.
    #[default]
    Empty,
    /// A number.
    Number(f64),
    /// A text.
    Text(T),
    /// True or false.
    Bool(bool),
    /// A day, with or without a time, as days of the 1900 date system; below one
    /// it is a time without a day.
    Date(f64),
    /// A stretch of time, in days.
    Duration(f64),
    /// An error such as `#N/A`.
    Error(ErrorCode),
}

/// An error that a cell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ErrorCode {
    /// `#DIV/0!`
    Div0,
    /// `#N/A`
    NotAvailable,
    /// `#NAME?`
    Name,
    /// `#NULL!`
    Null,
    /// `#NUM!`
    Num,
    /// `#REF!`
    Ref,
    /// `#VALUE!`
    Value,
    /// `#GETTING_DATA`
    GettingData,
    /// `#SPILL!`
    Spill,
    /// `#CALC!`
    Calc,
    /// `#FIELD!`
    Field,
    /// `#BLOCKED!`
    Blocked,
    /// `#CONNECT!`
    Connect,
    /// `#BUSY!`
    Busy,
    /// `#UNKNOWN!`
    Unknown,
    /// `#EXTERNAL!`
    External,
    /// `#PYTHON!`
    Python,
    /// `#TIMEOUT!`
    Timeout,
}

impl ErrorCode {
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::Div0,
        Self::NotAvailable,
        Self::Name,
        Self::Null,
        Self::Num,
        Self::Ref,
        Self::Value,
        Self::GettingData,
        Self::Spill,
        Self::Calc,
        Self::Field,
        Self::Blocked,
        Self::Connect,
        Self::Busy,
        Self::Unknown,
        Self::External,
        Self::Python,
        Self::Timeout,
    ];

    /// As the cell shows it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Div0 => "#DIV/0!",
            Self::NotAvailable => "#N/A",
            Self::Name => "#NAME?",
            Self::Null => "#NULL!",
            Self::Num => "#NUM!",
            Self::Ref => "#REF!",
            Self::Value => "#VALUE!",
            Self::GettingData => "#GETTING_DATA",
            Self::Spill => "#SPILL!",
            Self::Calc => "#CALC!",
            Self::Field => "#FIELD!",
            Self::Blocked => "#BLOCKED!",
            Self::Connect => "#CONNECT!",
            Self::Busy => "#BUSY!",
            Self::Unknown => "#UNKNOWN!",
            Self::External => "#EXTERNAL!",
            Self::Python => "#PYTHON!",
            Self::Timeout => "#TIMEOUT!",
        }
    }

    /// The error that is shown so.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == text)
    }
}

impl<T: AsRef<str>> Value<T> {
    /// Whether there is nothing: a text of no characters is nothing, too.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Empty => true,
            Self::Text(text) => text.as_ref().is_empty(),
            _ => false,
        }
    }

    /// The name of its type, as in the JSON.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Number(_) => "number",
            Self::Text(_) => "text",
            Self::Bool(_) => "bool",
            Self::Date(_) => "date",
            Self::Duration(_) => "duration",
            Self::Error(_) => "error",
        }
    }

    /// Whether two cells hold the same, by default rules: numbers at 15
    /// significant digits, times to the millisecond, texts to the letter, and no
    /// type equals another, but an empty text is nothing.
    #[must_use]
    pub fn same<U: AsRef<str>>(&self, other: &Value<U>) -> bool {
        match (self, other) {
            (Self::Number(a), Value::Number(b)) => same_number(*a, *b),
            (Self::Text(a), Value::Text(b)) => a.as_ref() == b.as_ref(),
            (Self::Bool(a), Value::Bool(b)) => a == b,
            (Self::Date(a), Value::Date(b)) | (Self::Duration(a), Value::Duration(b)) => {
                date::millis(*a) == date::millis(*b)
            }
            (Self::Error(a), Value::Error(b)) => a == b,
            (a, b) => a.is_empty() && b.is_empty(),
        }
    }

    /// The value with its text borrowed.
    #[must_use]
    pub fn as_str(&self) -> Value<&str> {
        match self {
            Self::Empty => Value::Empty,
            Self::Number(number) => Value::Number(*number),
            Self::Text(text) => Value::Text(text.as_ref()),
            Self::Bool(is) => Value::Bool(*is),
            Self::Date(days) => Value::Date(*days),
            Self::Duration(days) => Value::Duration(*days),
            Self::Error(code) => Value::Error(*code),
        }
    }

    /// The value with a text of its own.
    #[must_use]
    pub fn to_owned(&self) -> Value<String> {
        match self.as_str() {
            Value::Empty => Value::Empty,
            Value::Number(number) => Value::Number(number),
            Value::Text(text) => Value::Text(text.to_owned()),
            Value::Bool(is) => Value::Bool(is),
            Value::Date(days) => Value::Date(days),
            Value::Duration(days) => Value::Duration(days),
            Value::Error(code) => Value::Error(code),
        }
    }
}

/// One number for all numbers that are equal at 15 significant digits, which is
/// as many as spreadsheet programs keep: the bits of the number that those digits
/// are read as. -0 is 0.
#[must_use]
pub(crate) fn number_key(number: f64) -> u64 {
    let size = number.abs();
    if size < 1e15 && size.fract() == 0.0 {
        return (number + 0.0).to_bits();
    }
    if !number.is_finite() {
        return number.to_bits();
    }
    // Most numbers have few digits and are the nearest to them already: a division
    // of two whole numbers is rounded right, and printing costs ten times as much.
    let scaled = (number * 1e4).round();
    if scaled.abs() < 1e15 && (scaled / 1e4).to_bits() == number.to_bits() {
        return number.to_bits();
    }
    let mut digits = [0_u8; 32];
    let mut rest = &mut digits[..];
    let written = write!(rest, "{number:.14e}").map(|()| 32 - rest.len());
    let text = written
        .ok()
        .and_then(|len| std::str::from_utf8(&digits[..len]).ok());
    let read = text.and_then(|text| text.parse::<f64>().ok());
    read.filter(|read| read.is_finite())
        .unwrap_or(number)
        .to_bits()
}

/// Whether two numbers have the same [key](number_key).
fn same_number(a: f64, b: f64) -> bool {
    if a.to_bits() == b.to_bits() {
        return true;
    }
    // What is further apart differs in its first fifteen digits, and finding out which they
    // are takes long.
    let apart = (a - b).abs();
    if apart > 4e-14 * a.abs().max(b.abs()) {
        return false;
    }
    number_key(a) == number_key(b)
}

/// A cell as reports carry it: `{"type": …, "value": …, "formula": "=…"}`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub struct CellData {
    /// The value; next to a formula, the one that was computed last.
    pub value: Value<String>,
    /// The formula, beginning with `=`.
    pub formula: Option<String>,
    /// The cells that the formula fills, if it is an array formula.
    pub array: Option<Area>,
}

impl CellData {
    /// Whether there is nothing in the cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.formula.is_none() && self.value.is_empty()
    }
}

/// The JSON of a cell.
#[derive(Serialize, Deserialize)]
struct Fields {
    #[serde(rename = "type")]
    kind: String,
    value: Json,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    formula: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    array: Option<String>,
}

impl From<CellData> for Fields {
    fn from(cell: CellData) -> Self {
        let kind = cell.value.type_name().to_owned();
        let value = match cell.value {
            Value::Empty => Json::Null,
            Value::Number(number) => json_number(number),
            Value::Text(text) => Json::String(text),
            Value::Bool(is) => Json::Bool(is),
            Value::Date(days) => Json::String(date::to_iso(days)),
            Value::Duration(days) => json_number(date::millis(days) as f64 / 1e3),
            Value::Error(code) => Json::String(code.as_str().to_owned()),
        };
        Self {
            kind,
            value,
            formula: cell.formula,
            array: cell.array.map(Area::shortest),
        }
    }
}

impl TryFrom<Fields> for CellData {
    type Error = String;

    fn try_from(fields: Fields) -> Result<Self, String> {
        let Fields {
            kind,
            value,
            formula,
            array,
        } = fields;
        let read = match (kind.as_str(), &value) {
            ("empty", Json::Null) => Some(Value::Empty),
            ("number", number) => number.as_f64().map(Value::Number),
            ("text", Json::String(text)) => Some(Value::Text(text.clone())),
            ("bool", Json::Bool(is)) => Some(Value::Bool(*is)),
            ("date", Json::String(iso)) => date::from_iso(iso).map(Value::Date),
            ("duration", seconds) => seconds.as_f64().map(|s| Value::Duration(s / 86_400.0)),
            ("error", Json::String(code)) => ErrorCode::parse(code).map(Value::Error),
            _ => None,
        };
        let value = read.ok_or_else(|| format!("a cell of type {kind:?} cannot hold {value}"))?;
        let area = |text: String| {
            let area = text.parse::<Area>();
            area.map_err(|_| format!("{text:?} is not a range that a formula fills"))
        };
        Ok(Self {
            value,
            array: array.map(area).transpose()?,
            formula,
        })
    }
}

/// Whole numbers without a decimal point, as people write them.
fn json_number(number: f64) -> Json {
    // Beyond 2^53 not every whole number is one, and the digits would pretend it.
    if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        Json::from(number as i64)
    } else {
        Json::from(number)
    }
}

#[cfg(test)]
mod tests {
    use super::{CellData, ErrorCode, Value, number_key};

    fn same(a: f64, b: f64) -> bool {
        let by_key = number_key(a) == number_key(b);
        assert_eq!(super::same_number(a, b), by_key, "{a} {b}");
        by_key
    }

    #[test]
    fn numbers_are_equal_at_fifteen_digits() {
        assert!(same(0.1 + 0.2, 0.3));
        assert!(same(-0.0, 0.0));
        assert!(same(1.0 / 3.0, 0.333_333_333_333_333));
        assert!(same(123_456_789_012_345.1, 123_456_789_012_345.0));
        assert!(same(1e300 * (1.0 + 1e-16), 1e300));
        assert!(!same(0.3, 0.300_000_000_000_01));
        assert!(!same(123_456_789_012_345.0, 123_456_789_012_346.0));
        assert!(!same(1e-300, 2e-300));
        assert!(same(5e-324, 5e-324) && !same(5e-324, 1e-323));
        // One bit apart, and the same in print.
        let printed = 670.696_981_243_186_f64;
        let next = f64::from_bits(printed.to_bits() + 1);
        assert!(same(printed, next));
    }

    #[test]
    fn no_type_equals_another_but_an_empty_text_is_nothing() {
        let values: Vec<Value<&str>> = vec![
            Value::Empty,
            Value::Number(1.0),
            Value::Text("1"),
            Value::Bool(true),
            Value::Date(1.0),
            Value::Duration(1.0),
            Value::Error(ErrorCode::Ref),
        ];
        for (i, a) in values.iter().enumerate() {
            for (j, b) in values.iter().enumerate() {
                assert_eq!(a.same(b), i == j, "{a:?} {b:?}");
            }
        }
        assert!(Value::Text("").same(&Value::<&str>::Empty));
    }

    #[test]
    fn a_cell_as_json_comes_back() {
        let values = [
            Value::Empty,
            Value::Number(42.0),
            Value::Number(1.5e300),
            Value::Text("x".to_owned()),
            Value::Bool(false),
            Value::Date(45_000.25),
            Value::Duration(1.5),
            Value::Error(ErrorCode::NotAvailable),
        ];
        for value in values {
            let formula = Some("=A1".to_owned());
            let array = "A1:B2".parse().ok();
            let cell = CellData {
                value,
                formula,
                array,
            };
            let json = serde_json::to_string(&cell).unwrap();
            let back: CellData = serde_json::from_str(&json).unwrap();
            assert_eq!(back, cell, "{json}");
        }
        let json = serde_json::to_string(&CellData {
            value: Value::Number(42.0),
            ..CellData::default()
        });
        assert_eq!(json.unwrap(), r#"{"type":"number","value":42}"#);
        assert!(serde_json::from_str::<CellData>(r#"{"type":"bool","value":1}"#).is_err());
    }
}
