//! `mvdiff` as git calls it: to compare two versions of a file, or to print one as
//! text.
//!
//! For the first git gives seven arguments, `path old-file old-hex old-mode new-file
//! new-hex new-mode`, and two more for a file that was renamed, `new-path` and what
//! git has to say about it. An exit code other than 0 would end `git diff`, so what
//! cannot be compared is reported in a line instead.

use crate::args::{self, DiffArgs, DiffFormat};
use crate::screen::{colour_for_gits_pager, is_read_by_people};
use crate::{diff, file_kind, input, misuse, non_text, output, workbook};
use anyhow::{Context as _, anyhow};
use mvdiff_grid::{Options, diff_workbooks};
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What git wants to know.
pub(crate) enum Call {
    /// What happened between two versions of a file.
    Compare {
        old: Side,
        new: Side,
        said: String,
        /// What the user says in `diff.external` or a driver's `command`.
        options: Vec<OsString>,
    },
    /// Nothing: the file is in conflict.
    Unmerged(PathBuf),
}

/// One version of a file.
pub(crate) struct Side {
    /// Where it is now.
    file: PathBuf,
    /// Where it is in the repository; `/dev/null` if it is not there.
    name: PathBuf,
    mode: String,
}

const NOWHERE: &str = "/dev/null";

impl Call {
    /// Recognises git's arguments among those that people give.
    pub(crate) fn of(words: &[OsString]) -> Option<Self> {
        let called_for_diff = std::env::var_os("GIT_DIFF_PATH_COUNTER").is_some();
        if let [_, path] = words
            && called_for_diff
        {
            let known = path.to_str().is_some_and(|word| word.starts_with('-'));
            return (!known).then(|| Self::Unmerged(path.into()));
        }
        // git passes more arguments for a renamed file; our own options come first.
        [9, 7].into_iter().find_map(|count| {
            let start = words.len().checked_sub(count).filter(|start| *start > 0)?;
            let (before, said) = words.split_at(start);
            let options = &before[1..];
            let is_option = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
            if options.first().is_some_and(|first| !is_option(first)) {
                return None;
            }
            Self::compare(options, &said[0], &said[1..])
        })
    }

    fn compare(options: &[OsString], path: &OsString, words: &[OsString]) -> Option<Self> {
        let (sides, rest) = words.split_at_checked(6)?;
        let old = Side::of(path, &sides[..3])?;
        let mut new = Side::of(path, &sides[3..])?;
        if let [renamed, _] = rest
            && !new.is_nowhere()
        {
            new.name = renamed.into();
        }
        let said = rest.get(1).map(|said| said.to_string_lossy().into_owned());
        Some(Self::Compare {
            old,
            new,
            said: said.unwrap_or_default(),
            options: options.to_vec(),
        })
    }

    /// Answers git.
    pub(crate) fn run(&self) -> anyhow::Result<u8> {
        match self {
            Self::Unmerged(path) => {
                let path = output::visible(&path.to_string_lossy());
                writeln!(io::stdout(), "* Unmerged path {path}")?;
            }
            Self::Compare {
                old,
                new,
                said,
                options,
            } => compare(old, new, said, options)?,
        }
        Ok(0)
    }
}

impl Side {
    fn of(path: &OsString, words: &[OsString]) -> Option<Self> {
        let [file, hex, mode] = words else {
            return None;
        };
        let (hex, mode) = (hex.to_str()?, mode.to_str()?);
        let absent = hex == "." && mode == ".";
        let is_hex = hex.len() >= 4 && hex.bytes().all(|b| b.is_ascii_hexdigit());
        let is_mode = mode.len() == 6 && mode.bytes().all(|b| (b'0'..=b'7').contains(&b));
        if !absent && !((is_hex || hex == ".") && is_mode) {
            return None;
        }
        let name = if absent || file == NOWHERE {
            NOWHERE.into()
        } else {
            path.into()
        };
        Some(Self {
            file: file.into(),
            name,
            mode: mode.to_owned(),
        })
    }

    fn is_nowhere(&self) -> bool {
        self.name.as_os_str() == NOWHERE
    }

    fn bytes(&self) -> anyhow::Result<Vec<u8>> {
        if self.is_nowhere() {
            return Ok(Vec::new());
        }
        // Of a link in the working tree git names the link itself.
        let found = std::fs::symlink_metadata(&self.file);
        if found.is_ok_and(|found| found.is_symlink()) && self.is_link() {
            let target = std::fs::read_link(&self.file);
            let target = target.with_context(|| format!("{}: cannot read", self.name.display()))?;
            return Ok(target.into_os_string().into_encoded_bytes());
        }
        input::read(&self.file)
    }

    /// Its bytes as lines for reading: the target of a link is one.
    fn lines(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        if self.is_link() {
            bytes.push(b'\n');
        }
        bytes
    }

    fn is_link(&self) -> bool {
        self.mode == "120000"
    }

    fn guess(&self, bytes: &[u8]) -> file_kind::DetectedKind {
        if self.is_link() {
            return file_kind::DetectedKind::Other;
        }
        file_kind::guess(&self.name, bytes)
    }

    /// Its name and bytes, if it is there.
    fn version<'s>(&'s self, bytes: &'s [u8]) -> non_text::Version<'s> {
        (!self.is_nowhere()).then(|| (self.name.as_os_str().as_encoded_bytes(), bytes))
    }
}

