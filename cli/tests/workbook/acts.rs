//! What was done to many cells in one way is one operation, and one line.

use super::schema::check;
use super::{Books, strs, xlsx};
use serde_json::Value;

/// The kinds of acts in the JSON, which has every operation beside them.
fn acts(books: &Books, args: &[&str]) -> Vec<String> {
    assert!(!check(books, args).is_empty());
    let ran = books.diff(&[args, &["--format", "json"]].concat());
    let report: Value = serde_json::from_slice(&ran.out).unwrap();
    let acts = report["acts"].as_array().into_iter().flatten();
    acts.map(|act| act["kind"].as_str().unwrap().to_owned())
        .collect()
}

/// Id, name, state and price of some goods.
fn goods() -> Vec<String> {
    let names = ["amber", "basalt", "cedar", "dune", "ebony"];
    let states = ["open", "closed", "late"];
    let row = |i: usize| {
        let price = 10.5 + 3.25 * ((i * i % 13) as f64) + i as f64;
        let (name, state) = (names[i % 5], states[i * 7 % 3]);
        format!("{}|{name} colour {i}|{state}|{price}", 1001 + i)
    };
    let head = "Id|Name|State|Price".to_owned();
    [head].into_iter().chain((0..24).map(row)).collect()
}

fn mapped(change: impl Fn(&str) -> String) -> Vec<String> {
    let goods = goods();
    let rest = goods[1..].iter().map(|row| change(row));
    [goods[0].clone()].into_iter().chain(rest).collect()
}

#[test]
fn acts_are_by_the_schema() {
    let cells = |row: &str| -> Vec<String> { row.split('|').map(str::to_owned).collect() };
    let scaled = mapped(|row| {
        let mut cells = cells(row);
        let price: f64 = cells[3].parse().unwrap();
        cells[3] = (price * 1000.0).to_string();
        cells.join("|")
    });
    let numbered = mapped(|row| {
        let mut cells = cells(row);
        let id: u32 = cells[0].parse().unwrap();
        cells[0] = (id + 4000).to_string();
        cells.join("|")
    });
    let replaced = mapped(|row| row.replace("colour", "color"));
    let mut filtered = goods();
    filtered.retain(|row| !row.contains("closed"));
    for (new, kind) in [
        (scaled, "RangeScaled"),
        (numbered, "Renumbered"),
        (replaced, "ValuesReplaced"),
        (filtered, "RowsFiltered"),
    ] {
        let books = Books::of(&strs(&goods()), &strs(&new));
        assert_eq!(acts(&books, &[]), [kind]);
        assert!(acts(&books, &["--no-acts"]).is_empty(), "{kind}");
        assert_eq!(check(&books, &[]), check(&books, &["--no-acts"]), "{kind}");
    }
}

#[test]
fn acts_between_sheets_are_by_the_schema() {
    let goods = goods();
    let rows = strs(&goods);
    let remarks: &[&str] = &["Remarks on the goods", "none so far"];
    let old = xlsx(&[("Data", &rows[..]), ("Notes", remarks)]);
    let left: Vec<&str> = [&rows[..6], &rows[11..]].concat();
    let more: Vec<&str> = [remarks, &rows[6..11]].concat();
    let moved = xlsx(&[("Data", &left[..]), ("Notes", &more[..])]);
    let copied = xlsx(&[("Data", &rows[..]), ("Notes", remarks), ("Copy", &rows[..])]);
    for (new, kind) in [(moved, "BlockMovedAcross"), (copied, "SheetCopied")] {
        let books = Books::new(&[("old.xlsx", &old), ("new.xlsx", &new)]);
        assert_eq!(acts(&books, &[]), [kind]);
        let report = books.run(&["diff", "--format", "json", "old.xlsx", "new.xlsx"]);
        let args = ["replay", "old.xlsx", "-", "-o", "again.xlsx"];
        let ran = books.run_with(&args, &report.out);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let ran = books.run(&["diff", "--only", "cells", "again.xlsx", "new.xlsx"]);
        assert_eq!((ran.code, ran.text()), (0, ""), "{kind}");
    }
}

#[test]
fn an_act_is_one_line_on_a_terminal() {
    let new = mapped(|row| row.replace("colour", "color"));
    let ran = Books::of(&strs(&goods()), &strs(&new)).diff(&["--format", "terminal"]);
    let expected = "\
Sheet Data   25 × 4
  replaced B2:B25 Name                          colour → color (24 cells)

1 replacement in 1 sheet.
";
    assert_eq!((ran.code, ran.text()), (1, expected));
}
