//! Values of cells in print: different contents never look the same.

use crate::styles::is_hidden;
use mvdiff_grid::{CellData, Value, date};
pub(super) use mvdiff_lines::one_line as escaped;

/// A cell as the text form has it: a formula, or a value with texts in quotes.
pub(super) fn exact(cell: &CellData) -> String {
    match &cell.formula {
        Some(formula) => braced(cell, escaped(formula)),
        None => exact_value(&cell.value),
    }
}

/// An array formula as programs show it, with the cells that it fills if they are
/// several.
fn braced(cell: &CellData, formula: String) -> String {
    match cell.array {
        None => formula,
        Some(area) if area.first == area.last => format!("{{{formula}}}"),
        Some(area) => format!("{{{formula}}} in {area}"),
    }
}

/// A value with texts in quotes.
pub(super) fn exact_value(value: &Value<String>) -> String {
    match value {
        Value::Empty => "(empty)".to_owned(),
        Value::Text(text) => quoted(text),
        other => plain(other),
    }
}

/// A cell as a person would write it; texts in quotes only where something of
/// them would not be seen.
pub(super) fn readable(cell: &CellData) -> String {
    match &cell.formula {
        Some(formula) => braced(cell, escaped(formula)),
        None => match &cell.value {
            Value::Text(text) if is_plain(text) => text.clone(),
            Value::Text(text) => quoted(text),
            Value::Empty => "(empty)".to_owned(),
            other => plain(other),
        },
    }
}

/// Two versions of a cell that look different, and are as short as they can be.
pub(super) fn pair(from: &CellData, to: &CellData, most: usize) -> (String, String) {
    let same_formula =
        from.formula.is_some() && (&from.formula, from.array) == (&to.formula, to.array);
    if same_formula {
        // Only what it came to is another.
        let formula = shorten(&readable(from), most);
        let was = format!("{formula} = {}", exact_value(&from.value));
        return (was, exact_value(&to.value));
    }
    if from.formula.is_none() && to.formula.is_none() && look_alike(&from.value, &to.value) {
        let typed = |value: &Value<String>| {
            let shown = shorten(&exact_value(value), most);
            format!("{shown} {}", value.type_name())
        };
        return (typed(&from.value), typed(&to.value));
    }
    shorten_pair(&readable(from), &readable(to), most)
}

/// Whether a text reads like the value of another type on the other side.
fn look_alike(a: &Value<String>, b: &Value<String>) -> bool {
    if a.type_name() == b.type_name() || a.is_empty() || b.is_empty() {
        return false;
    }
    let number = |value: &Value<String>| match value {
        Value::Text(text) => text.trim().parse::<f64>().is_ok(),
        _ => false,
    };
    let shown = |value: &Value<String>| match value {
        Value::Text(text) => text.clone(),
        other => plain(other),
    };
    number(a) || number(b) || shown(a).eq_ignore_ascii_case(&shown(b))
}

/// A value as a cell shows it.
pub(super) fn plain<T: AsRef<str>>(value: &Value<T>) -> String {
    match value {
        Value::Empty => String::new(),
        Value::Number(number) => self::number(*number),
        Value::Text(text) => text.as_ref().to_owned(),
        Value::Bool(true) => "TRUE".to_owned(),
        Value::Bool(false) => "FALSE".to_owned(),
        Value::Date(days) => date::to_iso(*days),
        Value::Duration(days) => duration(*days),
        Value::Error(code) => code.as_str().to_owned(),
    }
}

/// At the 15 digits that are compared.
fn number(number: f64) -> String {
    let rounded = format!("{number:.14e}").parse().unwrap_or(number);
    let size = rounded.abs();
    if size != 0.0 && !(1e-7..1e15).contains(&size) {
        format!("{rounded:e}")
    } else {
        // -0 is 0.
        (rounded + 0.0).to_string()
    }
}

/// Hours, minutes and seconds.
fn duration(days: f64) -> String {
    let millis = date::millis(days);
    let sign = if millis < 0 { "-" } else { "" };
    let millis = millis.unsigned_abs();
    let (h, m, s) = (
        millis / 3_600_000,
        millis / 60_000 % 60,
        millis / 1_000 % 60,
    );
    let mut shown = format!("{sign}{h}:{m:02}:{s:02}");
    if !millis.is_multiple_of(1_000) {
        let fraction = format!(".{:03}", millis % 1_000);
        shown.push_str(fraction.trim_end_matches('0'));
    }
    shown
}

