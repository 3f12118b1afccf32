//! Pages and highlighted workbooks, as they are asked for.

use super::{Books, strs, table};

fn shown(out: &[u8]) -> String {
    String::from_utf8(out.to_vec()).unwrap()
}

#[test]
fn both_are_written_to_a_file_or_a_pipe() {
    let books = Books::prices();
    for (format, begin) in [
        ("html", &b"<!DOCTYPE html>"[..]),
        ("xlsx", &b"PK\x03\x04"[..]),
    ] {
        let piped = books.diff(&["--format", format]);
        assert_eq!((piped.code, &piped.err[..]), (1, ""));
        assert!(piped.out.starts_with(begin), "{format}");
        let written = books.diff(&["--format", format, "-o", "out"]);
        assert_eq!((written.code, written.out.len()), (1, 0));
        let file = std::fs::read(books.0.path("out")).unwrap();
        assert!(file == piped.out, "{format}: the same bytes each time");
    }
}

#[test]
fn equal_workbooks_have_a_page_that_says_so() {
    let [old, _] = super::prices::workbooks().unwrap();
    let books = Books::new(&[("old.xlsx", &old), ("new.xlsx", &old)]);
    let ran = books.diff(&["--format", "html"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(shown(&ran.out).contains("No changes."));
    assert_eq!(books.diff(&["--format", "xlsx"]).code, 0);
}

#[test]
fn a_highlighted_workbook_of_texts_is_refused() {
    let books = Books::new(&[("old.txt", b"a\n"), ("new.txt", b"b\n")]);
    let ran = books.run(&["diff", "--format", "xlsx", "old.txt", "new.txt"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("xlsx"), "{}", ran.err);
    assert!(ran.err.contains("for workbooks"), "{}", ran.err);
}

#[test]
fn a_page_says_what_it_leaves_out() {
    let (old, mut new) = (table(0..2_000), table(0..2_000));
    for row in &mut new[1_000..1_400] {
        *row = row.replacen('|', "|very ", 1);
    }
    let books = Books::of(&strs(&old), &strs(&new));
    let whole = books.diff(&["--format", "html"]);
    let page = shown(&whole.out);
    assert!(page.contains("… 996 unchanged rows, left out"));
    assert!(!page.contains("the page reached its limit"));
    let less = books.diff(&["--format", "html", "--page-limit", "40K"]);
    let page = shown(&less.out);
    assert!(
        page.contains("more rows are left out: the page reached its limit; --page-limit sets it")
    );
    assert!(less.out.len() < 120_000, "{}", less.out.len());
    // No link leads to what is not there.
    let ids: std::collections::HashSet<&str> = page
        .split(" id=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    let links = page.split("href=\"#").skip(1);
    for link in links.filter_map(|rest| rest.split('"').next()) {
        assert!(ids.contains(link), "{link}");
    }
}

#[test]
fn a_wide_sheet_shows_the_columns_that_matter() {
    let row = |row: u32, edit: Option<u32>| {
        let cell = |col| {
            if Some(col) == edit {
                "edited".to_owned()
            } else {
                format!("r{row}c{col}")
            }
        };
        (0..100).map(cell).collect::<Vec<_>>().join("|")
    };
    let old: Vec<String> = (0..20).map(|at| row(at, None)).collect();
    let new: Vec<String> = (0..20).map(|at| row(at, (at == 9).then_some(70))).collect();
    let books = Books::of(&strs(&old), &strs(&new));
    let page = shown(&books.diff(&["--format", "html"]).out);
    assert!(page.contains("66 unchanged columns left out"), "{page}");
    assert!(page.contains("<ins>edited</ins>") && !page.contains("r9c50"));
}

#[test]
fn every_sheet_is_there_even_those_that_need_not_be_read() {
    // Sheets of 64 KiB that are the same in both are not read to be compared.
    let long: Vec<String> = (0..4_000).map(|at| format!("{at}|word {at}")).collect();
    let long = strs(&long);
    let [old, new] = ["1", "2"].map(|text| super::xlsx(&[("Long", &long), ("Short", &[text])]));
    let books = Books::new(&[("old.xlsx", &old), ("new.xlsx", &new)]);
    let ran = books.diff(&["--format", "xlsx", "-o", "out.xlsx"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let lines = books.run(&["textconv", "out.xlsx"]);
    let lines = shown(&lines.out);
    assert!(lines.contains("Long!B4000\t\"word 3999\""));
    let page = shown(&books.diff(&["--format", "html"]).out);
    assert!(page.contains("It is byte for byte the same in both, and was not read."));
}
