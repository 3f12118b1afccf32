//! Workbooks, by row, column and cell.

use super::{CONFLICTS, File, MERGED, count, name, remark, say};
use crate::args::MergeArgs;
use crate::output::{self, Content, extension, is_for_xlsx};
use crate::spinner::Spinner;
use crate::workbook::{self, tell};
use anyhow::{anyhow, bail};
use mvdiff_grid::{
    Conflict, Merged, MergedOp, Note, Options, PackageKind, PatchError, ReadOptions, Side,
    Workbook, WriteError, apply, merge_workbooks, patch_package, read_whole_workbook,
    write_workbook,
};
use mvdiff_text::merge::SCHEMA;
use serde::Serialize;
use std::io::Cursor;
use std::path::Path;

/// What `--format json` prints.
#[derive(Serialize)]
struct Report<'r> {
    schema: &'static str,
    complete: bool,
    notes: &'r [Note],
    mode: &'static str,
    applied: &'r [MergedOp],
    conflicts: &'r [Conflict],
}

pub(super) fn run(args: &MergeArgs, files: &[File<'_>; 3]) -> anyhow::Result<u8> {
    let options = ReadOptions {
        limits: args.limits.limits(),
        // What is written has all of its sheets.
        every_sheet: true,
    };
    if let Some(out) = &args.output {
        is_for_xlsx(out)?;
    }
    let progress = Spinner::start(format!("merging {}", name(args)));
    let mut books = Vec::new();
    for file in files {
        books.push(read(args, file, &options)?);
    }
    let [base, ours, theirs] = &books[..] else {
        bail!("merge: give BASE, OURS and THEIRS");
    };
    let mut compared = Options::default();
    if let Some(most) = args.limits.max_report {
        compared.max_report = most;
    }
    let merged = merge_workbooks(base, ours, theirs, &compared)
        .map_err(|error| anyhow!("{}: {error}", name(args)))?;
    let mut notes = merged.notes.clone();
    if let Some(out) = &args.output {
        let (bytes, more) = made(args, (files, &options), &merged, (ours, out))?;
        notes.extend(more);
        let print = |to: &mut dyn std::io::Write| to.write_all(&bytes);
        output::to_file(out, Content::Bytes, Box::new(print))?;
    }
    drop(progress);
    tell_result(args, &merged, &notes)?;
    Ok(if merged.conflicts.is_empty() {
        MERGED
    } else {
        CONFLICTS
    })
}

fn tell_result(args: &MergeArgs, merged: &Merged, notes: &[Note]) -> anyhow::Result<()> {
    let report = Report {
        schema: SCHEMA,
        complete: merged.complete,
        notes,
        mode: "workbook",
        applied: &merged.applied,
        conflicts: &merged.conflicts,
    };
    if args.format != Some(crate::args::MergeFormat::Json) {
        tell(notes);
        if args.output.is_none() {
            remark("nothing was written; to write the result, use -o merged.xlsx");
        }
    }
    say(args, &report, &lines(args, merged))
}

/// A line on the whole, and one for each conflict.
fn lines(args: &MergeArgs, merged: &Merged) -> Vec<String> {
    let by = |side: Side| merged.applied.iter().filter(|op| op.side == side).count();
    let mut whole = vec![
        format!("{} of ours", by(Side::Ours)),
        format!("{} of theirs", by(Side::Theirs)),
    ];
    if by(Side::Both) > 0 {
        whole.push(format!("{} of both", by(Side::Both)));
    }
    let conflicts = match merged.conflicts.len() {
        0 => "no conflicts".to_owned(),
        number => count(number, "conflict"),
    };
    let all = count(merged.applied.len(), "change");
    let mut lines = vec![format!(
        "{}: {all} ({}), {conflicts}",
        name(args),
        whole.join(", ")
    )];
    lines.extend(merged.conflicts.iter().map(told));
    lines
}

/// A conflict in one line.
fn told(conflict: &Conflict) -> String {
    let place = match (&conflict.sheet, &conflict.addr) {
        (Some(sheet), Some(addr)) => format!("{sheet}!{addr}"),
        (Some(sheet), None) => sheet.clone(),
        (None, _) => conflict
            .part
            .clone()
            .unwrap_or_else(|| "workbook".to_owned()),
    };
    let short = |text: String| {
        let text = if text.is_empty() {
            "nothing".to_owned()
        } else {
            text
        };
        let mut chars = text.chars();
        let head: String = chars.by_ref().take(60).collect();
        if chars.next().is_some() {
            format!("{head}...")
        } else {
            head
        }
    };
    let [base, ours, theirs] = conflict.in_words().map(short);
    let line = format!(
        "conflict: {place}: base {base}, ours {ours}, theirs {theirs} ({})",
        conflict.message
    );
    output::visible(&line)
}

fn read(args: &MergeArgs, file: &File<'_>, options: &ReadOptions) -> anyhow::Result<Workbook> {
    // For git a file that both added has an empty base.
    if file.bytes.is_empty() {
        return Ok(Workbook::default());
    }
    let called = args.path.as_deref().map_or(file.path, Path::new);
    read_whole_workbook(file.bytes, Some(called), options)
        .map_err(|error| anyhow!("{}: {error}", file.path.display()))
}

/// The bytes of the result.
fn made(
    args: &MergeArgs,
    (files, options): (&[File<'_>; 3], &ReadOptions),
    merged: &Merged,
    (ours, out): (&Workbook, &Path),
) -> anyhow::Result<(Vec<u8>, Vec<Note>)> {
    // Where one side did all, the result is its file to the byte.
    let whole = if merged.is_theirs {
        Some(&files[2])
    } else if merged.is_ours {
        Some(&files[1])
    } else {
        None
    };
    let start = whole.unwrap_or(&files[1]);
    let kind = PackageKind::of(start.bytes, options);
    if extension(out) == "xlsm" && kind != Some(PackageKind::WithMacros) {
        bail!(
            "{}: the output is .xlsx, since {} has no macros; give it that extension",
            out.display(),
            start.path.display()
        );
    }
    let plain = extension(out) == "xlsx" && kind == Some(PackageKind::WithMacros);
    if let Some(whole) = whole.filter(|_| kind.is_some() && !plain) {
        return Ok((whole.bytes.to_vec(), Vec::new()));
    }
    let unfit = |error: &dyn std::fmt::Display| anyhow!("{}: {error}", name(args));
    let report = if args.no_marks {
        merged.report.clone()
    } else {
        merged.marked(ours).map_err(|error| unfit(&error))?
    };
    let mut file = Cursor::new(Vec::new());
    let unwritten = |error: WriteError| anyhow!("{}: cannot write: {error}", out.display());
    let notes = if let Some(kind) = kind {
        let kind = if plain { PackageKind::Plain } else { kind };
        let to = (kind, &mut file);
        match patch_package(files[1].bytes, ours, &report, options, to) {
            Err(error) if error.is_about_the_file() => {
                let book = apply(ours, &report).map_err(|error| unfit(&error))?;
                workbook::write_alone(&book, &error, &mut file).map_err(unwritten)?
            }
            Err(PatchError::Write(error)) => return Err(unwritten(error)),
            Err(error) => return Err(unfit(&error)),
            Ok(notes) => notes,
        }
    } else {
        let book = apply(ours, &report).map_err(|error| unfit(&error))?;
        write_workbook(&book, &mut file).map_err(unwritten)?
    };
    Ok((file.into_inner(), notes))
}
