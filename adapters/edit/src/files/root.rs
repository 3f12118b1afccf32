//! A directory, and the files below it that may be edited.

use super::path::foreign_parts;
use super::system::{Dir, Stamp};
use crate::ErrorKind;
use std::ffi::OsString;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// A directory that edits stay in.
pub struct Root {
    pub(super) path: PathBuf,
    pub(super) dir: Dir,
}

/// A file as it was read.
#[derive(Clone, Debug)]
pub struct Source {
    pub(super) parts: Vec<OsString>,
    pub(super) stamp: Option<Stamp>,
    /// Its content; nothing if there is no such file.
    pub bytes: Option<Vec<u8>>,
}

impl Source {
    /// Its mode and owner, if there is such a file.
    #[must_use]
    pub fn like(&self) -> Option<Like> {
        let stamp = self.stamp.as_ref()?;
        Some(Like((stamp.mode, stamp.owner())))
    }

    /// The file by its place below the root, whichever way it was written.
    #[must_use]
    pub fn name(&self) -> PathBuf {
        self.parts.iter().collect()
    }
}

/// A file and what shall become of it.
#[derive(Clone, Debug)]
pub struct Change {
    /// The file as it was read.
    pub source: Source,
    /// Its new content; nothing if it shall go.
    pub new: Option<Vec<u8>>,
    /// Whose mode and owner a new file takes; nothing for the usual ones.
    pub like: Option<Like>,
}

/// Mode and owner of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Like(pub(super) (u32, (u32, u32)));

/// Why a file cannot be edited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FileError {
    /// `outside_root` or `unreadable`.
    pub kind: ErrorKind,
    /// What is wrong.
    pub message: String,
}

impl FileError {
    fn outside(message: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::OutsideRoot,
            message: message.into(),
        }
    }

    fn unreadable(message: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Unreadable,
            message: message.into(),
        }
    }
}

impl Root {
    /// Opens a directory.
    ///
    /// # Errors
    /// If it is none, or cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = std::fs::canonicalize(path)?;
        let dir = Dir::open(&path)?;
        Ok(Self { path, dir })
    }

    /// Its own path, without links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads a file below it. That there is none is no error: it can be made.
    ///
    /// # Errors
    /// If the path leads out of the root, through a link or into `.git`, or to
    /// something that is no regular file or cannot be read.
    pub fn read(&self, path: &[u8]) -> Result<Source, FileError> {
        let parts = foreign_parts(path).map_err(FileError::outside)?;
        self.read_parts(parts)
    }

    pub(super) fn read_parts(&self, parts: Vec<OsString>) -> Result<Source, FileError> {
        let none = |parts| Source {
            parts,
            stamp: None,
            bytes: None,
        };
        let (dir, name) = match self.dir.parent(&parts, None) {
            Ok(parent) => parent,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(none(parts)),
            Err(error) => return Err(self.astray(&parts, &error)),
        };
        if dir.is_link(name) {
            return Err(FileError::outside("is a link, which is not followed"));
        }
        let (mut file, stamp) = match dir.file(name) {
            Ok(opened) => opened,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(none(parts)),
            Err(error) => return Err(FileError::unreadable(format!("cannot read: {error}"))),
        };
        if !stamp.regular {
            return Err(FileError::unreadable("is no regular file"));
        }
        let mut bytes = Vec::new();
        let read = file.read_to_end(&mut bytes);
        read.map_err(|error| FileError::unreadable(format!("cannot read: {error}")))?;
        Ok(Source {
            parts,
            stamp: Some(stamp),
            bytes: Some(bytes),
        })
    }

    /// The first of a path's folders that is not there.
    pub(super) fn missing(&self, parts: &[OsString]) -> Option<usize> {
        (1..parts.len())
            .find(|depth| match self.dir.parent(&parts[..=*depth], None) {
                Ok(_) => false,
                Err(error) => error.kind() == io::ErrorKind::NotFound,
            })
            .map(|depth| depth - 1)
    }

    /// Takes folders away that were made for a file, if nothing is in them.
    pub(super) fn unmake(&self, parts: &[OsString], made: Option<usize>) {
        let Some(made) = made else { return };
        for depth in (made..parts.len() - 1).rev() {
            let Ok((dir, name)) = self.dir.parent(&parts[..=depth], None) else {
                continue;
            };
            if dir.remove_dir(name).is_err() {
                return;
            }
        }
    }

    /// Why a way could not be gone: a link on it, or something else.
    fn astray(&self, parts: &[OsString], error: &io::Error) -> FileError {
        let mut up_to = Vec::new();
        for part in parts {
            up_to.push(part.clone());
            if let Ok((dir, name)) = self.dir.parent(&up_to, None)
                && dir.is_link(name)
            {
                let shown: PathBuf = up_to.iter().collect();
                let shown = shown.display();
                return FileError::outside(format!("{shown} is a link, which is not followed"));
            }
        }
        FileError::unreadable(format!("cannot read: {error}"))
    }
}
