//! Options of `mvdiff score`.

use clap::{Parser, ValueEnum};
use mvdiff_metrics::Variant;
use std::num::NonZero;
use std::path::PathBuf;

/// Score whether two edits of one file did the same thing
#[derive(Debug, Parser)]
#[command(after_help = "\
The score is Text-IoU: of all the lines that either edit changed, the share that both
changed in the same way, from 0 to 1. Lines that neither edit touched do not count, nor
do blank lines. Similar lines earn their similarity; with --exact, nothing. Compare
scores only if their signatures are equal.

With --jsonl, each row is {\"name\", \"base\", \"a\", \"b\", \"levenshtein\"?}, and the
output has one {\"name\", \"score\", \"parts\"} per row, in order, or {\"name\", \"error\"}
for a row that cannot be scored.

Exit status: 0; 1 if a row was invalid or --fail-under was missed; 2 on trouble.

Examples:
  mvdiff score --base old.py --a wanted.py --b done.py            one score
  mvdiff score --base old.py --a wanted.py --b done.py --explain  line by line
  mvdiff score --jsonl predictions.jsonl > scores.jsonl           many, on all cores
  mvdiff score --jsonl - --variant move-aware < predictions.jsonl")]
pub(crate) struct ScoreArgs {
    /// The file before the edits, or - for standard input
    #[arg(long, value_name = "FILE", requires_all = ["a", "b"], required_unless_present = "jsonl")]
    pub base: Option<PathBuf>,
    /// The file after one edit; usually the wanted one
    #[arg(long, value_name = "FILE", requires = "base")]
    pub a: Option<PathBuf>,
    /// The file after the other edit; usually a prediction
    #[arg(long, value_name = "FILE", requires = "base")]
    pub b: Option<PathBuf>,
    /// Score each row of FILE, or of standard input for -
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "a", "b", "explain", "format"])]
    pub jsonl: Option<PathBuf>,
    /// Give no credit for similar lines, only for equal ones
    #[arg(long)]
    pub exact: bool,
    /// Show the score line by line
    #[arg(long)]
    pub explain: bool,
    /// Also print this score: symmetric, noop-adjusted or move-aware
    #[arg(long = "variant", value_name = "NAME", value_delimiter = ',')]
    pub variants: Vec<Variant>,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "terminal")]
    pub format: TableFormat,
    /// Write to FILE, all or nothing
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Exit with 1 if the score, or the mean of all rows, is less
    #[arg(long, value_name = "X", value_parser = super::gate)]
    pub fail_under: Option<f64>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", requires = "jsonl")]
    pub threads: Option<NonZero<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people
    Terminal,
    /// For scripts; see docs/schemas
    Json,
}
