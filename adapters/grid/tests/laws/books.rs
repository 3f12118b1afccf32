//! Random workbooks, and random things that happen to them, many at once.

use mvdiff_grid::{
    Address, Area, DiffReport, Grid, GridBuilder, Name, Sheet, Value, Visibility, Workbook,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// An old workbook and a new one.
#[derive(Clone)]
pub struct Pair {
    pub old: Workbook,
    pub new: Workbook,
}

impl std::fmt::Debug for Pair {
    /// One line a cell: the model itself prints as pages of memory.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (side, book) in [("old", &self.old), ("new", &self.new)] {
            for ((sheet, at), cell) in cells(book) {
                writeln!(f, "{side} {sheet}!{at} {cell}")?;
            }
        }
        Ok(())
    }
}

fn cells(book: &Workbook) -> BTreeMap<(String, Address), String> {
    let of_sheet = |sheet: &Sheet| {
        let name = sheet.name.clone();
        let cells = sheet.grid().into_iter().flat_map(Grid::cells);
        let print = |cell: mvdiff_grid::Cell<'_>| {
            let text = format!("{:?} {:?}", cell.value, cell.formula);
            ((name.clone(), cell.address), text)
        };
        cells.map(print).collect::<Vec<_>>()
    };
    book.sheets.iter().flat_map(of_sheet).collect()
}

/// What is in a cell: few values, so that repeats and ties are common, some
/// that are rare, and formulas.
#[derive(Clone, Debug, PartialEq)]
enum Content {
    Common(u8),
    Rare(u32),
    Number(u8),
    Formula(String),
}

type Rows = Vec<Vec<Option<Content>>>;

/// One thing that happens to a sheet.
#[derive(Clone, Debug)]
enum Change {
    MoveRows(usize, usize, usize),
    MoveCols(usize, usize, usize),
    InsertRow(usize),
    InsertCol(usize),
    RemoveRow(usize),
    RemoveCol(usize),
    Edit(usize, usize, Option<Content>),
    MoveRect([usize; 6]),
    SwapRows(usize, usize),
}

fn formula() -> impl Strategy<Value = String> {
    let cell = (0..6u32, 1..8u32, 0..4u8).prop_map(|(col, row, fixed)| {
        let mark = |on: bool| if on { "$" } else { "" };
        let col = mvdiff_grid::column_name(col);
        format!("{}{col}{}{row}", mark(fixed & 1 > 0), mark(fixed & 2 > 0))
    });
    let cell = cell.boxed();
    prop_oneof![
        cell.clone().prop_map(|a| format!("={a}+1")),
        (cell.clone(), cell.clone()).prop_map(|(a, b)| format!("=SUM({a}:{b})")),
        cell.clone().prop_map(|a| format!("=Other!{a}*2")),
        (1..8u32, 1..8u32).prop_map(|(a, b)| format!("=SUM({a}:{b})")),
        (0..6u32, 0..6u32).prop_map(|(a, b)| format!(
            "=MAX({}:{})",
            mvdiff_grid::column_name(a),
            mvdiff_grid::column_name(b)
        )),
        cell.prop_map(|a| format!("='My ''Own'''!{a}&\"A1\"")),
    ]
}

fn content() -> impl Strategy<Value = Content> {
    prop_oneof![
        3 => (0..4u8).prop_map(Content::Common),
        4 => any::<u32>().prop_map(Content::Rare),
        2 => (0..5u8).prop_map(Content::Number),
        1 => formula().prop_map(Content::Formula),
    ]
}

fn rows() -> impl Strategy<Value = Rows> {
    (1..7usize, 0..12usize).prop_flat_map(|(cols, rows)| {
        let cell = prop::option::weighted(0.85, content());
        prop::collection::vec(prop::collection::vec(cell, cols), rows)
    })
}

