//! What a cell of an `.xlsx` file can hold.

use mvdiff_grid::{ErrorCode, Value};
use rust_xlsxwriter::Formula;

/// Characters of a cell, in UTF-16.
pub(super) const LONGEST: usize = 32_767;

/// A formula with what it came to; none if a reader would take the result for
/// something else.
pub(super) fn with_result(formula: &str, value: Value<&str>) -> Option<Formula> {
    let result = match value {
        Value::Empty => String::new(),
        Value::Number(number) | Value::Date(number) | Value::Duration(number) => number.to_string(),
        Value::Bool(is) => (if is { "TRUE" } else { "FALSE" }).to_owned(),
        Value::Error(code) => {
            as_formula(code)?;
            code.as_str().to_owned()
        }
        Value::Text(text) => {
            let other = text.parse::<f64>().is_ok()
                || matches!(text, "TRUE" | "FALSE" | "#GETTING_DATA")
                || ErrorCode::parse(text).is_some()
                || fitting(text).len() < text.len();
            if other {
                return None;
            }
            text.to_owned()
        }
    };
    Some(Formula::new(formula).set_result(result))
}

/// A formula that makes this error, if every program knows it.
pub(super) fn as_formula(code: ErrorCode) -> Option<Formula> {
    let known = matches!(
        code,
        ErrorCode::Div0
            | ErrorCode::NotAvailable
            | ErrorCode::Name
            | ErrorCode::Null
            | ErrorCode::Num
            | ErrorCode::Ref
            | ErrorCode::Value
    );
    let text = code.as_str();
    known.then(|| Formula::new(format!("={text}")).set_result(text))
}

/// As much of a text as a cell holds.
pub(super) fn fitting(text: &str) -> &str {
    let mut units = 0;
    let end = text.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > LONGEST
    });
    end.map_or(text, |(end, _)| &text[..end])
}
