//! `mvdiff diff OLD NEW`: which kind of files these are, and text files.

use crate::args::{DiffArgs, DiffFormat, FileKind};
use crate::file_kind::{DetectedKind, Sniffed};
use crate::output::Content;
use crate::screen::{is_coloured, screen};
use crate::{brief, input, output, page, paths, tree, workbook};
use anyhow::{Context as _, bail};
use mvdiff_core::{Diff, Options, Side};
use mvdiff_render::view::{FileView, View, same_but_for};
use mvdiff_render::{Names, Screen};
use mvdiff_text::{
    Ignore, LineProblem, LineReport, UnifiedOptions, is_worth_a_patch, write_unified,
};
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

pub(crate) const SAME: u8 = 0;
pub(crate) const DIFFERENT: u8 = 1;
/// Lines around a change, unless asked otherwise.
pub(crate) const CONTEXT: u32 = 3;

pub(crate) fn run(args: &DiffArgs) -> anyhow::Result<u8> {
    if args.from_file.is_some() || args.to_file.is_some() {
        return with_each(args);
    }
    if let Some(extra) = args.more.first() {
        bail!(
            "{}: a third file; give two, or use --from-file or --to-file",
            extra.display()
        );
    }
    one(args)
}

/// Compares one file with each of the others; the exit code is the highest.
fn with_each(args: &DiffArgs) -> anyhow::Result<u8> {
    let second = Some(&args.new).filter(|new| !new.as_os_str().is_empty());
    let files: Vec<&PathBuf> = [&args.old]
        .into_iter()
        .chain(second)
        .chain(&args.more)
        .collect();
    let fixed = args.from_file.as_ref().or(args.to_file.as_ref());
    let inputs = files.iter().copied().chain(fixed);
    if files.len() > 1 && inputs.clone().any(|file| file.as_os_str() == "-") {
        bail!("-: standard input can be read only once; save it as a file first");
    }
    if let Some(format @ (DiffFormat::Html | DiffFormat::Xlsx)) = args.format {
        let name = if format == DiffFormat::Html {
            "html"
        } else {
            "xlsx"
        };
        bail!("--format {name}: can hold only one comparison; compare the files one by one");
    }
    let mut code = SAME;
    for file in &files {
        let mut pair = DiffArgs {
            old: args.from_file.as_ref().unwrap_or(file).clone(),
            new: args.to_file.as_ref().unwrap_or(file).clone(),
            ..args.clone()
        };
        // One pager for each would have to be left again and again.
        pair.screen.no_pager |= files.len() > 1;
        code = code.max(one(&pair)?);
    }
    Ok(code)
}

fn one(args: &DiffArgs) -> anyhow::Result<u8> {
    if args.old.as_os_str() == "-" && args.new.as_os_str() == "-" {
        bail!("-: only one of the two files can be standard input");
    }
    spare_inputs(args)?;
    if args.label.len() > 2 {
        bail!("--label: give it at most twice, once per file");
    }
    if args.brief {
        return brief::run(args);
    }
    let code = compare(args)?;
    if code == SAME && args.report_identical_files && !args.old.is_dir() {
        brief::say_identical(args)?;
    }
    Ok(code)
}

fn compare(args: &DiffArgs) -> anyhow::Result<u8> {
    match (args.old.is_dir(), args.new.is_dir()) {
        (true, true) => return tree::run(args),
        (true, false) => {
            let old = namesake(&args.old, &args.new)?;
            return compare(&DiffArgs {
                old,
                ..args.clone()
            });
        }
        (false, true) => {
            let new = namesake(&args.new, &args.old)?;
            return compare(&DiffArgs {
                new,
                ..args.clone()
            });
        }
        (false, false) => {}
    }
    if args.new_file && !(args.old.exists() && args.new.exists()) {
        let (old, new) = (read_or_empty(&args.old)?, read_or_empty(&args.new)?);
        return text(args, &old, &new);
    }
    let (old, new) = (Sniffed::open(&args.old)?, Sniffed::open(&args.new)?);
    let guesses = [old.guess, new.guess];
    let workbooks = match args.kind {
        Some(kind) => kind == FileKind::Workbook,
        None => guesses.contains(&DetectedKind::Workbook) || guesses == [DetectedKind::Table; 2],
    };
    if workbooks {
        if args.kind.is_none() {
            both_are_tables(&old, &new)?;
        }
        workbook::run(args, old, new)
    } else {
        text(args, &old.bytes()?, &new.bytes()?)
    }
}

