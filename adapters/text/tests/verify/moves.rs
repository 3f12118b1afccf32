//! A function that moved to another file and was edited.

use crate::{Case, kept, moved, new, old, shifted, text, with_contents};
use mvdiff_text::verify::Hidden;
use std::fmt::Write as _;

/// `total` moves from utils.py to helpers.py: one line edited, one deleted, one
/// inserted, and indented into a class.
pub(crate) const PATCH: &str = "\
diff --git a/helpers.py b/helpers.py
--- a/helpers.py
+++ b/helpers.py
@@ -1,2 +1,9 @@
 class Order:
     lines = []
+
+    def total(order):
+        taxes = 0
+        for line in order.lines:
+            taxes += line.tax * 2
+            log(line)
+        return taxes
diff --git a/utils.py b/utils.py
--- a/utils.py
+++ b/utils.py
@@ -1,9 +1,3 @@
 import os
-
-def total(order):
-    taxes = 0
-    for line in order.lines:
-        check(line)
-        taxes += line.tax
-    return taxes
 
+import sys
";

/// The remaining changes.
pub(crate) const LEFT: &str = "\
diff --git a/utils.py b/utils.py
--- a/utils.py
+++ b/utils.py
@@ -9 +2,2 @@
 
+import sys
diff --git a/utils.py b/helpers.py
--- a/utils.py
+++ b/helpers.py
@@ -6,2 +7,2 @@
-        check(line)
-        taxes += line.tax
+            taxes += line.tax * 2
+            log(line)
";
const HELPERS: (&str, &str) = (
    "class Order:\n    lines = []\n",
    "class Order:\n    lines = []\n\n    def total(order):\n        taxes = 0\n        \
     for line in order.lines:\n            taxes += line.tax * 2\n            log(line)\n        \
     return taxes\n",
);
const UTILS: (&str, &str) = (
    "import os\n\ndef total(order):\n    taxes = 0\n    for line in order.lines:\n        \
     check(line)\n        taxes += line.tax\n    return taxes\n\n",
    "import os\n\nimport sys\n",
);

pub(crate) fn total() -> Case {
    Case::plain(PATCH).but(|report| {
        let mut total = moved(
            ["utils.py", "helpers.py"],
            [[2, 8], [3, 9]],
            &[[2, 3, 4], [8, 9, 1]],
        );
        total.edited_pairs = vec![[7, 7]];
        total.effective_diff_lines = 4;
        report.moves = vec![total];
        report.moves_detected = 1;
        report.total_lines_moved = 5;
        report.total_lines_effectively_changed = 5;
        report.effective_diff = text(LEFT);
        shifted("", "    ")(report);
    })
}

fn both() -> [Case; 2] {
    let (old, new) = HELPERS;
    let contents = [(Some(old), Some(new)), (Some(UTILS.0), Some(UTILS.1))];
    [total(), with_contents(total(), &contents)]
}

#[test]
fn a_move_with_its_edits_shown_hides_nothing() {
    both().iter().for_each(Case::passes);
    // Names alone are enough, and so is context.
    total()
        .with_diff("--- a/utils.py\n+++ b/helpers.py\n", "")
        .passes();
    let around = "@@ -5,4 +6,4 @@\n     for line in order.lines:\n-        check(line)\n-        taxes += line.tax\n+            taxes += line.tax * 2\n+            log(line)\n     return taxes\n";
    let hunk = &LEFT[LEFT.find("@@ -6,2").unwrap()..];
    total().with_diff(hunk, around).passes();
    total()
        .with_diff(hunk, &around.replace("     return", "         return"))
        .passes();
    total()
        .with_diff(
            hunk,
            &around.replace("     return taxes", "       return taxes"),
        )
        .is_refused(Hidden::FalseContext {
            old: old("utils.py", 8),
            new: new("helpers.py", 9),
        });
}

#[test]
fn a_deletion_inside_a_move_is_missed() {
    for case in both() {
        case.with_diff("@@ -6,2 +7,2 @@\n-        check(line)\n", "@@ -7 +7,2 @@\n")
            .but(|report| report.moves[0].effective_diff_lines = 3)
            .is_refused(Hidden::NotShown(old("utils.py", 6)));
    }
}

#[test]
fn an_insertion_inside_a_move_is_missed() {
    for case in both() {
        case.with_diff("+7,2 @@", "+7 @@")
            .with_diff("+            log(line)\n", "")
            .but(|report| report.moves[0].effective_diff_lines = 3)
            .is_refused(Hidden::NotShown(new("helpers.py", 8)));
    }
}

#[test]
fn an_edited_pair_must_be_shown() {
    for case in both() {
        case.but(|report| report.moves[0].edited_pairs.push([8, 9]))
            .is_refused(Hidden::EditNotShown(old("utils.py", 8)));
        case.but(|report| report.moves[0].edited_pairs.push([9, 9]))
            .is_refused(Hidden::PairOutOfOrder(old("utils.py", 9)));
        case.but(|report| report.moves[0].edited_pairs.push([80, 9]))
            .is_refused(Hidden::NoSuchLine(old("utils.py", 80)));
    }
}

