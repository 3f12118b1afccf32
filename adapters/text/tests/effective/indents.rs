//! Blocks reindented in place, twins, and companions of code.

use crate::{AROUND, Change, GREET, TOTAL, changes, left, only, stayed};
use mvdiff_text::effective::{Contents, EffectiveOptions, MoveKind, TwinSide, effective};

fn indented(text: &str) -> String {
    crate::indented(text, "    ")
}

fn body() -> String {
    let lines: Vec<String> = (0..30)
        .map(|n| format!("step_{n}(order, ledger_{n});\n"))
        .collect();
    lines.concat()
}

#[test]
fn thirty_lines_wrapped_are_two_lines_to_read() {
    let new = [AROUND, "if ready {\n", &indented(&body()), "}\n"].concat();
    let change = Change::file("a.rs", [AROUND, &body()].concat(), new);
    for report in [change.report(), change.hunks_alone()] {
        assert_eq!(changes(&report), ["+if ready {", "+}"]);
        assert_eq!((report.moves_detected, report.indents_detected), (0, 1));
        assert_eq!(report.total_lines_reindented, 30);
        let block = &report.moves[0];
        assert_eq!(block.kind, MoveKind::Indent);
        assert_eq!(block.source_lines, [11, 40]);
        assert_eq!(block.target_lines, [12, 41]);
        let shift = block.indent.as_ref().unwrap();
        assert_eq!((&shift.from[..], &shift.to[..]), ("", "    "));
    }
}

#[test]
fn a_file_with_other_line_ends_is_one_block() {
    let old = [AROUND, &body()].concat();
    let new = old
        .replace('\n', "\r\n")
        .replace("step_12(order", "step_12(invoice");
    for (old, new) in [(&old, &new), (&new, &old)] {
        let report = Change::file("a.rs", old, new).report();
        assert_eq!((report.moves_detected, report.indents_detected), (0, 1));
        assert_eq!(changes(&report).len(), 2, "{}", left(&report));
        let block = &report.moves[0];
        let shift = block.indent.as_ref().unwrap();
        assert_eq!((&shift.from[..], &shift.to[..]), ("", ""));
        assert_eq!(block.whitespace_lines, block.matched_lines);
    }
}

#[test]
fn a_line_that_lost_blanks_at_its_end_alone_is_a_change() {
    let old = [AROUND, "audit_everything(ledger);  \n", GREET].concat();
    let new = [AROUND, "audit_everything(ledger);\n", GREET].concat();
    let report = Change::file("a.py", old, new).report();
    assert_eq!(report.indents_detected, 0);
    assert_eq!(changes(&report).len(), 2);
}

#[test]
fn an_edit_inside_an_indented_block_is_shown_in_place() {
    let edited = body().replace("step_12(order,", "step_12(invoice,");
    let new = [AROUND, "if ready {\n", &indented(&edited), "}\n"].concat();
    let report = Change::file("a.rs", [AROUND, &body()].concat(), new).report();
    assert_eq!(report.indents_detected, 1);
    assert_eq!(report.total_lines_reindented, 29);
    assert_eq!(changes(&report).len(), 4, "{}", left(&report));
}

#[test]
fn one_line_indented_alone_is_a_change() {
    let old = [AROUND, "audit_everything(ledger);\n", GREET].concat();
    let new = [AROUND, "    audit_everything(ledger);\n", GREET].concat();
    let report = Change::file("a.py", old, new).report();
    assert_eq!(report.indents_detected, 0);
    assert_eq!(changes(&report).len(), 2);
    // It is shown, and listed as one line.
    assert!(report.blocks().is_empty());
    assert_eq!(stayed(&report), [[11, 11]]);
}

#[test]
fn a_line_that_the_patch_gave_up_for_a_blank_one_stayed() {
    let patch = "\
--- a/a.rs
+++ b/a.rs
@@ -1,7 +1,9 @@
 fn start() {
-    let profiler = Profiler::create(LOG);
-    disable_metrics();
+    register(all_metrics());
+}
 
-    clean_alerts();
+fn register(metrics: Metrics) {
+    let profiler = Profiler::create(LOG);
+    save(metrics);
     profiler.stop();
 }
";
    let changesets = mvdiff_text::patch::parse(patch.as_bytes()).unwrap();
    let report = effective(
        &changesets[0],
        &Contents::default(),
        &EffectiveOptions::default(),
    )
    .unwrap();
    assert!(report.blocks().is_empty());
    assert_eq!(
        report.effective_diff.0,
        patch.as_bytes(),
        "{}",
        left(&report)
    );
    assert_eq!(stayed(&report), [[2, 6]]);
}

#[test]
fn with_white_space_shown_nothing_is_indented() {
    let new = [AROUND, &indented(&body())].concat();
    let change = Change::file("a.rs", [AROUND, &body()].concat(), new);
    let report = change.ask(&crate::with(|o| o.show_whitespace = true));
    assert_eq!(report.indents_detected, 0);
    assert_eq!(changes(&report).len(), 60);
}

#[test]
fn of_equal_sources_the_one_in_the_same_file_moved_and_the_other_is_named() {
    let old = [TOTAL, AROUND].concat();
    let report = Change::file("a.rs", &old, [AROUND, TOTAL].concat())
        .and_file("b.rs", [GREET, TOTAL].concat(), GREET)
        .report();
    assert_eq!(report.moves_detected, 1);
    let block = &report.moves[0];
    assert_eq!(block.source_file.0, b"a.rs");
    let twin = &block.twins[0];
    assert_eq!((twin.side, &twin.file.0[..]), (TwinSide::Old, &b"b.rs"[..]));
    assert_eq!(twin.lines, [6, 11]);
}

