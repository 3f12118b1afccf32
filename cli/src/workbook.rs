//! `mvdiff diff OLD NEW` for workbooks.

use crate::args::{DiffArgs, DiffFormat, WorkbookArgs};
use crate::diff::{DIFFERENT, SAME, default_format, print};
use crate::file_kind::Sniffed;
use crate::output::{self, Content};
use crate::spinner::Spinner;
use anyhow::{anyhow, bail};
use mvdiff_grid::{
    DiffOp, DiffReport, Engine, Mode, Note, Options, PackageKind, PatchError, ReadOptions,
    ReportMode, SheetReport, Workbook, WriteError, diff_workbooks, open_pair, patch_package,
    read_pair, write_workbook,
};
use mvdiff_render::WorkbookView;
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;

/// Bytes that the page of a workbook may have, unless asked otherwise.
const PAGE_LIMIT: u64 = 8 << 20;

pub(crate) fn run(args: &DiffArgs, old: Sniffed<'_>, new: Sniffed<'_>) -> anyhow::Result<u8> {
    if let Some(flag) = args.only_for_text() {
        bail!("{flag}: is for text files, and these are workbooks; leave it out, or use --as text");
    }
    let format = args
        .format
        .unwrap_or_else(|| default_format(args, DiffFormat::Text));
    if format == DiffFormat::Unified {
        bail!(
            "--format unified: is for text files, and these are workbooks; --format text prints one line per change"
        );
    }
    if format.is_a_file() {
        not_on_a_terminal(args, format)?;
    }
    let (was, is) = (args.old.display(), args.new.display());
    let progress = Spinner::start(output::visible(&format!("comparing {was} and {is}")));
    let (old, new, file) = read(args, format, old, new)?;
    let mut report = diff_workbooks(&old, &new, &options(args))
        .map_err(|error| anyhow!("{}: {error}", args.new.display()))?;
    if !args.workbook.wants_cells() {
        report.ops.retain(|op| op.aspect().is_some());
        report.followed.clear();
        report.with_added.clear();
        report.with_removed.clear();
    }
    if report.ops.is_empty() && report.notes.is_empty() && differ(&args.old, &args.new) {
        let message = "the files differ only in how they are packed";
        report.notes.push(Note::new("properties", message));
    }
    if format.is_a_file() {
        let written = write_view(args, format, (&old, &new), &report, file.as_deref());
        drop(progress);
        written?;
    } else {
        drop((old, new));
        drop(progress);
        print_report(args, format, &report)?;
    }
    Ok(exit_code(&report))
}

/// Whether two files that hold the same are not the same bytes; no for what cannot be read
/// a second time.
fn differ(old: &Path, new: &Path) -> bool {
    let bytes = |path: &Path| path.is_file().then(|| std::fs::read(path).ok()).flatten();
    matches!((bytes(old), bytes(new)), (Some(old), Some(new)) if old != new)
}

/// Refuses to print what only makes sense in a file to people.
fn not_on_a_terminal(args: &DiffArgs, format: DiffFormat) -> anyhow::Result<()> {
    if args.output.is_some() || !io::stdout().is_terminal() {
        return Ok(());
    }
    let (name, what) = match format {
        DiffFormat::Xlsx => ("xlsx", "changes.xlsx"),
        _ => ("html", "changes.html"),
    };
    bail!("--format {name}: is not for a terminal; write it to a file, as in -o {what}")
}

/// Writes what shows both workbooks, and not only what happened.
fn write_view(
    args: &DiffArgs,
    format: DiffFormat,
    (old, new): (&Workbook, &Workbook),
    report: &DiffReport,
    file: Option<&[u8]>,
) -> anyhow::Result<()> {
    let names = [&args.old, &args.new].map(|path| path.to_string_lossy().into_owned());
    let plain = report.unfolded();
    let view = WorkbookView::with_acts((&names[0], &names[1]), (old, new), &plain, &report.ops)
        .map_err(|error| anyhow!("{}: {error}", args.new.display()))?;
    if let Some(file) = file
        && let Some(kind) = PackageKind::of(file, &read_options(args, format))
    {
        let marked = marked(args, format, (file, kind), &view, new)?;
        return print(args, Content::Bytes, |out| out.write_all(&marked));
    }
    print(args, Content::Bytes, |out| match format {
        DiffFormat::Xlsx => view.write_xlsx(out),
        _ => view.write_html(out, args.page.limit(PAGE_LIMIT).unwrap_or(u64::MAX)),
    })
}

