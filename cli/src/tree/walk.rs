//! The files of two directories, read as far as they differ.

use super::TOLD;
use crate::args::DiffArgs;
use crate::progress::Progress;
use crate::{input, paths};
use anyhow::{Context as _, anyhow};
use globset::{Glob, GlobSet};
use mvdiff_text::Note;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};

const PLAIN: u32 = 0o100_644;
#[cfg(unix)]
const EXECUTABLE: u32 = 0o100_755;
const LINK: u32 = 0o120_000;

/// What two directories hold and is not the same.
pub(crate) struct Files {
    pub old: Vec<File>,
    pub new: Vec<File>,
    /// Files that are the same on both sides.
    pub same: u32,
    /// Their paths, if somebody wants to know.
    pub same_paths: Vec<Vec<u8>>,
    /// What is neither file nor link nor directory.
    special: Vec<PathBuf>,
    /// Whether something other than a file, link or directory is on one side only.
    pub has_lone_special: bool,
    /// Empty directories that are on one side only, each with where it is.
    pub lone_folders: Vec<PathBuf>,
}

/// A file that was read.
pub(crate) struct File {
    pub path: Vec<u8>,
    pub mode: u32,
    pub bytes: Vec<u8>,
}

impl File {
    pub(crate) fn is_binary(&self) -> bool {
        self.mode != LINK && input::is_binary(&self.bytes)
    }
}

impl Files {
    /// Whether one side holds something other than files that the other does not.
    pub(crate) fn has_lone(&self) -> bool {
        self.has_lone_special || !self.lone_folders.is_empty()
    }

    /// What is left out.
    pub(super) fn notes(&self) -> Vec<Note> {
        let note = |message| Note {
            kind: "skipped".into(),
            message,
        };
        let told = self.special.iter().take(TOLD).map(|path| {
            let path = path.display();
            note(format!(
                "{path}: is not a file, symlink or directory; left out"
            ))
        });
        let mut notes: Vec<Note> = told.collect();
        if self.special.len() > TOLD {
            let more = self.special.len() - TOLD;
            notes.push(note(format!(
                "{more} more are not files, symlinks or directories; left out"
            )));
        }
        let told = self.lone_folders.iter().take(TOLD).map(|path| Note {
            kind: "folder".into(),
            message: format!("{}: an empty directory, on one side only", path.display()),
        });
        notes.extend(told);
        if self.lone_folders.len() > TOLD {
            let more = self.lone_folders.len() - TOLD;
            notes.push(Note {
                kind: "folder".into(),
                message: format!("{more} more empty directories are on one side only"),
            });
        }
        notes
    }
}

/// The entries below a directory.
#[derive(Default)]
struct Walked {
    files: Vec<Found>,
    special: Vec<PathBuf>,
    /// All directories by their paths, with whether they are empty.
    folders: BTreeMap<Vec<u8>, (PathBuf, bool)>,
}

impl Walked {
    /// Empty directories that are not directories on the other side.
    fn lone(&self, other: &Self) -> Vec<PathBuf> {
        let empty = self.folders.iter().filter(|(_, (_, is_empty))| *is_empty);
        let lone = empty.filter(|(path, _)| !other.folders.contains_key(*path));
        lone.map(|(_, (full, _))| full.clone()).collect()
    }
}

/// A file that was found.
struct Found {
    path: Vec<u8>,
    full: PathBuf,
    mode: u32,
    len: u64,
}

impl Found {
    fn read(self) -> anyhow::Result<File> {
        let bytes = match self.mode {
            LINK => std::fs::read_link(&self.full).map(paths::link_bytes),
            _ => std::fs::read(&self.full),
        };
        Ok(File {
            bytes: bytes.with_context(|| format!("{}: cannot read", self.full.display()))?,
            path: self.path,
            mode: self.mode,
        })
    }
}

