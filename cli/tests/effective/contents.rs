//! Whole files: from directories and repositories, and never from elsewhere.

use super::{Repo, lines};
use serde_json::Value;

/// A repository with two commits, the diff between them, and their trees
/// beside it in `old` and `new`.
fn trees() -> (Repo, Vec<u8>) {
    let repo = Repo::of(&[("a", &lines(1, 30)), ("gone", "1\n2\n")]);
    repo.git(&["rm", "--quiet", "gone"]);
    repo.commit(&[("a", &lines(3, 31)), ("come", "3\n4\n")]);
    for (name, commit) in [("old", "HEAD~1"), ("new", "HEAD")] {
        let target = repo.beside(name).to_string_lossy().into_owned();
        repo.git(&["worktree", "add", "--quiet", "--detach", &target, commit]);
        std::fs::remove_file(repo.beside(name).join(".git")).unwrap();
    }
    let patch = repo.git(&["diff", "HEAD~1", "HEAD"]);
    (repo, patch)
}

const DIRS: &[&str] = &["--old", "old", "--new", "new"];

#[track_caller]
fn is_complete(report: &Value, contents: &str) {
    assert_eq!(report["contents"], contents);
    assert_eq!(report["complete"], true);
    assert_eq!(report["notes"], Value::Array(Vec::new()));
    assert_eq!(report["recipe"].is_array(), contents != "none");
    let counts = serde_json::json!({"files":3,"hunks":4,"added":3,"removed":4,"binary":0});
    assert_eq!(report["input"], counts);
}

/// The contents were not had, and that is said: exit code 0, and the same
/// counts from the hunks alone.
#[track_caller]
fn is_degraded(report: &Value, contents: &str, says: &str) {
    assert_eq!(report["contents"], contents);
    assert_eq!(report["complete"], false);
    assert_eq!(report["notes"][0]["kind"], "contents");
    let note = report["notes"][0]["message"].as_str().unwrap();
    assert!(note.contains(says), "{note}");
}

#[test]
fn from_two_directories() {
    let (repo, patch) = trees();
    is_complete(&repo.report(DIRS, &patch), "dirs");
}

#[test]
fn from_a_repository_that_is_named() {
    let (repo, patch) = trees();
    is_complete(&repo.report(&["--repo", "work"], &patch), "repo");
}

#[test]
fn from_the_repository_around() {
    let (repo, patch) = trees();
    let ran = repo.effective_in("", &["--format=json"], &patch);
    is_complete(&ran.json(), "repo");
}

#[test]
fn from_the_hunks_alone() {
    let (repo, patch) = trees();
    is_complete(&repo.report(&[], &patch), "none");
    // A repository that does not know of it is not asked, nor complained of.
    let other = Repo::of(&[("a", "something else\n")]);
    let ran = other.effective_in("", &["--format=json"], &patch);
    is_complete(&ran.json(), "none");
}

#[test]
fn from_the_hunks_where_all_is_said_in_them() {
    let repo = Repo::of(&[("a", "1\n")]);
    repo.commit(&[("b", "2\n")]);
    let patch = repo.git(&["diff", "HEAD~1", "HEAD"]);
    let around = repo.effective_in("", &["--format=json"], &patch).json();
    assert_eq!(around["contents"], "repo");
    let other = Repo::new();
    let around = other.effective_in("", &["--format=json"], &patch).json();
    assert_eq!(around["contents"], "none");
}

#[test]
fn a_side_that_is_not_there_follows_from_the_other() {
    for side in ["old", "new"] {
        let (repo, patch) = trees();
        std::fs::remove_file(repo.beside(side).join("a")).unwrap();
        is_complete(&repo.report(DIRS, &patch), "dirs");
    }
}

#[test]
fn the_wrong_trees() {
    let (repo, patch) = trees();
    let swapped = ["--old", "new", "--new", "old"];
    is_degraded(
        &repo.report(&swapped, &patch),
        "none",
        "no file of the patch",
    );
    let other = Repo::of(&[("a", "something else\n")]);
    let report = other.report(&["--repo", "work"], &patch);
    is_degraded(&report, "none", "no file of the patch");
}

