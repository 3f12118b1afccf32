//! A transaction: new files written beside the old ones, put in their places, and
//! taken back if anything fails.

use crate::content::{Change, Content, Permissions};
use crate::dir::EntryKind;
use crate::error::StoreError;
use crate::root::{Root, is_missing};
use crate::system::Dir;
use std::ffi::OsString;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io;
use std::path::PathBuf;

/// Carries changes out without a journal: all or none, unless the process is killed.
/// They cannot be undone later. `interrupted` is asked between files whether to stop
/// and take everything back.
///
/// # Errors
/// If a file was changed since it was read, or cannot be written; then all files are
/// as they were.
pub fn write_without_journal(
    root: &Root,
    changes: Vec<Change>,
    interrupted: &dyn Fn() -> bool,
) -> Result<(), StoreError> {
    let unique = std::hash::RandomState::new().build_hasher().finish();
    let run = Run::new(root, format!("{unique:016x}"), changes);
    run.unchanged()?;
    let Err(cause) = run.carry_out(interrupted) else {
        return Ok(());
    };
    let paths = run.take_back();
    if paths.is_empty() {
        return Err(cause);
    }
    let kept = root.path.join(format!(".mvdiff-{}-*.old", run.id));
    Err(StoreError::NotPutBack {
        cause: Box::new(cause),
        paths,
        hint: format!("what was there is in {}", kept.display()),
    })
}

/// A change on its way, and what taking it back needs.
pub(crate) struct Step {
    pub change: Change,
    /// The first of the path's folders that was not there.
    pub made: Option<usize>,
}

/// A transaction.
pub(crate) struct Run<'r> {
    pub root: &'r Root,
    /// Part of the names of temporary files.
    pub id: String,
    pub steps: Vec<Step>,
}

impl Step {
    fn new(root: &Root, mut change: Change) -> Self {
        let parts = &change.source.parts;
        let folders = root.folder_modes(parts);
        let made = (folders.len() + 1 < parts.len()).then_some(folders.len());
        if change.prune.is_some() && change.folders.is_empty() {
            change.folders = folders;
        }
        Self { change, made }
    }

    fn parts(&self) -> &[OsString] {
        &self.change.source.parts
    }

    pub(crate) fn name(&self) -> PathBuf {
        self.change.source.name()
    }

    fn old(&self) -> Option<&Content> {
        self.change.source.content.as_ref()
    }

    fn new_content(&self) -> Option<&Content> {
        self.change.new.as_ref()
    }

    /// The permissions that the old file had.
    fn old_permissions(&self) -> Permissions {
        let like = self.change.source.like.map(Permissions::Like);
        like.unwrap_or(Permissions::ORDINARY)
    }

    /// The folder on the same file system that temporary files go to: the deepest that
    /// was there from the start.
    fn home(&self, root: &Root) -> io::Result<Dir> {
        let depth = self.made.unwrap_or(self.parts().len() - 1);
        root.dir.walk(&self.parts()[..depth])
    }

    /// Whether its content tells if it is done: it sets no permissions and removes no
    /// folders.
    fn is_plain(&self) -> bool {
        self.change.permissions.is_none() && self.change.prune.is_none()
    }

    fn failed(&self, error: io::Error) -> StoreError {
        let path = self.name();
        StoreError::Write { path, error }
    }
}

impl<'r> Run<'r> {
    pub(crate) fn new(root: &'r Root, id: String, changes: Vec<Change>) -> Self {
        let steps = changes.into_iter().map(|change| Step::new(root, change));
        let steps = steps.collect();
        Self { root, id, steps }
    }

    /// Whether all files are as they were read.
    pub(crate) fn unchanged(&self) -> Result<(), StoreError> {
        for step in &self.steps {
            let found = self.root.dir.parent(step.parts());
            let found = found.and_then(|(dir, name)| dir.stamp(name));
            let found = found.ok().flatten();
            if found.filter(|found| found.kind != EntryKind::Folder) != step.change.source.stamp {
                return Err(StoreError::Changed { path: step.name() });
            }
        }
        Ok(())
    }

    /// Writes all files beside the old ones, then puts them in their places.
    pub(crate) fn carry_out(&self, interrupted: &dyn Fn() -> bool) -> Result<(), StoreError> {
        let go_on = || {
            if interrupted() {
                return Err(StoreError::Interrupted);
            }
            Ok(())
        };
        for (index, step) in self.steps.iter().enumerate() {
            go_on()?;
            let permissions = step.change.permissions;
            let permissions = permissions.unwrap_or_else(|| step.old_permissions());
            if let Some(new) = step.new_content() {
                let staged = self.stage(index, new, permissions);
                staged.map_err(|error| step.failed(error))?;
            }
        }
        for (index, step) in self.steps.iter().enumerate() {
            go_on()?;
            let put = self.put(index, true).map_err(|error| step.failed(error))?;
            if !put {
                return Err(StoreError::Changed { path: step.name() });
            }
        }
        let mut before = None;
        for step in &self.steps {
            let (_, folder) = step.parts().split_last().unwrap_or((&step.parts()[0], &[]));
            if before.replace(folder) != Some(folder)
                && let Ok(dir) = self.root.dir.walk(folder)
            {
                dir.sync().map_err(|error| step.failed(error))?;
            }
        }
        self.sweep()
    }

