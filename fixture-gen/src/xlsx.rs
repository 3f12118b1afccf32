//! Writes a workbook as an xlsx file, with the same bytes each time.

use crate::model::{Book, Content, Sheet};
use crate::positions::Positions;
use crate::truth::areas;
use anyhow::{Context as _, Result};
use mvdiff_grid::{Address, Value, Visibility, column_name, date};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Formula, Workbook, Worksheet};
use std::fmt::Write as _;
use std::io::{Cursor, Read as _, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// Stands for a text of no characters until the file is written: the writer
/// leaves such cells out.
const NO_CHARACTERS: &str = "(no characters)";

/// The bytes of a book that was made from `base`.
///
/// # Errors
/// If the writer refuses something, such as a name that no sheet can have.
pub fn bytes(book: &Book, base: &Book) -> Result<Vec<u8>> {
    let places = Positions::new(book, base);
    let mut workbook = Workbook::new();
    // The writer would put in the time of day.
    let written = ExcelDateTime::from_ymd(2026, 1, 1)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&written));
    workbook.set_zip_compression_level(9);
    let mut parts = Vec::new();
    for (at, sheet) in book.sheets.iter().enumerate() {
        let worksheet = workbook.add_worksheet();
        write(sheet, book, &places, worksheet)
            .with_context(|| format!("sheet {:?}", sheet.name))?;
        if at == 0 && sheet.visibility != Visibility::Visible {
            let seen = book
                .sheets
                .iter()
                .position(|s| s.visibility == Visibility::Visible);
            let seen = seen.context("a workbook needs a sheet that is shown")?;
            parts.push(seen);
        }
    }
    for seen in parts {
        workbook
            .worksheet_from_index(seen)?
            .set_active(true)
            .set_first_tab(true);
    }
    for name in &book.names {
        let refers_to = name.refers_to.render(&places, book.sheets[0].id);
        workbook.define_name(&name.name, &refers_to)?;
    }
    patched(workbook.save_to_buffer()?, book)
}

fn write(sheet: &Sheet, book: &Book, places: &Positions<'_>, to: &mut Worksheet) -> Result<()> {
    to.set_name(&sheet.name)?;
    match sheet.visibility {
        Visibility::Visible => {}
        Visibility::Hidden => drop(to.set_hidden(true)),
        Visibility::VeryHidden => drop(to.set_very_hidden(true)),
    }
    for area in areas(sheet.id, &sheet.merges, places) {
        let (first, last) = (area.first, area.last);
        let blank = Format::new();
        to.merge_range(
            first.row,
            first.col as u16,
            last.row,
            last.col as u16,
            "",
            &blank,
        )?;
    }
    let day = Format::new().set_num_format("yyyy-mm-dd");
    let time = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
    let hours = Format::new().set_num_format("[h]:mm:ss");
    let blank = Format::new().set_bold();
    let offset = if book.date_1904 { date::DAYS_1904 } else { 0.0 };
    for (at, content) in sheet.placed() {
        let (row, col) = (at.row, at.col as u16);
        match content {
            Content::Formula(formula) => {
                let text = formula.render(places, sheet.id);
                to.write_formula(row, col, Formula::new(text).set_result("0"))?
            }
            Content::Value(value) => match value {
                Value::Empty => to.write_blank(row, col, &blank)?,
                Value::Number(number) => to.write_number(row, col, *number)?,
                Value::Text(text) if text.is_empty() => to.write_string(row, col, NO_CHARACTERS)?,
                Value::Text(text) => to.write_string(row, col, text)?,
                Value::Bool(is) => to.write_boolean(row, col, *is)?,
                Value::Date(days) => {
                    let format = if days.fract() == 0.0 { &day } else { &time };
                    to.write_number_with_format(row, col, days - offset, format)?
                }
                Value::Duration(days) => to.write_number_with_format(row, col, *days, &hours)?,
                // A cell that shows an error without a formula is patched in below.
                Value::Error(code) => to.write_string(row, col, code.as_str())?,
            },
        };
    }
    Ok(())
}

