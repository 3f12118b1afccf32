//! The edits of all files, carried out in memory.

use crate::args::ApplyArgs;
use mvdiff_edit::blocks::BlockError;
use mvdiff_edit::files::{Change, FileError, Like, Root, Source};
use mvdiff_edit::forms::{End, Task};
use mvdiff_edit::{Action, Bytes, Edited, Edits, ErrorKind, FileReport, Options};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file and what came of its edits.
pub(crate) struct Outcome {
    pub report: FileReport,
    /// How the file is called in messages.
    pub shown: String,
    pub source: Option<Source>,
    /// Where it goes, if it gets another name.
    pub target: Option<Source>,
    pub new: Becomes,
    pub complete: bool,
}

/// What becomes of a file.
#[derive(Clone)]
pub(crate) enum Becomes {
    /// Nothing else.
    Same,
    /// Something with this content.
    Text(Vec<u8>),
    /// It goes.
    Gone,
}

/// Edits every file, in memory.
pub(crate) fn work(
    args: &ApplyArgs,
    root: &Root,
    name: Option<&Path>,
    tasks: &[Task],
) -> Result<Vec<Outcome>, BlockError> {
    let options = Options {
        threshold: args.threshold,
        buffer_lines: args.buffer_lines,
        start_line: args.start_line,
        unescape_html: args.unescape_html,
    };
    let mut outcomes: Vec<Outcome> = Vec::new();
    // Files that were named before, in another way perhaps.
    let mut known: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for task in tasks {
        let path = match (&task.path, name) {
            (_, Some(name)) => crate::paths::bytes(name),
            (Some(path), None) => below(root, path),
            (None, None) => Vec::new(),
        };
        let shown = match (&args.file, &task.path) {
            (Some(file), _) => file.display().to_string(),
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
        let mut outcome = one(args, task, &options, source, earlier, shown)?;
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

/// A path that may be given in full, if it is below the root.
fn below(root: &Root, path: &[u8]) -> Vec<u8> {
    let root = crate::paths::bytes(root.path());
    let rest = path.strip_prefix(&root[..]);
    let rest = rest.and_then(|rest| rest.strip_prefix(b"/"));
    rest.unwrap_or(path).to_vec()
}

impl Outcome {
    /// The content as it would be now.
    pub(crate) fn content(&self) -> Option<Vec<u8>> {
        match &self.new {
            Becomes::Text(text) => Some(text.clone()),
            Becomes::Gone => None,
            Becomes::Same => self.source.as_ref()?.bytes.clone(),
        }
    }

    pub(crate) fn changes(&self) -> bool {
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
            Ok(target) if target.bytes.is_none() => {
                self.report.action = Some(Action::Moved);
                self.report.moved_to = Some(Bytes(crate::paths::bytes(&target.name())));
                self.target = Some(target);
            }
            Ok(_) => refuse(
                self,
                ErrorKind::FileExists,
                format!("cannot become {shown}, which is there already"),
            ),
            Err(error) => refuse(self, error.kind, format!("{shown}: {}", error.message)),
        }
    }
}

fn refused(path: Vec<u8>, shown: String, error: &FileError) -> Outcome {
    Outcome {
        report: FileReport {
            path: Bytes(path),
            success: false,
            error_kind: Some(error.kind),
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
    args: &ApplyArgs,
    task: &Task,
    options: &Options,
    source: Source,
    earlier: Option<&Outcome>,
    shown: String,
) -> Result<Outcome, BlockError> {
    // What earlier edits made of it, or it as it is; files may be large.
    let earlier = earlier.map(Outcome::content);
    let earlier = earlier.as_ref().map(Option::as_deref);
    let current = earlier.unwrap_or(source.bytes.as_deref());
    let path = Bytes(crate::paths::bytes(&source.name()));
    let none = |kind| Edited {
        text: None,
        blocks: Vec::new(),
        error_kind: Some(kind),
    };
    let text = current.unwrap_or_default();
    let edited = if current.is_none() && !task.may_make() {
        none(ErrorKind::NoFile)
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
    } else if args.compat {
        mvdiff_edit::edit_compat(text, &task.edits, options)?
    } else {
        mvdiff_edit::edit(text, &task.edits, options)?
    };
    let was_there = current.is_some();
    let complete = edited.is_complete();
    let partial = args.partial || args.compat;
    let success = complete || partial && edited.text.is_some();
    let wanted = args.stdout || args.dry_run;
    let content = edited.text.as_ref().filter(|_| wanted && success).cloned();
    let new = match edited.text {
        Some(_) if task.end == End::Goes => Becomes::Gone,
        Some(text) if text.is_empty() && task.end == End::GoesIfEmpty => Becomes::Gone,
        Some(text) if source.bytes.as_ref() != Some(&text) => Becomes::Text(text),
        _ => Becomes::Same,
    };
    let message = match edited.error_kind {
        Some(ErrorKind::NoFile) => Some("there is no such file".to_owned()),
        Some(ErrorKind::FileExists) => {
            Some("is there already, and should be made; edit it instead".to_owned())
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
            .map(Bytes)
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

/// The content of a file that is to be made.
fn made(task: &Task) -> Option<Vec<u8>> {
    let Edits::Blocks(blocks) = &task.edits else {
        return None;
    };
    let edited = mvdiff_edit::edit(b"", &Edits::Blocks(blocks.clone()), &Options::default());
    edited.ok()?.text
}

/// What is to be written, taken out of the outcomes.
pub(crate) fn changes(outcomes: &mut [Outcome]) -> Vec<Change> {
    let mut changes = Vec::new();
    for outcome in outcomes.iter_mut().filter(|outcome| outcome.changes()) {
        let Some(source) = outcome.source.take() else {
            continue;
        };
        let like: Option<Like> = source.like();
        let mut change = |source: Source, new: Option<Vec<u8>>| {
            changes.push(Change { source, new, like });
        };
        let new = std::mem::replace(&mut outcome.new, Becomes::Same);
        match (outcome.target.take(), new) {
            // The new one first: what is killed in between loses nothing.
            (Some(target), new) => {
                let content = match new {
                    Becomes::Text(text) => Some(text),
                    Becomes::Gone => None,
                    Becomes::Same => source.bytes.clone(),
                };
                change(target, content);
                if source.bytes.is_some() {
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
