//! `mvdiff apply` as a user meets it: files and blocks become new files.

mod fixtures;
mod forms;
#[cfg(unix)]
mod kills;
mod messages;
mod patches;
mod replies;
mod safety;
mod strings;
mod writing;

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder with `tree` in it, a store beside it, and the program run there.
struct Dir(TempDir);

/// How a run ended.
struct Ran {
    code: i32,
    out: Vec<u8>,
    err: String,
}

impl Dir {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = Self(TempDir::new().unwrap());
        std::fs::create_dir(dir.path("tree")).unwrap();
        for (name, text) in files {
            dir.write(&format!("tree/{name}"), text.as_bytes());
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
    fn text(&self, name: &str) -> String {
        let bytes = std::fs::read(self.path("tree").join(name)).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// All files below `tree`, in order.
    fn files(&self) -> Vec<String> {
        let root = self.path("tree");
        let mut found = Vec::new();
        walk(&root, &root, &mut found);
        found.sort();
        found
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, b"")
    }

    fn run_with(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut command = cargo_bin_cmd!("mvdiff");
        let output = command
            .current_dir(self.path("tree"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env_remove("NO_COLOR")
            .arg("apply")
            .args(args)
            .write_stdin(input)
            .output()
            .unwrap();
        Ran {
            code: output.status.code().expect("no signal"),
            out: output.stdout,
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Applies blocks to one file.
    fn apply(&self, blocks: &str, file: &str, args: &[&str]) -> Ran {
        let args = [args, &["-", file]].concat();
        self.run_with(&args, blocks.as_bytes())
    }
}

fn walk(root: &Path, at: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(at).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            walk(root, &path, found);
        } else {
            let name = path.strip_prefix(root).unwrap();
            found.push(name.to_string_lossy().into_owned());
        }
    }
}

impl Ran {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_slice(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.err))
    }

    #[track_caller]
    fn is(&self, code: i32, says: &str) {
        assert_eq!(self.code, code, "{}{}", self.text(), self.err);
        assert!(self.err.contains(says), "{}", self.err);
    }
}

fn block(search: &str, replace: &str) -> String {
    let end = |text: &str| if text.is_empty() { "" } else { "\n" };
    format!(
        "<<<<<<< SEARCH\n{search}{}=======\n{replace}{}>>>>>>> REPLACE\n",
        end(search),
        end(replace)
    )
}

/// The multi-file form with one text of blocks for each file.
fn form(files: &[(&str, &str)]) -> String {
    let file =
        |(path, content): &(&str, &str)| json!({ "path": path, "diffs": [{ "content": content }] });
    json!({ "files": files.iter().map(file).collect::<Vec<_>>() }).to_string()
}
