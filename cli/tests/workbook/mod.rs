//! `mvdiff diff`, `merge`, `replay` and `textconv` on workbooks, as a user and as git meet
//! them.

mod acts;
mod among;
mod beside;
mod formats;
mod git;
mod kinds;
mod looks;
mod merge;
mod options;
#[path = "../../examples/prices.rs"]
mod prices;
mod replay;
mod schema;
mod trouble;

use crate::support::{Ran, Repo};
use rust_xlsxwriter::{Formula, Workbook, Worksheet};

/// A folder with workbooks, and the program run in it.
struct Books(Repo);

/// A cell of a test's workbook: a formula, a number or a text, by its looks.
fn write(sheet: &mut Worksheet, row: u32, col: u16, text: &str) {
    if text.is_empty() {
        return;
    }
    match text.parse::<f64>() {
        _ if text.starts_with('=') => sheet.write_formula(row, col, Formula::new(text)),
        Ok(number) => sheet.write_number(row, col, number),
        Err(_) => sheet.write_string(row, col, text),
    }
    .unwrap();
}

/// Sheets with names and rows; cells are parted by `|`.
fn xlsx(sheets: &[(&str, &[&str])]) -> Vec<u8> {
    let mut book = Workbook::new();
    for (name, rows) in sheets {
        let sheet = book.add_worksheet();
        sheet.set_name(*name).unwrap();
        for (row, cells) in (0..).zip(*rows) {
            for (col, cell) in (0..).zip(cells.split('|')) {
                write(sheet, row, col, cell);
            }
        }
    }
    book.save_to_buffer().unwrap()
}

/// A table of materials that is long enough for moves.
fn table(rows: std::ops::Range<u32>) -> Vec<String> {
    let name = |i: u32| ["amber", "basalt", "cedar", "dolomite", "elm"][i as usize % 5];
    let row = |i: u32| format!("{}|{} {i}|{}|{}", 1000 + i, name(i), i * 7 + 3, i * i);
    std::iter::once("id|name|stock|price".to_owned())
        .chain(rows.map(row))
        .collect()
}

fn strs(rows: &[String]) -> Vec<&str> {
    rows.iter().map(String::as_str).collect()
}

impl Books {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let books = Self(Repo::none());
        for (name, bytes) in files {
            books.0.write(name, bytes);
        }
        books
    }

    /// `old.xlsx` and `new.xlsx` with one sheet each.
    fn of(old: &[&str], new: &[&str]) -> Self {
        let [old, new] = [old, new].map(|rows| xlsx(&[("Data", rows)]));
        Self::new(&[("old.xlsx", &old), ("new.xlsx", &new)])
    }

    /// The sample of README and book.
    fn prices() -> Self {
        let [old, new] = prices::workbooks().unwrap();
        Self::new(&[("old.xlsx", &old), ("new.xlsx", &new)])
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, b"")
    }

    fn run_with(&self, args: &[&str], input: &[u8]) -> Ran {
        self.0.run(&self.0.path(""), args, input, &[])
    }

    /// `mvdiff diff … old.xlsx new.xlsx`
    fn diff(&self, args: &[&str]) -> Ran {
        self.run(&[&["diff"], args, &["old.xlsx", "new.xlsx"]].concat())
    }

    /// The operations that it reports.
    #[track_caller]
    fn ops(&self, args: &[&str]) -> Vec<serde_json::Value> {
        let ran = self.diff(&[args, &["--format", "json"]].concat());
        assert!(ran.code < 2, "{}", ran.err);
        let report: serde_json::Value = serde_json::from_slice(&ran.out).unwrap();
        report["ops"].as_array().unwrap().clone()
    }

    /// The kinds of the operations that it reports.
    #[track_caller]
    fn kinds(&self, args: &[&str]) -> Vec<String> {
        let kind = |op: &serde_json::Value| op["kind"].as_str().unwrap().to_owned();
        self.ops(args).iter().map(kind).collect()
    }
}
