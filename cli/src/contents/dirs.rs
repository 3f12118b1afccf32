//! Contents from two directories.

use super::fit::{has_lines, settle};
use super::{Found, Gathering, Sides};
use crate::paths;
use anyhow::bail;
use mvdiff_text::effective::Source;
use mvdiff_text::patch::{Changeset, FilePatch};
use std::path::{Path, PathBuf};

/// A tree before and a tree after.
pub(crate) struct Dirs {
    old: PathBuf,
    new: PathBuf,
}

impl Dirs {
    pub(super) fn new(old: &Path, new: &Path) -> anyhow::Result<Self> {
        for dir in [old, new] {
            if !dir.is_dir() {
                bail!("{}: no directory; give the two trees", dir.display());
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
            if !has_lines(file) {
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

    fn read(&self, file: &FilePatch<'_>) -> Result<Sides, String> {
        let side = |root: &Path, path: Option<&[u8]>| match path {
            Some(path) => read(root, path),
            None => Ok(None),
        };
        Ok(Sides {
            old: side(&self.old, file.old_path.as_deref())?,
            new: side(&self.new, file.new_path.as_deref())?,
        })
    }
}

/// A file below `root` as git would store it, `None` if there is none.
pub(super) fn read(root: &Path, path: &[u8]) -> Result<Option<Vec<u8>>, String> {
    match paths::below(root, path)? {
        (_, None) => Ok(None),
        (_, Some(_)) => paths::read(root, path).map(Some),
    }
}
