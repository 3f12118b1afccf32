//! `mvdiff diff OLD_DIR NEW_DIR`.

pub(crate) mod walk;

use crate::args::{DiffArgs, DiffFormat, FileKind};
use crate::diff::{self, DIFFERENT, SAME};
use crate::file_kind::{self, DetectedKind};
use crate::non_text::{NonTextChanges, WithBooks};
use crate::output::Content;
use crate::screen::screen;
use crate::spinner::Spinner;
use crate::{brief, page, workbook};
use anyhow::bail;
use mvdiff_render::Screen;
use mvdiff_render::view::{View, same_but_for};
use mvdiff_text::tree::{Entry, TreeOptions, TreePatch, TreeReport, Trees};
use mvdiff_text::{Ignore, Note};
use std::path::Path;
use walk::{Files, LeftOut, read};

/// Notes of one kind that are listed one by one; of more, only the number.
const TOLD: usize = 10;

pub(crate) fn run(args: &DiffArgs) -> anyhow::Result<u8> {
    if let Some(flag) = args.workbook.given() {
        bail!("{flag}: is for workbooks, and these are directories; leave it out");
    }
    if args.kind == Some(FileKind::Workbook) {
        bail!("--as workbook: these are directories; give two files");
    }
    let format = args
        .format
        .unwrap_or_else(|| diff::default_format(args, DiffFormat::Unified));
    if matches!(
        format,
        DiffFormat::Text | DiffFormat::Jsonl | DiffFormat::Xlsx
    ) {
        bail!(
            "--format: text, jsonl and xlsx are for workbooks, and these are directories; use unified, html or json"
        );
    }
    if format == DiffFormat::Html {
        page::has_a_place(args.output.as_deref())?;
    }
    let files = read(&args.old, &args.new, &LeftOut::of(args)?)?;
    let trees = trees(args, &files);
    let options = TreeOptions {
        lines: diff::options(args, format),
        ignore: args.ignore(),
        ..TreeOptions::default()
    };
    let is_same = if format == DiffFormat::Unified {
        patch(args, &files, &trees, &options)?
    } else {
        report(args, format, &files, &trees, &options)?
    };
    let is_same = is_same && !files.has_lone();
    if args.report_identical_files {
        brief::say_same(args, &files.same_paths)?;
    }
    Ok(if is_same { SAME } else { DIFFERENT })
}

/// A sign of life while trees are compared.
fn busy(trees: &Trees<'_>) -> Spinner {
    let count = trees.old.len().max(trees.new.len());
    Spinner::start(format!("comparing {count} files"))
}

/// Prints a patch; whether the trees are the same.
fn patch(
    args: &DiffArgs,
    files: &Files,
    trees: &Trees<'_>,
    options: &TreeOptions,
) -> anyhow::Result<bool> {
    let busy = busy(trees);
    let patch = TreePatch::new(trees, options)?;
    drop(busy);
    let mut notes = files.notes();
    notes.extend_from_slice(patch.notes());
    notes.extend(workbook_notes(args, trees, patch.changed()));
    notes.extend(binary_note(patch.only_named()));
    diff::notes(&notes);
    let context = args.unified.unwrap_or(diff::CONTEXT);
    diff::print(args, Content::Bytes, |out| patch.write(out, context))?;
    Ok(patch.is_empty())
}

