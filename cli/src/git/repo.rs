//! A repository, asked through git: nothing that it configures is run.

use super::batch::Batch;
use anyhow::{anyhow, bail};
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A repository.
pub(crate) struct Repo {
    /// Where to ask; the working directory if it is not said.
    dir: Option<PathBuf>,
    /// The process that hands out objects, once one was wanted.
    batch: Option<Batch>,
}

impl Repo {
    /// The repository around the working directory.
    pub(crate) fn here() -> anyhow::Result<Self> {
        let repo = Self {
            dir: None,
            batch: None,
        };
        repo.check("run it inside a repository")?;
        Ok(repo)
    }

    /// What looks like a repository around the working directory: git is asked when an
    /// object is wanted.
    pub(crate) fn around() -> Option<Self> {
        let is_said = std::env::var_os("GIT_DIR").is_some_and(|said| !said.is_empty());
        let here = std::env::current_dir().ok()?;
        let is_there = is_said
            || here
                .ancestors()
                .any(|dir| dir.join(".git").exists() || is_bare(dir));
        is_there.then_some(Self {
            dir: None,
            batch: None,
        })
    }

    /// The repository around `dir`.
    pub(crate) fn at(dir: &Path) -> anyhow::Result<Self> {
        if !dir.is_dir() {
            bail!("{}: not a directory; give a repository", dir.display());
        }
        let repo = Self {
            dir: Some(dir.into()),
            batch: None,
        };
        // Asking git costs as much as a small diff: what looks like a repository
        // is asked when an object is wanted.
        if !dir.join(".git").exists() && !is_bare(dir) {
            repo.check("give a repository")?;
        }
        Ok(repo)
    }

    /// Whether git calls it a repository.
    fn check(&self, advice: &str) -> anyhow::Result<()> {
        let answer = output(self.command().args(["rev-parse", "--git-dir"]))?;
        if answer.status.success() {
            return Ok(());
        }
        let said = complaint(&answer);
        match (&self.dir, culprit()) {
            // git's own advice is the way out, or it names what is wrong.
            _ if said.contains(IF_TRUSTED) || said.contains("GIT_CONFIG_") => bail!("git: {said}"),
            _ if said.contains("bad config") => bail!("git: {said}; fix it"),
            (Some(dir), _) => bail!("{}: {said}; {advice}", dir.display()),
            (None, Some(name)) => bail!("git: {said}; {name} is set: unset it, or {advice}"),
            (None, None) => bail!("git: {said}; {advice}"),
        }
    }

    /// Git in this repository, without what could run programs named there.
    pub(crate) fn command(&self) -> Command {
        let mut git = Command::new("git");
        if let Some(dir) = &self.dir {
            git.arg("-C").arg(dir);
            for name in OF_ANOTHER_REPOSITORY {
                git.env_remove(name);
            }
        }
        git.arg("--no-pager");
        for setting in SETTINGS {
            git.args(["-c", setting]);
        }
        git.envs(VARIABLES.iter().copied());
        for name in OF_ANOTHER_MEANING {
            git.env_remove(name);
        }
        git.stdin(Stdio::null());
        git
    }

    /// The top of the working tree, if there is one: the directory that the
    /// repository lies in, and not whatever it says itself, which could be anywhere.
    pub(crate) fn top(&self) -> Option<PathBuf> {
        let is_said = |name| std::env::var_os(name).is_some_and(|said| !said.is_empty());
        if self.dir.is_none() && (is_said("GIT_DIR") || is_said("GIT_WORK_TREE")) {
            return self.said_top();
        }
        let dir = self.dir.as_deref().unwrap_or(Path::new("."));
        let dir = std::fs::canonicalize(dir).ok()?;
        let mut above = dir.ancestors();
        let top = above.find(|folder| folder.join(".git").symlink_metadata().is_ok())?;
        // Inside of `.git` there is no working tree.
        let inside = dir.strip_prefix(top).ok()?;
        (!inside.starts_with(".git")).then(|| top.to_path_buf())
    }

    /// The top of the working tree that the user's environment names.
    fn said_top(&self) -> Option<PathBuf> {
        let answer = output(self.command().args(["rev-parse", "--show-toplevel"])).ok()?;
        if !answer.status.success() {
            return None;
        }
        let path = answer.stdout.strip_suffix(b"\n")?;
        Some(os_string(path.to_vec()).ok()?.into())
    }

