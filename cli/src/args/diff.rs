//! Options of `mvdiff diff`.

use super::{PageArgs, ScreenArgs, WorkbookArgs, share};
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Parser, ValueEnum};
use mvdiff_text::{Ignore, Space};
use std::path::PathBuf;

/// Compare two text files, directories or workbooks
#[derive(Clone, Debug, Parser)]
#[command(after_help = "\
Workbooks are recognised by their content. Two .csv or .tsv files are compared as
tables; --as text compares them line by line.

In directories, renamed files and moves between files are recognised. Symlinks are
not followed but compared by their targets; .git is left out. A file and a directory
are compared by the file of the same name in the directory.

Exit status: 0 if the files are the same, 1 if they differ, 2 on trouble.

Examples:
  mvdiff diff old.py new.py                      moves and changes
  mvdiff diff -y --width 160 old.py new.py       old on the left, new on the right
  mvdiff diff --theme dark old.py new.py         colours for a dark terminal
  mvdiff diff --format unified old.py new.py     a plain patch for git apply
  mvdiff diff --format json old.py new.py        for scripts; see docs/schemas
  mvdiff diff --format html -o diff.html old.py new.py      an HTML page
  git show HEAD~1:a.py | mvdiff diff - a.py      read standard input
  mvdiff diff -w old.py new.py                   ignore white space
  mvdiff diff -i --from-file base.conf a.conf b.conf   one file with several, ignoring case
  mvdiff diff old/ new/                          two directories
  mvdiff diff -qr -x '*.o' old/ new/             only say which files differ
  mvdiff diff --format unified old/ new/ > a.patch    for git apply or patch -p1
  mvdiff diff old.xlsx new.xlsx                  sheets, rows, columns and cells
  mvdiff diff --key id old.csv new.csv           match rows by the column \"id\"
  mvdiff diff --tolerance 0.1% --sheet Data old.xlsx new.xlsx
  mvdiff diff --format text old.xlsx new.xlsx | grep '^Data!C'
  mvdiff diff --format html -o changes.html old.xlsx new.xlsx   an HTML page
  mvdiff diff --format xlsx -o changes.xlsx old.xlsx new.xlsx   a marked-up workbook")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct DiffArgs {
    /// The old file or directory, or - for standard input
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The new file or directory, or - for standard input
    #[arg(
        value_name = "NEW",
        default_value = "",
        value_parser = OsStringValueParser::new().map(PathBuf::from),
        hide_default_value = true,
        required_unless_present_any = ["from_file", "to_file"]
    )]
    pub new: PathBuf,
    /// More files, with --from-file or --to-file
    #[arg(value_name = "FILE")]
    pub more: Vec<PathBuf>,
    /// Output format [default: terminal on a terminal or with -y, else unified, or text for
    /// workbooks]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<DiffFormat>,
    /// Write to FILE, all or nothing
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Treat the files as this kind, whatever their content
    #[arg(long = "as", value_enum, value_name = "KIND")]
    pub kind: Option<FileKind>,
    /// Minimum similarity of a moved block in which every line was edited, 0 to 1; 1
    /// finds exact moves only
    #[arg(long, value_name = "X", default_value_t = 0.8, value_parser = share)]
    pub threshold: f32,
    /// How many consecutive unmatched lines or rows a moved block may contain
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub gap: u32,
    /// Do not look for moves
    #[arg(long)]
    pub no_moves: bool,
    /// Lines of context around a change [default: 3]
    #[arg(
        short = 'U',
        long,
        value_name = "N",
        value_parser = super::lines,
        help_heading = "Options for text files"
    )]
    pub unified: Option<u32>,
    /// Ignore changes in the amount of white space, and white space at line ends
    #[arg(short = 'b', long, help_heading = "Options for text files")]
    pub ignore_space_change: bool,
    /// Ignore all white space
    #[arg(short = 'w', long, help_heading = "Options for text files")]
    pub ignore_all_space: bool,
    /// Ignore added and removed blank lines
    #[arg(short = 'B', long, help_heading = "Options for text files")]
    pub ignore_blank_lines: bool,
    /// Only report whether files differ
    #[arg(short = 'q', long, help_heading = "Options of diff")]
    pub brief: bool,
    /// Report identical files, too
    #[arg(short = 's', long, help_heading = "Options of diff")]
    pub report_identical_files: bool,
    /// Treat missing files as empty
    #[arg(short = 'N', long, help_heading = "Options of diff")]
    pub new_file: bool,
    /// Compare subdirectories; always on, accepted for compatibility with diff
    #[arg(short = 'r', long, help_heading = "Options of diff")]
    pub recursive: bool,
    /// The same as --format unified
    #[arg(
        short = 'u',
        help_heading = "Options of diff",
        conflicts_with = "format"
    )]
    pub plain: bool,
    /// Label for the old file; the second one is for the new file
    #[arg(long, value_name = "NAME", help_heading = "Options of diff")]
    pub label: Vec<String>,
    /// Compare FILE, as the old file, with each of the given files
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["output", "label"],
        help_heading = "Options of diff"
    )]
    pub from_file: Option<PathBuf>,
    /// Compare each of the given files with FILE, as the new file
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["output", "label", "from_file"],
        help_heading = "Options of diff"
    )]
    pub to_file: Option<PathBuf>,
    /// Leave out files and directories whose name matches
    #[arg(
        short = 'x',
        long,
        value_name = "PATTERN",
        help_heading = "Options of diff"
    )]
    pub exclude: Vec<String>,
    /// Respect .gitignore files in the directories
    #[arg(long, help_heading = "Options of diff")]
    pub gitignore: bool,
    /// Also find copies: new lines that equal lines still in place
    #[arg(
        long,
        conflicts_with = "no_moves",
        help_heading = "Options for text files"
    )]
    pub copies: bool,
    #[command(flatten)]
    pub page: PageArgs,
    #[command(flatten)]
    pub screen: ScreenArgs,
    #[command(flatten)]
    pub workbook: WorkbookArgs,
}

impl DiffArgs {
    /// Which differences between lines do not count.
    pub(crate) fn ignore(&self) -> Ignore {
        Ignore {
            space: match self {
                _ if self.ignore_all_space => Space::All,
                _ if self.ignore_space_change => Space::Change,
                _ => Space::Counts,
            },
            blank_lines: self.ignore_blank_lines,
            case: self.workbook.ignore_case,
        }
    }

    /// An option that was given and means nothing for workbooks.
    pub(crate) fn only_for_text(&self) -> Option<&'static str> {
        match self {
            _ if self.unified.is_some() => Some("--unified"),
            _ if self.copies => Some("--copies"),
            _ if self.ignore_space_change => Some("--ignore-space-change"),
            _ if self.ignore_all_space => Some("--ignore-all-space"),
            _ if self.ignore_blank_lines => Some("--ignore-blank-lines"),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For people, in colour if the terminal supports it
    Terminal,
    /// A plain unified diff; text files only
    Unified,
    /// One line per change; workbooks only
    Text,
    /// For scripts; see docs/schemas
    Json,
    /// JSON, one object per line, streamed; workbooks only
    Jsonl,
    /// An HTML page in one file
    Html,
    /// The new workbook with the changes marked; workbooks only
    Xlsx,
}

impl DiffFormat {
    /// Whether it is made to be opened by a program, and not to be read on a terminal.
    pub(crate) fn is_a_file(self) -> bool {
        matches!(self, Self::Html | Self::Xlsx)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FileKind {
    /// Lines
    Text,
    /// Sheets of cells
    Workbook,
}