fn change() -> impl Strategy<Value = Change> {
    let n = 0..12usize;
    let three = (n.clone(), 1..4usize, n.clone()).boxed();
    prop_oneof![
        three
            .clone()
            .prop_map(|(a, b, c)| Change::MoveRows(a, b, c)),
        three.prop_map(|(a, b, c)| Change::MoveCols(a, b, c)),
        n.clone().prop_map(Change::InsertRow),
        n.clone().prop_map(Change::InsertCol),
        n.clone().prop_map(Change::RemoveRow),
        n.clone().prop_map(Change::RemoveCol),
        (n.clone(), n.clone(), prop::option::of(content()))
            .prop_map(|(a, b, c)| Change::Edit(a, b, c)),
        [n.clone(), n.clone(), 1..4, 1..4, n.clone(), n.clone()].prop_map(Change::MoveRect),
        (n.clone(), n).prop_map(|(a, b)| Change::SwapRows(a, b)),
    ]
}

fn happen(rows: &mut Rows, change: &Change) {
    let height = rows.len();
    let width = rows.first().map_or(0, Vec::len);
    let within = |at: usize, len: usize| if len == 0 { 0 } else { at % len };
    match change {
        Change::MoveRows(from, count, to) if height > 0 => {
            let from = within(*from, height);
            let block: Vec<_> = rows.drain(from..(from + count).min(height)).collect();
            let to = within(*to, rows.len() + 1);
            rows.splice(to..to, block);
        }
        Change::MoveCols(from, count, to) if width > 0 => {
            let from = within(*from, width);
            for row in rows.iter_mut() {
                let block: Vec<_> = row.drain(from..(from + count).min(width)).collect();
                let to = within(*to, row.len() + 1);
                row.splice(to..to, block);
            }
        }
        Change::InsertRow(at) => {
            let row = (0..width).map(|i| Some(Content::Rare((at * 31 + i) as u32)));
            rows.insert(within(*at, height + 1), row.collect());
        }
        Change::InsertCol(at) => {
            for (i, row) in rows.iter_mut().enumerate() {
                row.insert(
                    within(*at, width + 1),
                    Some(Content::Rare((at * 77 + i) as u32)),
                );
            }
        }
        Change::RemoveRow(at) if height > 0 => {
            rows.remove(within(*at, height));
        }
        Change::RemoveCol(at) if width > 0 => {
            for row in rows.iter_mut() {
                row.remove(within(*at, width));
            }
        }
        Change::Edit(row, col, to) if height > 0 && width > 0 => {
            rows[within(*row, height)][within(*col, width)].clone_from(to);
        }
        Change::MoveRect([r, c, h, w, to_r, to_c]) if height > 0 && width > 0 => {
            let (r, c) = (within(*r, height), within(*c, width));
            let (h, w) = ((*h).min(height - r), (*w).min(width - c));
            let (to_r, to_c) = (to_r % 14, to_c % 9);
            let block: Vec<Vec<_>> = (r..r + h)
                .map(|row| (c..c + w).map(|col| rows[row][col].take()).collect())
                .collect();
            let wide = width.max(to_c + w);
            for row in rows.iter_mut() {
                row.resize(wide, None);
            }
            if rows.len() < to_r + h {
                rows.resize(to_r + h, vec![None; wide]);
            }
            for (i, line) in block.into_iter().enumerate() {
                for (j, cell) in line.into_iter().enumerate() {
                    rows[to_r + i][to_c + j] = cell;
                }
            }
        }
        Change::SwapRows(a, b) if height > 0 => rows.swap(within(*a, height), within(*b, height)),
        _ => {}
    }
}

fn grid(rows: &Rows) -> Grid {
    let mut grid = GridBuilder::default();
    for (r, row) in rows.iter().enumerate() {
        for (c, cell) in row.iter().enumerate() {
            let at = Address::new(r as u32, c as u32);
            match cell {
                None => {}
                Some(Content::Common(n)) => {
                    let text = ["open", "closed", "", "x"][*n as usize % 4];
                    grid.push(at, Value::Text(text), None);
                }
                Some(Content::Rare(n)) => grid.push(at, Value::Text(&format!("item {n}")), None),
                Some(Content::Number(n)) => grid.push(at, Value::Number(f64::from(*n)), None),
                Some(Content::Formula(text)) => grid.push(at, Value::Number(1.0), Some(text)),
            }
        }
    }
    grid.finish().expect("every cell has a place of its own")
}

