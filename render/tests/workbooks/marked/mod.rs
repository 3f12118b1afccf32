//! Highlighted workbooks, read back by another library and opened by another
//! program.

mod cells;
mod office;
mod parts;
mod report;

use mvdiff_grid::{
    Grid, Options, ReadOptions, Sheet, Value, Workbook, diff_workbooks, open_workbook,
};
use mvdiff_render::WorkbookView;
use std::path::{Path, PathBuf};

/// The highlighted workbook of two workbooks.
fn highlighted(old: &Workbook, new: &Workbook) -> Vec<u8> {
    let report = diff_workbooks(old, new, &Options::default()).unwrap();
    let view = WorkbookView::new(("old.xlsx", "new.xlsx"), old, new, &report).unwrap();
    let mut bytes = Vec::new();
    view.write_xlsx(&mut bytes).unwrap();
    bytes
}

/// Every pair of workbooks among the fixtures.
fn fixtures() -> Vec<(String, Workbook, Workbook)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/grid");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    let read = |path: PathBuf| open_workbook(path, &ReadOptions::default()).unwrap();
    let pairs = folders.iter().filter(|path| path.join("old.xlsx").exists());
    let pairs: Vec<_> = pairs
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (
                name,
                read(path.join("old.xlsx")),
                read(path.join("new.xlsx")),
            )
        })
        .collect();
    assert!(pairs.len() > 90, "{}", pairs.len());
    pairs
}

/// A workbook of one sheet of texts.
fn texts(name: &str, rows: &[&[&str]]) -> Workbook {
    let rows = rows
        .iter()
        .map(|row| row.iter().map(|text| Value::Text(*text)).collect());
    let grid = Grid::from_rows(rows.collect::<Vec<Vec<_>>>());
    Workbook {
        sheets: vec![Sheet::new(name, grid)],
        ..Workbook::default()
    }
}

/// A workbook as programs write it that do not calculate: numbers, so many times each
/// of them, and the sum, all without values.
fn uncalculated(numbers: &[u32], times: u32) -> Workbook {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet().set_name("Data").unwrap();
    sheet.set_formula_result_default("");
    sheet.write_string(0, 0, "number").unwrap();
    for (row, number) in (1..).zip(numbers) {
        sheet.write_number(row, 0, *number).unwrap();
        let formula = format!("=A{}*{times}", row + 1);
        sheet.write_formula(row, 1, formula.as_str()).unwrap();
    }
    let last = numbers.len() as u32 + 1;
    sheet.write_string(last, 0, "sum").unwrap();
    let sum = format!("=SUM(B2:B{last})");
    sheet.write_formula(last, 1, sum.as_str()).unwrap();
    let bytes = book.save_to_buffer().unwrap();
    mvdiff_grid::read_workbook(&bytes, None, &ReadOptions::default()).unwrap()
}
