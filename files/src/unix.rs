//! Directories by descriptor: everything happens relative to them, and no link is
//! followed.

use crate::content::{Content, Like, Permissions};
use crate::dir::EntryKind;
use rustix::fs::{AtFlags, FileType, FlockOperation, Gid, Mode, OFlags, Uid};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// A directory.
pub(crate) struct Dir(OwnedFd);

/// What is known of a file besides its content; equal for a file that no one
/// touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub kind: EntryKind,
    pub mode: u32,
    owner: (u32, u32),
    identity: (u64, u64),
    size: u64,
    changed: [i64; 4],
}

impl Stamp {
    #[allow(
        clippy::unnecessary_cast,
        clippy::useless_conversion,
        reason = "the widths of these fields differ between systems"
    )]
    fn new(stat: &rustix::fs::Stat) -> Self {
        Self {
            kind: match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => EntryKind::File,
                FileType::Symlink => EntryKind::Link,
                FileType::Directory => EntryKind::Folder,
                _ => EntryKind::Other,
            },
            mode: stat.st_mode as u32 & 0o7777,
            owner: (stat.st_uid, stat.st_gid),
            identity: (stat.st_dev as u64, stat.st_ino as u64),
            size: stat.st_size as u64,
            changed: [
                stat.st_mtime as i64,
                stat.st_mtime_nsec as i64,
                stat.st_ctime as i64,
                stat.st_ctime_nsec as i64,
            ],
        }
    }

    /// User and group.
    pub(crate) fn owner(&self) -> (u32, u32) {
        self.owner
    }
}

const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);

impl Dir {
    /// A directory that the user named; links on the way are the user's.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::open(path, DIRECTORY, Mode::empty())?))
    }

    /// The same directory once more.
    pub(crate) fn again(&self) -> io::Result<Self> {
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
        let mode = Mode::from_raw_mode(mode as _);
        Ok(rustix::fs::mkdirat(&self.0, name, mode)?)
    }

    /// Removes an empty directory.
    pub(crate) fn remove_dir(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    /// Opens a file for reading, but not a link; a pipe does not block.
    pub(crate) fn file(&self, name: &OsStr) -> io::Result<(File, Stamp)> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.0, name, flags, Mode::empty())?;
        let stamp = Stamp::new(&rustix::fs::fstat(&file)?);
        Ok((File::from(file), stamp))
    }

    /// The path that a link names.
    pub(crate) fn read_link(&self, name: &OsStr) -> io::Result<Vec<u8>> {
        let target = rustix::fs::readlinkat(&self.0, name, Vec::new())?;
        Ok(target.into_bytes())
    }

    /// What is known of a file or link.
    pub(crate) fn stamp(&self, name: &OsStr) -> io::Result<Option<Stamp>> {
        match rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(Stamp::new(&stat))),
            Err(rustix::io::Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes a new file down to the disk, or makes a link. Until the file has its
    /// mode and owner, only its user can read it.
    pub(crate) fn create(
        &self,
        name: &OsStr,
        content: &Content,
        permissions: Permissions,
    ) -> io::Result<()> {
        let bytes = match content {
            Content::File(bytes) => bytes,
            Content::Link(target) => {
                let target = OsStr::from_bytes(target);
                return Ok(rustix::fs::symlinkat(target, &self.0, name)?);
            }
        };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let flags = flags | OFlags::CLOEXEC;
        let first = match permissions {
            Permissions::New(mode) => mode,
            _ => 0o600,
        };
        let first = Mode::from_raw_mode(first as _);
        let mut file = File::from(rustix::fs::openat(&self.0, name, flags, first)?);
        file.write_all(bytes)?;
        if let Permissions::Like(Like((_, (user, group)))) = permissions {
            let stat = rustix::fs::fstat(&file)?;
            if (stat.st_uid, stat.st_gid) != (user, group) {
                let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
                rustix::fs::fchown(&file, Some(user), Some(group))?;
            }
        }
        if let Permissions::Like(Like((mode, _))) | Permissions::Mode(mode) = permissions {
            rustix::fs::fchmod(&file, Mode::from_raw_mode(mode as _))?;
        }
        file.sync_all()
    }

    /// Moves a file or link, over what is there.
    pub(crate) fn rename(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, name, &to.0, new)?)
    }

    /// Gives a file or link a second name.
    pub(crate) fn link(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        let flags = AtFlags::empty();
        Ok(rustix::fs::linkat(&self.0, name, &to.0, new, flags)?)
    }

    /// Removes a file or link, if it is there.
    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        match rustix::fs::unlinkat(&self.0, name, AtFlags::empty()) {
            Err(error) if error != rustix::io::Errno::NOENT => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Writes the names in it down to the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(&self.0)?)
    }
}

/// Takes the lock, unless somebody else has it. The lock ends with the file, and with
/// the process, however that ends.
pub(crate) fn try_lock(file: &File) -> io::Result<bool> {
    match rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::WOULDBLOCK | rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Makes a folder that only its user can look into, and missing ones above it.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(PRIVATE_DIR)
        .create(folder)
}

/// A new folder in one of the store's, under a name of its own.
pub(crate) fn private_folder(parent: &Path) -> io::Result<PathBuf> {
    use std::os::unix::fs::PermissionsExt as _;
    let private = std::fs::Permissions::from_mode(PRIVATE_DIR);
    let mut builder = tempfile::Builder::new();
    let folder = builder.prefix("").permissions(private);
    Ok(folder.tempdir_in(parent)?.keep())
}

/// Whether an existing folder is this user's; if it is, no one else can look into it
/// from now on. Earlier versions left it open.
pub(crate) fn keep_private(folder: &Path) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let found = std::fs::metadata(folder)?;
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Ok(false);
    }
    if found.mode() & 0o777 & !PRIVATE_DIR != 0 {
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(PRIVATE_DIR))?;
    }
    Ok(true)
}

/// A file of the store for writing; only its user can read it.
pub(crate) fn private_file(path: &Path, append: bool) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = File::options();
    options.create(true).append(append).mode(0o600);
    options.write(true).truncate(!append);
    options.open(path)
}

const PRIVATE_DIR: u32 = 0o700;
