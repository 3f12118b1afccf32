//! Lines with the same statement, rewrapped statements, and copied or merged
//! blocks.

use crate::{AROUND, Change, GREET, TOTAL, changes, left, only, stayed, with};
use mvdiff_text::effective::MoveKind;

const FIELD: &str = "    private final SingularityValidator validator;\n";
const PULLED_UP: &str = "    protected final SingularityValidator validator;\n";

#[test]
fn a_field_whose_modifier_changed_while_it_moved_is_one_edited_line() {
    let old = ["class Deploy {\n", FIELD, "}\n", AROUND].concat();
    let new = ["class Deploy {\n", "}\n", AROUND].concat();
    let report = Change::file("Deploy.java", old, new)
        .and_file(
            "Base.java",
            ["class Base {\n", "}\n"].concat(),
            ["class Base {\n", PULLED_UP, "}\n"].concat(),
        )
        .report();
    let block = only(&report);
    assert_eq!(
        (&block.pairs[..], &block.edited_pairs[..]),
        (&[][..], &[[2, 2]][..])
    );
    assert_eq!(
        changes(&report).len(),
        2,
        "the edit is shown: {}",
        left(&report)
    );
}

#[test]
fn another_field_of_the_same_type_is_another_field() {
    let old = ["class Deploy {\n", FIELD, "}\n", AROUND].concat();
    let new = ["class Deploy {\n", "}\n", AROUND].concat();
    let other = PULLED_UP.replace(" validator", " checker");
    let report = Change::file("Deploy.java", old, new)
        .and_file(
            "Base.java",
            "class Base {\n}\n",
            ["class Base {\n", &other, "}\n"].concat(),
        )
        .report();
    assert_eq!(report.moves_detected, 0, "{}", left(&report));
}

#[test]
fn a_modifier_that_changed_in_place_is_a_change_and_no_move() {
    let old = [AROUND, FIELD, GREET].concat();
    let new = [AROUND, PULLED_UP, GREET].concat();
    let report = Change::file("Deploy.java", old, new).report();
    assert!(report.blocks().is_empty());
    assert_eq!((report.moves_detected, report.indents_detected), (0, 0));
    assert_eq!(changes(&report).len(), 2);
    assert_eq!(stayed(&report), [[11, 11]]);
}

#[test]
fn a_statement_wrapped_another_way_is_part_of_its_block() {
    let wrapped = TOTAL.replace(
        "    let tax = sum * rate_of(order.country);\n",
        "    let tax = sum\n        * rate_of(order.country);\n",
    );
    let report = Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND)
        .and_file("b.rs", "mod b;\n", ["mod b;\n", &wrapped].concat())
        .report();
    let block = only(&report);
    assert_eq!(block.matched_lines, 5);
    assert_eq!(block.edited_pairs, [[13, 4]], "{}", left(&report));
    assert_eq!(changes(&report).len(), 3);
}

/// One block that was in three files and is now in a fourth.
fn three_became_one() -> Change {
    let with_total = |name: &str| [&format!("mod {name};\n"), AROUND, TOTAL].concat();
    let without = |name: &str| [&format!("mod {name};\n"), AROUND].concat();
    let mut change = Change::default();
    for name in ["a", "b", "c"] {
        change = change.and_file(&format!("{name}.rs"), with_total(name), without(name));
    }
    change.and_file(
        "shared.rs",
        "mod shared;\n",
        ["mod shared;\n", TOTAL].concat(),
    )
}

#[test]
fn equal_blocks_that_became_one_are_merges_where_copies_are_asked_for() {
    let change = three_became_one();
    let report = change.report();
    assert_eq!((report.moves_detected, report.moves.len()), (1, 1));
    assert_eq!(changes(&report).len(), 12, "{}", left(&report));
    let report = change.ask(&with(|o| o.engine.copies = true));
    let kinds: Vec<_> = report.moves.iter().map(|m| (m.kind, m.of)).collect();
    let merge = (MoveKind::Merge, Some(1));
    assert_eq!(kinds, [(MoveKind::Move, None), merge, merge]);
    assert_eq!(changes(&report).len(), 0, "{}", left(&report));
    assert_eq!(report.total_lines_moved, 6, "merges are not moves");
}

#[test]
fn a_merge_into_lines_that_stayed_is_of_no_move() {
    let change = Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND).and_file(
        "b.rs",
        [TOTAL, "old();\n"].concat(),
        [TOTAL, "new();\n"].concat(),
    );
    let report = change.ask(&with(|o| o.engine.copies = true));
    let [merge] = &report.moves[..] else {
        panic!("{:?}", report.moves)
    };
    assert_eq!((merge.kind, merge.of), (MoveKind::Merge, None));
    assert_eq!((merge.source_lines, merge.target_lines), ([11, 16], [1, 6]));
    assert_eq!(changes(&report), ["-old();", "+new();"]);
}

#[test]
fn a_copy_of_what_moved_names_the_move() {
    let change = Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND)
        .and_file("b.rs", "mod b;\n", ["mod b;\n", TOTAL].concat())
        .and_file("c.rs", "mod c;\n", ["mod c;\n", TOTAL].concat());
    let report = change.ask(&with(|o| o.engine.copies = true));
    let kinds: Vec<_> = report.moves.iter().map(|m| (m.kind, m.of)).collect();
    assert_eq!(kinds, [(MoveKind::Move, None), (MoveKind::Copy, Some(1))]);
}
