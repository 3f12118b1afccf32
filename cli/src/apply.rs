//! `mvdiff apply BLOCKS [FILE]`.

mod forms;
mod print;

use crate::args::{ApplyArgs, Format};
use crate::{input, output};
use anyhow::{Context as _, anyhow, bail};
use forms::Task;
use mvdiff_edit::blocks::BlockError;
use mvdiff_edit::files::{Change, FileError, Root, Source, Store};
use mvdiff_edit::{BlockReport, Bytes, Edited, ErrorKind, FileReport, Options, Report};
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

const DONE: u8 = 0;
const NOT_ALL: u8 = 1;
const TROUBLE: u8 = 2;

/// A file and what came of its edits.
pub(crate) struct Outcome {
    pub report: FileReport,
    /// How the file is called in messages.
    pub shown: String,
    pub source: Option<Source>,
    pub new: Becomes,
    complete: bool,
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

pub(crate) fn run(args: &ApplyArgs) -> anyhow::Result<u8> {
    let store = Store::of_user()?;
    recover(&store)?;
    if args.undo {
        return undo(args, &store);
    }
    let Some(blocks) = &args.blocks else {
        bail!("give the blocks");
    };
    let shown = blocks.display().to_string();
    let input = input::read(blocks)?;
    let tasks = match forms::tasks(&input, args.file.is_some(), args.compat) {
        Ok(tasks) => tasks,
        Err(error) => return unreadable(args, &shown, &error),
    };
    let (root, name) = place(args.file.as_deref(), args.root.as_deref())?;
    let mut outcomes = match work(args, &root, name.as_deref(), tasks) {
        Ok(outcomes) => outcomes,
        Err(error) => return unreadable(args, &shown, &error),
    };
    if args.stdout && outcomes.len() != 1 {
        bail!(
            "--stdout: the blocks are for {} files, and only one can be printed; try --dry-run",
            outcomes.len()
        );
    }
    let partial = args.partial || args.compat;
    let astray = outcomes
        .iter()
        .any(|outcome| outcome.report.error_kind == Some(ErrorKind::OutsideRoot));
    let complete = !astray && outcomes.iter().all(|outcome| outcome.complete);
    let some = outcomes.iter().any(|outcome| outcome.report.success);
    let success = complete || partial && some && !astray;
    if !success {
        for outcome in &mut outcomes {
            outcome.new = Becomes::Same;
        }
    }
    let write = success && !args.dry_run && !args.stdout;
    if write {
        store.write(&root, &changes(&outcomes))?;
    }
    let code = match (complete, astray) {
        (true, _) => DONE,
        (_, true) => TROUBLE,
        (false, false) if is_trouble(&outcomes, partial) => TROUBLE,
        (false, false) => NOT_ALL,
    };
    print::print(args, outcomes, success, write)?;
    Ok(code)
}

/// What would become of the one file that the blocks are for, and whether anything
/// applied; nothing is written. Blocks that cannot be read change nothing.
///
/// # Errors
/// When a file cannot be read.
pub(crate) fn try_on(args: &ApplyArgs, input: &[u8]) -> anyhow::Result<(Vec<u8>, bool)> {
    let Some(blocks) = &args.blocks else {
        bail!("give the blocks");
    };
    let unchanged = || (input.to_vec(), false);
    let blocks = input::read(blocks)?;
    let Ok(tasks) = forms::tasks(&blocks, args.file.is_some(), args.compat) else {
        return Ok(unchanged());
    };
    let (root, name) = place(args.file.as_deref(), args.root.as_deref())?;
    let Ok(outcomes) = work(args, &root, name.as_deref(), tasks) else {
        return Ok(unchanged());
    };
    let success = outcomes.iter().any(|outcome| outcome.report.success);
    let content = outcomes.first().and_then(Outcome::content);
    Ok((content.unwrap_or_default(), success))
}

/// Finishes or takes back what an interrupted run left.
fn recover(store: &Store) -> anyhow::Result<()> {
    for run in store.recover()? {
        let root = run.root.display();
        let files = run.files;
        let said = match &run.foreign[..] {
            [] => format!("finished an interrupted run: {files} files"),
            [path, ..] => format!(
                "took an interrupted run of {files} files back, since {} was changed meanwhile",
                path.display()
            ),
        };
        note(&format!("{root}: {said}"));
    }
    Ok(())
}

fn note(message: &str) {
    let _ = writeln!(io::stderr(), "mvdiff: note: {}", output::visible(message));
}

/// The root, and the path of the one file below it, if there is one.
fn place(file: Option<&Path>, root: Option<&Path>) -> anyhow::Result<(Root, Option<PathBuf>)> {
    let open = |path: &Path| {
        Root::open(path).with_context(|| format!("{}: cannot open the root", path.display()))
    };
    let Some(file) = file else {
        return Ok((open(root.unwrap_or(Path::new(".")))?, None));
    };
    let shown = file.display();
    if file.is_dir() {
        bail!("{shown}: is a directory; give a file, or leave it out and give --root");
    }
    // The user's own links are followed; links that blocks name are not.
    let real = match std::fs::canonicalize(file) {
        Ok(real) => real,
        Err(error) if error.kind() == io::ErrorKind::NotFound => missing(file)?,
        Err(error) => return Err(error).with_context(|| format!("{shown}: cannot open")),
    };
    let root = open(root.or(real.parent()).unwrap_or(Path::new("/")))?;
    let name = real.strip_prefix(root.path()).map(Path::to_path_buf);
    let outside = |_| {
        let root = root.path().display();
        anyhow!("{shown}: is not below {root}; nothing was written")
    };
    let name = name.map_err(outside)?;
    Ok((root, Some(name)))
}

/// The path of a file that is to be made, in a folder that is there.
fn missing(file: &Path) -> anyhow::Result<PathBuf> {
    let shown = file.display();
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty());
    let folder = std::fs::canonicalize(folder.unwrap_or(Path::new(".")))
        .with_context(|| format!("{shown}: cannot open its directory"))?;
    let name = file
        .file_name()
        .with_context(|| format!("{shown}: is no file"))?;
    Ok(folder.join(name))
}

