//! A patch without moves, printed verbatim.

use crate::{Case, kept, new, old, with_contents};
use mvdiff_text::verify::Hidden;

/// Two hunks with an unseen stretch between them.
const TWO_HUNKS: &str = "\
diff --git a/f b/f
index 1111111..2222222 100644
--- a/f
+++ b/f
@@ -1,3 +1,4 @@
 one
-two
+Two
+and a half
 three
@@ -8,3 +9,2 @@ heading
 eight
-nine
 ten
";
const OLD: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\n";
const NEW: &str = "one\nTwo\nand a half\nthree\nfour\nfive\nsix\nseven\neight\nten\neleven\n";

fn whole() -> Case {
    let case = with_contents(Case::plain(TWO_HUNKS), &[(Some(OLD), Some(NEW))]);
    case.but(|report| {
        report.kept = vec![
            kept("f", 1, "f", 1, 1),
            kept("f", 3, "f", 4, 6),
            kept("f", 10, "f", 10, 2),
        ];
    })
}

#[test]
fn the_input_as_it_is_hides_nothing() {
    Case::plain(TWO_HUNKS).passes();
    whole().passes();
}

#[test]
fn unseen_lines_may_be_listed_as_the_patch_implies_them() {
    let listed = Case::plain(TWO_HUNKS).but(|report| {
        report.kept = vec![
            kept("f", 1, "f", 1, 1),
            kept("f", 3, "f", 4, 6),
            kept("f", 10, "f", 10, 90),
        ];
    });
    listed.passes();
    let off = |run| {
        Case::plain(TWO_HUNKS).but(move |report| {
            report.kept = vec![run];
        })
    };
    off(kept("f", 5, "f", 5, 1)).is_refused(Hidden::KeptUnequal {
        old: old("f", 5),
        new: new("f", 5),
    });
    off(kept("f", 12, "f", 13, 1)).is_refused(Hidden::KeptUnequal {
        old: old("f", 12),
        new: new("f", 13),
    });
}

#[test]
fn whole_files_have_no_unseen_lines() {
    let beyond = whole().but(|report| report.kept[2].4 = 3);
    beyond.is_refused(Hidden::KeptUnequal {
        old: old("f", 12),
        new: new("f", 12),
    });
    let unlisted = whole().but(|report| report.kept[1].4 = 5);
    // Line eight is context in the diff, which is checked before the remaining
    // lines.
    unlisted.is_refused(Hidden::FalseContext {
        old: old("f", 8),
        new: new("f", 9),
    });
    let unlisted = whole().but(|report| report.kept[2].4 = 1);
    unlisted.is_refused(Hidden::NotShown(old("f", 11)));
}

#[test]
fn contents_that_do_not_fit_are_as_good_as_none() {
    let wrong = with_contents(Case::plain(TWO_HUNKS), &[(Some(OLD), Some(OLD))]);
    wrong.passes();
    let short = with_contents(Case::plain(TWO_HUNKS), &[(Some("one\n"), Some("one\n"))]);
    short.passes();
    let half = with_contents(Case::plain(TWO_HUNKS), &[(Some(OLD), None)]);
    half.passes();
}

#[test]
fn a_line_dropped_from_the_diff_is_missed() {
    for case in [Case::plain(TWO_HUNKS), whole()] {
        case.with_diff(
            "@@ -1,3 +1,4 @@\n one\n-two\n",
            "@@ -1 +1 @@\n one\n@@ -3 +2,3 @@\n",
        )
        .is_refused(Hidden::NotShown(old("f", 2)));
        case.with_diff(
            "@@ -1,3 +1,4 @@\n one\n-two\n+Two\n",
            "@@ -1,2 +1 @@\n one\n-two\n@@ -3 +3,2 @@\n",
        )
        .is_refused(Hidden::NotShown(new("f", 2)));
    }
}

#[test]
fn a_whole_hunk_or_file_dropped_is_missed() {
    let hunk = "@@ -8,3 +9,2 @@ heading\n eight\n-nine\n ten\n";
    Case::plain(TWO_HUNKS)
        .with_diff(hunk, "")
        .is_refused(Hidden::NotShown(old("f", 9)));
    Case::plain(TWO_HUNKS)
        .with_diff(TWO_HUNKS, "")
        .is_refused(Hidden::NotShown(old("f", 2)));
}

#[test]
fn changed_bytes_are_seen() {
    let case = Case::plain(TWO_HUNKS);
    case.with_diff("-nine", "-nein")
        .is_refused(Hidden::OtherText(old("f", 9)));
    case.with_diff("+Two\n", "+Two \n")
        .is_refused(Hidden::OtherText(new("f", 2)));
    case.with_diff("-nine\n", "-nine\n\\ No newline at end of file\n")
        .is_refused(Hidden::OtherText(old("f", 9)));
    case.with_diff(" ten\n", " zehn\n")
        .is_refused(Hidden::FalseContext {
            old: old("f", 10),
            new: new("f", 10),
        });
}

