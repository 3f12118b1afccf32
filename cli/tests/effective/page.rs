//! `--format html`: a page about a patch.

use super::{Repo, lines};

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

#[test]
fn several_commits_are_summed_up_and_listed() {
    let repo = Repo::of(&[("a.py", &lines(1, 60))]);
    let moved = lines(1, 20) + &lines(31, 60) + &lines(21, 30);
    repo.commit(&[("a.py", &moved)]);
    repo.commit(&[("a.py", &moved), ("b.py", "one\ntwo\n")]);
    let patch = repo.git(&["log", "-p", "-2"]);
    let ran = repo.effective(&["--format", "html"], &patch);
    let page = ran.text();
    assert!(
        page.contains("1 move in all. 20 of 22 changed lines only moved; 2 left to read.</p>"),
        "{page}"
    );
    let items: Vec<&str> = page.lines().filter(|l| l.contains("href=\"#s")).collect();
    assert!(items[0].ends_with(" <small>2 lines left to read</small></li>"));
    assert!(items[1].ends_with(" <small>1 move, 0 lines left to read</small></li>"));
    for (at, item) in items.iter().enumerate() {
        let link = item.split("</a>").next().unwrap();
        let (id, title) = link.split_once('>').unwrap().1.split_once('>').unwrap();
        assert_eq!(id, format!("<a href=\"#s{at}\""));
        assert!(page.contains(&format!("<h2 id=\"s{at}\">{title}</h2>")));
    }
    let patch = repo.git(&["log", "-p", "-1"]);
    let twice = [&patch[..], b"\n", &patch].concat();
    let ran = repo.effective(&["--format", "html"], &twice);
    assert!(
        ran.text()
            .contains("Nothing moved; 4 lines to read in all.</p>")
    );
}
