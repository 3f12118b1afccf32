//! Directories held open: everything happens relative to them, and no link is
//! ever followed, so that swapping one in cannot lead a write astray.

use rustix::fs::{AtFlags, FileType, FlockOperation, Gid, Mode, OFlags, Uid};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::path::Path;

/// A directory.
pub(super) struct Dir(OwnedFd);

/// What is known of a file besides its content; equal for a file that nobody
/// touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub regular: bool,
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
            regular: FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile,
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

    /// Who owns it: user and group.
    pub(super) fn owner(&self) -> (u32, u32) {
        self.owner
    }
}

const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);

impl Dir {
    /// A directory that the user named; links on the way are the user's.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::open(path, DIRECTORY, Mode::empty())?))
    }

    /// A directory in this one.
    pub(super) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        let flags = DIRECTORY | OFlags::NOFOLLOW;
        Ok(Self(rustix::fs::openat(
            &self.0,
            name,
            flags,
            Mode::empty(),
        )?))
    }

    /// Makes a directory in this one.
    pub(super) fn make(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(
            &self.0,
            name,
            Mode::from_raw_mode(0o777),
        )?)
    }

    /// Takes an empty directory away.
    pub(super) fn remove_dir(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    /// Opens a file for reading, and no link; a pipe does not make it wait.
    pub(super) fn file(&self, name: &OsStr) -> io::Result<(File, Stamp)> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.0, name, flags, Mode::empty())?;
        let stamp = Stamp::new(&rustix::fs::fstat(&file)?);
        Ok((File::from(file), stamp))
    }

    /// What stands under a name, be it a link.
    pub(super) fn stamp(&self, name: &OsStr) -> io::Result<Option<Stamp>> {
        match rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(Stamp::new(&stat))),
            Err(rustix::io::Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether a name is that of a link.
    pub(super) fn is_link(&self, name: &OsStr) -> bool {
        rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink)
    }

    /// Writes a new file, down to the disk if asked for, with the mode and the
    /// owner given; before it has them, only its user can read it.
    pub(super) fn create(
        &self,
        name: &OsStr,
        bytes: &[u8],
        like: Option<(u32, (u32, u32))>,
        sync: bool,
    ) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let mode = if like.is_some() { 0o600 } else { 0o666 };
        let flags = flags | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.0, name, flags, Mode::from_raw_mode(mode))?;
        let mut file = File::from(file);
        file.write_all(bytes)?;
        if let Some((mode, (user, group))) = like {
            let stat = rustix::fs::fstat(&file)?;
            if (stat.st_uid, stat.st_gid) != (user, group) {
                let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
                rustix::fs::fchown(&file, Some(user), Some(group))?;
            }
            rustix::fs::fchmod(&file, Mode::from_raw_mode(mode))?;
        }
        if sync { file.sync_all() } else { Ok(()) }
    }

    pub(super) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, from, &self.0, to)?)
    }

    /// Takes a file away, if it is there.
    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        match rustix::fs::unlinkat(&self.0, name, AtFlags::empty()) {
            Err(error) if error != rustix::io::Errno::NOENT => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Writes the names in it down to the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(&self.0)?)
    }

    /// The directory that a path leads to, parts of it made where asked for, and
    /// the last name of the path.
    pub(super) fn parent<'p>(
        &self,
        parts: &'p [OsString],
        mut made: Option<&mut dyn FnMut(usize)>,
    ) -> io::Result<(Self, &'p OsStr)> {
        let (name, folders) = parts
            .split_last()
            .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let mut dir = Self(rustix::io::fcntl_dupfd_cloexec(&self.0, 0)?);
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

/// Takes the lock, unless somebody else has it. It goes with the file, and with
/// the process, however that ends.
pub(super) fn try_lock(file: &File) -> io::Result<bool> {
    match rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::WOULDBLOCK | rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Makes a folder that only its user can look into, and those above it that are
/// not there.
pub(super) fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(PRIVATE_DIR)
        .create(folder)
}

/// A new folder in one of the store's, under a name of its own.
pub(super) fn private_folder(parent: &Path) -> io::Result<std::path::PathBuf> {
    use std::os::unix::fs::PermissionsExt as _;
    let private = std::fs::Permissions::from_mode(PRIVATE_DIR);
    let mut builder = tempfile::Builder::new();
    let folder = builder.prefix("").permissions(private);
    Ok(folder.tempdir_in(parent)?.keep())
}

/// Whether a folder that is there is this user's; if it is, nobody else can look
/// into it from now on. Versions before this one left it open.
pub(super) fn keep_private(folder: &Path) -> io::Result<bool> {
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
pub(super) fn private_file(path: &Path, append: bool) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = File::options();
    options.create(true).append(append).mode(0o600);
    options.write(true).truncate(!append);
    options.open(path)
}

const PRIVATE_DIR: u32 = 0o700;
