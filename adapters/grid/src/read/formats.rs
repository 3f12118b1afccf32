//! Which number formats make a date or a duration of a number.

use super::error::ReadError;
use super::xml;
use crate::Value;
use quick_xml::events::Event;
use std::collections::HashMap;

/// What a number with a format is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    #[default]
    Number,
    Date,
    Duration,
}

/// The format of every cell style, in order of their numbers.
pub(super) fn read(part: &str, text: &str) -> Result<Vec<Format>, ReadError> {
    let mut reader = xml::events(text);
    let mut custom: HashMap<u32, Format> = HashMap::new();
    let mut formats = Vec::new();
    let mut in_cells = false;
    loop {
        let element = match xml::next(part, &mut reader)? {
            Event::Start(element) => element,
            Event::End(end) if end.local_name().as_ref() == "cellXfs" => return Ok(formats),
            Event::Eof => return Ok(formats),
            _ => continue,
        };
        let id = |name: &str| -> Result<Option<u32>, ReadError> {
            let id = xml::attribute(part, &element, name)?;
            Ok(id.and_then(|id| id.trim().parse().ok()))
        };
        match element.local_name().as_ref() {
            "numFmt" => {
                let code = xml::attribute(part, &element, "formatCode")?;
                if let (Some(id), Some(code)) = (id("numFmtId")?, code) {
                    custom.insert(id, of_code(&code));
                }
            }
            "cellXfs" => in_cells = true,
            "xf" if in_cells => {
                let id = id("numFmtId")?.unwrap_or(0);
                let format = custom.get(&id).copied();
                formats.push(format.unwrap_or_else(|| built_in(id)));
            }
            _ => {}
        }
    }
}

/// The formats that have a number instead of a code.
fn built_in(id: u32) -> Format {
    match id {
        14..=22 | 27..=36 | 45 | 47 | 50..=58 => Format::Date,
        46 => Format::Duration,
        _ => Format::Number,
    }
}

/// Numbers of formats below this are those of programs.
pub(crate) const FIRST_FORMAT: u32 = 164;

/// The codes of formats that have a number instead, where they are the same in all
/// countries.
const CODES: [(u32, &str); 16] = [
    (0, "General"),
    (1, "0"),
    (2, "0.00"),
    (3, "#,##0"),
    (4, "#,##0.00"),
    (9, "0%"),
    (10, "0.00%"),
    (11, "0.00E+00"),
    (12, "# ?/?"),
    (13, "# ??/??"),
    (20, "h:mm"),
    (21, "h:mm:ss"),
    (45, "mm:ss"),
    (46, "[h]:mm:ss"),
    (48, "##0.0E+0"),
    (49, "@"),
];

/// The code of a format that has a number.
pub(crate) fn code_of(id: u32) -> Option<&'static str> {
    let found = CODES.iter().find(|(other, _)| *other == id);
    found.map(|(_, code)| *code)
}

/// The number of a format that needs no code of its own; `number 14` is one that
/// differs from country to country.
pub(crate) fn number_of(code: &str) -> Option<u32> {
    let found = CODES.iter().find(|(_, other)| *other == code);
    let named = || code.strip_prefix("number ")?.parse().ok();
    found.map(|(id, _)| *id).or_else(named)
}

/// What a format code, or the number of a format, makes of a number.
pub(crate) fn format_of(code: &str) -> Format {
    match number_of(code) {
        Some(id) => built_in(id),
        None => of_code(code),
    }
}

/// The format that a cell of this value gets whose own does not fit: under it, the number
/// in the file would be read as something else. None if it fits.
pub(crate) fn fitting(code: &str, value: &Value<&str>, is_1904: bool) -> Option<&'static str> {
    let is_day = |number| super::sink::day_1900(number, is_1904).is_some();
    match (value, format_of(code)) {
        // Dates before the first day and behind the last one are read as numbers.
        (Value::Number(number), Format::Date) => is_day(*number).then_some("General"),
        (Value::Number(_), Format::Duration) => Some("General"),
        (Value::Date(day), Format::Number | Format::Duration) => Some(match *day {
            day if day < 1.0 => "h:mm:ss",
            day if day.fract() == 0.0 => "yyyy-mm-dd",
            _ => "yyyy-mm-dd hh:mm:ss",
        }),
        (Value::Duration(_), Format::Number | Format::Date) => Some("[h]:mm:ss"),
        _ => None,
    }
}

/// What a format code makes of a number; its first section decides.
fn of_code(code: &str) -> Format {
    let mut characters = code.chars();
    while let Some(character) = characters.next() {
        match character {
            // The next one is literal, or a width, or a filling.
            '\\' | '_' | '*' => drop(characters.next()),
            '"' => drop(characters.by_ref().find(|c| *c == '"')),
            '[' => {
                let inside: String = characters.by_ref().take_while(|c| *c != ']').collect();
                let first = inside.chars().next().map(|c| c.to_ascii_lowercase());
                let same = inside
                    .chars()
                    .all(|c| Some(c.to_ascii_lowercase()) == first);
                if same && matches!(first, Some('h' | 'm' | 's')) {
                    return Format::Duration;
                }
            }
            ';' => return Format::Number,
            'd' | 'D' | 'm' | 'M' | 'h' | 'H' | 'y' | 'Y' | 's' | 'S' => return Format::Date,
            'a' | 'A' if characters.as_str().to_ascii_lowercase().starts_with("/p") => {
                return Format::Date;
            }
            _ => {}
        }
    }
    Format::Number
}

#[cfg(test)]
mod tests {
    use super::{Format, of_code, read};

    #[test]
    fn a_format_code_tells_dates_from_numbers() {
        for code in [
            "yyyy-mm-dd",
            "DD/MM/YY",
            "H:MM:SS;@",
            "[$-409]d\\-mmm",
            "h AM/PM",
            "A/P h",
            "*-yy",
            "[Red]mm:ss",
            "General\" \"d",
        ] {
            assert_eq!(of_code(code), Format::Date, "{code}");
        }
        for code in [
            "[h]:mm:ss",
            "[ss].000",
            "[Blue]\\+[h]:mm;[Red]\\-[h]:mm",
            "[mm]",
        ] {
            assert_eq!(of_code(code), Format::Duration, "{code}");
        }
        for code in [
            "General",
            "0.00E+00",
            "#,##0_);[Red](#,##0)",
            "\"days\" 0",
            "\\Y000",
            "0*d",
            "@",
            "#,##0.00\\ [$€-407]",
            "0;yyyy",
            "[>=100][Magenta]0",
            "\"unclosed d",
        ] {
            assert_eq!(of_code(code), Format::Number, "{code}");
        }
    }

    #[test]
    fn styles_refer_to_formats_by_number() {
        let xml = "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='[h]:mm'/></numFmts>\
            <cellStyleXfs><xf numFmtId='14'/></cellStyleXfs>\
            <cellXfs><xf/><xf numFmtId='14'/><xf numFmtId='164'/><xf numFmtId='46'/></cellXfs>\
            <dxfs/></styleSheet>";
        let formats = read("s", xml).unwrap();
        let (n, d) = (Format::Number, Format::Duration);
        assert_eq!(formats, [n, Format::Date, d, d]);
    }
}
