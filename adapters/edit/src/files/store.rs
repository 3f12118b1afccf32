//! Where transactions and what undoes them are kept, outside of every tree.

use super::journal::{Entry, Journal, Stored, bytes, content, sync_folder};
use super::root::{Change, Root};
use super::run::Run;
use super::system::lock;
use crate::Bytes;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A folder for journals: `pending/` for what is being written, `undo/` for what
/// was, by root.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// An interrupted run that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The root it worked in.
    pub root: PathBuf,
    /// How many files it was about.
    pub files: usize,
    /// Whether its edits were finished; if not, they were taken back, since
    /// these files were changed by somebody else.
    pub foreign: Vec<PathBuf>,
}

/// A run that was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The files that are as they were.
    pub files: Vec<PathBuf>,
}

/// Why files were not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no place to keep journals.
    #[error("there is no home directory to keep the journal in; set XDG_STATE_HOME")]
    NoHome,
    /// The store cannot be used.
    #[error("{}: cannot keep the journal: {error}", .path.display())]
    Store {
        /// Where.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file cannot be written; all are as they were.
    #[error("{}: cannot write: {error}; all files are as they were", .path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file was changed after it was read; all are as they were.
    #[error("{}: was changed meanwhile; nothing was written, run again", .path.display())]
    Changed {
        /// Which.
        path: PathBuf,
    },
    /// There is no run to undo.
    #[error("{}: there is nothing to undo here", .path.display())]
    NothingToUndo {
        /// Where.
        path: PathBuf,
    },
    /// A file was changed after the run that is to be undone.
    #[error("{}: was changed since it was edited; nothing was undone", .path.display())]
    ChangedSince {
        /// Which.
        path: PathBuf,
    },
}

/// Runs of one root that can be undone; older ones are forgotten.
const KEPT: usize = 20;

impl Store {
    /// A store in a folder; it is made when it is needed.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The store of this user: `mvdiff` in `$XDG_STATE_HOME`, else in
    /// `~/.local/state`, else in `%LOCALAPPDATA%`.
    ///
    /// # Errors
    /// If there is no such place.
    pub fn of_user() -> Result<Self, StoreError> {
        let absolute = |name| {
            let path = std::env::var_os(name).map(PathBuf::from);
            path.filter(|path| path.is_absolute())
        };
        let home = || Some(absolute("HOME")?.join(".local/state"));
        let folder = absolute("XDG_STATE_HOME")
            .or_else(home)
            .or_else(|| absolute("LOCALAPPDATA"))
            .ok_or(StoreError::NoHome)?;
        Ok(Self::new(folder.join("mvdiff")))
    }

    /// Finishes or takes back what interrupted runs left behind.
    ///
    /// # Errors
    /// If the store cannot be used, or a file cannot be written.
    pub fn recover(&self) -> Result<Vec<Recovered>, StoreError> {
        if self.pending()?.is_empty() {
            return Ok(Vec::new());
        }
        let _lock = self.lock()?;
        self.recover_locked()
    }

    /// Carries changes out, all or none.
    ///
    /// # Errors
    /// If a file was changed since it was read, or cannot be written; then all
    /// are as they were.
    pub fn write(&self, root: &Root, changes: &[Change]) -> Result<(), StoreError> {
        if changes.is_empty() {
            return Ok(());
        }
        let _lock = self.lock()?;
        self.recover_locked()?;
        self.transact(root, changes, None)
    }

    /// Takes the last run in a root back, or the last that edited a file of it.
    ///
    /// # Errors
    /// If there is none, or its files were changed since.
    pub fn undo(&self, root: &Root, only: Option<&Path>) -> Result<Undone, StoreError> {
        let _lock = self.lock()?;
        self.recover_locked()?;
        let records = self.records(root).map_err(|error| self.trouble(error))?;
        for record in records.into_iter().rev() {
            let journal = Journal::read(&record).map_err(|error| self.trouble(error))?;
            let Some(journal) = journal else { continue };
            let paths: Vec<PathBuf> = journal.files.iter().map(Entry::name).collect();
            if only.is_some_and(|only| !paths.iter().any(|path| path == only)) {
                continue;
            }
            let changes = inverse(root, &record, &journal).map_err(|e| self.undo_trouble(e))?;
            let name = record.file_name().map(OsStr::to_string_lossy);
            self.transact(root, &changes, name.map(Into::into))?;
            return Ok(Undone { files: paths });
        }
        Err(StoreError::NothingToUndo {
            path: only.map_or_else(|| root.path.clone(), |only| root.path.join(only)),
        })
    }

    fn trouble(&self, error: io::Error) -> StoreError {
        StoreError::Store {
            path: self.folder.clone(),
            error,
        }
    }

    fn undo_trouble(&self, trouble: Inverse) -> StoreError {
        match trouble {
            Inverse::Changed(path) => StoreError::ChangedSince { path },
            Inverse::Store(error) => self.trouble(error),
        }
    }

    fn lock(&self) -> Result<File, StoreError> {
        let locked = || {
            std::fs::create_dir_all(self.folder.join("pending"))?;
            let path = self.folder.join("lock");
            let file = File::options().create(true).append(true).open(path)?;
            lock(&file)?;
            Ok(file)
        };
        locked().map_err(|error| self.trouble(error))
    }

    /// Folders of runs that did not end.
    fn pending(&self) -> Result<Vec<PathBuf>, StoreError> {
        folders(&self.folder.join("pending")).map_err(|error| self.trouble(error))
    }

