//! `grid`: two workbooks and what happened. Reports are compared as one line of JSON
//! for each operation, without what only the engine can know. The base is the
//! unreduced report: every cell that differs in its place.

use super::fixtures::Folder;
use crate::args::{Args, Command};
use crate::workbook::options;
use anyhow::{Context as _, bail};
use clap::Parser as _;
use mvdiff_grid::{Address, Cell, DiffReport, Grid, ReadOptions, Workbook};
use mvdiff_grid::{diff_workbooks, open_pair};
use mvdiff_metrics::eval::{Case, Texts};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// The expectations of a case in the manifest.
#[derive(Deserialize)]
struct Spec {
    #[serde(default)]
    files: Option<[String; 2]>,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    key: Vec<String>,
    #[serde(default)]
    expect: Option<Truth>,
}

/// The truth: exactly these operations, or what must and must not be among them.
#[derive(Default, Deserialize)]
struct Truth {
    #[serde(default)]
    ops: Option<Vec<Json>>,
    #[serde(default)]
    must: Vec<Json>,
    #[serde(default)]
    must_not: Vec<Json>,
    #[serde(default)]
    max_ops: Option<usize>,
}

/// Fields that the truth leaves to the engine.
const OPEN: [&str; 3] = ["similarity", "block_hash", "cell_count"];

pub(super) fn answer(folder: &Folder, case: &Case) -> anyhow::Result<Texts> {
    let more = serde_json::to_value(&case.more)?;
    let spec: Spec = serde_json::from_value(more).context("the manifest")?;
    let truth = match spec.expect {
        Some(truth) => truth,
        None => folder.truth()?,
    };
    let files = spec
        .files
        .unwrap_or(["old.xlsx", "new.xlsx"].map(Into::into));
    let [old, new] = files.map(|file| folder.named(&file));
    let (old, new) = (old?, new?);
    let mut words = vec!["mvdiff".into(), "diff".into()];
    words.extend(spec.options);
    if !spec.key.is_empty() {
        words.extend(["--key".into(), spec.key.join(",")]);
    }
    words.extend([&old, &new].map(|path| path.to_string_lossy().into_owned()));
    let Command::Diff(args) = Args::try_parse_from(words)?.command else {
        bail!("not options of mvdiff diff");
    };
    let (was, is) = open_pair(&old, &new, &ReadOptions::default())?;
    let report = diff_workbooks(&was, &is, &options(&args))?;
    let ours = told(&report)?;
    let expected = match &truth.ops {
        Some(ops) => matched(ops, &ours),
        None => allowed(&truth, &ours),
    };
    Ok(Texts {
        base: text(&unreduced(&was, &is)),
        expected: text(&expected),
        ours: text(&ours),
    })
}

/// One line an operation, in an order of their own: the truth has none.
fn text(ops: &[Json]) -> String {
    let mut lines: Vec<String> = ops.iter().map(ToString::to_string).collect();
    lines.sort_unstable();
    // A newline behind the last one, too.
    lines.push(String::new());
    lines.join("\n")
}

fn told(report: &DiffReport) -> anyhow::Result<Vec<Json>> {
    let mut ops = Vec::new();
    for op in &report.ops {
        let mut op = serde_json::to_value(op)?;
        if let Json::Object(fields) = &mut op {
            for name in OPEN {
                fields.remove(name);
            }
        }
        ops.push(op);
    }
    Ok(ops)
}

/// The truth in the words of the answer, where an operation fits; else in its own.
fn matched(truth: &[Json], ours: &[Json]) -> Vec<Json> {
    let mut rest: Vec<&Json> = ours.iter().collect();
    let one = |pattern: &Json| match rest.iter().position(|op| fits(pattern, op)) {
        Some(at) => rest.swap_remove(at).clone(),
        None => pattern.clone(),
    };
    truth.iter().map(one).collect()
}

/// What must be there, and whatever else is allowed to.
fn allowed(truth: &Truth, ours: &[Json]) -> Vec<Json> {
    let mut expected = matched(&truth.must, ours);
    let forbidden = |op: &Json| truth.must_not.iter().any(|pattern| fits(pattern, op));
    let others: Vec<&Json> = ours.iter().filter(|op| !expected.contains(op)).collect();
    let room = truth
        .max_ops
        .unwrap_or(usize::MAX)
        .saturating_sub(expected.len());
    let others = others.into_iter().filter(|op| !forbidden(op)).take(room);
    expected.extend(others.cloned());
    expected
}

/// Whether every field of a pattern that is not null is there and fits.
fn fits(pattern: &Json, found: &Json) -> bool {
    match (pattern, found) {
        (Json::Null, _) => true,
        (Json::Object(pattern), Json::Object(found)) => pattern
            .iter()
            .all(|(name, field)| fits(field, found.get(name).unwrap_or(&Json::Null))),
        (Json::Array(pattern), Json::Array(found)) => {
            pattern.len() == found.len() && pattern.iter().zip(found).all(|(p, f)| fits(p, f))
        }
        (Json::Number(pattern), Json::Number(found)) => pattern.as_f64() == found.as_f64(),
        _ => pattern == found,
    }
}

/// Every cell that differs in its place, in sheets of one name.
fn unreduced(old: &Workbook, new: &Workbook) -> Vec<Json> {
    let empty = Grid::default();
    let grid = |book: &Workbook, name: &str| {
        let sheet = book.sheets.iter().find(|sheet| sheet.name == name);
        sheet.and_then(|sheet| sheet.grid().cloned())
    };
    let names: BTreeSet<&String> = [old, new]
        .into_iter()
        .flat_map(|book| book.sheets.iter().map(|sheet| &sheet.name))
        .collect();
    let mut ops = Vec::new();
    for name in names {
        let (was, is) = (grid(old, name), grid(new, name));
        let (was, is) = (
            was.as_ref().unwrap_or(&empty),
            is.as_ref().unwrap_or(&empty),
        );
        let places: BTreeSet<Address> = was.cells().chain(is.cells()).map(|c| c.address).collect();
        for at in places {
            let data = |cell: Option<Cell<'_>>| cell.map(|cell| cell.to_data()).unwrap_or_default();
            let (from, to) = (data(was.cell(at)), data(is.cell(at)));
            if from != to {
                let at = at.to_string();
                ops.push(json!({"kind": "CellEdited", "sheet": name, "addr": at, "from": from, "to": to}));
            }
        }
    }
    ops
}
