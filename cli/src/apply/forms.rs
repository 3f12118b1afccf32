//! What an input of `mvdiff apply` is. Unified diffs as tools write them are read
//! here, to the letter, since the crate of edits knows nothing of patches; all
//! other forms are read there.

use crate::args::FormArg;
use mvdiff_edit::blocks::{Block, BlockError};
use mvdiff_edit::forms::{End, Form, Task};
use mvdiff_edit::{Edits, ErrorKind};
use mvdiff_text::patch::{self, Body, FilePatch, Hunk, LineKind, Status};

/// Reads an input, in the form that is asked for or the one it has.
pub(crate) fn tasks(
    input: &[u8],
    form: Option<FormArg>,
    named: bool,
    compat: bool,
) -> Result<Vec<Task>, BlockError> {
    let text = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input);
    let form = match form {
        Some(form) => form.form(),
        None => Form::of(text),
    };
    if compat && form != Form::Roo {
        // It knows no other form; what is wrong with the blocks is for it to say.
        return Form::Roo.read_alone(text);
    }
    let tasks = match form {
        Form::Udiff if is_exact(text) => {
            let tasks = from_diff(text)?;
            form.check(text)?;
            tasks
        }
        form if compat => form.read_alone(text)?,
        // What is wrong with a diff of git is said as git's rules have it.
        Form::Udiff if is_git(text) => form
            .read(text)
            .map_err(|error| from_diff(text).err().unwrap_or(error))?,
        form => form.read(text)?,
    };
    let bare = tasks.iter().find(|task| task.path.is_none());
    match bare {
        Some(_) if named => Ok(tasks),
        Some(task) => {
            // Blocks that can be read still need a file.
            if let Edits::Text(text) = &task.edits {
                mvdiff_edit::blocks::parse(text, mvdiff_edit::blocks::Dialect::Single)?;
            }
            Err(wrong(
                task.input_line,
                "these blocks name no file; give FILE behind them",
            ))
        }
        None if named && tasks.len() > 1 => Err(wrong(
            tasks[1].input_line,
            "names several files; leave FILE out and give --root",
        )),
        None => Ok(tasks),
    }
}

fn wrong(line: u32, message: &str) -> BlockError {
    BlockError {
        kind: ErrorKind::BadForm,
        line,
        block: None,
        found: Some(message.to_owned()),
        expected: None,
    }
}

/// What git says of a file beyond its hunks and its names.
const BEYOND_HUNKS: [&[u8]; 5] = [
    b"old mode ",
    b"new mode ",
    b"copy from ",
    b"Binary files ",
    b"GIT binary patch",
];

/// Whether a diff says where its hunks are, and what git says beyond them.
fn is_exact(text: &[u8]) -> bool {
    let mut lines = text.split(|b| *b == b'\n');
    let git = is_git(text);
    let numbered = |line: &[u8]| line.starts_with(b"@@ -");
    let hunks = || lines.clone().filter(|line| line.starts_with(b"@@"));
    let exact = hunks().all(numbered) && (git || hunks().next().is_some());
    let fenced = lines.any(|line| line.starts_with(b"```"));
    // Numbers of a model may be wrong; a diff that git made was cut off then, and what
    // only git says is read to the letter or refused.
    let said =
        |line: &[u8]| is_index(line) || BEYOND_HUNKS.iter().any(|head| line.starts_with(head));
    let by_git = || text.split(|b| *b == b'\n').any(said);
    exact && !fenced && (by_git() || patch::parse(text).is_ok())
}

fn is_git(text: &[u8]) -> bool {
    let mut lines = text.split(|b| *b == b'\n');
    lines.any(|line| line.starts_with(b"diff --git "))
}

