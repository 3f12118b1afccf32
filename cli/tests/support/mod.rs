//! A folder with a repository for each test, git and the program run in it.

use assert_cmd::cargo::cargo_bin_cmd;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// `work` is the repository; beside it lie a user's configuration and whatever
/// a test puts there.
pub struct Repo(TempDir);

/// How a run ended.
pub struct Ran {
    pub code: i32,
    pub out: Vec<u8>,
    pub err: String,
}

/// Variables of the tester's environment that must not matter.
pub const FOREIGN: &[&str] = &[
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORFGBG",
    "COLORTERM",
    "COLUMNS",
    "GIT_CONFIG_COUNT",
    "GIT_DIFF_PATH_COUNTER",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_INDEX_FILE",
    "GIT_PAGER_IN_USE",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
    "MVDIFF_LAYOUT",
    "MVDIFF_PAGER",
    "MVDIFF_TABS",
    "MVDIFF_THEME",
    "MVDIFF_WIDTH",
    "NO_COLOR",
    "RUST_BACKTRACE",
    "XDG_CONFIG_HOME",
];

impl Repo {
    /// A folder without a repository in it.
    pub fn none() -> Self {
        let dir = Self(TempDir::new().unwrap());
        std::fs::create_dir(dir.path("")).unwrap();
        std::fs::write(dir.beside("config"), "").unwrap();
        dir
    }

    pub fn new() -> Self {
        let repo = Self::none();
        repo.git(&["init", "--quiet", "--initial-branch=main"]);
        repo
    }

    /// A repository with one commit of these files.
    pub fn of(files: &[(&str, &str)]) -> Self {
        let repo = Self::new();
        repo.commit(files);
        repo
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("work").join(name)
    }

    pub fn beside(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub fn commit(&self, files: &[(&str, &str)]) {
        for (name, bytes) in files {
            self.write(name, bytes);
        }
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", "A change"]);
    }

    /// What git says, of which the test is sure.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> Vec<u8> {
        let output = self.git_command().args(args).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {said}");
        output.stdout
    }

    pub fn git_command(&self) -> Command {
        let mut git = Command::new("git");
        git.current_dir(self.path(""));
        for name in FOREIGN {
            git.env_remove(name);
        }
        git.envs(self.variables());
        git
    }

    fn variables(&self) -> Vec<(&'static str, PathBuf)> {
        let mut variables = vec![
            ("HOME", self.beside("")),
            ("GIT_CONFIG_GLOBAL", self.beside("config")),
            ("GIT_CONFIG_NOSYSTEM", "1".into()),
            ("GIT_CEILING_DIRECTORIES", self.beside("")),
        ];
        for name in ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"] {
            variables.push((name, "Somebody".into()));
        }
        for name in ["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"] {
            variables.push((name, "somebody@example.org".into()));
        }
        for name in ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
            variables.push((name, "2026-01-02T03:04:05Z".into()));
        }
        variables
    }

    /// The program in the repository.
    pub fn mvdiff(&self, args: &[&str]) -> Ran {
        self.run(&self.path(""), args, b"", &[])
    }

    pub fn run(&self, dir: &Path, args: &[&str], input: &[u8], variables: &[(&str, &str)]) -> Ran {
        let mut command = cargo_bin_cmd!("mvdiff");
        for name in FOREIGN {
            command.env_remove(name);
        }
        command
            .current_dir(dir)
            .envs(self.variables())
            .envs(variables.iter().copied())
            .args(args)
            .write_stdin(input);
        Ran::of(command.output().unwrap())
    }
}

impl Ran {
    pub fn of(output: std::process::Output) -> Self {
        Self {
            code: output.status.code().expect("no signal"),
            out: output.stdout,
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    /// The report of a run that went well.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        assert_eq!((self.code, &self.err[..]), (0, ""), "{}", self.text());
        serde_json::from_slice(&self.out).unwrap()
    }

    /// All went well, with nothing to say.
    #[track_caller]
    pub fn is_quiet(&self) {
        assert_eq!((self.code, &self.err[..]), (0, ""));
        assert!(self.out.is_empty());
    }

    /// Trouble: exit 2, nothing printed, one line that names the program.
    #[track_caller]
    pub fn is_trouble(&self, says: &str) {
        assert_eq!(self.code, 2, "{}", self.err);
        assert_eq!(self.text(), "");
        assert!(self.err.starts_with("mvdiff: "), "{}", self.err);
        assert_eq!(self.err.matches('\n').count(), 1, "{}", self.err);
        assert!(self.err.contains(says), "{}", self.err);
    }
}

/// Lines `from` to `to`, numbered.
pub fn lines(from: u32, to: u32) -> String {
    let lines: Vec<String> = (from..=to).map(|i| format!("line number {i}")).collect();
    lines.join("\n") + "\n"
}