/// Whether a text shows all that it holds.
fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text.trim() == text
        && !text.contains("  ")
        && !text.starts_with(['"', '='])
        && !text.contains(|c: char| is_hidden(c) || matches!(c, '\t' | '│' | '→'))
}

/// A text in quotes, with everything in it visible.
pub(super) fn quoted(text: &str) -> String {
    let inner = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped(&inner))
}

/// The beginning of a long text.
pub(super) fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let begin: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{begin}…")
}

/// The context of a difference in a long text.
const AROUND: usize = 12;

/// Two long texts, cut so that the first difference is in sight.
fn shorten_pair(a: &str, b: &str, most: usize) -> (String, String) {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let behind = a[same..].iter().rev().zip(b[same..].iter().rev());
    let behind = behind.take_while(|(a, b)| a == b).count();
    let cut = |text: &[char]| {
        if text.len() <= most {
            return text.iter().collect();
        }
        // Nothing is cut off for the sake of one or two characters.
        let start = if same > AROUND + 2 { same - AROUND } else { 0 };
        let end = text.len() - behind;
        let end = if behind > AROUND + 2 {
            end + AROUND
        } else {
            text.len()
        };
        let end = end.min(start + most.saturating_sub(2)).max(start);
        let mut shown = String::new();
        if start > 0 {
            shown.push('…');
        }
        shown.extend(&text[start..end]);
        if end < text.len() {
            shown.push('…');
        }
        shown
    };
    (cut(&a), cut(&b))
}

#[cfg(test)]
mod tests {
    use super::{exact, number, pair, quoted, readable, shorten_pair};
    use mvdiff_grid::{CellData, Value};

    fn text(text: &str) -> CellData {
        CellData {
            value: Value::Text(text.into()),
            ..CellData::default()
        }
    }

    fn num(number: f64) -> CellData {
        CellData {
            value: Value::Number(number),
            ..CellData::default()
        }
    }

    #[test]
    fn numbers_are_written_as_people_write_them() {
        for (value, shown) in [
            (0.1 + 0.2, "0.3"),
            (-0.0, "0"),
            (12.5, "12.5"),
            (1e15, "1e15"),
            (123_456_789_012_345.0, "123456789012345"),
            (1.5e-9, "1.5e-9"),
            (-42.0, "-42"),
        ] {
            assert_eq!(number(value), shown);
        }
    }

    #[test]
    fn types_are_told_where_the_values_look_alike() {
        let shown = |a: &CellData, b: &CellData| pair(a, b, 40);
        let typed = ("\"1\" text".to_owned(), "1 number".to_owned());
        assert_eq!(shown(&text("1"), &num(1.0)), typed);
        let bool = CellData {
            value: Value::Bool(true),
            ..CellData::default()
        };
        assert_eq!(shown(&text("true"), &bool).1, "TRUE bool");
        assert_eq!(shown(&text("a"), &num(1.0)).0, "a");
        assert_eq!(shown(&num(1.0), &num(2.0)).0, "1");
        assert_eq!(shown(&CellData::default(), &num(2.0)).0, "(empty)");
    }

    #[test]
    fn what_cannot_be_seen_is_made_visible() {
        assert_eq!(readable(&text("cedar")), "cedar");
        assert_eq!(readable(&text("cedar ")), "\"cedar \"");
        assert_eq!(readable(&text("a\nb\u{1b}[31m")), "\"a\\nb\\u{1b}[31m\"");
        assert_eq!(readable(&text("a\u{202e}b")), "\"a\\u{202e}b\"");
        assert_eq!(readable(&text("=A1")), "\"=A1\"");
        assert_eq!(quoted("say \"x\\y\""), "\"say \\\"x\\\\y\\\"\"");
        assert_eq!(exact(&text("")), "\"\"");
    }

    #[test]
    fn a_difference_deep_in_a_long_text_is_in_sight() {
        let long = "lorem ipsum dolor sit amet ".repeat(20);
        let (a, b) = shorten_pair(&format!("{long}old{long}"), &format!("{long}new{long}"), 40);
        assert!(a.contains("old") && b.contains("new"), "{a} {b}");
        assert!(a.chars().count() <= 40 && b.chars().count() <= 40);
        let whole = shorten_pair("short", "also short", 40);
        assert_eq!(whole, ("short".to_owned(), "also short".to_owned()));
    }
}
