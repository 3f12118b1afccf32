//! `mvdiff git install`.

use super::Repo;

fn setting(repo: &Repo, scope: &str, key: &str) -> String {
    let args = ["config", scope, "--get", key];
    let output = repo.git_command().args(args).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn alias(repo: &Repo, scope: &str) -> String {
    setting(repo, scope, "alias.mvdiff")
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
            assert_eq!(setting(&repo, scope, "diff.mvdiff.command"), "mvdiff");
            let textconv = setting(&repo, scope, "diff.mvdiff.textconv");
            assert_eq!(textconv, "mvdiff textconv");
            let merge = setting(&repo, scope, "merge.mvdiff.driver");
            assert!(merge.starts_with("mvdiff merge %O %A %B -o %A"), "{merge}");
        }
        for _ in 0..2 {
            let undo = [args, &["--undo"]].concat();
            assert_eq!(repo.mvdiff(&undo).code, 0);
            assert_eq!(alias(&repo, scope), "");
            assert_eq!(setting(&repo, scope, "diff.mvdiff.textconv"), "");
            assert_eq!(setting(&repo, scope, "merge.mvdiff.driver"), "");
        }
    }
}

#[test]
fn printing_changes_nothing() {
    let repo = Repo::new();
    let printed = repo.mvdiff(&["git", "install", "--print"]);
    let expected = "git config --global alias.mvdiff '!mvdiff git'\n";
    assert_eq!(printed.code, 0);
    assert!(printed.text().starts_with(expected), "{}", printed.text());
    assert!(printed.text().contains("'*.xlsx diff=mvdiff'"));
    assert!(printed.text().contains("'*.xlsx merge=mvdiff'"));
    assert!(
        printed
            .text()
            .contains("merge.mvdiff.driver 'mvdiff merge %O %A %B ")
    );
    assert_eq!(alias(&repo, "--global"), "");
    repo.mvdiff(&["git", "install"]);
    let printed = repo.mvdiff(&["git", "install", "--undo", "--print"]);
    let expected = "git config --global --unset alias.mvdiff\n";
    assert_eq!(printed.code, 0);
    assert!(printed.text().starts_with(expected), "{}", printed.text());
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
    let ran = super::Ran::of(git.output().unwrap());
    assert_eq!((ran.code, ran.text(), &ran.err[..]), (0, "", ""));
    let written = std::fs::read_to_string(repo.path("dir/out")).unwrap();
    assert!(written.contains("b/dir/b") && !written.contains("b/a"));
}

/// Where the lines about workbooks go.
fn attributes(repo: &Repo, scope: &str) -> std::path::PathBuf {
    match scope {
        "--local" => repo.path(".git/info/attributes"),
        _ => repo.beside(".config/git/attributes"),
    }
}

#[test]
fn lines_of_the_attributes_file_come_and_go_and_the_others_stay() {
    for scope in ["--local", "--global"] {
        let repo = Repo::new();
        let file = attributes(&repo, scope);
        let read = || std::fs::read_to_string(&file).unwrap();
        // A file that was not there is gone again.
        assert_eq!(repo.mvdiff(&["git", "install", scope]).code, 0);
        assert!(read().contains("\n*.xlsx diff=mvdiff\n"), "{}", read());
        assert_eq!(repo.mvdiff(&["git", "install", scope, "--undo"]).code, 0);
        assert!(!file.exists());
        // One that was there is as it was.
        let theirs = "*.png binary\n# mine\n*.ods diff=other\n";
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, theirs).unwrap();
        let ran = repo.mvdiff(&["git", "install", scope]);
        assert!(
            ran.err.contains("*.ods already has a diff driver"),
            "{}",
            ran.err
        );
        assert!(read().starts_with(theirs) && !read().contains("*.ods diff=mvdiff"));
        let once = read();
        repo.mvdiff(&["git", "install", scope]);
        assert_eq!(read(), once);
        repo.mvdiff(&["git", "install", scope, "--undo"]);
        assert_eq!(read(), theirs);
    }
}

#[test]
fn a_file_that_the_user_names_for_attributes_is_used() {
    let repo = Repo::new();
    let file = repo.beside("my attributes");
    let named = file.to_str().unwrap();
    repo.git(&["config", "--global", "core.attributesFile", named]);
    repo.mvdiff(&["git", "install"]);
    assert!(
        std::fs::read_to_string(&file)
            .unwrap()
            .contains("*.xlsx diff=mvdiff")
    );
    assert!(!attributes(&repo, "--global").exists());
}

#[cfg(unix)]
#[test]
fn printed_commands_take_every_path_as_it_is() {
    let repo = Repo::new();
    let mark = repo.beside("mark");
    let folder = repo.beside(&format!("c'; touch {}; '", mark.display()).replace('/', "\u{2044}"));
    let evil = format!(
        "{}/c'; touch mark; '$(touch mark)",
        repo.beside("").display()
    );
    for config in [folder.to_string_lossy().into_owned(), evil] {
        let set = [("XDG_CONFIG_HOME", &config[..])];
        let ran = repo.run(&repo.path(""), &["git", "install", "--print"], b"", &set);
        let commands = format!(
            "mkdir -p \"$XDG_CONFIG_HOME/git\"; {}",
            ran.text().lines().last().unwrap()
        );
        let shell = std::process::Command::new("sh")
            .args(["-c", &commands])
            .current_dir(repo.path(""))
            .env("XDG_CONFIG_HOME", &config)
            .status();
        assert!(shell.unwrap().success(), "{commands}");
        assert!(!repo.path("mark").exists() && !mark.exists(), "{commands}");
        let written = std::fs::read_to_string(format!("{config}/git/attributes")).unwrap();
        assert!(written.contains("*.xlsx diff=mvdiff"));
    }
}
