//! Options of `mvdiff replay`.

use super::LimitArgs;
use clap::Parser;
use std::path::PathBuf;

/// Rebuild the new files, or the new workbook, from the old ones and a report
#[derive(Debug, Parser)]
#[command(
    override_usage = "mvdiff replay --old <DIR> --out <DIR> <REPORT>\n       \
                      mvdiff replay <OLD> <REPORT> -o <NEW>",
    after_help = "\
A report of mvdiff effective or mvdiff git must have a recipe: they write one where
the contents of the files are at hand. One of mvdiff diff on two directories or two
files always replays, unless it says that bytes were left out. Files that the
report does not name are neither written nor copied. A report that is not complete
(\"complete\": false) may lack files: write those elsewhere than over the old
ones. A report on several commits has a recipe for each and cannot be replayed
at once.
Of a workbook every report of mvdiff diff will do, as JSON or JSON lines. An
.xlsx or .xlsm file is written from the old one: only what the report names is
changed. From other formats a plain .xlsx file is made, with values, formulas,
merged cells and names, and no formats.

Exit status: 0 if all files were written, 2 on trouble; then all files are as
they were.

Examples:
  mvdiff effective --old a --new b --format json x.patch > report.json
  mvdiff replay --old a --out rebuilt report.json      the changed files, anew
  mvdiff replay --old a --out a report.json            the old files become new
  mvdiff diff --format json old/ new/ > report.json
  mvdiff replay --old old --out old report.json        old/ is new/ then
  mvdiff diff --format json old.py new.py > report.json
  mvdiff replay old.py report.json -o new.py           the new file, anew
  mvdiff diff --format json old.xlsx new.xlsx > report.json
  mvdiff replay old.xlsx report.json -o new.xlsx       the new workbook, anew"
)]
pub(crate) struct ReplayArgs {
    /// Where the old files are
    #[arg(long, value_name = "DIR", requires = "out")]
    pub old: Option<PathBuf>,
    /// Where to write the new files; made if it is not there
    #[arg(long, value_name = "DIR", requires = "old")]
    pub out: Option<PathBuf>,
    /// The report, or - for standard input; of two files, the old one before it
    #[arg(value_name = "[OLD] REPORT", required = true, num_args = 1..=2)]
    pub files: Vec<PathBuf>,
    /// Where to write the new file, all of it or nothing
    #[arg(short, long, value_name = "FILE", conflicts_with = "out")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
}