fn sheet(name: &str, rows: &Rows, hidden: bool, merge: Option<(u32, u32)>) -> Sheet {
    let area = |(row, col)| Area {
        first: Address::new(row, col),
        last: Address::new(row + 1, col + 1),
    };
    Sheet {
        visibility: if hidden {
            Visibility::Hidden
        } else {
            Visibility::Visible
        },
        merges: merge.map(area).into_iter().collect(),
        ..Sheet::new(name, grid(rows))
    }
}

fn book(sheets: Vec<Sheet>, name: &str) -> Workbook {
    let names = vec![Name {
        name: "total".to_owned(),
        sheet: None,
        refers_to: name.to_owned(),
    }];
    Workbook {
        sheets,
        names,
        ..Workbook::default()
    }
}

/// A pair of which the second sheet is moved, renamed, hidden, removed or changed
/// beside all that happens in the first.
pub fn pair() -> impl Strategy<Value = Pair> {
    let changes = || prop::collection::vec(change(), 0..7);
    let merge = || prop::option::of((0..5u32, 0..4u32));
    let first = (rows(), changes(), merge(), merge());
    let second = (rows(), changes(), 0..6u8);
    (first, second, formula(), any::<bool>()).prop_map(|(first, second, name, same_name)| {
        let (rows, changes, old_merge, new_merge) = first;
        let (others, other_changes, fate) = second;
        let mut new_rows = rows.clone();
        for change in &changes {
            happen(&mut new_rows, change);
        }
        let mut new_others = others.clone();
        for change in &other_changes {
            happen(&mut new_others, change);
        }
        let refers = |sheet: &str| format!("{sheet}!$A$2:$B$4");
        let old = book(
            vec![
                sheet("Data", &rows, false, old_merge),
                sheet("Other", &others, false, None),
                sheet("My 'Own'", &Rows::new(), false, None),
            ],
            &refers("Data"),
        );
        let data = sheet("Data", &new_rows, false, new_merge);
        let own = sheet("My 'Own'", &Rows::new(), fate == 1, None);
        let other = |name: &str| sheet(name, &new_others, false, None);
        let sheets = match fate {
            0 => vec![own, data, other("Other")],
            2 => vec![data, own],
            3 => vec![data, other("Else"), own],
            4 => vec![other("Other"), sheet("New", &rows, true, None), own, data],
            _ => vec![data, other("Other"), own],
        };
        let refers = if same_name {
            refers("Data")
        } else {
            name.trim_start_matches('=').to_owned()
        };
        let new = book(sheets, &refers);
        Pair { old, new }
    })
}

/// Two versions of a workbook that come from one: many things happen to the first sheet on
/// either side, and some to the second.
#[derive(Clone)]
pub struct Triple {
    pub base: Workbook,
    pub ours: Workbook,
    pub theirs: Workbook,
}

impl std::fmt::Debug for Triple {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sides = [
            ("base", &self.base),
            ("ours", &self.ours),
            ("theirs", &self.theirs),
        ];
        for (side, book) in sides {
            for ((sheet, at), cell) in cells(book) {
                writeln!(f, "{side} {sheet}!{at} {cell}")?;
            }
        }
        Ok(())
    }
}

/// Changes of one side: of the first sheet, of the second, and what became of the sheets.
type Doings = (Vec<Change>, Vec<Change>, u8, Option<(u32, u32)>, bool);

fn doings(most: usize) -> impl Strategy<Value = Doings> {
    let changes = |most: usize| prop::collection::vec(change(), 0..most);
    let merge = prop::option::weighted(0.3, (0..5u32, 0..4u32));
    (changes(most), changes(3), 0..9u8, merge, any::<bool>())
}

/// Every rare value of a side is its own: `item 5` becomes `item 5 of ours`.
fn signed(changes: &[Change], side: u32) -> Vec<Change> {
    let change = |change: &Change| match change {
        Change::Edit(row, col, Some(Content::Rare(n))) => {
            Change::Edit(*row, *col, Some(Content::Rare((n % 1000) * 10 + side)))
        }
        Change::InsertRow(at) => Change::InsertRow(at + 1000 * side as usize),
        Change::InsertCol(at) => Change::InsertCol(at + 1000 * side as usize),
        other => other.clone(),
    };
    changes.iter().map(change).collect()
}

