//! `mvdiff score`: one score, or one for each row.

use crate::args::{ScoreArgs, TableFormat};
use crate::input;
use crate::output::{self, Content};
use crate::progress::Progress;
use anyhow::{Context as _, bail};
use mvdiff_metrics::batch::{self, Batch, Summary};
use mvdiff_metrics::{Edits, Options, ScoreReport, text_of};
use std::fs::File;
use std::io::{self, Read, Write};
use std::num::NonZero;
use std::path::Path;

const GATE_MISSED: u8 = 1;

pub(crate) fn run(args: &ScoreArgs) -> anyhow::Result<u8> {
    let options = Options {
        similarity: !args.exact,
    };
    match (&args.jsonl, &args.base, &args.a, &args.b) {
        (Some(rows), ..) => many(args, options, rows),
        (None, Some(base), Some(a), Some(b)) => one(args, options, [base, a, b]),
        _ => bail!("three files are needed: --base, --a and --b; or rows, with --jsonl"),
    }
}

fn one(args: &ScoreArgs, options: Options, paths: [&Path; 3]) -> anyhow::Result<u8> {
    let standard = paths.iter().filter(|path| path.as_os_str() == "-").count();
    if standard > 1 {
        bail!("-: only one of the three files can be standard input");
    }
    let mut bytes = Vec::new();
    for path in paths {
        bytes.push(input::read(path)?);
    }
    let texts: Vec<_> = bytes.iter().map(|bytes| text_of(bytes)).collect();
    let edits = Edits {
        base: &texts[0],
        a: &texts[1],
        b: &texts[2],
    };
    let report = ScoreReport::new(&edits, &options, &args.variants, args.explain)?;
    print(args, &report, &edits)?;
    Ok(gate(args, Some(report.score.score)))
}

fn print(args: &ScoreArgs, report: &ScoreReport, edits: &Edits<'_>) -> anyhow::Result<()> {
    let json = args.format == TableFormat::Json;
    let content = if json {
        Content::Bytes
    } else {
        Content::Styled
    };
    let print = |out: &mut dyn Write| -> io::Result<()> {
        if !json {
            return mvdiff_render::score(out, report, edits);
        }
        serde_json::to_writer(&mut *out, report)?;
        writeln!(out)
    };
    match &args.output {
        Some(path) => output::to_file(path, content, Box::new(print)),
        None => output::to_stdout(false, content, Box::new(print)),
    }
}

fn gate(args: &ScoreArgs, score: Option<f64>) -> u8 {
    match (args.fail_under, score) {
        (Some(least), Some(score)) if score < least => {
            let _ = writeln!(io::stderr(), "mvdiff: {score:.6} is less than {least}");
            GATE_MISSED
        }
        _ => 0,
    }
}

fn many(args: &ScoreArgs, options: Options, rows: &Path) -> anyhow::Result<u8> {
    let (input, size): (Box<dyn Read + Send>, _) = if rows.as_os_str() == "-" {
        (Box::new(io::stdin()), None)
    } else {
        if rows.is_dir() {
            bail!("{}: is a directory; give a file", rows.display());
        }
        let cannot = || format!("{}: cannot read", rows.display());
        let file = File::open(rows).with_context(cannot)?;
        let size = file.metadata().ok().map(|found| found.len());
        (Box::new(file), size.filter(|size| *size > 0))
    };
    let threads = args.threads.unwrap_or_else(cores);
    let batch = Batch {
        options,
        variants: args.variants.clone(),
        threads,
    };
    let mut summary = Summary::default();
    let score = |out: &mut dyn Write| {
        let progress = Progress::new(size, "bytes read");
        summary = batch::run(input, out, &batch, &mut |so_far| progress.at(so_far.bytes))?;
        Ok(())
    };
    let done = match &args.output {
        Some(path) => output::to_file(path, Content::Bytes, Box::new(score)),
        None => output::to_stdout(false, Content::Bytes, Box::new(score)),
    };
    done?;
    complain(rows, &summary);
    let missed = gate(args, summary.mean());
    Ok(if summary.bad > 0 { GATE_MISSED } else { missed })
}

fn cores() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// The first bad rows, one line each.
fn complain(rows: &Path, summary: &Summary) {
    let name = output::visible(&rows.to_string_lossy());
    let mut err = io::stderr().lock();
    for (row, wrong) in &summary.complaints {
        let _ = writeln!(err, "mvdiff: {name}:{row}: {}", output::visible(wrong));
    }
    let more = summary.bad - summary.complaints.len() as u64;
    if more > 0 {
        let _ = writeln!(err, "mvdiff: {name}: and {more} more bad rows");
    }
}
