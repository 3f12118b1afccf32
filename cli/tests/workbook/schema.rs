//! Reports are what docs/schemas/workbook.json says they are, and nothing more.

use super::{Books, strs, table, xlsx};
use serde_json::{Value, json};

/// The published schema, closed: what is not written in it is an error here,
/// though readers of a report have to put up with it.
fn validator(name: &str) -> jsonschema::Validator {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../docs/schemas").join(name);
    let mut schema = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    close(&mut schema);
    jsonschema::validator_for(&schema).unwrap()
}

fn close(value: &mut Value) {
    if let Value::Array(values) = value {
        values.iter_mut().for_each(close);
    }
    let Value::Object(object) = value else { return };
    object.values_mut().for_each(close);
    if object.get("properties").is_some_and(Value::is_object) && object.contains_key("type") {
        object.insert("additionalProperties".into(), json!(false));
    }
}

/// Holds a report to the schema of this name.
#[track_caller]
pub(crate) fn is_valid(name: &str, report: &Value) {
    let complaints: Vec<String> = validator(name)
        .iter_errors(report)
        .map(|e| format!("{e} at {}", e.instance_path()))
        .collect();
    assert_eq!(complaints, [""; 0], "{report}");
}

#[track_caller]
pub(super) fn check(books: &Books, args: &[&str]) -> Vec<String> {
    let ran = books.diff(&[args, &["--format", "json"]].concat());
    let report: Value = serde_json::from_slice(&ran.out).unwrap();
    is_valid("workbook.json", &report);
    let kind = |op: &Value| op["kind"].as_str().unwrap().to_owned();
    let ops = report["ops"].as_array().unwrap().iter();
    let followed = report["followed"].as_array().into_iter().flatten();
    ops.chain(followed).map(kind).collect()
}

/// A pair with something of every kind of structure.
fn structured() -> Books {
    let book = |new: bool| {
        let mut book = rust_xlsxwriter::Workbook::new();
        for name in if new { ["C", "A"] } else { ["A", "B"] } {
            let sheet = book.add_worksheet();
            sheet.set_name(name).unwrap();
            sheet.write(0, 0, format!("sheet {name}")).unwrap();
            if name == "A" {
                let format = rust_xlsxwriter::Format::new();
                let last = if new { 4 } else { 2 };
                sheet.merge_range(2, 0, 2, last, "wide", &format).unwrap();
                sheet.write(6, 0, true).unwrap();
                sheet.write(7, 1, if new { 2.5 } else { 1.5 }).unwrap();
                let error = rust_xlsxwriter::Formula::new("=1/0").set_result("#DIV/0!");
                sheet.write_formula(8, 1, error).unwrap();
            }
            sheet.set_hidden(new && name == "A");
        }
        let name = if new { "Fresh" } else { "Stale" };
        book.define_name(name, "=A!$B$8").unwrap();
        let total = if new { "=A!$B$9" } else { "=A!$B$8" };
        book.define_name("Total", total).unwrap();
        book.save_to_buffer().unwrap()
    };
    Books::new(&[("old.xlsx", &book(false)), ("new.xlsx", &book(true))])
}

#[test]
fn reports_are_by_the_schema() {
    let mut seen: Vec<String> = Vec::new();
    seen.extend(check(&Books::prices(), &[]));
    seen.extend(check(&structured(), &[]));
    let old = table(0..60);
    let mut new = old.clone();
    new[10..40].rotate_left(9);
    new.remove(50);
    new.insert(3, "77|new|8|9".into());
    let books = Books::of(&strs(&old), &strs(&new));
    for args in [&[][..], &["--key", "id"], &["--auto-key"], &["--no-moves"]] {
        seen.extend(check(&books, args));
    }
    let columns: Vec<String> = old.iter().map(|row| swap_columns(row)).collect();
    seen.extend(check(&Books::of(&strs(&old), &strs(&columns)), &[]));
    let mut sorted = old.clone();
    sorted[1..].sort_by_key(|row| row.split('|').nth(1).unwrap().to_owned());
    seen.extend(check(&Books::of(&strs(&old), &strs(&sorted)), &[]));
    let mut doubled = old.clone();
    doubled.push(old[3].clone());
    seen.extend(check(
        &Books::of(&strs(&old), &strs(&doubled)),
        &["--key", "id"],
    ));
    let empty = xlsx(&[("Data", &[])]);
    let books = Books::new(&[("old.xlsx", &empty), ("new.xlsx", &empty)]);
    assert_eq!(check(&books, &[]), [""; 0]);
    seen.sort();
    seen.dedup();
    for kind in [
        "BlockMovedColumns",
        "BlockMovedRows",
        "CellEdited",
        "DuplicateKeyCluster",
        "MergeAdded",
        "MergeRemoved",
        "NameAdded",
        "NameRemoved",
        "RowAdded",
        "RowRemoved",
        "SheetAdded",
        "SheetRemoved",
        "SheetRenamed",
        "SheetVisibility",
    ] {
        assert!(
            seen.iter().any(|other| other == kind),
            "no {kind} among {seen:?}"
        );
    }
}

/// The last column first.
fn swap_columns(row: &str) -> String {
    let mut cells: Vec<&str> = row.split('|').collect();
    cells.rotate_right(1);
    cells.join("|")
}

#[test]
fn what_is_not_in_the_schema_is_seen() {
    let ran = Books::prices().diff(&["--format", "json"]);
    let mut report: Value = serde_json::from_slice(&ran.out).unwrap();
    let validator = validator("workbook.json");
    assert!(validator.is_valid(&report));
    report["ops"][1]["unheard_of"] = json!(1);
    assert!(!validator.is_valid(&report));
}
