//! Four times the input takes at most five times the instructions, on inputs that once
//! took more: a small edition of `bench/growth.py`. Instructions are counted by valgrind
//! and are the same on every machine, however busy it is. Without valgrind nothing is
//! counted, unless `MVDIFF_VALGRIND` says that it has to be (as tests/run does).
//!
//! What is compared pair by pair up to a bound grows faster below it, and is too slow for a
//! simulator beyond it: those shapes are in the bench alone.

use std::process::{Command, Stdio};
use tempfile::TempDir;

type Make = fn(&TempDir, usize) -> &'static [&'static str];

fn write(dir: &TempDir, name: &str, lines: impl IntoIterator<Item = String>) {
    let text = lines.into_iter().fold(String::new(), |mut text, line| {
        text.push_str(&line);
        text.push('\n');
        text
    });
    std::fs::write(dir.path().join(name), text).unwrap();
}

/// How many instructions the program takes on a shape of this size.
fn instructions(make: Make, n: usize) -> u64 {
    let dir = TempDir::new().unwrap();
    let args = make(&dir, n);
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no"])
        .arg("--cachegrind-out-file=/dev/null")
        .arg(env!("CARGO_BIN_EXE_mvdiff"))
        .args(args)
        .current_dir(dir.path())
        .env("RAYON_NUM_THREADS", "1")
        .env("XDG_STATE_HOME", dir.path())
        .stdout(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{said}");
    let count = said.lines().find_map(|line| line.split("refs:").nth(1));
    let count = count.unwrap_or_else(|| panic!("no count: {said}"));
    count.trim().replace(',', "").parse().unwrap()
}

fn grows_evenly(make: Make, n: usize) {
    let asked = std::env::var_os("MVDIFF_VALGRIND").is_some();
    if !asked && Command::new("valgrind").arg("--version").output().is_err() {
        return;
    }
    let start = instructions(make, 1);
    let [small, large] = [n, 4 * n].map(|n| instructions(make, n).saturating_sub(start));
    // Less than this is start-up and noise.
    let most = 5 * small.max(start);
    assert!(
        large <= most,
        "{small} instructions at {n}, {large} at four times that"
    );
}

const DIFF: &[&str] = &["diff", "--format", "json", "old.txt", "new.txt"];
const TABLES: &[&str] = &["diff", "--format", "json", "old.csv", "new.csv"];
const PATCH: &[&str] = &["effective", "--format", "json", "x.patch"];
const APPLY: &[&str] = &["apply", "--stdout", "edit", "text"];

/// Lines of a block, so many times.
fn repeated(block: &[&str], times: usize) -> impl Iterator<Item = String> {
    let block: Vec<String> = block.iter().map(|&line| line.to_owned()).collect();
    std::iter::repeat_n(block, times).flatten()
}

#[test]
fn equal_records_with_a_line_more_in_each() {
    let make: Make = |dir, n| {
        write(
            dir,
            "old.txt",
            repeated(&["{", "  id: 0", "  tags: []", "},"], n),
        );
        let more = ["{", "  id: 0", "  tags: []", "  more: 1", "},"];
        write(dir, "new.txt", repeated(&more, n));
        DIFF
    };
    grows_evenly(make, 60);
}

#[test]
fn lines_that_are_nearly_the_same() {
    let make: Make = |dir, n| {
        let line = |i: usize| format!("item {} of the list", i % 50);
        write(dir, "old.txt", (0..n).map(line));
        let edited = |i: usize| match i % 3 {
            0 => format!("{} {}", line(i), i * 7919 % 1000),
            _ => line(i),
        };
        write(dir, "new.txt", (0..n).map(edited));
        DIFF
    };
    grows_evenly(make, 200);
}

#[test]
fn one_long_line() {
    let make: Make = |dir, n| {
        let line = |word: &str| format!("{}{word} {}", "word ".repeat(n), "word ".repeat(n));
        write(dir, "old.txt", [line("old")]);
        write(dir, "new.txt", [line("new")]);
        DIFF
    };
    grows_evenly(make, 3000);
}

#[test]
fn tiny_hunks() {
    let make: Make = |dir, n| {
        let head = ["diff --git a/f b/f", "--- a/f", "+++ b/f"].map(str::to_owned);
        let hunk = |i: usize| format!("@@ -{0} +{0} @@\n-old {i}\n+new {i}", 4 * i + 1);
        write(dir, "x.patch", head.into_iter().chain((0..n).map(hunk)));
        PATCH
    };
    // Below, what is looked at only among many hunks sets in.
    grows_evenly(make, 400);
}

#[test]
fn sections_with_one_head() {
    let make: Make = |dir, n| {
        let one = |i: usize| format!("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old {i}\n+new {i}");
        write(dir, "x.patch", (0..n).map(one));
        PATCH
    };
    grows_evenly(make, 60);
}

#[test]
fn blocks_of_an_edit() {
    let make: Make = |dir, n| {
        write(
            dir,
            "text",
            (0..2 * n).map(|i| format!("value {i} = {}", i * 7)),
        );
        let block = |i: usize| {
            let line = format!("value {} = {}", 2 * i, 14 * i);
            format!("<<<<<<< SEARCH\n{line}\n=======\nnew {i}\n>>>>>>> REPLACE")
        };
        write(dir, "edit", (0..n).map(block));
        APPLY
    };
    grows_evenly(make, 60);
}

#[test]
fn a_checkerboard() {
    let make: Make = |dir, n| {
        write(dir, "old.csv", repeated(&["0,1,0,1", "1,0,1,0"], n));
        write(dir, "new.csv", repeated(&["1,0,1,0", "0,1,0,1"], n));
        TABLES
    };
    grows_evenly(make, 60);
}
