//! Directories by their paths, where the system has no descriptors for them. A
//! link is refused where it is seen.

use super::Kind;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A directory.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A directory that the user named; links on the way are the user's.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(fs::canonicalize(path)?))
    }

    pub(super) fn again(&self) -> io::Result<Self> {
        Ok(Self(self.0.clone()))
    }

    /// A directory in this one.
    pub(crate) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        match self.kind(name)? {
            Some(Kind::Folder(_)) => Ok(Self(self.0.join(name))),
            Some(_) => Err(io::ErrorKind::NotADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Makes a directory in this one.
    pub(crate) fn make(&self, name: &OsStr, _mode: u32) -> io::Result<()> {
        fs::create_dir(self.0.join(name))
    }

    /// Takes an empty directory away.
    pub(crate) fn unmake(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_dir(self.0.join(name))
    }

    /// What stands under a name.
    pub(crate) fn kind(&self, name: &OsStr) -> io::Result<Option<Kind>> {
        let found = match fs::symlink_metadata(self.0.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            found => found?,
        };
        Ok(Some(match found.file_type() {
            kind if kind.is_symlink() => Kind::Link,
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Folder(0),
            _ => Kind::Other,
        }))
    }

    /// The content of a file, which is no link.
    pub(crate) fn read(&self, name: &OsStr) -> io::Result<Vec<u8>> {
        match self.kind(name)? {
            Some(Kind::File) => fs::read(self.0.join(name)),
            Some(_) => Err(io::Error::other("is no file")),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// The path that a link names.
    pub(crate) fn read_link(&self, name: &OsStr) -> io::Result<Vec<u8>> {
        let target = fs::read_link(self.0.join(name))?;
        Ok(target.to_string_lossy().replace('\\', "/").into_bytes())
    }

    /// A new file.
    pub(crate) fn create(&self, name: &OsStr, _mode: u32) -> io::Result<File> {
        File::create_new(self.0.join(name))
    }

    /// Without links, a file with the path in it, as git has it there.
    pub(crate) fn create_link(&self, name: &OsStr, target: &[u8]) -> io::Result<()> {
        io::Write::write_all(&mut self.create(name, 0)?, target)
    }

    /// Moves what stands under a name, over what is there.
    pub(crate) fn rename(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fs::rename(self.0.join(name), to.0.join(new))
    }

    /// Gives what stands under a name a second one.
    pub(crate) fn link(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fs::hard_link(self.0.join(name), to.0.join(new))
    }

    /// Takes a file or a link away.
    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }
}
