//! Files below a directory, written all or none.
//!
//! Everything new is written to a folder of its own in the directory first. Then
//! files change places by renames, the old ones into that folder, and whatever
//! fails there, or a signal, is taken back step by step.

use crate::folder::{Folder, Kind as Found};
use crate::signals::{Hold, Temporary};
use anyhow::{Context as _, anyhow};
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A file to be written, or removed.
pub(super) struct Task {
    /// Its path, as the report has it.
    pub path: Vec<u8>,
    /// Its path below the directory, name by name.
    pub parts: Vec<OsString>,
    pub kind: Kind,
}

pub(super) enum Kind {
    Delete,
    File { bytes: Vec<u8>, mode: Mode },
    Link { target: Vec<u8> },
}

/// Who may do what with a file.
#[derive(Clone, Copy)]
pub(super) enum Mode {
    /// What the umask leaves, like any new file.
    New { executable: bool },
    /// What the old file had, and who may run it as the report says.
    Kept(u32),
}

impl Mode {
    /// From what the report says, if it says anything, and the old file's.
    pub(super) fn of(said: Option<u32>, old: Option<u32>) -> Self {
        let executable = said.map(|mode| mode & 0o111 != 0);
        match (old, executable) {
            (None, executable) => Self::New {
                executable: executable.unwrap_or(false),
            },
            (Some(bits), None) => Self::Kept(bits & 0o777),
            // Who may read it may run it.
            (Some(bits), Some(true)) => Self::Kept(bits & 0o777 | (bits & 0o444) >> 2),
            (Some(bits), Some(false)) => Self::Kept(bits & 0o666),
        }
    }
}

/// Carries tasks out in order, all or none. Returns what was left as it is.
pub(super) fn carry_out(out: &Path, tasks: &[Task]) -> anyhow::Result<Vec<String>> {
    let hold = Hold::new();
    let made = Made::new(out)?;
    let done = Run::new(out, &hold).and_then(|run| run.all(tasks));
    match done {
        Ok(left) => {
            made.keep();
            Ok(left)
        }
        Err(error) => {
            drop(made);
            if hold.is_interrupted() {
                // The signal ends the program in a moment, and says nothing.
                super::note(&format!("{error:#}"));
            }
            Err(error)
        }
    }
}

/// The directory and those above it that were not there. They go again unless they
/// are kept.
struct Made(Vec<PathBuf>);

impl Made {
    fn new(out: &Path) -> anyhow::Result<Self> {
        let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let missing: Vec<&Path> = out.ancestors().take_while(missing).collect();
        let mut made = Self(Vec::new());
        for path in missing.into_iter().rev() {
            let cannot = || format!("{}: cannot make the directory", path.display());
            std::fs::create_dir(path).with_context(cannot)?;
            made.0.push(path.to_path_buf());
        }
        Ok(made)
    }

    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for path in self.0.iter().rev() {
            // Somebody else may have put something there.
            let _ = std::fs::remove_dir(path);
        }
    }
}

