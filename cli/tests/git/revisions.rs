//! What is compared: revisions, index, working tree, path limits.

use super::{Ran, Repo, files, lines};
use std::process::Stdio;

/// Three commits of `a`, and a branch that left after the first.
fn history() -> Repo {
    let repo = Repo::of(&[("a", "one\n")]);
    repo.git(&["branch", "side"]);
    repo.commit(&[("a", "two\n")]);
    repo.commit(&[("a", "three\n")]);
    repo.git(&["checkout", "--quiet", "side"]);
    repo.commit(&[("b", "beside\n")]);
    repo.git(&["checkout", "--quiet", "main"]);
    repo
}

#[test]
fn two_revisions_in_every_form() {
    let repo = history();
    for revs in [&["HEAD~2", "HEAD"][..], &["HEAD~2..HEAD"], &["HEAD~2.."]] {
        let report = repo.git_report(revs);
        let diff = report["effective_diff"].as_str().unwrap();
        assert!(diff.contains("-one\n+three\n"), "{revs:?}: {diff}");
        assert_eq!(report["schema"], "mvdiff.effective/1");
        assert_eq!(report["contents"], "repo");
        assert_eq!(report["complete"], true);
    }
    assert_eq!(files(&repo.git_report(&["main..side"])), ["a", "b"]);
    assert_eq!(files(&repo.git_report(&["main...side"])), ["b"]);
}

#[test]
fn the_working_tree_against_the_index_or_a_revision() {
    let repo = history();
    repo.write("a", "four\n");
    repo.git(&["add", "a"]);
    repo.write("a", "five\n");
    let diff = |args: &[&str]| {
        let report = repo.git_report(args);
        report["effective_diff"].as_str().unwrap().to_owned()
    };
    assert!(diff(&[]).contains("-four\n+five\n"));
    assert!(diff(&["HEAD~1"]).contains("-two\n+five\n"));
    assert!(diff(&["--staged"]).contains("-three\n+four\n"));
    assert!(diff(&["--cached"]).contains("-three\n+four\n"));
    assert!(diff(&["--staged", "HEAD~1"]).contains("-two\n+four\n"));
}

#[test]
fn no_difference_is_an_answer() {
    let repo = history();
    let ran = repo.mvdiff(&["git", "--exit-code"]);
    assert_eq!((ran.code, ran.text(), &ran.err[..]), (0, "", ""));
    let report = repo.git_report(&["HEAD", "HEAD"]);
    assert_eq!(report["input"]["files"], 0);
    assert_eq!(report["total_lines_effectively_changed"], 0);
}

#[test]
fn the_exit_code_says_if_there_is_something_to_read() {
    let repo = history();
    assert_eq!(repo.mvdiff(&["git", "HEAD~1", "HEAD"]).code, 0);
    let asked = repo.mvdiff(&["git", "--exit-code", "HEAD~1", "HEAD"]);
    assert_eq!(asked.code, 1);
}

#[test]
fn paths_limit_what_is_compared() {
    let repo = Repo::of(&[("a", "1\n"), ("dir/b", "1\n"), ("dir/*", "1\n")]);
    repo.commit(&[("a", "2\n"), ("dir/b", "2\n"), ("dir/*", "2\n")]);
    let limited = |paths: &[&str]| {
        let args = [&["HEAD~1", "HEAD", "--"], paths].concat();
        let report = repo.git_report(&args);
        files(&report).join(" ")
    };
    assert_eq!(limited(&["a"]), "a");
    assert_eq!(limited(&["dir"]), "dir/* dir/b");
    assert_eq!(limited(&["a", "dir/b"]), "a dir/b");
    assert_eq!(limited(&["dir/*"]), "dir/*", "a path is no pattern");
    assert_eq!(limited(&["nowhere"]), "");
    assert_eq!(limited(&["--output=x"]), "");
    assert!(!repo.path("x").exists());
}