/// A base and what both sides made of it.
pub fn triple() -> impl Strategy<Value = Triple> {
    let parts = (rows(), rows(), prop::option::of((0..5u32, 0..4u32)));
    (parts, doings(6), doings(6), any::<bool>()).prop_map(|(parts, ours, theirs, alike)| {
        let (rows, others, merge) = parts;
        let refers = "Data!$A$2:$B$4";
        let base = book(
            vec![
                sheet("Data", &rows, false, merge),
                sheet("Other", &others, false, None),
                sheet("My 'Own'", &Rows::new(), false, None),
            ],
            refers,
        );
        let make = |(changes, other_changes, fate, new_merge, stays): &Doings, side: u32| {
            let (mut rows, mut others) = (rows.clone(), others.clone());
            for change in signed(changes, side) {
                happen(&mut rows, &change);
            }
            for change in signed(other_changes, side) {
                happen(&mut others, &change);
            }
            let data = sheet(
                "Data",
                &rows,
                false,
                if *stays { merge } else { *new_merge },
            );
            let own = sheet("My 'Own'", &Rows::new(), *fate == 1, None);
            let other = |name: &str| sheet(name, &others, false, None);
            let sheets = match fate {
                0 => vec![own, data, other("Other")],
                2 => vec![data, own],
                3 => vec![data, other("Else"), own],
                4 => vec![other("Other"), sheet("New", &rows, true, None), own, data],
                5 if side == 2 => vec![data, other("Again"), own],
                _ => vec![data, other("Other"), own],
            };
            let name = if fate % 2 == 0 { refers } else { "Data!$C$1" };
            book(sheets, name)
        };
        let mine = make(&ours, 1);
        // Some do the same on both sides.
        let other = if alike {
            let (changes, rest) = (ours.0.iter().chain(&theirs.0).cloned().collect(), theirs);
            make(&(changes, rest.1, rest.2, rest.3, rest.4), 1)
        } else {
            make(&theirs, 2)
        };
        Triple {
            base,
            ours: mine,
            theirs: other,
        }
    })
}

/// The rare values of a workbook, and how often each is there.
pub fn rare(book: &Workbook) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for sheet in &book.sheets {
        for cell in sheet.grid().into_iter().flat_map(Grid::cells) {
            if let (Value::Text(text), None) = (cell.value, cell.formula)
                && text.starts_with("item ")
            {
                *counts.entry(text.to_owned()).or_default() += 1;
            }
        }
    }
    counts
}

/// Where the rare values of a workbook are; of one that is there more than once, the last.
pub fn places(book: &Workbook) -> BTreeMap<String, (String, Address)> {
    let mut places = BTreeMap::new();
    for sheet in &book.sheets {
        for cell in sheet.grid().into_iter().flat_map(Grid::cells) {
            if let (Value::Text(text), None) = (cell.value, cell.formula)
                && text.starts_with("item ")
            {
                places.insert(text.to_owned(), (sheet.name.clone(), cell.address));
            }
        }
    }
    places
}

/// The workbook with one more name.
pub fn with_a_name(book: &Workbook) -> Workbook {
    let mut book = book.clone();
    book.names.push(Name {
        name: "remark".to_owned(),
        sheet: None,
        refers_to: "12".to_owned(),
    });
    book
}

/// What differs, for a person who has to find out why.
pub fn difference(made: &Workbook, wanted: &Workbook, report: &DiffReport) -> String {
    let (a, b) = (cells(made), cells(wanted));
    let mut out = String::new();
    for key in a
        .keys()
        .chain(b.keys())
        .collect::<std::collections::BTreeSet<_>>()
    {
        if a.get(key) != b.get(key) {
            let _ = writeln!(
                out,
                "{}!{}: made {:?}, wanted {:?}",
                key.0,
                key.1,
                a.get(key),
                b.get(key)
            );
        }
    }
    let around = |book: &Workbook| {
        let sheet =
            |sheet: &Sheet| format!("{} {:?} {:?}", sheet.name, sheet.visibility, sheet.merges);
        let sheets: Vec<String> = book.sheets.iter().map(sheet).collect();
        format!("{sheets:?} {:?}", book.names)
    };
    let _ = writeln!(out, "made {}\nwanted {}", around(made), around(wanted));
    for op in &report.ops {
        let _ = writeln!(out, "{}", serde_json::to_string(op).unwrap_or_default());
    }
    out
}
