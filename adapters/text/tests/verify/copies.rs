//! Copies: the old lines stay, the new ones may be omitted.

use crate::{Case, moved, new, old};
use mvdiff_text::effective::MoveKind;
use mvdiff_text::verify::Hidden;

const PATCH: &str = "\
diff --git a/f b/f
--- a/f
+++ b/f
@@ -1,3 +1,6 @@
 a
 b
 c
+a
+b
+really new
";

fn copied() -> Case {
    let left = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -3,0 +6 @@\n+really new\n";
    Case::plain(PATCH).with_diff(PATCH, left).but(|report| {
        let mut copy = moved(["f", "f"], [[1, 2], [4, 5]], &[[1, 4, 2]]);
        copy.kind = MoveKind::Copy;
        report.moves = vec![copy];
    })
}

#[test]
fn what_still_stands_in_the_old_file_was_copied() {
    copied().passes();
}

#[test]
fn a_genuinely_new_line_is_no_copy() {
    let case = copied().with_diff("@@ -3,0 +6 @@\n+really new\n", "");
    case.is_refused(Hidden::NotShown(new("f", 6)));
    let claimed = case.but(|report| {
        report.moves[0].source_lines = [1, 3];
        report.moves[0].target_lines = [4, 6];
        report.moves[0].pairs = vec![[1, 4, 3]];
    });
    claimed.is_refused(Hidden::Unequal {
        old: old("f", 3),
        new: new("f", 6),
    });
    let elsewhere = case.but(|report| {
        report.moves[0].source_lines = [2, 7];
        report.moves[0].target_lines = [6, 6];
        report.moves[0].pairs = vec![[7, 6, 1]];
    });
    elsewhere.is_refused(Hidden::NoSuchLine(old("f", 7)));
}

#[test]
fn a_copied_line_is_copied_once_and_did_not_stay() {
    let twice = copied().but(|report| report.moves.push(report.moves[0].clone()));
    twice.is_refused(Hidden::ClaimedTwice(new("f", 4)));
    let stayed = copied().but(|report| {
        report.moves[0].target_lines = [1, 2];
        report.moves[0].pairs = vec![[1, 1, 2]];
    });
    stayed.is_refused(Hidden::MovedButKept(new("f", 1)));
}

#[test]
fn a_copy_takes_nothing_away() {
    let called_move = copied().but(|report| report.moves[0].kind = MoveKind::Move);
    called_move.is_refused(Hidden::MovedButKept(old("f", 1)));
    let counted = copied().but(|report| report.total_lines_moved = 2);
    counted.is_refused(Hidden::Count {
        what: "total_lines_moved",
        says: 2,
        is: 0,
    });
    // A block that is only a copy does not excuse a missing blank line.
    let patch = "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-\n b\n+a\n";
    let case = Case::plain(patch).with_diff(patch, "").but(|report| {
        let mut copy = moved(["f", "f"], [[1, 3], [3, 3]], &[[1, 3, 1]]);
        copy.kind = MoveKind::Copy;
        report.moves = vec![copy];
        report.moves_detected = 1;
    });
    case.is_refused(Hidden::NotShown(old("f", 2)));
}

#[test]
fn an_edited_copy_shows_its_new_line() {
    let edited = copied().but(|report| {
        report.moves[0].source_lines = [1, 3];
        report.moves[0].target_lines = [4, 6];
        report.moves[0].edited_pairs = vec![[3, 6]];
        report.moves[0].effective_diff_lines = 1;
    });
    edited.passes();
    let hidden = edited.but(|report| report.moves[0].edited_pairs = vec![[3, 5]]);
    hidden.is_refused(Hidden::EditNotShown(new("f", 5)));
}
