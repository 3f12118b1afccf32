//! Options of `mvdiff eval`.

use super::TableFormat;
use clap::Parser;
use std::path::PathBuf;

/// Score answers against the truth, compare runs, and gate on it
#[derive(Debug, Parser)]
#[command(after_help = "\
MANIFEST is YAML: families, and below each a list of cases; their files lie beside
it, in FAMILY/CASE/. Every case is run and scored with Text-IoU: what the engine
printed against what was expected, both as edits of what was there. RESULTS are
those of an earlier run (--format json) or of another tool: JSON lines of
{\"name\", \"score\"} or {\"name\", \"base\", \"a\", \"b\"}, with a \"family\" if they like.
Known gaps are scored and listed apart; no gate looks at them.

Exit status: 0; 1 if the gate is missed or a case could not be run; 2 on trouble.

Examples:
  mvdiff eval fixtures/manifest.yaml                        a table
  mvdiff eval fixtures/manifest.yaml --report worst.html    a page, the worst first
  mvdiff eval fixtures/manifest.yaml --format json -o fixtures/baseline.json
  mvdiff eval fixtures/manifest.yaml --fail-under 0.99 \\
      --baseline fixtures/baseline.json --fail-on-regression
  mvdiff eval new.jsonl --baseline old.jsonl                two tools, or two days")]
pub(crate) struct EvalArgs {
    /// A list of cases, or results; - is results on standard input
    #[arg(value_name = "MANIFEST|RESULTS")]
    pub input: PathBuf,
    /// Only cases of this family
    #[arg(long = "family", value_name = "NAME", value_delimiter = ',')]
    pub families: Vec<String>,
    /// Lines are equal or not, and nothing between
    #[arg(long)]
    pub exact: bool,
    /// Exit with 1 if the mean of all cases is less
    #[arg(long, value_name = "X", value_parser = super::gate)]
    pub fail_under: Option<f64>,
    /// Exit with 1 if any case scores less
    #[arg(long, value_name = "X", value_parser = super::gate)]
    pub fail_case_under: Option<f64>,
    /// Compare with the results in FILE
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Exit with 1 if a case scores less than in the baseline, or is missing
    #[arg(long, requires = "baseline")]
    pub fail_on_regression: bool,
    /// Write a page with the worst cases first and their texts side by side
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Write the cases as tests in the XML of `JUnit`, for CI servers
    #[arg(long, value_name = "FILE.xml")]
    pub junit: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "terminal")]
    pub format: TableFormat,
    /// Write to FILE, all or nothing
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