#[test]
fn one_file_of_the_wrong_tree() {
    let (repo, _) = trees();
    let two = |name: &str| repo.beside(name).join("b");
    std::fs::write(two("old"), lines(1, 9)).unwrap();
    std::fs::write(two("new"), lines(1, 10)).unwrap();
    let diff = ["diff", "--no-index", "--no-prefix", "../old", "../new"];
    let diff = repo.git_command().args(diff).output().unwrap().stdout;
    let patch = String::from_utf8(diff).unwrap();
    let patch = patch.replace("../old/", "a/").replace("../new/", "b/");
    std::fs::write(two("new"), lines(1, 11)).unwrap();
    let report = repo.report(DIRS, patch.as_bytes());
    is_degraded(
        &report,
        "dirs",
        "b: the two directories hold something else",
    );
    let ran = repo.effective(DIRS, patch.as_bytes());
    assert_eq!(ran.code, 0);
    assert!(ran.err.starts_with("mvdiff: note: b: "), "{}", ran.err);
}

/// A patch that changes the one line of the file at `path`.
fn change_of(path: &str) -> Vec<u8> {
    format!(
        "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n\
         @@ -1 +1 @@\n-secret\n+public\n"
    )
    .into_bytes()
}

#[test]
fn paths_that_lead_outside_are_not_followed() {
    let repo = Repo::new();
    for name in ["old", "new", "elsewhere"] {
        std::fs::create_dir(repo.beside(name)).unwrap();
    }
    let secret = repo.beside("elsewhere/file");
    std::fs::write(&secret, "secret\n").unwrap();
    #[cfg(unix)]
    for name in ["old", "new"] {
        let link = repo.beside(name).join("link");
        std::os::unix::fs::symlink("../elsewhere", link).unwrap();
    }
    let absolute = secret.to_string_lossy().into_owned();
    for path in [
        "../elsewhere/file",
        "x/../../elsewhere/file",
        "link/file",
        &absolute,
    ] {
        let patch = change_of(path);
        is_degraded(&repo.report(DIRS, &patch), "none", "no file of the patch");
        let report = repo.report(&["--repo", "work"], &patch);
        is_degraded(&report, "none", "no file of the patch");
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_read_as_its_target_and_a_pipe_not_at_all() {
    let repo = Repo::new();
    for name in ["old", "new"] {
        let root = repo.beside(name);
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("real"), "secret\n").unwrap();
        std::os::unix::fs::symlink("real", root.join("link")).unwrap();
        let pipe = root.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(pipe).status();
        assert!(made.unwrap().success());
    }
    for path in ["link", "pipe"] {
        let report = repo.report(DIRS, &change_of(path));
        is_degraded(&report, "none", "no file of the patch");
    }
}

#[test]
fn ids_that_are_none_are_not_asked_for() {
    let repo = Repo::of(&[("a", "secret\n")]);
    for id in ["HEAD:a", "main", "-p", "0000000", "zzzzzzz"] {
        let patch = String::from_utf8(change_of("b")).unwrap();
        let patch = patch.replace("--- a/b", &format!("index {id}..{id} 100644\n--- a/b"));
        let ran = repo.effective_in("", &["--format=json"], patch.as_bytes());
        // The parser may refuse such a line, too.
        if ran.code == 0 {
            assert_eq!(ran.json()["contents"], "none");
        }
    }
}

#[test]
fn a_directory_that_is_none() {
    let (repo, patch) = trees();
    repo.effective(&["--old", "old", "--new", "nowhere"], &patch)
        .is_trouble("nowhere: not a directory");
    repo.effective(&["--repo", "nowhere"], &patch)
        .is_trouble("nowhere: not a directory");
    std::fs::create_dir(repo.beside("plain")).unwrap();
    repo.effective(&["--repo", "plain"], &patch)
        .is_trouble("plain: not a git repository");
    repo.effective(&["--old", "old"], &patch)
        .is_trouble("--new");
    repo.effective(&["--repo", "work", "--old", "old", "--new", "new"], &patch)
        .is_trouble("--repo");
}

#[test]
fn a_repository_does_not_say_where_its_working_tree_is() {
    let repo = Repo::of(&[("x", "x\n")]);
    std::fs::create_dir_all(repo.beside("secret")).unwrap();
    let secret = "top secret\nl2\nmore secret\n";
    std::fs::write(repo.beside("secret/a.txt"), secret).unwrap();
    std::fs::write(repo.path("b.txt"), secret).unwrap();
    let patch =
        |name: &str| format!("--- a/{name}\n+++ b/{name}\n@@ -2 +2 @@\n-l2\n+l2x\n").into_bytes();
    let read = |name: &str| {
        let report = repo.report(&["--repo", "work"], &patch(name));
        report["recipe"].to_string().contains("\"kept\"")
    };
    for place in ["secret", ""] {
        let place = repo.beside(place).to_string_lossy().into_owned();
        repo.git(&["config", "core.worktree", &place]);
        assert!(!read("a.txt"), "{place}");
        assert!(!read("secret/a.txt"), "{place}");
        assert!(read("b.txt"), "{place}: its own folder is read");
    }
}
