//! A directory, and the files below it.

use crate::content::{Content, Like, Source};
use crate::dir::EntryKind;
use crate::error::FileError;
use crate::path::{foreign_parts, parts};
use crate::system::Dir;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// A directory that reads and writes stay in.
pub struct Root {
    pub(crate) path: PathBuf,
    pub(crate) dir: Dir,
}

/// What a path below a root leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A regular file, with its mode and owner.
    File(Like),
    /// A symbolic link.
    Link,
    /// A directory.
    Folder,
    /// A pipe, a device, a socket.
    Other,
}

/// Folders that were made, which are removed again unless they are kept.
#[derive(Debug, Default)]
pub struct NewFolders(Vec<PathBuf>);

impl NewFolders {
    /// Keeps them.
    pub fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for NewFolders {
    fn drop(&mut self) {
        for path in self.0.iter().rev() {
            // Somebody else may have put something there.
            let _ = std::fs::remove_dir(path);
        }
    }
}

impl Root {
    /// Opens a directory.
    ///
    /// # Errors
    /// If it is not a directory, or cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = std::fs::canonicalize(path)?;
        let dir = Dir::open(&path)?;
        Ok(Self { path, dir })
    }

    /// Opens a directory, and makes it and those above it where they are missing.
    ///
    /// # Errors
    /// The folder that cannot be made or opened, and why.
    pub fn make(path: &Path) -> Result<(Self, NewFolders), (PathBuf, io::Error)> {
        let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let missing: Vec<&Path> = path.ancestors().take_while(missing).collect();
        let mut made = NewFolders::default();
        for path in missing.into_iter().rev() {
            std::fs::create_dir(path).map_err(|error| (path.to_path_buf(), error))?;
            made.0.push(path.to_path_buf());
        }
        let root = Self::open(path).map_err(|error| (path.to_path_buf(), error))?;
        Ok((root, made))
    }

    /// Its own path, without links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads a regular file below it, by a path that a model or a stranger wrote. A
    /// missing file is not an error: it can be made.
    ///
    /// # Errors
    /// If the path leads out of the root, through a link or into `.git`, or if it is
    /// not a regular file or cannot be read.
    pub fn read(&self, path: &[u8]) -> Result<Source, FileError> {
        let parts = foreign_parts(path).map_err(FileError::outside)?;
        let source = self.read_parts(parts)?;
        if source.content.as_ref().is_some_and(Content::is_link) {
            return Err(FileError::outside("is a symlink, which is not followed"));
        }
        Ok(source)
    }