    fn recover_locked(&self) -> Result<Vec<Recovered>, StoreError> {
        let mut recovered = Vec::new();
        for folder in self.pending()? {
            let journal = Journal::read(&folder).map_err(|error| self.trouble(error))?;
            let Some(journal) = journal else {
                // It was killed before it touched a file.
                discard(&folder).map_err(|error| self.trouble(error))?;
                continue;
            };
            let path = journal.root();
            let root = match Root::open(&path) {
                Ok(root) => root,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    discard(&folder).map_err(|error| self.trouble(error))?;
                    continue;
                }
                Err(error) => return Err(StoreError::Write { path, error }),
            };
            let run = Run {
                root: &root,
                folder: &folder,
                journal: &journal,
            };
            let foreign = run.settle()?;
            if foreign.is_empty() {
                self.finish(&run).map_err(|error| self.trouble(error))?;
            } else {
                discard(&folder).map_err(|error| self.trouble(error))?;
            }
            recovered.push(Recovered {
                root: path,
                files: journal.files.len(),
                foreign,
            });
        }
        Ok(recovered)
    }

    fn transact(
        &self,
        root: &Root,
        changes: &[Change],
        undoes: Option<String>,
    ) -> Result<(), StoreError> {
        let pending = self.folder.join("pending");
        let folder = tempfile::Builder::new().prefix("").tempdir_in(&pending);
        let folder = folder.map_err(|error| self.trouble(error))?.keep();
        let id = folder.file_name().map(OsStr::to_string_lossy);
        let mut journal = Journal::new(id.unwrap_or_default().into_owned(), &root.path, undoes);
        let mut contents: Vec<&[u8]> = Vec::new();
        let mut at = 0;
        let mut store = |bytes: Option<&'_ Vec<u8>>| {
            let len = bytes?.len() as u64;
            at += len;
            Some(Stored {
                start: at - len,
                len,
            })
        };
        for Change { source, new } in changes {
            journal.files.push(Entry {
                path: source.parts.iter().map(|p| Bytes(bytes(p))).collect(),
                old: store(source.bytes.as_ref()),
                new: store(new.as_ref()),
                like: source.stamp.as_ref().map(|s| (s.mode, s.owner())),
                made: root.missing(&source.parts),
            });
            contents.extend(source.bytes.as_deref());
            contents.extend(new.as_deref());
        }
        let run = Run {
            root,
            folder: &folder,
            journal: &journal,
        };
        let begun = run.unchanged(changes).and_then(|()| {
            let written = journal.write(&folder, &contents);
            let written = written.and_then(|()| sync_folder(&pending));
            written.map_err(|error| self.trouble(error))
        });
        let done = begun.and_then(|()| run.carry_out(changes));
        if done.is_err() {
            // If this fails, too, the journal stays for the next run.
            run.take_back()?;
        }
        match done {
            Ok(()) => self.finish(&run).map_err(|error| self.trouble(error)),
            Err(error) => {
                discard(&folder).map_err(|error| self.trouble(error))?;
                Err(error)
            }
        }
    }

    /// Makes a record of a run that is done, or forgets the one that it undid.
    fn finish(&self, run: &Run<'_>) -> io::Result<()> {
        let records = self.folder.join("undo").join(key(&run.root.path));
        if let Some(undone) = &run.journal.undoes {
            // The journal goes last: if this is interrupted, it is done again.
            match discard(&records.join(undone)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => return discard(run.folder),
            }
        }
        std::fs::create_dir_all(&records)?;
        let known = folders(&records)?;
        let last = known
            .last()
            .and_then(|path| path.file_name()?.to_str()?.parse().ok());
        let next: u64 = last.unwrap_or(0) + 1;
        std::fs::rename(run.folder, records.join(format!("{next:010}")))?;
        let old = known.len().saturating_sub(KEPT - 1);
        known[..old].iter().try_for_each(|path| discard(path))
    }

    /// Records of runs in a root, the oldest first.
    fn records(&self, root: &Root) -> io::Result<Vec<PathBuf>> {
        folders(&self.folder.join("undo").join(key(&root.path)))
    }
}

/// The name of a root in the store.
fn key(root: &Path) -> String {
    let hash = xxhash_rust::xxh3::xxh3_128(&bytes(root.as_os_str()));
    format!("{hash:032x}")
}

/// The folders in a folder, in order; none if there is no such folder.
fn folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        found.push(entry?.path());
    }
    found.sort();
    Ok(found)
}

/// Takes a run's folder away, the journal first: without it, it never happened.
fn discard(folder: &Path) -> io::Result<()> {
    match std::fs::remove_file(folder.join("journal.json")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    std::fs::remove_dir_all(folder)
}

enum Inverse {
    Changed(PathBuf),
    Store(io::Error),
}

/// The changes that take a run back.
fn inverse(root: &Root, record: &Path, journal: &Journal) -> Result<Vec<Change>, Inverse> {
    let mut changes = Vec::new();
    for entry in &journal.files {
        let load = |stored: Option<Stored>| {
            let loaded = stored.map(|stored| content(record, stored)).transpose();
            loaded.map_err(Inverse::Store)
        };
        let foreign = || Inverse::Changed(entry.name());
        let source = root.read_parts(entry.parts()).map_err(|_| foreign())?;
        if source.bytes != load(entry.new)? {
            return Err(foreign());
        }
        changes.push(Change {
            source,
            new: load(entry.old)?,
        });
    }
    Ok(changes)
}
