//! Text that is not understood is shown verbatim, next to moves that are.

use crate::{kinds, left};
use mvdiff_text::Text;
use mvdiff_text::effective::{Contents, EffectiveOptions, EffectiveReport, effective};
use mvdiff_text::patch::parse;
use mvdiff_text::verify::{Hidden, verify};
use std::fmt::Write as _;

const BUMP: &str = "Submodule lib 1234567..89abcde:\n  > a commit\n";

/// Two files between which five lines moved, with text before, between and after.
fn moved([before, between, behind]: [&str; 3]) -> String {
    let side = |mark: char| {
        (0..5).fold(String::new(), |mut lines, i| {
            let _ = writeln!(lines, "{mark}unique moved line number {i}");
            lines
        })
    };
    format!(
        "{before}diff -ru old/a new/a\n--- old/a\n+++ new/a\n@@ -1,5 +0,0 @@\n{}{between}\
         diff -ru old/b new/b\n--- old/b\n+++ new/b\n@@ -0,0 +1,5 @@\n{}{behind}",
        side('-'),
        side('+')
    )
}

fn report(patch: &str) -> EffectiveReport {
    let sets = parse(patch.as_bytes()).expect("a patch");
    effective(&sets[0], &Contents::default(), &EffectiveOptions::default()).expect("a report")
}

#[test]
fn it_stands_where_it_stood_and_moves_are_still_found() {
    for said in [BUMP, "Only in new: backdoor.py\n", "x: mode changed\n"] {
        for text in [["", said, ""], ["", "", said], ["", said, said]] {
            let patch = moved(text);
            let report = report(&patch);
            assert_eq!(report.moves_detected, 1, "{patch}");
            assert_eq!(left(&report), text.concat(), "{patch}");
            assert!(!report.complete);
            let count = text.iter().filter(|text| !text.is_empty()).count();
            assert_eq!(report.input.remarks as usize, count);
            assert_eq!(kinds(&report), vec!["unread"; count]);
            assert!(
                report.notes[0]
                    .message
                    .contains(said.lines().next().expect("a line"))
            );
        }
    }
}

#[test]
fn a_last_line_without_a_newline_is_no_part_of_another() {
    let patch = moved(["", "", "d"]).replace("+++ new/b", "+++ new/c");
    let report = report(&patch);
    assert_eq!(
        (report.moves_detected, kinds(&report)),
        (1, vec!["unread".to_owned()])
    );
    assert!(left(&report).ends_with("\nd"), "{}", left(&report));
}

#[test]
fn a_bump_alone_is_all_of_the_diff() {
    let report = report(BUMP);
    assert_eq!(left(&report), BUMP);
    assert!(!report.complete);
}

#[test]
fn the_check_misses_what_is_left_out() {
    let patch = moved(["", BUMP, ""]);
    let sets = parse(patch.as_bytes()).expect("a patch");
    let whole = report(&patch);
    let contents = Contents::default();
    assert_eq!(verify(&sets[0], &contents, &whole), Ok(()));
    let mut without = whole.clone();
    without.effective_diff = Text(Vec::new());
    let line = BUMP.lines().next().expect("a line").into();
    assert_eq!(
        verify(&sets[0], &contents, &without),
        Err(Hidden::RemarkLost { line })
    );
    let mut cut = whole.clone();
    cut.effective_diff = Text(BUMP.replace("  > a commit\n", "").into());
    verify(&sets[0], &contents, &cut).expect_err("a part of it");
    let mut twice = whole;
    twice.effective_diff = Text(BUMP.repeat(2).into());
    verify(&sets[0], &contents, &twice).expect_err("more than there is");
}

#[test]
fn a_remark_on_binary_files_does_not_switch_moves_off() {
    let binary = "Binary files old/b.bin and new/b.bin differ\n";
    for text in [[binary, "", ""], ["", binary, ""], ["", "", binary]] {
        let report = report(&moved(text));
        assert_eq!(
            (report.moves_detected, report.complete),
            (1, true),
            "{text:?}"
        );
        assert_eq!(left(&report), binary);
    }
}

#[test]
fn a_line_of_a_head_that_no_rule_knows_is_not_dropped_with_the_head() {
    let patch = moved(["", "", ""]).replace(
        "diff -ru old/a new/a\n",
        "diff --git a/a b/a\nfuture fact 7\nindex 1..2\n",
    );
    let report = report(&patch);
    assert_eq!(report.moves_detected, 1);
    assert!(
        left(&report).contains("future fact 7\n"),
        "{}",
        left(&report)
    );
}

#[test]
fn a_file_that_only_its_names_call_new_or_gone_keeps_them() {
    let patch = moved(["", "", ""])
        .replace("diff -ru old/a new/a", "diff --git a/a b/a")
        .replace("diff -ru old/b new/b", "diff --git a/b b/b")
        .replace("+++ new/a", "+++ /dev/null")
        .replace("--- old/b", "--- /dev/null")
        .replace("--- old/a", "--- a/a")
        .replace("+++ new/b", "+++ b/b");
    let report = report(&patch);
    assert_eq!((report.moves_detected, kinds(&report).len()), (1, 0));
    assert!(
        left(&report).contains("+++ /dev/null\n"),
        "{}",
        left(&report)
    );
    assert!(
        left(&report).contains("--- /dev/null\n"),
        "{}",
        left(&report)
    );
}

#[test]
fn a_bare_line_is_told_apart_from_the_head_that_begins_with_it() {
    let git = moved(["", "", ""])
        .replace(
            "diff -ru old/a new/a",
            "diff --git a/a b/a\nold mode 100644\nnew mode 100755",
        )
        .replace("old/", "a/")
        .replace("new/", "b/");
    let bare = "diff --git a/a b/a\n";
    for patch in [format!("{bare}{git}"), format!("{git}{bare}")] {
        let report = report(&patch);
        assert_eq!(report.moves_detected, 1, "{:?}", report.notes);
        assert_eq!(kinds(&report), ["unread"]);
        assert_eq!(left(&report).matches(bare).count(), 2);
    }
}

#[test]
fn many_sections_with_one_head_are_read_in_one_pass() {
    // A hundred thousand of them took minutes when each was compared with all
    // others.
    let same = "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n".repeat(40_000);
    assert_eq!(left(&report(&same)), same);
    let new = (0..20_000).fold(String::new(), |mut patch, i| {
        let _ = write!(
            patch,
            "--- /dev/null\n+++ b/f{i}\n@@ -0,0 +1 @@\n+line {i}\n"
        );
        patch
    });
    assert_eq!(left(&report(&new)), new);
}
