//! A transaction carried out: files written beside the old ones, put in their
//! places, finished or taken back.

use super::StoreError;
use super::journal::{Entry, Journal, Stored, content};
use super::root::{Change, Like, Root};
use super::system::Dir;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Puts changes in their places without a journal: all or none, unless the run
/// is killed, and nothing to take back later.
///
/// # Errors
/// If a file was changed since it was read, or cannot be written; then all are
/// as they were.
pub fn write_plainly(root: &Root, changes: &[Change]) -> Result<(), StoreError> {
    let mut done: Vec<&Change> = Vec::new();
    for change in changes {
        let source = &change.source;
        let path = || source.name();
        let place = || {
            let mut ignore = |_| {};
            let made: Option<&mut dyn FnMut(usize)> = match &change.new {
                Some(_) => Some(&mut ignore),
                None => None,
            };
            root.dir.parent(&source.parts, made)
        };
        let put = || -> std::io::Result<bool> {
            let (dir, name) = place()?;
            if dir.stamp(name)? != source.stamp {
                return Ok(false);
            }
            let like = source.like().or(change.like).map(|Like(like)| like);
            replace(&dir, name, change.new.as_deref(), like).map(|()| true)
        };
        let trouble = match put() {
            Ok(true) => {
                done.push(change);
                continue;
            }
            Ok(false) => StoreError::Changed { path: path() },
            Err(error) => StoreError::Write {
                path: path(),
                error,
            },
        };
        for Change { source, .. } in done.into_iter().rev() {
            let back = || {
                let (dir, name) = root.dir.parent(&source.parts, None)?;
                let like = source.like().map(|Like(like)| like);
                replace(&dir, name, source.bytes.as_deref(), like)
            };
            back().map_err(|error| StoreError::Write {
                path: source.name(),
                error,
            })?;
        }
        return Err(trouble);
    }
    Ok(())
}

/// Replaces a file by way of another one beside it, or takes it away.
fn replace(
    dir: &Dir,
    name: &std::ffi::OsStr,
    bytes: Option<&[u8]>,
    like: Option<(u32, (u32, u32))>,
) -> std::io::Result<()> {
    let Some(bytes) = bytes else {
        return dir.remove(name);
    };
    let temporary: OsString = format!(".mvdiff-{}.tmp", std::process::id()).into();
    dir.remove(&temporary)?;
    let put = dir
        .create(&temporary, bytes, like, false)
        .and_then(|()| dir.rename(&temporary, name));
    if put.is_err() {
        dir.remove(&temporary)?;
    }
    put
}

/// A transaction on its way.
pub(super) struct Run<'r> {
    pub root: &'r Root,
    pub folder: &'r Path,
    pub journal: &'r Journal,
}

impl Run<'_> {
    /// Whether all files are as they were read.
    pub(super) fn unchanged(&self, changes: &[Change]) -> Result<(), StoreError> {
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
    pub(super) fn carry_out(&self, changes: &[Change]) -> Result<(), StoreError> {
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
                    dir.create(&temporary, new, entry.like, true)?;
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
    pub(super) fn settle(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut foreign = Vec::new();
        let mut to_do = Vec::new();
        for (index, entry) in self.journal.files.iter().enumerate() {
            let now = self.now(entry);
            let [old, new] = self.contents(entry)?;
            match now {
                Ok(now) if now == new => {}
                Ok(now) if now == old => to_do.push((index, new)),
                _ => foreign.push(entry.name()),
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
    pub(super) fn take_back(&self) -> Result<(), StoreError> {
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
                    dir.create(&temporary, bytes, entry.like, true)?;
                    dir.rename(&temporary, name)?;
                }
                None => dir.remove(name)?,
            }
            dir.sync()
        };
        set().map_err(|error| StoreError::Write {
            path: entry.name(),
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
                    path: entry.name(),
                    error,
                })?;
            }
        }
        Ok(())
    }
}
