//! `mvdiff replay` as a user meets it: old files and a report become new files.

mod attacks;
mod files;
mod trouble;
mod whole;

use crate::support::Ran;
use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder with `old`, and the program run in it.
struct Dir(TempDir);

impl Dir {
    fn new(old: &[(&str, &[u8])]) -> Self {
        let dir = Self(TempDir::new().unwrap());
        std::fs::create_dir(dir.path("old")).unwrap();
        for (name, bytes) in old {
            dir.write(&format!("old/{name}"), bytes);
        }
        dir
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    #[track_caller]
    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// All that is below `out`, in order.
    fn out(&self) -> Vec<String> {
        fn walk(at: &std::path::Path, name: &str, found: &mut Vec<String>) {
            let Ok(entries) = std::fs::read_dir(at) else {
                return;
            };
            for entry in entries.map(Result::unwrap) {
                let name = format!("{name}{}", entry.file_name().to_string_lossy());
                if entry.file_type().unwrap().is_dir() {
                    walk(&entry.path(), &format!("{name}/"), found);
                } else {
                    found.push(name);
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.path("out"), "", &mut found);
        found.sort();
        found
    }

    /// All files below a folder, with what is in them.
    fn below(&self, folder: &str) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
        let mut found = std::collections::BTreeMap::new();
        let mut todo = vec![self.path(folder)];
        while let Some(at) = todo.pop() {
            for entry in std::fs::read_dir(&at).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && !path.is_symlink() {
                    todo.push(path);
                } else {
                    let name = path.strip_prefix(self.path(folder)).unwrap();
                    found.insert(name.to_path_buf(), std::fs::read(&path).unwrap());
                }
            }
        }
        found
    }

    /// Replays a report with this recipe.
    fn replay(&self, recipe: &Value) -> Ran {
        self.replay_report(&json!({"schema": "mvdiff.effective/1", "recipe": recipe}).to_string())
    }

    fn replay_report(&self, report: &str) -> Ran {
        self.write("report.json", report.as_bytes());
        self.run(&["--old", "old", "--out", "out", "report.json"])
    }

    fn run(&self, args: &[&str]) -> Ran {
        let mut command = cargo_bin_cmd!("mvdiff");
        let command = command.current_dir(self.0.path()).arg("replay").args(args);
        let command = command.env("XDG_STATE_HOME", self.path("state"));
        Ran::of(command.output().unwrap())
    }
}

/// A recipe of one file of new lines.
fn lines(file: &str, lines: &[&str]) -> Value {
    json!({"file": file, "parts": [{"lines": lines}]})
}