/// A file, or nothing where there is none.
pub(crate) fn read_or_empty(path: &Path) -> anyhow::Result<Vec<u8>> {
    let is_absent = path.as_os_str() != "-" && path.symlink_metadata().is_err();
    if is_absent {
        return Ok(Vec::new());
    }
    input::read(path)
}

/// Refuses to write over what is compared.
fn spare_inputs(args: &DiffArgs) -> anyhow::Result<()> {
    let there = args.output.as_ref().and_then(|out| out.canonicalize().ok());
    let Some(out) = there.filter(|out| out.is_file()) else {
        return Ok(());
    };
    for input in [&args.old, &args.new] {
        let within = |root: PathBuf| out == root || (root.is_dir() && out.starts_with(&root));
        if input.canonicalize().is_ok_and(within) {
            bail!(
                "{}: -o would overwrite an input; name another file",
                out.display()
            );
        }
    }
    Ok(())
}

/// The file of the same name in a directory.
fn namesake(directory: &Path, file: &Path) -> anyhow::Result<PathBuf> {
    if file.as_os_str() != "-" {
        let cannot = || format!("{}: cannot read", file.display());
        std::fs::metadata(file).with_context(cannot)?;
    }
    let name = file.file_name().filter(|name| *name != "-");
    let Some(name) = name else {
        bail!(
            "{}: is a directory, and {} has no name to look up in it; give two files or two directories",
            directory.display(),
            file.display()
        );
    };
    let found = directory.join(name);
    if found.is_dir() {
        bail!("{}: is a directory; give a file", found.display());
    }
    if !found.exists() {
        bail!(
            "{}: is a directory and has no file {}; give two files or two directories",
            directory.display(),
            Path::new(name).display()
        );
    }
    Ok(found)
}

/// Refuses a workbook and a file that is not one: read as a table,
/// any text would be.
fn both_are_tables(old: &Sniffed<'_>, new: &Sniffed<'_>) -> anyhow::Result<()> {
    for (one, other) in [(old, new), (new, old)] {
        if one.guess == DetectedKind::Other && one.path.is_file() {
            bail!(
                "{}: is not a workbook, and {} is; give two files of the same kind, or use --as text or --as workbook",
                one.path.display(),
                other.path.display()
            );
        }
    }
    Ok(())
}

pub(crate) fn text(args: &DiffArgs, old: &[u8], new: &[u8]) -> anyhow::Result<u8> {
    if let Some(flag) = args.workbook.given() {
        bail!(
            "{flag}: is for workbooks, and these are text files; leave it out, or use --as workbook"
        );
    }
    let format = args
        .format
        .unwrap_or_else(|| default_format(args, DiffFormat::Unified));
    if matches!(
        format,
        DiffFormat::Text | DiffFormat::Jsonl | DiffFormat::Xlsx
    ) {
        bail!(
            "--format: text, jsonl and xlsx are for workbooks, and these are text files; use unified, html or json"
        );
    }
    if format == DiffFormat::Html {
        page::has_a_place(args.output.as_deref())?;
    }
    let is_binary = input::is_binary(old) || input::is_binary(new);
    if args.kind != Some(FileKind::Text) && is_binary && format != DiffFormat::Json {
        return binary(args, format, old == new);
    }
    if old == new && !matches!(format, DiffFormat::Json | DiffFormat::Html) {
        // An empty answer, but a file that was asked for is still written.
        print(args, Content::Bytes, |_| Ok(()))?;
        return Ok(SAME);
    }
    let problem = LineProblem::ignoring(old, new, args.ignore())?;
    let options = options(args, format);
    let diff = mvdiff_core::diff(&problem, &options)?;
    let same = match format {
        DiffFormat::Unified => unified(args, &problem, &diff, &options)?,
        DiffFormat::Json => json(args, &problem, &diff)?,
        DiffFormat::Html => html(args, &problem, &diff, old == new)?,
        _ => terminal(args, &problem, &diff, &[])?,
    };
    Ok(if same { SAME } else { DIFFERENT })
}

