//! A transaction as it lies in the store: a list of files and their contents.

use super::path;
use super::system::private_file;
use crate::Bytes;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// What is being written, or was.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Journal {
    version: u32,
    /// Part of the names of temporary files.
    pub id: String,
    pub root: Bytes,
    pub files: Vec<Entry>,
    /// The record that this one undoes.
    #[serde(default)]
    pub undoes: Option<String>,
}

/// A file of a journal.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Parts of the path.
    pub path: Vec<Bytes>,
    pub old: Option<Stored>,
    pub new: Option<Stored>,
    /// Mode, user and group that the file has, if it was there.
    pub like: Option<(u32, (u32, u32))>,
    /// The first of the path's folders that was not there.
    pub made: Option<usize>,
}

/// Where a content lies in the data.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Stored {
    pub start: u64,
    pub len: u64,
}

const VERSION: u32 = 1;
const JOURNAL: &str = "journal.json";
const DATA: &str = "data";

impl Entry {
    pub(super) fn parts(&self) -> Vec<OsString> {
        self.path.iter().map(|part| os_string(&part.0)).collect()
    }

    /// The file by its place below the root.
    pub(super) fn name(&self) -> PathBuf {
        self.parts().iter().collect()
    }
}

impl Journal {
    pub(super) fn new(id: String, root: &Path, undoes: Option<String>) -> Self {
        Self {
            version: VERSION,
            id,
            root: Bytes(bytes(root.as_os_str())),
            files: Vec::new(),
            undoes,
        }
    }

    /// The name of the file that replaces one of these.
    pub(super) fn temporary(&self, index: usize) -> OsString {
        format!(".mvdiff-{}-{index}.tmp", self.id).into()
    }

    pub(super) fn root(&self) -> PathBuf {
        os_string(&self.root.0).into()
    }

    /// Writes contents and journal into a folder, the journal last: a folder
    /// without it never happened.
    pub(super) fn write(&self, folder: &Path, contents: &[&[u8]]) -> io::Result<()> {
        let mut data = private_file(&folder.join(DATA), false)?;
        for content in contents {
            data.write_all(content)?;
        }
        data.sync_all()?;
        let unfinished = folder.join("journal.tmp");
        let mut file = private_file(&unfinished, false)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.sync_all()?;
        std::fs::rename(unfinished, folder.join(JOURNAL))?;
        sync_folder(folder)
    }

    /// The journal of a folder; nothing if it never got there.
    pub(super) fn read(folder: &Path) -> io::Result<Option<Self>> {
        let text = match std::fs::read(folder.join(JOURNAL)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let journal: Self = serde_json::from_slice(&text)?;
        if journal.version != VERSION {
            return Err(io::Error::other("was written by another version of mvdiff"));
        }
        // Whoever wrote it: it reaches no further than an input does.
        let astray = |entry: &Entry| !path::are_below(entry.path.iter().map(|part| &part.0[..]));
        if !journal.root().is_absolute() || journal.files.iter().any(astray) {
            return Err(io::Error::other("names a file outside of its root"));
        }
        Ok(Some(journal))
    }
}

/// A content of a folder's data.
pub(super) fn content(folder: &Path, stored: Stored) -> io::Result<Vec<u8>> {
    let mut data = File::open(folder.join(DATA))?;
    data.seek(SeekFrom::Start(stored.start))?;
    let mut bytes = Vec::new();
    data.take(stored.len).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != stored.len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

/// Writes the names in a folder down to the disk, where that can be done.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        File::open(folder)?.sync_all()
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        Ok(())
    }
}

pub(super) fn bytes(text: &std::ffi::OsStr) -> Vec<u8> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        text.as_bytes().to_vec()
    }
    #[cfg(not(unix))]
    {
        text.to_string_lossy().into_owned().into_bytes()
    }
}

fn os_string(bytes: &[u8]) -> OsString {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        std::ffi::OsStr::from_bytes(bytes).to_owned()
    }
    #[cfg(not(unix))]
    {
        String::from_utf8_lossy(bytes).into_owned().into()
    }
}
