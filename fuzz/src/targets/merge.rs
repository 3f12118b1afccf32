//! What one side did is the result of a merge, and what both did is done once.

use super::changed;
use super::grid::three_books;
use super::numbers;
use mvdiff_grid::{Options, Workbook, apply, merge_workbooks};
use mvdiff_text::merge::{ConflictStyle, MarkerOptions, MergeOptions, merge_texts};

pub(crate) fn texts(input: &[u8]) {
    let base = input;
    let (ours, theirs) = (changed(base, 7), changed(base, 11));
    let options = MergeOptions::default();
    let merge = |base: &[u8], ours: &[u8], theirs: &[u8]| {
        merge_texts(base, ours, theirs, &options).expect("a merge")
    };
    for (one, other, wanted) in [
        (&ours[..], base, &ours[..]),
        (base, &theirs, &theirs),
        (&ours, &ours, &ours),
    ] {
        let merged = merge(base, one, other);
        assert!(merged.conflicts.is_empty());
        assert_eq!(merged.bytes, wanted);
    }
    let merged = merge(base, &ours, &theirs);
    assert_eq!(merged, merge(base, &ours, &theirs));
    for conflict in &merged.conflicts {
        let mut lines = merged.bytes.split(|byte| *byte == b'\n');
        let marker = lines.nth(conflict.line as usize - 1).unwrap_or_default();
        assert!(marker.starts_with(b"<<<<<<< ours"), "its line is named");
    }
    let other = merge(base, &theirs, &ours);
    if merged.conflicts.is_empty() && other.conflicts.is_empty() {
        let sorted = |text: &[u8]| {
            let mut lines: Vec<Vec<u8>> = text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&merged.bytes), sorted(&other.bytes));
    }
    for style in [ConflictStyle::Diff3, ConflictStyle::Zdiff3] {
        let markers = MarkerOptions {
            style,
            ..MarkerOptions::default()
        };
        let options = MergeOptions {
            markers,
            ..MergeOptions::default()
        };
        merge_texts(base, &ours, &theirs, &options).expect("a merge");
    }
}

pub(crate) fn books(input: &[u8]) {
    let random = &mut numbers(input);
    let [base, ours, theirs] = three_books(input, random);
    let merge = |ours: &Workbook, theirs: &Workbook| {
        let merged = merge_workbooks(&base, ours, theirs, &Options::default()).expect("a merge");
        let made = apply(ours, &merged.report).expect("a report on ours");
        (merged, made)
    };
    let (one, other, wanted) = [
        (&ours, &base, &ours),
        (&base, &theirs, &theirs),
        (&ours, &ours, &ours),
    ][random.below(3)];
    let (merged, made) = merge(one, other);
    assert!(merged.conflicts.is_empty() && made.same(wanted));
    let (merged, made) = merge(&ours, &theirs);
    let marked = merged.marked(&ours).expect("marks");
    let mut without = apply(&ours, &marked).expect("marks fit");
    without.sheets.truncate(made.sheets.len());
    assert!(without.same(&made), "marks leave cells as they are");
}