fn compare(old: &Side, new: &Side, said: &str, options: &[OsString]) -> anyhow::Result<()> {
    let (before, after) = (old.bytes()?, new.bytes()?);
    let guesses: Vec<file_kind::DetectedKind> = [(old, &before), (new, &after)]
        .iter()
        .filter(|(side, _)| !side.is_nowhere())
        .map(|(side, bytes)| side.guess(bytes))
        .collect();
    let tables = guesses
        .iter()
        .all(|guess| *guess == file_kind::DetectedKind::Table);
    // They may say that colours are wanted, and so that people read it.
    let mut words = vec![OsString::from("mvdiff"), "diff".into(), "--no-pager".into()];
    words.extend_from_slice(options);
    words.extend([
        "--".into(),
        old.name.clone().into(),
        new.name.clone().into(),
    ]);
    let args = args(words)?;
    let people = is_read_by_people();
    if people {
        colour_for_gits_pager();
        // Git puts nothing between files.
        if !is_first() {
            writeln!(io::stdout())?;
        }
    }
    if guesses.contains(&file_kind::DetectedKind::Workbook) || (tables && !guesses.is_empty()) {
        return workbooks(&args, (old, &before), (new, &after), said, people);
    }
    let binary = input::is_binary(&before) || input::is_binary(&after);
    if people {
        let mut facts = facts(old, new, said);
        if binary {
            facts.push("binary".to_owned());
            return diff::to_read(&args, (b"", b""), &facts);
        }
        return diff::to_read(&args, (&old.lines(before), &new.lines(after)), &facts);
    }
    head(old, new, said)?;
    if binary {
        return differ(old, new);
    }
    let args = DiffArgs {
        format: Some(DiffFormat::Unified),
        ..args
    };
    diff::text(&args, &before, &after)?;
    Ok(())
}

/// What else happened to a file, in words.
fn facts(old: &Side, new: &Side, said: &str) -> Vec<String> {
    let mut facts = Vec::new();
    let says = |what: &str| said.lines().any(|line| line.starts_with(what));
    if says("rename from ") {
        facts.push("renamed".to_owned());
    } else if says("copy from ") {
        facts.push("copied".to_owned());
    }
    if mode_changed(old, new) {
        facts.push(format!("mode {} → {}", old.mode, new.mode));
    } else if old.is_link() || new.is_link() {
        facts.push("link".to_owned());
    }
    facts
}

/// What is set for reading. Only the environment can be wrong here, and must not end
/// git: it is reported once, and passed over.
fn args(words: Vec<OsString>) -> anyhow::Result<DiffArgs> {
    let parsed = args::parse(words.clone()).and_then(|parsed: args::Args| {
        parsed.color.write_global();
        of(parsed)
    });
    parsed.or_else(|error: clap::Error| {
        if is_first() {
            let what = output::visible(&misuse(&error));
            let _ = writeln!(
                io::stderr(),
                "mvdiff: note: {what}; MVDIFF_ variables left aside"
            );
        }
        let plain = args::parse_alone(words).and_then(of);
        plain.map_err(|error| anyhow!("{}", misuse(&error)))
    })
}

fn of(parsed: args::Args) -> Result<DiffArgs, clap::Error> {
    match parsed.command {
        args::Command::Diff(args) => Ok(args),
        _ => Err(clap::Error::new(clap::error::ErrorKind::InvalidSubcommand)),
    }
}

/// Whether no file was compared before this one.
fn is_first() -> bool {
    let count = std::env::var_os("GIT_DIFF_PATH_COUNTER");
    count.is_none_or(|count| count == "1")
}

fn workbooks(
    args: &DiffArgs,
    (old, before): (&Side, &[u8]),
    (new, after): (&Side, &[u8]),
    said: &str,
    people: bool,
) -> anyhow::Result<()> {
    let read = || -> anyhow::Result<_> {
        let books = non_text::read_both(old.version(before), new.version(after))?;
        Ok(diff_workbooks(&books.0, &books.1, &Options::default())?)
    };
    let format = if people {
        let mut facts = facts(old, new, said);
        facts.push("workbook".to_owned());
        diff::to_read(args, (b"", b""), &facts)?;
        DiffFormat::Terminal
    } else {
        head(old, new, said)?;
        DiffFormat::Text
    };
    match read() {
        Ok(report) => workbook::print_report(args, format, &report),
        Err(error) => {
            let message = output::visible(&format!("{error:#}"));
            let _ = writeln!(io::stderr(), "mvdiff: {message}");
            differ(old, new)
        }
    }
}

/// All that a patch can say about binary files.
fn differ(old: &Side, new: &Side) -> anyhow::Result<()> {
    let (old, new) = (shown("a", &old.name), shown("b", &new.name));
    writeln!(io::stdout(), "Binary files {old} and {new} differ")?;
    Ok(())
}

fn mode_changed(old: &Side, new: &Side) -> bool {
    !old.is_nowhere() && !new.is_nowhere() && old.mode != new.mode
}

/// The line that begins every file, its mode where it is new, gone or another, and
/// git's lines about a rename.
fn head(old: &Side, new: &Side, said: &str) -> io::Result<()> {
    let there = |side: &Side, other: &Side| {
        if side.is_nowhere() {
            other.name.clone()
        } else {
            side.name.clone()
        }
    };
    let (a, b) = (shown("a", &there(old, new)), shown("b", &there(new, old)));
    let mut out = io::stdout().lock();
    writeln!(out, "diff --git {a} {b}")?;
    if mode_changed(old, new) {
        writeln!(out, "old mode {}\nnew mode {}", old.mode, new.mode)?;
    } else if old.is_nowhere() {
        writeln!(out, "new file mode {}", new.mode)?;
    } else if new.is_nowhere() {
        writeln!(out, "deleted file mode {}", old.mode)?;
    }
    for line in said.lines() {
        writeln!(out, "{}", output::visible(line))?;
    }
    out.flush()
}

fn shown(side: &str, name: &Path) -> String {
    if name.as_os_str() == NOWHERE {
        return NOWHERE.to_owned();
    }
    format!("{side}/{}", output::visible(&name.to_string_lossy()))
}
