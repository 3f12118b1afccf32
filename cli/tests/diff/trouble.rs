//! What cannot be done is said in one line.

use super::Dir;

#[test]
fn a_missing_file() {
    let dir = Dir::of(b"", b"");
    dir.diff(&["nowhere", "new"])
        .is_trouble("nowhere: cannot read");
    dir.diff(&["old", "nowhere"])
        .is_trouble("nowhere: cannot read");
}

#[test]
fn a_directory() {
    let dir = Dir::of(b"", b"");
    std::fs::create_dir(dir.path("folder")).unwrap();
    std::fs::create_dir(dir.path("folder/old")).unwrap();
    dir.diff(&["old", "folder"])
        .is_trouble("folder/old: is a directory");
}

#[cfg(unix)]
#[test]
fn an_unreadable_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = Dir::of(b"a\n", b"b\n");
    std::fs::set_permissions(dir.path("old"), std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::File::open(dir.path("old")).is_ok() {
        return; // the superuser reads everything
    }
    dir.diff(&["old", "new"]).is_trouble("old: cannot read");
}

#[test]
fn a_file_that_looks_like_a_workbook() {
    let like_one = b"PK\x03\x04 xl/workbook.xml and so on";
    let dir = Dir::of(like_one, b"text\n");
    let unlike = "new: is not a workbook, and old is;";
    dir.diff(&["old", "new"]).is_trouble(unlike);
    dir.diff(&["new", "old"]).is_trouble(unlike);
    assert_eq!(dir.diff(&["--as", "text", "old", "new"]).code, 1);
    Dir::of(like_one, b"PK\x03\x04 xl/workbook.xml, too")
        .diff(&["old", "new"])
        .is_trouble("old: ");
}

#[test]
fn another_archive_is_a_binary_file() {
    let dir = Dir::of(b"PK\x03\x04 word/document.xml and so on", b"text\n");
    let ran = dir.diff(&["old", "new"]);
    assert_eq!(ran.text(), "Binary files old and new differ\n");
    assert_eq!(ran.code, 1);
}

#[test]
fn a_threshold_that_is_no_share() {
    let dir = Dir::of(b"a\n", b"b\n");
    for threshold in ["1.5", "-0.1", "NaN", "much"] {
        let ran = dir.diff(&[&format!("--threshold={threshold}"), "old", "new"]);
        assert_eq!((ran.code, ran.text()), (2, ""));
        let said = ran.err.lines().next().unwrap_or_default();
        assert!(
            said.contains("--threshold") && said.contains("from 0 to 1"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn one_file_or_three() {
    let dir = Dir::of(b"a\n", b"b\n");
    for args in [&["old"][..], &["old", "new", "new"], &[]] {
        assert_eq!(dir.diff(args).code, 2);
    }
}

#[test]
fn control_characters_in_a_name_reach_no_terminal() {
    let ran = Dir::new(&[]).diff(&["no\u{1b}[31m\nwhere", "new"]);
    ran.is_trouble("cannot read");
    assert!(!ran.err.contains('\u{1b}'));
}

#[test]
fn backtraces_are_never_printed() {
    let dir = Dir::of(b"a\n", b"b\n");
    let ran = dir.diff_with(&["nowhere", "new"], b"", &[("RUST_BACKTRACE", "1")]);
    ran.is_trouble("nowhere");
}
