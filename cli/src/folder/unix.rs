//! Directories by their descriptors.

use super::Kind;
use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// A directory.
pub(crate) struct Folder(OwnedFd);

const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);

impl Folder {
    /// A directory that the user named; links on the way are the user's.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::open(path, DIRECTORY, Mode::empty())?))
    }

    pub(super) fn again(&self) -> io::Result<Self> {
        Ok(Self(self.0.try_clone()?))
    }

    /// A directory in this one.
    pub(crate) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        let flags = DIRECTORY | OFlags::NOFOLLOW;
        let entered = rustix::fs::openat(&self.0, name, flags, Mode::empty())?;
        Ok(Self(entered))
    }

    /// Makes a directory in this one, with what the umask leaves of a mode.
    pub(crate) fn make(&self, name: &OsStr, mode: u32) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(
            &self.0,
            name,
            Mode::from_raw_mode(mode as _),
        )?)
    }

    /// Takes an empty directory away.
    pub(crate) fn unmake(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    /// What stands under a name.
    pub(crate) fn kind(&self, name: &OsStr) -> io::Result<Option<Kind>> {
        let stat = match rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(rustix::io::Errno::NOENT) => return Ok(None),
            stat => stat?,
        };
        Ok(Some(match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Symlink => Kind::Link,
            FileType::Directory => Kind::Folder(Mode::from_raw_mode(stat.st_mode).as_raw_mode()),
            _ => Kind::Other,
        }))
    }

    /// The content of a file, which is no link.
    pub(crate) fn read(&self, name: &OsStr) -> io::Result<Vec<u8>> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.0, name, flags, Mode::empty())?;
        let mut file = File::from(file);
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("is no file"));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The path that a link names.
    pub(crate) fn read_link(&self, name: &OsStr) -> io::Result<Vec<u8>> {
        let target = rustix::fs::readlinkat(&self.0, name, Vec::new())?;
        Ok(target.into_bytes())
    }

    /// A new file, with what the umask leaves of a mode.
    pub(crate) fn create(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(mode as _);
        Ok(rustix::fs::openat(&self.0, name, flags, mode)?.into())
    }

    /// A new link.
    pub(crate) fn create_link(&self, name: &OsStr, target: &[u8]) -> io::Result<()> {
        Ok(rustix::fs::symlinkat(
            OsStr::from_bytes(target),
            &self.0,
            name,
        )?)
    }

    /// Moves what stands under a name, over what is there.
    pub(crate) fn rename(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, name, &to.0, new)?)
    }

    /// Gives what stands under a name a second one.
    pub(crate) fn link(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::linkat(
            &self.0,
            name,
            &to.0,
            new,
            AtFlags::empty(),
        )?)
    }

    /// Takes a file or a link away.
    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }
}
