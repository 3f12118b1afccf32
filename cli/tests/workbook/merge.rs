//! `mvdiff merge` on workbooks.

use super::{Books, strs, table, xlsx};
use serde_json::Value;

/// `base.xlsx`, `ours.xlsx` and `theirs.xlsx` with a sheet Data each.
fn books(base: &[&str], ours: &[&str], theirs: &[&str]) -> Books {
    let [base, ours, theirs] = [base, ours, theirs].map(|rows| xlsx(&[("Data", rows)]));
    Books::new(&[
        ("base.xlsx", &base),
        ("ours.xlsx", &ours),
        ("theirs.xlsx", &theirs),
    ])
}

const FILES: [&str; 3] = ["base.xlsx", "ours.xlsx", "theirs.xlsx"];

fn merge(books: &Books, args: &[&str]) -> (i32, Value) {
    let words = [
        &["merge", "--format", "json"],
        args,
        &FILES,
        &["-o", "out.xlsx"],
    ]
    .concat();
    let ran = books.run(&words);
    assert!(ran.code < 2, "{}", ran.err);
    (ran.code, serde_json::from_slice(&ran.out).unwrap())
}

/// The cells of a workbook, one a line, as `textconv` prints them.
fn cells(books: &Books, name: &str) -> String {
    let ran = books.run(&["textconv", name]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.text().to_owned()
}

#[track_caller]
fn makes(books: &Books, rows: &[&str]) {
    let (code, report) = merge(books, &[]);
    assert_eq!(
        (code, &report["conflicts"]),
        (0, &serde_json::json!([])),
        "{report}"
    );
    books.0.write("wanted.xlsx", xlsx(&[("Data", rows)]));
    assert_eq!(cells(books, "out.xlsx"), cells(books, "wanted.xlsx"));
}

#[test]
fn rows_and_columns_are_aligned_through_both() {
    let base = table(0..20);
    let mut ours = base.clone();
    // Ours moves rows, adds one, and edits a cell.
    let block: Vec<String> = ours.drain(3..7).collect();
    ours.splice(12..12, block);
    ours.insert(2, "1999|a new one of ours|5|6".to_owned());
    ours[18] = ours[18].replace("1016|basalt 16|115|", "1016|basalt 16|500|");
    assert!(ours[18].contains("|500|"), "{}", ours[18]);
    // Theirs edits in the rows that ours moved, removes one, and adds a column.
    let theirs: Vec<String> = (0..)
        .zip(&base)
        .filter(|(row, _)| *row != 10)
        .map(|(row, line): (u32, &String)| {
            let line = if row == 4 {
                line.replace("dolomite 3", "granite 3")
            } else {
                line.clone()
            };
            match row {
                0 => format!("{line}|unit"),
                _ => format!("{line}|kg"),
            }
        })
        .collect();
    let books = books(&strs(&base), &strs(&ours), &strs(&theirs));
    let wanted: Vec<String> = ours
        .iter()
        .filter(|line| !line.starts_with("1009|"))
        .map(|line| {
            let line = line.replace("dolomite 3", "granite 3");
            match &line[..4] {
                "id|n" => format!("{line}|unit"),
                "1999" => line,
                _ => format!("{line}|kg"),
            }
        })
        .collect();
    makes(&books, &strs(&wanted));
}

#[test]
fn formulas_follow_what_both_did() {
    let base = ["a|1", "b|2", "c|3", "d|4", "sum|=SUM(B1:B4)", "twice|=B5*2"];
    let ours = [
        "new|0",
        "a|1",
        "b|2",
        "c|3",
        "d|4",
        "sum|=SUM(B2:B5)",
        "twice|=B6*2",
    ];
    let theirs = [
        "a|1",
        "b|2",
        "middle|9",
        "c|3",
        "d|4",
        "sum|=SUM(B1:B5)",
        "twice|=B6*3",
    ];
    let wanted = [
        "new|0",
        "a|1",
        "b|2",
        "middle|9",
        "c|3",
        "d|4",
        "sum|=SUM(B2:B6)",
        "twice|=B7*3",
    ];
    makes(&books(&base, &ours, &theirs), &wanted);
}

#[test]
fn both_edited_a_cell() {
    let rows = |stock: &str, price: &str| {
        let mut rows = table(0..6);
        rows[3] = format!("1002|cedar 2|{stock}|{price}");
        rows
    };
    let (base, ours, theirs) = (rows("17", "4"), rows("18", "4"), rows("19", "5"));
    let books = books(&strs(&base), &strs(&ours), &strs(&theirs));
    let (code, report) = merge(&books, &[]);
    assert_eq!(code, 1);
    let conflicts = report["conflicts"].as_array().unwrap();
    assert_eq!(conflicts.len(), 1, "{report}");
    let conflict = &conflicts[0];
    assert_eq!(
        (&conflict["sheet"], &conflict["addr"]),
        (&"Data".into(), &"C4".into())
    );
    for (side, value) in [("base", 17), ("ours", 18), ("theirs", 19)] {
        assert_eq!(conflict[side]["value"], value, "{report}");
    }
    let out = cells(&books, "out.xlsx");
    assert!(
        out.contains("Data!C4\t18\n") && out.contains("Data!D4\t5\n"),
        "{out}"
    );
    assert!(out.contains("'Merge conflicts'!B2\t\"C4\"\n"), "{out}");
    // The cell is marked for choosing.
    let marks = books.run(&["diff", "--format", "json", "ours.xlsx", "out.xlsx"]);
    let report: Value = serde_json::from_slice(&marks.out).unwrap();
    let ops = report["ops"].as_array().unwrap();
    let note = ops.iter().find(|op| op["kind"] == "CommentAdded").unwrap();
    assert_eq!(note["addr"], "C4");
    let text = note["comment"]["text"].as_str().unwrap();
    assert!(text.contains("base: 17\nours: 18\ntheirs: 19"), "{text}");
    assert!(
        ops.iter()
            .any(|op| op["kind"] == "StyleChanged" && op["range"] == "C4"),
        "{report}"
    );
    // Without marks there is nothing but the merge.
    let (code, _) = merge(&books, &["--no-marks"]);
    assert_eq!(code, 1);
    let ran = books.run(&["diff", "ours.xlsx", "out.xlsx"]);
    assert!(
        !ran.text().contains("conflict") && ran.text().contains("D4"),
        "{}",
        ran.text()
    );
}

#[test]
fn an_edit_in_a_row_that_the_other_removed() {
    let base = table(0..8);
    let mut edited = base.clone();
    edited[3] = edited[3].replace("cedar 2", "larch 2");
    let mut removed = base.clone();
    removed.remove(3);
    for (ours, theirs) in [(&edited, &removed), (&removed, &edited)] {
        let books = books(&strs(&base), &strs(ours), &strs(theirs));
        let (code, report) = merge(&books, &[]);
        assert_eq!(
            (code, report["conflicts"].as_array().unwrap().len()),
            (1, 1),
            "{report}"
        );
        let conflict = &report["conflicts"][0];
        assert_eq!(
            (&conflict["addr"], &conflict["base"]["value"]),
            (&"B4".into(), &"cedar 2".into())
        );
        let gone = if ours == &removed { "ours" } else { "theirs" };
        assert!(conflict[gone].is_null(), "{report}");
        assert!(cells(&books, "out.xlsx").contains("Data!B4\t\"larch 2\"\n"));
    }
}

#[test]
fn the_same_on_both_sides_is_no_conflict() {
    let base = table(0..8);
    let mut both = base.clone();
    both[2] = both[2].replace("basalt 1", "slate 1");
    both.push("1100|new|1|2".to_owned());
    let mut theirs = both.clone();
    theirs.remove(5);
    makes(
        &books(&strs(&base), &strs(&both), &strs(&theirs)),
        &strs(&theirs),
    );
}

#[test]
fn sheets_come_go_and_are_renamed() {
    let data = table(0..6);
    let rows = strs(&data);
    let base = xlsx(&[
        ("Data", &rows),
        ("Notes", &["remember|1", "this|2"]),
        ("Old", &["gone|soon"]),
    ]);
    let ours = xlsx(&[
        ("Data", &rows),
        ("Remarks", &["remember|1", "this|2"]),
        ("Old", &["gone|soon"]),
        ("Mine", &["x|1"]),
    ]);
    let theirs = xlsx(&[
        ("Theirs", &["y|=Data!C2"]),
        ("Data", &rows),
        ("Notes", &["remember|1", "this|3"]),
    ]);
    let books = Books::new(&[
        ("base.xlsx", &base),
        ("ours.xlsx", &ours),
        ("theirs.xlsx", &theirs),
    ]);
    let (code, report) = merge(&books, &[]);
    assert_eq!(code, 0, "{report}");
    let out = cells(&books, "out.xlsx");
    for wanted in [
        "Remarks!B2\t3\n",
        "Mine!A1\t\"x\"\n",
        "Theirs!B1\t=Data!C2",
        "Data!A2\t1000\n",
    ] {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
    assert!(!out.contains("Old!") && !out.contains("Notes!"), "{out}");
}

#[test]
fn one_side_alone_is_taken_to_the_byte() {
    let (base, other) = (table(0..5), table(0..7));
    for (ours, theirs, from) in [
        (&base, &other, "theirs.xlsx"),
        (&other, &base, "ours.xlsx"),
        (&other, &other, "ours.xlsx"),
    ] {
        let books = books(&strs(&base), &strs(ours), &strs(theirs));
        assert_eq!(merge(&books, &[]).0, 0);
        let read = |name: &str| std::fs::read(books.0.path(name)).unwrap();
        assert!(read("out.xlsx") == read(from));
    }
}

#[test]
fn what_both_added_has_no_base() {
    let books = books(&["x"], &["a|1", "b|2"], &["a|1", "b|3"]);
    books.0.write("base.xlsx", b"");
    let (code, report) = merge(&books, &[]);
    assert_eq!(
        (code, &report["conflicts"][0]["addr"]),
        (1, &"B2".into()),
        "{report}"
    );
}

#[test]
fn it_says_what_happened_in_words() {
    let books = books(&["a|1", "b|2"], &["a|5", "b|2"], &["a|6", "b|7"]);
    let ran = books.run(&[&["merge"], &FILES[..], &["-o", "out.xlsx"]].concat());
    assert_eq!((ran.code, &ran.err[..]), (1, ""));
    let wanted = "out.xlsx: 2 changes (1 of ours, 1 of theirs), 1 conflict\n\
                  conflict: Data!B1: base 1, ours 5, theirs 6 (ours and theirs wrote different things)\n";
    assert_eq!(ran.text(), wanted);
    // Without a file to write to, it is the same and nothing is written.
    std::fs::remove_file(books.0.path("out.xlsx")).unwrap();
    let ran = books.run(&[&["merge"], &FILES[..]].concat());
    assert_eq!((ran.code, ran.text().contains("1 conflict")), (1, true));
    assert!(ran.err.contains("nothing was written"));
    assert!(!books.0.path("out.xlsx").exists());
}

#[test]
fn trouble_leaves_everything_as_it_was() {
    let books = books(&["a|1"], &["a|2"], &["a|3"]);
    books
        .0
        .write("bad.xlsx", b"PK\x03\x04 xl/workbook.xml and no more");
    books.0.write("out.xlsx", b"what was there");
    for args in [
        &["base.xlsx", "ours.xlsx", "bad.xlsx", "-o", "out.xlsx"][..],
        &["base.xlsx", "ours.xlsx", "missing.xlsx", "-o", "out.xlsx"],
        &["base.xlsx", "ours.xlsx", "theirs.xlsx", "-o", "out.ods"],
        &["base.xlsx", "ours.xlsx", "theirs.xlsx", "-o", "out.xlsm"],
        &[
            "--favor",
            "ours",
            "base.xlsx",
            "ours.xlsx",
            "theirs.xlsx",
            "-o",
            "out.xlsx",
        ],
    ] {
        books.run(&[&["merge"], args].concat()).is_trouble("");
        assert_eq!(
            std::fs::read(books.0.path("out.xlsx")).unwrap(),
            b"what was there"
        );
    }
}

#[test]
fn reports_are_what_the_schema_says() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../docs/schemas/merge.json");
    let schema = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let books = books(&["a|1", "b|2"], &["a|5", "b|2", "c|3"], &["a|6", "b|7"]);
    let (_, report) = merge(&books, &[]);
    let complaints: Vec<String> = validator
        .iter_errors(&report)
        .map(|e| e.to_string())
        .collect();
    assert_eq!(complaints, [""; 0], "{report}");
    for name in ["base", "ours", "theirs"] {
        books.0.write(name, format!("a\n{name}\nc\n"));
    }
    let ran = books.run(&[
        "merge", "--format", "json", "base", "ours", "theirs", "-o", "out",
    ]);
    let report: Value = serde_json::from_slice(&ran.out).unwrap();
    let complaints: Vec<String> = validator
        .iter_errors(&report)
        .map(|e| e.to_string())
        .collect();
    assert_eq!(complaints, [""; 0], "{report}");
    assert_eq!(
        report["conflicts"][0]["theirs"],
        serde_json::json!(["theirs"])
    );
}

/// A workbook with a table, a note and a width, if they are wanted.
fn noted(note: Option<&str>, width: Option<f64>) -> Vec<u8> {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    sheet.set_name("Data").unwrap();
    for (row, line) in (0..).zip(table(0..6)) {
        for (col, cell) in (0..).zip(line.split('|')) {
            super::write(sheet, row, col, cell);
        }
    }
    if let Some(text) = note {
        let note = rust_xlsxwriter::Note::new(text).add_author_prefix(false);
        sheet.insert_note(3, 2, &note).unwrap();
    }
    if let Some(width) = width {
        sheet.set_column_width(1, width).unwrap();
    }
    book.save_to_buffer().unwrap()
}

#[test]
fn what_stands_beside_the_cells_is_merged() {
    let files = |ours: &[u8], theirs: &[u8]| {
        Books::new(&[
            ("base.xlsx", &noted(None, None)),
            ("ours.xlsx", ours),
            ("theirs.xlsx", theirs),
        ])
    };
    let books = files(&noted(None, Some(30.0)), &noted(Some("count again"), None));
    let (code, report) = merge(&books, &[]);
    assert_eq!(code, 0, "{report}");
    let ran = books.run(&["diff", "base.xlsx", "out.xlsx"]);
    for wanted in ["Data!C4\tcomment added\t", "Data!column B\twidth changed\t"] {
        assert!(ran.text().contains(wanted), "{}", ran.text());
    }
    // Two notes on one cell cannot both be there.
    let books = files(&noted(Some("right"), None), &noted(Some("wrong"), None));
    let (code, report) = merge(&books, &[]);
    assert_eq!(
        (code, &report["conflicts"][0]["kind"]),
        (1, &"comment".into()),
        "{report}"
    );
    assert_eq!(report["conflicts"][0]["addr"], "C4");
}
