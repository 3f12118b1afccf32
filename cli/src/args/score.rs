//! Options of `mvdiff score`.

use clap::{Parser, ValueEnum};
use mvdiff_metrics::Variant;
use std::num::NonZero;
use std::path::PathBuf;

/// Score how far two edits of one text did the same thing
#[derive(Debug, Parser)]
#[command(after_help = "\
The score is Text-IoU: of all lines that either edit changed, the share that both
changed alike, from 0 to 1. What neither touched counts for nothing. Lines that
face each other earn how alike they are; with --exact they earn 1 or nothing.
Blank lines do not count. Scores compare only where their signatures are equal.

With --jsonl, each row is {\"name\", \"base\", \"a\", \"b\", \"levenshtein\"?} and is
answered with {\"name\", \"score\", \"parts\"}, in order. A row that cannot be scored
is answered with {\"name\", \"error\"}.

Exit status: 0; 1 if a row was bad or --fail-under was missed; 2 on trouble.

Examples:
  mvdiff score --base old.py --a wanted.py --b done.py            one score
  mvdiff score --base old.py --a wanted.py --b done.py --explain  which lines earned it
  mvdiff score --jsonl predictions.jsonl > scores.jsonl           many, on all cores
  mvdiff score --jsonl - --variant move-aware < predictions.jsonl")]
pub(crate) struct ScoreArgs {
    /// What both edits started from, or - for standard input
    #[arg(long, value_name = "FILE", requires_all = ["a", "b"], required_unless_present = "jsonl")]
    pub base: Option<PathBuf>,
    /// One outcome; where one is the truth, this one
    #[arg(long, value_name = "FILE", requires = "base")]
    pub a: Option<PathBuf>,
    /// The other; a prediction, say
    #[arg(long, value_name = "FILE", requires = "base")]
    pub b: Option<PathBuf>,
    /// Score each row of FILE, or of standard input for -
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "a", "b", "explain", "format"])]
    pub jsonl: Option<PathBuf>,
    /// Lines are equal or not, and nothing between
    #[arg(long)]
    pub exact: bool,
    /// Say where the score comes from
    #[arg(long)]
    pub explain: bool,
    /// Also say this score: symmetric, noop-adjusted or move-aware
    #[arg(long = "variant", value_name = "NAME", value_delimiter = ',')]
    pub variants: Vec<Variant>,
    /// How to print
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "terminal")]
    pub format: TableFormat,
    /// Write to FILE, all or nothing
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Exit with 1 if the score, or the mean of all rows, is less
    #[arg(long, value_name = "X", value_parser = super::gate)]
    pub fail_under: Option<f64>,
    /// Rows scored at once [default: one for each core]
    #[arg(long, value_name = "N", requires = "jsonl")]
    pub threads: Option<NonZero<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For reading
    Terminal,
    /// For programs; see docs/schemas
    Json,
}
