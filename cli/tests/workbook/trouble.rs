//! What cannot be compared is said in one line.

use super::{Books, xlsx};

#[test]
fn files_that_are_no_workbooks_are_called_what_they_are() {
    let good = xlsx(&[("Data", &["a|b"])]);
    for (bytes, says) in [
        (&b""[..], "the file is empty"),
        (b"<html><table></table></html>", "a web page"),
        (b"a,b\n1,2\n", "plain text"),
        (b"%PDF-1.7", "a PDF"),
        (&good[..good.len() / 2], "the archive is damaged"),
        (b"PK\x03\x04 nothing else", "archive"),
    ] {
        let books = Books::new(&[("bad.xlsx", bytes), ("good.xlsx", &good)]);
        for pair in [["bad.xlsx", "good.xlsx"], ["good.xlsx", "bad.xlsx"]] {
            let ran = books.run(&["diff", pair[0], pair[1]]);
            ran.is_trouble("mvdiff: bad.xlsx: ");
            assert_eq!(ran.err.matches(says).count(), 1, "{}", ran.err);
        }
    }
}

#[test]
fn a_workbook_and_a_text_are_not_compared_unless_asked() {
    let good = xlsx(&[("Data", &["a|b"])]);
    let books = Books::new(&[("good.xlsx", &good), ("notes.txt", b"a,b\n")]);
    for pair in [["good.xlsx", "notes.txt"], ["notes.txt", "good.xlsx"]] {
        let ran = books.run(&["diff", pair[0], pair[1]]);
        ran.is_trouble("mvdiff: notes.txt: is not a workbook, and good.xlsx is;");
    }
}

#[test]
fn files_that_cannot_be_read() {
    let good = xlsx(&[("Data", &["a|b"])]);
    let books = Books::new(&[("good.xlsx", &good), ("dir.xlsx/file", b"")]);
    books
        .run(&["diff", "nowhere.xlsx", "good.xlsx"])
        .is_trouble("nowhere.xlsx: cannot read");
    books
        .run(&["diff", "good.xlsx", "dir.xlsx"])
        .is_trouble("dir.xlsx: is a directory");
    books
        .run(&["diff", "-", "-"])
        .is_trouble("only one of the two files");
}

#[test]
fn trouble_leaves_the_output_file_alone() {
    let good = xlsx(&[("Data", &["a|b"])]);
    let books = Books::new(&[("good.xlsx", &good), ("bad.xlsx", b"x"), ("out", b"before")]);
    books
        .run(&["diff", "-o", "out", "good.xlsx", "bad.xlsx"])
        .is_trouble("bad.xlsx");
    assert_eq!(std::fs::read(books.0.path("out")).unwrap(), b"before");
}

#[test]
fn help_has_examples() {
    let books = Books::new(&[]);
    for command in [
        &["diff"][..],
        &["replay"],
        &["textconv"],
        &["git", "install"],
    ] {
        let ran = books.run(&[command, &["--help"]].concat());
        assert_eq!(ran.code, 0);
        assert!(ran.text().contains("Examples:\n"), "{}", ran.text());
    }
}
