//! Sheets that are not plain: looked over event by event, then read by calamine.
//!
//! calamine is lenient where a diff must not be: an address beyond the sheet wraps
//! around, a text number that is none shows text 0. So what it would not say is
//! looked for first.

use super::data_table::DataTable;
use super::error::ReadError;
use super::extras::{Node, hidden, runs};
use super::formats::Format;
use super::guard::guarded;
use super::plain::area;
use super::rows::{place, row_number, row_size, shared_index};
use super::sink::{Formula, Sink, iso_day};
use super::xml;
use crate::extras::LineLook;
use crate::{Address, Area, ErrorCode, MAX_COLS, Value};
use calamine::{CellErrorType, DataRef, Reader, Xlsx, XlsxFormulaMetadata};
use quick_xml::events::{BytesStart, Event};
use std::io::Cursor;

/// The workbook as calamine opens it.
pub(super) type Opened<'b> = Xlsx<Cursor<&'b [u8]>>;

/// Opens the workbook.
pub(super) fn open<'b>(bytes: &'b [u8], part: &str) -> Result<Opened<'b>, ReadError> {
    guarded(part, || {
        Xlsx::new(Cursor::new(bytes)).map_err(|e| ReadError::malformed(part, e.to_string()))
    })
}

/// Reads the cells of a sheet that [`check`] has let pass.
pub(super) fn read(
    opened: &mut Opened<'_>,
    sheet: &str,
    sink: &mut Sink<'_>,
) -> Result<(), ReadError> {
    let part = sink.part;
    guarded(part, || {
        let wrong = |e: calamine::XlsxError| ReadError::malformed(part, e.to_string());
        let mut cells = opened.worksheet_cells_reader(sheet).map_err(wrong)?;
        while let Some(cell) = cells.next_cell_with_formula_metadata().map_err(wrong)? {
            let at = place(part, Address::new(cell.pos.0, cell.pos.1), None, true)?;
            let formula = match &cell.formula {
                Some(XlsxFormulaMetadata::Normal { formula }) => {
                    sink.formula(at, &Formula::Own(formula))?
                }
                Some(XlsxFormulaMetadata::Shared {
                    shared_index,
                    formula,
                    ..
                }) => sink.formula(at, &Formula::First(*shared_index as u64, formula))?,
                Some(XlsxFormulaMetadata::SharedDerived { shared_index }) => {
                    sink.formula(at, &Formula::Shared(*shared_index as u64))?
                }
                _ => None,
            };
            push(sink, at, &cell.value, formula)?;
        }
        Ok(())
    })
}

/// Takes a cell from calamine.
pub(super) fn push(
    sink: &mut Sink<'_>,
    at: Address,
    value: &DataRef<'_>,
    formula: Option<u32>,
) -> Result<(), ReadError> {
    match value {
        DataRef::Empty => sink.value(at, Value::Empty, formula),
        DataRef::Int(number) => sink.value(at, Value::Number(*number as f64), formula),
        DataRef::Float(number) => sink.value(at, Value::Number(*number), formula),
        DataRef::String(text) => sink.text(at, text, formula),
        DataRef::SharedString(text) => sink.text(at, text, formula),
        DataRef::Bool(is) => sink.value(at, Value::Bool(*is), formula),
        DataRef::DateTime(time) if time.is_duration() => {
            sink.dated(at, time.as_f64(), Format::Duration, formula)
        }
        DataRef::DateTime(time) => sink.dated(at, time.as_f64(), Format::Date, formula),
        DataRef::DateTimeIso(text) => {
            let day = iso_day(text).ok_or_else(|| {
                ReadError::cell(
                    sink.part,
                    at,
                    format!("shows {text:?}, which is not a date"),
                )
            })?;
            sink.value(at, Value::Date(day), formula)
        }
        DataRef::DurationIso(text) => match iso_duration(text) {
            Some(days) => sink.value(at, Value::Duration(days), formula),
            None => sink.text(at, text, formula),
        },
        DataRef::Error(error) => {
            let code = match error {
                CellErrorType::Div0 => ErrorCode::Div0,
                CellErrorType::NA => ErrorCode::NotAvailable,
                CellErrorType::Name => ErrorCode::Name,
                CellErrorType::Null => ErrorCode::Null,
                CellErrorType::Num => ErrorCode::Num,
                CellErrorType::Ref => ErrorCode::Ref,
                CellErrorType::Value => ErrorCode::Value,
                CellErrorType::GettingData => ErrorCode::GettingData,
            };
            sink.value(at, Value::Error(code), formula)
        }
    }
}

