//! What files are taken for.

use super::{Books, xlsx};

#[test]
fn the_content_tells_a_workbook_whatever_its_name() {
    let [old, new] = ["1", "2"].map(|n| xlsx(&[("Data", &["a|b", n])]));
    let books = Books::new(&[("old", &old), ("new.bin", &new)]);
    let ran = books.run(&["diff", "old", "new.bin"]);
    assert!(
        ran.text().contains("Data!A2\tedited\t1 -> 2"),
        "{}",
        ran.text()
    );
    let piped = books.run_with(&["diff", "-", "new.bin"], &old);
    assert_eq!(piped.text(), ran.text());
    let piped = books.run_with(&["diff", "old", "-"], &new);
    assert_eq!(piped.text(), ran.text());
}

#[test]
fn tables_are_tables_if_both_are() {
    let books = Books::new(&[
        ("a.csv", b"id,n\n1,2\n"),
        ("b.csv", b"id,n\n1,3\n"),
        ("b.tsv", b"id\tn\n1\t3\n"),
        ("b.txt", b"id,n\n1,3\n"),
    ]);
    for new in ["b.csv", "b.tsv"] {
        let ran = books.run(&["diff", "a.csv", new]);
        assert!(ran.text().contains("B2\tedited\t2 -> 3"), "{}", ran.text());
    }
    let lines = books.run(&["diff", "a.csv", "b.txt"]);
    assert!(lines.text().contains("-1,2\n+1,3\n"), "{}", lines.text());
    let lines = books.run(&["diff", "--as", "text", "a.csv", "b.csv"]);
    assert!(lines.text().contains("-1,2\n+1,3\n"), "{}", lines.text());
    let cells = books.run(&["diff", "--as", "workbook", "a.csv", "b.txt"]);
    assert!(
        cells.text().contains("B2\tedited\t2 -> 3"),
        "{}",
        cells.text()
    );
}

#[test]
fn a_workbook_and_a_table_are_compared_as_workbooks() {
    let old = xlsx(&[("Sheet1", &["id|n", "1|2"])]);
    let books = Books::new(&[("a.xlsx", &old), ("b.csv", b"id,n\n1,3\n")]);
    let ran = books.run(&["diff", "a.xlsx", "b.csv"]);
    assert!(
        ran.text().contains("Sheet1!B2\tedited\t2 -> 3"),
        "{}",
        ran.text()
    );
}

#[test]
fn options_for_the_other_kind_are_refused_by_name() {
    let books = Books::new(&[
        ("a.csv", b"a,b\n"),
        ("b.csv", b"a,c\n"),
        ("a.txt", b"a\n"),
        ("b.txt", b"b\n"),
    ]);
    for option in [
        &["--key", "a"][..],
        &["--auto-key"],
        &["--sheet", "x"],
        &["--ignore-sheet", "x"],
        &["--ignore-column", "x"],
        &["--values-only"],
        &["--cached-values"],
        &["--tolerance", "1"],
        &["--trim"],
        &["--header-row", "1"],
    ] {
        let args = [&["diff"], option, &["a.txt", "b.txt"]].concat();
        let says = format!("{}: is for workbooks", option[0]);
        books.run(&args).is_trouble(&says);
    }
    for format in ["text", "jsonl"] {
        books
            .run(&["diff", "--format", format, "a.txt", "b.txt"])
            .is_trouble("are for workbooks");
    }
    books
        .run(&["diff", "-U1", "a.csv", "b.csv"])
        .is_trouble("--unified: is for text files");
    books
        .run(&["diff", "--copies", "a.csv", "b.csv"])
        .is_trouble("--copies: is for text files");
    books
        .run(&["diff", "--format", "unified", "a.csv", "b.csv"])
        .is_trouble("--format unified: is for text files");
}
