//! The new workbook from the old one and a report.

use super::{Books, strs, table, xlsx};

/// Makes the new workbook and compares it with the one that is there.
#[track_caller]
fn comes_back(books: &Books, format: &str) {
    let ran = books.diff(&["--format", format, "-o", "report"]);
    assert!(ran.code < 2, "{}", ran.err);
    let ran = books.run(&["replay", "old.xlsx", "report", "-o", "made.xlsx"]);
    assert_eq!((ran.code, ran.text(), &ran.err[..]), (0, "", ""));
    let same = books.run(&["diff", "--only", "cells", "new.xlsx", "made.xlsx"]);
    assert_eq!((same.code, same.text()), (0, ""));
}

#[test]
fn reports_replay_as_json_and_as_json_lines() {
    let old = table(0..40);
    let mut new = old.clone();
    new[5..30].rotate_left(7);
    new.remove(20);
    new[12] = new[12].replace('|', "|x");
    let formulas = |rows: &[String]| -> Vec<String> {
        let with = |(i, row): (usize, &String)| format!("{row}|=C{}*2", i + 1);
        rows.iter().enumerate().map(with).collect()
    };
    let (old, new) = (formulas(&old), formulas(&new));
    for books in [Books::prices(), Books::of(&strs(&old), &strs(&new))] {
        for format in ["json", "jsonl"] {
            comes_back(&books, format);
        }
    }
}

#[test]
fn a_report_may_come_by_a_pipe() {
    let books = Books::prices();
    let report = books.diff(&["--format", "jsonl"]).out;
    let ran = books.run_with(&["replay", "old.xlsx", "-", "-o", "made.xlsx"], &report);
    assert_eq!((ran.code, &ran.err[..]), (0, ""));
    assert_eq!(
        books
            .run(&["diff", "--only", "cells", "new.xlsx", "made.xlsx"])
            .code,
        0
    );
}

#[test]
fn a_report_on_another_workbook_is_refused() {
    let books = Books::prices();
    books.diff(&["--format", "json", "-o", "report"]);
    books
        .run(&["replay", "new.xlsx", "report", "-o", "made.xlsx"])
        .is_trouble("report: says sheet \"Data\" has 20 rows and 8 columns");
    let other = Books::of(&["a|b", "1|2"], &["a|b", "1|3"]);
    other.diff(&["--format", "json", "-o", "report"]);
    other
        .0
        .write("old.xlsx", xlsx(&[("Data", &["a|b", "1|9"])]));
    other
        .run(&["replay", "old.xlsx", "report", "-o", "made.xlsx"])
        .is_trouble("report: says what B2 held, which does not match old.xlsx");
    other
        .0
        .write("old.xlsx", xlsx(&[("Else", &["a|b", "1|2"])]));
    other
        .run(&["replay", "old.xlsx", "report", "-o", "made.xlsx"])
        .is_trouble("report: says there is a sheet \"Data\"");
    assert!(!other.0.path("made.xlsx").exists());
}

#[test]
fn what_is_no_report_is_refused() {
    let books = Books::prices();
    for report in [
        "",
        "{",
        "[]",
        "nonsense",
        "{\"schema\":\"mvdiff.workbook/1\"}",
    ] {
        books.0.write("report", report);
        books
            .run(&["replay", "old.xlsx", "report", "-o", "made.xlsx"])
            .is_trouble("report: is not a report");
    }
    books.0.write("report", "{\"schema\":\"mvdiff.tree/1\"}");
    books
        .run(&["replay", "old.xlsx", "report", "-o", "made.xlsx"])
        .is_trouble("report: is a report of schema mvdiff.tree/1");
    let cut = books.diff(&["--format", "jsonl"]).out;
    books.0.write("report", &cut[..cut.len() - 20]);
    books
        .run(&["replay", "old.xlsx", "report", "-o", "made.xlsx"])
        .is_trouble("report: is not a report");
    assert!(!books.0.path("made.xlsx").exists());
}

#[test]
fn misuse_is_told() {
    let books = Books::prices();
    books.diff(&["--format", "json", "-o", "report"]);
    books
        .run(&["replay", "old.xlsx", "report"])
        .is_trouble("give -o NEW");
    books
        .run(&["replay", "old.xlsx", "report", "-o", "made.ods"])
        .is_trouble("made.ods: the output is .xlsx");
    books
        .run(&["replay", "--old", ".", "--out", "x", "report"])
        .is_trouble("is a report on a workbook");
    books
        .run(&["replay", "--old", ".", "--out", "x", "old.xlsx", "report"])
        .is_trouble("replay: ");
}

#[test]
fn a_replayed_workbook_keeps_what_the_report_does_not_name() {
    use rust_xlsxwriter::{Chart, ChartType, Format, Note, Workbook};
    let book = |price: f64, comment: &str| {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        let money = Format::new().set_num_format("#,##0.00 [$EUR]").set_bold();
        for row in 0..5 {
            let amount = f64::from(row) * 10.0;
            sheet
                .write_number_with_format(row, 0, amount, &money)
                .unwrap();
        }
        sheet.write_number_with_format(0, 1, price, &money).unwrap();
        let mut chart = Chart::new(ChartType::Column);
        chart.add_series().set_values("Sheet1!$A$1:$A$5");
        sheet.insert_chart(6, 0, &chart).unwrap();
        if !comment.is_empty() {
            sheet.insert_note(2, 0, &Note::new(comment)).unwrap();
        }
        book.save_to_buffer().unwrap()
    };
    let books = Books::new(&[
        ("old.xlsx", &book(1.5, "")),
        ("new.xlsx", &book(2.5, "look here")),
    ]);
    books.diff(&["--format", "json", "-o", "report"]);
    let ran = books.run(&["replay", "old.xlsx", "report", "-o", "made.xlsx"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let same = books.run(&["diff", "made.xlsx", "new.xlsx"]);
    assert_eq!(same.code, 0, "{}{}", same.text(), same.err);
}
