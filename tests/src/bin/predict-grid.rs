//! `predict-grid < CASES > OUT`: one JSON case a line, `{old, new, transpose}`,
//! one prediction a line.

use anyhow::Context;
use mvdiff_tests::grid::{Grid, predict};
use serde_json::Value;
use std::io::{BufRead, Write};

fn main() -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let mut case: Value = serde_json::from_str(&line?)?;
        let mut grid = |name: &str| -> anyhow::Result<Grid> {
            let value = case.get_mut(name).with_context(|| format!("a case without {name}"))?;
            Ok(serde_json::from_value(value.take())?)
        };
        let (old, new) = (grid("old")?, grid("new")?);
        let transpose = case.get("transpose").and_then(Value::as_bool).unwrap_or(false);
        writeln!(out, "{}", predict(&old, &new, transpose)?)?;
    }
    out.flush()?;
    Ok(())
}
