//! The same by paths, where directories cannot be held open. Links are looked
//! for on the way; one that is swapped in between look and write is not seen.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A directory.
pub(super) struct Dir(PathBuf);

/// What is known of a file besides its content; equal for a file that nobody
/// touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub regular: bool,
    pub mode: u32,
    size: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn new(found: &std::fs::Metadata) -> Self {
        Self {
            regular: found.is_file(),
            mode: 0,
            size: found.len(),
            modified: found.modified().ok(),
        }
    }

    /// Not known here.
    pub(super) fn owner(&self) -> (u32, u32) {
        (0, 0)
    }
}

impl Dir {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if std::fs::metadata(path)?.is_dir() {
            Ok(Self(path.to_path_buf()))
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    pub(super) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        let path = self.0.join(name);
        match std::fs::symlink_metadata(&path)?.is_dir() {
            true => Ok(Self(path)),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn make(&self, name: &OsStr) -> io::Result<()> {
        std::fs::create_dir(self.0.join(name))
    }

    pub(super) fn remove_dir(&self, name: &OsStr) -> io::Result<()> {
        std::fs::remove_dir(self.0.join(name))
    }

    pub(super) fn file(&self, name: &OsStr) -> io::Result<(File, Stamp)> {
        let path = self.0.join(name);
        let stamp = Stamp::new(&std::fs::symlink_metadata(&path)?);
        Ok((File::open(path)?, stamp))
    }

    pub(super) fn stamp(&self, name: &OsStr) -> io::Result<Option<Stamp>> {
        match std::fs::symlink_metadata(self.0.join(name)) {
            Ok(found) => Ok(Some(Stamp::new(&found))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn is_link(&self, name: &OsStr) -> bool {
        std::fs::symlink_metadata(self.0.join(name)).is_ok_and(|found| found.is_symlink())
    }

    pub(super) fn create(
        &self,
        name: &OsStr,
        bytes: &[u8],
        _like: Option<(u32, (u32, u32))>,
        sync: bool,
    ) -> io::Result<()> {
        let mut file = File::create_new(self.0.join(name))?;
        file.write_all(bytes)?;
        if sync { file.sync_all() } else { Ok(()) }
    }

    pub(super) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        std::fs::rename(self.0.join(from), self.0.join(to))
    }

    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        match std::fs::remove_file(self.0.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn parent<'p>(
        &self,
        parts: &'p [OsString],
        mut made: Option<&mut dyn FnMut(usize)>,
    ) -> io::Result<(Self, &'p OsStr)> {
        let (name, folders) = parts
            .split_last()
            .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let mut dir = Self(self.0.clone());
        for (depth, folder) in folders.iter().enumerate() {
            dir = match dir.enter(folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let Some(made) = &mut made else {
                        return Err(error);
                    };
                    dir.make(folder)?;
                    made(depth);
                    dir.enter(folder)?
                }
                entered => entered?,
            };
        }
        Ok((dir, name))
    }
}

/// Two runs at once are not kept apart here.
pub(super) fn try_lock(_file: &File) -> io::Result<bool> {
    Ok(true)
}

/// A folder of this user, who alone sees it where the system has it so.
pub(super) fn make_private(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

/// Owners are not told apart here.
pub(super) fn keep_private(folder: &Path) -> io::Result<bool> {
    std::fs::metadata(folder).map(|_| true)
}

pub(super) fn private_file(path: &Path, append: bool) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).append(append);
    options.write(true).truncate(!append);
    options.open(path)
}

pub(super) fn private_folder(parent: &Path) -> io::Result<PathBuf> {
    let folder = tempfile::Builder::new().prefix("").tempdir_in(parent);
    Ok(folder?.keep())
}
