//! Options of `mvdiff eval`.

use super::TableFormat;
use clap::Parser;
use std::path::PathBuf;

/// Score many answers against the expected ones, compare runs, and gate CI
#[derive(Debug, Parser)]
#[command(after_help = "\
RESULTS is the output of an earlier run (--format json), or JSON lines from any tool:
{\"name\", \"score\"} or {\"name\", \"base\", \"a\", \"b\"}, optionally with a \"family\".
MANIFEST is a YAML file that maps family names to lists of cases, whose files are next
to it in FAMILY/CASE/. Every case is run and scored with Text-IoU: the actual against
the expected output, both as edits of the input. Known gaps are scored and listed
separately, and no gate counts them.

Exit status: 0; 1 if a gate is missed or a case could not be run; 2 on trouble.

Examples:
  mvdiff eval new.jsonl --baseline old.jsonl                compare two runs
  mvdiff eval fixtures/manifest.yaml                        print a table
  mvdiff eval fixtures/manifest.yaml --report worst.html    an HTML page, worst cases first
  mvdiff eval fixtures/manifest.yaml --format json -o fixtures/baseline.json
  mvdiff eval fixtures/manifest.yaml --fail-under 0.99 \\
      --baseline fixtures/baseline.json --fail-on-regression")]
pub(crate) struct EvalArgs {
    /// A manifest of cases, or results; - reads results from standard input
    #[arg(value_name = "MANIFEST|RESULTS")]
    pub input: PathBuf,
    /// Run only cases of this family
    #[arg(long = "family", value_name = "NAME", value_delimiter = ',')]
    pub families: Vec<String>,
    /// Give no credit for similar lines, only for equal ones
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
    /// Write an HTML page with the worst cases first and their texts side by side
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Write a `JUnit` XML file, for CI servers
    #[arg(long, value_name = "FILE.xml")]
    pub junit: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "terminal")]
    pub format: TableFormat,
    /// Write to FILE, all or nothing
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
