//! Where transactions and what undoes them are kept, outside of every tree.

use super::journal::{Entry, Journal, Stored, bytes, content, sync_folder};
use super::root::{Change, Like, Root};
use super::run::Run;
use super::system::{keep_private, make_private, private_file, private_folder, try_lock};
use super::three_way;
use crate::Bytes;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

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

/// The store of one run, which no other run can use meanwhile.
pub struct Session<'s> {
    store: &'s Store,
    /// What interrupted runs left behind and was seen to.
    pub recovered: Vec<Recovered>,
    _lock: File,
}

/// A run that was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The files that are as they were.
    pub files: Vec<PathBuf>,
    /// Those of them that were changed since, elsewhere; that change is kept.
    pub merged: Vec<PathBuf>,
}

/// Why files were not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no place to keep journals.
    #[error("there is no home directory to keep the journal in; set XDG_STATE_HOME")]
    NoHome,
    /// The store cannot be used.
    #[error(
        "{}: cannot keep the journal: {error}; set XDG_STATE_HOME to another directory, \
         or give --no-journal",
        .path.display()
    )]
    Store {
        /// Where.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The store belongs to somebody else.
    #[error(
        "{}: belongs to another user; set XDG_STATE_HOME to a directory of your own, or give \
         --no-journal",
        .path.display()
    )]
    Foreign {
        /// Where.
        path: PathBuf,
    },
    /// Another run has the store.
    #[error("{}: another run is writing and does not end; nothing was written", .path.display())]
    Busy {
        /// Where.
        path: PathBuf,
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
    #[error(
        "{}: was changed since it was edited{}; nothing was undone",
        .path.display(),
        .line.map_or_else(String::new, |line| format!(", in the same lines (line {line})"))
    )]
    ChangedSince {
        /// Which.
        path: PathBuf,
        /// The first line of it, as it is now, that stands in the way.
        line: Option<usize>,
    },
}

/// How often a lock that somebody else has is tried again, and how long after
/// the last time.
const TRIES: u32 = 150;
const PAUSE: Duration = Duration::from_millis(20);

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

    /// Finishes or takes back what interrupted runs left behind. A store that
    /// cannot be used has nothing to say.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn recover(&self) -> Result<Vec<Recovered>, StoreError> {
        let ours = keep_private(&self.folder).unwrap_or(false);
        if !ours || self.pending()?.is_empty() {
            return Ok(Vec::new());
        }
        self.begin().map(|session| session.recovered)
    }

    /// Waits for other runs to end, and keeps further ones out.
    ///
    /// # Errors
    /// If the store cannot be used, or another run does not end.
    pub fn begin(&self) -> Result<Session<'_>, StoreError> {
        let lock = self.lock()?;
        Ok(Session {
            recovered: self.recover_locked()?,
            store: self,
            _lock: lock,
        })
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
        self.begin()?.write(root, changes)
    }

    /// Takes the last run in a root back, or the last that edited a file of it.
    ///
    /// # Errors
    /// If there is none, or its files were changed since.
    pub fn undo(&self, root: &Root, only: Option<&Path>) -> Result<Undone, StoreError> {
        let _session = self.begin()?;
        let records = self.records(root).map_err(|error| self.trouble(error))?;
        for record in records.into_iter().rev() {
            let journal = Journal::read(&record).map_err(|error| self.trouble(error))?;
            let Some(journal) = journal else { continue };
            let paths: Vec<PathBuf> = journal.files.iter().map(Entry::name).collect();
            if only.is_some_and(|only| !paths.iter().any(|path| path == only)) {
                continue;
            }
            let inverse = inverse(root, &record, &journal).map_err(|e| self.undo_trouble(e))?;
            let name = record.file_name().map(OsStr::to_string_lossy);
            self.transact(root, &inverse.changes, name.map(Into::into))?;
            return Ok(Undone {
                files: paths,
                merged: inverse.merged,
            });
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

    fn undo_trouble(&self, trouble: Trouble) -> StoreError {
        match trouble {
            Trouble::Changed(path, line) => StoreError::ChangedSince { path, line },
            Trouble::Store(error) => self.trouble(error),
        }
    }

    fn lock(&self) -> Result<File, StoreError> {
        let open = || {
            make_private(&self.folder)?;
            let ours = keep_private(&self.folder)?;
            if ours {
                make_private(&self.folder.join("pending"))?;
            }
            let lock = ours.then(|| private_file(&self.folder.join("lock"), true));
            lock.transpose()
        };
        let path = || self.folder.clone();
        let Some(file) = open().map_err(|error| self.trouble(error))? else {
            return Err(StoreError::Foreign { path: path() });
        };
        for _ in 0..TRIES {
            if try_lock(&file).map_err(|error| self.trouble(error))? {
                return Ok(file);
            }
            std::thread::sleep(PAUSE);
        }
        Err(StoreError::Busy { path: path() })
    }

    /// Folders of runs that did not end.
    fn pending(&self) -> Result<Vec<PathBuf>, StoreError> {
        folders(&self.folder.join("pending")).map_err(|error| self.trouble(error))
    }

    fn recover_locked(&self) -> Result<Vec<Recovered>, StoreError> {
        let mut recovered = Vec::new();
        for folder in self.pending()? {
            // A journal that nobody can read is no reason to stop all further runs.
            let Ok(journal) = Journal::read(&folder) else {
                continue;
            };
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
        let folder = private_folder(&pending).map_err(|error| self.trouble(error))?;
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
        for Change { source, new, like } in changes {
            let like = source.like().or(*like);
            journal.files.push(Entry {
                path: source.parts.iter().map(|p| Bytes(bytes(p))).collect(),
                old: store(source.bytes.as_ref()),
                new: store(new.as_ref()),
                like: like.map(|Like(like)| like),
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
        make_private(&records)?;
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

impl Session<'_> {
    /// Carries changes out, all or none.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub fn write(&self, root: &Root, changes: &[Change]) -> Result<(), StoreError> {
        if changes.is_empty() {
            return Ok(());
        }
        self.store.transact(root, changes, None)
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
        let entry = entry?;
        // What others left here is theirs.
        if entry.file_type()?.is_dir() {
            found.push(entry.path());
        }
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

/// What takes a run back.
struct Inverse {
    changes: Vec<Change>,
    /// Files that were changed since, elsewhere.
    merged: Vec<PathBuf>,
}

/// Why a run cannot be taken back.
enum Trouble {
    Changed(PathBuf, Option<usize>),
    Store(io::Error),
}

fn inverse(root: &Root, record: &Path, journal: &Journal) -> Result<Inverse, Trouble> {
    let mut inverse = Inverse {
        changes: Vec::new(),
        merged: Vec::new(),
    };
    for entry in &journal.files {
        let load = |stored: Option<Stored>| {
            let loaded = stored.map(|stored| content(record, stored)).transpose();
            loaded.map_err(Trouble::Store)
        };
        let foreign = |line| Trouble::Changed(entry.name(), line);
        let source = root.read_parts(entry.parts()).map_err(|_| foreign(None))?;
        let (old, new) = (load(entry.old)?, load(entry.new)?);
        let back = match (&old, &new, &source.bytes) {
            (_, new, now) if new == now => old,
            (Some(old), Some(new), Some(now)) => {
                inverse.merged.push(entry.name());
                let merged = three_way::merge(new, now, old);
                Some(merged.map_err(|line| foreign(Some(line + 1)))?)
            }
            _ => return Err(foreign(None)),
        };
        inverse.changes.push(Change {
            source,
            new: back,
            like: entry.like.map(Like),
        });
    }
    Ok(inverse)
}
