//! Compares two workbooks.
//!
//! `cargo run -p mvdiff-grid --example compare -- OLD.xlsx NEW.xlsx`

use mvdiff_grid::{Options, ReadOptions, diff_workbooks, open_pair};
use std::io::Write;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<_> = std::env::args_os().skip(1).collect();
    let [old, new] = paths.as_slice() else {
        return Err("usage: compare OLD.xlsx NEW.xlsx".into());
    };
    let mut out = std::io::stdout().lock();
    let (old, new) = open_pair(old, new, &ReadOptions::default())?;
    let report = diff_workbooks(&old, &new, &Options::default())?;
    for op in &report.ops {
        writeln!(out, "{}", serde_json::to_string(op)?)?;
    }
    Ok(())
}
