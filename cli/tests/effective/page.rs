//! `--format html`: a page about a patch.

use crate::{Repo, lines};

/// Ten lines of one file went to another.
fn moved() -> (Repo, Vec<u8>) {
    let repo = Repo::of(&[("a.py", &lines(1, 60)), ("b.py", &lines(100, 140))]);
    let stays = lines(1, 20) + &lines(31, 60);
    repo.write("a.py", stays);
    repo.write("b.py", lines(100, 120) + &lines(21, 30) + &lines(121, 140));
    let patch = repo.git(&["diff"]);
    (repo, patch)
}

#[test]
fn whole_files_are_folded_and_hunks_alone_have_gaps() {
    let (repo, patch) = moved();
    let with = repo.effective_in("", &["--format", "html"], &patch);
    assert_eq!((with.code, &with.err[..]), (0, ""));
    assert!(
        with.text()
            .contains("<summary>… 17 unchanged lines</summary>")
    );
    assert!(with.text().contains("M1 → b.py:22-31</a> moved away"));
    let without = repo.effective(&["--format", "html"], &patch);
    assert!(
        without
            .text()
            .contains("17 unchanged lines that are not in the patch")
    );
    assert!(without.text().contains("M1 ← a.py:21-30</a> moved here"));
}

#[test]
fn the_exit_code_tells_on_request_whether_something_is_left() {
    let (repo, patch) = moved();
    let args = ["--format", "html", "--exit-code"];
    assert_eq!(repo.effective(&args, &patch).code, 1);
    assert_eq!(repo.effective(&args, b"").code, 0);
}

#[test]
fn the_title_is_what_was_asked_for() {
    let (repo, patch) = moved();
    std::fs::write(repo.beside("change.patch"), patch).unwrap();
    let ran = repo.effective(&["--format", "html", "change.patch"], b"");
    assert!(ran.text().contains("<h1>change.patch: 2 files</h1>"));
    let ran = repo.run(
        &repo.path(""),
        &["git", "--format", "html", "HEAD"],
        b"",
        &[],
    );
    assert!(ran.text().contains("<h1>HEAD: 2 files</h1>"));
}
