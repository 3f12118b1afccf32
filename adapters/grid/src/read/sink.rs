//! Where the cells of a sheet go, whichever reader read them.

use super::error::{ReadError, within};
use super::extras::is_noise;
use super::extras::residue::{hash, is_meaningless};
use super::formats::Format;
use super::limits::{Limit, Limits};
use super::metadata::Metadata;
use super::shared::Template;
use super::strings::Strings;
use crate::extras::LooksBuilder;
use crate::grid::CellKind;
use crate::{Address, Area, Grid, GridBuilder, MAX_COLS, Note, Value, date};
use std::collections::HashMap;

/// What the sheets of a workbook have in common.
#[derive(Clone, Copy)]
pub(super) struct Common<'w> {
    pub strings: &'w Strings,
    pub formats: &'w [Format],
    pub metadata: &'w Metadata,
    pub is_1904: bool,
    pub limits: &'w Limits,
}

/// How much of the limits the sheets before have used.
#[derive(Clone, Copy, Default)]
pub(super) struct Used {
    cells: u64,
    text: u64,
    shared_formulas: u64,
}

/// Takes the cells of one sheet.
pub(super) struct Sink<'w> {
    pub part: &'w str,
    pub common: Common<'w>,
    used: Used,
    builder: GridBuilder,
    /// The grid's number of each shared text, and one; 0 if not met yet.
    text_ids: Vec<u32>,
    shared: HashMap<u64, Template>,
    formula: String,
    lost: u64,
    odd: u64,
    /// How the cells look, also empty ones.
    pub looks: LooksBuilder,
    /// What no reader takes of rows and cells.
    pub left: Vec<Left>,
}

/// Something in a row or a cell of which no reader knows more.
pub(super) struct Left {
    pub area: Area,
    /// The element and the attribute.
    pub label: String,
    /// Cells that it names.
    pub formulas: Vec<String>,
    pub digest: u64,
}

