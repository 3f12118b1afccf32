//! Cell styles of a marked-up workbook.

use crate::workbook::view::CellFate;
use mvdiff_grid::Value;
use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder};
use std::collections::HashMap;

/// Why a cell looks as it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Look {
    Plain,
    Added,
    Removed,
    Edited,
    Moved,
    /// A moved block was here.
    Left,
}

impl Look {
    pub(super) fn of(fate: CellFate) -> Self {
        match fate {
            CellFate::Kept => Self::Plain,
            CellFate::Added => Self::Added,
            CellFate::Removed => Self::Removed,
            CellFate::Moved(_) => Self::Moved,
            CellFate::Left(_) => Self::Left,
        }
    }

    /// Ink and paper; both stay apart in grey, too.
    pub(crate) fn colours(self) -> Option<(u32, u32)> {
        match self {
            Self::Plain => None,
            Self::Added => Some((0x0B_4A_1E, 0xD5_F5_DC)),
            Self::Removed => Some((0x8A_0C_20, 0xFF_E3_E0)),
            Self::Edited => Some((0x5C_3A_00, 0xFF_F3_B0)),
            Self::Moved => Some((0x25_28_96, 0xE3_E9_FF)),
            Self::Left => Some((0x59_63_6E, 0xF0_F2_F7)),
        }
    }
}

/// What a number is the number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Number {
    General,
    Day,
    Moment,
    Time,
    Duration,
}

impl Number {
    fn of(value: Value<&str>) -> Self {
        match value {
            Value::Date(days) if days.abs() < 1.0 => Self::Time,
            Value::Date(days) if days.fract() == 0.0 => Self::Day,
            Value::Date(_) => Self::Moment,
            Value::Duration(_) => Self::Duration,
            _ => Self::General,
        }
    }

    fn code(self) -> Option<&'static str> {
        match self {
            Self::General => None,
            Self::Day => Some("yyyy-mm-dd"),
            Self::Moment => Some("yyyy-mm-dd hh:mm:ss"),
            Self::Time => Some("hh:mm:ss"),
            Self::Duration => Some("[h]:mm:ss"),
        }
    }
}

/// The formats that were needed so far.
#[derive(Default)]
pub(super) struct Looks {
    formats: HashMap<(Look, Number), Format>,
}

impl Looks {
    /// The format of a cell with this value.
    pub(super) fn get(&mut self, look: Look, value: Value<&str>) -> &Format {
        let number = Number::of(value);
        self.formats
            .entry((look, number))
            .or_insert_with(|| make(look, number))
    }
}

fn make(look: Look, number: Number) -> Format {
    let mut format = Format::new();
    if let Some((ink, paper)) = look.colours() {
        format = format
            .set_font_color(Color::RGB(ink))
            .set_background_color(Color::RGB(paper));
    }
    format = match look {
        Look::Removed => format.set_font_strikethrough(),
        Look::Edited => format.set_bold(),
        Look::Left => format.set_italic(),
        Look::Plain | Look::Added | Look::Moved => format,
    };
    match number.code() {
        Some(code) => format.set_num_format(code),
        None => format,
    }
}

/// The row of column letters, and the columns of row numbers.
pub(super) fn head(look: Look) -> Format {
    let (ink, paper) = look.colours().unwrap_or((0x3D_44_4D, 0xE8_EC_F1));
    let format = Format::new()
        .set_bold()
        .set_font_color(Color::RGB(ink))
        .set_background_color(Color::RGB(paper))
        .set_border_bottom(FormatBorder::Thin)
        .set_align(FormatAlign::Center);
    match look {
        Look::Removed => format.set_font_strikethrough(),
        _ => format,
    }
}

/// The columns at the left that say what happened.
pub(super) fn margin(look: Look) -> Format {
    let (ink, paper) = look.colours().unwrap_or((0x59_63_6E, 0xF6_F8_FA));
    Format::new()
        .set_font_color(Color::RGB(ink))
        .set_background_color(Color::RGB(paper))
}
