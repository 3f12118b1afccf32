//! The cases of fixtures/text as they lie there, and git's word on their diffs.

use crate::root;
use serde::de::DeserializeOwned;
use std::path::PathBuf;

/// A folder of fixtures/text.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        Self(root().join("fixtures/text").join(name))
    }

    /// A file of the case; none if there is no such file.
    pub fn find(&self, path: &str) -> Option<Vec<u8>> {
        std::fs::read(self.0.join(path)).ok()
    }

    /// A file that every case has.
    pub fn read(&self, path: &str) -> Vec<u8> {
        self.find(path)
            .unwrap_or_else(|| panic!("{} is missing", self.0.join(path).display()))
    }

    /// The truth about the case.
    pub fn truth<T: DeserializeOwned>(&self) -> T {
        serde_json::from_slice(&self.read("expect.json"))
            .unwrap_or_else(|e| panic!("{}: {e}", self.0.display()))
    }
}

/// Git on Windows does not see which files are executable.
#[cfg(unix)]
mod git {
    use super::Folder;
    use crate::manifest::manifest;
    use std::path::Path;
    use std::process::Command;

    /// Runs git on a work tree, without anyone's settings.
    fn git(dir: &Path, work_tree: &Path, args: &[&str]) -> Vec<u8> {
        let output = Command::new("git")
            .current_dir(work_tree)
            .env("GIT_DIR", dir)
            .env("GIT_WORK_TREE", work_tree)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .args(args)
            .output()
            .expect("git is installed");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?}: {errors}");
        output.stdout
    }

    /// The id of the tree that a folder is.
    fn tree(dir: &Path, folder: &Path) -> String {
        git(dir, folder, &["add", "--all"]);
        let id = git(dir, folder, &["write-tree"]);
        String::from_utf8(id).unwrap().trim().to_owned()
    }

    #[test]
    fn the_diffs_are_what_git_makes_of_the_files() {
        let temporary = tempfile::tempdir().unwrap();
        for case in manifest().text {
            let dir = temporary.path().join(&case.name);
            let folder = Folder::new(&case.name);
            let [old, new] = ["old", "new"].map(|side| folder.0.join(side).canonicalize().unwrap());
            git(&dir, &old, &["init", "--quiet"]);
            let [was, is] = [&old, &new].map(|side| tree(&dir, side));
            let diff = git(&dir, &new, &["diff", "--abbrev=7", "-M", &was, &is]);
            assert_eq!(
                String::from_utf8_lossy(&diff),
                String::from_utf8_lossy(&folder.read("git.diff")),
                "{}",
                case.name
            );
            assert_eq!(diff, folder.read("git.diff"), "{}", case.name);
        }
    }
}
