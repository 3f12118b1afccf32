//! What is compared, and how.

use super::{Books, strs, table, xlsx};

#[test]
fn rows_are_matched_by_key() {
    let old = table(0..30);
    let mut new = old.clone();
    new[1..].reverse();
    new[4] = new[4]
        .replace("cedar", "walnut")
        .replace("elm", "walnut")
        .replace("amber", "walnut");
    new[4] = new[4]
        .replace("basalt", "walnut")
        .replace("dolomite", "walnut");
    let books = Books::of(&strs(&old), &strs(&new));
    for key in ["id", "A", "ID"] {
        assert_eq!(books.kinds(&["--key", key]), ["CellEdited"], "{key}");
    }
    assert_eq!(books.kinds(&["--auto-key"]), ["CellEdited"]);
    assert_eq!(books.kinds(&["--key", "id,stock"]), ["CellEdited"]);
    books
        .diff(&["--key", "nope"])
        .is_trouble("has no column \"nope\"");
    books
        .diff(&["--key", "id", "--auto-key"])
        .is_trouble("--auto-key");
}

#[test]
fn sheets_and_columns_are_chosen() {
    let old = xlsx(&[("One", &["a|b", "1|2"]), ("Two", &["c|d", "3|4"])]);
    let new = xlsx(&[("One", &["a|b", "1|5"]), ("Two", &["c|d", "6|4"])]);
    let books = Books::new(&[("old.xlsx", &old), ("new.xlsx", &new)]);
    let places = |args: &[&str]| -> Vec<String> {
        let place = |op: &serde_json::Value| {
            format!(
                "{}!{}",
                op["sheet"].as_str().unwrap(),
                op["addr"].as_str().unwrap()
            )
        };
        books.ops(args).iter().map(place).collect()
    };
    assert_eq!(places(&[]), ["One!B2", "Two!A2"]);
    assert_eq!(places(&["--sheet", "two"]), ["Two!A2"]);
    assert_eq!(
        places(&["--sheet", "One", "--sheet", "Two"]),
        ["One!B2", "Two!A2"]
    );
    assert_eq!(places(&["--ignore-sheet", "Two"]), ["One!B2"]);
    assert_eq!(places(&["--ignore-column", "b"]), ["Two!A2"]);
    books
        .diff(&["--sheet", "Three"])
        .is_trouble("there is no sheet \"Three\" in either workbook; the sheets are");
}

#[test]
fn equality_is_relaxed_on_request() {
    let rows = |price: &str, name: &str| format!("{price}|{name}|kg");
    let old = rows("100", "Cedar");
    let cases = [
        (rows("100.5", "Cedar"), &["--tolerance", "0.5"][..]),
        (rows("100.5", "Cedar"), &["--tolerance", "1%"]),
        (rows("100", "CEDAR"), &["--ignore-case"]),
        (rows("100", "Cedar  "), &["--trim"]),
    ];
    for (new, option) in cases {
        let books = Books::of(&["price|name|unit", &old], &["price|name|unit", &new]);
        assert_eq!(books.kinds(&[]), ["CellEdited"], "{new}");
        assert_eq!(books.kinds(option), [""; 0], "{new}");
        assert_eq!(books.diff(option).code, 0);
    }
    let books = Books::of(&["price", "100"], &["price", "101"]);
    assert_eq!(books.kinds(&["--tolerance", "0.5%"]), ["CellEdited"]);
    let tolerances = ["--tolerance", "price=0.1", "--tolerance", "2%"];
    let header = "price|weight";
    let books = Books::of(&[header, "100|100"], &[header, "101|101"]);
    assert_eq!(books.kinds(&tolerances), ["CellEdited"]);
    let books = Books::of(&[header, "100|100"], &[header, "100.1|101"]);
    assert_eq!(books.kinds(&tolerances), [""; 0]);
    assert_eq!(books.kinds(&["--tolerance", "B=1"]), ["CellEdited"]);
    for bad in ["-1", "x", "1%%", "", "=1", "price="] {
        let option = format!("--tolerance={bad}");
        books.diff(&[&option]).is_trouble("--tolerance");
    }
}

