//! `--format html`: one page, and what is said beside it.

use crate::Dir;

const OLD: &[u8] = b"one\ntwo\nthree\n";
const NEW: &[u8] = b"one\n2\nthree\n";

#[test]
fn it_goes_to_a_pipe_or_a_file_and_the_exit_code_tells_whether_they_differ() {
    let dir = Dir::of(OLD, NEW);
    let piped = dir.diff(&["--format", "html", "old", "new"]);
    assert_eq!((piped.code, &piped.err[..]), (1, ""));
    assert!(piped.out.starts_with(b"<!DOCTYPE html>"));
    let ran = dir.diff(&["--format", "html", "-o", "page.html", "old", "new"]);
    assert_eq!((ran.code, &ran.out[..]), (1, &b""[..]));
    assert_eq!(std::fs::read(dir.path("page.html")).unwrap(), piped.out);
}

#[test]
fn files_that_are_the_same_make_a_page_that_says_so() {
    let dir = Dir::of(OLD, OLD);
    let ran = dir.diff(&["--format", "html", "old", "new"]);
    assert_eq!(ran.code, 0);
    let page = String::from_utf8(ran.out).unwrap();
    assert!(page.contains("The files are the same."));
}

#[test]
fn of_binary_files_it_says_that_they_are() {
    let dir = Dir::of(b"a\0b", b"a\0c");
    let ran = dir.diff(&["--format", "html", "old", "new"]);
    assert_eq!(ran.code, 1);
    let page = String::from_utf8(ran.out).unwrap();
    assert!(page.contains("They are binary: --as text compares their lines."));
}

#[test]
fn what_does_not_fit_is_said_on_standard_error() {
    let old: Vec<String> = (0..2000).map(|i| format!("line {i}\n")).collect();
    let old = old.concat();
    let new = old.replace("line 1000\n", "edited\n");
    let dir = Dir::of(old.as_bytes(), new.as_bytes());
    let html = ["--format", "html", "old", "new"];
    let whole = dir.diff(&html);
    let cut = dir.diff(&[&html[..], &["--page-limit", "64K"]].concat());
    assert_eq!(cut.code, 1);
    assert!(cut.out.len() <= 64 << 10 && whole.out.len() > 64 << 10);
    assert!(
        cut.err
            .starts_with("mvdiff: note: left out, so that the page stays below 65536 bytes: "),
        "{}",
        cut.err
    );
    let all = dir.diff(&[&html[..], &["--page-limit", "0"]].concat());
    assert_eq!((all.out, &all.err[..]), (whole.out, ""));
}
