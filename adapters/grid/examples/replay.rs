//! `cargo run -p mvdiff-grid --example replay -- OLD.xlsx NEW.xlsx [OUT.xlsx]`: compares two
//! workbooks, makes the new one from the old one and the report, and compares again.

use mvdiff_grid::{
    DiffReport, Options, PackageKind, ReadOptions, diff_workbooks, invert, patch_package,
    read_pair, read_workbook,
};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Cursor, Write as _};

fn compare(old: &[u8], new: &[u8]) -> Result<DiffReport, Box<dyn Error>> {
    let (old, new) = read_pair((old, None), (new, None), &ReadOptions::default());
    Ok(diff_workbooks(&old?, &new?, &Options::default())?)
}

fn patch(old: &[u8], report: &DiffReport) -> Result<Vec<u8>, Box<dyn Error>> {
    let options = ReadOptions::default();
    let book = read_workbook(old, None, &options)?;
    let mut out = Cursor::new(Vec::new());
    patch_package(
        old,
        &book,
        report,
        &options,
        (PackageKind::WithMacros, &mut out),
    )?;
    Ok(out.into_inner())
}

/// Operations and parts that differ, by kind.
fn counts(report: &DiffReport) -> Result<BTreeMap<String, usize>, Box<dyn Error>> {
    let mut counts = BTreeMap::new();
    for op in &report.ops {
        let json = serde_json::to_value(op)?;
        let kind = json["kind"].as_str().unwrap_or_default().to_owned();
        *counts.entry(kind).or_default() += 1;
    }
    for note in report.notes.iter().filter(|note| note.kind == "part") {
        let what = note.what.as_deref().unwrap_or_default();
        *counts.entry(format!("part {what}")).or_default() += 1;
    }
    Ok(counts)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let mut arguments = std::env::args().skip(1);
    let mut file = || arguments.next().ok_or("give two workbooks");
    let (old, new) = (std::fs::read(file()?)?, std::fs::read(file()?)?);
    let report = compare(&old, &new)?;
    writeln!(out, "differs: {:?}", counts(&report)?)?;
    let made = patch(&old, &report)?;
    writeln!(
        out,
        "left after replay: {:?}",
        counts(&compare(&made, &new)?)?
    )?;
    let back = patch(&new, &invert(&report))?;
    writeln!(
        out,
        "left after the way back: {:?}",
        counts(&compare(&back, &old)?)?
    )?;
    if let Some(path) = arguments.next() {
        std::fs::write(path, made)?;
    }
    Ok(())
}
