//! The other formats that calamine reads: `.xlsb`, `.xls` and `.ods`.
//!
//! calamine knows less of them than of `.xlsx`: names have no scope, `.xlsb` and
//! `.ods` no merged regions, and where cells share a formula in `.xls` and `.xlsb`
//! only their values are reported.

use super::error::ReadError;
use super::fallback::push;
use super::guard::guarded;
use super::limits::ReadOptions;
use super::metadata::Metadata;
use super::rows::place;
use super::sink::{Common, Formula, Sink, Used};
use super::strings::Strings;
use super::{odf, ole};
use crate::workbook_map::fold;
use crate::{
    Address, Area, Content, Grid, MAX_COLS, MAX_ROWS, Name, Note, OtherSheet, Sheet, Visibility,
    Workbook,
};
use calamine::{
    Data, DataRef, Dimensions, Ods, OdsError, Range, Reader, SheetType, SheetVisible, Xls,
    XlsError, Xlsb, XlsbError,
};
use std::collections::{HashMap, HashSet};
use std::io::Cursor;

/// Reads a workbook in the binary format of today.
pub(super) fn xlsb(bytes: &[u8], options: &ReadOptions) -> Result<Workbook, ReadError> {
    let part = "xl/workbook.bin";
    guarded(part, || {
        let wrong = |e: XlsbError| match e {
            XlsbError::Password => ReadError::Password,
            e => ReadError::malformed(part, e.to_string()),
        };
        let mut book = Xlsb::new(Cursor::new(bytes)).map_err(wrong)?;
        let is_1904 = book.has_1904_epoch();
        let mut build = Build::new(part, &book, is_1904, options);
        let mut shared = false;
        for (i, sheet) in book.sheets_metadata().to_vec().iter().enumerate() {
            let mut sink = build.sink();
            if sheet.typ == SheetType::WorkSheet {
                let mut formulas = HashMap::new();
                let mut read = book.worksheet_cells_reader(&sheet.name).map_err(wrong)?;
                loop {
                    match read.next_formula() {
                        Ok(Some(cell)) => {
                            shared |= cell.get_value().is_empty();
                            formulas.insert(cell.get_position(), cell.get_value().clone());
                        }
                        Ok(None) => break,
                        // One that calamine does not know; the values can be read.
                        Err(_) => {
                            shared = true;
                            break;
                        }
                    }
                }
                drop(read);
                let mut read = book.worksheet_cells_reader(&sheet.name).map_err(wrong)?;
                while let Some(cell) = read.next_cell().map_err(wrong)? {
                    let (row, col) = cell.get_position();
                    let formula = formulas.remove(&(row, col)).unwrap_or_default();
                    take(&mut sink, (row, col), cell.get_value(), &formula)?;
                }
                // What was computed to nothing, or to an error that is not reported.
                let mut rest: Vec<_> = formulas.into_iter().collect();
                rest.sort_unstable();
                for (at, formula) in rest {
                    take(&mut sink, at, &DataRef::Empty, &formula)?;
                }
            }
            let finished = sink.finish(&sheet.name)?;
            build.add(i, finished, Vec::new());
        }
        if shared {
            build.note_shared_formulas(".xlsb");
        }
        build.finish()
    })
}

/// Reads a workbook in the format of Excel 97 to 2003, or 5.
pub(super) fn xls(bytes: &[u8], options: &ReadOptions) -> Result<Workbook, ReadError> {
    let part = "the .xls workbook";
    guarded(part, || {
        let wrong = |e: XlsError| match e {
            XlsError::Password => ReadError::Password,
            e => ReadError::malformed(part, e.to_string()),
        };
        ole::check(part, bytes)?;
        let mut book = Xls::new(Cursor::new(bytes)).map_err(wrong)?;
        let is_1904 = book.has_1904_epoch();
        let mut build = Build::new(part, &book, is_1904, options);
        for (i, sheet) in book.sheets_metadata().to_vec().iter().enumerate() {
            let mut sink = build.sink();
            let mut merges = Vec::new();
            if sheet.typ == SheetType::WorkSheet {
                let values = book.worksheet_range(&sheet.name).map_err(wrong)?;
                let formulas = book.worksheet_formula(&sheet.name).map_err(wrong)?;
                dense(&mut sink, &values, &formulas, known)?;
                let found = book.merge_cells_by_sheet_name(&sheet.name).map_err(wrong)?;
                merges = found.iter().filter_map(area).collect();
                merges.sort_unstable();
                merges.dedup();
            }
            let finished = sink.finish(&sheet.name)?;
            build.add(i, finished, merges);
        }
        build.note_shared_formulas(".xls");
        build.finish()
    })
}

