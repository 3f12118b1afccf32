//! `mvdiff git install`.

use crate::Repo;

fn alias(repo: &Repo, scope: &str) -> String {
    let args = ["config", scope, "--get", "alias.mvdiff"];
    let output = repo.git_command().args(args).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn it_comes_and_goes() {
    let repo = Repo::new();
    for (scope, args) in [
        ("--global", &["git", "install"][..]),
        ("--global", &["git", "install", "--global"]),
        ("--local", &["git", "install", "--local"]),
    ] {
        for _ in 0..2 {
            assert_eq!(repo.mvdiff(args).code, 0);
            assert_eq!(alias(&repo, scope), "!mvdiff git");
        }
        for _ in 0..2 {
            let undo = [args, &["--undo"]].concat();
            assert_eq!(repo.mvdiff(&undo).code, 0);
            assert_eq!(alias(&repo, scope), "");
        }
    }
}

#[test]
fn printing_changes_nothing() {
    let repo = Repo::new();
    let printed = repo.mvdiff(&["git", "install", "--print"]);
    let expected = "git config --global alias.mvdiff '!mvdiff git'\n";
    assert_eq!((printed.code, printed.text()), (0, expected));
    assert_eq!(alias(&repo, "--global"), "");
    repo.mvdiff(&["git", "install"]);
    let printed = repo.mvdiff(&["git", "install", "--undo", "--print"]);
    let expected = "git config --global --unset alias.mvdiff\n";
    assert_eq!((printed.code, printed.text()), (0, expected));
    assert_eq!(alias(&repo, "--global"), "!mvdiff git");
}

#[test]
fn what_somebody_else_put_there_stays() {
    let repo = Repo::new();
    repo.git(&["config", "--global", "alias.mvdiff", "log"]);
    for args in [&["git", "install"][..], &["git", "install", "--undo"]] {
        repo.mvdiff(args).is_trouble("alias.mvdiff is already log");
        assert_eq!(alias(&repo, "--global"), "log");
    }
}

#[test]
fn a_local_one_needs_a_repository() {
    let dir = Repo::none();
    dir.mvdiff(&["git", "install", "--local"])
        .is_trouble("git:");
}

#[cfg(unix)]
#[test]
fn the_alias_works_from_a_subdirectory() {
    let repo = Repo::of(&[("a", "1\n"), ("dir/b", "1\n")]);
    repo.commit(&[("a", "2\n"), ("dir/b", "2\n")]);
    repo.mvdiff(&["git", "install"]);
    let real = assert_cmd::cargo::cargo_bin!("mvdiff");
    let mut path = vec![real.parent().unwrap().to_path_buf()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let mut git = repo.git_command();
    git.current_dir(repo.path("dir"))
        .env("PATH", std::env::join_paths(path).unwrap())
        .args(["mvdiff", "HEAD~1", "HEAD", "-o", "out", "--", "b"]);
    let ran = crate::Ran::of(git.output().unwrap());
    assert_eq!((ran.code, ran.text(), &ran.err[..]), (0, "", ""));
    let written = std::fs::read_to_string(repo.path("dir/out")).unwrap();
    assert!(written.contains("b/dir/b") && !written.contains("b/a"));
}
