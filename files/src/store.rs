//! The store of journals, outside every tree.

use crate::content::{Change, Content, Permissions};
use crate::error::StoreError;
use crate::journal::{Entry, Journal, sync_folder};
use crate::path::bytes_of;
use crate::root::Root;
use crate::run::Run;
use crate::system::{keep_private, make_private, private_file, private_folder, try_lock};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A folder for journals: transactions under way in `pending/`, finished ones in
/// `undo/`, by root.
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
    /// The files that somebody else changed, if any: then the run was taken back,
    /// otherwise it was finished.
    pub foreign: Vec<PathBuf>,
}

/// The store of one run, which no other run can use meanwhile.
pub struct Session<'s> {
    store: &'s Store,
    /// Interrupted runs that were finished or taken back.
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

/// Merges what happened to a text since with taking a run back: base, ours, theirs.
/// An error is the first conflicting line of ours, counted from zero.
pub type Merge<'m> = &'m dyn Fn(&[u8], &[u8], &[u8]) -> Result<Vec<u8>, usize>;

/// Merges nothing: a file that was changed since is a conflict.
///
/// # Errors
/// Always, with the first line that differs.
pub fn no_merge(base: &[u8], ours: &[u8], _theirs: &[u8]) -> Result<Vec<u8>, usize> {
    let same = base.iter().zip(ours).take_while(|(a, b)| a == b).count();
    Err(ours[..same].split(|byte| *byte == b'\n').count() - 1)
}