/// Reads a spreadsheet of `OpenDocument`.
pub(super) fn ods(bytes: &[u8], options: &ReadOptions) -> Result<Workbook, ReadError> {
    let part = "content.xml";
    guarded(part, || {
        let wrong = |e: OdsError| match e {
            OdsError::Password => ReadError::Password,
            e => ReadError::malformed(part, e.to_string()),
        };
        let mut book = Ods::new(Cursor::new(bytes)).map_err(wrong)?;
        let mut build = Build::new(part, &book, false, options);
        for name in &mut build.workbook.names {
            name.refers_to = odf::named(&name.refers_to);
        }
        for (i, sheet) in book.sheets_metadata().to_vec().iter().enumerate() {
            let mut sink = build.sink();
            let values = book.worksheet_range(&sheet.name).map_err(wrong)?;
            let formulas = book.worksheet_formula(&sheet.name).map_err(wrong)?;
            dense(&mut sink, &values, &formulas, odf::formula)?;
            let finished = sink.finish(&sheet.name)?;
            build.add(i, finished, Vec::new());
        }
        build.finish()
    })
}

/// What programs keep for filters and printing: `_xlnm.Print_Area`, which `.xls`
/// spells with a single control character.
fn is_built_in(name: &str) -> bool {
    name.starts_with("_xlnm.") || name.contains(char::is_control)
}

/// What a sink leaves behind.
type Finished = (Grid, Vec<Note>, Used);

/// A workbook that grows sheet by sheet.
struct Build<'o> {
    part: &'static str,
    options: &'o ReadOptions,
    strings: Strings,
    is_1904: bool,
    used: Used,
    workbook: Workbook,
}

impl<'o> Build<'o> {
    /// Sheets without cells, and names.
    fn new<'b, R: Reader<Cursor<&'b [u8]>>>(
        part: &'static str,
        book: &R,
        is_1904: bool,
        options: &'o ReadOptions,
    ) -> Self {
        let names = book.defined_names().iter().map(|(name, refers_to)| Name {
            name: name.clone(),
            sheet: None,
            refers_to: refers_to.clone(),
        });
        let sheets = book.sheets_metadata().iter().map(|sheet| Sheet {
            name: sheet.name.clone(),
            visibility: match sheet.visible {
                SheetVisible::Visible => Visibility::Visible,
                SheetVisible::Hidden => Visibility::Hidden,
                SheetVisible::VeryHidden => Visibility::VeryHidden,
            },
            content: match sheet.typ {
                SheetType::WorkSheet => Content::default(),
                SheetType::DialogSheet => Content::Other(OtherSheet::Dialog),
                SheetType::ChartSheet => Content::Other(OtherSheet::Chart),
                SheetType::MacroSheet | SheetType::Vba => Content::Other(OtherSheet::Macro),
            },
            ..Sheet::default()
        });
        Self {
            part,
            options,
            strings: Strings::default(),
            is_1904,
            used: Used::default(),
            workbook: Workbook {
                sheets: sheets.collect(),
                names: names.filter(|name| !is_built_in(&name.name)).collect(),
                ..Workbook::default()
            },
        }
    }

    fn sink(&self) -> Sink<'_> {
        let common = Common {
            strings: &self.strings,
            formats: &[],
            metadata: Metadata::none(),
            is_1904: self.is_1904,
            limits: &self.options.limits,
        };
        Sink::new(self.part, common, self.used)
    }

    /// The cells of the sheet with this number.
    fn add(&mut self, i: usize, (grid, notes, used): Finished, merges: Vec<Area>) {
        let sheet = &mut self.workbook.sheets[i];
        if let Content::Cells(cells) = &mut sheet.content {
            *cells = grid;
        }
        sheet.merges = merges;
        self.workbook.notes.extend(notes);
        self.used = used;
    }

    /// An answer without some formulas says so, if there can be any.
    fn note_shared_formulas(&mut self, format: &str) {
        let message = format!(
            "formulas that several cells share, or that are not known, are not read from {format} files; such cells are compared by value, save as .xlsx to compare them all"
        );
        self.workbook.notes.push(Note::new("formulas", message));
    }

    fn finish(self) -> Result<Workbook, ReadError> {
        let part = self.part.to_owned();
        if self.workbook.sheets.is_empty() {
            return Err(ReadError::NoSheets { part });
        }
        let mut seen = HashSet::new();
        let mut sheets = self.workbook.sheets.iter();
        if let Some(twice) = sheets.find(|sheet| !seen.insert(fold(&sheet.name))) {
            let name = twice.name.clone();
            return Err(ReadError::DuplicateSheet { part, name });
        }
        Ok(self.workbook)
    }
}

