//! Where transactions and what undoes them are kept, outside of every tree.

use super::journal::{Entry, Journal, Stored, bytes, content, sync_folder};
use super::root::{Change, Root};
use super::system::{Dir, lock};
use crate::Bytes;
use std::ffi::{OsStr, OsString};
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
            let paths: Vec<PathBuf> = journal.files.iter().map(path_of).collect();
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

fn path_of(entry: &Entry) -> PathBuf {
    entry.parts().iter().collect()
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
        let foreign = || Inverse::Changed(path_of(entry));
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

/// A transaction on its way.
struct Run<'r> {
    root: &'r Root,
    folder: &'r Path,
    journal: &'r Journal,
}

impl Run<'_> {
    /// Whether all files are as they were read.
    fn unchanged(&self, changes: &[Change]) -> Result<(), StoreError> {
        for Change { source, .. } in changes {
            let found = match self.root.dir.parent(&source.parts, None) {
                Ok((dir, name)) => dir.stamp(name).ok().flatten(),
                Err(_) => None,
            };
            if found != source.stamp {
                return Err(StoreError::Changed {
                    path: source.name(),
                });
            }
        }
        Ok(())
    }

    /// Writes all files beside the old ones, then puts them in their places.
    fn carry_out(&self, changes: &[Change]) -> Result<(), StoreError> {
        let dirs = self.prepare(changes)?;
        for ((index, change), dir) in changes.iter().enumerate().zip(&dirs) {
            self.put(index, change, dir)?;
        }
        let mut before: Option<&[OsString]> = None;
        for (change, dir) in changes.iter().zip(&dirs) {
            let parts = &change.source.parts;
            let folder = &parts[..parts.len() - 1];
            if before.replace(folder) != Some(folder) {
                dir.sync().map_err(|error| StoreError::Write {
                    path: change.source.name(),
                    error,
                })?;
            }
        }
        Ok(())
    }

    fn prepare(&self, changes: &[Change]) -> Result<Vec<Dir>, StoreError> {
        let mut dirs = Vec::with_capacity(changes.len());
        for ((index, change), entry) in changes.iter().enumerate().zip(&self.journal.files) {
            let prepared = || {
                let parts = &change.source.parts;
                let mut ignore = |_| {};
                let made: Option<&mut dyn FnMut(usize)> = match &change.new {
                    Some(_) => Some(&mut ignore),
                    None => None,
                };
                let (dir, _) = self.root.dir.parent(parts, made)?;
                if let Some(new) = &change.new {
                    let temporary = self.journal.temporary(index);
                    dir.create(&temporary, new, entry.like)?;
                }
                Ok(dir)
            };
            let path = || change.source.name();
            let dir = prepared().map_err(|error| StoreError::Write {
                path: path(),
                error,
            })?;
            dirs.push(dir);
        }
        Ok(dirs)
    }

    fn put(&self, index: usize, change: &Change, dir: &Dir) -> Result<(), StoreError> {
        let source = &change.source;
        let Some(name) = source.parts.last() else {
            return Ok(());
        };
        let trouble = |error| StoreError::Write {
            path: source.name(),
            error,
        };
        if dir.stamp(name).map_err(trouble)? != source.stamp {
            return Err(StoreError::Changed {
                path: source.name(),
            });
        }
        match &change.new {
            Some(_) => {
                let temporary = self.journal.temporary(index);
                dir.rename(&temporary, name).map_err(trouble)
            }
            None => dir.remove(name).map_err(trouble),
        }
    }

    /// Finishes an interrupted run, or takes it back where it cannot be
    /// finished: the files that somebody else changed.
    fn settle(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut foreign = Vec::new();
        let mut to_do = Vec::new();
        for (index, entry) in self.journal.files.iter().enumerate() {
            let now = self.now(entry);
            let [old, new] = self.contents(entry)?;
            match now {
                Ok(now) if now == new => {}
                Ok(now) if now == old => to_do.push((index, new)),
                _ => foreign.push(path_of(entry)),
            }
        }
        if foreign.is_empty() {
            for (index, new) in to_do {
                self.set(index, new.as_deref())?;
            }
            self.sweep()?;
        } else {
            self.take_back()?;
        }
        Ok(foreign)
    }

    /// Puts back what was written, and leaves what somebody else wrote.
    fn take_back(&self) -> Result<(), StoreError> {
        if !matches!(Journal::read(self.folder), Ok(Some(_))) {
            // No file was touched before the journal lay there.
            return Ok(());
        }
        for (index, entry) in self.journal.files.iter().enumerate() {
            let [old, new] = self.contents(entry)?;
            if old != new && self.now(entry).is_ok_and(|now| now == new) {
                self.set(index, old.as_deref())?;
            }
        }
        self.sweep()?;
        for entry in &self.journal.files {
            self.root.unmake(&entry.parts(), entry.made);
        }
        Ok(())
    }

    /// The content of a file as it is.
    fn now(&self, entry: &Entry) -> Result<Option<Vec<u8>>, ()> {
        let source = self.root.read_parts(entry.parts());
        source.map(|source| source.bytes).map_err(|_| ())
    }

    fn contents(&self, entry: &Entry) -> Result<[Option<Vec<u8>>; 2], StoreError> {
        let load = |stored: Option<Stored>| {
            let loaded = stored.map(|stored| content(self.folder, stored));
            loaded.transpose().map_err(|error| StoreError::Store {
                path: self.folder.to_path_buf(),
                error,
            })
        };
        Ok([load(entry.old)?, load(entry.new)?])
    }

    /// Replaces a file, or takes it away.
    fn set(&self, index: usize, bytes: Option<&[u8]>) -> Result<(), StoreError> {
        let entry = &self.journal.files[index];
        let set = || {
            let parts = entry.parts();
            let (dir, name) = self.root.dir.parent(&parts, Some(&mut |_| {}))?;
            match bytes {
                Some(bytes) => {
                    let temporary = self.journal.temporary(index);
                    dir.remove(&temporary)?;
                    dir.create(&temporary, bytes, entry.like)?;
                    dir.rename(&temporary, name)?;
                }
                None => dir.remove(name)?,
            }
            dir.sync()
        };
        set().map_err(|error| StoreError::Write {
            path: path_of(entry),
            error,
        })
    }

    /// Takes temporary files away.
    fn sweep(&self) -> Result<(), StoreError> {
        for (index, entry) in self.journal.files.iter().enumerate() {
            let parts: Vec<OsString> = entry.parts();
            if let Ok((dir, _)) = self.root.dir.parent(&parts, None) {
                let temporary = self.journal.temporary(index);
                dir.remove(&temporary).map_err(|error| StoreError::Write {
                    path: path_of(entry),
                    error,
                })?;
            }
        }
        Ok(())
    }
}