/// Days of `PT12H30M15.5S`.
fn iso_duration(text: &str) -> Option<f64> {
    let mut rest = text.strip_prefix("PT")?;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let number: f64 = rest[..digits].parse().ok()?;
        seconds += number
            * match rest.as_bytes()[digits] {
                b'H' => 3600.0,
                b'M' => 60.0,
                b'S' => 1.0,
                _ => return None,
            };
        rest = &rest[digits + 1..];
    }
    Some(seconds / 86_400.0)
}

/// Looks for what calamine would read without a word, and gives the merged regions.
/// How cells look, and which formulas fill an area, goes to the sink.
pub(super) fn check(
    part: &str,
    text: &str,
    strings: usize,
    sink: &mut Sink<'_>,
) -> Result<Vec<Area>, ReadError> {
    let mut reader = xml::events(text);
    let mut areas = Vec::new();
    let (mut row, mut col, mut certain) = (0u32, 0u32, false);
    let (mut shared, mut literal) = (false, true);
    let mut at = Address::new(0, 0);
    // The element whose text is being read, and whether an entity may be in it.
    let mut inside: Option<bool> = None;
    // Where a text of its own began.
    let mut own_text = None;
    let mut unknown = Unknown::default();
    loop {
        let start = reader.buffer_position() as usize;
        match xml::next(part, &mut reader)? {
            Event::CData(_) | Event::Comment(_) | Event::PI(_) if inside.is_some() => {
                return Err(ReadError::cell(part, at, "its text is in pieces"));
            }
            Event::GeneralRef(_) if inside == Some(false) => {
                return Err(ReadError::cell(
                    part,
                    at,
                    "its number is spelt with entities",
                ));
            }
            Event::Start(element) => match element.local_name().as_ref() {
                "row" => {
                    let number = xml::attribute(part, &element, "r")?;
                    certain = number.is_some();
                    if let Some(number) = number {
                        row = row_number(part, &number)?;
                    }
                    col = 0;
                    unknown.area = Some(whole_row(row));
                    row_look(part, row, &element, sink)?;
                }
                "c" => {
                    let says = xml::attribute(part, &element, "r")?;
                    at = place(part, Address::new(row, col), says.as_deref(), certain)?;
                    col = at.col + 1;
                    unknown.area = Some(Area {
                        first: at,
                        last: at,
                    });
                    let style = xml::attribute(part, &element, "s")?;
                    let style = style.and_then(|style| style.parse().ok());
                    sink.looks.cell(at.row, at.col, style.unwrap_or(0));
                    left(at, &element, &["r", "s", "t"], sink);
                    let kind = xml::attribute(part, &element, "t")?;
                    shared = kind.as_deref() == Some("s");
                    literal = matches!(kind.as_deref(), None | Some("n" | "b" | "e"));
                }
                "v" if shared => {
                    let text = xml::text(part, &mut reader, &element)?;
                    check_text(part, at, &text, strings)?;
                    let look = shared_index(&text).and_then(|at| sink.common.strings.look(at));
                    if let Some(look) = look {
                        sink.looks.dress(at.row, at.col, look);
                    }
                }
                "is" => own_text = Some(start),
                "v" => inside = Some(!literal),
                "f" => {
                    inside = Some(true);
                    check_formula(part, at, &element, sink)?;
                }
                "mergeCell" => {
                    let range = xml::attribute(part, &element, "ref")?.unwrap_or_default();
                    areas.push(area(part, &range)?);
                }
                _ if own_text.is_none() => unknown.start(start),
                _ => {}
            },
            Event::End(end) => match end.local_name().as_ref() {
                "row" => {
                    row += 1;
                    unknown.area = None;
                }
                "c" => unknown.area = Some(whole_row(row)),
                "v" | "f" => inside = None,
                "is" => {
                    let own = own_text.take().unwrap_or(start);
                    let written = text.get(own..reader.buffer_position() as usize);
                    if let Some(look) = written.and_then(runs::look_of) {
                        sink.looks.dress(at.row, at.col, look);
                    }
                }
                _ if own_text.is_none() => {
                    unknown.end(text, reader.buffer_position() as usize, sink);
                }
                _ => {}
            },
            Event::Eof => break,
            _ => {}
        }
    }
    areas.sort_unstable();
    Ok(areas)
}

