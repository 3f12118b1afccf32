//! The edits of all files, carried out in memory.

use crate::blocks::{Block, BlockError};
use crate::forms::{End, Task};
use crate::report::BlockReport;
use crate::{Action, Edited, Edits, ErrorKind, FileReport, Options, Report, Status, Text};
use mvdiff_files::{Change, Content, FileError, FileErrorKind, Permissions, Root, Source};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How edits of files are carried out.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How blocks are read and applied.
    pub options: Options,
    /// Give the answers of [`edit_compat`](crate::edit_compat).
    pub compat: bool,
    /// Take the blocks that fit, if others do not.
    pub partial: bool,
    /// Put the new contents into the report.
    pub contents: bool,
    /// How messages call the one file that all edits are for.
    pub shown: Option<String>,
}

/// A file and what came of its edits.
#[derive(Debug)]
pub struct Outcome {
    /// What became of it.
    pub report: FileReport,
    /// How the file is called in messages.
    pub shown: String,
    /// The file as it was read.
    pub source: Option<Source>,
    /// Where it goes, if it gets another name.
    pub target: Option<Source>,
    /// What becomes of it.
    pub new: Becomes,
    /// Whether all of its edits are in it.
    pub complete: bool,
}

/// What becomes of a file.
#[derive(Clone, Debug)]
pub enum Becomes {
    /// Nothing else.
    Same,
    /// Something with this content.
    Text(Vec<u8>),
    /// It goes.
    Gone,
}

/// Edits every file, in memory; `name` is the one file, if all edits are for it.
///
/// # Errors
/// Blocks that cannot be read.
pub fn work(
    settings: &Settings,
    root: &Root,
    name: Option<&Path>,
    tasks: &[Task],
) -> Result<Vec<Outcome>, BlockError> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    // Files that were named before, in another way perhaps.
    let mut known: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for task in tasks {
        let path = match (&task.path, name) {
            (_, Some(name)) => bytes_of(name),
            (Some(path), None) => below(root, path),
            (None, None) => Vec::new(),
        };
        let shown = match (&settings.shown, &task.path) {
            (Some(shown), _) => shown.clone(),
            (None, path) => {
                String::from_utf8_lossy(path.as_deref().unwrap_or_default()).into_owned()
            }
        };
        let source = match root.read(&path) {
            Ok(source) => source,
            Err(error) => {
                outcomes.push(refused(path, shown, &error));
                continue;
            }
        };
        let before = known.get(&source.name()).copied();
        let earlier = before.map(|index| &outcomes[index]);
        let mut outcome = one(settings, task, source, earlier, shown)?;
        if let End::Moves(to) = &task.end {
            outcome.move_to(root, to);
        }
        if let Some(index) = before {
            outcomes[index].join(outcome);
        } else {
            let name = |source: &Option<Source>| source.as_ref().map(Source::name);
            let names = [name(&outcome.source), name(&outcome.target)];
            known.extend(
                names
                    .into_iter()
                    .flatten()
                    .map(|name| (name, outcomes.len())),
            );
            outcomes.push(outcome);
        }
    }
    Ok(outcomes)
}

fn bytes_of(path: &Path) -> Vec<u8> {
    mvdiff_files::bytes_of(path.as_os_str())
}

fn kind_of(error: &FileError) -> ErrorKind {
    match error.kind {
        FileErrorKind::OutsideRoot => ErrorKind::OutsideRoot,
        FileErrorKind::Unreadable => ErrorKind::Unreadable,
    }
}

/// A path that may be given in full, if it is below the root, and with backslashes
/// between its parts, if no file has that name.
fn below(root: &Root, path: &[u8]) -> Vec<u8> {
    let full = bytes_of(root.path());
    let rest = path.strip_prefix(&full[..]);
    let rest = rest.and_then(|rest| rest.strip_prefix(b"/"));
    let path = rest.unwrap_or(path).to_vec();
    let is_file = || {
        root.read(&path)
            .is_ok_and(|source| source.bytes().is_some())
    };
    if !path.contains(&b'\\') || is_file() {
        return path;
    }
    let slash = |byte: &u8| if *byte == b'\\' { b'/' } else { *byte };
    path.iter().map(slash).collect()
}

impl Outcome {
    /// The content as it would be now.
    #[must_use]
    pub fn content(&self) -> Option<Vec<u8>> {
        match &self.new {
            Becomes::Text(text) => Some(text.clone()),
            Becomes::Gone => None,
            Becomes::Same => self.source.as_ref()?.bytes().map(<[u8]>::to_vec),
        }
    }

    /// Whether anything is to be written.
    #[must_use]
    pub fn changes(&self) -> bool {
        !matches!(self.new, Becomes::Same) || self.target.is_some()
    }

