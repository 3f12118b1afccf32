//! The notes of a report.

use crate::{AROUND, Change, GREET, TOTAL, asked, kinds, left};
use mvdiff_text::effective::{Contents, EffectiveOptions, FileContents, Source, effective};
use mvdiff_text::patch::parse;
use mvdiff_text::verify::verify;

#[test]
fn of_two_places_as_good_as_each_other_one_is_taken_and_the_other_named() {
    let change = Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND)
        .and_file("b.rs", [GREET, TOTAL].concat(), GREET)
        .and_file("c.rs", "mod c;\n", ["mod c;\n", TOTAL].concat());
    for report in [change.report(), change.hunks_alone()] {
        assert_eq!(report.moves_detected, 1, "{}", left(&report));
        assert_eq!(report.total_lines_effectively_changed, 6);
        assert_eq!(report.moves[0].source_file.0, b"a.rs");
        assert_eq!(report.moves[0].twins[0].file.0, b"b.rs");
        assert!(report.complete);
    }
}

#[test]
fn nothing_to_say_is_no_note() {
    let report = Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND).report();
    assert_eq!(report.notes, []);
    assert!(report.complete);
}

#[test]
fn contents_of_another_version_are_said_not_to_fit() {
    let old = [AROUND, TOTAL].concat();
    let change = Change::file("a.rs", &old, AROUND);
    let wrong = old.replace("4096", "1");
    let sides = [
        (wrong.as_str(), AROUND),
        (old.as_str(), wrong.as_str()),
        ("", AROUND),
        (old.as_str(), ""),
    ];
    for (old, new) in sides {
        let contents = Contents {
            source: Source::Repo,
            files: vec![FileContents {
                old: Some(old.as_bytes()),
                new: Some(new.as_bytes()),
            }],
            others: Vec::new(),
        };
        let report = asked(&change.patch, &contents, &EffectiveOptions::default());
        assert_eq!(kinds(&report), ["contents"]);
        assert!(!report.complete);
        assert_eq!(report.total_lines_effectively_changed, 6);
    }
}

#[test]
fn one_side_of_the_contents_is_not_enough() {
    let change = Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND);
    let contents = Contents {
        source: Source::Dirs,
        files: vec![FileContents {
            old: None,
            new: Some(AROUND.as_bytes()),
        }],
        others: Vec::new(),
    };
    let report = asked(&change.patch, &contents, &EffectiveOptions::default());
    assert_eq!(kinds(&report), ["contents"]);
}

/// Two hunks, the second of which starts before the first ends.
const OVERLAPPING: &str = "\
--- a/x
+++ b/x
@@ -1,3 +1,3 @@
 one
-two
+2
 three
@@ -2,2 +2,2 @@
 two
-three
+3
";

#[test]
fn hunks_that_contradict_each_other_are_shown_as_they_came() {
    let report = asked(
        OVERLAPPING.as_bytes(),
        &Contents::default(),
        &EffectiveOptions::default(),
    );
    assert_eq!(kinds(&report), ["hunks"]);
    assert!(!report.complete);
    assert_eq!(left(&report), OVERLAPPING);
}

#[test]
fn a_path_that_two_files_have_is_shown_as_it_came() {
    let once = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two\n";
    let patch = once.repeat(2);
    let report = asked(
        patch.as_bytes(),
        &Contents::default(),
        &EffectiveOptions::default(),
    );
    assert_eq!(kinds(&report), ["hunks", "hunks"]);
    assert_eq!(left(&report), patch);
}

/// A patch with a hunk removed: the second hunk is one line farther down in the
/// old file than in the new one, for no visible reason.
const HUNK_TAKEN_OUT: &str = "\
--- a/x
+++ b/x
@@ -1,2 +1,2 @@
-one
+1
 two
@@ -9,2 +8,2 @@
-nine
+9
 ten
";

#[test]
fn hunks_unequally_far_apart_are_no_reason_to_take_back_the_answer() {
    let moved = Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND).and_file(
        "b.rs",
        GREET,
        [GREET, TOTAL].concat(),
    );
    let patch = [HUNK_TAKEN_OUT.as_bytes(), &moved.patch].concat();
    let changesets = parse(&patch).unwrap();
    let contents = Contents::default();
    let report = effective(&changesets[0], &contents, &EffectiveOptions::default()).unwrap();
    assert_eq!(kinds(&report), ["hunks"]);
    assert_eq!(report.moves_detected, 1);
    assert_eq!(verify(&changesets[0], &contents, &report), Ok(()));
}

/// A patch in which a file lost everything but the first line of its header.
#[test]
fn a_preamble_that_looks_like_a_head_is_none() {
    let patch = "diff --git a/x b/x\ndiff --git a/x b/x\nindex 1111111..2222222 100644\n\
                 --- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two\n";
    asked(
        patch.as_bytes(),
        &Contents::default(),
        &EffectiveOptions::default(),
    );
}
