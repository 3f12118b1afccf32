//! `mvdiff apply BLOCKS [FILE]`.

mod forms;
mod print;

use crate::args::{ApplyArgs, Format};
use crate::signals::Hold;
use crate::{input, output};
use anyhow::{Context as _, anyhow, bail};
use mvdiff_edit::blocks::BlockError;
use mvdiff_edit::forms::Task;
use mvdiff_edit::work::{Outcome, Settings, changes, settle, work};
use mvdiff_edit::{Action, BlockReport, ErrorKind, FileReport, Options, Report, Text, merge_lines};
use mvdiff_files::{Recovered, Root, Store, StoreError, write_without_journal};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

const DONE: u8 = 0;
const NOT_ALL: u8 = 1;
const TROUBLE: u8 = 2;
/// How often a run begins anew when somebody else writes its files meanwhile.
const ATTEMPTS: usize = 3;

/// Runs, and says in JSON, too, what went wrong.
pub(crate) fn run(args: &ApplyArgs) -> anyhow::Result<u8> {
    let ran = attempt(args);
    if let Err(error) = &ran
        && args.format == Some(Format::Json)
    {
        let kind = match error.downcast_ref::<StoreError>() {
            Some(_) => ErrorKind::NotWritten,
            None => ErrorKind::Trouble,
        };
        print::json(&Report::trouble(kind, format!("{error:#}")))?;
    }
    ran
}

fn attempt(args: &ApplyArgs) -> anyhow::Result<u8> {
    if args.undo {
        return undo(args, &Store::of_user()?);
    }
    let Some(blocks) = &args.blocks else {
        bail!("give the blocks");
    };
    let shown = blocks.display().to_string();
    let input = input::read(blocks)?;
    let tasks = match forms::tasks(&input, args.form, args.file.is_some(), args.compat) {
        Ok(tasks) => tasks,
        Err(error) => return unreadable(args, &shown, &error),
    };
    let store = match (args.no_journal, Store::of_user()) {
        (true, _) => None,
        (false, store) => Some(store?),
    };
    let writes = !args.dry_run && !args.stdout;
    let mut attempts = 0;
    loop {
        // No other run of ours writes between reading and writing.
        let session = match &store {
            Some(store) if writes => Some(store.begin()?),
            Some(store) => {
                tell_recovered(&store.recover()?);
                None
            }
            None => None,
        };
        if let Some(session) = &session {
            tell_recovered(&session.recovered);
        }
        let (root, name) = place(args.file.as_deref(), args.root.as_deref())?;
        if let Some(error) = misnamed(args, name.as_deref(), &tasks, &root) {
            return unreadable(args, &shown, &error);
        }
        let outcomes = match work(&settings(args), &root, name.as_deref(), &tasks) {
            Ok(outcomes) => outcomes,
            Err(error) => return unreadable(args, &shown, &error),
        };
        let (mut outcomes, verdict) = judge(args, outcomes)?;
        let write = verdict.success && writes && outcomes.iter().any(Outcome::changes);
        let patch = match args.format {
            Some(Format::Unified) if write => Some(print::patch(&outcomes)?),
            _ => None,
        };
        if write {
            let changes = changes(&mut outcomes);
            let hold = Hold::new();
            let interrupted = || hold.is_interrupted();
            let written = match &session {
                Some(session) => session.write(&root, changes, &interrupted),
                None => write_without_journal(&root, changes, &interrupted),
            };
            hold.report(&written);
            attempts += 1;
            match written {
                Err(StoreError::Changed { .. }) if attempts < ATTEMPTS => continue,
                written => written?,
            }
        }
        print::print(args, outcomes, verdict.success, write, patch)?;
        return Ok(verdict.code);
    }
}

fn settings(args: &ApplyArgs) -> Settings {
    Settings {
        options: Options::default().with(|o| {
            o.threshold = args.threshold;
            o.buffer_lines = args.buffer_lines;
            o.start_line = args.start_line;
            o.unescape_html = args.unescape_html;
        }),
        compat: args.compat,
        partial: args.partial,
        contents: args.stdout || args.dry_run,
        shown: args.file.as_ref().map(|file| file.display().to_string()),
    }
}

