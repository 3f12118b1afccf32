//! The file of the new workbook, marked: all that is in it stays.

use super::texts;
use mvdiff_grid::{
    Options, PackageKind, ReadOptions, Workbook, apply, diff_workbooks, patch_package,
    read_whole_workbook, read_workbook, write_workbook,
};
use mvdiff_render::WorkbookView;
use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};
use std::path::Path;

fn read(bytes: &[u8]) -> Workbook {
    read_workbook(bytes, None, &ReadOptions::default()).unwrap()
}

/// The marked file, and the workbook that it should hold.
fn marked(old: &Workbook, new: &Workbook, file: &[u8]) -> (Vec<u8>, Workbook) {
    let report = diff_workbooks(old, new, &Options::default()).unwrap();
    let view = WorkbookView::new(("old.xlsx", "new.xlsx"), old, new, &report).unwrap();
    let marks = view.marks(new);
    let mut out = Cursor::new(Vec::new());
    let options = ReadOptions::default();
    let to = (PackageKind::Plain, &mut out);
    patch_package(file, new, &marks, &options, to).unwrap();
    (out.into_inner(), apply(new, &marks).unwrap())
}

fn parts(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let count = archive.len();
    let read = |at| {
        let mut file = archive.by_index(at).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        (file.name().unwrap().to_string(), bytes)
    };
    (0..count).map(read).collect()
}

fn written(book: &Workbook) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    write_workbook(book, &mut file).unwrap();
    file.into_inner()
}

/// What a workbook holds, place aside: sheet, value, formula.
fn held(book: &Workbook) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = book
        .sheets
        .iter()
        .flat_map(|sheet| {
            let cells = sheet.grid().into_iter().flat_map(mvdiff_grid::Grid::cells);
            cells.map(move |cell| (sheet.name.clone(), format!("{:?}", cell.value)))
        })
        .collect();
    all.sort();
    all
}

#[test]
fn every_fixture_can_be_marked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/grid");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(file) = std::fs::read(folder.join("new.xlsx")) else {
            continue;
        };
        seen += 1;
        let name = folder.display();
        let old = read(&std::fs::read(folder.join("old.xlsx")).unwrap());
        let new = read(&file);
        let (bytes, wanted) = marked(&old, &new, &file);
        let again = read(&bytes);
        assert!(again.same(&wanted), "{name}");
        let all = held(&again);
        for one in held(&new) {
            assert!(all.binary_search(&one).is_ok(), "{name}: {one:?}");
        }
        let formulas = |book: &Workbook| {
            let grids = book.sheets.iter().filter_map(mvdiff_grid::Sheet::grid);
            let cells = grids.flat_map(mvdiff_grid::Grid::cells);
            cells.filter(|cell| cell.formula.is_some()).count()
        };
        assert_eq!(formulas(&again), formulas(&new), "{name}");
        let kept = parts(&bytes);
        for (part, bytes) in parts(&file) {
            let touched = [
                "worksheets/",
                "workbook.xml",
                "styles.xml",
                "Types",
                "comments",
            ];
            if !touched.iter().any(|touched| part.contains(touched)) {
                assert!(kept.get(&part) == Some(&bytes), "{name}: {part}");
            }
        }
    }
    assert!(seen > 90, "{seen}");
}

#[test]
fn removed_rows_are_put_back_where_no_formula_counts_on_them() {
    let old = texts(
        "Data",
        &[&["id", "x"], &["a", "1"], &["b", "2"], &["c", "3"]],
    );
    let new = texts("Data", &[&["id", "x"], &["a", "1"], &["c", "9"]]);
    let (bytes, _) = marked(&old, &new, &written(&new));
    let again = read(&bytes);
    let names: Vec<&str> = again.sheets.iter().map(|sheet| &sheet.name[..]).collect();
    assert_eq!(names, ["Changes", "Data"]);
    let grid = again.sheets[1].grid().unwrap();
    let column: Vec<String> = grid
        .cells()
        .filter(|cell| cell.address.col == 0)
        .map(|cell| format!("{:?}", cell.value))
        .collect();
    assert_eq!(
        column,
        ["Text(\"id\")", "Text(\"a\")", "Text(\"b\")", "Text(\"c\")"]
    );
    let whole = read_whole_workbook(&bytes, None, &ReadOptions::default()).unwrap();
    let commented: Vec<String> = whole.sheets[1]
        .commented()
        .map(|at| at.to_string())
        .collect();
    assert_eq!(commented, ["B4"]);
}

#[test]
fn removed_rows_are_listed_where_a_formula_counts_on_their_place() {
    let made = |rows: &[u32]| {
        let mut book = rust_xlsxwriter::Workbook::new();
        let sheet = book.add_worksheet().set_name("Data").unwrap();
        for (at, number) in (0..).zip(rows) {
            sheet.write_number(at, 0, *number).unwrap();
        }
        let sum = format!("=SUM(A1:A{})", rows.len());
        sheet.write_formula(0, 2, sum.as_str()).unwrap();
        book.save_to_buffer().unwrap()
    };
    let (old, file) = (made(&[1, 2, 3, 4]), made(&[1, 2, 4]));
    let (old, new) = (read(&old), read(&file));
    let (bytes, _) = marked(&old, &new, &file);
    let again = read(&bytes);
    let names: Vec<&str> = again.sheets.iter().map(|sheet| &sheet.name[..]).collect();
    assert_eq!(names, ["Changes", "Data", "Removed"]);
    assert!(
        again.sheets[1]
            .grid()
            .unwrap()
            .same(new.sheets[0].grid().unwrap())
    );
    let listed = again.sheets[2].grid().unwrap();
    let row: Vec<String> = listed
        .row(1)
        .map(|cell| format!("{:?}", cell.value))
        .collect();
    assert_eq!(row, ["Text(\"Data\")", "Text(\"row 3\")", "Number(3.0)"]);
}
