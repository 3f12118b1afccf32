//! Texts, by line.

use super::{CONFLICTS, File, MERGED, count, name, remark, say};
use crate::args::{FavorArg, MergeArgs, MergeFormat, StyleArg};
use crate::input;
use crate::output::{self, Content};
use anyhow::{anyhow, bail};
use mvdiff_text::Note;
use mvdiff_text::merge::{
    ConflictStyle, Favor, MarkerOptions, MergeOptions, MergedChange, SCHEMA, TextConflict,
    merge_texts,
};
use serde::Serialize;
use std::path::Path;

/// What `--format json` prints.
#[derive(Serialize)]
struct Report<'r> {
    schema: &'static str,
    complete: bool,
    notes: &'r [Note],
    mode: &'static str,
    applied: &'r [MergedChange],
    conflicts: &'r [TextConflict],
}

pub(super) fn run(args: &MergeArgs, files: &[File<'_>; 3]) -> anyhow::Result<u8> {
    for file in files {
        if input::is_binary(file.bytes) {
            bail!(
                "{}: is neither text nor a workbook; merge it with the program that made it",
                file.path.display()
            );
        }
    }
    let options = options(args, files);
    let [base, ours, theirs] = files.each_ref().map(|file| file.bytes);
    let merged = merge_texts(base, ours, theirs, &options)
        .map_err(|error| anyhow!("{}: {error}", args.ours.display()))?;
    let print = |out: &mut dyn std::io::Write| out.write_all(&merged.bytes);
    match &args.output {
        Some(path) => output::to_file(path, Content::Bytes, Box::new(print))?,
        None if args.format == Some(MergeFormat::Json) => {}
        None => output::to_stdout(false, Content::Bytes, Box::new(print))?,
    }
    let mut notes = Vec::new();
    if !merged.complete {
        notes.push(Note {
            kind: "budget".into(),
            message: "a work budget ran out, so that more may conflict than has to".to_owned(),
        });
    }
    if args.format != Some(MergeFormat::Json) {
        for note in &notes {
            remark(&note.message);
        }
    }
    let report = Report {
        schema: SCHEMA,
        complete: merged.complete,
        notes: &notes,
        mode: "text",
        applied: &merged.applied,
        conflicts: &merged.conflicts,
    };
    let lines: Vec<String> = merged.conflicts.iter().map(|c| told(args, c)).collect();
    if args.output.is_some() || args.format == Some(MergeFormat::Json) {
        say(args, &report, &lines)?;
    } else {
        for line in &lines {
            remark(line);
        }
    }
    Ok(if merged.conflicts.is_empty() {
        MERGED
    } else {
        CONFLICTS
    })
}

fn told(args: &MergeArgs, conflict: &TextConflict) -> String {
    format!(
        "{}:{}: conflict: {} of ours, {} of theirs, {} of the base",
        name(args),
        conflict.line,
        count(conflict.ours.len(), "line"),
        count(conflict.theirs.len(), "line"),
        count(conflict.base.len(), "line")
    )
}

fn options(args: &MergeArgs, files: &[File<'_>; 3]) -> MergeOptions {
    let path = |at: usize| -> &Path { files[at].path };
    // As git names them: ours first.
    let label = |at: usize, file: usize| {
        let given = args.label.get(at).cloned();
        // Who says what the file is called gives names that say nothing.
        let label = given.unwrap_or_else(|| match args.path {
            Some(_) => ["ours", "base", "theirs"][at].to_owned(),
            None => path(file).to_string_lossy().into_owned(),
        });
        // A line break in a name would begin another marker.
        output::visible(&label)
    };
    MergeOptions {
        markers: MarkerOptions {
            style: match args.style {
                StyleArg::Merge => ConflictStyle::Merge,
                StyleArg::Diff3 => ConflictStyle::Diff3,
                StyleArg::Zdiff3 => ConflictStyle::Zdiff3,
            },
            size: usize::from(args.marker_size),
            labels: [label(0, 1), label(1, 0), label(2, 2)],
        },
        favor: args.favor.map(|favor| match favor {
            FavorArg::Ours => Favor::Ours,
            FavorArg::Theirs => Favor::Theirs,
            FavorArg::Union => Favor::Union,
        }),
        ..MergeOptions::default()
    }
}
