//! `mvdiff eval`: cases run or results read, a table printed, a gate held.

mod edit;
mod fixtures;
mod grid;
mod lines;
mod text;

use crate::args::{EvalArgs, TableFormat};
use crate::input;
use crate::output::{self, Content};
use crate::progress::Progress;
use anyhow::anyhow;
use fixtures::Fixtures;
use mvdiff_metrics::Options;
use mvdiff_metrics::eval::{self, CaseResult, Gate, Manifest, Recorded, Report, read_results};
use std::io::{self, Write};
use std::path::Path;

const GATE_MISSED: u8 = 1;

pub(crate) fn run(args: &EvalArgs) -> anyhow::Result<u8> {
    let options = Options {
        similarity: !args.exact,
    };
    let (results, signature) = results(args, options)?;
    let baseline = match &args.baseline {
        Some(path) => Some((path, recorded(path, options)?)),
        None => None,
    };
    let gate = Gate {
        mean: args.fail_under,
        case: args.fail_case_under,
        no_regression: args.fail_on_regression,
    };
    let before = baseline.as_ref().map(|(_, recorded)| recorded);
    let report = Report::new(results, signature, before, &gate).map_err(|error| {
        let at_fault = match (&error, &baseline) {
            (eval::Error::Signature { .. }, Some((path, _))) => path,
            _ => &args.input,
        };
        anyhow!("{}: {error}", at_fault.display())
    })?;
    write(args, &report)?;
    Ok(if report.gate.passed { 0 } else { GATE_MISSED })
}

/// The results of the cases of a manifest, or those of a file.
fn results(args: &EvalArgs, options: Options) -> anyhow::Result<(Vec<CaseResult>, String)> {
    let name = args.input.display();
    let text = read(&args.input)?;
    if !is_manifest(&args.input, &text) {
        let mut found = recorded_in(&args.input, &text, options)?;
        if !args.families.is_empty() {
            found
                .cases
                .retain(|case| args.families.contains(&case.family));
        }
        let signature = found.signature.unwrap_or_else(|| eval::UNKNOWN.into());
        return Ok((found.cases, signature));
    }
    let mut manifest = Manifest::parse(&text).map_err(|error| anyhow!("{name}: {error}"))?;
    if !args.families.is_empty() {
        let only = manifest.only(&args.families);
        only.map_err(|error| anyhow!("{name}: {error}"))?;
    }
    let runner = Fixtures::beside(&args.input);
    let progress = Progress::new(Some(manifest.count() as u64), "cases");
    let results = eval::run(&manifest, &runner, &options, &|done| progress.at(done));
    drop(progress);
    let results = results.map_err(|error| anyhow!("{name}: {error}"))?;
    Ok((results, options.signature()))
}

/// Results are JSON, and start with a brace.
fn is_manifest(path: &Path, text: &str) -> bool {
    let yaml = path.extension().is_some_and(|e| e == "yaml" || e == "yml");
    yaml || !(text.trim_start().starts_with('{') || text.trim().is_empty())
}

fn read(path: &Path) -> anyhow::Result<String> {
    let bytes = input::read(path)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        anyhow!(
            "{}: byte {at} is not UTF-8, and manifests and results must be",
            path.display()
        )
    })
}

fn recorded(path: &Path, options: Options) -> anyhow::Result<Recorded> {
    recorded_in(path, &read(path)?, options)
}

fn recorded_in(path: &Path, text: &str, options: Options) -> anyhow::Result<Recorded> {
    read_results(text, &options).map_err(|error| match error {
        eval::Error::Results { place, what } => {
            anyhow!("{}:{}{what}", path.display(), place_of(&place))
        }
        error => anyhow!("{}: {error}", path.display()),
    })
}

/// `12: ` for a row, and a blank where there is none.
fn place_of(place: &str) -> &str {
    if place.is_empty() { " " } else { place }
}

/// The page and the tests first: readers of the table want to open them.
fn write(args: &EvalArgs, report: &Report) -> anyhow::Result<()> {
    if let Some(path) = &args.report {
        let page = |out: &mut dyn Write| mvdiff_render::eval::page(out, report);
        output::to_file(path, Content::Bytes, Box::new(page))?;
    }
    if let Some(path) = &args.junit {
        let tests = |out: &mut dyn Write| mvdiff_render::eval::junit(out, report);
        output::to_file(path, Content::Bytes, Box::new(tests))?;
    }
    let json = args.format == TableFormat::Json;
    let content = if json {
        Content::Bytes
    } else {
        Content::Styled
    };
    let print = |out: &mut dyn Write| -> io::Result<()> {
        if !json {
            return mvdiff_render::eval::table(out, report);
        }
        serde_json::to_writer_pretty(&mut *out, report)?;
        writeln!(out)
    };
    match &args.output {
        Some(path) => output::to_file(path, content, Box::new(print)),
        None => output::to_stdout(false, content, Box::new(print)),
    }
}
