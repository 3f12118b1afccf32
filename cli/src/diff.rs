//! `mvdiff diff OLD NEW`.

use crate::args::{DiffArgs, Format, Kind};
use crate::output::Content;
use crate::{input, output, paths};
use anyhow::bail;
use mvdiff_core::{Diff, Options, Side};
use mvdiff_render::Names;
use mvdiff_text::{LineProblem, LineReport, UnifiedOptions, write_unified};
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;

const SAME: u8 = 0;
const DIFFERENT: u8 = 1;

pub(crate) fn run(args: &DiffArgs) -> anyhow::Result<u8> {
    if args.old.as_os_str() == "-" && args.new.as_os_str() == "-" {
        bail!("-: only one of the two files can be standard input");
    }
    let (old, new) = (input::read(&args.old)?, input::read(&args.new)?);
    let format = args.format.unwrap_or_else(|| {
        let terminal = args.output.is_none() && io::stdout().is_terminal();
        if terminal {
            Format::Terminal
        } else {
            Format::Unified
        }
    });
    if args.kind != Some(Kind::Text) {
        for (path, bytes) in [(&args.old, &old), (&args.new, &new)] {
            refuse_workbook(path, bytes)?;
        }
        if (input::is_binary(&old) || input::is_binary(&new)) && format != Format::Json {
            return binary(args, old == new);
        }
    }
    if old == new && format != Format::Json {
        // An empty answer, but a file that was asked for is still written.
        print(args, Content::Bytes, |_| Ok(()))?;
        return Ok(SAME);
    }
    let problem = LineProblem::of_texts(&old, &new)?;
    let wanted = format != Format::Unified;
    let options = Options {
        // A plain patch shows no moves, so none are looked for.
        moves: !args.no_moves && wanted,
        edits: wanted,
        copies: args.copies && wanted,
        threshold: args.threshold,
        gap: args.gap,
        ..mvdiff_text::options()
    };
    let diff = mvdiff_core::diff(&problem, &options)?;
    match format {
        Format::Unified => unified(args, &problem, &diff, &options)?,
        Format::Json => json(args, &problem, &diff)?,
        Format::Terminal => terminal(args, &problem, &diff)?,
    }
    Ok(if old == new { SAME } else { DIFFERENT })
}

fn refuse_workbook(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let looks_like = bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xd0\xcf\x11\xe0");
    if looks_like {
        bail!(
            "{}: looks like a workbook or an archive, which cannot be compared yet; \
             --as text compares its bytes as lines",
            path.display()
        );
    }
    Ok(())
}

fn binary(args: &DiffArgs, same: bool) -> anyhow::Result<u8> {
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
) -> anyhow::Result<()> {
    let name = |side: &str, path: &Path| {
        let path = paths::bytes(path);
        if path == b"/dev/null" {
            return path;
        }
        let below = path.iter().position(|b| *b != b'/').unwrap_or(0);
        [side.as_bytes(), b"/", &path[below..]].concat()
    };
    let printing = UnifiedOptions {
        context: args.unified,
        old_name: name("a", &args.old),
        new_name: name("b", &args.new),
    };
    let hunks = mvdiff_core::plain(problem, &diff.script, options);
    let files = (problem.file(Side::Old, 0), problem.file(Side::New, 0));
    notes(&LineReport::notes_of(diff));
    print(args, Content::Bytes, |out| {
        write_unified(out, files, &hunks, &printing)
    })
}

fn json(args: &DiffArgs, problem: &LineProblem<'_>, diff: &Diff) -> anyhow::Result<()> {
    let report = LineReport::new(problem, diff);
    print(args, Content::Bytes, |out| {
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)
    })
}

fn terminal(args: &DiffArgs, problem: &LineProblem<'_>, diff: &Diff) -> anyhow::Result<()> {
    let report = LineReport::new(problem, diff);
    notes(&report.notes);
    let names = Names {
        old: args.old.to_string_lossy().into_owned(),
        new: args.new.to_string_lossy().into_owned(),
    };
    let files = (problem.file(Side::Old, 0), problem.file(Side::New, 0));
    let context = args.unified;
    print(args, Content::Styled, |out| {
        mvdiff_render::terminal(out, &names, files, &report, context)
    })
}

/// Remarks go to standard error where the format has no place for them.
fn notes(notes: &[mvdiff_text::Note]) {
    for note in notes {
        let _ = writeln!(
            io::stderr(),
            "mvdiff: note: {}",
            output::visible(&note.message)
        );
    }
}

fn print(
    args: &DiffArgs,
    content: Content,
    print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    match &args.output {
        Some(path) => output::to_file(path, content, Box::new(print)),
        None => output::to_stdout(!args.no_pager, content, Box::new(print)),
    }
}
