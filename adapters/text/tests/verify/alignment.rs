//! The base alignment: kept lines, as in the patch or repaired.

use crate::{Case, kept, moved, new, old, with_contents};
use mvdiff_text::verify::Hidden;

/// A brace is the only context between two functions that changed places.
const PATCH: &str = "\
diff --git a/f b/f
--- a/f
+++ b/f
@@ -1,6 +1,6 @@
-first {
-  one
+second {
+  two
 }
-second {
-  two
+first {
+  one
 }
";
const OLD: &str = "first {\n  one\n}\nsecond {\n  two\n}\n";
const NEW: &str = "second {\n  two\n}\nfirst {\n  one\n}\n";

fn repaired() -> Case {
    Case::plain(PATCH).with_diff(PATCH, "").but(|report| {
        report.kept = vec![kept("f", 4, "f", 1, 3)];
        report.moves = vec![moved(["f", "f"], [[1, 3], [4, 6]], &[[1, 4, 3]])];
        report.moves_detected = 1;
        report.total_lines_moved = 3;
    })
}

fn both() -> [Case; 2] {
    [
        repaired(),
        with_contents(repaired(), &[(Some(OLD), Some(NEW))]),
    ]
}

#[test]
fn a_repaired_alignment_is_as_good() {
    both().iter().for_each(Case::passes);
}

#[test]
fn kept_lines_are_the_same() {
    for case in both() {
        case.but(|report| report.kept = vec![kept("f", 1, "f", 1, 1)])
            .is_refused(Hidden::KeptUnequal {
                old: old("f", 1),
                new: new("f", 1),
            });
        case.but(|report| report.kept[0].4 = u32::MAX - 4)
            .check()
            .unwrap_err();
        case.but(|report| report.kept[0].4 = u32::MAX)
            .is_refused(Hidden::NoSuchLine(old("f", 4)));
    }
}

#[test]
fn kept_lines_do_not_cross_or_repeat() {
    for case in both() {
        case.but(|report| report.kept.push(kept("f", 1, "f", 4, 3)))
            .is_refused(Hidden::KeptOutOfOrder {
                old: old("f", 1),
                new: new("f", 4),
            });
        case.but(|report| report.kept.push(kept("f", 6, "f", 6, 1)))
            .is_refused(Hidden::KeptOutOfOrder {
                old: old("f", 6),
                new: new("f", 6),
            });
        case.but(|report| report.kept.push(kept("f", 7, "f", 4, 0)))
            .is_refused(Hidden::KeptOutOfOrder {
                old: old("f", 7),
                new: new("f", 4),
            });
    }
}

#[test]
fn kept_lines_are_of_two_versions_of_one_file() {
    let two = format!("{PATCH}{}", PATCH.replace("/f", "/g"));
    let case = Case::plain(two);
    case.passes();
    case.but(|report| report.kept = vec![kept("f", 3, "g", 3, 1)])
        .is_refused(Hidden::NotPartners {
            old: b"f".to_vec(),
            new: b"g".to_vec(),
        });
    case.but(|report| report.kept = vec![kept("h", 3, "h", 3, 1)])
        .is_refused(Hidden::NotPartners {
            old: b"h".to_vec(),
            new: b"h".to_vec(),
        });
}

#[test]
fn kept_lines_of_two_hunks_would_cross_what_lies_between() {
    let patch = "\
--- a/f
+++ b/f
@@ -1 +1 @@
-x
+y
@@ -9 +9 @@
-z
+x
";
    Case::plain(patch)
        .but(|report| report.kept = vec![kept("f", 1, "f", 9, 1)])
        .is_refused(Hidden::KeptUnequal {
            old: old("f", 1),
            new: new("f", 9),
        });
}

#[test]
fn context_given_up_must_be_accounted_for() {
    for case in both() {
        let lost = case.but(|report| {
            report.moves[0].pairs = vec![[1, 4, 2]];
            report.moves[0].matched_lines = 2;
            report.total_lines_moved = 2;
        });
        lost.is_refused(Hidden::NotShown(old("f", 3)));
    }
}
