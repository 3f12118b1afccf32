//! A file is a workbook or it is refused in one line; one that was read is like itself,
//! and is read again as it was written.

use super::grid::replays;
use super::numbers;
use mvdiff_grid::{
    Content, Options, ReadOptions, Workbook, diff_workbooks, read_workbook, write_workbook,
};
use std::io::Cursor;
use std::path::Path;

pub(crate) const SEEDS: &[&str] = &[
    "id,price\n1000,12.5\n\"a \"\"b\"\"\nc\",=A1*2\n",
    "id;price\n1000;12,5\n\n\u{feff}TRUE;#N/A;2026-01-02\n",
    "a\tb\tc\n\t\t\n1e300\t-0\t0.1\r\nx\ty\rz\n",
    "\u{ff}\u{fe}a,\u{0}b\n",
];

pub(crate) fn law(input: &[u8]) {
    let random = &mut numbers(input);
    for name in ["f.csv", "f.tsv", "f.xlsx"] {
        if let Some(book) = read(input, Some(Path::new(name))) {
            is_like_itself(&book);
            // Packing an archive takes ten times as long as the rest.
            if random.one_in(8) {
                is_written(&book);
            }
        }
    }
}

/// A workbook, or none if the file was refused in one line.
pub(super) fn read(bytes: &[u8], name: Option<&Path>) -> Option<Workbook> {
    match read_workbook(bytes, name, &ReadOptions::default()) {
        Ok(book) => Some(book),
        Err(error) => {
            let words = error.to_string();
            assert!(!words.is_empty() && !words.contains('\n'), "{words:?}");
            None
        }
    }
}

pub(super) fn is_like_itself(book: &Workbook) {
    assert!(book.same(book));
    let report = diff_workbooks(book, book, &Options::default()).expect("a report");
    assert_eq!(report.ops, Vec::new());
}

/// Written and read, it holds what it held, as far as the format can.
fn is_written(book: &Workbook) {
    let mut out = Cursor::new(Vec::new());
    let is_cells = |sheet: &mvdiff_grid::Sheet| matches!(sheet.content, Content::Cells(_));
    if !book.sheets.iter().all(is_cells) || write_workbook(book, &mut out).is_err() {
        return;
    }
    let back = read(out.get_ref(), None).expect("a file of ours");
    replays(book, &back, &Options::default());
}