/// What the writer cannot write: the 1904 date system, shared formulas, texts of no
/// characters, and errors without a formula.
fn patched(bytes: Vec<u8>, book: &Book) -> Result<Vec<u8>> {
    let mut from = ZipArchive::new(Cursor::new(bytes))?;
    let mut to = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(DateTime::default());
    let mut strings = String::new();
    from.by_name("xl/sharedStrings.xml")
        .ok()
        .map(|mut part| part.read_to_string(&mut strings))
        .transpose()?;
    for i in 0..from.len() {
        let mut part = from.by_index(i)?;
        let name = part.name()?.into_owned();
        if name == THEME {
            continue;
        }
        let mut text = String::new();
        part.read_to_string(&mut text)?;
        let number = name.strip_prefix("xl/worksheets/sheet");
        let number = number.and_then(|rest| rest.strip_suffix(".xml")?.parse::<usize>().ok());
        if let Some(sheet) = number.and_then(|number| book.sheets.get(number - 1)) {
            text = with_errors(text, sheet, &strings);
            text = with_shared(text, sheet);
        }
        if name == "xl/workbook.xml" && book.date_1904 {
            text = text.replace("<workbookPr ", "<workbookPr date1904=\"1\" ");
        }
        if name == "xl/sharedStrings.xml" {
            text = text.replace(&format!("<t>{NO_CHARACTERS}</t>"), "<t></t>");
        }
        text = without_theme(text, &name);
        to.start_file(name, options)?;
        to.write_all(text.as_bytes())?;
    }
    Ok(to.finish()?.into_inner())
}

/// Colours and fonts that a program may bring along itself; a quarter of a small
/// file.
const THEME: &str = "xl/theme/theme1.xml";

/// Takes out the one element that names the theme.
fn without_theme(xml: String, part: &str) -> String {
    let mark = match part {
        "[Content_Types].xml" => "PartName=\"/xl/theme/theme1.xml\"",
        "xl/_rels/workbook.xml.rels" => "Target=\"theme/theme1.xml\"",
        _ => return xml,
    };
    let Some(at) = xml.find(mark) else {
        return xml;
    };
    let start = xml[..at].rfind('<').unwrap_or(at);
    let end = xml[at..].find("/>").map_or(xml.len(), |end| at + end + 2);
    [&xml[..start], &xml[end..]].concat()
}

/// Errors were written as texts; here they become cells of their own type.
fn with_errors(mut xml: String, sheet: &Sheet, strings: &str) -> String {
    for (at, content) in sheet.placed() {
        let Content::Value(Value::Error(code)) = content else {
            continue;
        };
        let texts = strings.split("<si><t>").skip(1);
        let mut texts = texts.map(|si| si.split('<').next().unwrap_or_default());
        if let Some(id) = texts.position(|text| text == code.as_str()) {
            let written = format!("<c r=\"{at}\" t=\"s\"><v>{id}</v></c>");
            let meant = format!("<c r=\"{at}\" t=\"e\"><v>{}</v></c>", code.as_str());
            xml = xml.replace(&written, &meant);
        }
    }
    xml
}

/// The formulas of shared columns are written once, in the first cell, and the
/// others say that they are the same.
fn with_shared(mut xml: String, sheet: &Sheet) -> String {
    for (index, id) in sheet.shared.iter().enumerate() {
        let Some(col) = sheet.cols.iter().position(|c| c == id) else {
            continue;
        };
        let formulas = sheet.placed().filter(|(at, content)| {
            at.col as usize == col && matches!(content, Content::Formula(_))
        });
        let rows: Vec<u32> = formulas.map(|(at, _)| at.row).collect();
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            continue;
        };
        let letters = column_name(col as u32);
        for row in &rows {
            let cell = format!("<c r=\"{}\"><f>", Address::new(*row, col as u32));
            let Some(start) = xml.find(&cell).map(|at| at + cell.len()) else {
                continue;
            };
            let Some(len) = xml[start..].find("</f>") else {
                continue;
            };
            let mut shared = String::new();
            if row == first {
                let area = format!("{letters}{}:{letters}{}", first + 1, last + 1);
                let formula = &xml[start..start + len];
                let _ = write!(
                    shared,
                    "<f t=\"shared\" ref=\"{area}\" si=\"{index}\">{formula}</f>"
                );
            } else {
                let _ = write!(shared, "<f t=\"shared\" si=\"{index}\"/>");
            }
            xml.replace_range(start - "<f>".len()..start + len + "</f>".len(), &shared);
        }
    }
    xml
}
