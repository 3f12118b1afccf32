//! Typical merges.

use crate::{merge, text, with};
use mvdiff_text::merge::{ConflictStyle, Favor, MergeOptions, MergeSide};

const BASE: &str = "\
import os

def total(order):
    items = order.items
    price = sum(item.price for item in items)
    return price * order.rate

def title(page):
    name = page.name.strip()
    words = name.split()
    return ' '.join(word.capitalize() for word in words)

def report(pages, orders):
    for page in pages:
        print(title(page))
    for order in orders:
        print(total(order))
";

/// The base with its second function first.
fn moved() -> String {
    let parts: Vec<&str> = BASE.split("\n\n").collect();
    [parts[0], parts[2], parts[1], parts[3]].join("\n\n")
}

#[test]
fn an_edit_lands_in_the_block_that_the_other_side_moved() {
    let edited = BASE.replace("page.name.strip()", "page.title.strip()");
    let wanted = moved().replace("page.name.strip()", "page.title.strip()");
    for (ours, theirs) in [(moved(), edited.clone()), (edited, moved())] {
        let merged = merge(BASE, &ours, &theirs);
        assert_eq!(text(&merged), wanted);
        assert!(merged.conflicts.is_empty());
        assert!(merged.applied.iter().any(|change| change.kind == "move"));
    }
}

#[test]
fn lines_added_and_deleted_in_a_moved_block_are_in_it() {
    let edited = BASE
        .replace(
            "    words = name.split()\n",
            "    words = name.split(' ')\n    words.sort()\n",
        )
        .replace("    price = sum(item.price for item in items)\n", "");
    let merged = merge(BASE, &moved(), &edited);
    let wanted = moved()
        .replace(
            "    words = name.split()\n",
            "    words = name.split(' ')\n    words.sort()\n",
        )
        .replace("    price = sum(item.price for item in items)\n", "");
    assert_eq!(text(&merged), wanted);
}

#[test]
fn both_edited_the_line_in_a_moved_block() {
    let ours = moved().replace("page.name.strip()", "page.name.lower()");
    let theirs = BASE.replace("page.name.strip()", "page.title.strip()");
    let merged = merge(BASE, &ours, &theirs);
    assert_eq!(merged.conflicts.len(), 1);
    let conflict = "<<<<<<< ours\n    name = page.name.lower()\n=======\n    name = page.title.strip()\n>>>>>>> theirs\n";
    let wanted = moved().replace("    name = page.name.strip()\n", conflict);
    assert_eq!(text(&merged), wanted);
    assert_eq!(merged.conflicts[0].base.len(), 1);
}

#[test]
fn both_moved_the_same_block() {
    let merged = merge(BASE, &moved(), &moved().replace("page.name", "page.title"));
    assert!(merged.conflicts.is_empty());
    assert_eq!(text(&merged), moved().replace("page.name", "page.title"));
}

#[test]
fn the_same_change_on_both_sides_is_no_conflict() {
    let same = BASE.replace("import os", "import sys");
    let merged = merge(BASE, &same, &same);
    assert_eq!(text(&merged), same);
    assert_eq!(merged.applied.len(), 1);
    assert_eq!(merged.applied[0].side, MergeSide::Both);
}

#[test]
fn conflicts_are_written_as_git_writes_them() {
    let (base, ours, theirs) = ("a\nb\nc\n", "a\nB\nc\n", "a\nX\nc\n");
    let options = |style| {
        let mut options = MergeOptions::default();
        options.markers.style = style;
        options
    };
    let merged = with(base, ours, theirs, &options(ConflictStyle::Merge));
    assert_eq!(
        text(&merged),
        "a\n<<<<<<< ours\nB\n=======\nX\n>>>>>>> theirs\nc\n"
    );
    assert_eq!(merged.conflicts[0].line, 2);
    let merged = with(base, ours, theirs, &options(ConflictStyle::Diff3));
    assert_eq!(
        text(&merged),
        "a\n<<<<<<< ours\nB\n||||||| base\nb\n=======\nX\n>>>>>>> theirs\nc\n"
    );
    let mut wide = options(ConflictStyle::Merge);
    (wide.markers.size, wide.markers.labels) = (9, ["main", "", "topic"].map(str::to_owned));
    let merged = with(base, ours, theirs, &wide);
    assert_eq!(
        text(&merged),
        "a\n<<<<<<<<< main\nB\n=========\nX\n>>>>>>>>> topic\nc\n"
    );
    for (favor, wanted) in [
        (Favor::Ours, "a\nB\nc\n"),
        (Favor::Theirs, "a\nX\nc\n"),
        (Favor::Union, "a\nB\nX\nc\n"),
    ] {
        let options = MergeOptions {
            favor: Some(favor),
            ..MergeOptions::default()
        };
        let merged = with(base, ours, theirs, &options);
        assert_eq!(
            (text(&merged).as_str(), merged.conflicts.len()),
            (wanted, 0)
        );
    }
}

#[test]
fn a_missing_newline_joins_no_lines() {
    let merged = merge("a\nb\nc", "a\nb\nC", "a\nb\nd");
    assert_eq!(
        text(&merged),
        "a\nb\n<<<<<<< ours\nC\n=======\nd\n>>>>>>> theirs\n"
    );
    let merged = merge("a\nb\nc\nd\ne", "a\nb\nc\nd\nE", "A\nb\nc\nd\ne");
    assert_eq!(text(&merged), "A\nb\nc\nd\nE");
}

#[test]
fn carriage_returns_are_those_of_the_file() {
    let merged = merge("a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n", "a\r\nX\r\nc\r\n");
    assert_eq!(
        text(&merged),
        "a\r\n<<<<<<< ours\r\nB\r\n=======\r\nX\r\n>>>>>>> theirs\r\nc\r\n"
    );
}

#[test]
fn what_both_added_without_a_base() {
    let merged = merge("", "a\nb\nc\n", "a\nx\nc\n");
    assert_eq!(merged.conflicts.len(), 1);
    assert!(merge("", "a\n", "a\n").conflicts.is_empty());
    assert_eq!(text(&merge("", "", "a\n")), "a\n");
}

#[test]
fn a_block_that_both_moved_elsewhere_is_not_there_twice_without_a_word() {
    let parts: Vec<&str> = BASE.trim_end().split("\n\n").collect();
    let of = |order: [usize; 4]| order.map(|at| parts[at]).join("\n\n") + "\n";
    let merged = merge(BASE, &of([2, 0, 1, 3]), &of([0, 1, 3, 2]));
    assert!(!merged.conflicts.is_empty(), "{}", text(&merged));
    for (ours, theirs) in [([2, 0, 1, 3], [0, 1, 3, 2]), ([0, 2, 1, 3], [2, 0, 1, 3])] {
        let merged = merge(BASE, &of(ours), &of(theirs));
        let made = text(&merged);
        let outside: Vec<&str> = made
            .split("<<<<<<<")
            .filter_map(|part| part.rsplit(">>>>>>>").next())
            .collect();
        assert!(outside.concat().matches("def title").count() <= 1, "{made}");
    }
}