#[test]
fn files_that_are_only_packed_in_another_way_are_not_passed_over_in_silence() {
    let [file, _] = super::prices::workbooks().unwrap();
    // The time of the first part, as its own header has it.
    let mut packed = file.clone();
    assert!(packed.starts_with(b"PK\x03\x04"));
    packed[10] ^= 1;
    let books = Books::new(&[("old.xlsx", &file), ("new.xlsx", &packed)]);
    let ran = books.diff(&[]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.err.contains("only in how they are packed"),
        "{}",
        ran.err
    );
    let books = Books::new(&[("old.xlsx", &file), ("new.xlsx", &file)]);
    assert_eq!(books.diff(&[]).err, "");
}

#[test]
fn formulas_or_what_they_came_to() {
    let book = |formula: &str, result: &str| {
        let mut book = rust_xlsxwriter::Workbook::new();
        let sheet = book.add_worksheet();
        sheet.write_row(0, 0, ["a", "b"]).unwrap();
        sheet.write(1, 0, 2).unwrap();
        let formula = rust_xlsxwriter::Formula::new(formula).set_result(result);
        sheet.write_formula(1, 1, formula).unwrap();
        book.save_to_buffer().unwrap()
    };
    let of = |old: &[u8], new: &[u8]| Books::new(&[("old.xlsx", old), ("new.xlsx", new)]);
    let other_formula = of(&book("=A2*2", "4"), &book("=A2+2", "4"));
    assert_eq!(other_formula.kinds(&[]), ["CellEdited"]);
    assert_eq!(other_formula.kinds(&["--values-only"]), [""; 0]);
    let other_value = of(&book("=A2*2", "4"), &book("=A2*2", "5"));
    assert_eq!(other_value.kinds(&[]), [""; 0]);
    assert_eq!(other_value.kinds(&["--values-only"]), ["CellEdited"]);
    assert_eq!(other_value.kinds(&["--cached-values"]), ["CellEdited"]);
    let shown = other_value.diff(&["--cached-values", "--format", "terminal"]);
    assert!(shown.text().contains("=A2*2 = 4 → 5"), "{}", shown.text());
    let shown = other_value.diff(&["--cached-values"]);
    assert!(
        shown.text().contains("=A2*2 (4) -> =A2*2 (5)"),
        "{}",
        shown.text()
    );
}

#[test]
fn the_header_row_is_named_as_the_program_shows_it() {
    let old = [
        "Prices of March||",
        "id|n|price",
        "1|5|10",
        "2|5|20",
        "3|5|30",
    ];
    let new = [
        "Prices of March||",
        "id|n|price",
        "3|5|30",
        "1|5|10",
        "2|5|21",
    ];
    let books = Books::of(&old, &new);
    let args = ["--key", "id", "--header-row", "2"];
    assert_eq!(books.kinds(&args), ["CellEdited"]);
    books
        .diff(&["--header-row", "0"])
        .is_trouble("--header-row");
}

#[test]
fn moves_can_be_switched_off() {
    let old = table(0..30);
    let mut new = old.clone();
    new[5..25].rotate_left(6);
    let books = Books::of(&strs(&old), &strs(&new));
    assert_eq!(books.kinds(&[]), ["BlockMovedRows"]);
    let kinds = books.kinds(&["--no-moves"]);
    assert!(!kinds.is_empty() && kinds.iter().all(|kind| !kind.starts_with("BlockMoved")));
}

#[test]
fn limits_are_lowered_and_lifted_by_the_flags_that_the_error_names() {
    let books = Books::of(&["a|b", "1|2"], &["a|b", "1|3"]);
    for (flag, value) in [
        ("--max-entries", "3"),
        ("--max-inflated", "1K"),
        ("--max-part", "100"),
        ("--max-cells", "3"),
        ("--max-text", "1"),
    ] {
        let ran = books.diff(&[flag, value]);
        ran.is_trouble("old.xlsx: ");
        assert!(
            ran.err.contains(&format!("lift it with {flag}")),
            "{}",
            ran.err
        );
    }
    assert_eq!(
        books.diff(&["--max-cells", "4", "--max-part", "1G"]).code,
        1
    );
    books.diff(&["--max-part", "1X"]).is_trouble("--max-part");
}