/// Reads two directories; of what is the same nothing is kept.
pub(crate) fn read(old: &Path, new: &Path, left_out: &LeftOut) -> anyhow::Result<Files> {
    let mut files = Files {
        old: Vec::new(),
        new: Vec::new(),
        same: 0,
        same_paths: Vec::new(),
        special: Vec::new(),
        has_lone_special: false,
        lone_folders: Vec::new(),
    };
    let (left, right) = (walk(old, left_out)?, walk(new, left_out)?);
    files.lone_folders = [left.lone(&right), right.lone(&left)].concat();
    let (found, [left, right]) = ([left.files, right.files], [left.special, right.special]);
    let below = |paths: &[PathBuf], root: &Path| -> Vec<PathBuf> {
        let below = paths.iter().filter_map(|path| path.strip_prefix(root).ok());
        below.map(Path::to_path_buf).collect()
    };
    files.has_lone_special = below(&left, old) != below(&right, new);
    files.special = [left, right].concat();
    let total: usize = found.iter().map(Vec::len).sum();
    let progress = Progress::new(Some(total as u64), "files");
    let mut done = 0;
    let [old, new] = found;
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return Ok(files),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(old), Some(new)) => old.path.cmp(&new.path),
        };
        let here = old.next_if(|_| order.is_le());
        let there = new.next_if(|_| order.is_ge());
        done += 1 + u64::from(order.is_eq());
        progress.at(done);
        let alike = here
            .as_ref()
            .zip(there.as_ref())
            .is_some_and(|(a, b)| (a.mode, a.len) == (b.mode, b.len));
        let (here, there) = (
            here.map(Found::read).transpose()?,
            there.map(Found::read).transpose()?,
        );
        let same = here
            .as_ref()
            .zip(there.as_ref())
            .is_some_and(|(a, b)| alike && a.bytes == b.bytes);
        if same {
            files.same += 1;
            if left_out.names_same {
                files.same_paths.extend(here.map(|file| file.path));
            }
            continue;
        }
        files.old.extend(here);
        files.new.extend(there);
    }
}

/// The files below a directory, by their paths.
fn walk(root: &Path, left_out: &LeftOut) -> anyhow::Result<Walked> {
    let wanted = left_out.gitignore.then(|| not_ignored(root));
    // `git difftool -d` fills its directories with links to the working tree.
    let follow = std::env::var_os("GIT_DIFFTOOL_DIRDIFF").is_some_and(|said| !said.is_empty());
    let mut found = Walked::default();
    let mut folders = vec![(root.to_path_buf(), Vec::new())];
    while let Some((folder, above)) = folders.pop() {
        let cannot = || format!("{}: cannot read the directory", folder.display());
        let mut is_empty = true;
        for entry in std::fs::read_dir(&folder).with_context(cannot)? {
            let entry = entry.with_context(cannot)?;
            // A directory that holds nothing but what is left out is not empty.
            is_empty = false;
            let name = entry.file_name();
            let full = entry.path();
            let is_ignored = |wanted: &HashSet<PathBuf>| !wanted.contains(&full);
            if name == ".git"
                || left_out.names.is_match(&name)
                || wanted.as_ref().is_some_and(is_ignored)
            {
                continue;
            }
            let path = [&above[..], &paths::bytes(Path::new(&name))].concat();
            let mut met = std::fs::symlink_metadata(&full);
            if follow
                && let Ok(file) = std::fs::metadata(&full)
                && file.is_file()
            {
                met = Ok(file);
            }
            let met = met.with_context(|| format!("{}: cannot read", full.display()))?;
            match mode(&met) {
                Some(mode) => found.files.push(Found {
                    path,
                    full,
                    mode,
                    len: met.len(),
                }),
                None if met.is_dir() => folders.push((full, [&path[..], b"/"].concat())),
                None => found.special.push(full),
            }
        }
        if !above.is_empty() {
            found.folders.insert(above, (folder, is_empty));
        }
    }
    found.files.sort_by(|a, b| a.path.cmp(&b.path));
    found.special.sort();
    Ok(found)
}

/// What of directories is not compared.
pub(crate) struct LeftOut {
    /// By name, wherever it is.
    names: GlobSet,
    /// By the files that git has for it.
    gitignore: bool,
    /// Whether the names of files that are the same are wanted.
    names_same: bool,
}

impl LeftOut {
    pub(crate) fn of(args: &DiffArgs) -> anyhow::Result<Self> {
        let mut names = GlobSet::builder();
        for pattern in &args.exclude {
            let glob = Glob::new(pattern.trim_end_matches('/'));
            let glob = glob.map_err(|error| anyhow!("--exclude {pattern}: {}", error.kind()))?;
            names.add(glob);
        }
        Ok(Self {
            names: names.build().context("--exclude")?,
            gitignore: args.gitignore,
            names_same: args.report_identical_files,
        })
    }
}

/// All below a directory but what its `.gitignore` files name.
fn not_ignored(root: &Path) -> HashSet<PathBuf> {
    let mut walk = ignore::WalkBuilder::new(root);
    walk.standard_filters(false)
        .git_ignore(true)
        .require_git(false)
        .parents(false);
    let entries = walk.build().filter_map(Result::ok);
    entries.map(ignore::DirEntry::into_path).collect()
}

/// The mode of a file or link, as git has it; `None` of anything else.
fn mode(met: &Metadata) -> Option<u32> {
    if met.is_symlink() {
        return Some(LINK);
    }
    if !met.is_file() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        if met.permissions().mode() & 0o100 != 0 {
            return Some(EXECUTABLE);
        }
    }
    Some(PLAIN)
}