/// Edits every file, in memory.
fn work(
    args: &ApplyArgs,
    root: &Root,
    name: Option<&Path>,
    tasks: Vec<Task>,
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
            (Some(path), None) => path.clone(),
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
        let current = match before.map(|index| &outcomes[index]) {
            Some(outcome) => outcome.content(),
            None => source.bytes.clone(),
        };
        let outcome = one(args, &task, &options, source, current.as_deref(), shown)?;
        if let Some(index) = before {
            outcomes[index].join(outcome);
        } else {
            let name = outcome.source.as_ref().map(Source::name);
            known.extend(name.map(|name| (name, outcomes.len())));
            outcomes.push(outcome);
        }
    }
    Ok(outcomes)
}

impl Outcome {
    /// The content as it would be now.
    fn content(&self) -> Option<Vec<u8>> {
        match &self.new {
            Becomes::Text(text) => Some(text.clone()),
            Becomes::Gone => None,
            Becomes::Same => self.source.as_ref()?.bytes.clone(),
        }
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
        self.complete &= later.complete;
        if !matches!(later.new, Becomes::Same) {
            self.new = later.new;
        }
    }
}

fn refused(path: Vec<u8>, shown: String, error: &FileError) -> Outcome {
    Outcome {
        report: FileReport {
            path: Bytes(path),
            success: false,
            error_kind: Some(error.kind),
            content: None,
            message: Some(error.message.clone()),
            blocks: Vec::new(),
        },
        shown,
        source: None,
        new: Becomes::Same,
        complete: false,
    }
}

