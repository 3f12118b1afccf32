//! What cannot be done is said in one line.

use super::Repo;

#[test]
fn a_patch_that_is_not_there() {
    let repo = Repo::none();
    repo.effective(&["nowhere"], b"")
        .is_trouble("nowhere: cannot read");
    repo.effective(&["work"], b"").is_trouble("is a directory");
}

#[test]
fn a_patch_that_ends_too_early() {
    let repo = Repo::none();
    let patch = b"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n";
    repo.effective(&[], patch).is_trouble("-: line ");
    std::fs::write(repo.beside("patch"), patch).unwrap();
    repo.effective(&["patch"], b"").is_trouble("patch: line ");
}

#[test]
fn trouble_leaves_the_output_file_alone() {
    let repo = Repo::none();
    std::fs::write(repo.beside("out"), "of yesterday\n").unwrap();
    repo.effective(&["-o", "out", "nowhere"], b"")
        .is_trouble("nowhere");
    let out = std::fs::read(repo.beside("out")).unwrap();
    assert_eq!(out, b"of yesterday\n");
}

#[test]
fn options_that_make_no_sense() {
    let repo = Repo::none();
    for args in [
        &["--threshold", "2"][..],
        &["--min-score", "-1"],
        &["--no-moves", "--copies"],
        &["--whitespace", "some"],
        &["--gap", "x"],
    ] {
        let ran = repo.effective(args, b"");
        assert_eq!((ran.code, ran.text()), (2, ""), "{args:?}");
    }
}

#[test]
fn a_hunk_at_the_last_line_there_can_be() {
    let repo = Repo::new();
    let patch = b"--- a/f\n+++ b/f\n@@ -4294967295,0 +4294967294 @@\n+x\n";
    for format in ["terminal", "html", "unified", "json"] {
        let ran = repo.effective(&["--format", format], patch);
        assert_eq!(ran.code, 0, "{format}: {}", ran.err);
        assert!(!ran.out.is_empty());
    }
}
