//! Replaces a single file once everything is written.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that takes another's place at [`commit`](Self::commit), and is removed
/// otherwise.
pub struct AtomicFile {
    target: PathBuf,
    temporary: NamedTempFile,
}

impl AtomicFile {
    /// Begins a file in the folder of `target`. It can be read by its user alone until
    /// it has the mode of the file that it replaces.
    ///
    /// # Errors
    /// If no file can be made there.
    pub fn new(target: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // The umask applies, as to any new file.
            let mode = if target.exists() { 0o600 } else { 0o666 };
            builder.permissions(std::fs::Permissions::from_mode(mode));
        }
        let folder = target.parent().filter(|path| !path.as_os_str().is_empty());
        let temporary = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
        Ok(Self {
            target: target.to_path_buf(),
            temporary,
        })
    }

    /// Where it is until it is committed.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// The file to write to.
    pub fn file(&mut self) -> &mut File {
        self.temporary.as_file_mut()
    }

    /// Writes it down to the disk and puts it in its place.
    ///
    /// # Errors
    /// If that fails; then the target is as it was.
    pub fn commit(self) -> io::Result<()> {
        let file = self.temporary.as_file();
        if let Ok(existing) = std::fs::metadata(&self.target) {
            file.set_permissions(existing.permissions())?;
        }
        file.sync_all()?;
        self.temporary.persist(&self.target).map_err(|e| e.error)?;
        Ok(())
    }
}

/// The error without the path of a temporary file, which means nothing to users.
#[must_use]
pub fn without_path(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(std::error::Error::source);
    let cause = inner.and_then(|e| e.downcast_ref::<io::Error>());
    match cause.unwrap_or(&error).raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None if error.kind() == io::ErrorKind::Other => error,
        None => error.kind().into(),
    }
}