fn one(
    args: &ApplyArgs,
    task: &Task,
    options: &Options,
    source: Source,
    current: Option<&[u8]>,
    shown: String,
) -> Result<Outcome, BlockError> {
    let path = Bytes(crate::paths::bytes(&source.name()));
    let text = current.unwrap_or_default();
    let edited = if current.is_none() && !task.makes_file() {
        Edited {
            text: None,
            blocks: Vec::new(),
            error_kind: Some(ErrorKind::NoFile),
        }
    } else if args.compat {
        mvdiff_edit::edit_compat(text, &task.edits, options)?
    } else {
        mvdiff_edit::edit(text, &task.edits, options)?
    };
    let complete = edited.is_complete();
    let partial = args.partial || args.compat;
    let success = complete || partial && edited.text.is_some();
    let wanted = args.stdout || args.dry_run;
    let content = edited.text.clone().filter(|_| wanted && success);
    let new = match edited.text {
        Some(text) if text.is_empty() && task.deletes => Becomes::Gone,
        Some(text) if source.bytes.as_ref() != Some(&text) => Becomes::Text(text),
        _ => Becomes::Same,
    };
    let message = match edited.error_kind {
        Some(ErrorKind::NoFile) => Some("there is no such file".to_owned()),
        _ => None,
    };
    let report = FileReport {
        path,
        success,
        error_kind: edited.error_kind,
        content: content.map(Bytes),
        message,
        blocks: edited.blocks,
    };
    Ok(Outcome {
        report,
        shown,
        new,
        source: Some(source),
        complete,
    })
}

fn changes(outcomes: &[Outcome]) -> Vec<Change> {
    let change = |outcome: &Outcome| {
        let new = match &outcome.new {
            Becomes::Same => return None,
            Becomes::Text(text) => Some(text.clone()),
            Becomes::Gone => None,
        };
        Some(Change {
            source: outcome.source.clone()?,
            new,
            like: None,
        })
    };
    outcomes.iter().filter_map(change).collect()
}

/// Whether something is wrong beyond blocks that do not fit.
fn is_trouble(outcomes: &[Outcome], partial: bool) -> bool {
    let file = |outcome: &Outcome| {
        let kind = outcome.report.error_kind;
        matches!(kind, Some(ErrorKind::NoFile | ErrorKind::Unreadable))
    };
    let unread = |block: &BlockReport| block.error_kind.is_some_and(is_unread);
    let blocks = || outcomes.iter().flat_map(|outcome| &outcome.report.blocks);
    let none = blocks().next().is_some() && blocks().all(unread);
    none || !partial && (outcomes.iter().any(file) || blocks().any(unread))
}

/// Whether a kind is about blocks that cannot be read.
fn is_unread(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NoBlocks
            | ErrorKind::UnescapedMarker
            | ErrorKind::MalformedSequence
            | ErrorKind::LineMarkerInReplace
            | ErrorKind::UnexpectedEndWantSeparator
            | ErrorKind::UnexpectedEndWantReplace
            | ErrorKind::BadForm
    )
}

/// Blocks that cannot be read at all.
fn unreadable(args: &ApplyArgs, shown: &str, error: &BlockError) -> anyhow::Result<u8> {
    if args.format == Some(Format::Json) {
        print::json(&Report::unreadable(error))?;
    }
    let place = error.to_string();
    let place = match place.strip_prefix("line ") {
        Some(line) => format!("{shown}:{line}"),
        None => format!("{shown}: {place}"),
    };
    let message = output::visible(&place);
    let _ = writeln!(io::stderr(), "mvdiff: {message}; nothing was written");
    Ok(TROUBLE)
}

fn undo(args: &ApplyArgs, store: &Store) -> anyhow::Result<u8> {
    // The file is the last that was named: the blocks need not be.
    let file = args.file.as_ref().or(match args.root {
        Some(_) => None,
        None => args.blocks.as_ref(),
    });
    let (root, name) = place(file.map(PathBuf::as_path), args.root.as_deref())?;
    let undone = store.undo(&root, name.as_deref())?;
    let mut out = io::stdout().lock();
    for path in &undone.files {
        let path = output::visible(&path.display().to_string());
        writeln!(out, "{path}: as it was")?;
    }
    Ok(DONE)
}
