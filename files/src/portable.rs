//! Directories by path, where they cannot be held open. Symlinks are looked for on the
//! way; one that is swapped in between look and write is not seen.

use crate::content::{Content, Permissions};
use crate::dir::EntryKind;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A directory.
pub(crate) struct Dir(PathBuf);

/// What is known of a file besides its content; equal for a file that no one
/// touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub kind: EntryKind,
    pub mode: u32,
    size: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn new(found: &fs::Metadata) -> Self {
        Self {
            kind: match found.file_type() {
                kind if kind.is_symlink() => EntryKind::Link,
                kind if kind.is_file() => EntryKind::File,
                kind if kind.is_dir() => EntryKind::Folder,
                _ => EntryKind::Other,
            },
            mode: 0,
            size: found.len(),
            modified: found.modified().ok(),
        }
    }

    /// Not known here.
    pub(crate) fn owner(&self) -> (u32, u32) {
        (0, 0)
    }
}

impl Dir {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() {
            Ok(Self(path.to_path_buf()))
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    pub(crate) fn again(&self) -> io::Result<Self> {
        Ok(Self(self.0.clone()))
    }

    pub(crate) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        let path = self.0.join(name);
        match fs::symlink_metadata(&path)?.is_dir() {
            true => Ok(Self(path)),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(crate) fn make(&self, name: &OsStr, _mode: u32) -> io::Result<()> {
        fs::create_dir(self.0.join(name))
    }

    pub(crate) fn remove_dir(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_dir(self.0.join(name))
    }

    pub(crate) fn file(&self, name: &OsStr) -> io::Result<(File, Stamp)> {
        let path = self.0.join(name);
        let stamp = Stamp::new(&fs::symlink_metadata(&path)?);
        Ok((File::open(path)?, stamp))
    }

    pub(crate) fn read_link(&self, name: &OsStr) -> io::Result<Vec<u8>> {
        let target = fs::read_link(self.0.join(name))?;
        Ok(target.to_string_lossy().replace('\\', "/").into_bytes())
    }

    pub(crate) fn stamp(&self, name: &OsStr) -> io::Result<Option<Stamp>> {
        match fs::symlink_metadata(self.0.join(name)) {
            Ok(found) => Ok(Some(Stamp::new(&found))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Without links, a file that holds the path, as git does there.
    pub(crate) fn create(
        &self,
        name: &OsStr,
        content: &Content,
        _permissions: Permissions,
    ) -> io::Result<()> {
        let mut file = File::create_new(self.0.join(name))?;
        file.write_all(content.bytes())?;
        file.sync_all()
    }

    pub(crate) fn rename(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fs::rename(self.0.join(name), to.0.join(new))
    }

    pub(crate) fn link(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fs::hard_link(self.0.join(name), to.0.join(new))
    }

    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        match fs::remove_file(self.0.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Two runs at once are not kept apart here.
pub(crate) fn try_lock(_file: &File) -> io::Result<bool> {
    Ok(true)
}

/// A folder of this user, private where the system makes it so.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Owners are not compared here.
pub(crate) fn keep_private(folder: &Path) -> io::Result<bool> {
    fs::metadata(folder).map(|_| true)
}

pub(crate) fn private_file(path: &Path, append: bool) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).append(append);
    options.write(true).truncate(!append);
    options.open(path)
}

pub(crate) fn private_folder(parent: &Path) -> io::Result<PathBuf> {
    let folder = tempfile::Builder::new().prefix("").tempdir_in(parent);
    Ok(folder?.keep())
}
