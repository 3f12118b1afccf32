//! The journal of a transaction: a list of files and their contents.

use crate::content::{Change, Content, Like, Permissions, Source};
use crate::path::{self, bytes_of, os_string};
use crate::root::Root;
use crate::run::{Run, Step};
use crate::system::private_file;
use mvdiff_lines::Text;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// A transaction, under way or done.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Journal {
    version: u32,
    /// Part of the names of temporary files.
    pub id: String,
    pub root: Text,
    pub files: Vec<Entry>,
    /// The record that this one undoes.
    #[serde(default)]
    pub undoes: Option<String>,
}

/// A file of a journal.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Parts of the path.
    path: Vec<Text>,
    old: Option<Stored>,
    new: Option<Stored>,
    /// Mode, user and group of the old file.
    like: Option<Like>,
    /// The first of the path's folders that was not there.
    pub made: Option<usize>,
    /// As in [`Change`].
    #[serde(default)]
    pub permissions: Option<Permissions>,
    #[serde(default)]
    prune: Option<usize>,
    #[serde(default)]
    folders: Vec<u32>,
}

/// Where a content is in the data.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Stored {
    start: u64,
    len: u64,
    #[serde(default)]
    is_link: bool,
}

const VERSION: u32 = 1;
const JOURNAL: &str = "journal.json";
const DATA: &str = "data";

impl Entry {
    pub(crate) fn parts(&self) -> Vec<OsString> {
        self.path.iter().map(|part| os_string(&part.0)).collect()
    }

    /// The file by its path below the root.
    pub(crate) fn name(&self) -> PathBuf {
        self.parts().iter().collect()
    }

    /// The change, with its contents read from the folder of the journal.
    pub(crate) fn change(&self, folder: &Path) -> io::Result<Change> {
        let load = |stored: Option<Stored>| stored.map(|s| content(folder, s)).transpose();
        Ok(Change {
            source: Source {
                parts: self.parts(),
                stamp: None,
                like: self.like,
                content: load(self.old)?,
            },
            new: load(self.new)?,
            permissions: self.permissions,
            prune: self.prune,
            folders: self.folders.clone(),
        })
    }
}

impl Journal {
    pub(crate) fn new(run: &Run<'_>, undoes: Option<&str>) -> Self {
        let mut at = 0;
        let mut store = |content: Option<&Content>| {
            let content = content?;
            let (start, len) = (at, content.bytes().len() as u64);
            at += len;
            Some(Stored {
                start,
                len,
                is_link: content.is_link(),
            })
        };
        let mut entry = |step: &Step| {
            let change = &step.change;
            Entry {
                path: change
                    .source
                    .parts
                    .iter()
                    .map(|part| Text(bytes_of(part)))
                    .collect(),
                old: store(change.source.content.as_ref()),
                new: store(change.new.as_ref()),
                like: change.source.like,
                made: step.made,
                permissions: change.permissions,
                prune: change.prune,
                folders: change.folders.clone(),
            }
        };
        Self {
            version: VERSION,
            id: run.id.clone(),
            root: Text(bytes_of(run.root.path.as_os_str())),
            files: run.steps.iter().map(&mut entry).collect(),
            undoes: undoes.map(str::to_owned),
        }
    }

    /// The transaction again, from the folder of the journal.
    pub(crate) fn run<'r>(&self, root: &'r Root, folder: &Path) -> io::Result<Run<'r>> {
        let step = |entry: &Entry| {
            Ok(Step {
                change: entry.change(folder)?,
                made: entry.made,
            })
        };
        let steps = self.files.iter().map(step).collect::<io::Result<_>>()?;
        Ok(Run {
            root,
            id: self.id.clone(),
            steps,
        })
    }

    pub(crate) fn root(&self) -> PathBuf {
        os_string(&self.root.0).into()
    }

    /// Writes contents and journal into a folder, the journal last: without it,
    /// nothing happened.
    pub(crate) fn write(&self, folder: &Path, run: &Run<'_>) -> io::Result<()> {
        let mut data = private_file(&folder.join(DATA), false)?;
        for Step { change, .. } in &run.steps {
            let contents = [&change.source.content, &change.new];
            for content in contents.into_iter().flatten() {
                data.write_all(content.bytes())?;
            }
        }
        data.sync_all()?;
        let unfinished = folder.join("journal.tmp");
        let mut file = private_file(&unfinished, false)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.sync_all()?;
        std::fs::rename(unfinished, folder.join(JOURNAL))?;
        sync_folder(folder)
    }

    /// The journal of a folder; nothing if it was never written.
    pub(crate) fn read(folder: &Path) -> io::Result<Option<Self>> {
        let text = match std::fs::read(folder.join(JOURNAL)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let journal: Self = serde_json::from_slice(&text)?;
        if journal.version != VERSION {
            return Err(io::Error::other("was written by another version of mvdiff"));
        }
        // Whatever wrote it, it reaches no further than an input does.
        let astray = |entry: &Entry| !path::are_below(entry.path.iter().map(|part| &part.0[..]));
        if !journal.root().is_absolute() || journal.files.iter().any(astray) {
            return Err(io::Error::other("names a file outside of its root"));
        }
        Ok(Some(journal))
    }
}

/// A content of a folder's data.
fn content(folder: &Path, stored: Stored) -> io::Result<Content> {
    let mut data = File::open(folder.join(DATA))?;
    data.seek(SeekFrom::Start(stored.start))?;
    let mut bytes = Vec::new();
    data.take(stored.len).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != stored.len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(if stored.is_link {
        Content::Link(bytes)
    } else {
        Content::File(bytes)
    })
}

/// Writes the names in a folder down to the disk, where that can be done.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
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