    /// Adds what further edits of the same file did.
    fn join(&mut self, later: Self) {
        let first = self.report.blocks.len();
        self.report.blocks.extend(later.report.blocks);
        for (index, block) in self.report.blocks.iter_mut().enumerate().skip(first) {
            block.index = index as u32;
        }
        self.report.success |= later.report.success;
        self.report.content = later.report.content.or(self.report.content.take());
        self.report.error_kind = self.report.error_kind.or(later.report.error_kind);
        self.report.message = self.report.message.take().or(later.report.message);
        self.complete &= later.complete;
        if !matches!(later.new, Becomes::Same) {
            self.new = later.new;
        }
    }

    /// Gives the file another name, if that is free.
    fn move_to(&mut self, root: &Root, to: &[u8]) {
        if !self.complete {
            return;
        }
        let refuse = |outcome: &mut Self, kind, message: String| {
            outcome.report.success = false;
            outcome.report.error_kind = Some(kind);
            outcome.report.message = Some(message);
            outcome.complete = false;
            outcome.new = Becomes::Same;
        };
        let shown = String::from_utf8_lossy(to).into_owned();
        match root.read(&below(root, to)) {
            Ok(target) if target.bytes().is_none() => {
                self.report.action = Some(Action::Moved);
                self.report.moved_to = Some(Text(bytes_of(&target.name())));
                self.target = Some(target);
            }
            Ok(_) => refuse(
                self,
                ErrorKind::FileExists,
                format!("cannot become {shown}, which is there already"),
            ),
            Err(error) => refuse(self, kind_of(&error), format!("{shown}: {}", error.message)),
        }
    }
}

fn refused(path: Vec<u8>, shown: String, error: &FileError) -> Outcome {
    Outcome {
        report: FileReport {
            path: Text(path),
            success: false,
            error_kind: Some(kind_of(error)),
            action: None,
            moved_to: None,
            content: None,
            message: Some(error.message.clone()),
            blocks: Vec::new(),
        },
        shown,
        source: None,
        target: None,
        new: Becomes::Same,
        complete: false,
    }
}

fn one(
    settings: &Settings,
    task: &Task,
    source: Source,
    earlier: Option<&Outcome>,
    shown: String,
) -> Result<Outcome, BlockError> {
    // What earlier edits made of it, or it as it is; files may be large.
    let earlier = earlier.map(Outcome::content);
    let earlier = earlier.as_ref().map(Option::as_deref);
    let current = earlier.unwrap_or(source.bytes());
    let path = Text(bytes_of(&source.name()));
    let none = |kind| Edited {
        text: None,
        blocks: Vec::new(),
        error_kind: Some(kind),
    };
    let text = current.unwrap_or_default();
    let edited = if current.is_none() && !task.may_make() {
        none(ErrorKind::NoFile)
    } else if current.is_none() && makes_empty(task) {
        Edited {
            text: Some(Vec::new()),
            blocks: vec![BlockReport::new(0, Status::Applied)],
            error_kind: None,
        }
    } else if task.end == End::Stays
        && matches!(&task.edits, Edits::Blocks(none) if none.is_empty())
    {
        none(ErrorKind::NoBlocks)
    } else if task.end == End::IsMade && current.is_some() {
        match made(task) {
            // It was made before.
            Some(made) if Some(&made[..]) == current => Edited {
                text: Some(made),
                blocks: Vec::new(),
                error_kind: None,
            },
            _ => none(ErrorKind::FileExists),
        }
    } else if settings.compat {
        crate::edit_compat(text, &task.edits, &settings.options)?
    } else {
        crate::edit(text, &task.edits, &settings.options)?
    };
    let was_there = current.is_some();
    // A file that should go, and has lines that the diff does not know, stays as it is.
    let left = |text: &Vec<u8>| !text.is_empty();
    let edited = if task.end == End::GoesIfEmpty
        && edited.is_complete()
        && edited.text.as_ref().is_some_and(left)
    {
        none(ErrorKind::NoMatch)
    } else {
        edited
    };
    let complete = edited.is_complete();
    let partial = settings.partial || settings.compat;
    let success = complete || partial && edited.text.is_some();
    let wanted = settings.contents && success;
    let content = edited.text.as_ref().filter(|_| wanted).cloned();
    let new = match edited.text {
        Some(_) if task.end == End::Goes => Becomes::Gone,
        Some(text) if text.is_empty() && task.end == End::GoesIfEmpty => Becomes::Gone,
        Some(text) if source.bytes() != Some(&text[..]) => Becomes::Text(text),
        _ => Becomes::Same,
    };
    let message = match edited.error_kind {
        Some(ErrorKind::NoFile) => Some("there is no such file".to_owned()),
        Some(ErrorKind::NoBlocks) => Some("nothing of it is changed".to_owned()),
        Some(ErrorKind::FileExists) => {
            Some("is there already, and should be made; edit it instead".to_owned())
        }
        Some(ErrorKind::NoMatch) if task.end == End::GoesIfEmpty && edited.blocks.is_empty() => {
            Some("should be deleted, and has lines that the diff does not remove".to_owned())
        }
        _ => None,
    };
    let action = match (&new, was_there) {
        (Becomes::Gone, _) => Some(Action::Deleted),
        (Becomes::Text(_), false) => Some(Action::Created),
        _ => None,
    };
    let report = FileReport {
        path,
        success,
        error_kind: edited.error_kind,
        action,
        moved_to: None,
        content: content
            .map(Text)
            .filter(|_| action != Some(Action::Deleted)),
        message,
        blocks: edited.blocks,
    };
    Ok(Outcome {
        report,
        shown,
        new,
        source: Some(source),
        target: None,
        complete,
    })
}