    /// Reads a regular file or a link below it. A missing file is not an error.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_any(&self, path: &[u8]) -> Result<Source, FileError> {
        self.read_parts(parts(path).map_err(FileError::outside)?)
    }

    /// A file that is not looked for, since something else is in its way and about to
    /// go.
    ///
    /// # Errors
    /// If the path leads out of the root.
    pub fn absent(&self, path: &[u8]) -> Result<Source, FileError> {
        let parts = parts(path).map_err(FileError::outside)?;
        Ok(Source::missing(parts))
    }

    /// What a path leads to.
    ///
    /// # Errors
    /// If the path leads out of the root, or through a link or a file.
    pub fn look(&self, path: &[u8]) -> Result<Found, FileError> {
        let parts = parts(path).map_err(FileError::outside)?;
        let found = self
            .dir
            .parent(&parts)
            .and_then(|(dir, name)| dir.stamp(name));
        match found {
            Ok(None) => Ok(Found::Nothing),
            Ok(Some(found)) => Ok(match found.kind {
                EntryKind::File => Found::File(Like::of(&found)),
                EntryKind::Link => Found::Link,
                EntryKind::Folder => Found::Folder,
                EntryKind::Other => Found::Other,
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Nothing),
            Err(error) => Err(self.astray(&parts, &error)),
        }
    }

    fn read_parts(&self, parts: Vec<OsString>) -> Result<Source, FileError> {
        let (dir, name) = match self.dir.parent(&parts) {
            Ok(parent) => parent,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Source::missing(parts));
            }
            Err(error) => return Err(self.astray(&parts, &error)),
        };
        let kind = dir.kind(name);
        let refused = |error: io::Error| FileError::unreadable(format!("cannot read: {error}"));
        if matches!(kind, Ok(Some(EntryKind::Folder | EntryKind::Other))) {
            return Err(FileError::unreadable("is not a regular file"));
        }
        let name = name.to_owned();
        source(&dir, &name, parts).map_err(refused)
    }

    /// A file or link as it is; missing if a folder is there, or a file is on the way.
    pub(crate) fn now(&self, parts: &[OsString]) -> io::Result<Source> {
        let (dir, name) = match self.dir.parent(parts) {
            Ok(parent) => parent,
            Err(error) if is_missing(&error) => return Ok(Source::missing(parts.to_vec())),
            Err(error) => return Err(error),
        };
        if dir.kind(name)? == Some(EntryKind::Folder) {
            return Ok(Source::missing(parts.to_vec()));
        }
        source(&dir, name, parts.to_vec())
    }

    /// The modes of the folders of a path, as far as they are there.
    pub(crate) fn folder_modes(&self, parts: &[OsString]) -> Vec<u32> {
        let mode = |depth: &usize| {
            let (dir, name) = self.dir.parent(&parts[..=*depth]).ok()?;
            let stamp = dir.stamp(name).ok()??;
            (stamp.kind == EntryKind::Folder).then_some(stamp.mode & 0o777)
        };
        let depths = 0..parts.len() - 1;
        depths.map_while(|depth| mode(&depth)).collect()
    }

    /// Removes folders of a path from a depth on, if they are empty.
    pub(crate) fn prune(&self, parts: &[OsString], from: usize) {
        for depth in (from..parts.len().saturating_sub(1)).rev() {
            let removed = self.dir.parent(&parts[..=depth]);
            let removed = removed.and_then(|(dir, name)| dir.remove_dir(name));
            if removed.is_err_and(|error| error.kind() != io::ErrorKind::NotFound) {
                return;
            }
        }
    }

    /// Why a path cannot be followed: a link on the way, a file, or something else.
    fn astray(&self, parts: &[OsString], error: &io::Error) -> FileError {
        for depth in 1..parts.len() {
            let up_to = &parts[..depth];
            let kind = self
                .dir
                .parent(up_to)
                .and_then(|(dir, name)| dir.kind(name));
            let shown: PathBuf = up_to.iter().collect();
            let shown = shown.display();
            match kind {
                Ok(Some(EntryKind::Link)) => {
                    return FileError::outside(format!(
                        "{shown} is a symlink, which is not followed"
                    ));
                }
                Ok(Some(EntryKind::File | EntryKind::Other)) => {
                    return FileError::unreadable(format!("{shown} is not a directory"));
                }
                _ => {}
            }
        }
        FileError::unreadable(format!("cannot read: {error}"))
    }
}

/// Whether nothing is there, or a file is on the way.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    let kind = error.kind();
    kind == io::ErrorKind::NotFound || kind == io::ErrorKind::NotADirectory
}

/// A file or link of a folder.
fn source(dir: &Dir, name: &OsStr, parts: Vec<OsString>) -> io::Result<Source> {
    let missing = |parts| Ok(Source::missing(parts));
    if dir.kind(name)? == Some(EntryKind::Link) {
        let (content, stamp) = (dir.read_link(name)?, dir.stamp(name)?);
        return Ok(Source {
            parts,
            stamp,
            like: None,
            content: Some(Content::Link(content)),
        });
    }
    let (mut file, stamp) = match dir.file(name) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return missing(parts),
        Err(error) => return Err(error),
    };
    if stamp.kind != EntryKind::File {
        return Err(io::Error::other("is not a regular file"));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Source {
        parts,
        like: Some(Like::of(&stamp)),
        stamp: Some(stamp),
        content: Some(Content::File(bytes)),
    })
}