#[test]
fn a_pair_that_differs_is_no_pair() {
    for case in both() {
        // The edited line listed as if it had survived.
        case.but(|report| report.moves[0].pairs = vec![[2, 3, 4], [7, 7, 1], [8, 9, 1]])
            .is_refused(Hidden::Unequal {
                old: old("utils.py", 7),
                new: new("helpers.py", 7),
            });
    }
}

#[test]
fn a_line_belongs_to_one_move() {
    for case in both() {
        let twice = case.but(|report| {
            let mut second = moved(["utils.py", "helpers.py"], [[8, 8], [9, 9]], &[[8, 9, 1]]);
            second.indent.clone_from(&report.moves[0].indent);
            report.moves.push(second);
        });
        twice.is_refused(Hidden::ClaimedTwice(old("utils.py", 8)));
        let again = case.but(|report| report.moves[0].pairs.push([8, 9, 1]));
        again.is_refused(Hidden::PairOutOfOrder(old("utils.py", 8)));
    }
}

#[test]
fn a_line_that_stayed_did_not_move() {
    for case in both() {
        let both = case.but(|report| {
            let stayed = moved(["utils.py", "helpers.py"], [[9, 9], [3, 3]], &[[9, 3, 1]]);
            report.moves = vec![stayed];
        });
        both.is_refused(Hidden::MovedButKept(old("utils.py", 9)));
    }
}

#[test]
fn pairs_lie_in_their_block() {
    for case in both() {
        case.but(|report| report.moves[0].source_lines = [3, 8])
            .is_refused(Hidden::PairOutOfOrder(old("utils.py", 2)));
        case.but(|report| report.moves[0].target_lines = [3, 8])
            .is_refused(Hidden::PairOutOfOrder(new("helpers.py", 9)));
        case.but(|report| report.moves[0].source_lines = [8, 2])
            .is_refused(Hidden::BadBlock { id: 1 });
        case.but(|report| report.moves[0].source_lines = [2, 800])
            .is_refused(Hidden::NoSuchLine(old("utils.py", 800)));
        case.but(|report| report.moves[0].pairs[0] = [2, 3, u32::MAX])
            .is_refused(Hidden::PairOutOfOrder(old("utils.py", 2)));
        case.but(|report| report.moves[0].pairs.swap(0, 1))
            .is_refused(Hidden::PairOutOfOrder(old("utils.py", 2)));
    }
}

#[test]
fn a_move_is_between_files_of_the_input() {
    for case in both() {
        case.but(|report| report.moves[0].source_file = text("elsewhere.py"))
            .is_refused(Hidden::NoSuchFile {
                file: b"elsewhere.py".to_vec(),
            });
    }
}

#[test]
fn the_hunk_of_a_move_stands_in_it() {
    for case in both() {
        // After `return taxes` on one side, before it on the other.
        case.with_diff(
            "@@ -6,2 +7,2 @@\n-        check(line)\n",
            "@@ -6 +10,0 @@\n-        check(line)\n@@ -7 +7,2 @@\n",
        )
        .is_refused(Hidden::Misplaced { line: 10 });
    }
}

#[test]
fn a_move_counts_its_lines() {
    for case in both() {
        case.but(|report| report.moves[0].matched_lines = 6)
            .is_refused(Hidden::Count {
                what: "matched_lines",
                says: 6,
                is: 5,
            });
        for says in [3, 5] {
            case.but(|report| report.moves[0].effective_diff_lines = says)
                .is_refused(Hidden::Count {
                    what: "effective_diff_lines",
                    says,
                    is: 4,
                });
        }
        case.but(|report| report.total_lines_moved = 6)
            .is_refused(Hidden::Count {
                what: "total_lines_moved",
                says: 6,
                is: 5,
            });
    }
}

#[test]
fn unseen_lines_do_not_move() {
    let patch = "\
diff --git a/f b/f
--- a/f
+++ b/f
@@ -1 +1 @@
-a
+A
@@ -9 +9 @@
-moved
+b
";
    let case = Case::plain(patch).but(|report| {
        report.moves = vec![moved(["f", "f"], [[5, 5], [9, 9]], &[[5, 9, 1]])];
        report.moves_detected = 1;
        report.total_lines_moved = 1;
    });
    case.is_refused(Hidden::NoSuchLine(old("f", 5)));
}