#[test]
fn a_path_is_meant_from_where_the_user_stands() {
    let repo = Repo::of(&[("a", "1\n"), ("dir/b", "1\n")]);
    repo.commit(&[("a", "2\n"), ("dir/b", "2\n")]);
    let args = ["git", "--format=json", "HEAD~1", "HEAD"];
    let all = repo.run(&repo.path("dir"), &args, b"", &[]).json();
    assert_eq!(files(&all), ["a", "dir/b"]);
    let limited = |dir: &str, path: &str, variables: &[(&str, &str)]| {
        let args = [&args[..], &["--", path]].concat();
        let report = repo.run(&repo.path(dir), &args, b"", variables).json();
        files(&report).join(" ")
    };
    assert_eq!(limited("dir", "b", &[]), "dir/b");
    assert_eq!(limited("dir", "../a", &[]), "a");
    // As git runs an alias.
    let alias = [("GIT_PREFIX", "dir/")];
    assert_eq!(limited("", "b", &alias), "dir/b");
    assert_eq!(limited("", "../a", &alias), "a");
    assert_eq!(limited("", "b", &[("GIT_PREFIX", "left/over/")]), "");
}

#[test]
fn settings_of_the_user_do_not_change_the_form() {
    let repo = Repo::of(&[("a", "1\n"), ("dir/b", &lines(1, 20))]);
    repo.git(&["mv", "dir/b", "dir/c"]);
    repo.commit(&[("a", "2\n"), ("dir/c", &lines(1, 21))]);
    let args = ["git", "--format=json", "HEAD~1", "HEAD"];
    let plain = repo.mvdiff(&args);
    assert_eq!(files(&plain.json()), ["a", "dir/c"]);
    for (key, value) in [
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.relative", "true"),
        ("diff.renames", "false"),
        ("diff.renames", "copies"),
        ("diff.orderFile", "nowhere"),
        ("diff.submodule", "log"),
        ("diff.colorMoved", "zebra"),
        ("diff.wsErrorHighlight", "all"),
        ("color.ui", "always"),
        ("color.diff", "always"),
        ("core.abbrev", "4"),
        ("core.pager", "false"),
        ("pager.diff", "true"),
    ] {
        std::fs::write(repo.beside("config"), "").unwrap();
        repo.git(&["config", "--global", key, value]);
        let ran = repo.run(&repo.path("dir"), &args, b"", &[]);
        assert_eq!(ran.text(), plain.text(), "{key}={value}: {}", ran.err);
    }
}

#[test]
fn a_conflict_is_compared_with_our_side() {
    let repo = Repo::of(&[("a", "one\n"), ("b", "one\n")]);
    repo.git(&["checkout", "--quiet", "-b", "theirs"]);
    repo.commit(&[("a", "theirs\n")]);
    repo.git(&["checkout", "--quiet", "main"]);
    repo.commit(&[("a", "ours\n")]);
    let merge = repo.git_command().args(["merge", "theirs"]).output();
    assert!(!merge.unwrap().status.success());
    repo.write("b", "two\n");
    for revs in [&[][..], &["HEAD"]] {
        let report = repo.git_report(revs);
        assert_eq!(files(&report), ["a", "b"]);
        let diff = report["effective_diff"].as_str().unwrap();
        assert!(diff.contains("+>>>>>>> theirs\n"), "{diff}");
    }
    assert_eq!(repo.mvdiff(&["git", "--staged"]).code, 0);
}

#[test]
fn called_git_mvdiff_it_is_mvdiff_git() {
    let repo = history();
    let real = assert_cmd::cargo::cargo_bin!("mvdiff");
    let folder = repo.beside("bin");
    std::fs::create_dir(&folder).unwrap();
    let link = folder.join(format!("git-mvdiff{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(real, link).unwrap();
    let path = std::env::join_paths(
        std::iter::once(folder).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let mut git = repo.git_command();
    git.env("PATH", path.unwrap())
        .args(["mvdiff", "--format=json", "HEAD~1", "HEAD"])
        .stdin(Stdio::null());
    let report = Ran::of(git.output().unwrap()).json();
    assert_eq!(files(&report), ["a"]);
}
