//! Scores an edit against the wanted one.
//!
//! `cargo run -p mvdiff-metrics --example score`

use mvdiff_metrics::{Edits, Options, Scorer};
use std::io::Write;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let base = "let total = 0;\nprint(total);\n";
    let a = "let total = 1;\nprint(total);\n"; // wanted
    let b = "let total = 1;\nprint(total)\n"; // done
    let score = Scorer::default().score(&Edits { base, a, b }, &Options::default())?;

    let mut out = std::io::stdout().lock();
    writeln!(out, "{:.3}", score.score)?;
    Ok(())
}
