//! Archives with other parts in them. What is read of an `.xlsx` is compared with the file
//! that it was made from, and the report makes one file of the other, there and back.

use super::file::{is_like_itself, read};
use super::grid::replays;
use crate::archive::{parts, text, zip};
use mvdiff_grid::{
    DiffReport, Options, PackageKind, PatchError, ReadOptions, Workbook, diff_workbooks, invert,
    patch_package, read_whole_workbook,
};
use roxmltree::Document;
use std::io::{Cursor, Read as _, Write as _};
use std::sync::OnceLock;

const WORKBOOK: &[u8] = include_bytes!("../../seeds/workbook.parts");
const XLS: &[u8] = include_bytes!("../../../adapters/grid/tests/files/made-by-libreoffice.xls");
/// The stream of an `.xls`, and its name as a part.
const STREAM: &str = "Workbook";
const OPENDOCUMENT: &[u8] = include_bytes!("../../seeds/opendocument.parts");

/// Each part of the workbook by itself: what an input does not name is as it was.
pub(crate) fn xlsx_seeds() -> Vec<Vec<u8>> {
    parts(WORKBOOK)
        .iter()
        .map(|(name, content)| text([(&name[..], *content)]))
        .collect()
}

pub(crate) fn other_seeds() -> Vec<Vec<u8>> {
    vec![OPENDOCUMENT.to_vec(), xlsb(), xls()]
}

/// The stream of records that an `.xls` is, without the compound file around it, which
/// few changes leave readable.
fn xls() -> Vec<u8> {
    let file = Cursor::new(XLS);
    let mut stream = cfb::CompoundFile::open(file).and_then(|mut file| {
        let mut records = Vec::new();
        file.open_stream(STREAM)?.read_to_end(&mut records)?;
        Ok(records)
    });
    let records = stream.as_deref_mut().expect("a stream of records");
    text([(STREAM, &*records)])
}

/// A compound file with that stream.
fn compound(records: &[u8]) -> Vec<u8> {
    // Programs write version 3.
    let memory = Cursor::new(Vec::new());
    let file = cfb::CompoundFile::create_with_version(cfb::Version::V3, memory);
    let file = file.and_then(|mut file| {
        file.create_stream(STREAM)?.write_all(records)?;
        file.flush()?;
        Ok(file.into_inner().into_inner())
    });
    file.expect("memory")
}

/// The workbook with some of its parts replaced, as a file.
fn with(input: &[u8]) -> Option<Vec<u8>> {
    let mut all = parts(WORKBOOK);
    all.extend(parts(input));
    zip(&all)
}

/// The workbook as it is.
pub(super) fn base() -> Workbook {
    static BASE: OnceLock<Workbook> = OnceLock::new();
    let read = || read(base_file(), None).expect("the workbook can be read");
    BASE.get_or_init(read).clone()
}

fn base_file() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| with(b"").expect("an archive"))
}

/// Reports on the workbook and others like it, with much beside the cells.
pub(super) fn beside() -> Vec<DiffReport> {
    let swaps = [
        ("xl/worksheets/sheet1.xml", "<v>1002</v>", "<v>9</v>"),
        ("xl/comments1.xml", "please check", "checked"),
        (
            "xl/worksheets/sheet1.xml",
            "sqref=\"B2:B4\"",
            "sqref=\"B2:B3\"",
        ),
        ("xl/styles.xml", "0.000", "0.0"),
        ("xl/workbook.xml", "$B$2:$B$4", "$B$2:$B$3"),
    ];
    let report = |(name, from, to): (&str, &str, &str)| {
        let all = parts(WORKBOOK);
        let (_, content) = all
            .iter()
            .find(|part| part.0 == name)
            .expect("a part of it");
        let changed = String::from_utf8_lossy(content).replace(from, to);
        let file = with(&text([(name, changed.as_bytes())])).expect("an archive");
        let whole = |file: &[u8]| {
            let read = read_whole_workbook(file, None, &ReadOptions::default());
            read.expect("a workbook")
        };
        let (old, new) = (whole(base_file()), whole(&file));
        diff_workbooks(&old, &new, &Options::default()).expect("a report")
    };
    swaps.map(report).to_vec()
}