/// A formula as a cell has it.
pub(super) enum Formula<'f> {
    /// Its own.
    Own(&'f str),
    /// The first of those that share one.
    First(u64, &'f str),
    /// Another of those.
    Shared(u64),
}

impl<'w> Sink<'w> {
    /// For the sheet in this part.
    pub fn new(part: &'w str, common: Common<'w>, used: Used) -> Self {
        Self {
            part,
            common,
            used,
            builder: GridBuilder::default(),
            text_ids: Vec::new(),
            shared: HashMap::new(),
            formula: String::new(),
            lost: 0,
            odd: 0,
            looks: LooksBuilder::default(),
            left: Vec::new(),
        }
    }

    /// Takes an attribute of a row, a cell or a formula that no reader takes.
    pub fn left(&mut self, at: Address, element: &str, attribute: &str, value: &str) {
        if is_noise(attribute) || matches!(value, "" | "0" | "false") {
            return;
        }
        // Prefixes differ from program to program.
        let attribute = attribute.rsplit(':').next().unwrap_or(attribute);
        if is_meaningless(element, attribute) {
            return;
        }
        if (element, attribute) == ("c", "ph") {
            // Whether readings are shown: many cells of a sheet do.
            self.looks.dress(at.row, at.col, hash(&["ph"]));
            return;
        }
        let mut last = at;
        if element == "row" {
            last.col = MAX_COLS - 1;
        }
        let digest = match attribute {
            "cm" | "vm" => self.common.metadata.digest(attribute, value),
            _ => hash(&[element, attribute, value]),
        };
        self.left.push(Left {
            area: Area { first: at, last },
            label: match attribute {
                "cm" => "dynamic array".to_owned(),
                "vm" => "rich value".to_owned(),
                _ => format!("{element} {attribute}"),
            },
            formulas: Vec::new(),
            digest,
        });
    }

    /// Takes an element that no reader knows, inside of a row or a cell.
    pub fn left_inside(&mut self, area: Area, name: &str, digest: u64) {
        self.left.push(Left {
            area,
            label: name.to_owned(),
            formulas: Vec::new(),
            digest,
        });
    }

    /// Takes a table of what a formula comes to for several values.
    pub fn data_table(&mut self, area: Area, cells: [Option<&str>; 2], says: [bool; 4]) {
        let digest = hash(&[&format!("{says:?}")]);
        let formulas = cells.into_iter().flatten().map(str::to_owned).collect();
        self.left.push(Left {
            area,
            label: "data table".to_owned(),
            formulas,
            digest,
        });
    }

    /// The number of a formula's text.
    pub fn formula(
        &mut self,
        at: Address,
        formula: &Formula<'_>,
    ) -> Result<Option<u32>, ReadError> {
        self.formula.clear();
        self.formula.push('=');
        match *formula {
            Formula::Own(text) | Formula::First(_, text) => self.formula.push_str(text),
            Formula::Shared(index) => {
                let Some(template) = self.shared.get(&index) else {
                    self.lost += 1;
                    return Ok(None);
                };
                template.write(at, &mut self.formula);
                self.used.shared_formulas += self.formula.len() as u64;
                let used = self.used.shared_formulas;
                within(self.common.limits, Limit::SharedFormulas, self.part, used)?;
            }
        }
        if let Formula::First(index, text) = *formula {
            self.shared.insert(index, Template::new(at, text));
        }
        if self.formula.len() == 1 {
            return Ok(None);
        }
        let id = self.builder.intern(&self.formula);
        self.check_text()?;
        Ok(Some(id))
    }

    /// The formula in this cell fills an area.
    pub fn array(&mut self, at: Address, area: Area) {
        self.builder.array(at, area);
    }

    /// A cell with a shared text.
    pub fn shared_text(
        &mut self,
        at: Address,
        index: usize,
        formula: Option<u32>,
    ) -> Result<(), ReadError> {
        if self.text_ids.is_empty() {
            self.text_ids = vec![0; self.common.strings.len()];
        }
        if let Some(look) = self.common.strings.look(index) {
            self.looks.dress(at.row, at.col, look);
        }
        let known = self.text_ids.get(index).copied();
        let id = match known {
            None => {
                let count = self.common.strings.len();
                let what = format!("shows shared text {index}, and there are {count}");
                return Err(ReadError::cell(self.part, at, what));
            }
            Some(0) => {
                let text = self.common.strings.get(index).unwrap_or_default();
                if text.is_empty() {
                    return self.push(at, CellKind::Empty, 0, formula);
                }
                let id = self.builder.intern(text);
                self.text_ids[index] = id + 1;
                self.check_text()?;
                id
            }
            Some(next) => next - 1,
        };
        self.push(at, CellKind::Text, u64::from(id), formula)
    }

    /// A cell with a text of its own.
    pub fn text(&mut self, at: Address, text: &str, formula: Option<u32>) -> Result<(), ReadError> {
        if text.is_empty() {
            return self.push(at, CellKind::Empty, 0, formula);
        }
        let id = self.builder.intern(text);
        self.check_text()?;
        self.push(at, CellKind::Text, u64::from(id), formula)
    }

    /// A cell with a number in this style.
    pub fn number(
        &mut self,
        at: Address,
        number: f64,
        style: usize,
        formula: Option<u32>,
    ) -> Result<(), ReadError> {
        let formats = self.common.formats;
        let format = formats.get(style).copied().unwrap_or_default();
        if format == Format::Number && number.is_finite() {
            return self.push(at, CellKind::Number, number.to_bits(), formula);
        }
        self.dated(at, number, format, formula)
    }

    /// A cell with a number that a format may make a date.
    pub fn dated(
        &mut self,
        at: Address,
        number: f64,
        format: Format,
        formula: Option<u32>,
    ) -> Result<(), ReadError> {
        if !number.is_finite() {
            self.odd += 1;
            let bits = crate::ErrorCode::Num as u64;
            return self.push(at, CellKind::Error, bits, formula);
        }
        let (kind, number) = match format {
            Format::Date => match day_1900(number, self.common.is_1904) {
                Some(day) => (CellKind::Date, day),
                None => (CellKind::Number, number),
            },
            Format::Duration => (CellKind::Duration, number),
            Format::Number => (CellKind::Number, number),
        };
        self.push(at, kind, number.to_bits(), formula)
    }

    /// Any other cell.
    pub fn value(
        &mut self,
        at: Address,
        value: Value<&str>,
        formula: Option<u32>,
    ) -> Result<(), ReadError> {
        match value {
            Value::Empty => self.push(at, CellKind::Empty, 0, formula),
            Value::Text(text) => self.text(at, text, formula),
            Value::Number(number) => self.dated(at, number, Format::Number, formula),
            Value::Bool(is) => self.push(at, CellKind::Bool, u64::from(is), formula),
            Value::Date(day) => self.push(at, CellKind::Date, day.to_bits(), formula),
            Value::Duration(days) => self.push(at, CellKind::Duration, days.to_bits(), formula),
            Value::Error(code) => self.push(at, CellKind::Error, code as u64, formula),
        }
    }

    fn push(
        &mut self,
        at: Address,
        kind: CellKind,
        bits: u64,
        formula: Option<u32>,
    ) -> Result<(), ReadError> {
        self.builder.push_packed(at, kind, bits, formula);
        let cells = self.used.cells + self.builder.cell_count() as u64;
        within(self.common.limits, Limit::Cells, self.part, cells)
    }

    fn check_text(&self) -> Result<(), ReadError> {
        let text = self.used.text + self.builder.text_bytes() as u64;
        within(self.common.limits, Limit::Text, self.part, text)
    }

    /// The cells, and what has to be said about them.
    pub fn finish(self, sheet: &str) -> Result<(Grid, Vec<Note>, Used), ReadError> {
        let used = Used {
            cells: self.used.cells + self.builder.cell_count() as u64,
            text: self.used.text + self.builder.text_bytes() as u64,
            shared_formulas: self.used.shared_formulas,
        };
        let mut notes = Vec::new();
        if self.lost > 0 {
            let message = format!(
                "sheet {sheet:?}: {} cells share a formula that no cell before them has; only their values are compared",
                self.lost
            );
            notes.push(Note::new("shared_formula", message));
        }
        if self.odd > 0 {
            let message = format!(
                "sheet {sheet:?}: {} cells hold a number beyond all bounds, read as #NUM!",
                self.odd
            );
            notes.push(Note::new("number", message));
        }
        let part = self.part;
        let grid = self
            .builder
            .finish()
            .map_err(|twice| ReadError::cell(part, twice.0, "is there twice"))?;
        Ok((grid, notes, used))
    }
}

/// The day in the 1900 date system, if it is one.
pub(super) fn day_1900(number: f64, is_1904: bool) -> Option<f64> {
    let day = if is_1904 && number >= 1.0 {
        number + date::DAYS_1904
    } else {
        number
    };
    // No day is minus zero.
    (0.0..date::END).contains(&day).then_some(day + 0.0)
}

/// The day of an ISO 8601 date or time, as cells of type `d` hold it.
pub(super) fn iso_day(text: &str) -> Option<f64> {
    let text = text.trim();
    let text = text.strip_suffix('Z').unwrap_or(text);
    date::from_iso(text).or_else(|| {
        // Hours and minutes alone.
        let full = format!("{text}:00");
        text.contains(':').then(|| date::from_iso(&full)).flatten()
    })
}