    /// The id that git would store bytes under.
    pub(crate) fn id_of(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut git = self.command();
        git.args(["hash-object", "--stdin", "--no-filters"]);
        git.stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = git.spawn().ok()?;
        // It says nothing before it has read all, so no pipe fills up.
        child.stdin.take()?.write_all(bytes).ok()?;
        let answer = child.wait_with_output().ok()?;
        Some(answer.stdout.trim_ascii_end().to_vec())
    }

    /// The commits that two do not share, `>` before those of the second and `<` before
    /// those of the first; at most so many, and `None` if they are not here.
    pub(crate) fn between(&self, old: &str, new: &str, most: usize) -> Option<Vec<String>> {
        let mut git = self.command();
        // Plumbing: no setting of the submodule has a say, nor a program it names.
        git.args(["rev-list", "--oneline", "--left-right", "--first-parent"]);
        git.arg(format!("--max-count={most}"));
        git.args(["--end-of-options", &format!("{old}...{new}"), "--"]);
        let answer = output(&mut git)
            .ok()
            .filter(|answer| answer.status.success())?;
        let text = String::from_utf8_lossy(&answer.stdout);
        let line = |line: &str| match line.split_at_checked(1) {
            Some((mark, rest)) => format!("{mark} {rest}"),
            None => line.to_owned(),
        };
        Some(text.lines().map(line).collect())
    }

    /// The blobs of these names, `None` where there is none.
    pub(crate) fn blobs(&mut self, names: &[&[u8]]) -> anyhow::Result<Vec<Option<Vec<u8>>>> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let batch = match self.batch.take() {
            Some(batch) => batch,
            None => Batch::start(self.command())?,
        };
        match self.batch.insert(batch).ask(names) {
            Ok(blobs) => Ok(blobs),
            Err(error) => {
                self.check("give a repository")?;
                Err(error.into())
            }
        }
    }
}

fn is_bare(dir: &Path) -> bool {
    dir.join("HEAD").is_file() && dir.join("objects").is_dir()
}

/// Settings that override those of the repository.
const SETTINGS: &[&str] = &[
    // Programs.
    "core.fsmonitor=",
    "core.hooksPath=/dev/null",
    // Paths relative to the current directory would fit nothing.
    "diff.relative=false",
];

const VARIABLES: &[(&str, &str)] = &[
    // Objects of a partial clone are not fetched: the repository says how,
    // and a program may be the answer. The second is for older versions.
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    // Complaints are read by `complaint`.
    ("LC_ALL", "C"),
];

/// Variables that would change what git is asked, or how it takes paths.
const OF_ANOTHER_MEANING: &[&str] = &[
    "GIT_DIFF_OPTS",
    "GIT_EXTERNAL_DIFF",
    "GIT_GLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_LITERAL_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_PREFIX",
];

/// Variables that would make git look elsewhere than in the directory given.
const OF_ANOTHER_REPOSITORY: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Bytes as the system's strings are, if they can be.
#[cfg_attr(
    unix,
    expect(clippy::unnecessary_wraps, reason = "elsewhere not all bytes are")
)]
pub(super) fn os_string(bytes: Vec<u8>) -> anyhow::Result<OsString> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt as _;
        Ok(OsString::from_vec(bytes))
    }
    #[cfg(not(unix))]
    {
        Ok(String::from_utf8(bytes)?.into())
    }
}

/// A variable of the environment that sends git elsewhere.
pub(super) fn culprit() -> Option<&'static str> {
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    ["GIT_DIR", "GIT_WORK_TREE"].into_iter().find(is_set)
}

/// Runs git to its end.
pub(super) fn output(command: &mut Command) -> anyhow::Result<Output> {
    command.output().map_err(|error| cannot_run(&error))
}

pub(super) fn cannot_run(error: &io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::NotFound => {
            anyhow!("git: not found; install it, or give mvdiff effective a patch")
        }
        _ => anyhow!("git: cannot run ({error})"),
    }
}

const IF_TRUSTED: &str = "if you trust it";

/// What git complains of, in one line.
pub(super) fn complaint(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    let fatal = |line: &&str| line.starts_with("fatal: ") || line.starts_with("error: ");
    let line = said.lines().find(fatal).or_else(|| said.lines().next());
    let line = line.unwrap_or("ended without a word");
    let line = line
        .trim_start_matches("fatal: ")
        .trim_start_matches("error: ");
    let mut line: String = line.trim_end_matches('.').into();
    // git's own advice, which is the way out.
    let advice = said.lines().map(str::trim);
    if let Some(advice) = advice.clone().find(|line| line.starts_with("git config ")) {
        line = format!("{line}; {IF_TRUSTED}: {advice}");
    }
    line
}
