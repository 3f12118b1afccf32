//! `--format html`: one page, and what is said beside it.

use super::Dir;

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

#[test]
fn what_is_ignored_is_said() {
    let said = |old: &[u8], new: &[u8], option: &str| {
        let ran = Dir::of(old, new).diff(&["--format", "html", option, "old", "new"]);
        let page = String::from_utf8(ran.out).unwrap();
        let told = page.lines().filter(|line| line.starts_with("<p class="));
        let told = told.take_while(|line| !line.contains("panes"));
        (ran.code, told.collect::<Vec<_>>().join("\n"))
    };
    let sum = |text: &str| format!("<p class=\"sum\">{text}</p>");
    let note = |text: &str| format!("\n<p class=\"note\">Note: ignored: {text}.</p>");
    let same = "The files are the same except for white space.";
    let in_lines = note("white space (-w)");
    for (old, new) in [("a b\n", "a  b\n"), ("a", "a\n")] {
        assert_eq!(
            said(old.as_bytes(), new.as_bytes(), "-w"),
            (0, sum(same) + &in_lines)
        );
    }
    assert_eq!(
        said(OLD, OLD, "-w"),
        (0, sum("The files are the same.") + &in_lines)
    );
    assert_eq!(
        said(b"a\n", b"a\n\n", "-B"),
        (
            0,
            sum("The files are the same except for blank lines.")
                + &note("added and removed blank lines (-B)")
        )
    );
    assert_eq!(
        said(OLD, NEW, "-b"),
        (
            1,
            sum("1 added, 1 deleted, 0 edited.") + &note("the amount of white space (-b)")
        )
    );
}

#[test]
fn directories_are_the_same_but_for_what_is_ignored() {
    let dir = Dir::new(&[]);
    for (name, text) in [("old", "a b\n"), ("new", "a  b\n")] {
        std::fs::create_dir(dir.path(name)).unwrap();
        std::fs::write(dir.path(name).join("file"), text).unwrap();
    }
    let ran = dir.diff(&["--format", "html", "-w", "old", "new"]);
    let page = String::from_utf8(ran.out).unwrap();
    assert!(page.contains("The directories are the same except for white space."));
    let ran = dir.diff(&["--format", "html", "-w", "old", "old"]);
    let page = String::from_utf8(ran.out).unwrap();
    assert!(page.contains("The directories are the same."));
}