    /// Finishes an interrupted run, or takes it back if somebody else changed some of
    /// its files. Returns those.
    pub(crate) fn settle(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut foreign = Vec::new();
        let mut to_do = Vec::new();
        for (index, step) in self.steps.iter().enumerate() {
            let now = self.root.now(step.parts());
            match now.as_ref().map(|now| now.content.as_ref()) {
                Ok(now) if now == step.new_content() && step.is_plain() => {}
                Ok(now) if now == step.old() || now == step.new_content() => to_do.push(index),
                _ => foreign.push(step.name()),
            }
        }
        if !foreign.is_empty() {
            let lost = self.take_back();
            return match lost.into_iter().next() {
                None => Ok(foreign),
                Some(path) => Err(StoreError::Write {
                    path,
                    error: io::Error::other("cannot put back what was there"),
                }),
            };
        }
        for index in to_do {
            let step = &self.steps[index];
            let permissions = step.change.permissions;
            let permissions = permissions.unwrap_or_else(|| step.old_permissions());
            let set = || {
                if let Some(new) = step.new_content() {
                    self.stage(index, new, permissions)?;
                }
                self.put(index, false)
            };
            set().map_err(|error| step.failed(error))?;
        }
        self.sweep()?;
        Ok(foreign)
    }

    /// Puts back what was written, and leaves what somebody else wrote. Returns what
    /// could not be put back.
    pub(crate) fn take_back(&self) -> Vec<PathBuf> {
        let mut lost = Vec::new();
        for (index, step) in self.steps.iter().enumerate().rev() {
            let now = self.root.now(step.parts());
            let is_written = now.is_ok_and(|now| now.content.as_ref() == step.new_content());
            let differs = step.old() != step.new_content() || step.change.permissions.is_some();
            if is_written && differs && self.restore(index).is_err() {
                lost.push(step.name());
            }
            if let Some(made) = step.made {
                self.root.prune(step.parts(), made);
            }
        }
        if lost.is_empty()
            && let Err(StoreError::Write { path, .. }) = self.sweep()
        {
            lost.push(path);
        }
        lost
    }

    /// The name of the file that replaces another.
    fn temporary(&self, index: usize) -> OsString {
        format!(".mvdiff-{}-{index}.tmp", self.id).into()
    }

    /// The name, in the root, that a replaced file has until the run ends.
    fn aside(&self, index: usize) -> OsString {
        format!(".mvdiff-{}-{index}.old", self.id).into()
    }

    /// Writes a content to the disk, under a temporary name.
    fn stage(&self, index: usize, content: &Content, permissions: Permissions) -> io::Result<()> {
        let home = self.steps[index].home(self.root)?;
        let temporary = self.temporary(index);
        home.remove(&temporary)?;
        home.create(&temporary, content, permissions)
    }

    /// Puts a staged file in its place, or removes the old one. False if the file is
    /// not the one that was read; a recovered run has compared contents and is not
    /// `checked` for that.
    fn put(&self, index: usize, checked: bool) -> io::Result<bool> {
        if self.steps[index].new_content().is_none() {
            return self.remove(index, checked);
        }
        let (step, root) = (&self.steps[index], &self.root.dir);
        let (dir, name) = root.make_parent(step.parts(), &step.change.folders)?;
        let found = match dir.stamp(name)? {
            Some(found) if found.kind == EntryKind::Folder => {
                let in_the_way = |_| io::Error::other("a directory is in the way");
                dir.remove_dir(name).map_err(in_the_way)?;
                None
            }
            found => found,
        };
        if checked && found != step.change.source.stamp {
            return Ok(false);
        }
        if found.is_some() {
            // Where it cannot have a second name, its content is still known.
            let _ = dir.link(name, root, &self.aside(index));
        }
        let home = step.home(self.root)?;
        home.rename(&self.temporary(index), &dir, name)?;
        Ok(true)
    }

    fn remove(&self, index: usize, checked: bool) -> io::Result<bool> {
        let (step, root) = (&self.steps[index], &self.root.dir);
        let there = match root.parent(step.parts()) {
            Err(error) if is_missing(&error) => None,
            parent => {
                let (dir, name) = parent?;
                let found = dir.stamp(name)?;
                let found = found.filter(|found| found.kind != EntryKind::Folder);
                found.map(|found| (dir, name, found))
            }
        };
        let found = there.as_ref().map(|(_, _, found)| found);
        if checked && found != step.change.source.stamp.as_ref() {
            return Ok(false);
        }
        if let Some((dir, name, _)) = &there
            && dir.rename(name, root, &self.aside(index)).is_err()
        {
            dir.remove(name)?;
        }
        // A run that was killed may have left folders that it emptied.
        if let Some(from) = step.change.prune
            && (there.is_some() || !checked)
        {
            self.root.prune(step.parts(), from);
        }
        Ok(true)
    }

    /// Puts the old file back in its place.
    fn restore(&self, index: usize) -> io::Result<()> {
        let step = &self.steps[index];
        let root = &self.root.dir;
        let Some(old) = step.old() else {
            let (dir, name) = root.parent(step.parts())?;
            dir.remove(name)?;
            return dir.sync();
        };
        let (dir, name) = root.make_parent(step.parts(), &step.change.folders)?;
        if root.rename(&self.aside(index), &dir, name).is_err() {
            let temporary = self.temporary(index);
            dir.remove(&temporary)?;
            dir.create(&temporary, old, step.old_permissions())?;
            dir.rename(&temporary, &dir, name)?;
        }
        dir.sync()
    }

    /// Removes temporary files.
    fn sweep(&self) -> Result<(), StoreError> {
        for (index, step) in self.steps.iter().enumerate() {
            let swept = self.root.dir.remove(&self.aside(index)).and_then(|()| {
                match step.home(self.root) {
                    Ok(home) => home.remove(&self.temporary(index)),
                    Err(_) => Ok(()),
                }
            });
            swept.map_err(|error| step.failed(error))?;
        }
        Ok(())
    }
}