/// A step that was taken, and how to take it back.
enum Step<'t> {
    /// What stood there lies in the stage.
    SetAside(&'t [OsString], OsString),
    Added(&'t [OsString]),
    Made(&'t [OsString]),
    Unmade(&'t [OsString], u32),
}

struct Run<'h, 't> {
    hold: &'h Hold,
    root: Folder,
    stage: Folder,
    /// The stage, which goes when this does.
    place: TempDir,
    _temporary: Temporary,
    steps: Vec<Step<'t>>,
    left: Vec<String>,
}

impl<'h, 't> Run<'h, 't> {
    fn new(out: &Path, hold: &'h Hold) -> anyhow::Result<Self> {
        let open = || {
            let root = Folder::open(out)?;
            let place = tempfile::Builder::new()
                .prefix(".mvdiff-")
                .tempdir_in(out)?;
            let stage = root.enter(place.path().file_name().unwrap_or_default())?;
            Ok((root, place, stage))
        };
        let opened: io::Result<_> = open();
        let (root, place, stage) = opened
            .map_err(without_path)
            .with_context(|| format!("{}: cannot write", out.display()))?;
        Ok(Self {
            hold,
            root,
            stage,
            _temporary: Temporary::new(place.path()),
            place,
            steps: Vec::new(),
            left: Vec::new(),
        })
    }

    fn all(mut self, tasks: &'t [Task]) -> anyhow::Result<Vec<String>> {
        let tried = self.try_all(tasks);
        let Err((task, error)) = tried else {
            return Ok(self.left);
        };
        let name = String::from_utf8_lossy(&task.path).into_owned();
        let trouble = if self.hold.is_interrupted() {
            "interrupted".to_owned()
        } else {
            format!("{name}: cannot write: {}", without_path(error))
        };
        let lost = self.take_back();
        if lost.is_empty() {
            return Err(anyhow!("{trouble}; all files are as they were"));
        }
        let place = self.place.keep();
        Err(anyhow!(
            "{trouble}; and could not be put back: {}; what was there is in {}",
            lost.join(", "),
            place.display()
        ))
    }

    fn try_all(&mut self, tasks: &'t [Task]) -> Result<(), (&'t Task, io::Error)> {
        for (number, task) in tasks.iter().enumerate() {
            self.stage(number, task).map_err(|error| (task, error))?;
        }
        if let Some(last) = tasks.last() {
            self.write_list(tasks).map_err(|error| (last, error))?;
        }
        for (number, task) in tasks.iter().enumerate() {
            self.put(number, task).map_err(|error| (task, error))?;
        }
        Ok(())
    }

    fn go_on(&self) -> io::Result<()> {
        if self.hold.is_interrupted() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        Ok(())
    }

    /// Says which file is which, should the machine go down before all is done.
    fn write_list(&self, tasks: &[Task]) -> io::Result<()> {
        let mut list = String::from("What was there before, and where:\n");
        for (number, task) in tasks.iter().enumerate() {
            let path = String::from_utf8_lossy(&task.path);
            let _ = writeln!(list, "o{number}\t{path:?}");
        }
        let mut file = self.stage.create(OsStr::new("LIST"), 0o600)?;
        file.write_all(list.as_bytes())?;
        file.sync_all()
    }

    /// Writes what is new down to the disk, where nobody looks.
    fn stage(&self, number: usize, task: &Task) -> io::Result<()> {
        self.go_on()?;
        let name = new_name(number);
        match &task.kind {
            Kind::Delete => Ok(()),
            Kind::Link { target } => self.stage.create_link(&name, target),
            Kind::File { bytes, mode } => {
                let bits = match mode {
                    Mode::New { executable: true } => 0o777,
                    Mode::New { executable: false } => 0o666,
                    Mode::Kept(_) => 0o600,
                };
                let mut file = self.stage.create(&name, bits)?;
                file.write_all(bytes)?;
                #[cfg(unix)]
                if let Mode::Kept(bits) = mode {
                    use std::os::unix::fs::PermissionsExt as _;
                    file.set_permissions(std::fs::Permissions::from_mode(*bits))?;
                }
                file.sync_all()
            }
        }
    }

    /// Puts it in its place, and sets aside what is there.
    fn put(&mut self, number: usize, task: &'t Task) -> io::Result<()> {
        self.go_on()?;
        let Some((name, folders)) = task.parts.split_last() else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let aside = OsString::from(format!("o{number}"));
        if matches!(task.kind, Kind::Delete) {
            return self.delete(task, name, folders, aside);
        }
        let folder = self.make_way(&task.parts, folders)?;
        match folder.kind(name)? {
            Some(Found::Folder(_)) => {
                return Err(io::Error::other("a directory stands there"));
            }
            Some(_) => {
                // With a second name the file is there at every moment.
                if folder.link(name, &self.stage, &aside).is_err() {
                    folder.rename(name, &self.stage, &aside)?;
                }
                self.steps.push(Step::SetAside(&task.parts, aside));
            }
            None => self.steps.push(Step::Added(&task.parts)),
        }
        self.stage.rename(&new_name(number), &folder, name)
    }

    /// The directory that a file goes into, made where it is not there.
    fn make_way(&mut self, parts: &'t [OsString], folders: &[OsString]) -> io::Result<Folder> {
        let mut folder = self.root.way(&[])?;
        for (depth, name) in folders.iter().enumerate() {
            folder = match folder.enter(name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    folder.make(name, 0o777)?;
                    self.steps.push(Step::Made(&parts[..=depth]));
                    folder.enter(name)?
                }
                entered => entered?,
            };
        }
        Ok(folder)
    }

    /// Removes a file and the directories that it leaves empty. A directory in its
    /// place (a submodule) stays.
    fn delete(
        &mut self,
        task: &'t Task,
        name: &OsStr,
        folders: &'t [OsString],
        aside: OsString,
    ) -> io::Result<()> {
        let folder = match self.root.way(folders) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            folder => folder?,
        };
        match folder.kind(name)? {
            None => return Ok(()),
            Some(Found::Folder(_)) => {
                self.left.push(String::from_utf8_lossy(&task.path).into());
                return Ok(());
            }
            Some(_) => folder.rename(name, &self.stage, &aside)?,
        }
        self.steps.push(Step::SetAside(&task.parts, aside));
        for depth in (0..folders.len()).rev() {
            let above = self.root.way(&folders[..depth])?;
            let Some(Found::Folder(mode)) = above.kind(&folders[depth])? else {
                break;
            };
            if above.unmake(&folders[depth]).is_err() {
                break;
            }
            self.steps.push(Step::Unmade(&folders[..=depth], mode));
        }
        Ok(())
    }

    /// Takes all steps back. Returns what could not be.
    fn take_back(&mut self) -> Vec<String> {
        let mut lost = Vec::new();
        while let Some(step) = self.steps.pop() {
            let (Step::SetAside(parts, _)
            | Step::Added(parts)
            | Step::Made(parts)
            | Step::Unmade(parts, _)) = &step;
            if self.back(&step).is_err() {
                let path: PathBuf = parts.iter().collect();
                lost.push(path.display().to_string());
            }
        }
        lost
    }

    fn back(&self, step: &Step<'_>) -> io::Result<()> {
        let way = |parts: &'_ [OsString]| {
            let (name, folders) = parts.split_last().ok_or(io::ErrorKind::InvalidInput)?;
            Ok::<_, io::Error>((self.root.way(folders)?, name.clone()))
        };
        match step {
            Step::SetAside(parts, aside) => {
                let (folder, name) = way(parts)?;
                self.stage.rename(aside, &folder, &name)?;
                // Where both are still names of one file, nothing was renamed.
                let _ = self.stage.remove(aside);
                Ok(())
            }
            Step::Added(parts) => {
                let (folder, name) = way(parts)?;
                match folder.remove(&name) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                    removed => removed,
                }
            }
            Step::Made(parts) => {
                let (folder, name) = way(parts)?;
                folder.unmake(&name)
            }
            Step::Unmade(parts, mode) => {
                let (folder, name) = way(parts)?;
                folder.make(&name, *mode)
            }
        }
    }
}

fn new_name(number: usize) -> OsString {
    OsString::from(format!("n{number}"))
}

/// The error without the name of a temporary file, which nobody asked for.
fn without_path(error: io::Error) -> io::Error {
    crate::output::without_path(error)
}
