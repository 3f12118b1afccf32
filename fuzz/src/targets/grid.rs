//! Old workbook and report are the new workbook, and the report turned round leads back.

use super::numbers;
use crate::random::Random;
use mvdiff_grid::{
    Address, Area, DiffReport, Grid, GridBuilder, Mode, Name, Options, Sheet, SheetMap, Value,
    Visibility, Workbook, apply, diff_workbooks, invert,
};
use mvdiff_render::{WorkbookView, workbook_terminal, workbook_text};

pub(crate) const SEEDS: &[&str] = &[
    "id,name,price\n1001,cedar,12.5\n1002,oak,3\n1003,elm,=C2*2\n1004,cedar,=SUM(C2:C4)\n",
    "x,x,x\nx,x,x\n1,1,1\n1,1,1\n,,\n=A1,=$A$1,=Other!B2\nx,x,x\n",
    "a\nb\nc\nd\ne\nf\ng\n1\n2\n3\n4\n",
    "TRUE,#N/A,1e300,-0,'q,\"\nopen,closed,open,closed\n1,2,3,4\n=SUM(1:2),=MAX(A:B),=total,=A1&\"B2\"\n",
];

pub(crate) fn law(input: &[u8]) {
    let random = &mut numbers(input);
    let (old, new) = two_books(input, random);
    let report = replays(&old, &new, &Options::default());
    // A page takes as long as all the rest.
    if random.one_in(8) {
        is_shown(&old, &new, &report);
    }
    let key = ["A", "B"][random.below(2)].to_owned();
    let keyed = Options::default().with(|o| o.mode = Mode::Keyed(vec![key]));
    // No sheet may reach as far as the key.
    if diff_workbooks(&old, &new, &keyed).is_ok() {
        replays(&old, &new, &keyed);
    }
    let nothing = diff_workbooks(&old, &old, &Options::default()).expect("a report");
    assert_eq!(nothing.ops, Vec::new());
}

/// Compares, there and back, also by way of JSON.
pub(super) fn replays(old: &Workbook, new: &Workbook, options: &Options) -> DiffReport {
    let report = diff_workbooks(old, new, options).expect("a report");
    let json = serde_json::to_string(&report).expect("JSON");
    let read: DiffReport = serde_json::from_str(&json).expect("its own JSON");
    assert_eq!(serde_json::to_string(&read).expect("JSON"), json);
    assert!(apply(old, &read).expect("a report of ours").same(new));
    let back = apply(new, &invert(&report)).expect("the way back");
    assert!(back.same(old), "the way back");
    for sheet in &report.sheets {
        SheetMap::new(&report, sheet).expect("a map of it");
    }
    report
}

/// Prints a report in every form.
pub(super) fn is_shown(old: &Workbook, new: &Workbook, report: &DiffReport) {
    let mut out = Vec::new();
    workbook_text(&mut out, report).expect("memory");
    workbook_terminal(&mut out, report).expect("memory");
    let view = WorkbookView::new(("old", "new"), old, new, report).expect("a view");
    view.write_html(&mut out, 1 << 20).expect("memory");
}

/// Two sheets out of the rows of an input, and a copy to which something happened.
fn two_books(input: &[u8], random: &mut Random) -> (Workbook, Workbook) {
    let mut sheets = two_sheets(input);
    let old = book(&sheets, random, 0);
    (old, another(&mut sheets, random))
}

/// A workbook out of the rows of an input, and two copies to which something happened.
pub(super) fn three_books(input: &[u8], random: &mut Random) -> [Workbook; 3] {
    let sheets = two_sheets(input);
    let base = book(&sheets, random, 0);
    let mut side = || another(&mut sheets.clone(), random);
    [base, side(), side()]
}

type Rows = Vec<Vec<String>>;

