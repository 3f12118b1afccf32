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
Reports of mvdiff effective and mvdiff git need a recipe, which they have if whole
files were known. Reports of mvdiff diff on two directories or two files always
replay, unless they say that bytes were left out. Files that the report does not
name are neither written nor copied. A report with \"complete\": false may lack
files, so --out must not be the old directory. A report on several commits has a
recipe for each and cannot be replayed as a whole.
Reports on workbooks may be JSON or JSON lines. An .xlsx or .xlsm file is rebuilt
from the old one, and only what the report names is changed. For other formats, a
plain .xlsx file is written, with values, formulas, merged cells and names, but
without formatting.

Exit status: 0 if all files were written, 2 on trouble, which leaves all files
unchanged.

Examples:
  mvdiff effective --old a --new b --format json x.patch > report.json
  mvdiff replay --old a --out rebuilt report.json      write the changed files to rebuilt/
  mvdiff replay --old a --out a report.json            update a/ in place
  mvdiff diff --format json old/ new/ > report.json
  mvdiff replay --old old --out old report.json        make old/ equal to new/
  mvdiff diff --format json old.py new.py > report.json
  mvdiff replay old.py report.json -o new.py           rebuild the new file
  mvdiff diff --format json old.xlsx new.xlsx > report.json
  mvdiff replay old.xlsx report.json -o new.xlsx       rebuild the new workbook"
)]
pub(crate) struct ReplayArgs {
    /// Directory of the old files
    #[arg(long, value_name = "DIR", requires = "out")]
    pub old: Option<PathBuf>,
    /// Directory for the new files, created if necessary
    #[arg(long, value_name = "DIR", requires = "old")]
    pub out: Option<PathBuf>,
    /// The report, or - for standard input; a report on two files after the old file
    #[arg(value_name = "[OLD] REPORT", required = true, num_args = 1..=2)]
    pub files: Vec<PathBuf>,
    /// Where to write the new file, all of it or nothing
    #[arg(short, long, value_name = "FILE", conflicts_with = "out")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
}