/// How lines are compared for a format.
pub(crate) fn options(args: &DiffArgs, format: DiffFormat) -> Options {
    let wanted = format != DiffFormat::Unified;
    mvdiff_text::options().with(|o| {
        // A plain patch shows no moves, so none are looked for.
        o.moves = !args.no_moves && wanted;
        o.edits = wanted;
        o.copies = args.copies && wanted;
        o.threshold = args.threshold;
        o.gap = args.gap;
        o.reach = crate::args::reach(args.gap);
    })
}

/// For reading on a terminal, or where two columns are asked for; elsewhere as programs
/// take it.
pub(crate) fn default_format(args: &DiffArgs, elsewhere: DiffFormat) -> DiffFormat {
    if args.plain {
        return DiffFormat::Unified;
    }
    let is_read = args.output.is_none() && (io::stdout().is_terminal() || is_coloured());
    if is_read || args.screen.side_by_side {
        DiffFormat::Terminal
    } else {
        elsewhere
    }
}

fn binary(args: &DiffArgs, format: DiffFormat, same: bool) -> anyhow::Result<u8> {
    if format == DiffFormat::Html {
        binary_page(args, same)?;
        return Ok(if same { SAME } else { DIFFERENT });
    }
    let (old, new) = (args.old.display(), args.new.display());
    print(args, Content::Bytes, |out| {
        if same {
            Ok(())
        } else {
            writeln!(out, "Binary files {old} and {new} differ")
        }
    })?;
    Ok(if same { SAME } else { DIFFERENT })
}

fn unified(
    args: &DiffArgs,
    problem: &LineProblem<'_>,
    diff: &Diff,
    options: &Options,
) -> anyhow::Result<bool> {
    let name = |side: &str, path: &Path| {
        let path = paths::bytes(path);
        if path == b"/dev/null" {
            return path;
        }
        let below = path.iter().position(|b| *b != b'/').unwrap_or(0);
        [side.as_bytes(), b"/", &path[below..]].concat()
    };
    let printing = UnifiedOptions {
        context: args.unified.unwrap_or(CONTEXT),
        old_name: label(args, 0).unwrap_or_else(|| name("a", &args.old)),
        new_name: label(args, 1).unwrap_or_else(|| name("b", &args.new)),
        ignore: args.ignore(),
    };
    let hunks = mvdiff_core::plain(problem, &diff.script, options);
    let files = (problem.file(Side::Old, 0), problem.file(Side::New, 0));
    notes(&LineReport::notes_of(diff));
    print(args, Content::Bytes, |out| {
        write_unified(out, files, &hunks, &printing)
    })?;
    Ok(!is_worth_a_patch(files, &hunks, &printing))
}

fn json(args: &DiffArgs, problem: &LineProblem<'_>, diff: &Diff) -> anyhow::Result<bool> {
    let report = LineReport::new(problem, diff);
    print(args, Content::Bytes, |out| {
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)
    })?;
    Ok(report.is_empty())
}

/// Prints what happened to a file for reading: to its lines, unless it has none, and
/// these facts.
pub(crate) fn to_read(
    args: &DiffArgs,
    (old, new): (&[u8], &[u8]),
    facts: &[String],
) -> anyhow::Result<()> {
    if old != new {
        let problem = LineProblem::ignoring(old, new, args.ignore())?;
        let diff = mvdiff_core::diff(&problem, &options(args, DiffFormat::Terminal))?;
        return terminal(args, &problem, &diff, facts).map(|_| ());
    }
    let Names { old, new } = names(args);
    let mut file = FileView {
        old: Some(old),
        new: Some(new),
        ..FileView::default()
    };
    came_or_went(&mut file);
    file.facts.extend_from_slice(facts);
    if file.facts.is_empty() {
        file.facts.push("unchanged".to_owned());
    }
    let view = View {
        files: vec![file],
        ..View::default()
    };
    let screen = screen(&args.screen, args.output.as_deref());
    print(args, Content::Styled, |out| {
        let mut head = Vec::new();
        mvdiff_render::terminal(&mut head, &view, &screen)?;
        // No sum follows, and so no gap before it.
        out.write_all(head.trim_ascii_end())?;
        writeln!(out)
    })
}