pub(crate) fn xlsx(input: &[u8]) {
    let Some(file) = with(input) else { return };
    let Some(new) = read(&file, None) else { return };
    is_like_itself(&new);
    let old = base();
    let report = replays(&old, &new, &Options::default());
    let is_xml = |bytes| std::str::from_utf8(bytes).is_ok_and(|text| Document::parse(text).is_ok());
    let is_damaged = !parts(input).iter().all(|(_, content)| is_xml(content));
    leads(base_file(), &old, &report, &new, is_damaged);
    leads(&file, &new, &invert(&report), &old, is_damaged);
}

/// A report carried out on the file itself. A file that cannot be written over is refused, and
/// only one with a part that is no XML.
fn leads(file: &[u8], old: &Workbook, report: &DiffReport, new: &Workbook, is_damaged: bool) {
    let options = ReadOptions::default();
    let mut out = Cursor::new(Vec::new());
    let kind = PackageKind::WithMacros;
    match patch_package(file, old, report, &options, (kind, &mut out)) {
        Ok(_) => {}
        Err(PatchError::Unlike(why)) => {
            assert!(is_damaged, "a sound file cannot be written over: {why}");
            return;
        }
        Err(_) => return,
    }
    let made = read(out.get_ref(), None).expect("a file that was written can be read");
    assert!(made.same(new), "the file is the new workbook");
}

pub(crate) fn others(input: &[u8]) {
    let Some(file) = other_file(input) else {
        return;
    };
    if let Some(book) = read(&file, None) {
        is_like_itself(&book);
        replays(&base(), &book, &Options::default());
    }
}

fn other_file(input: &[u8]) -> Option<Vec<u8>> {
    let parts = parts(input);
    match parts.iter().find(|(name, _)| name == STREAM) {
        Some((_, records)) => Some(compound(records)),
        None => zip(&parts),
    }
}

