//! Merges: the new lines have a place of their own, the old ones may be omitted.

use crate::{Case, moved, new, old};
use mvdiff_text::effective::MoveKind;
use mvdiff_text::verify::Hidden;

const PATCH: &str = "\
diff --git a/f b/f
--- a/f
+++ b/f
@@ -1,6 +1,3 @@
 a
 b
 c
-a
-b
-really gone
";

fn merged() -> Case {
    let left = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -6 +3,0 @@\n-really gone\n";
    Case::plain(PATCH).with_diff(PATCH, left).but(|report| {
        let mut merge = moved(["f", "f"], [[4, 5], [1, 2]], &[[4, 1, 2]]);
        merge.kind = MoveKind::Merge;
        report.moves = vec![merge];
    })
}

#[test]
fn what_is_still_in_the_new_file_was_merged() {
    merged().passes();
}

#[test]
fn a_line_that_is_gone_is_not_merged() {
    let case = merged().with_diff("@@ -6 +3,0 @@\n-really gone\n", "");
    case.is_refused(Hidden::NotShown(old("f", 6)));
    let claimed = case.but(|report| {
        report.moves[0].source_lines = [4, 6];
        report.moves[0].target_lines = [1, 3];
        report.moves[0].pairs = vec![[4, 1, 3]];
    });
    claimed.is_refused(Hidden::Unequal {
        old: old("f", 6),
        new: new("f", 3),
    });
}

#[test]
fn a_merged_line_is_merged_once_and_did_not_stay() {
    let twice = merged().but(|report| report.moves.push(report.moves[0].clone()));
    twice.is_refused(Hidden::ClaimedTwice(old("f", 4)));
    let stayed = merged().but(|report| {
        report.moves[0].source_lines = [1, 2];
        report.moves[0].pairs = vec![[1, 1, 2]];
    });
    stayed.is_refused(Hidden::MovedButKept(old("f", 1)));
    let called_move = merged().but(|report| report.moves[0].kind = MoveKind::Move);
    called_move.is_refused(Hidden::MovedButKept(new("f", 1)));
}
