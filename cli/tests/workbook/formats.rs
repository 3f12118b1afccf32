//! What is printed.

use super::{Books, strs, table, xlsx};

#[test]
fn a_terminal_gets_what_a_person_would_write() {
    let ran = Books::prices().diff(&["--format", "terminal"]);
    let expected = "\
Sheet Data   20 × 8 → 21 × 8
  moved    rows 5-8 → 13-16                     (4 rows, 31 of 32 cells unchanged)
  edited   C14   42 → 43                        was C6, price, 1005
  added    row 7   1010 │ cedar │ 12.5 │ 130 │ m │ Hollin │ 2026-03-09 │ =C7*D7
  formulas 16 followed their cells, 0 changed
Sheet Notes   renamed from Remarks, unchanged

1 move, 1 edit, 1 row added in 1 sheet; 1 sheet renamed.
";
    assert_eq!((ran.code, ran.text(), &ran.err[..]), (1, expected, ""));
}

#[test]
fn text_has_a_line_for_each_thing_and_is_the_default_in_a_pipe() {
    let books = Books::prices();
    let ran = books.diff(&[]);
    let expected = "\
# Data: 20 x 8 -> 21 x 8: 1 move, 1 edit, 1 row added; 16 formulas followed
Data!7:7\trow added\tA:1010 B:\"cedar\" C:12.5 D:130 E:\"m\" F:\"Hollin\" G:2026-03-09 H:=C7*D7
Data!13:16\trows moved\twas 5:8\t0.9687
Data!C14\tedited\t42 -> 43\twas C6\t(price, 1005)
# Notes: 2 x 1: 1 sheet renamed
Notes!\tsheet renamed\twas Remarks
";
    assert_eq!((ran.code, ran.text(), &ran.err[..]), (1, expected, ""));
    assert_eq!(books.diff(&["--format", "text"]).text(), expected);
}

#[test]
fn nothing_is_printed_of_files_that_are_the_same() {
    let rows = ["a|b", "1|=A2+1"];
    let books = Books::of(&rows, &rows);
    for format in ["terminal", "text"] {
        let ran = books.diff(&["--format", format]);
        assert_eq!((ran.code, ran.text(), &ran.err[..]), (0, "", ""));
    }
    let ran = books.diff(&["--format", "json"]);
    assert_eq!((ran.code, ran.text().contains("\"ops\":[]")), (0, true));
}

#[test]
fn json_lines_are_the_json_on_lines() {
    let books = Books::prices();
    let whole: serde_json::Value =
        serde_json::from_slice(&books.diff(&["--format", "json"]).out).unwrap();
    let ran = books.diff(&["--format", "jsonl"]);
    let mut lines = ran.text().lines().map(|line| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        value
    });
    let mut head = lines.next().unwrap();
    assert_eq!(head["schema"], "mvdiff.workbook/1");
    head["ops"] = lines.collect();
    assert_eq!((ran.code, head), (1, whole));
}

#[test]
fn types_are_told_where_values_look_alike() {
    let book = |text: bool| {
        let mut book = rust_xlsxwriter::Workbook::new();
        let sheet = book.add_worksheet();
        sheet
            .write_row(0, 0, ["id", "code", "open", "unit", "place"])
            .unwrap();
        if text {
            sheet
                .write_row(1, 0, ["a", "1", "yes", "kg", "north"])
                .unwrap();
        } else {
            sheet
                .write_row(1, 0, ["a", "", "no", "kg", "north"])
                .unwrap();
            sheet.write(1, 1, 1).unwrap();
        }
        book.save_to_buffer().unwrap()
    };
    let books = Books::new(&[("old.xlsx", &book(true)), ("new.xlsx", &book(false))]);
    let ran = books.diff(&["--format", "terminal"]);
    assert!(
        ran.text().contains("\"1\" text → 1 number"),
        "{}",
        ran.text()
    );
    assert!(ran.text().contains("yes → no  "), "{}", ran.text());
}

#[test]
fn a_flood_of_edits_is_folded_for_reading_and_listed_as_text() {
    let old = table(0..200);
    let new: Vec<String> = old
        .iter()
        .enumerate()
        .map(|(i, row)| match i {
            0 => row.clone(),
            _ => format!("{row}1"),
        })
        .collect();
    let books = Books::of(&strs(&old), &strs(&new));
    let terminal = books.diff(&["--format", "terminal"]);
    assert!(terminal.text().lines().count() < 10, "{}", terminal.text());
    assert!(
        terminal
            .text()
            .contains("… 197 more in column D, down to D201"),
        "{}",
        terminal.text()
    );
    let text = books.diff(&["--format", "text"]);
    assert_eq!(text.text().matches("\tedited\t").count(), 200);
}

#[test]
fn control_and_direction_characters_are_visible() {
    let books = Books::of(&["a|b", "c|d"], &["a|b", "c|x\u{202e}y\u{7f}"]);
    for format in ["terminal", "text"] {
        let ran = books.diff(&["--format", format]);
        assert!(
            ran.text().contains("\"x\\u{202e}y\\u{7f}\""),
            "{}",
            ran.text()
        );
    }
}

