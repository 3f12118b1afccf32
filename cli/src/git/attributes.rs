//! The file that tells git which files the drivers are for: lines are added at
//! its end between two marks, and only those are ever taken out.

use super::install::config;
use super::repo::{complaint, os_string, output};
use anyhow::{Context as _, anyhow, bail};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

const BEGIN: &str = "# Workbooks, by mvdiff git install\n";
const END: &str = "# End of workbooks\n";
const PATTERNS: [&str; 5] = ["*.xlsx", "*.xlsm", "*.xlsb", "*.xls", "*.ods"];
/// What is written back is one of these.
const MERGED: [&str; 2] = ["*.xlsx", "*.xlsm"];
/// What git has drivers for.
pub(super) const DRIVERS: [&str; 2] = ["diff", "merge"];

/// The file as it is.
pub(super) struct Attributes {
    path: PathBuf,
    text: String,
}

/// The file as it is to be.
pub(super) struct Change {
    path: PathBuf,
    text: String,
    commands: String,
}

impl Attributes {
    /// That of this repository, or of the user.
    pub(super) fn of(scope: &str) -> anyhow::Result<Self> {
        let path = if scope == "--local" {
            local()?
        } else {
            global()?
        };
        let text = match std::fs::read(&path) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| {
                anyhow!(
                    "{}: is not UTF-8; add the line *.xlsx diff=mvdiff by hand",
                    path.display()
                )
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                return Err(error).with_context(|| format!("{}: cannot read", path.display()));
            }
        };
        Ok(Self { path, text })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Patterns that somebody gave a driver of their own, for diffs or merges.
    pub(super) fn taken(&self, driver: &str) -> Vec<&'static str> {
        let (before, _, after) = self.parts();
        let is_taken = |pattern: &&str| {
            before.lines().chain(after.lines()).any(|line| {
                let mut words = line.split_ascii_whitespace();
                let about_it = |word: &str| {
                    let name = word.trim_start_matches(['-', '!']);
                    let name = name.split_once('=').map_or(name, |(name, _)| name);
                    name == driver || name == "binary"
                };
                words.next() == Some(pattern) && words.any(about_it)
            })
        };
        patterns(driver).iter().copied().filter(is_taken).collect()
    }

    /// The file with our lines, if they are not all there.
    pub(super) fn added(&self) -> Option<Change> {
        let mut lines: Vec<String> = Vec::new();
        for driver in DRIVERS {
            let taken = self.taken(driver);
            let free = patterns(driver).iter();
            let free = free.filter(|pattern| !taken.contains(pattern));
            lines.extend(free.map(|pattern| format!("{pattern} {driver}=mvdiff\n")));
        }
        let ours = match &lines[..] {
            [] => String::new(),
            lines => format!("{BEGIN}{}{END}", lines.concat()),
        };
        let (before, present, after) = self.parts();
        if present == ours {
            return None;
        }
        let path = quoted(&self.path.display().to_string());
        let lines: Vec<String> = ours.lines().map(quoted).collect();
        let gap = if after.is_empty() && !before.is_empty() && !before.ends_with('\n') {
            "\n"
        } else {
            ""
        };
        Some(Change {
            path: self.path.clone(),
            text: format!("{before}{gap}{ours}{after}"),
            commands: format!("printf '%s\\n' {} >> {path}", lines.join(" ")),
        })
    }

    /// The file without our lines, if they are there.
    pub(super) fn removed(&self) -> Option<Change> {
        let (before, present, after) = self.parts();
        let (begin, end) = (BEGIN.trim_end(), END.trim_end());
        let path = quoted(&self.path.display().to_string());
        (!present.is_empty()).then(|| Change {
            path: self.path.clone(),
            text: format!("{before}{after}"),
            commands: format!("sed -i '/^{begin}$/,/^{end}$/d' {path}"),
        })
    }

    /// The text before our lines, our lines, and the text behind them.
    fn parts(&self) -> (&str, &str, &str) {
        let text = &self.text[..];
        let found = text.find(BEGIN).and_then(|begin| {
            let end = text[begin..].find(END)? + begin + END.len();
            Some((&text[..begin], &text[begin..end], &text[end..]))
        });
        found.unwrap_or((text, "", ""))
    }
}

