//! Recipes of the book, with git itself as the caller.

use super::{Repo, moved, plain};
use std::process::{Command, Stdio};

fn program() -> String {
    format!("'{}'", assert_cmd::cargo::cargo_bin!("mvdiff").display())
}

/// What git shows on a terminal with this pager. git pages nothing elsewhere.
fn paged(repo: &Repo, pager: &str, args: &[&str]) -> String {
    let mut git = vec!["git".to_owned(), "-c".into(), format!("core.pager={pager}")];
    git.extend(args.iter().map(|&arg| arg.to_owned()));
    let script = "import pty, sys\nsys.exit(pty.spawn(sys.argv[1:]) >> 8)";
    let template = repo.git_command();
    let mut python = Command::new("python3");
    python
        .current_dir(repo.path(""))
        .args(["-c", script])
        .args(git);
    for (name, value) in template.get_envs() {
        match value {
            Some(value) => python.env(name, value),
            None => python.env_remove(name),
        };
    }
    python
        .env("TERM", "xterm-256color")
        .env("COLORFGBG", "15;0")
        .env("MVDIFF_PAGER", "cat")
        .env_remove("GIT_PAGER")
        .stdin(Stdio::null());
    let ran = python.output().unwrap();
    assert!(ran.status.success(), "{args:?}");
    String::from_utf8_lossy(&ran.stdout).replace("\r\n", "\n")
}

#[test]
fn as_gits_pager_diffs_are_shown_and_the_rest_passes() {
    let repo = moved();
    let shown = paged(&repo, &program(), &["diff"]);
    assert!(shown.contains('\u{1b}'), "{shown}");
    assert!(plain(shown.as_bytes()).contains("M1 ←  moved"), "{shown}");
    repo.git(&["commit", "--quiet", "-am", "Move total"]);
    let shown = paged(&repo, &program(), &["show"]);
    assert!(
        plain(shown.as_bytes()).contains("    Move total\n"),
        "{shown}"
    );
    assert!(plain(shown.as_bytes()).contains("M1 ←  moved"), "{shown}");
    for args in [
        &["blame", "a.py"][..],
        &["grep", "-n", "line number 1"],
        &["log", "--oneline"],
        &["log", "--stat"],
        &["branch", "--list"],
    ] {
        assert_eq!(
            paged(&repo, &program(), args),
            paged(&repo, "cat", args),
            "{args:?}"
        );
    }
}

#[test]
fn git_stash_is_shown_like_any_diff() {
    let repo = moved();
    repo.git(&["stash", "--quiet"]);
    let shown = paged(&repo, &program(), &["stash", "show", "-p"]);
    assert!(plain(shown.as_bytes()).contains("M1 ←  moved"), "{shown}");
}

#[test]
fn difftool_hands_over_two_directories() {
    let repo = Repo::of(&[
        (
            "a.py",
            &format!("{}{}", super::lines(1, 12), super::lines(50, 60)),
        ),
        ("b.py", "x = 1\n"),
    ]);
    repo.write("a.py", super::lines(1, 12));
    repo.write("b.py", format!("x = 1\n{}", super::lines(50, 60)));
    let command = format!(
        "{} diff --format=terminal \"$LOCAL\" \"$REMOTE\"",
        program()
    );
    let ran = repo
        .git_command()
        .arg("-c")
        .arg(format!("difftool.mvdiff.cmd={command}"))
        .args(["difftool", "--dir-diff", "--no-prompt", "--tool=mvdiff"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&ran.stdout);
    // From one file to another, which a diff of single files could not see.
    assert!(text.contains("a.py:13-23 → b.py:2-12"), "{text}");
}

#[test]
fn an_external_diff_is_called_for_every_file() {
    let repo = moved();
    repo.write("b c.txt", "one\n");
    repo.git(&["add", "-N", "."]);
    let ran = repo
        .git_command()
        .env(
            "GIT_EXTERNAL_DIFF",
            format!("{} --layout unified", program()),
        )
        .args(["diff"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&ran.stdout);
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    assert!(text.contains("a.py") && text.contains("b c.txt"), "{text}");
}