/// Whether a line names the contents of a file before and after, by their sums.
fn is_index(line: &[u8]) -> bool {
    let sums = line.strip_prefix(b"index ").unwrap_or_default();
    let is_hex = |sum: &[u8]| sum.iter().filter(|b| b.is_ascii_hexdigit()).count();
    let mut parts = sums.splitn(2, |b| *b == b'.');
    let (old, new) = (parts.next(), parts.next());
    let new = new.and_then(|new| new.strip_prefix(b"."));
    let new = new.and_then(|new| new.split(|b| b" \r".contains(b)).next());
    let whole =
        |sum: Option<&[u8]>| sum.is_some_and(|sum| sum.len() >= 7 && is_hex(sum) == sum.len());
    whole(old) && whole(new)
}

fn from_diff(text: &[u8]) -> Result<Vec<Task>, BlockError> {
    let changesets = patch::parse(text).map_err(|error| {
        let message = error.to_string();
        let place = message
            .strip_prefix("line ")
            .and_then(|m| m.split_once(": "));
        let (line, what) = place.unwrap_or(("1", &message));
        wrong(line.parse().unwrap_or(1), what)
    })?;
    let [changeset] = &changesets[..] else {
        return Err(wrong(1, "holds several commits; give one at a time"));
    };
    // A patch whose own lines end so says nothing about those of files.
    let crlf = text
        .split(|b| *b == b'\n')
        .all(|line| line.is_empty() || line.ends_with(b"\r"));
    let tasks = changeset.files.iter().map(|file| from_file(file, !crlf));
    tasks.collect()
}

/// What a diff says about a file; `ends` says whether its lines end as those of the file.
fn from_file(file: &FilePatch<'_>, ends: bool) -> Result<Task, BlockError> {
    let shown = String::from_utf8_lossy(file.path()).into_owned();
    let refuse = |what: &str| wrong(1, &format!("{shown}: {what}"));
    if matches!(file.body, Body::Binary(_)) {
        return Err(refuse("is binary, which cannot be applied; use git apply"));
    }
    if file.status == Status::Copied {
        return Err(refuse("is copied, which cannot be applied; use git apply"));
    }
    if file.old_mode != file.new_mode && file.status == Status::Modified {
        return Err(refuse(
            "changes its mode, which cannot be applied; use git apply",
        ));
    }
    let keep = ends && file.status == Status::Added;
    let blocks: Vec<Block> = file
        .hunks()
        .iter()
        .map(|hunk| from_hunk(hunk, keep))
        .collect();
    if blocks.is_empty() && file.status == Status::Modified {
        return Err(refuse("nothing of it is changed"));
    }
    let (path, end) = match (file.status, &file.old_path) {
        (Status::Renamed, Some(old)) => (old.to_vec(), End::Moves(file.path().to_vec())),
        (Status::Deleted, _) => (file.path().to_vec(), End::GoesIfEmpty),
        (Status::Added, _) => (file.path().to_vec(), End::IsMade),
        _ => (file.path().to_vec(), End::Stays),
    };
    Ok(Task {
        end,
        is_diff: true,
        ..Task::new(Some(path), Edits::Blocks(blocks))
    })
}

/// A hunk says: look for its old lines, put its new ones there. `keep` keeps carriage
/// returns, which are those of a new file.
fn from_hunk(hunk: &Hunk<'_>, keep: bool) -> Block {
    let side = |gone: LineKind| -> Vec<&[u8]> {
        let lines = hunk.lines.iter().filter(|line| line.kind != gone);
        lines.map(|line| line.text).collect()
    };
    let (old, new) = (side(LineKind::Added), side(LineKind::Removed));
    let without_end = |line: &&[u8]| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        match line.strip_suffix(b"\r") {
            Some(line) if !keep => line.to_vec(),
            _ => line.to_vec(),
        }
    };
    let open = |lines: &[&[u8]]| lines.last().is_some_and(|line| !line.ends_with(b"\n"));
    let start = match hunk.old_count {
        // Nothing is looked for: it goes behind the line that is named.
        0 => hunk.old_start + 1,
        _ => hunk.old_start,
    };
    let mut block = Block::literal(
        old.iter().map(without_end).collect(),
        new.iter().map(without_end).collect(),
        Some(start.max(1)),
    );
    if open(&old) || open(&new) {
        block.final_newline = Some(!open(&new));
    }
    block
}
