//! Directories held open: what happens below one happens relative to it, and no
//! link on the way is followed, so that swapping one in leads nothing astray.

#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use portable::Folder;
#[cfg(unix)]
pub(crate) use unix::Folder;

use std::ffi::OsString;
use std::io;

/// What stands under a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Link,
    /// A directory, with the bits of its mode.
    Folder(u32),
    Other,
}

impl Folder {
    /// The directory that names lead to, one after the other.
    pub(crate) fn way(&self, names: &[OsString]) -> io::Result<Self> {
        let mut folder = self.again()?;
        for name in names {
            folder = folder.enter(name)?;
        }
        Ok(folder)
    }
}