fn whole_row(row: u32) -> Area {
    Area {
        first: Address::new(row, 0),
        last: Address::new(row, MAX_COLS - 1),
    }
}

/// Elements in rows and cells that no reader knows: what they say is compared.
#[derive(Default)]
struct Unknown {
    /// The row or the cell that is open.
    area: Option<Area>,
    /// Where the outermost one that is open begins, and how many are open in it.
    open: Option<(Area, usize, usize)>,
}

impl Unknown {
    fn start(&mut self, at: usize) {
        match (&mut self.open, self.area) {
            (Some((_, _, depth)), _) => *depth += 1,
            (None, Some(area)) => self.open = Some((area, at, 0)),
            (None, None) => {}
        }
    }

    fn end(&mut self, text: &str, at: usize, sink: &mut Sink<'_>) {
        match &mut self.open {
            Some((_, _, depth)) if *depth > 0 => *depth -= 1,
            Some((area, start, _)) => {
                let (area, written) = (*area, text.get(*start..at).unwrap_or_default());
                self.open = None;
                let node = Node::parse(written).unwrap_or_default();
                let of = if area.first == area.last { "c" } else { "row" };
                sink.left_inside(area, &format!("{of} {}", node.name), node.digest(&|_| 0));
            }
            None => {}
        }
    }
}

fn check_text(part: &str, at: Address, text: &str, strings: usize) -> Result<(), ReadError> {
    match shared_index(text) {
        Some(index) if index < strings => Ok(()),
        _ if text.is_empty() => Ok(()),
        _ => {
            let what = format!("shows shared text {text:?}, and there are {strings}");
            Err(ReadError::cell(part, at, what))
        }
    }
}

/// Ranges that run backwards overflow in calamine.
fn check_formula(
    part: &str,
    at: Address,
    element: &BytesStart<'_>,
    sink: &mut Sink<'_>,
) -> Result<(), ReadError> {
    let kind = xml::attribute(part, element, "t")?;
    let taken = ["t", "si", "ref", "r1", "r2", "dt2D", "dtr", "del1", "del2"];
    left(at, element, &taken, sink);
    let range = xml::attribute(part, element, "ref")?;
    if kind.as_deref() == Some("dataTable") {
        let mut table = DataTable::default();
        for name in &taken[3..] {
            if let Some(value) = xml::attribute(part, element, name)? {
                table.take(name, value);
            }
        }
        table.give(sink, at, range.as_deref())?;
    }
    let Some(range) = range else {
        return Ok(());
    };
    let filled = area(part, &range).map_err(|_| {
        let what = format!("its formula is for {range:?}, which is not a range");
        ReadError::cell(part, at, what)
    })?;
    if kind.as_deref() == Some("array") {
        sink.array(at, filled);
    }
    Ok(())
}

/// Gives the attributes that no reader takes to the sink.
fn left(at: Address, element: &BytesStart<'_>, taken: &[&str], sink: &mut Sink<'_>) {
    for attribute in element.attributes().with_checks(false).flatten() {
        let name = attribute.key.as_ref();
        if !taken.contains(&name) {
            sink.left(at, element.local_name().as_ref(), name, &attribute.value);
        }
    }
}

fn row_look(
    part: &str,
    row: u32,
    element: &BytesStart<'_>,
    sink: &mut Sink<'_>,
) -> Result<(), ReadError> {
    let is = |name: &str| -> Result<bool, ReadError> {
        let value = xml::attribute(part, element, name)?;
        Ok(matches!(value.as_deref(), Some("1" | "true")))
    };
    let number = |name: &str| -> Result<Option<f64>, ReadError> {
        let value = xml::attribute(part, element, name)?;
        Ok(value.and_then(|value| value.parse().ok()))
    };
    let height = number("ht")?;
    let level = number("outlineLevel")?.map(|level| level as u32);
    let style = number("s")?.map(|style| style as u32);
    let look = LineLook {
        size: row_size(if is("customHeight")? { height } else { None }),
        hidden: hidden(is("hidden")?, level, is("collapsed")?),
    };
    let style = if is("customFormat")? { style } else { None };
    sink.looks.row(row, style, look);
    let taken = [
        "r",
        "s",
        "ht",
        "customHeight",
        "customFormat",
        "hidden",
        "outlineLevel",
        "collapsed",
    ];
    left(Address::new(row, 0), element, &taken, sink);
    Ok(())
}
