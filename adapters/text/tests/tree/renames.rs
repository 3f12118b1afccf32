//! Which files are paired.

use crate::{Files, block, files, replayed, report};
use mvdiff_text::tree::{FileStatus, TreeReport};

/// Old and new paths of renamed files.
fn renamed(report: &TreeReport) -> Vec<(String, String)> {
    let files = report.files.iter();
    let renamed = files.filter(|file| file.status == FileStatus::Renamed);
    let path = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    renamed
        .map(|file| (path(&file.old_path.as_ref().unwrap().0), path(&file.path.0)))
        .collect()
}

fn pairs(old: &Files, new: &Files) -> Vec<(String, String)> {
    let report = report(old, new);
    assert_eq!(&replayed(old, &report).unwrap(), new);
    renamed(&report)
}

fn is(pairs: &[(String, String)], expected: &[(&str, &str)]) {
    let found: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (&a[..], &b[..])).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_file_with_the_same_bytes_elsewhere_was_renamed() {
    let old = files(&[("a.txt", &block("a")), ("b.txt", &block("b"))]);
    let new = files(&[("a.txt", &block("a")), ("dir/c.txt", &block("b"))]);
    is(&pairs(&old, &new), &[("b.txt", "dir/c.txt")]);
    let report = report(&old, &new);
    assert_eq!(report.files[0].similarity, Some(1.0));
    assert!(report.moves.is_empty() && report.files[0].changes.is_empty());
}

#[test]
fn of_several_equal_files_those_whose_paths_end_alike_are_one() {
    let text = block("same");
    let old = files(&[
        ("old/a/init", &text),
        ("old/b/init", &text),
        ("old/b/main", &text),
    ]);
    let new = files(&[
        ("new/b/init", &text),
        ("new/c/main", &text),
        ("new/a/init", &text),
        ("new/z", &text),
    ]);
    is(
        &pairs(&old, &new),
        &[
            ("old/a/init", "new/a/init"),
            ("old/b/init", "new/b/init"),
            ("old/b/main", "new/c/main"),
        ],
    );
}

#[test]
fn half_of_a_file_in_common_is_enough_and_less_is_not() {
    let (a, b, c) = (block("one"), block("two"), block("six"));
    let old = files(&[("old", &[&a[..], &b].concat())]);
    let half = files(&[("new", &[&a[..], &c].concat())]);
    is(&pairs(&old, &half), &[("old", "new")]);
    let less = files(&[("new", &[&a[..], &c, &c.replace("six", "ten")].concat())]);
    is(&pairs(&old, &less), &[]);
}

#[test]
fn the_best_of_several_is_taken() {
    let (a, b) = (block("one"), block("two"));
    let old = files(&[("old", &[&a[..], &b].concat())]);
    let new = files(&[("new1", &a), ("new2", &[&a[..], &b, "more\n"].concat())]);
    is(&pairs(&old, &new), &[("old", "new2")]);
}

#[test]
fn two_files_that_changed_names_stay_where_they_are() {
    let old = files(&[("a", &block("a")), ("b", &block("b"))]);
    let new = files(&[("a", &block("b")), ("b", &block("a"))]);
    let report = report(&old, &new);
    assert_eq!(replayed(&old, &report).unwrap(), new);
    // As in git, a path that exists on both sides is one file.
    assert!(renamed(&report).is_empty());
    assert_eq!(report.moves.len(), 2);
}

#[test]
fn empty_files_are_renamed_only_to_empty_files() {
    let old = files(&[("a", "")]);
    is(&pairs(&old, &files(&[("b", "")])), &[("a", "b")]);
    is(&pairs(&old, &files(&[("b", "x\n")])), &[]);
}

#[test]
fn a_renamed_file_takes_its_mode_along() {
    let mut old = files(&[("a", &block("a"))]);
    old.get_mut(&b"a"[..]).unwrap().0 = crate::SCRIPT;
    let mut new = files(&[("b", &(block("a") + "more\n"))]);
    new.get_mut(&b"b"[..]).unwrap().0 = crate::SCRIPT;
    is(&pairs(&old, &new), &[("a", "b")]);
    assert_eq!(report(&old, &new).files[0].mode, None);
}
