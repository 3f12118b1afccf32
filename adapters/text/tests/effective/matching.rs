//! Which lines count as the same line.

use crate::{AROUND, Change, GREET, TOTAL, changes, indented, left, only};
use mvdiff_text::{Indent, Text};

#[test]
fn a_block_is_followed_from_file_to_file() {
    let change = Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND).and_file(
        "b.rs",
        GREET,
        [GREET, TOTAL].concat(),
    );
    for report in [change.report(), change.hunks_alone()] {
        let found = only(&report);
        assert_eq!(found.source_file, Text(b"a.rs".to_vec()));
        assert_eq!(found.target_file, Text(b"b.rs".to_vec()));
        assert_eq!(found.source_lines, [11, 16]);
        assert_eq!(found.target_lines, [6, 11]);
        assert_eq!(found.pairs, [[11, 6, 6]]);
        assert_eq!(left(&report), "");
        assert_eq!(report.total_lines_moved, 6);
        assert_eq!(report.total_lines_effectively_changed, 0);
    }
}

#[test]
fn a_line_edited_where_it_stands_is_no_move() {
    let new = AROUND.replace("4096", "8192");
    let report = Change::file("a.rs", AROUND, new).report();
    assert_eq!(report.moves, []);
    assert_eq!(
        changes(&report),
        [
            "-const LARGEST_ORDER: usize = 4096;",
            "+const LARGEST_ORDER: usize = 8192;"
        ]
    );
}

#[test]
fn a_block_rewritten_where_it_stands_is_no_move() {
    let new = [AROUND, &TOTAL.replace("order", "basket")].concat();
    let report = Change::file("a.rs", [AROUND, TOTAL].concat(), new).report();
    assert_eq!(report.moves, []);
    assert_eq!(report.total_lines_effectively_changed, 8);
}

#[test]
fn a_block_that_was_indented_is_the_same_block() {
    let inner = indented(TOTAL, "    ");
    let change = Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND).and_file(
        "b.rs",
        "impl Order {\n}\n",
        format!("impl Order {{\n{inner}}}\n"),
    );
    for report in [change.report(), change.hunks_alone()] {
        let found = only(&report);
        let shift = Indent {
            from: String::new(),
            to: "    ".into(),
        };
        assert_eq!(found.indent, Some(shift));
        assert_eq!(found.pairs, [[11, 2, 6]]);
        assert_eq!(found.whitespace_lines, 6);
        assert_eq!(left(&report), "");
    }
}

#[test]
fn tabs_for_spaces_are_an_indent_like_any_other() {
    let old = indented(GREET, "    ");
    let new = indented(GREET, "\t");
    let report = Change::file("a.rs", old, "")
        .and_file("b.rs", AROUND, [AROUND, &new].concat())
        .report();
    let shift = only(&report).indent.clone().unwrap();
    assert_eq!((&shift.from[..], &shift.to[..]), ("    ", "\t"));
    assert_eq!(left(&report), "");
}

#[test]
fn white_space_at_the_end_of_a_line_does_not_count() {
    let new = TOTAL.replace(";\n", "; \t\n");
    let report = Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND)
        .and_file("b.rs", GREET, [GREET, &new].concat())
        .report();
    assert_eq!(only(&report).matched_lines, 6);
    assert_eq!(only(&report).whitespace_lines, 3);
    assert_eq!(left(&report), "");
}

#[test]
fn line_ends_of_another_system_are_white_space_too() {
    let new = TOTAL.replace('\n', "\r\n");
    let report = Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND)
        .and_file("b.rs", "\r\n", format!("\r\n{new}"))
        .report();
    assert_eq!(only(&report).matched_lines, 6);
    assert_eq!(only(&report).whitespace_lines, 6);
    assert_eq!(left(&report), "");
}

#[test]
fn white_space_inside_a_line_counts() {
    let new = TOTAL.replace("sum * rate", "sum  *  rate");
    let report = Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND)
        .and_file("b.rs", GREET, [GREET, &new].concat())
        .report();
    assert_eq!(only(&report).edited_pairs, [[13, 8]]);
    assert_eq!(changes(&report).len(), 2);
}

#[test]
fn equal_lines_are_paired_one_to_one() {
    let block = "let step = next_step(&plan);\n".repeat(3) + TOTAL;
    let change = Change::file("a.rs", [AROUND, &block].concat(), AROUND).and_file(
        "b.rs",
        GREET,
        [GREET, &block, "let step = next_step(&plan);\n"].concat(),
    );
    for report in [change.report(), change.hunks_alone()] {
        assert_eq!(only(&report).pairs, [[11, 6, 9]]);
        assert_eq!(changes(&report), ["+let step = next_step(&plan);"]);
    }
}

#[test]
fn blank_lines_by_themselves_match_nothing() {
    let report = Change::file("a.rs", format!("{AROUND}\n\n\n\n\n\n"), AROUND)
        .and_file("b.rs", GREET, format!("{GREET}\n\n\n\n\n\n"))
        .report();
    assert_eq!(report.moves, []);
    assert_eq!(report.total_lines_effectively_changed, 12);
}

#[test]
fn lines_of_brackets_by_themselves_match_nothing() {
    let report = Change::file("a.rs", [AROUND, "}\n", "});\n"].concat(), AROUND)
        .and_file("b.rs", GREET, [GREET, "}\n", "});\n"].concat())
        .report();
    assert_eq!(report.moves, []);
    assert_eq!(report.total_lines_effectively_changed, 4);
}

#[test]
fn a_generic_line_is_no_move() {
    let report = Change::file("a.py", [AROUND, "    return None\n"].concat(), AROUND)
        .and_file("b.py", GREET, [GREET, "    return None\n"].concat())
        .report();
    assert_eq!(report.moves, []);
    assert_eq!(changes(&report), ["-    return None", "+    return None"]);
}

/// Bytes that text processing would not preserve.
#[test]
fn what_is_left_keeps_its_bytes() {
    let old = b"first\r\n\tsecond\xff\xfe\n\x0cthird \t\n";
    let new = b"first\n\tsecond\xff\xfd\n\x0cthird\x00\n";
    let report = Change::file("a", old, new).report();
    let diff = &report.effective_diff.0;
    for line in [
        &b"-first\r\n"[..],
        b"-\tsecond\xff\xfe\n",
        b"-\x0cthird \t\n",
        b"+\tsecond\xff\xfd\n",
        b"+\x0cthird\x00\n",
    ] {
        let mut windows = diff.windows(line.len());
        assert!(windows.any(|w| w == line), "{}", line.escape_ascii());
    }
}

#[test]
fn bytes_that_are_no_text_move_as_well() {
    let block =
        b"caf\xe9 = open(menu)\nprice\x00s = read(caf\xe9)\nreturn total(caf\xe9, price\x00s)\n";
    let around = AROUND.as_bytes();
    let change = Change::file("a", [around, block].concat(), around).and_file(
        "b",
        GREET,
        [GREET.as_bytes(), block].concat(),
    );
    for report in [change.report(), change.hunks_alone()] {
        assert_eq!(only(&report).pairs, [[11, 6, 3]]);
        assert_eq!(left(&report), "");
    }
}

#[test]
fn the_last_line_moves_without_its_newline() {
    let block = TOTAL.trim_end();
    let report = Change::file("a.rs", [AROUND, block].concat(), AROUND)
        .and_file("b.rs", GREET, [TOTAL, GREET].concat())
        .report();
    assert_eq!(only(&report).matched_lines, 6);
    assert_eq!(left(&report), "");
}
