//! Completions and manual pages, read by the programs that they are for. A program
//! that is not there is passed over with a line; tests/setup installs them all.

use assert_cmd::cargo::cargo_bin_cmd;
use std::io::Write as _;
use std::process::{Command, Stdio};

fn mvdiff(args: &[&str]) -> String {
    let ran = cargo_bin_cmd!("mvdiff").args(args).output();
    let ran = ran.expect("the program starts");
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    String::from_utf8(ran.stdout).expect("it prints text")
}

/// What a program says to a text on its input; `None` if there is no such program.
fn ask(program: &str, args: &[&str], input: &str) -> Option<(bool, String)> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::piped());
    let started = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = started else {
        eprintln!("{program} is not installed: passed over");
        return None;
    };
    let mut pipe = child.stdin.take().expect("its input is ours");
    // A program that has seen enough may close its input.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    let ran = child.wait_with_output().expect("it ends");
    let said = [ran.stdout, ran.stderr].concat();
    Some((
        ran.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    ))
}

#[test]
fn shells_read_their_completions() {
    for (shell, args) in [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")] {
        let script = mvdiff(&["completions", shell]);
        assert!(script.contains("effective"), "{shell}");
        if let Some(said) = ask(shell, &[args], &script) {
            assert_eq!(said, (true, String::new()), "{shell}");
        }
    }
    assert!(mvdiff(&["completions", "powershell"]).contains("Register-ArgumentCompleter"));
}

#[test]
fn bash_completes_commands_options_and_values() {
    let script = mvdiff(&["completions", "bash"]);
    for (words, wanted) in [
        ("mvdiff eff", "effective"),
        ("mvdiff diff --no-mo", "--no-moves"),
        ("mvdiff diff --format uni", "unified"),
    ] {
        let parts: Vec<&str> = words.split(' ').collect();
        let at = parts.len() - 1;
        let (before, begun) = (parts[at - 1], parts[at]);
        let ask_for = format!(
            "{script}\nCOMP_WORDS=({words}); COMP_CWORD={at}; _mvdiff mvdiff {begun} {before}; echo \"${{COMPREPLY[*]}}\"\n"
        );
        if let Some((_, said)) = ask("bash", &["-s"], &ask_for) {
            assert_eq!(said.trim(), wanted, "{words}");
        }
    }
}

#[test]
fn manual_pages_are_clean_and_say_what_help_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man1");
    mvdiff(&["man", "--out", pages.to_str().expect("a plain path")]);
    let mut names: Vec<String> = std::fs::read_dir(&pages)
        .expect("it was made")
        .map(|entry| {
            let name = entry.expect("readable").file_name();
            name.into_string().expect("plain names")
        })
        .collect();
    names.sort();
    for name in [
        "mvdiff.1",
        "mvdiff-diff.1",
        "mvdiff-git-install.1",
        "mvdiff-man.1",
    ] {
        assert!(names.iter().any(|n| n == name), "{name} in {names:?}");
    }
    for name in names {
        let page = std::fs::read_to_string(pages.join(&name)).expect("readable");
        assert!(page.contains(".SH EXAMPLES"), "{name}");
        if let Some(said) = ask("groff", &["-man", "-ww", "-z", "-Kutf8"], &page) {
            assert_eq!(said, (true, String::new()), "{name}");
        }
    }
    assert_eq!(mvdiff(&["man", "diff"]), {
        std::fs::read_to_string(pages.join("mvdiff-diff.1")).expect("readable")
    });
}

#[test]
fn a_page_that_is_not_there_is_named_with_those_that_are() {
    let ran = cargo_bin_cmd!("mvdiff").args(["man", "dif"]).output();
    let ran = ran.expect("the program starts");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(2));
    assert!(
        said.starts_with("mvdiff: dif: unknown command; the commands are effective, git, "),
        "{said}"
    );
}
