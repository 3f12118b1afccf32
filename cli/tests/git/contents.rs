//! Whole files, from the objects and from the working tree.

use super::{Repo, files, lines};
use serde_json::Value;

/// Everything was found, and the report can be replayed.
#[track_caller]
fn is_complete(report: &Value) {
    assert_eq!(report["notes"], Value::Array(Vec::new()));
    assert_eq!(report["complete"], true);
    assert_eq!(report["contents"], "repo");
    assert!(report["recipe"].is_array());
}

/// A file that was only renamed, one that was renamed and changed, one that
/// changed its mode, one that came and one that went.
fn of_all_kinds() -> Repo {
    let (one, two) = (lines(1, 30), lines(50, 80));
    let repo = Repo::of(&[
        ("kept", &one),
        ("changed", &two),
        ("mode", "x\n"),
        ("gone", "y\n"),
        ("empty", ""),
    ]);
    repo.git(&["mv", "kept", "kept.new"]);
    repo.git(&["mv", "changed", "changed.new"]);
    repo.git(&["rm", "--quiet", "gone", "empty"]);
    repo.git(&["update-index", "--chmod=+x", "mode"]);
    repo.write("changed.new", two.replace("61", "sixty-one"));
    repo.write("new\tname", "z\n");
    repo.write("nothing", "");
    repo.git(&["add", "changed.new", "new\tname", "nothing"]);
    repo
}

#[test]
fn every_kind_of_change_has_its_contents() {
    let repo = of_all_kinds();
    let staged = repo.git_report(&["--staged"]);
    is_complete(&staged);
    repo.git(&["commit", "--quiet", "-m", "All kinds"]);
    let committed = repo.git_report(&["HEAD~1", "HEAD"]);
    is_complete(&committed);
    assert_eq!(staged, committed);
    assert_eq!(committed["input"]["hunks"], 3);
}

#[test]
fn a_stream_of_commits_finds_its_contents_too() {
    let repo = of_all_kinds();
    repo.git(&["commit", "--quiet", "-m", "All kinds"]);
    repo.commit(&[("mode", "x\ny\n")]);
    let log = repo.git(&["log", "-p", "-M", "--reverse"]);
    let args = ["effective", "--format=json"];
    let report = repo.run(&repo.path(""), &args, &log, &[]).json();
    let changesets = report["changesets"].as_array().unwrap();
    assert_eq!(changesets.len(), 3);
    changesets.iter().for_each(is_complete);
}

#[test]
fn the_working_tree_needs_no_object() {
    let repo = Repo::of(&[("a", &lines(1, 40))]);
    repo.write("a", lines(2, 40));
    is_complete(&repo.git_report(&[]));
    repo.write("a", lines(1, 40).trim_end());
    is_complete(&repo.git_report(&[]));
}

#[test]
fn line_ends_are_those_that_git_stores() {
    for value in ["true", "input"] {
        let repo = Repo::new();
        repo.git(&["config", "core.autocrlf", value]);
        repo.commit(&[("a", &lines(1, 40))]);
        let crlf = lines(2, 41).replace('\n', "\r\n");
        repo.write("a", &crlf);
        let report = repo.git_report(&[]);
        is_complete(&report);
        assert!(!report["effective_diff"].as_str().unwrap().contains('\r'));
        // Without the objects, from the file as it is.
        let diff = repo.git(&["diff"]);
        let other = Repo::new();
        other.write("a", &crlf);
        let args = ["effective", "--format=json", "--repo=."];
        let report = other.run(&other.path(""), &args, &diff, &[]).json();
        assert_eq!(report["contents"], "repo");
        assert_eq!(report["complete"], true);
        let note = report["notes"][0]["message"].as_str().unwrap();
        assert!(note.contains("working tree"), "{note}");
    }
}

#[test]
fn a_binary_file_is_told_and_not_read() {
    let repo = Repo::of(&[("a", "1\n")]);
    repo.write("b", b"\0\x01\x02");
    repo.commit(&[]);
    repo.write("b", b"\0\x01\x03");
    repo.commit(&[("a", "2\n")]);
    let report = repo.git_report(&["HEAD~1", "HEAD"]);
    assert_eq!(report["input"]["binary"], 1);
    assert_eq!(report["complete"], true);
    assert_eq!(report["contents"], "repo");
    assert_eq!(files(&report), ["a", "b"]);
}

#[test]
fn a_submodule_is_a_line() {
    let inner = Repo::of(&[("x", "1\n")]);
    let repo = Repo::of(&[("a", "1\n")]);
    let source = inner.path("").to_string_lossy().into_owned();
    let allowed = "protocol.file.allow=always";
    repo.git(&["-c", allowed, "submodule", "--quiet", "add", &source, "sub"]);
    repo.commit(&[]);
    repo.write("sub/x", "2\n");
    assert_eq!(
        files(&repo.git_report(&[])),
        [""; 0],
        "that is its own affair"
    );
    let sub = repo.path("sub");
    let sub = sub.to_string_lossy();
    repo.git(&["-C", &sub, "commit", "--quiet", "-am", "A change"]);
    let report = repo.git_report(&[]);
    assert_eq!(files(&report), ["sub"]);
    assert_eq!(report["input"]["added"], 1);
    assert_eq!(report["complete"], true);
}

#[cfg(unix)]
#[test]
fn a_link_is_what_it_points_to() {
    let repo = Repo::of(&[("a", "1\n")]);
    std::os::unix::fs::symlink("nowhere", repo.path("link")).unwrap();
    repo.commit(&[]);
    std::fs::remove_file(repo.path("link")).unwrap();
    std::os::unix::fs::symlink("elsewhere", repo.path("link")).unwrap();
    is_complete(&repo.git_report(&[]));
}

#[test]
fn more_blobs_than_a_pipe_holds() {
    let repo = Repo::new();
    let name = |i: u32| format!("dir/file{i}");
    for i in 0..3000 {
        repo.write(&name(i), lines(i, i + 20));
    }
    repo.commit(&[]);
    for i in 0..3000 {
        repo.write(&name(i), lines(i + 1, i + 20));
    }
    repo.commit(&[]);
    let report = repo.git_report(&["--no-moves", "HEAD~1", "HEAD"]);
    assert_eq!(report["input"]["files"], 3000);
    assert_eq!(report["contents"], "repo");
    assert_eq!(report["complete"], true);
}
