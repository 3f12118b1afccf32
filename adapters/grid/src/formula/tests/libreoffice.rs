//! Ours against what LibreOffice makes of the same change to the same formulas.

use super::Book;
use crate::cell_map::{AxisMap, CellMap, RectMove};
use crate::formula::{Formula, Shift, same};
use crate::{Address, Area};

/// Written by `bench/formulas.py`: a change, a formula before it, and after it.
const SEEN: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../fixtures/formulas/libreoffice.tsv"
));

/// So many lines are looked at; all formulas stand below and right of them.
const LINES: u32 = 50;

/// What LibreOffice does otherwise, or does not do at all.
const OTHERWISE: [(&str, &str); 8] = [
    // It shifts the end of the sheet, too, and then it is no end any more.
    ("rows delete 4 1", "=A2:A1048576"),
    ("rows delete 2 5", "=A2:A1048576"),
    ("rows delete 0 3", "=A2:A1048576"),
    // It follows the cells of one sheet for all of them.
    ("other rows delete 3 2", "=SUM(Data:Old!B5:B5)"),
    ("other cols delete 1 1", "=SUM(Data:Old!B5:B5)"),
    ("other rows delete 3 2", "=SUM(Data:'My Sheet'!B4:C5)"),
    ("other cols delete 1 1", "=SUM(Data:'My Sheet'!B4:C5)"),
    // It knows the order of sheets; a place knows only names.
    ("remove Old", "=SUM(Data:Old!B5:B5)"),
];

#[test]
fn formulas_follow_as_they_do_in_libreoffice() {
    let mut differ = Vec::new();
    for line in SEEN.lines() {
        let [change, before, after] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}: not three fields");
        };
        let (book, shift) = made(change);
        let now = Formula::parse(before).follow_shifted(&book, shift);
        if same(&now, after) == OTHERWISE.contains(&(change, before)) {
            differ.push(format!("{change}: {before}: {now}, there {after}"));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert!(SEEN.lines().count() > 2000);
}

/// The workbook after a change, and how far formulas were copied.
fn made(change: &str) -> (Book, Shift) {
    let mut book = Book::default();
    let mut shift = Shift::default();
    for name in ["Own", "Data", "My Sheet", "Old", "It's"] {
        book = book.with(name, Some(name), CellMap::default());
    }
    let (verb, rest) = change.split_once(' ').unwrap();
    let find = |book: &Book, name| book.sheets.iter().position(|(sheet, ..)| *sheet == name);
    match verb {
        "rename" => {
            let (name, now) = rest.split_once('|').unwrap();
            let at = find(&book, name).unwrap();
            book.sheets[at].1 = Some(now.to_owned().leak());
        }
        "remove" => {
            let at = find(&book, rest).unwrap();
            book.sheets[at].1 = None;
        }
        "move" => {
            let (from, to) = rest.split_once(' ').unwrap();
            let (first, last) = from.split_once(':').unwrap();
            let [first, last, to] = [first, last, to].map(|at| at.parse::<Address>().unwrap());
            let from = Area { first, last };
            book.sheets[0].2.rects = vec![RectMove { from, to }];
        }
        "copy" => {
            let (down, right) = rest.split_once(' ').unwrap();
            let [rows, cols] = [down, right].map(|by| Some(by.parse().unwrap()));
            shift = Shift { rows, cols };
        }
        "other" => lines(&mut book.sheets[1].2, rest),
        _ => lines(&mut book.sheets[0].2, change),
    }
    (book, shift)
}

/// Lines inserted or removed, such as `rows insert 4 2`.
fn lines(map: &mut CellMap, change: &str) {
    let words: Vec<&str> = change.split(' ').collect();
    let [first, count] = [words[2], words[3]].map(|word| word.parse::<u32>().unwrap());
    let axis = if words[1] == "insert" {
        let moved = |line| if line < first { line } else { line + count };
        AxisMap::new(
            LINES,
            LINES + count,
            (0..LINES).map(|line| (line, moved(line))),
        )
    } else {
        let kept = (0..first).map(|line| (line, line));
        let moved = (first + count..LINES).map(|line| (line, line - count));
        AxisMap::new(LINES, LINES - count, kept.chain(moved))
    };
    match words[0] {
        "rows" => map.rows = axis,
        _ => map.cols = axis,
    }
}