/// Writes a workbook by itself, since its file is too damaged to be written over; with a note
/// on what that leaves out.
pub(crate) fn write_alone(
    book: &Workbook,
    error: &PatchError,
    out: impl io::Write + io::Seek,
) -> Result<Vec<Note>, WriteError> {
    let mut notes = write_workbook(book, out)?;
    let message = format!(
        "{error}; the new one has cells, merged ranges and names, and nothing else of the old one"
    );
    notes.push(Note::new("damaged", message));
    Ok(notes)
}

/// The file of the new workbook with what happened marked in it.
fn marked(
    args: &DiffArgs,
    format: DiffFormat,
    (file, kind): (&[u8], PackageKind),
    view: &WorkbookView<'_>,
    new: &Workbook,
) -> anyhow::Result<Vec<u8>> {
    let mut marked = io::Cursor::new(Vec::new());
    let name = args.output.as_deref().and_then(Path::extension);
    let kind = if name.is_some_and(|name| name.eq_ignore_ascii_case("xlsm")) {
        kind
    } else {
        PackageKind::Plain
    };
    let options = read_options(args, format);
    match patch_package(file, new, &view.marks(new), &options, (kind, &mut marked)) {
        Ok(notes) => {
            tell(&notes);
            Ok(marked.into_inner())
        }
        Err(error) if error.is_about_the_file() => {
            tell(&[Note::new("damaged", error.to_string())]);
            let mut alone = Vec::new();
            view.write_xlsx(&mut alone)?;
            Ok(alone)
        }
        Err(error) => Err(anyhow!("{}: {error}", args.new.display())),
    }
}

/// Prints a report.
pub(crate) fn print_report(
    args: &DiffArgs,
    format: DiffFormat,
    report: &DiffReport,
) -> anyhow::Result<()> {
    match format {
        DiffFormat::Json => print(args, Content::Bytes, |out| {
            serde_json::to_writer(&mut *out, &WithActs::new(report)?)?;
            writeln!(out)
        }),
        DiffFormat::Jsonl => print(args, Content::Bytes, |out| {
            json_lines(out, &report.unfolded())
        }),
        DiffFormat::Terminal => {
            tell_notes(report);
            print(args, Content::Styled, |out| {
                mvdiff_render::workbook_terminal(out, report)
            })
        }
        _ => {
            tell_notes(report);
            print(args, Content::Bytes, |out| {
                mvdiff_render::workbook_text(out, report)
            })
        }
    }
}

/// A report for programs: every operation by itself, so that a reader who knows rows and
/// cells can replay it, and with them the acts, by their ranges.
#[derive(Serialize)]
struct WithActs<'r> {
    #[serde(flatten)]
    plain: Cow<'r, DiffReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    acts: Vec<serde_json::Value>,
}

impl<'r> WithActs<'r> {
    fn new(report: &'r DiffReport) -> io::Result<Self> {
        let acts = report.ops.iter().filter(|op| op.is_act()).map(|act| {
            let mut act = serde_json::to_value(act)?;
            if let Some(fields) = act.as_object_mut() {
                for listed in ["cells", "rows", "ops", "edits"] {
                    fields.remove(listed);
                }
            }
            Ok(act)
        });
        Ok(Self {
            acts: acts.collect::<io::Result<_>>()?,
            plain: report.unfolded(),
        })
    }
}

/// A line about the report, and one for each thing that happened.
fn json_lines(out: &mut dyn Write, report: &DiffReport) -> io::Result<()> {
    let head = Head {
        schema: &report.schema,
        complete: report.complete,
        notes: &report.notes,
        mode: report.mode,
        sheets: &report.sheets,
        followed: &report.followed,
        with_added: &report.with_added,
        with_removed: &report.with_removed,
        links: &report.links,
    };
    serde_json::to_writer(&mut *out, &head)?;
    writeln!(out)?;
    for op in report.labelled_ops() {
        serde_json::to_writer(&mut *out, &op)?;
        writeln!(out)?;
    }
    Ok(())
}

/// A report without its operations.
#[derive(Serialize)]
struct Head<'r> {
    schema: &'r str,
    complete: bool,
    notes: &'r [Note],
    mode: ReportMode,
    sheets: &'r [SheetReport],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    followed: &'r [DiffOp],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    with_added: &'r [DiffOp],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    with_removed: &'r [DiffOp],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    links: &'r [[u32; 2]],
}