fn two_sheets(input: &[u8]) -> [Rows; 2] {
    let text = String::from_utf8_lossy(input);
    let row = |line: &str| {
        let cells = line.split([',', '\t', ';']).take(12);
        cells.map(str::to_owned).collect::<Vec<_>>()
    };
    let rows: Rows = text.lines().take(60).map(row).collect();
    let (data, other) = rows.split_at(rows.len() - rows.len() / 4);
    [data.to_vec(), other.to_vec()]
}

/// The workbook of sheets to which something happens.
fn another(sheets: &mut [Rows; 2], random: &mut Random) -> Workbook {
    for rows in &mut *sheets {
        for _ in 0..random.below(5) {
            happen(rows, random);
        }
    }
    let fate = random.below(8);
    book(sheets, random, fate)
}

fn happen(rows: &mut Rows, random: &mut Random) {
    let height = rows.len();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let first = random.below(height);
    let count = random.below(4).min(height - first);
    let (col, to_col) = (random.below(width), random.below(width));
    match random.below(8) {
        0 => drop(rows.drain(first..first + count)),
        1 => {
            let block: Vec<_> = rows.drain(first..first + count).collect();
            let to = random.below(rows.len() + 1);
            rows.splice(to..to, block);
        }
        2 => {
            let block = rows[first..first + count].to_vec();
            rows.splice(first..first, block);
        }
        3 => {
            for row in rows.iter_mut().filter(|row| row.len() > col) {
                row.remove(col);
            }
        }
        4 => {
            for (at, row) in rows.iter_mut().enumerate() {
                row.insert(col.min(row.len()), format!("new {at}"));
            }
        }
        5 => {
            for row in rows.iter_mut().filter(|row| row.len() > col.max(to_col)) {
                let cell = row.remove(col);
                row.insert(to_col, cell);
            }
        }
        6 => rows.sort(),
        _ => {
            if let Some(cell) = rows.get_mut(first).and_then(|row| row.get_mut(col)) {
                ["", "7", "x", "=B2", "TRUE"][random.below(5)].clone_into(cell);
            }
        }
    }
}

fn book(sheets: &[Rows; 2], random: &mut Random, fate: usize) -> Workbook {
    let [data, other] = sheets;
    let merge = |random: &mut Random| {
        let (row, col) = (random.below(5) as u32, random.below(4) as u32);
        Area {
            first: Address::new(row, col),
            last: Address::new(row + 1, col + random.below(2) as u32),
        }
    };
    let merges: Vec<Area> = (0..random.below(2)).map(|_| merge(random)).collect();
    let data = Sheet {
        merges,
        ..Sheet::new("Data", grid(data))
    };
    let mut other = Sheet::new("Other", grid(other));
    let mut sheets = vec![data];
    match fate {
        1 => {}
        2 => sheets.insert(0, other),
        3 => {
            "Else 'where'".clone_into(&mut other.name);
            sheets.push(other);
        }
        4 => {
            other.visibility = Visibility::Hidden;
            sheets.push(other);
        }
        _ => sheets.push(other),
    }
    let names = vec![Name {
        name: "total".to_owned(),
        sheet: None,
        refers_to: format!("Data!$A${}:$B$9", 1 + random.below(3)),
    }];
    Workbook {
        sheets,
        names,
        ..Workbook::default()
    }
}

/// Cells as someone would type them.
pub(super) fn grid(rows: &[Vec<String>]) -> Grid {
    let mut grid = GridBuilder::default();
    for (r, row) in rows.iter().enumerate() {
        for (c, cell) in row.iter().enumerate() {
            let at = Address::new(r as u32, c as u32);
            match cell.as_str() {
                "" => {}
                "TRUE" => grid.push(at, Value::Bool(true), None),
                text if text.starts_with('=') => grid.push(at, Value::Number(1.0), Some(text)),
                text => match text.parse::<f64>() {
                    Ok(number) if number.is_finite() => grid.push(at, Value::Number(number), None),
                    _ => grid.push(at, Value::Text(text), None),
                },
            }
        }
    }
    grid.finish().expect("every cell has a place of its own")
}