/// Prints a report; whether the trees are the same.
fn report(
    args: &DiffArgs,
    format: DiffFormat,
    files: &Files,
    trees: &Trees<'_>,
    options: &TreeOptions,
) -> anyhow::Result<bool> {
    let busy = busy(trees);
    let mut report = TreeReport::new(trees, options)?;
    drop(busy);
    let mut notes = files.notes();
    report.complete &= notes.is_empty();
    notes.append(&mut report.notes);
    if format == DiffFormat::Json {
        let changed = report.files.iter().map(|file| file.entries);
        notes.extend(workbook_notes(args, trees, changed));
    }
    report.notes = notes;
    let insides = books(args, trees, &report);
    if format == DiffFormat::Json {
        let workbooks = insides.books(|at| {
            let file = &report.files[at];
            [file.path_before().cloned(), file.path_after().cloned()]
        });
        let report = WithBooks {
            report: &report,
            workbooks,
        };
        diff::print(args, Content::Bytes, |out| {
            serde_json::to_writer(&mut *out, &report)?;
            writeln!(out)
        })?;
        return Ok(report.report.is_empty());
    }
    let mut view = View::of_tree(&diff::names(args), trees, &report);
    insides.show(&mut view);
    if format == DiffFormat::Html {
        if report.is_empty() {
            let mut pairs = trees.old.iter().zip(&trees.new);
            let is_same = pairs.all(|(old, new)| old.bytes == new.bytes);
            let ignored = if is_same {
                Ignore::default()
            } else {
                report.ignore
            };
            view.summary = if files.has_lone() {
                "All files are the same, but other entries differ.".into()
            } else {
                format!("The directories are {}.", same_but_for(ignored))
            };
        }
        diff::print_page(args, view)?;
        return Ok(report.is_empty());
    }
    diff::notes(&report.notes);
    let screen = Screen {
        context: args.unified.unwrap_or(diff::CONTEXT),
        ..screen(&args.screen, args.output.as_deref())
    };
    diff::print(args, Content::Styled, |out| {
        if report.is_empty() {
            return Ok(());
        }
        mvdiff_render::terminal(out, &view, &screen)
    })?;
    Ok(report.is_empty())
}

/// The files as the library takes them.
fn trees<'f>(args: &DiffArgs, files: &'f Files) -> Trees<'f> {
    let entries = |side: &'f [walk::File]| -> Vec<Entry<'f>> {
        let entry = |file: &'f walk::File| Entry {
            path: file.path.clone(),
            mode: file.mode,
            binary: args.kind != Some(FileKind::Text) && file.is_binary(),
            bytes: &file.bytes,
        };
        side.iter().map(entry).collect()
    };
    Trees {
        same: files.same,
        ..Trees::new(entries(&files.old), entries(&files.new))
    }
}

/// A patch names binary files and does not carry them.
fn binary_note(count: usize) -> Option<Note> {
    let which = match count {
        0 => return None,
        1 => "1 binary file is".to_owned(),
        n => format!("{n} binary files are"),
    };
    Some(Note {
        kind: "binary".into(),
        message: format!(
            "{which} only named in the patch, so git apply cannot apply it; --format json has all of it, for mvdiff replay"
        ),
    })
}

/// What happened to the cells of workbooks among the files of a report.
fn books(args: &DiffArgs, trees: &Trees<'_>, report: &TreeReport) -> NonTextChanges {
    let mut insides = NonTextChanges::default();
    let options = workbook::options(args);
    for (at, file) in report
        .files
        .iter()
        .enumerate()
        .filter(|(_, file)| file.binary)
    {
        let (old, new) = file.entries;
        let [old, new] = [(&trees.old, old), (&trees.new, new)].map(|(side, at)| {
            at.and_then(|at| side.get(at))
                .map(|e| (&e.path[..], e.bytes))
        });
        if old.map(|entry| entry.1) != new.map(|entry| entry.1) {
            insides.compare(at, old, new, &options);
        }
    }
    insides
}

/// How workbooks that changed can be compared cell by cell, where a patch only names
/// them.
fn workbook_notes(
    args: &DiffArgs,
    trees: &Trees<'_>,
    changed: impl Iterator<Item = (Option<usize>, Option<usize>)>,
) -> Vec<Note> {
    let is_book = |entry: &Entry<'_>| {
        let name = String::from_utf8_lossy(&entry.path);
        entry.binary && file_kind::guess(Path::new(&*name), entry.bytes) == DetectedKind::Workbook
    };
    let both = changed.filter_map(|(old, new)| Some((&trees.old[old?], &trees.new[new?])));
    let books: Vec<_> = both
        .filter(|(old, new)| old.bytes != new.bytes && is_book(old) && is_book(new))
        .collect();
    let note = |message| Note {
        kind: "workbook".into(),
        message,
    };
    let shown = |root: &Path, entry: &Entry<'_>| {
        let path = String::from_utf8_lossy(&entry.path);
        root.join(&*path).display().to_string()
    };
    let told = books.iter().take(TOLD).map(|(old, new)| {
        let (a, b) = (shown(&args.old, old), shown(&args.new, new));
        note(format!(
            "{b}: is a workbook, compared as a whole here; mvdiff diff {a} {b} compares its cells"
        ))
    });
    let mut notes: Vec<Note> = told.collect();
    if books.len() > TOLD {
        let more = books.len() - TOLD;
        notes.push(note(format!("{more} more workbooks are not the same")));
    }
    notes
}