fn terminal(
    args: &DiffArgs,
    problem: &LineProblem<'_>,
    diff: &Diff,
    facts: &[String],
) -> anyhow::Result<bool> {
    let report = LineReport::new(problem, diff);
    notes(&report.notes);
    let names = names(args);
    let files = (problem.file(Side::Old, 0), problem.file(Side::New, 0));
    let screen = Screen {
        context: args.unified.unwrap_or(CONTEXT),
        ..screen(&args.screen, args.output.as_deref())
    };
    let mut view = View::of_lines(&names, files, &report);
    for file in &mut view.files {
        came_or_went(file);
        file.facts.extend_from_slice(facts);
    }
    print(args, Content::Styled, |out| {
        if report.is_empty() {
            return Ok(());
        }
        mvdiff_render::terminal(out, &view, &screen)
    })?;
    Ok(report.is_empty())
}

/// `equal` is about bytes: lines may still be the same apart from what is ignored.
fn html(
    args: &DiffArgs,
    problem: &LineProblem<'_>,
    diff: &Diff,
    equal: bool,
) -> anyhow::Result<bool> {
    let report = LineReport::new(problem, diff);
    let files = (problem.file(Side::Old, 0), problem.file(Side::New, 0));
    let mut view = View::of_lines(&names(args), files, &report);
    for file in &mut view.files {
        came_or_went(file);
    }
    if report.is_empty() {
        let ignored = if equal {
            Ignore::default()
        } else {
            report.ignore
        };
        view.summary = format!("The files are {}.", same_but_for(ignored));
    }
    print_page(args, view)?;
    Ok(report.is_empty())
}

fn binary_page(args: &DiffArgs, same: bool) -> anyhow::Result<()> {
    let Names { old, new } = names(args);
    let summary = if same {
        "The files are the same."
    } else {
        "The files differ. They are binary: --as text compares their lines."
    };
    print_page(
        args,
        View {
            title: format!("{old} → {new}"),
            summary: summary.to_owned(),
            files: vec![FileView {
                old: Some(old),
                new: Some(new),
                facts: vec!["binary".to_owned()],
                ..FileView::default()
            }],
            ..View::default()
        },
    )
}

pub(crate) fn print_page(args: &DiffArgs, view: View<'_>) -> anyhow::Result<()> {
    let context = args.unified.unwrap_or(CONTEXT);
    page::print(&[view], args.output.as_deref(), context, &args.page)
}

pub(crate) fn names(args: &DiffArgs) -> Names {
    let name = |at: usize, path: &Path| {
        let label = args.label.get(at).cloned();
        label.unwrap_or_else(|| path.to_string_lossy().into_owned())
    };
    Names {
        old: name(0, &args.old),
        new: name(1, &args.new),
    }
}

/// What a file is to be called in a patch.
fn label(args: &DiffArgs, at: usize) -> Option<Vec<u8>> {
    args.label.get(at).map(|label| label.as_bytes().to_vec())
}

/// Names a file that was or is not there as people do.
fn came_or_went(file: &mut FileView<'_>) {
    let is_nowhere = |name: &mut String| name == "/dev/null";
    if file.old.take_if(is_nowhere).is_some() {
        file.facts.push("new".to_owned());
    }
    if file.new.take_if(is_nowhere).is_some() {
        file.facts.push("deleted".to_owned());
    }
}

/// Remarks go to standard error where the format has no place for them.
pub(crate) fn notes(notes: &[mvdiff_text::Note]) {
    for note in notes {
        let _ = writeln!(
            io::stderr(),
            "mvdiff: note: {}",
            output::visible(&note.message)
        );
    }
}

pub(crate) fn print(
    args: &DiffArgs,
    content: Content,
    print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    match &args.output {
        Some(path) => output::to_file(path, content, Box::new(print)),
        None => output::to_stdout(!args.screen.no_pager, content, Box::new(print)),
    }
}