#[test]
fn a_difference_deep_in_a_long_text_is_shown() {
    let long = "lorem ipsum dolor sit amet ".repeat(40);
    let [old, new] = ["old", "new"].map(|word| format!("a|{long}{word} {long}"));
    let books = Books::of(&["h|text", &old], &["h|text", &new]);
    let ran = books.diff(&["--format", "terminal"]);
    let line = ran.text().lines().find(|l| l.contains("edited")).unwrap();
    assert!(line.contains("old") && line.contains("new"), "{line}");
    assert!(line.chars().count() < 120, "{line}");
}

#[test]
fn sheets_that_come_go_and_stay_have_a_line() {
    let sheet: &[&str] = &["only|here", "1|2"];
    let kept: &[&str] = &["stays|as", "it|is"];
    let old = xlsx(&[("Gone", sheet), ("Kept", kept)]);
    let new = xlsx(&[("Kept", kept), ("Brand new", &["x|y|z", "5|6|7", "8|9|10"])]);
    let books = Books::new(&[("old.xlsx", &old), ("new.xlsx", &new)]);
    let ran = books.diff(&["--format", "terminal"]);
    let expected = "\
Sheet Brand new   added, 9 cells
Sheet Gone   removed, 4 cells
Unchanged: Kept

1 sheet added, 1 sheet removed.
";
    assert_eq!(ran.text(), expected);
    let text = books.diff(&[]);
    assert!(
        text.text()
            .contains("\n'Brand new'!\tsheet added\tat 2\t9 cells\n")
    );
}

#[test]
fn colours_are_only_where_they_are_asked_for() {
    let books = Books::prices();
    let plain = books.diff(&["--format", "terminal"]);
    assert!(!plain.out.contains(&0x1b));
    let ran = books.run(&[
        "--color", "always", "diff", "--format", "terminal", "old.xlsx", "new.xlsx",
    ]);
    assert!(ran.out.contains(&0x1b));
    let stripped = String::from_utf8(anstream_strip(&ran.out)).unwrap();
    assert_eq!(stripped, plain.text());
}

/// Without escape codes, of which there are only those for colours.
fn anstream_strip(bytes: &[u8]) -> Vec<u8> {
    let mut left = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|b| *b == 0x1b) {
        left.extend_from_slice(&rest[..at]);
        let end = rest[at..].iter().position(|b| *b == b'm').unwrap();
        rest = &rest[at + end + 1..];
    }
    left.extend_from_slice(rest);
    left
}

#[test]
fn a_file_gets_all_of_it() {
    let books = Books::prices();
    let printed = books.diff(&["--format", "json"]);
    let ran = books.diff(&["--format", "json", "-o", "report.json"]);
    assert_eq!((ran.code, ran.text()), (1, ""));
    assert_eq!(
        std::fs::read(books.0.path("report.json")).unwrap(),
        printed.out
    );
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_trouble() {
    let old = strs(&table(0..3)).join("\n");
    let books = Books::new(&[
        ("a.csv", old.replace('|', ",").as_bytes()),
        (
            "b.csv",
            table(0..20_000).join("\n").replace('|', ",").as_bytes(),
        ),
    ]);
    let program = assert_cmd::cargo::cargo_bin!("mvdiff");
    for format in ["text", "jsonl", "json", "terminal"] {
        let command = format!(
            "'{}' diff --format {format} a.csv b.csv | head -c 1 > first; echo ${{PIPESTATUS[0]}}",
            program.display()
        );
        let output = std::process::Command::new("bash")
            .args(["-c", &command])
            .current_dir(books.0.path(""))
            .output()
            .unwrap();
        let code = String::from_utf8(output.stdout).unwrap();
        assert!(["0\n", "1\n"].contains(&&code[..]), "{format}: {code}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{format}");
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let books = Books::prices();
    for format in ["terminal", "text", "json", "jsonl"] {
        let run = || books.diff(&["--format", format]).out;
        assert_eq!(run(), run());
    }
}

#[test]
fn the_sample_workbooks_are_what_their_program_writes() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let written = super::prices::workbooks().unwrap();
    for (name, bytes) in ["prices_old.xlsx", "prices_new.xlsx"].iter().zip(written) {
        assert!(std::fs::read(root.join(name)).unwrap() == bytes, "{name}");
    }
}

#[test]
fn what_a_moved_rectangle_covered_is_told_with_it() {
    let fixture =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/grid/rect_over_data");
    let [old, new] = ["old.xlsx", "new.xlsx"].map(|n| std::fs::read(fixture.join(n)).unwrap());
    let books = Books::new(&[("old.xlsx", &old), ("new.xlsx", &new)]);
    let ran = books.diff(&["--format", "terminal"]);
    assert!(
        ran.text().contains("\n  over     12 cells that held "),
        "{}",
        ran.text()
    );
    assert!(
        ran.text()
            .ends_with("\n1 move, 12 cells overwritten in 1 sheet.\n")
    );
    // The operations stay what they are.
    assert_eq!(books.diff(&[]).text().matches("\tedited\t").count(), 12);
}
