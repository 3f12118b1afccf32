//! Words that people know from diff, against what diff says.

use super::Repo;
use std::process::Command;

/// Runs GNU diff and us with the same words.
#[track_caller]
fn same_as_diff(repo: &Repo, args: &[&str]) {
    let theirs = Command::new("diff")
        .current_dir(repo.path(""))
        .env("LC_ALL", "C")
        .args(args)
        .output()
        .unwrap();
    let ours = repo.run(&repo.path(""), &[&["diff"], args].concat(), b"", &[]);
    assert_eq!(
        ours.text(),
        String::from_utf8_lossy(&theirs.stdout),
        "{args:?}"
    );
    assert_eq!(Some(ours.code), theirs.status.code(), "{args:?}");
    assert_eq!(ours.err, "", "{args:?}");
}

fn trees() -> Repo {
    let repo = Repo::none();
    repo.write("a/same", "x\n");
    repo.write("b/same", "x\n");
    repo.write("a/case", "One\n");
    repo.write("b/case", "one\n");
    repo.write("a/sub/changed.o", "1\n");
    repo.write("b/sub/changed.o", "2\n");
    repo.write("a/sub/gone", "1\n");
    repo.write("b/new/deep/file", "1\n");
    repo
}

#[test]
fn brief_and_identical_say_what_diff_says() {
    let repo = trees();
    for words in [
        &["-qr"][..],
        &["-qrs"],
        &["-qrN"],
        &["-qr", "-x", "*.o"],
        &["-qr", "--exclude=new", "-x", "sub"],
    ] {
        same_as_diff(&repo, &[words, &["a", "b"]].concat());
    }
    for words in [&["-q"][..], &["-s"], &["-qs"]] {
        same_as_diff(&repo, &[words, &["a/same", "b/same"]].concat());
    }
    for words in [&["-q"][..], &["-qs"]] {
        same_as_diff(&repo, &[words, &["a/case", "b/case"]].concat());
    }
}

#[test]
fn labels_and_plain_patches_are_those_of_diff() {
    let repo = trees();
    same_as_diff(
        &repo,
        &[
            "-u",
            "--label",
            "old-one",
            "--label=new",
            "a/case",
            "b/case",
        ],
    );
    same_as_diff(
        &repo,
        &[
            "-u",
            "-N",
            "--label=x",
            "--label=y",
            "a/sub/gone",
            "b/sub/gone",
        ],
    );
    let ran = repo.run(
        &repo.path(""),
        &["diff", "--label=a", "--label=b", "--label=c", "a", "b"],
        b"",
        &[],
    );
    ran.is_trouble("at most twice");
}

#[test]
fn what_git_ignores_is_left_out_on_request() {
    let repo = trees();
    repo.write("a/.gitignore", "*.o\ngone\n");
    repo.write("b/.gitignore", "*.o\nnew/\n");
    repo.write("b/case", "One\n");
    let ran = repo.run(
        &repo.path(""),
        &["diff", "-qr", "--gitignore", "a", "b"],
        b"",
        &[],
    );
    assert_eq!(ran.text(), "Files a/.gitignore and b/.gitignore differ\n");
}