#[test]
fn changed_numbers_are_seen() {
    for case in [Case::plain(TWO_HUNKS), whole()] {
        case.with_diff("@@ -8,3 +9,2", "@@ -7,3 +8,2")
            .check()
            .unwrap_err();
        case.with_diff("@@ -8,3 +9,2", "@@ -8,3 +10,2")
            .is_refused(Hidden::Misplaced { line: 11 });
    }
    Case::plain(TWO_HUNKS)
        .with_diff("@@ -8,3 +9,2", "@@ -8,3 +9,3")
        .is_refused(Hidden::Malformed {
            line: 15,
            what: "the hunk before ends too early",
        });
    Case::plain(TWO_HUNKS)
        .with_diff("@@ -8,3 +9,2", "@@ -8,2 +9,2")
        .is_refused(Hidden::Malformed {
            line: 15,
            what: "the hunk before has more lines than it says",
        });
    Case::plain(TWO_HUNKS)
        .with_diff("@@ -8,3 +9,2", "@@ -8,3 +99999999999,2")
        .is_refused(Hidden::Malformed {
            line: 11,
            what: "no head of a hunk",
        });
}

#[test]
fn an_insertion_stands_where_it_was_inserted() {
    let patch = "--- a/f\n+++ b/f\n@@ -1,4 +1,5 @@\n one\n two\n+x\n three\n four\n";
    let case = Case::plain(patch);
    let hunk = "@@ -1,4 +1,5 @@\n one\n two\n+x\n three\n four\n";
    case.with_diff(hunk, "@@ -2,0 +3 @@\n+x\n").passes();
    case.with_diff(hunk, "@@ -3,0 +3 @@\n+x\n")
        .is_refused(Hidden::Misplaced { line: 3 });
    case.with_diff(hunk, "@@ -1,0 +3 @@\n+x\n")
        .is_refused(Hidden::Misplaced { line: 3 });
}

#[test]
fn nothing_is_shown_twice() {
    let twice = "@@ -9 +9,0 @@\n-nine\n";
    Case::plain(TWO_HUNKS)
        .with_diff(" ten\n", &format!(" ten\n{twice}"))
        .is_refused(Hidden::ShownTwice(old("f", 9)));
}

#[test]
fn nothing_is_invented() {
    let case = Case::plain(TWO_HUNKS);
    case.with_diff(" ten\n", "-ten\n+ten\n")
        .is_refused(Hidden::Invented(old("f", 10)));
    case.with_diff(" ten\n", " ten\n@@ -20 +19,0 @@\n-x\n")
        .is_refused(Hidden::Invented(old("f", 20)));
}

#[test]
fn rubbish_is_no_diff() {
    Case::plain(TWO_HUNKS)
        .with_diff("@@ -8,3", "and now\n@@ -8,3")
        .is_refused(Hidden::Malformed {
            line: 11,
            what: "no head of a file, nor of a hunk",
        });
    Case::plain(TWO_HUNKS)
        .with_diff(" ten\n", " ten\ndiff --git a/g b/f\n")
        .is_refused(Hidden::Malformed {
            line: 15,
            what: "the section names no two files of the input",
        });
    Case::plain(TWO_HUNKS)
        .with_diff(" ten\n", " ten\ndiff --git a/f b/f\nsimilarity index 5%\n")
        .is_refused(Hidden::Malformed {
            line: 16,
            what: "a line that does not belong to the head of a move",
        });
}

#[test]
fn lines_without_a_newline_at_the_end() {
    let patch = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n";
    let case = Case::plain(patch);
    case.passes();
    case.with_diff("\\ No newline at end of file\n", "")
        .is_refused(Hidden::OtherText(old("f", 2)));
    let whole = with_contents(case, &[(Some("a\nb"), Some("a\nb\n"))]);
    whole.passes();
    whole
        .but(|report| report.kept.push(kept("f", 2, "f", 2, 1)))
        .is_refused(Hidden::KeptUnequal {
            old: old("f", 2),
            new: new("f", 2),
        });
}

#[test]
fn bytes_need_not_be_text() {
    let patch = b"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n \xff\r\n-\xfe\x00\n+\r\n".to_vec();
    Case::plain(patch).passes();
}

#[test]
fn hunks_that_touch_are_one_stretch() {
    let patch = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -3,2 +3,2 @@\n c\n-d\n+D\n";
    let joined = "--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n-d\n+D\n";
    Case::plain(patch).passes();
    Case::plain(patch).with_diff(patch, joined).passes();
}

#[test]
fn hunks_out_of_order_must_stand_as_they_are() {
    let patch = "--- a/f\n+++ b/f\n@@ -5 +5 @@\n-a\n+A\n@@ -1 +1 @@\n-b\n+B\n";
    Case::plain(patch).passes();
    Case::plain(patch)
        .with_diff("-b\n+B", "-B\n+b")
        .is_refused(Hidden::FactLost {
            file: b"f".to_vec(),
        });
}

#[test]
fn wrong_counts_are_seen() {
    let case = Case::plain(TWO_HUNKS);
    let refused = |case: Case, what, says, is| case.is_refused(Hidden::Count { what, says, is });
    refused(case.but(|r| r.input.files = 2), "input.files", 2, 1);
    refused(case.but(|r| r.input.hunks = 1), "input.hunks", 1, 2);
    refused(case.but(|r| r.input.added = 0), "input.added", 0, 2);
    refused(case.but(|r| r.input.removed = 0), "input.removed", 0, 2);
    refused(case.but(|r| r.input.binary = 1), "input.binary", 1, 0);
    refused(case.but(|r| r.moves_detected = 1), "moves_detected", 1, 0);
    refused(
        case.but(|r| r.total_lines_moved = 1),
        "total_lines_moved",
        1,
        0,
    );
    let changed = "total_lines_effectively_changed";
    refused(
        case.but(|r| r.total_lines_effectively_changed = 3),
        changed,
        3,
        4,
    );
}
