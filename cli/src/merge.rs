//! `mvdiff merge BASE OURS THEIRS`: of workbooks in [`workbook`], of texts in [`lines`].

mod lines;
mod workbook;

use crate::args::{FileKind, MergeArgs, MergeFormat};
use crate::file_kind::{self, DetectedKind};
use crate::input;
use crate::output::{self, Content};
use anyhow::bail;
use serde::Serialize;
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;

/// All is merged.
const MERGED: u8 = 0;
/// There are conflicts.
const CONFLICTS: u8 = 1;

pub(crate) fn run(args: &MergeArgs) -> anyhow::Result<u8> {
    let paths = [&args.base, &args.ours, &args.theirs];
    if paths.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        bail!("merge: only one of BASE, OURS and THEIRS can be standard input");
    }
    let mut read = Vec::new();
    for path in paths {
        read.push(input::read(path)?);
    }
    let [base, ours, theirs] = &read[..] else {
        bail!("merge: give BASE, OURS and THEIRS");
    };
    let files = [
        (&args.base, base),
        (&args.ours, ours),
        (&args.theirs, theirs),
    ];
    let files = files.map(|(path, bytes)| File { path, bytes });
    let is_book = |file: &File<'_>| {
        let name = args.path.as_deref().map_or(file.path, Path::new);
        !file.bytes.is_empty() && file_kind::guess(name, file.bytes) == DetectedKind::Workbook
    };
    let workbooks = match args.kind {
        Some(kind) => kind == FileKind::Workbook,
        None => files.iter().any(is_book),
    };
    if workbooks {
        if args.favor.is_some() {
            bail!("--favor: is for text files, and these are workbooks; leave it out");
        }
        workbook::run(args, &files)
    } else {
        lines::run(args, &files)
    }
}

/// A file and all its bytes.
struct File<'a> {
    path: &'a Path,
    bytes: &'a [u8],
}

/// What the result is called.
fn name(args: &MergeArgs) -> String {
    let path = args.output.as_ref().unwrap_or(&args.ours);
    let name = args.path.clone();
    output::visible(&name.unwrap_or_else(|| path.to_string_lossy().into_owned()))
}

/// How to print what happened.
fn format(args: &MergeArgs) -> MergeFormat {
    args.format.unwrap_or(if std::io::stdout().is_terminal() {
        MergeFormat::Terminal
    } else {
        MergeFormat::Text
    })
}

/// Prints JSON, or lines for reading.
fn say(args: &MergeArgs, json: &impl Serialize, lines: &[String]) -> anyhow::Result<()> {
    let format = format(args);
    let content = match format {
        MergeFormat::Terminal => Content::Styled,
        _ => Content::Bytes,
    };
    let printed = |out: &mut dyn std::io::Write| {
        if format == MergeFormat::Json {
            serde_json::to_writer(&mut *out, json)?;
            return writeln!(out);
        }
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))
    };
    output::to_stdout(false, content, Box::new(printed))
}

/// Says on standard error what has no other place.
fn remark(text: &str) {
    let _ = writeln!(std::io::stderr(), "mvdiff: note: {}", output::visible(text));
}

/// A count and its noun.
fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