/// How often a lock that somebody else has is tried, and how long after the last
/// time.
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

    /// Finishes interrupted runs, or takes them back. A store that cannot be used has
    /// none.
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
    /// If a file was changed since it was read, or cannot be written; then all files
    /// are as they were.
    pub fn write(&self, root: &Root, changes: Vec<Change>) -> Result<(), StoreError> {
        if changes.is_empty() {
            return Ok(());
        }
        self.begin()?.write(root, changes, &|| false)
    }

    /// Takes the last run in a root back, or the last that edited a file of it.
    ///
    /// # Errors
    /// If there is none, or its files were changed since.
    pub fn undo(
        &self,
        root: &Root,
        only: Option<&Path>,
        merge: Merge<'_>,
    ) -> Result<Undone, StoreError> {
        let _session = self.begin()?;
        let records = self.records(root).map_err(|error| self.trouble(error))?;
        for record in records.into_iter().rev() {
            let journal = Journal::read(&record).map_err(|error| self.trouble(error))?;
            let Some(journal) = journal else { continue };
            let paths: Vec<PathBuf> = journal.files.iter().map(Entry::name).collect();
            if only.is_some_and(|only| !paths.iter().any(|path| path == only)) {
                continue;
            }
            let inverse = inverse(root, &record, &journal, merge);
            let inverse = inverse.map_err(|error| self.undo_trouble(error))?;
            let name = record.file_name().map(OsStr::to_string_lossy);
            self.transact(root, inverse.changes, name.as_deref(), &|| false)?;
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
            // A journal that cannot be read must not stop all further runs.
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
            let run = journal.run(&root, &folder);
            let foreign = run.map_err(|error| self.trouble(error))?.settle()?;
            if foreign.is_empty() {
                let finished = self.finish(&root, &folder, journal.undoes.as_deref());
                finished.map_err(|error| self.trouble(error))?;
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
        changes: Vec<Change>,
        undoes: Option<&str>,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<(), StoreError> {
        let trouble = |error| self.trouble(error);
        let pending = self.folder.join("pending");
        let folder = private_folder(&pending).map_err(trouble)?;
        let id = folder.file_name().map(OsStr::to_string_lossy);
        let run = Run::new(root, id.unwrap_or_default().into_owned(), changes);
        let begin = || {
            run.unchanged()?;
            let journal = Journal::new(&run, undoes).write(&folder, &run);
            journal
                .and_then(|()| sync_folder(&pending))
                .map_err(trouble)
        };
        let done = match begin() {
            Ok(()) => run.carry_out(interrupted).map_err(|cause| {
                let paths = run.take_back();
                if paths.is_empty() {
                    return cause;
                }
                StoreError::NotPutBack {
                    cause: Box::new(cause),
                    paths,
                    hint: "the next run of mvdiff tries again".into(),
                }
            }),
            Err(error) => Err(error),
        };
        match done {
            Ok(()) => self.finish(root, &folder, undoes).map_err(trouble),
            Err(error) => {
                // The journal stays for the next run where it is needed.
                if !matches!(error, StoreError::NotPutBack { .. }) {
                    discard(&folder).map_err(trouble)?;
                }
                Err(error)
            }
        }
    }

    /// Makes a record of a run that is done, or forgets the one that it undid.
    fn finish(&self, root: &Root, folder: &Path, undoes: Option<&str>) -> io::Result<()> {
        let records = self.folder.join("undo").join(key(&root.path));
        if let Some(undone) = undoes {
            // The journal goes last: if this is interrupted, it is done again.
            match discard(&records.join(undone)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => return discard(folder),
            }
        }
        make_private(&records)?;
        let known = folders(&records)?;
        let last = known
            .last()
            .and_then(|path| path.file_name()?.to_str()?.parse().ok());
        let next: u64 = last.unwrap_or(0) + 1;
        std::fs::rename(folder, records.join(format!("{next:010}")))?;
        let old = known.len().saturating_sub(KEPT - 1);
        known[..old].iter().try_for_each(|path| discard(path))
    }

    /// Records of runs in a root, the oldest first.
    fn records(&self, root: &Root) -> io::Result<Vec<PathBuf>> {
        folders(&self.folder.join("undo").join(key(&root.path)))
    }
}

impl Session<'_> {
    /// Carries changes out, all or none. `interrupted` is asked between files whether
    /// to stop and take everything back.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub fn write(
        &self,
        root: &Root,
        changes: Vec<Change>,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<(), StoreError> {
        if changes.is_empty() {
            return Ok(());
        }
        self.store.transact(root, changes, None, interrupted)
    }
}

/// The name of a root in the store.
fn key(root: &Path) -> String {
    let hash = xxhash_rust::xxh3::xxh3_128(&bytes_of(root.as_os_str()));
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
        // Other people's files are theirs.
        if entry.file_type()?.is_dir() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// Removes a run's folder, the journal first: without it, nothing happened.
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

/// The changes that take a run back, in the opposite order.
fn inverse(
    root: &Root,
    record: &Path,
    journal: &Journal,
    merge: Merge<'_>,
) -> Result<Inverse, Trouble> {
    let mut inverse = Inverse {
        changes: Vec::new(),
        merged: Vec::new(),
    };
    for entry in journal.files.iter().rev() {
        let foreign = |line| Trouble::Changed(entry.name(), line);
        let done = entry.change(record).map_err(Trouble::Store)?;
        let source = root.now(&entry.parts()).map_err(|_| foreign(None))?;
        let (like, folders) = (done.source.like, done.folders);
        let back = match (done.source.content, &done.new, &source.content) {
            (old, new, now) if new == now => old,
            (Some(Content::File(old)), Some(Content::File(new)), Some(Content::File(now))) => {
                inverse.merged.push(entry.name());
                let merged = merge(new, now, &old);
                Some(Content::File(
                    merged.map_err(|line| foreign(Some(line + 1)))?,
                ))
            }
            _ => return Err(foreign(None)),
        };
        // A mode that somebody chose since stays, unless the run chose one, too.
        let chosen = source.like.is_none() || entry.permissions.is_some();
        inverse.changes.push(Change {
            permissions: like.filter(|_| chosen).map(Permissions::Like),
            prune: entry.made,
            source,
            new: back,
            folders,
        });
    }
    inverse.merged.reverse();
    Ok(inverse)
}