/// Whether a file is to be made, and nothing is to be in it.
fn makes_empty(task: &Task) -> bool {
    let empty = |block: &Block| block.search.is_empty() && block.replace.is_empty();
    match &task.edits {
        Edits::Blocks(blocks) => !blocks.is_empty() && blocks.iter().all(empty),
        _ => false,
    }
}

/// The content of a file that is to be made.
fn made(task: &Task) -> Option<Vec<u8>> {
    if makes_empty(task) {
        return Some(Vec::new());
    }
    let Edits::Blocks(blocks) = &task.edits else {
        return None;
    };
    let edited = crate::edit(b"", &Edits::Blocks(blocks.clone()), &Options::default());
    edited.ok()?.text
}

/// Whether the edits are carried out: all of them, or with `partial` those that fit. If
/// not, nothing is to be written any more.
pub fn settle(outcomes: &mut [Outcome], partial: bool) -> bool {
    let astray = outcomes
        .iter()
        .any(|outcome| outcome.report.error_kind == Some(ErrorKind::OutsideRoot));
    let complete = !astray && outcomes.iter().all(|outcome| outcome.complete);
    let some = outcomes.iter().any(|outcome| outcome.report.success);
    let success = complete || partial && some && !astray;
    if !success {
        for outcome in outcomes {
            outcome.new = Becomes::Same;
            outcome.target = None;
        }
    }
    success
}

/// The report on all files.
#[must_use]
pub fn report(outcomes: Vec<Outcome>, success: bool, written: bool) -> Report {
    let files: Vec<FileReport> = outcomes.into_iter().map(|outcome| outcome.report).collect();
    let has_done = |file: &FileReport| file.blocks.iter().any(BlockReport::is_done);
    let kind = match &files[..] {
        _ if success => None,
        [only] => only.error_kind,
        files => {
            let astray = |file: &&FileReport| file.error_kind == Some(ErrorKind::OutsideRoot);
            let none = files.iter().all(|file| !file.success && !has_done(file));
            let kind = none.then_some(ErrorKind::AllFailed);
            files
                .iter()
                .find(astray)
                .map_or(kind, |file| file.error_kind)
        }
    };
    Report {
        error_kind: kind,
        written,
        ..Report::new(success, files)
    }
}

/// What is to be written, taken out of the outcomes.
pub fn changes(outcomes: &mut [Outcome]) -> Vec<Change> {
    let mut changes = Vec::new();
    for outcome in outcomes.iter_mut().filter(|outcome| outcome.changes()) {
        let Some(source) = outcome.source.take() else {
            continue;
        };
        let like = source.like().map(Permissions::Like);
        let mut change = |source: Source, new: Option<Vec<u8>>| {
            let is_new = source.bytes().is_none();
            let change = Change::new(source, new.map(Content::File));
            changes.push(match like {
                Some(like) if is_new => change.with_permissions(like),
                _ => change,
            });
        };
        let new = std::mem::replace(&mut outcome.new, Becomes::Same);
        match (outcome.target.take(), new) {
            // The new one first: what is killed in between loses nothing.
            (Some(target), new) => {
                let content = match new {
                    Becomes::Text(text) => Some(text),
                    Becomes::Gone => None,
                    Becomes::Same => source.bytes().map(<[u8]>::to_vec),
                };
                change(target, content);
                if source.bytes().is_some() {
                    change(source, None);
                }
            }
            (None, Becomes::Text(text)) => change(source, Some(text)),
            (None, Becomes::Gone) => change(source, None),
            (None, Becomes::Same) => {}
        }
    }
    changes
}