#[test]
fn imports_and_comments_alone_do_not_move_between_files() {
    let head = "\
/* Licensed to the foundation under one or more agreements. */
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
";
    let old = [head, TOTAL].concat();
    let change =
        Change::file("a.java", &old, TOTAL).and_file("b.java", GREET, [head, GREET].concat());
    assert_eq!(change.report().moves_detected, 0);
    // Together with code they do.
    let both = Change::file("a.java", [AROUND, head, TOTAL].concat(), AROUND).and_file(
        "b.java",
        GREET,
        [GREET, head, TOTAL].concat(),
    );
    let report = both.report();
    assert_eq!(report.moves_detected, 1);
    assert_eq!(changes(&report).len(), 0, "{}", left(&report));
}

#[test]
fn neighbours_that_went_together_are_one_move() {
    let old = [
        AROUND,
        TOTAL,
        "static KEPT_IN_PLACE: Ledger = Ledger::new();\n",
        GREET,
    ]
    .concat();
    let new = [AROUND, "static KEPT_IN_PLACE: Ledger = Ledger::new();\n"].concat();
    let report = Change::file("a.rs", &old, &new)
        .and_file("b.rs", "mod b;\n", ["mod b;\n", TOTAL, GREET].concat())
        .report();
    assert_eq!(report.moves_detected, 1, "{:#?}", report.moves);
    assert_eq!(report.moves[0].matched_lines, 11);
}

#[test]
fn a_lone_line_that_moved_may_be_indented() {
    let line = "register_every_known_currency(&mut ledger)?;\n";
    let old = [line, AROUND, GREET].concat();
    let new = [AROUND, GREET, "    ", line].concat();
    let report = Change::file("a.rs", old, new).report();
    assert_eq!(report.moves_detected, 1);
    assert_eq!(changes(&report).len(), 0);
}

/// Fields whose modifiers changed in a move between two files that exchanged code
/// are accepted more easily than between unrelated files, and are shown.
#[test]
fn a_field_follows_the_code_that_went_the_same_way() {
    let field = "    private final BitUtil bitUtil;\n";
    let moved = "    final BitUtil bitUtil;\n";
    let other = "static OTHER_THINGS: Other = Other::of_everything();\n";
    let around = |field: &str, code: &str| [AROUND, other, field, other, code].concat();
    let related = Change::file("a.java", around(field, TOTAL), around("", "")).and_file(
        "b.java",
        "mod b;\n",
        ["mod b;\nint a;\n", moved, "int b;\n", TOTAL].concat(),
    );
    let report = related.report();
    assert_eq!(only(&report).edited_pairs, [[12, 3]], "{}", left(&report));
    let strangers = Change::file("a.java", around(field, ""), around("", "")).and_file(
        "b.java",
        "mod b;\n",
        ["mod b;\nint a;\n", moved, "int b;\n"].concat(),
    );
    assert_eq!(strangers.report().moves_detected, 0);
}

fn steps(name: &str, count: usize) -> String {
    let lines: Vec<String> = (0..count)
        .map(|n| format!("    {name}_{n}(order, ledger_{n});\n"))
        .collect();
    lines.concat()
}

/// Half of a moved function was wrapped in an `if`: neither half is left to read.
#[test]
fn a_part_of_a_moved_block_that_was_wrapped_is_a_move_of_its_own() {
    let (first, second) = (steps("collect", 6), steps("deliver", 6));
    let old = ["fn settle(order: &Order) {\n", &first, &second, "}\n"].concat();
    let wrapped = indented(&second);
    let new = [
        "fn settle(order: &Order) {\n",
        &first,
        "    if ready {\n",
        &wrapped,
        "    }\n}\n",
    ]
    .concat();
    let change = Change::file("a.rs", [AROUND, &old].concat(), AROUND).and_file("b.rs", "", &new);
    let report = change.report();
    let found: Vec<_> = report
        .moves
        .iter()
        .map(|m| (m.source_lines, m.matched_lines))
        .collect();
    assert_eq!(found, [([11, 17], 7), ([18, 24], 7)], "{}", left(&report));
    // Either brace may be the new one.
    assert_eq!(changes(&report), ["+    if ready {", "+}"]);
}

/// A few lines are not worth a report of their own.
#[test]
fn a_line_or_two_shifted_within_a_moved_block_are_edits() {
    let (first, second) = (steps("collect", 6), steps("deliver", 2));
    let old = ["fn settle(order: &Order) {\n", &first, &second, "}\n"].concat();
    let new = [
        "fn settle(order: &Order) {\n",
        &first,
        &indented(&second),
        "}\n",
    ]
    .concat();
    let change = Change::file("a.rs", [AROUND, &old].concat(), AROUND).and_file("b.rs", "", &new);
    let report = change.report();
    assert_eq!(only(&report).edited_pairs.len(), 2);
    assert_eq!(changes(&report).len(), 4, "{}", left(&report));
}

/// Eight short labels that were shifted do not outweigh the function around them.
#[test]
fn the_shift_of_a_block_is_that_of_the_lines_that_say_the_most() {
    let labels = "            case '(':\n            case ')':\n            case ',':\n            case '=':\n            case '[':\n            case ']':\n            case '{':\n            case '}':\n";
    let body = steps("weigh_every_token_of", 5);
    let function =
        |labels: &str| ["fn is_special(token: &Token) {\n", &body, labels, "}\n"].concat();
    let (old, new) = (function(labels), function(&indented(labels)));
    let change = Change::file("a.rs", [AROUND, &old].concat(), AROUND).and_file("b.rs", "", &new);
    let report = change.report();
    assert_eq!(only(&report).indent, None);
    assert_eq!(only(&report).source_lines[0], 11);
}