/// The files that a driver is for.
fn patterns(driver: &str) -> &'static [&'static str] {
    if driver == "merge" {
        &MERGED
    } else {
        &PATTERNS
    }
}

impl Change {
    pub(super) fn as_commands(&self) -> String {
        self.commands.clone()
    }

    /// Writes the file whole; one that would be empty goes.
    pub(super) fn write(&self) -> anyhow::Result<()> {
        let path = &self.path;
        let cannot = || format!("{}: cannot write", path.display());
        if self.text.is_empty() {
            return std::fs::remove_file(path).with_context(cannot);
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).with_context(cannot)?;
        }
        crate::output::to_file(
            path,
            crate::output::Content::Bytes,
            Box::new(|out| out.write_all(self.text.as_bytes())),
        )
    }
}

/// A word that a shell takes as it is, whatever is in it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn local() -> anyhow::Result<PathBuf> {
    let mut git = Command::new("git");
    git.args(["rev-parse", "--git-path", "info/attributes"])
        .env("LC_ALL", "C");
    let answer = output(&mut git)?;
    if !answer.status.success() {
        bail!("git: {}; nothing was changed", complaint(&answer));
    }
    let path = path_of(&answer.stdout)?;
    for place in [&path, path.parent().unwrap_or(&path)] {
        if place.is_symlink() {
            bail!(
                "{}: is a link, and may lead out of the repository; put a file there, or \
                 install for yourself: mvdiff git install",
                place.display()
            );
        }
    }
    Ok(path)
}

fn global() -> anyhow::Result<PathBuf> {
    let answer = config(&["--global", "--type=path", "--get", "core.attributesFile"])?;
    if answer.status.success() {
        return path_of(&answer.stdout);
    }
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let folder = set("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(set("HOME")?).join(".config")));
    let folder = folder.ok_or_else(|| anyhow!("git: HOME is not set; use --local"))?;
    Ok(folder.join("git/attributes"))
}

fn path_of(line: &[u8]) -> anyhow::Result<PathBuf> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    Ok(os_string(line.to_vec())?.into())
}

#[cfg(test)]
mod tests {
    use super::{Attributes, BEGIN, END};

    fn of(text: &str) -> Attributes {
        Attributes {
            path: "attributes".into(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn what_was_added_goes_and_nothing_else() {
        for text in ["", "*.png binary\n", "# Workbooks\n*.py text\n"] {
            let with = of(text).added().unwrap().text;
            assert!(with.starts_with(text) && with.contains("\n*.xlsx diff=mvdiff\n"));
            assert!(with.contains("\n*.xlsx merge=mvdiff\n") && !with.contains("*.ods merge"));
            assert!(of(&with).added().is_none());
            assert_eq!(of(&with).removed().unwrap().text, text);
            let more = format!("{with}*.c text\n");
            assert_eq!(
                of(&more).removed().unwrap().text,
                format!("{text}*.c text\n")
            );
        }
        assert!(of("*.xlsx diff=mvdiff\n").removed().is_none());
    }

    #[test]
    fn a_driver_of_somebody_else_stays() {
        let file = of("*.xlsx diff=other\n*.ods binary");
        assert_eq!(file.taken("diff"), ["*.xlsx", "*.ods"]);
        assert!(file.taken("merge").is_empty());
        let with = file.added().unwrap().text;
        let ours = "*.xlsm diff=mvdiff\n*.xlsb diff=mvdiff\n*.xls diff=mvdiff\n\
                    *.xlsx merge=mvdiff\n*.xlsm merge=mvdiff\n";
        assert_eq!(
            with,
            format!("*.xlsx diff=other\n*.ods binary\n{BEGIN}{ours}{END}")
        );
    }
}