/// Takes a rectangle of values and one of formulas.
fn dense(
    sink: &mut Sink<'_>,
    values: &Range<Data>,
    formulas: &Range<String>,
    spell: impl Fn(&str) -> String,
) -> Result<(), ReadError> {
    let mut written = HashMap::new();
    let (row, col) = formulas.start().unwrap_or_default();
    for (r, c, formula) in formulas.used_cells() {
        written.insert((row + r as u32, col + c as u32), spell(formula));
    }
    let (row, col) = values.start().unwrap_or_default();
    for (r, c, value) in values.used_cells() {
        let at = (row + r as u32, col + c as u32);
        let formula = written.remove(&at).unwrap_or_default();
        take(sink, at, &as_error(value, &formula), &formula)?;
    }
    let mut rest: Vec<_> = written.into_iter().collect();
    rest.sort_unstable();
    for (at, formula) in rest {
        take(sink, at, &DataRef::Empty, &formula)?;
    }
    Ok(())
}

/// calamine puts its own words in the place of a formula that it does not know.
fn known(formula: &str) -> String {
    if formula.starts_with("Unrecognised formula") {
        return String::new();
    }
    formula.to_owned()
}

/// What `OpenDocument` shows for an error is a text.
fn as_error<'d>(value: &'d Data, formula: &str) -> DataRef<'d> {
    use calamine::CellErrorType;
    let text = match value {
        Data::String(text) if !formula.is_empty() => text.as_str(),
        other => return borrowed(other),
    };
    DataRef::Error(match text {
        "#DIV/0!" => CellErrorType::Div0,
        "#N/A" => CellErrorType::NA,
        "#NAME?" => CellErrorType::Name,
        "#NULL!" => CellErrorType::Null,
        "#NUM!" => CellErrorType::Num,
        "#REF!" => CellErrorType::Ref,
        "#VALUE!" => CellErrorType::Value,
        _ => return borrowed(value),
    })
}

fn take(
    sink: &mut Sink<'_>,
    (row, col): (u32, u32),
    value: &DataRef<'_>,
    formula: &str,
) -> Result<(), ReadError> {
    let at = place(sink.part, Address::new(row, col), None, true)?;
    let formula = match formula.strip_prefix('=').unwrap_or(formula) {
        "" => None,
        formula => sink.formula(at, &Formula::Own(formula))?,
    };
    push(sink, at, value, formula)
}

fn borrowed(data: &Data) -> DataRef<'_> {
    match data {
        Data::Empty => DataRef::Empty,
        Data::Int(number) => DataRef::Int(*number),
        Data::Float(number) => DataRef::Float(*number),
        Data::String(text) => DataRef::SharedString(text),
        Data::Bool(is) => DataRef::Bool(*is),
        Data::DateTime(time) => DataRef::DateTime(*time),
        Data::DateTimeIso(text) => DataRef::DateTimeIso(text.clone()),
        Data::DurationIso(text) => DataRef::DurationIso(text.clone()),
        Data::Error(error) => DataRef::Error(error.clone()),
    }
}

/// A merged region, whichever corner comes first; none outside a sheet.
fn area(region: &Dimensions) -> Option<Area> {
    let (start, end) = (region.start, region.end);
    let last = Address::new(start.0.max(end.0), start.1.max(end.1));
    (last.row < MAX_ROWS && last.col < MAX_COLS).then(|| Area {
        first: Address::new(start.0.min(end.0), start.1.min(end.1)),
        last,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_has_its_corners_in_order_and_lies_in_a_sheet() {
        let area = |start, end| area(&Dimensions { start, end }).map(|area| area.to_string());
        assert_eq!(area((0, 1), (2, 3)).as_deref(), Some("B1:D3"));
        assert_eq!(area((6, 603), (22, 0)).as_deref(), Some("A7:WF23"));
        assert_eq!(area((0, 0), (0, 65_535)), None);
    }
}