/// A record of the binary format: its number and its length in groups of seven bits.
fn record(number: u16, content: &[u8]) -> Vec<u8> {
    let mut bytes = match number {
        0..128 => vec![number as u8],
        _ => vec![number as u8 | 0x80, (number >> 7) as u8],
    };
    let mut length = content.len();
    while length >= 128 {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend_from_slice(content);
    bytes
}

fn wide(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut bytes = (units.len() as u32).to_le_bytes().to_vec();
    bytes.extend(units.into_iter().flat_map(u16::to_le_bytes));
    bytes
}

/// A small `.xlsb`: a sheet with numbers, texts, a formula, a boolean and an error.
fn xlsb() -> Vec<u8> {
    let cell = |col: u32, value: &[u8]| [&col.to_le_bytes()[..], &[0; 4], value].concat();
    let row = |at: u32| record(0, &[&at.to_le_bytes()[..], &[0; 21]].concat());
    let formula = [&1.5_f64.to_le_bytes()[..], &[0, 0, 3, 0, 0, 0, 0x1e, 7, 0]].concat();
    let size: Vec<u8> = [0_u32, 3, 0, 2]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect();
    let sheet = [
        record(0x81, &[]),
        record(0x94, &size),
        record(0x91, &[]),
        row(0),
        record(6, &cell(0, &wide("id"))),
        record(7, &cell(1, &1_u32.to_le_bytes())),
        row(1),
        record(5, &cell(0, &1001_f64.to_le_bytes())),
        record(2, &cell(1, &0x0000_0190_u32.to_le_bytes())),
        record(9, &cell(2, &formula)),
        row(3),
        record(4, &cell(0, &[1])),
        record(3, &cell(1, &[7])),
        record(0x92, &[]),
        record(0x82, &[]),
    ]
    .concat();
    let named = [
        &0_u32.to_le_bytes()[..],
        &1_u32.to_le_bytes(),
        &wide("rId1"),
        &wide("Data"),
    ];
    let book = [
        record(0x83, &[]),
        record(0x99, &[0; 8]),
        record(0x8f, &[]),
        record(0x9c, &named.concat()),
        record(0x90, &[]),
        record(0x84, &[]),
    ]
    .concat();
    let strings = [
        record(0x9f, &[2, 0, 0, 0, 2, 0, 0, 0]),
        record(0x13, &[&[0][..], &wide("one")].concat()),
        record(0x13, &[&[0][..], &wide("price")].concat()),
        record(0xa0, &[]),
    ]
    .concat();
    let rels = br#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.bin"/></Relationships>"#;
    text([
        ("[Content_Types].xml", &b"<Types/>"[..]),
        ("xl/workbook.bin", &book),
        ("xl/_rels/workbook.bin.rels", rels),
        ("xl/sharedStrings.bin", &strings),
        ("xl/worksheets/sheet1.bin", &sheet),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use mvdiff_grid::{Grid, Sheet};

    #[test]
    fn every_seed_is_a_workbook() {
        assert_eq!(base().sheets.len(), 2);
        for seed in other_seeds() {
            let file = other_file(&seed).expect("an archive");
            let book = read(&file, None).expect("a workbook");
            let grids = book.sheets.iter().filter_map(Sheet::grid);
            let cells: usize = grids.map(Grid::cell_count).sum();
            assert!(cells >= 6, "{cells}");
        }
        for seed in xlsx_seeds() {
            assert!(read(&with(&seed).expect("an archive"), None).is_some());
        }
    }

    /// A part of the workbook with something in it replaced.
    fn damaged(part: &str, from: &str, to: &str) -> Vec<u8> {
        let all = parts(WORKBOOK);
        let (_, content) = all.iter().find(|(name, _)| name == part).expect("a part");
        let content = String::from_utf8_lossy(content);
        assert!(content.contains(from), "{from} in {part}");
        text([(part, content.replacen(from, to, 1).as_bytes())])
    }

    #[test]
    fn a_part_that_is_no_xml_does_not_lead_to_another_workbook() {
        let styles = "xl/styles.xml";
        let book = "xl/workbook.xml";
        let sheet = "xl/worksheets/sheet1.xml";
        for (part, from, to) in [
            (styles, "<fills ", "<Relationships><fills "),
            (styles, "</cellXfs>", ""),
            (styles, "<cellXfs ", "<cellXfs <"),
            (book, "</sheets>", "</sheets></sheets>"),
            (book, "<definedNames>", ""),
            (sheet, "</sheetData>", "</sheetData></worksheet>"),
            (sheet, "<sheetData>", "</sheetViews><sheetData>"),
            ("xl/charts/chart1.xml", "<", "<<"),
            ("xl/tables/table1.xml", "</table>", ""),
        ] {
            xlsx(&damaged(part, from, to));
        }
    }

    #[test]
    fn the_highest_number_of_a_relation_leaves_room_for_another() {
        let part = "xl/worksheets/_rels/sheet1.xml.rels";
        let all = parts(WORKBOOK);
        let (_, content) = all.iter().find(|(name, _)| name == part).expect("a part");
        let content = String::from_utf8_lossy(content).into_owned();
        let id = content.split("Id=\"").nth(1).expect("an id");
        let id = id.split('"').next().expect("its end");
        xlsx(&damaged(part, &format!("\"{id}\""), "\"rId4294967295\""));
    }

    #[test]
    fn sheets_whose_names_differ_in_case_alone_are_refused() {
        let text = String::from_utf8(other_seeds().swap_remove(0)).expect("a text");
        assert!(text.contains("\"Data\"") && text.contains("\"Other\""));
        let file = zip(&parts(text.replace("\"Other\"", "\"dATA\"").as_bytes()));
        assert!(read(&file.expect("an archive"), None).is_none());
    }

    #[test]
    fn a_name_that_is_defined_twice_counts_once() {
        let twice = "<definedName name=\"total\">Data!$A$1</definedName></definedNames>";
        let input = damaged("xl/workbook.xml", "</definedNames>", twice);
        xlsx(&input);
        let read = read(&with(&input).expect("an archive"), None).expect("a workbook");
        let totals = read.names.iter().filter(|name| name.sheet.is_none());
        let totals: Vec<&str> = totals.map(|name| &name.refers_to[..]).collect();
        assert_eq!(totals, ["Data!$A$1"]);
        assert!(read.notes.iter().any(|note| note.kind == "name_twice"));
    }

    #[test]
    fn a_refusal_is_one_line_whatever_the_cell_says() {
        let input = damaged("xl/worksheets/sheet1.xml", "<v>0</v>", "<v>0\n9</v><odd/>");
        xlsx(&input);
    }

    #[test]
    fn reports_say_what_is_beside_the_cells() {
        assert!(beside().iter().all(|report| !report.ops.is_empty()));
    }
}