/// What differs and was not compared is not the same; a key that is there twice on both sides
/// is no difference.
fn exit_code(report: &DiffReport) -> u8 {
    let remark = |op: &DiffOp| matches!(op, DiffOp::DuplicateKeyCluster { .. });
    let beside = report.notes.iter().any(|note| note.kind == "part");
    if report.ops.iter().all(remark) && report.complete && !beside {
        SAME
    } else {
        DIFFERENT
    }
}

fn read_options(args: &DiffArgs, format: DiffFormat) -> ReadOptions {
    ReadOptions {
        limits: args.workbook.limits.limits(),
        // A workbook has all of its sheets, whatever happened to them.
        every_sheet: format == DiffFormat::Xlsx,
    }
}

/// Both workbooks, and the bytes of the new one if they are to be marked.
fn read(
    args: &DiffArgs,
    format: DiffFormat,
    old: Sniffed<'_>,
    new: Sniffed<'_>,
) -> anyhow::Result<(Workbook, Workbook, Option<Vec<u8>>)> {
    let options = read_options(args, format);
    let is_marked = format == DiffFormat::Xlsx;
    if !old.is_read() && !new.is_read() && !is_marked {
        // Its display says all; a chain of causes would say it twice.
        let (old, new) =
            open_pair(old.path, new.path, &options).map_err(|error| anyhow!("{error}"))?;
        return Ok((old, new, None));
    }
    let paths = [old.path, new.path];
    let (old, new) = (old.bytes()?, new.bytes()?);
    let (first, second) = read_pair((&old, Some(paths[0])), (&new, Some(paths[1])), &options);
    let named = |path: &Path, read: Result<Workbook, _>| {
        read.map_err(|error| anyhow!("{}: {error}", path.display()))
    };
    let (old, read) = (named(paths[0], first)?, named(paths[1], second)?);
    Ok((old, read, is_marked.then_some(new)))
}

pub(crate) fn options(args: &DiffArgs) -> Options {
    let WorkbookArgs {
        key,
        auto_key,
        sheet,
        ignore_sheet,
        ignore_column,
        values_only,
        cached_values,
        tolerance,
        ignore_case,
        trim,
        header_row,
        no_acts,
        limits,
        ..
    } = &args.workbook;
    let mut engine = Engine::default();
    engine.0.moves = !args.no_moves;
    engine.0.threshold = args.threshold;
    engine.0.gap = args.gap;
    Options::default().with(|o| {
        o.mode = match &key[..] {
            [] if *auto_key => Mode::AutoKey,
            [] => Mode::Grid,
            columns => Mode::Keyed(columns.to_vec()),
        };
        o.only_sheets.clone_from(sheet);
        o.ignore_sheets.clone_from(ignore_sheet);
        o.ignore_columns.clone_from(ignore_column);
        o.ignore = args.workbook.left_out();
        o.values_only = *values_only;
        o.cached_values = *cached_values;
        o.tolerance = tolerance.iter().rev().find(|t| t.0.is_none()).map(|t| t.1);
        o.column_tolerances = tolerance
            .iter()
            .filter_map(|(column, tolerance)| Some((column.clone()?, *tolerance)))
            .collect();
        o.ignore_case = *ignore_case;
        o.trim = *trim;
        o.header_row = header_row.map(|row| row - 1);
        if let Some(bytes) = limits.max_report {
            o.max_report = bytes;
        }
        o.acts = !*no_acts;
        o.labels = true;
        o.hints = true;
        o.engine = engine;
    })
}

/// Remarks that the format itself does not show: a sort is shown with its sheet, and
/// what changes with every save is mentioned only if nothing else is.
fn tell_notes(report: &DiffReport) {
    let alone = report.ops.is_empty() && report.notes.iter().all(|note| note.kind != "part");
    let shown = |note: &&Note| match &note.kind[..] {
        "sort" | "part" => false,
        "properties" => alone,
        _ => true,
    };
    let notes = report.notes.iter().filter(shown);
    tell(&notes.cloned().collect::<Vec<_>>());
}

/// Remarks go to standard error where the format has no place for them.
pub(crate) fn tell(notes: &[Note]) {
    for note in notes {
        let message = output::visible(&note.message);
        let _ = writeln!(io::stderr(), "mvdiff: note: {message}");
    }
}
