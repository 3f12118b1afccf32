//! What changed beside the cells, and what it does to the exit code.

use super::Books;
use rust_xlsxwriter::{Chart, ChartType, DocProperties, ExcelDateTime, Note, Workbook};

/// A workbook with a number and perhaps a comment, saved at some hour.
fn book(comment: &str, hour: u16) -> Vec<u8> {
    let mut book = Workbook::new();
    let time = ExcelDateTime::from_ymd(2026, 1, 1).unwrap();
    let time = time.and_hms(hour, 0, 0).unwrap();
    book.set_properties(&DocProperties::new().set_creation_datetime(&time));
    let sheet = book.add_worksheet().set_name("Data x").unwrap();
    sheet.write_number(0, 0, 123_456_789.123_456_79).unwrap();
    sheet.write_string(1, 1, "cedar").unwrap();
    if !comment.is_empty() {
        sheet.insert_note(1, 1, &Note::new(comment)).unwrap();
    }
    book.save_to_buffer().unwrap()
}

fn books(old: &[u8], new: &[u8]) -> Books {
    Books::new(&[("old.xlsx", old), ("new.xlsx", new)])
}

#[test]
fn a_comment_is_a_difference_with_a_place() {
    let books = books(&book("", 9), &book("please check", 9));
    for format in ["text", "terminal", "html"] {
        let ran = books.diff(&["--format", format]);
        assert_eq!(ran.code, 1, "{format}");
        assert!(
            ran.text().contains("please check"),
            "{format}: {}",
            ran.text()
        );
    }
    let ran = books.diff(&["--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&ran.out).unwrap();
    let op = &report["ops"][0];
    assert_eq!(
        (ran.code, &op["kind"], &op["addr"], &op["sheet"]),
        (1, &"CommentAdded".into(), &"B2".into(), &"Data x".into())
    );
    assert_eq!(books.diff(&["--only", "comments"]).code, 1);
    for args in [["--ignore", "comments,drawings"], ["--only", "cells"]] {
        assert_eq!(books.diff(&args).code, 0, "{args:?}");
    }
    books
        .diff(&["--ignore", "remarks"])
        .is_trouble("must be one of comments");
}

/// A workbook with a chart of so many rows, with a title, at a row.
fn charted(title: &str, last: u32, row: u32) -> Vec<u8> {
    let mut book = Workbook::new();
    let time = ExcelDateTime::from_ymd(2026, 1, 1).unwrap();
    book.set_properties(&DocProperties::new().set_creation_datetime(&time));
    let sheet = book.add_worksheet().set_name("Data").unwrap();
    for row in 0..9 {
        sheet.write_number(row, 0, f64::from(row * 7)).unwrap();
    }
    if !title.is_empty() {
        let mut chart = Chart::new(ChartType::Column);
        chart.title().set_name(title);
        chart.add_series().set_values(("Data", 0, 0, last, 0));
        sheet.insert_chart(row, 3, &chart).unwrap();
    }
    book.save_to_buffer().unwrap()
}

#[test]
fn a_chart_is_a_difference_with_a_place_and_replays() {
    let plain = charted("", 0, 0);
    let chart = charted("Sales", 5, 1);
    let other = charted("Costs", 8, 1);
    let moved = charted("Sales", 5, 4);
    let cases: [(&[u8], &[u8], &[&str]); 4] = [
        (&plain, &chart, &["chart added", "Sales", "Data!$A$1:$A$6"]),
        (&chart, &plain, &["chart removed", "Sales"]),
        (&chart, &other, &["chart changed", "Sales", "Costs", "$A$9"]),
        (&chart, &moved, &["D5:K19\tchart moved", "Sales", "D2:K16"]),
    ];
    for (old, new, words) in cases {
        let books = books(old, new);
        for format in ["text", "terminal", "html"] {
            let ran = books.diff(&["--format", format]);
            assert_eq!(ran.code, 1, "{format}");
            // Only the text has its words in this order.
            let words = words
                .iter()
                .filter(|word| format == "text" || !word.contains("chart"));
            for word in words {
                assert!(ran.text().contains(word), "{format} {word}: {}", ran.text());
            }
        }
        for args in [["--ignore", "drawings"], ["--only", "cells"]] {
            assert_eq!(books.diff(&args).code, 0, "{args:?}");
        }
        assert_eq!(books.diff(&["--only", "drawings"]).code, 1);
        books.diff(&["--format", "json", "-o", "report"]);
        let ran = books.run(&["replay", "old.xlsx", "report", "-o", "made.xlsx"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let same = books.run(&["diff", "made.xlsx", "new.xlsx"]);
        assert_eq!(same.code, 0, "{}", same.text());
    }
}

#[test]
fn what_every_save_changes_is_said_and_is_no_difference() {
    let books = books(&book("", 9), &book("", 17));
    let ran = books.diff(&[]);
    assert_eq!((ran.code, ran.text()), (0, ""));
    assert!(ran.err.contains("document properties"), "{}", ran.err);
}

#[test]
fn numbers_replay_to_the_last_bit() {
    let mut changed = Workbook::new();
    let sheet = changed.add_worksheet().set_name("Data x").unwrap();
    sheet.write_number(0, 0, 995.535_247_146_990_5).unwrap();
    let books = books(&book("", 9), &changed.save_to_buffer().unwrap());
    books.diff(&["--format", "json", "-o", "report"]);
    let ran = books.run(&["replay", "old.xlsx", "report", "-o", "made.xlsx"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines = books.run(&["textconv", "made.xlsx"]);
    assert!(
        lines.text().contains("995.535247146991"),
        "{}",
        lines.text()
    );
    let same = books.run(&["diff", "--only", "cells", "new.xlsx", "made.xlsx"]);
    assert_eq!(same.code, 0, "{}", same.text());
}

#[test]
fn a_text_in_very_many_cells_is_not_printed_without_end() {
    let mut bomb = Workbook::new();
    let sheet = bomb.add_worksheet();
    let text = "a".repeat(30_000);
    for row in 0..200 {
        sheet.write_string(row, 0, &text).unwrap();
    }
    let bomb = bomb.save_to_buffer().unwrap();
    let books = books(&bomb, &bomb);
    let ran = books.run(&["textconv", "--max-text", "100K", "old.xlsx"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.len() < 110_000, "{}", ran.out.len());
    assert!(ran.text().ends_with("--max-text lifts that\n"));
}
