//! Formats, files, exit codes, pipes.

use super::{Repo, lines};
use assert_cmd::cargo::cargo_bin;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

fn change() -> (Repo, Vec<u8>) {
    let repo = Repo::of(&[("a", "one\n")]);
    repo.commit(&[("a", "two\n")]);
    let patch = repo.git(&["diff", "HEAD~1", "HEAD"]);
    (repo, patch)
}

#[test]
fn a_patch_comes_from_a_file_or_standard_input() {
    let (repo, patch) = change();
    std::fs::write(repo.beside("patch"), &patch).unwrap();
    let named = repo.effective(&["patch"], b"");
    assert_eq!((named.code, &named.err[..]), (0, ""));
    assert!(named.text().contains("-one\n+two\n"));
    assert_eq!(repo.effective(&["-"], &patch).out, named.out);
    assert_eq!(repo.effective(&[], &patch).out, named.out);
}

#[test]
fn the_exit_code_says_if_there_is_something_to_read() {
    let (repo, patch) = change();
    assert_eq!(repo.effective(&[], &patch).code, 0);
    for format in ["terminal", "unified", "json"] {
        let ran = repo.effective(&["--exit-code", "--format", format], &patch);
        assert_eq!((ran.code, &ran.err[..]), (1, ""));
        assert!(!ran.out.is_empty());
    }
}

#[test]
fn an_output_file_holds_what_would_have_been_printed() {
    let (repo, patch) = change();
    for format in ["terminal", "unified", "json"] {
        let printed = repo.effective(&["--format", format], &patch);
        let written = repo.effective(&["--format", format, "-o", "out"], &patch);
        assert_eq!((written.code, written.text()), (0, ""));
        let out = std::fs::read(repo.beside("out")).unwrap();
        assert_eq!(out, printed.out, "{format}");
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let (repo, patch) = change();
    for format in ["terminal", "unified", "json"] {
        let run = || repo.effective(&["--format", format], &patch).out;
        assert_eq!(run(), run());
    }
}

#[test]
fn a_closed_pipe_is_no_trouble() {
    let repo = Repo::of(&[("a", &lines(1, 50_000))]);
    repo.commit(&[("a", &lines(60_000, 120_000))]);
    let patch = repo.git(&["diff", "HEAD~1", "HEAD"]);
    let mut child = Command::new(cargo_bin!("mvdiff"))
        .args(["effective", "--no-moves", "--exit-code"])
        .current_dir(repo.beside(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&patch).unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let mut said = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    let status = child.wait().unwrap();
    assert_eq!((status.code(), &said[..]), (Some(0), ""));
}
