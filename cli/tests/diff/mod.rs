//! `mvdiff diff` as a user meets it: exit codes, streams, files, formats.

mod bytes;
mod formats;
mod merge;
mod output;
mod page;
mod patches;
mod promises;
mod screen;
mod spaces;
mod trees;
mod trouble;

use crate::support::FOREIGN;
use assert_cmd::cargo::cargo_bin_cmd;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of its own for each test, and the program run in it.
struct Dir(TempDir);

/// How a run ended.
struct Ran {
    code: i32,
    out: Vec<u8>,
    err: String,
}

impl Dir {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let dir = Self(TempDir::new().unwrap());
        for (name, bytes) in files {
            std::fs::write(dir.path(name), bytes).unwrap();
        }
        dir
    }

    /// A folder with `old` and `new`.
    fn of(old: &[u8], new: &[u8]) -> Self {
        Self::new(&[("old", old), ("new", new)])
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn diff(&self, args: &[&str]) -> Ran {
        self.diff_with(args, b"", &[])
    }

    fn diff_with(&self, args: &[&str], input: &[u8], variables: &[(&str, &str)]) -> Ran {
        self.mvdiff(&[&["diff"], args].concat(), input, variables)
    }

    fn mvdiff(&self, args: &[&str], input: &[u8], variables: &[(&str, &str)]) -> Ran {
        let mut command = cargo_bin_cmd!("mvdiff");
        command.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
        for name in FOREIGN {
            command.env_remove(name);
        }
        command
            .current_dir(self.0.path())
            .args(args)
            .write_stdin(input);
        let output = command.envs(variables.iter().copied()).output().unwrap();
        Ran {
            code: output.status.code().expect("no signal"),
            out: output.stdout,
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.out).unwrap()
    }

    /// Trouble: exit 2, nothing printed, one line that names the program.
    #[track_caller]
    fn is_trouble(&self, says: &str) {
        assert_eq!(self.code, 2, "{}", self.err);
        assert_eq!(self.text(), "");
        assert!(self.err.starts_with("mvdiff: "), "{}", self.err);
        assert_eq!(self.err.matches('\n').count(), 1, "{}", self.err);
        assert!(self.err.contains(says), "{}", self.err);
    }
}

/// Numbers, one a line.
fn numbers(range: impl Iterator<Item = u32>) -> String {
    let lines: Vec<String> = range.map(|i| i.to_string()).collect();
    lines.join("\n") + "\n"
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/lines")
}

#[test]
fn the_exit_code_says_whether_the_files_differ() {
    let dir = Dir::of(b"a\nb\n", b"a\nc\n");
    for format in ["terminal", "unified", "json"] {
        let same = dir.diff(&["--format", format, "old", "old"]);
        assert_eq!((same.code, &same.err[..]), (0, ""));
        assert_eq!(same.out.is_empty(), format != "json", "{}", same.text());
        let different = dir.diff(&["--format", format, "old", "new"]);
        assert_eq!((different.code, &different.err[..]), (1, ""));
        assert!(!different.out.is_empty());
    }
}

#[test]
fn a_dash_is_standard_input_on_either_side() {
    let dir = Dir::of(b"a\nb\n", b"a\nc\n");
    let new = dir.diff_with(&["old", "-"], b"a\nc\n", &[]);
    assert_eq!(
        (new.code, new.text().contains("-b\n+c\n")),
        (1, true),
        "{}",
        new.text()
    );
    let old = dir.diff_with(&["-", "new"], b"a\nb\n", &[]);
    assert_eq!(
        (old.code, old.text().contains("-b\n+c\n")),
        (1, true),
        "{}",
        old.text()
    );
    assert_eq!(dir.diff_with(&["-", "new"], b"a\nc\n", &[]).code, 0);
    dir.diff(&["-", "-"]).is_trouble("standard input");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for case in std::fs::read_dir(fixtures()).unwrap() {
        let case = case.unwrap().path();
        let [old, new] =
            ["old.txt", "new.txt"].map(|name| case.join(name).to_string_lossy().into_owned());
        for format in ["terminal", "unified", "json"] {
            let run = || Dir::new(&[]).diff(&["--format", format, &old, &new]).out;
            assert_eq!(run(), run(), "{} {format}", case.display());
        }
    }
}
