//! What an input of `mvdiff apply` is: blocks, several files as JSON or XML, or
//! a unified diff, which is turned into blocks here, since the crate of edits
//! knows nothing of patches.

use memchr::memmem;
use mvdiff_edit::blocks::{Block, BlockError, FileEdits, from_json, from_xml};
use mvdiff_edit::{Edits, ErrorKind};
use mvdiff_text::patch::{self, Body, FilePatch, Hunk, LineKind, Status};

/// Edits of one file.
pub(crate) struct Task {
    /// The path that the input names, if it does.
    pub path: Option<Vec<u8>>,
    pub edits: Edits,
    /// Whether the file shall go once nothing is left of it.
    pub deletes: bool,
    /// Whether the file is new.
    makes: bool,
}

impl Task {
    fn new(path: Option<Vec<u8>>, edits: Edits) -> Self {
        Self {
            path,
            edits,
            deletes: false,
            makes: false,
        }
    }

    /// Whether the edits may make the file: they look for nothing.
    pub(crate) fn makes_file(&self) -> bool {
        let looks_for_nothing = |block: &Block| block.search.is_empty();
        let read = |text: &[u8], dialect| {
            mvdiff_edit::blocks::parse(text, dialect)
                .is_ok_and(|blocks| blocks.iter().any(looks_for_nothing))
        };
        self.makes
            || match &self.edits {
                Edits::Text(text) => read(text, mvdiff_edit::blocks::Dialect::Single),
                Edits::Items(items) => items
                    .iter()
                    .any(|item| read(&item.content, mvdiff_edit::blocks::Dialect::Multi)),
                Edits::Blocks(_) => false,
            }
    }
}

/// Reads an input, whatever form it has.
pub(crate) fn tasks(input: &[u8], named: bool, compat: bool) -> Result<Vec<Task>, BlockError> {
    let text = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input);
    let files = if is_json(text) {
        Some(from_json(text)?)
    } else if is_xml(text) {
        Some(from_xml(text)?)
    } else {
        None
    };
    if let Some(files) = files {
        if named && files.len() > 1 {
            return Err(wrong(
                1,
                "names several files; leave FILE out and give --root",
            ));
        }
        let task = |file: FileEdits| Task::new(Some(file.path), Edits::Items(file.items));
        return Ok(files.into_iter().map(task).collect());
    }
    if !compat && is_diff(text) {
        return from_diff(text, named);
    }
    if !named {
        // Blocks that can be read still need a file.
        mvdiff_edit::blocks::parse(text, mvdiff_edit::blocks::Dialect::Single)?;
        return Err(wrong(1, "these blocks name no file; give FILE behind them"));
    }
    Ok(vec![Task::new(None, Edits::Text(text.to_vec()))])
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

fn is_json(text: &[u8]) -> bool {
    let object = text.trim_ascii_start().starts_with(b"{");
    object && memmem::find(text, b"\"files\"").is_some()
}

/// Whether the first block stands in tags; before them there may be prose.
fn is_xml(text: &[u8]) -> bool {
    let block = memmem::find(text, b"<<<<<<<").unwrap_or(text.len());
    let tagged = |tag: &[u8]| memmem::find(&text[..block], tag).is_some();
    tagged(b"<file>") && tagged(b"<path>")
}

/// Whether there is a hunk and no block.
fn is_diff(text: &[u8]) -> bool {
    let mut lines = text.split(|b| *b == b'\n');
    let hunk = lines.clone().any(|line| line.starts_with(b"@@ -"));
    hunk && !lines.any(|line| line.trim_ascii_start().starts_with(b"<<<<<<< SEARCH"))
}

fn from_diff(text: &[u8], named: bool) -> Result<Vec<Task>, BlockError> {
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
    if named && changeset.files.len() != 1 {
        return Err(wrong(
            1,
            "changes several files; leave FILE out and give --root",
        ));
    }
    changeset.files.iter().map(from_file).collect()
}

fn from_file(file: &FilePatch<'_>) -> Result<Task, BlockError> {
    let path = file.path().to_vec();
    let shown = String::from_utf8_lossy(&path).into_owned();
    let refuse = |what: &str| wrong(1, &format!("{shown}: {what}"));
    if matches!(file.body, Body::Binary(_)) {
        return Err(refuse("is binary, which cannot be applied; use git apply"));
    }
    if matches!(file.status, Status::Renamed | Status::Copied) {
        return Err(refuse(
            "is renamed or copied, which cannot be applied; use git apply",
        ));
    }
    if file.old_mode != file.new_mode && file.status == Status::Modified {
        return Err(refuse(
            "changes its mode, which cannot be applied; use git apply",
        ));
    }
    let blocks = file.hunks().iter().map(from_hunk).collect();
    Ok(Task {
        deletes: file.status == Status::Deleted,
        makes: file.status == Status::Added,
        ..Task::new(Some(path), Edits::Blocks(blocks))
    })
}

/// A hunk says: look for its old lines, put its new ones there.
fn from_hunk(hunk: &Hunk<'_>) -> Block {
    let side = |gone: LineKind| -> Vec<&[u8]> {
        let lines = hunk.lines.iter().filter(|line| line.kind != gone);
        lines.map(|line| line.text).collect()
    };
    let (old, new) = (side(LineKind::Added), side(LineKind::Removed));
    let without_end = |line: &&[u8]| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.strip_suffix(b"\r").unwrap_or(line).to_vec()
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
