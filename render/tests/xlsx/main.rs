//! Highlighted workbooks, read back by another library and opened by another
//! program.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod cells;
mod office;
mod parts;

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
