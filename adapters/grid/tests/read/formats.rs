//! The same workbook in every format, as `LibreOffice` wrote it, and files that are
//! something else. How they were made is in `tests/files/README.md`.

use crate::parts::{Parts, at, shown};
use mvdiff_grid::{
    Area, ReadError, ReadOptions, Visibility, Workbook, open_workbook, read_workbook,
};
use std::path::{Path, PathBuf};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/files")
        .join(name)
}

fn open(name: &str) -> Workbook {
    open_workbook(file(name), &ReadOptions::default()).unwrap()
}

/// All but the truth values: `LibreOffice` makes formulas of them.
fn without_flags(cells: Vec<String>) -> Vec<String> {
    cells
        .into_iter()
        .filter(|cell| !cell.starts_with('D'))
        .collect()
}

fn rows() -> Vec<String> {
    let mut cells: Vec<String> = ["A1 id", "B1 name", "C1 when", "E1 sum", "F1 err", "G1 span"]
        .map(|cell| format!("{} {:?}", &cell[..2], &cell[3..]))
        .to_vec();
    for i in 0..4 {
        let r = i + 2;
        cells.push(format!("A{r} {}", 1000 + i));
        cells.push(format!("B{r} \"n\u{e4}me {i}\""));
        cells.push(format!("C{r} 2026-11-16T09:30:00"));
        cells.push(format!("E{r} {} =A{r}*2", 2 * (1000 + i)));
        cells.push(format!("F{r} #DIV/0! =1/0"));
        cells.push(format!("G{r} 1.5d"));
    }
    cells.push("A7 \"merged\"".to_owned());
    cells
}

fn check(workbook: &Workbook, told: impl Fn(&str) -> String) {
    let sheets: Vec<_> = workbook
        .sheets
        .iter()
        .map(|s| (s.name.as_str(), s.visibility))
        .collect();
    assert_eq!(
        sheets,
        [("Data", Visibility::Visible), ("Other", Visibility::Hidden)]
    );
    let cells = without_flags(shown(workbook.sheets[0].grid().unwrap()));
    let expected: Vec<String> = rows().iter().map(|cell| told(cell)).collect();
    assert_eq!(cells, expected);
    let other = shown(workbook.sheets[1].grid().unwrap());
    assert_eq!(other.len(), 1);
    assert!(other[0].starts_with("B2 4006 =SUM("), "{other:?}");
    assert_eq!(workbook.names[0].name, "Tax");
}

/// Cells below each other share their formula in `.xls`, and that is not reported.
fn value_only(cell: &str) -> String {
    cell.split(" =").next().unwrap_or_default().to_owned()
}

fn merged() -> [Area; 1] {
    [Area {
        first: at("A7"),
        last: at("C8"),
    }]
}

#[test]
fn xlsx_of_libreoffice_is_read() {
    let workbook = open("made-by-libreoffice.xlsx");
    check(&workbook, str::to_owned);
    assert_eq!(workbook.sheets[0].merges, merged());
    assert_eq!(
        shown(workbook.sheets[1].grid().unwrap()),
        ["B2 4006 =SUM(Data!A2:A5)"]
    );
}

#[test]
fn xls_is_read() {
    let workbook = open("made-by-libreoffice.xls");
    check(&workbook, value_only);
    assert_eq!(workbook.notes[0].kind, "formulas");
    assert_eq!(workbook.sheets[0].merges, merged());
}

#[test]
fn ods_is_read() {
    let workbook = open("made-by-libreoffice.ods");
    check(&workbook, str::to_owned);
    assert_eq!(
        shown(workbook.sheets[1].grid().unwrap()),
        ["B2 4006 =SUM(Data!A2:A5)"]
    );
    assert_eq!(workbook.names[0].refers_to, "Data!$A$2");
}

#[test]
fn the_content_decides_what_a_file_is() {
    let bytes = std::fs::read(file("made-by-libreoffice.xls")).unwrap();
    let workbook = read_workbook(
        &bytes,
        Some(Path::new("prices.xlsx")),
        &ReadOptions::default(),
    );
    check(&workbook.unwrap(), value_only);
}

#[test]
fn a_locked_opendocument_asks_for_one_without_a_password() {
    let list = r#"<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>"#;
    let locked = Parts::with_rows("")
        .set("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        .set("META-INF/manifest.xml", list)
        .set("content.xml", "not to be read");
    let error = locked.read().unwrap_err();
    assert!(matches!(error, ReadError::Password), "{error}");
}

#[test]
fn an_opendocument_that_breaks_off_is_refused_and_not_waited_for() {
    let content = "<office:spreadsheet><table:table table:name=\"Data\"><table:table-row>";
    let broken = Parts::with_rows("")
        .set("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        .set("content.xml", content);
    let error = broken.read().unwrap_err().to_string();
    assert!(error.contains("breaks off"), "{error}");
    let tag = format!("<office:spreadsheet></x\n\u{7}{}>", "y".repeat(9000));
    let error = broken
        .set("content.xml", tag)
        .read()
        .unwrap_err()
        .to_string();
    assert!(
        !error.contains(char::is_control) && error.len() < 400,
        "{error:?}"
    );
}

#[test]
fn what_cannot_be_read_is_called_by_its_name() {
    let locked = open_workbook(file("locked.xlsx"), &ReadOptions::default()).unwrap_err();
    assert!(matches!(locked, ReadError::Password), "{locked}");
    let read = |bytes: &[u8], name: &str| {
        let error = read_workbook(bytes, Some(Path::new(name)), &ReadOptions::default());
        error.unwrap_err().to_string()
    };
    for (bytes, says) in [
        (&b""[..], "empty"),
        (b"<html><table><tr><td>1</td></tr></table></html>", "HTML"),
        (b"a,b\n1,2\n", "name it .csv"),
        (b"%PDF-1.7\n", "PDF"),
        (
            b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            "without a workbook",
        ),
    ] {
        let error = read(bytes, "a.xlsx");
        assert!(error.contains(says), "{error}");
    }
    let document = Parts::with_rows("")
        .set("word/document.xml", "<document/>")
        .zip();
    assert!(read(&document, "a.xlsx").contains("text document"));
    let ole = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1].repeat(64);
    assert!(read(&ole, "a.xlsx").contains(".xls"));
}
