//! What the cells hold.

use super::{fixtures, highlighted, texts};
use calamine::{Data, DataType as _, Reader, Xlsx};
use mvdiff_grid::{Address, Value, Workbook, column_index};
use std::collections::HashMap;
use std::io::Cursor;

/// A sheet as it is read back: its cells by the rows and columns of the new
/// workbook, which its margins tell.
fn by_margins(bytes: &[u8], sheet: &str) -> HashMap<Address, Data> {
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(bytes)).unwrap();
    let range = book.worksheet_range(sheet).unwrap();
    let (height, width) = range.get_size();
    let column = |at: usize| -> Option<u32> {
        let head = range.get((0, at))?.as_string()?;
        let head = head.split(" (was").next()?;
        // What was removed is none of the new.
        let name = head.strip_prefix("+ ").unwrap_or(head);
        let name = name.rsplit(' ').next().filter(|_| !head.contains(" to "))?;
        (!head.starts_with("- "))
            .then(|| column_index(name))
            .flatten()
    };
    let columns: Vec<Option<u32>> = (0..width)
        .map(|at| (at > 2).then(|| column(at)).flatten())
        .collect();
    let mut cells = HashMap::new();
    for row in 1..height {
        let Some(new) = range.get((row, 2)).and_then(Data::as_i64) else {
            continue;
        };
        for (at, col) in columns.iter().enumerate() {
            let value = range.get((row, at)).cloned().unwrap_or_default();
            if let (Some(col), false) = (col, value.is_empty()) {
                let twice = cells.insert(Address::new(new as u32 - 1, *col), value);
                assert_eq!(twice, None);
            }
        }
    }
    cells
}

fn agree(is: &Data, value: Value<&str>) -> bool {
    match value {
        Value::Empty => is.is_empty(),
        Value::Number(number) => is.as_f64() == Some(number) && !is.is_datetime(),
        Value::Text(text) => matches!(is, Data::String(is) if is == text),
        Value::Bool(value) => *is == Data::Bool(value),
        Value::Date(days) | Value::Duration(days) => {
            matches!(is, Data::DateTime(is) if (is.as_f64() - days).abs() < 1e-9)
        }
        Value::Error(code) => {
            matches!(is, Data::Error(error) if format!("{error}") == code.as_str())
        }
    }
}

#[track_caller]
fn holds_all(case: &str, bytes: &[u8], new: &Workbook) {
    for sheet in &new.sheets {
        let grid = sheet.grid().unwrap();
        let mut cells = by_margins(bytes, &sheet.name);
        for cell in grid.cells() {
            let is = cells.remove(&cell.address).unwrap_or_default();
            assert!(
                agree(&is, cell.value),
                "{case}: {}!{}: {:?} is shown as {is:?}",
                sheet.name,
                cell.address,
                cell.value
            );
        }
        assert!(cells.is_empty(), "{case}: {}: {cells:?}", sheet.name);
    }
}

#[test]
fn every_sheet_of_the_new_workbook_is_there_with_its_values() {
    for (case, old, new) in fixtures() {
        let bytes = highlighted(&old, &new);
        holds_all(&case, &bytes, &new);
        let back = highlighted(&new, &old);
        holds_all(&format!("{case}, turned round"), &back, &old);
    }
}

#[test]
fn texts_stay_texts() {
    let odd = [
        "=1+1",
        "=HYPERLINK(\"http://example.com\")",
        "http://example.com",
        "mailto:a@example.com",
        "internal:'Data'!A1",
        "@SUM(A1)",
        "+1",
        "-1",
        "1e5",
        "007",
        "TRUE",
        "#N/A",
        "_x0041_",
        "a\u{7}\u{b}b",
        " blanks ",
        "{=A1}",
        "two\nlines",
        "\u{202e}turned",
    ];
    let rows: Vec<[&str; 2]> = odd.iter().map(|text| ["same", *text]).collect();
    let rows: Vec<&[&str]> = rows.iter().map(|row| &row[..]).collect();
    let (old, new) = (texts("Data", &rows[..9]), texts("Data", &rows));
    let bytes = highlighted(&old, &new);
    // calamine leaves `_x0007_` as it is; the reader of this project does not.
    let read = mvdiff_grid::read_workbook(&bytes, None, &mvdiff_grid::ReadOptions::default());
    let read = read.unwrap();
    let grid = read.sheets[1].grid().unwrap();
    for (row, text) in (1..).zip(odd) {
        let cell = grid.cell(Address::new(row, 4)).unwrap();
        assert_eq!((cell.value, cell.formula), (Value::Text(text), None));
    }
}

#[test]
fn what_was_removed_stays_where_it_stood() {
    let rows = |names: &[&'static str]| -> Vec<[&'static str; 2]> {
        names.iter().map(|name| ["cedar", *name]).collect()
    };
    let (old, new) = (
        rows(&["amber", "basalt", "copper", "dune", "elm"]),
        rows(&["amber", "basalt", "dune", "elm"]),
    );
    let book = |rows: &[[&'static str; 2]]| {
        texts("Data", &rows.iter().map(|row| &row[..]).collect::<Vec<_>>())
    };
    let bytes = highlighted(&book(&old), &book(&new));
    let mut read: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(bytes)).unwrap();
    let range = read.worksheet_range("Data").unwrap();
    let text =
        |row: usize| -> Vec<String> { (0..5).map(|col| range[(row, col)].to_string()).collect() };
    assert_eq!(text(0), ["what happened", "old row", "new row", "A", "B"]);
    assert_eq!(text(3), ["-", "3", "", "cedar", "copper"]);
    assert_eq!(text(4), ["", "4", "3", "cedar", "dune"]);
}

#[test]
fn texts_that_are_too_long_are_cut_and_that_is_said() {
    let long = "x".repeat(40_000);
    let (old, new) = (texts("Data", &[&["a"]]), texts("Data", &[&["a"], &[&long]]));
    let bytes = highlighted(&old, &new);
    let mut read: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(bytes)).unwrap();
    let changes = read.worksheet_range("Changes").unwrap();
    let told = changes.rows().any(|row| {
        row[0] == Data::String("Left out: sheet Data: 1 text is cut at 32767 characters".into())
    });
    assert!(told, "{changes:?}");
    let data = read.worksheet_range("Data").unwrap();
    assert_eq!(data[(2, 3)].to_string().len(), 32_767);
}
