//! Workbooks made part by part, so that a test can say exactly what is wrong.

use mvdiff_grid::{Address, Cell, Grid, ReadError, ReadOptions, Value, Workbook, read_workbook};
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

pub const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

/// The parts of a workbook, in order.
#[derive(Clone)]
pub struct Parts(Vec<(String, Vec<u8>)>);

impl Parts {
    /// One sheet `S` with these rows.
    pub fn with_rows(rows: &str) -> Self {
        Self::with_sheet(&sheet(rows))
    }

    /// One sheet `S` in this part.
    pub fn with_sheet(sheet: &str) -> Self {
        let book = format!(
            "{HEAD}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{RELS}\"><sheets>\
             <sheet name=\"S\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
        );
        let root = format!(
            "{HEAD}<Relationships><Relationship Id=\"rId1\" Type=\"{RELS}/officeDocument\" \
             Target=\"xl/workbook.xml\"/></Relationships>"
        );
        let rels = format!(
            "{HEAD}<Relationships>\
             <Relationship Id=\"rId1\" Type=\"{RELS}/worksheet\" Target=\"worksheets/sheet1.xml\"/>\
             <Relationship Id=\"rId2\" Type=\"{RELS}/worksheet\" Target=\"worksheets/sheet2.xml\"/>\
             <Relationship Id=\"rId3\" Type=\"{RELS}/chartsheet\" Target=\"chartsheets/sheet1.xml\"/>\
             </Relationships>"
        );
        Self(Vec::new())
            .set("[Content_Types].xml", "<Types/>")
            .set("_rels/.rels", root)
            .set("xl/workbook.xml", book)
            .set("xl/_rels/workbook.xml.rels", rels)
            .set("xl/worksheets/sheet1.xml", sheet)
    }

    /// With this part, in the place of what had its name.
    pub fn set(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        match self.0.iter_mut().find(|(part, _)| part == name) {
            Some((_, old)) => *old = bytes,
            None => self.0.push((name.to_owned(), bytes)),
        }
        self
    }

    /// Without this part.
    pub fn without(mut self, name: &str) -> Self {
        self.0.retain(|(part, _)| part != name);
        self
    }

    /// With shared texts.
    pub fn strings(self, items: &str) -> Self {
        let text = format!("{HEAD}<sst xmlns=\"{MAIN}\">{items}</sst>");
        self.set("xl/sharedStrings.xml", text)
    }

    /// With one replaced by another in the workbook part.
    pub fn book(self, from: &str, to: &str) -> Self {
        self.edit("xl/workbook.xml", from, to)
    }

    /// With one replaced by another in a part.
    pub fn edit(mut self, name: &str, from: &str, to: &str) -> Self {
        let part = self.0.iter_mut().find(|(part, _)| part == name).unwrap();
        let text = String::from_utf8(part.1.clone()).unwrap();
        assert!(text.contains(from), "{from:?} is not in {name}");
        part.1 = text.replace(from, to).into_bytes();
        self
    }

    /// The file.
    pub fn zip(&self) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        for (name, bytes) in &self.0 {
            zip.start_file(name.as_str(), options).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    pub fn read(&self) -> Result<Workbook, ReadError> {
        read_workbook(&self.zip(), None, &ReadOptions::default())
    }

    /// The cells of the first sheet, as `A1 value =formula`.
    pub fn cells(&self) -> Vec<String> {
        shown(self.read().unwrap().sheets[0].grid().unwrap())
    }

    /// The error, in words.
    pub fn error(&self) -> String {
        self.read().unwrap_err().to_string()
    }
}

/// A worksheet part with these rows.
pub fn sheet(rows: &str) -> String {
    format!("{HEAD}<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>")
}

/// A styles part whose cells have these formats, by number.
pub fn styles(formats: &[u32]) -> String {
    let xfs: String = formats
        .iter()
        .map(|id| format!("<xf numFmtId=\"{id}\"/>"))
        .collect();
    format!("{HEAD}<styleSheet xmlns=\"{MAIN}\"><cellXfs>{xfs}</cellXfs></styleSheet>")
}

/// The cells as a person would read them.
pub fn shown(grid: &Grid) -> Vec<String> {
    grid.cells().map(|cell| show(&cell)).collect()
}

fn show(cell: &Cell<'_>) -> String {
    let value = match cell.value {
        Value::Text(text) => format!("{text:?}"),
        Value::Number(number) => number.to_string(),
        Value::Date(day) => mvdiff_grid::date::to_iso(day),
        Value::Bool(is) => is.to_string(),
        Value::Error(code) => code.as_str().to_owned(),
        Value::Duration(days) => format!("{days}d"),
        Value::Empty => "-".to_owned(),
    };
    let formula = cell
        .formula
        .map_or(String::new(), |formula| format!(" {formula}"));
    format!("{} {value}{formula}", cell.address)
}

pub fn at(text: &str) -> Address {
    text.parse().unwrap()
}