/// How a run ends.
struct Verdict {
    success: bool,
    code: u8,
}

fn judge(args: &ApplyArgs, mut outcomes: Vec<Outcome>) -> anyhow::Result<(Vec<Outcome>, Verdict)> {
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
    let success = settle(&mut outcomes, partial);
    let code = match (complete, astray) {
        (true, _) => DONE,
        (_, true) => TROUBLE,
        (false, false) if is_trouble(&outcomes, partial) => TROUBLE,
        (false, false) => NOT_ALL,
    };
    Ok((outcomes, Verdict { success, code }))
}

/// A file on the command line that is not the one that the input names. A diff may
/// be meant for another file than the one it was made from.
fn misnamed(
    args: &ApplyArgs,
    name: Option<&Path>,
    tasks: &[Task],
    root: &Root,
) -> Option<BlockError> {
    let (file, name) = (args.file.as_deref()?, name?);
    let real = root.path().join(name);
    let wrong = |task: &&Task| {
        let Some(path) = task.path.as_ref().filter(|_| !task.is_diff) else {
            return false;
        };
        let path = String::from_utf8_lossy(path).into_owned();
        let names = |path: &str| {
            let path = Path::new(path.trim_start_matches("./"));
            real.ends_with(path) || path.ends_with(file)
        };
        !names(&path) && !names(&path.replace('\\', "/"))
    };
    let task = tasks.iter().find(wrong)?;
    let path = String::from_utf8_lossy(task.path.as_deref().unwrap_or_default()).into_owned();
    Some(BlockError {
        kind: ErrorKind::BadForm,
        line: task.input_line,
        block: None,
        found: Some(format!("names {path}, not {}", file.display())),
        expected: None,
    })
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
    let Ok(tasks) = forms::tasks(&blocks, args.form, args.file.is_some(), args.compat) else {
        return Ok(unchanged());
    };
    let (root, name) = place(args.file.as_deref(), args.root.as_deref())?;
    let Ok(outcomes) = work(&settings(args), &root, name.as_deref(), &tasks) else {
        return Ok(unchanged());
    };
    let success = outcomes.iter().any(|outcome| outcome.report.success);
    let content = outcomes.first().and_then(Outcome::content);
    Ok((content.unwrap_or_default(), success))
}

/// Says what became of interrupted runs.
fn tell_recovered(recovered: &[Recovered]) {
    for run in recovered {
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
        .with_context(|| format!("{shown}: is not a file"))?;
    Ok(folder.join(name))
}

/// Whether something is wrong beyond blocks that do not fit.
fn is_trouble(outcomes: &[Outcome], partial: bool) -> bool {
    let file = |outcome: &Outcome| {
        let kind = outcome.report.error_kind;
        let trouble = [
            ErrorKind::NoFile,
            ErrorKind::Unreadable,
            ErrorKind::FileExists,
        ];
        kind.is_some_and(|kind| trouble.contains(&kind))
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
    let undone = store.undo(&root, name.as_deref(), &merge_lines);
    let undone = undone.map_err(|error| match error {
        // What was applied to a file by its name belongs to the directory of the file.
        StoreError::NothingToUndo { .. } if name.is_none() => {
            anyhow!("{error}; to undo edits of a file elsewhere, name it: apply --undo FILE")
        }
        error => error.into(),
    })?;
    if args.format == Some(Format::Json) {
        let file = |path: &PathBuf| FileReport {
            path: Text(crate::paths::bytes(path)),
            success: true,
            error_kind: None,
            action: Some(Action::Undone),
            moved_to: None,
            content: None,
            message: None,
            blocks: Vec::new(),
        };
        let files = undone.files.iter().map(file).collect();
        print::json(&Report {
            written: true,
            ..Report::new(true, files)
        })?;
        return Ok(DONE);
    }
    let mut out = io::stdout().lock();
    for path in &undone.files {
        let kept = if undone.merged.contains(path) {
            ", keeping later changes elsewhere in it"
        } else {
            ""
        };
        let path = output::visible(&path.display().to_string());
        writeln!(out, "{path}: undone{kept}")?;
    }
    Ok(DONE)
}
