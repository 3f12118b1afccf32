//! Walks paths directory by directory, without following symlinks.

use crate::system::Dir;
use std::ffi::{OsStr, OsString};
use std::io;

/// What a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    File,
    Link,
    Folder,
    Other,
}

/// The default mode of a folder.
const FOLDER: u32 = 0o777;

impl Dir {
    /// The folder that names lead to, one after the other.
    pub(crate) fn walk(&self, names: &[OsString]) -> io::Result<Self> {
        let mut dir = self.again()?;
        for name in names {
            dir = dir.enter(name)?;
        }
        Ok(dir)
    }

    /// The folder of a path, and the last name of the path.
    pub(crate) fn parent<'p>(&self, parts: &'p [OsString]) -> io::Result<(Self, &'p OsStr)> {
        let (name, folders) = parts.split_last().ok_or(io::ErrorKind::InvalidInput)?;
        Ok((self.walk(folders)?, name))
    }

    /// As [`parent`](Self::parent), with missing folders created, with these modes.
    pub(crate) fn make_parent<'p>(
        &self,
        parts: &'p [OsString],
        modes: &[u32],
    ) -> io::Result<(Self, &'p OsStr)> {
        let (name, folders) = parts.split_last().ok_or(io::ErrorKind::InvalidInput)?;
        let mut dir = self.again()?;
        for (depth, folder) in folders.iter().enumerate() {
            dir = match dir.enter(folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    dir.make(folder, modes.get(depth).copied().unwrap_or(FOLDER))?;
                    dir.enter(folder)?
                }
                entered => entered?,
            };
        }
        Ok((dir, name))
    }

    /// What a name refers to, without following links.
    pub(crate) fn kind(&self, name: &OsStr) -> io::Result<Option<EntryKind>> {
        Ok(self.stamp(name)?.map(|stamp| stamp.kind))
    }
}
