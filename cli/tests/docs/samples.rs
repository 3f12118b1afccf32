//! Samples are what the program prints, and code is taken from examples that run.
//!
//! A sample is a fenced `text` block of `$ command` lines, each followed by what it prints.
//! After a change of the output: `MVDIFF_BLESS=1 cargo test -p mvdiff --test docs`.

use crate::markdown::{Code, Page};
use crate::{pages_for_users, read, root};
use assert_cmd::cargo::cargo_bin_cmd;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Variables of the tester's environment that must not matter.
const FOREIGN: &[&str] = &[
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORFGBG",
    "COLORTERM",
    "COLUMNS",
    "MVDIFF_LAYOUT",
    "MVDIFF_PAGER",
    "MVDIFF_TABS",
    "MVDIFF_THEME",
    "MVDIFF_WIDTH",
    "NO_COLOR",
    "RUST_BACKTRACE",
];

/// A folder with the examples in it, where samples may write.
fn workplace() -> TempDir {
    let dir = TempDir::new().unwrap();
    let mut folders = vec![PathBuf::from("examples")];
    while let Some(folder) = folders.pop() {
        std::fs::create_dir(dir.path().join(&folder)).unwrap();
        for entry in std::fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = folder.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else {
                std::fs::copy(entry.path(), dir.path().join(path)).unwrap();
            }
        }
    }
    dir
}

fn run(command: &str, folder: &Path) -> String {
    let words = command.split(' ');
    let mut mvdiff = cargo_bin_cmd!("mvdiff");
    for name in FOREIGN {
        mvdiff.env_remove(name);
    }
    mvdiff
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder.join("state"))
        .args(words);
    // What people see on a terminal.
    if command.starts_with("diff ") || command.starts_with("effective ") {
        mvdiff.args(["--format", "terminal"]);
    }
    let ran = mvdiff.output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(
        matches!(ran.status.code(), Some(0 | 1)),
        "{command}: {said}"
    );
    String::from_utf8(ran.stdout).unwrap()
}

/// The sample with what its commands print now. `cat` shows a file that later commands
/// take.
fn as_printed(sample: &str) -> String {
    let folder = workplace();
    let mut printed = String::new();
    for step in sample.strip_prefix("$ ").unwrap().split("\n$ ") {
        let (command, shown) = step.split_once('\n').unwrap_or((step, ""));
        printed.extend(["$ ", command, "\n"]);
        if let Some(file) = command.strip_prefix("cat ") {
            let shown = format!("{}\n", shown.trim_end_matches('\n'));
            std::fs::write(folder.path().join(file), &shown).unwrap();
            printed.push_str(&shown);
        } else {
            let command = command.strip_prefix("mvdiff ");
            let command = command.unwrap_or_else(|| panic!("not a sample of mvdiff: {step}"));
            printed.push_str(&run(command, folder.path()));
        }
    }
    printed
}

/// The table of an evaluation changes with every fixture; a test of `mvdiff eval` reads it.
fn is_sample(code: &Code) -> bool {
    code.language == "text"
        && code.text.starts_with("$ ")
        && !code.text.starts_with("$ mvdiff eval ")
}

#[test]
fn samples_are_what_is_printed() {
    let bless = std::env::var_os("MVDIFF_BLESS").is_some();
    let mut seen = 0;
    for path in pages_for_users() {
        let text = read(&path);
        let mut new = text.clone();
        let code = Page::new(&text).code;
        // From the end, so that places stay true.
        for sample in code.iter().rev().filter(|code| is_sample(code)) {
            let printed = as_printed(&sample.text);
            seen += 1;
            if !bless {
                assert_eq!(sample.text, printed, "{}", path.display());
            }
            new.replace_range(sample.place.clone(), &printed);
        }
        if bless && new != text {
            std::fs::write(root().join(&path), new).unwrap();
        }
    }
    assert!(seen >= 8, "only {seen} samples are found");
}

fn files_below(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Lines without their indentation, and without what makes them a comment.
fn bare(code: &str) -> String {
    let lines = code.lines().map(str::trim);
    let lines = lines.map(|line| line.strip_prefix("//!").unwrap_or(line).trim());
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn rust_code_is_taken_from_examples() {
    let crates = [
        "core",
        "adapters/text",
        "adapters/grid",
        "adapters/edit",
        "files",
        "metrics",
        "render",
    ];
    let mut sources = vec![root().join("adapters/text/src/effective/mod.rs")];
    sources.extend(
        crates
            .iter()
            .flat_map(|name| files_below(&format!("{name}/examples"))),
    );
    let sources: Vec<String> = sources
        .iter()
        .map(|path| bare(&std::fs::read_to_string(path).unwrap()))
        .collect();
    let mut pages = pages_for_users();
    pages.extend(crates.map(|name| Path::new(name).join("README.md")));
    let mut seen = 0;
    for path in pages {
        for code in Page::new(&read(&path)).code {
            if code.language == "rust" {
                seen += 1;
                assert!(
                    sources
                        .iter()
                        .any(|source| source.contains(&bare(&code.text))),
                    "{}: no example has this code:\n{}",
                    path.display(),
                    code.text
                );
            }
        }
    }
    assert!(seen >= 13, "only {seen} pieces of code are found");
}
