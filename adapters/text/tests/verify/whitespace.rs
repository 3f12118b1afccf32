//! White space inside a moved block: one indent, line ends, blank lines.

use crate::moves::total;
use crate::{Case, moved, new, old, shifted};
use mvdiff_text::verify::Hidden;

/// Lines of one file that move to another, and a report that all of them moved.
fn went(from: &[&str], to: &[&str]) -> Case {
    let body = |sign: char, lines: &[&str]| {
        let lines: Vec<String> = lines.iter().map(|l| format!("{sign}{l}\n")).collect();
        lines.concat()
    };
    let patch = format!(
        "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,{} +0,0 @@\n{}diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -0,0 +1,{} @@\n{}",
        from.len(),
        body('-', from),
        to.len(),
        body('+', to),
    );
    let (from, to) = (from.len() as u32, to.len() as u32);
    Case::plain(patch.clone())
        .with_diff(&patch, "")
        .but(|report| {
            let len = from.min(to);
            report.moves = vec![moved(["f", "g"], [[1, from], [1, to]], &[[1, 1, len]])];
            report.moves_detected = 1;
            report.total_lines_moved = len;
        })
}

#[test]
fn one_indent_for_all() {
    let case = went(&["a", "  b", "", "c"], &["    a", "      b", "", "    c"]);
    case.is_refused(Hidden::Unequal {
        old: old("f", 1),
        new: new("g", 1),
    });
    case.but(shifted("", "    ")).passes();
    let to_tabs = went(&["    a", "      b"], &["\ta", "\t  b"]);
    to_tabs.but(shifted("    ", "\t")).passes();
}

#[test]
fn a_line_dedented_out_of_its_loop_is_an_edit() {
    let case = went(
        &["for x in y:", "    work(x)", "    done()"],
        &["    for x in y:", "        work(x)", "    done()"],
    );
    case.but(shifted("", "    ")).is_refused(Hidden::Unequal {
        old: old("f", 3),
        new: new("g", 3),
    });
}

#[test]
fn an_indent_is_white_space() {
    let case = went(&["if (ok) a"], &["if (!ok) a"]);
    case.but(shifted("if (ok)", "if (!ok)"))
        .is_refused(Hidden::BadBlock { id: 1 });
    case.but(shifted("\n", ""))
        .is_refused(Hidden::BadBlock { id: 1 });
}

#[test]
fn white_space_at_line_ends_does_not_count() {
    went(&["a", "b \t", "c"], &["a\r", "b", "c "]).passes();
    went(&["a b"], &["a  b"]).is_refused(Hidden::Unequal {
        old: old("f", 1),
        new: new("g", 1),
    });
    went(&["a"], &["a\u{a0}"]).is_refused(Hidden::Unequal {
        old: old("f", 1),
        new: new("g", 1),
    });
}

#[test]
fn blank_lines_go_along() {
    went(&["a", "   ", ""], &["a", "", "\t"]).passes();
    went(&["a", ""], &["a"]).passes();
    went(&["a"], &["a", ""]).passes();
    went(&["a", ""], &["a", "b"]).is_refused(Hidden::Unequal {
        old: old("f", 2),
        new: new("g", 2),
    });
    let beyond = went(&["a", ""], &["a"]).but(|report| report.moves[0].source_lines = [1, 1]);
    beyond.is_refused(Hidden::NotShown(old("f", 2)));
    let beyond = went(&["a"], &["a", ""]).but(|report| report.moves[0].target_lines = [1, 1]);
    beyond.is_refused(Hidden::NotShown(new("g", 2)));
    went(&["a", "b"], &["a"]).is_refused(Hidden::NotShown(old("f", 2)));
}

#[test]
fn white_space_that_is_shown_is_shown_on_both_sides() {
    let shown = "@@ -4 +5 @@\n-    taxes = 0\n+        taxes = 0\n@@ -6,2 +7,2 @@";
    let all = total().with_diff("@@ -6,2 +7,2 @@", shown);
    all.but(|report| report.moves[0].effective_diff_lines = 6)
        .passes();
    let half = "@@ -4 +4,0 @@\n-    taxes = 0\n@@ -6,2 +7,2 @@";
    let half = total().with_diff("@@ -6,2 +7,2 @@", half);
    half.but(|report| report.moves[0].effective_diff_lines = 5)
        .is_refused(Hidden::HalfShown {
            old: old("utils.py", 4),
            new: new("helpers.py", 5),
        });
}
