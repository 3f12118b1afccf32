//! `predict-grid < CASES > OUT`: one JSON case a line, `{old, new, transpose}`,
//! one prediction a line.

use anyhow::Context;
use mvdiff_core::{Error, Options, Role, Script};
use mvdiff_tests::grid::{Grid, diff_grid, pairs};
use serde_json::{Value, json};
use std::io::{BufRead, Write};

fn main() -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let mut case: Value = serde_json::from_str(&line?)?;
        let mut grid = |name: &str| -> anyhow::Result<Grid> {
            let value = case
                .get_mut(name)
                .with_context(|| format!("a case without {name}"))?;
            Ok(serde_json::from_value(value.take())?)
        };
        let (old, new) = (grid("old")?, grid("new")?);
        let transpose = case
            .get("transpose")
            .and_then(Value::as_bool)
            .unwrap_or(false);
        writeln!(out, "{}", predict(&old, &new, transpose)?)?;
    }
    out.flush()?;
    Ok(())
}

/// The moves, additions and removals of lines.
fn report(script: &Script) -> Value {
    let mut moved: Vec<Vec<(u32, u32)>> = vec![Vec::new(); script.moves().len()];
    for run in script.runs() {
        if let Role::Moved(id) = run.role {
            moved[id as usize].extend(run.old_range().zip(run.new_range()));
        }
    }
    let inverse = script.invert();
    let unmatched = |script: &Script| -> Vec<u32> {
        let paired: Vec<u32> = pairs(script).into_iter().map(|(old, _)| old).collect();
        (0..script.old_len())
            .filter(|i| paired.binary_search(i).is_err())
            .collect()
    };
    json!({"moved": moved, "removed": unmatched(script), "added": unmatched(&inverse)})
}

/// The prediction for one case; with `transpose`, found on its side.
fn predict(old: &Grid, new: &Grid, transpose: bool) -> Result<Value, Error> {
    let options = Options::default();
    if !transpose {
        let found = diff_grid(old, new, &options)?;
        let (rows, columns) = (report(&found.rows), report(&found.columns));
        return Ok(json!({"rows": rows, "cols": columns, "edits": found.edits}));
    }
    let found = diff_grid(&transposed(old), &transposed(new), &options)?;
    let (rows, columns) = (report(&found.columns), report(&found.rows));
    let edits: Vec<(u32, u32)> = found
        .edits
        .iter()
        .map(|&(row, column)| (column, row))
        .collect();
    Ok(json!({"rows": rows, "cols": columns, "edits": edits}))
}

fn transposed(grid: &Grid) -> Grid {
    let width = grid.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |row: &Vec<Value>, c: usize| row.get(c).cloned().unwrap_or(Value::Null);
    (0..width)
        .map(|c| grid.iter().map(|row| cell(row, c)).collect())
        .collect()
}