#[test]
fn moves_within_a_file_share_its_name() {
    let patch = "\
diff --git a/f b/f
--- a/f
+++ b/f
@@ -1,6 +1,6 @@
-a
-b
-c
 x
 y
 z
+a
+B
+c
";
    let left = "\
diff --git a/f b/f
--- a/f
+++ b/f
@@ -2 +5 @@
-b
+B
";
    let case = Case::plain(patch).with_diff(patch, left).but(|report| {
        let mut block = moved(["f", "f"], [[1, 3], [4, 6]], &[[1, 4, 1], [3, 6, 1]]);
        block.edited_pairs = vec![[2, 5]];
        block.effective_diff_lines = 2;
        report.moves = vec![block];
        report.moves_detected = 1;
        report.total_lines_moved = 2;
    });
    case.passes();
    // Conversely, x, y and z moved over a, b and c.
    let around = Case::plain(patch)
        .with_diff(patch, "--- a/f\n+++ b/f\n@@ -2 +5 @@\n-b\n+B\n")
        .but(|report| {
            report.kept = vec![kept("f", 1, "f", 4, 1), kept("f", 3, "f", 6, 1)];
            report.moves = vec![moved(["f", "f"], [[4, 6], [1, 3]], &[[4, 1, 3]])];
            report.moves_detected = 1;
            report.total_lines_moved = 3;
        });
    // That header is not in the input.
    around.is_refused(Hidden::Malformed {
        line: 1,
        what: "no head of a file, nor of a hunk",
    });
    around
        .but(|report| report.effective_diff = text(left))
        .passes();
}

#[test]
fn many_moves_between_two_files() {
    let lines = 200u32;
    let (mut from, mut to, mut left) = (String::new(), String::new(), String::new());
    for (old, new) in (1..=lines).zip((1..=lines).rev()) {
        let _ = writeln!(from, "-line {old}");
        // The new file has them in reverse.
        let edit = if new % 2 == 1 { " edited" } else { "" };
        let _ = writeln!(to, "+line {new}{edit}");
        if old % 2 == 1 {
            let _ = writeln!(left, "@@ -{old} +{new} @@\n-line {old}\n+line {old} edited");
        }
    }
    let patch = format!(
        "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,{lines} +0,0 @@\n{from}\
         diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -0,0 +1,{lines} @@\n{to}"
    );
    let diff = format!("diff --git a/f b/g\n--- a/f\n+++ b/g\n{left}");
    let case = Case::plain(patch.clone())
        .with_diff(&patch, &diff)
        .but(|report| {
            report.moves = (1..=lines)
                .map(|line| {
                    let new = lines + 1 - line;
                    let edited = line % 2 == 1;
                    let pairs: &[[u32; 3]] = if edited { &[] } else { &[[line, new, 1]] };
                    let mut one = moved(["f", "g"], [[line, line], [new, new]], pairs);
                    one.edited_pairs.extend(edited.then_some([line, new]));
                    one.effective_diff_lines = 2 * u32::from(edited);
                    one
                })
                .collect();
            report.moves_detected = lines;
            report.total_lines_moved = lines / 2;
        });
    case.passes();
    case.with_diff("@@ -1 +200 @@", "@@ -1 +199 @@")
        .is_refused(Hidden::Misplaced { line: 4 });
}

/// A line that passed another one, listed as reindented in place.
#[test]
fn what_passed_a_kept_line_was_not_indented_in_place() {
    const PATCH: &str = "\
diff --git a/f b/f
--- a/f
+++ b/f
@@ -1,4 +1,4 @@
-first line here
-second line here
 kept between them
+    first line here
+    second line here
 end
";
    let case = Case::plain(PATCH).with_diff(PATCH, "").but(|report| {
        let mut block = moved(["f", "f"], [[1, 2], [2, 3]], &[[1, 2, 2]]);
        block.kind = mvdiff_text::MoveKind::Indent;
        block.indent = Some(mvdiff_text::Indent {
            from: String::new(),
            to: "    ".into(),
        });
        report.moves = vec![block];
        report.indents_detected = 1;
        report.total_lines_reindented = 2;
    });
    assert_eq!(case.check(), Err(Hidden::PairOutOfOrder(new("f", 2))));
}

/// A line that stayed, got another modifier, and is shown.
#[test]
fn what_stayed_is_shown_and_pairs_nothing() {
    const PATCH: &str = "\
diff --git a/f b/f
--- a/f
+++ b/f
@@ -1,3 +1,3 @@
 first
-private int total;
+int total;
 end
";
    let stays = |change: &dyn Fn(&mut mvdiff_text::effective::MoveDetail)| {
        let mut block = moved(["f", "f"], [[2, 2], [2, 2]], &[]);
        block.kind = mvdiff_text::MoveKind::Stay;
        block.edited_pairs = vec![[2, 2]];
        block.effective_diff_lines = 2;
        change(&mut block);
        Case::plain(PATCH).but(|report| report.moves = vec![block])
    };
    stays(&|_| {}).passes();
    // Its lines never leave the diff.
    let hidden = stays(&|block| {
        block.pairs = vec![[2, 2, 1]];
        block.matched_lines = 1;
    });
    assert!(hidden.check().is_err());
    let kept = stays(&|block| block.edited_pairs = vec![[1, 1]]);
    assert!(kept.check().is_err());
}
