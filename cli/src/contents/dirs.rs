//! Contents from two directories.

use super::{Found, Gathering, Sides};
use crate::{input, paths};
use anyhow::bail;
use mvdiff_text::effective::Source;
use mvdiff_text::effective::{is_submodule, settle};
use mvdiff_text::patch::{Changeset, FilePatch};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Bytes of untouched files that are looked through for copies.
const MOST_OTHERS: u64 = 64 << 20;

/// A file that the patch does not touch.
pub(crate) struct Other {
    pub path: Vec<u8>,
    pub text: Vec<u8>,
}

/// A tree before and a tree after.
pub(crate) struct Dirs {
    old: PathBuf,
    new: PathBuf,
}

impl Dirs {
    pub(super) fn new(old: &Path, new: &Path) -> anyhow::Result<Self> {
        for dir in [old, new] {
            if !dir.is_dir() {
                bail!(
                    "{}: not a directory; give the directories of the old and the new files",
                    dir.display()
                );
            }
        }
        Ok(Self {
            old: old.into(),
            new: new.into(),
        })
    }

    pub(super) fn look_up(&self, changeset: &Changeset<'_>) -> Found {
        let mut found = Gathering::new(Source::Dirs, "the two directories");
        for file in &changeset.files {
            if is_submodule(file) {
                found.as_it_is(Sides::default());
                continue;
            }
            let read = match self.read(file) {
                Ok(read) => read,
                Err(why) => {
                    found.miss(file, why);
                    continue;
                }
            };
            if file.is_binary() {
                // Nothing in the patch could tell whether it fits.
                found.as_it_is(read);
                continue;
            }
            let nothing = read == Sides::default();
            match settle(file, read) {
                Some(sides) if nothing => found.as_it_is(sides),
                Some(sides) => found.hit(sides),
                None if nothing => found.miss(file, "in neither of the two directories"),
                None => found.miss(file, "the two directories hold something else"),
            }
        }
        found.finish()
    }

    /// The old files that the patch does not touch, by path, for copies may
    /// come from there; and whether there were too many.
    pub(super) fn others(&self, changeset: &Changeset<'_>) -> (Vec<Other>, bool) {
        let touched: HashSet<&[u8]> = changeset
            .files
            .iter()
            .filter_map(|file| file.old_path.as_deref())
            .collect();
        let (mut others, mut room) = (Vec::new(), MOST_OTHERS);
        let mut todo = vec![(self.old.clone(), Vec::new())];
        while let Some((dir, below)) = todo.pop() {
            let Ok(entries) = std::fs::read_dir(&dir) else {
                continue;
            };
            let mut entries: Vec<_> = entries.flatten().collect();
            // From the end of the list, so that it is read in order.
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.file_name()));
            for entry in entries {
                let name = paths::bytes(Path::new(&entry.file_name()));
                let path = [&below[..], &name].concat();
                match entry.metadata() {
                    Ok(found) if found.is_dir() && name != b".git" => {
                        todo.push((entry.path(), [&path[..], b"/"].concat()));
                    }
                    Ok(found) if found.is_file() && !touched.contains(&path[..]) => {
                        let Some(rest) = room.checked_sub(found.len()) else {
                            return (others, true);
                        };
                        let Ok(text) = std::fs::read(entry.path()) else {
                            continue;
                        };
                        if !input::is_binary(&text) {
                            room = rest;
                            others.push(Other { path, text });
                        }
                    }
                    _ => {}
                }
            }
        }
        others.sort_by(|a, b| a.path.cmp(&b.path));
        (others, false)
    }

    /// Both versions of a file.
    pub(super) fn both(&self, file: &FilePatch<'_>) -> Option<[Option<Vec<u8>>; 2]> {
        let read = self.read(file).ok()?;
        Some([read.old, read.new])
    }

    fn read(&self, file: &FilePatch<'_>) -> Result<Sides, String> {
        let side = |root: &Path, path: Option<&[u8]>| match path {
            Some(path) => paths::read(root, path),
            None => Ok(None),
        };
        Ok(Sides {
            old: side(&self.old, file.old_path.as_deref())?,
            new: side(&self.new, file.new_path.as_deref())?,
        })
    }
}
