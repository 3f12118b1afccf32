//! Edits of one text, and of files below a root.

use crate::input::{Text, refuse};
use mvdiff_edit::blocks::BlockError;
use mvdiff_edit::forms::{Form, Task};
use mvdiff_edit::work::{Outcome, Settings, changes, report, settle, work};
use mvdiff_edit::{Edited, FileReport, Options, Report, Text as Bytes, edit};
use mvdiff_files::{Root, Store, StoreError};
use pyo3::prelude::*;
use std::path::PathBuf;

/// How often a run begins anew when somebody else writes its files meanwhile.
const ATTEMPTS: usize = 3;

fn options(threshold: f64, start_line: Option<u32>) -> Options {
    Options::default().with(|o| {
        o.threshold = threshold;
        o.start_line = start_line;
    })
}

fn json(report: &Report) -> PyResult<String> {
    serde_json::to_string(report).map_err(refuse)
}

/// The tasks of an input, in the form that it has.
fn tasks(edits: &[u8]) -> Result<Vec<Task>, BlockError> {
    Form::of(edits).read(edits)
}

/// Carries edits out on a text: the new text, if they are in it, and the JSON of what
/// became of them.
#[pyfunction]
pub(crate) fn apply_text(
    py: Python<'_>,
    edits: Text,
    text: Text,
    threshold: f64,
    start_line: Option<u32>,
    partial: bool,
) -> PyResult<(Option<Vec<u8>>, String)> {
    let options = options(threshold, start_line);
    py.detach(|| {
        let tasks = match tasks(edits.bytes()) {
            Ok(tasks) => tasks,
            Err(error) => return Ok((None, json(&Report::unreadable(&error))?)),
        };
        let [task] = &tasks[..] else {
            return Err(refuse(
                "the edits name several files; give root= instead of a text",
            ));
        };
        let edited = match edit(text.bytes(), &task.edits, &options) {
            Ok(edited) => edited,
            Err(error) => return Ok((None, json(&Report::unreadable(&error))?)),
        };
        let success = edited.is_complete() || partial && edited.text.is_some();
        let Edited {
            text,
            blocks,
            error_kind,
        } = edited;
        let text = text.filter(|_| success);
        let file = FileReport {
            path: Bytes(task.path.clone().unwrap_or_default()),
            success,
            error_kind,
            action: None,
            moved_to: None,
            content: text.clone().map(Bytes),
            message: None,
            blocks,
        };
        let report = Report {
            error_kind,
            ..Report::new(success, vec![file])
        };
        Ok((text, json(&report)?))
    })
}

/// Carries edits out on the files that they name, below a root, all or none; the JSON of
/// what became of them.
#[pyfunction]
pub(crate) fn apply_files(
    py: Python<'_>,
    edits: Text,
    root: PathBuf,
    threshold: f64,
    start_line: Option<u32>,
    partial: bool,
    dry_run: bool,
) -> PyResult<String> {
    let settings = Settings {
        options: options(threshold, start_line),
        partial,
        contents: dry_run,
        ..Settings::default()
    };
    py.detach(|| {
        if is_beyond_lines(edits.bytes()) {
            return Err(refuse(
                "the diff renames, copies, changes modes or is binary; `mvdiff apply` reads such diffs",
            ));
        }
        let tasks = match tasks(edits.bytes()) {
            Ok(tasks) => tasks,
            Err(error) => return json(&Report::unreadable(&error)),
        };
        if tasks.iter().any(|task| task.path.is_none()) {
            return Err(refuse("these blocks name no file; give the text that they are for"));
        }
        let place = Root::open(&root)
            .map_err(|error| refuse(format!("{}: cannot open the root: {error}", root.display())))?;
        let store = Store::of_user().map_err(refuse)?;
        let mut attempt = 1;
        loop {
            // No other run of ours writes between reading and writing.
            let session = (!dry_run).then(|| store.begin()).transpose().map_err(refuse)?;
            let mut outcomes = match work(&settings, &place, None, &tasks) {
                Ok(outcomes) => outcomes,
                Err(error) => return json(&Report::unreadable(&error)),
            };
            let success = settle(&mut outcomes, partial);
            let writes = success && outcomes.iter().any(Outcome::changes);
            let written = match &session {
                Some(session) if writes => session.write(&place, changes(&mut outcomes), &|| false),
                _ => Ok(()),
            };
            match written {
                Err(StoreError::Changed { .. }) if attempt < ATTEMPTS => attempt += 1,
                Err(error) => return Err(refuse(error)),
                Ok(()) => return json(&report(outcomes, success, writes && !dry_run)),
            }
        }
    })
}

/// Whether a diff of git says more than lines: that reader is the program's.
fn is_beyond_lines(edits: &[u8]) -> bool {
    const HEADS: [&[u8]; 5] = [
        b"rename from ",
        b"copy from ",
        b"old mode ",
        b"GIT binary patch",
        b"Binary files ",
    ];
    let any = |heads: &[&[u8]]| {
        let mut lines = edits.split(|byte| *byte == b'\n');
        lines.any(|line| heads.iter().any(|head| line.starts_with(head)))
    };
    any(&[b"diff --git "]) && any(&HEADS)
}
