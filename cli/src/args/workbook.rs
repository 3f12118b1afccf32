//! Options of workbooks.

use clap::{Args, Parser};
use mvdiff_grid::{Aspect, Limits, Tolerance};
use std::path::PathBuf;

/// What is compared, and how.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options for workbooks")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct WorkbookArgs {
    /// Match rows by these columns, given by header name or letter, in any order
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',')]
    pub key: Vec<String>,
    /// Match rows by a column that can serve as a key, if there is one
    #[arg(long, conflicts_with = "key")]
    pub auto_key: bool,
    /// Compare only this sheet; may be repeated
    #[arg(long, value_name = "NAME")]
    pub sheet: Vec<String>,
    /// Leave out this sheet; may be repeated
    #[arg(long, value_name = "NAME")]
    pub ignore_sheet: Vec<String>,
    /// Leave out these columns, given by header name or letter
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',')]
    pub ignore_column: Vec<String>,
    /// Do not compare these kinds: comments, styles, macros, ... (listed in
    /// docs/workbooks.md)
    #[arg(long, value_name = "KIND[,KIND]", value_delimiter = ',', value_parser = aspect)]
    pub ignore: Vec<Aspect>,
    /// Compare only these kinds: cells, or any kind that --ignore takes
    #[arg(long, value_name = "KIND[,KIND]", value_delimiter = ',', value_parser = kind)]
    pub only: Vec<Compared>,
    /// Compare the values of formulas instead of the formulas
    #[arg(long, conflicts_with = "cached_values")]
    pub values_only: bool,
    /// Compare the values of formulas in addition to the formulas
    #[arg(long)]
    pub cached_values: bool,
    /// Treat numbers this close as equal: 0.01, or 0.1% of the larger one; Price=0.01
    /// applies to one column, by header name or letter; may be repeated
    #[arg(long, value_name = "[COL=]ABS|REL%", value_parser = tolerance)]
    pub tolerance: Vec<(Option<String>, Tolerance)>,
    /// Ignore case in cells, and in lines of text files
    #[arg(short = 'i', long)]
    pub ignore_case: bool,
    /// Ignore white space at the start and end of cells
    #[arg(long)]
    pub trim: bool,
    /// The number of the header row, from 1 [default: the first row of different texts]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub header_row: Option<u32>,
    /// Report every cell on its own, even if many changed in the same way, such as a
    /// formula filled down
    #[arg(long)]
    pub no_acts: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Limits beyond which a file is refused.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits for workbooks you do not trust")]
#[expect(
    clippy::struct_field_names,
    reason = "fields are named as their options"
)]
pub(crate) struct LimitArgs {
    /// Number of files in the archive [default: 10000]
    #[arg(long, value_name = "N")]
    pub max_entries: Option<u64>,
    /// Total unpacked size of these files [default: 1G]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub max_inflated: Option<u64>,
    /// Unpacked size of one of these files [default: 512M]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub max_part: Option<u64>,
    /// Compression ratio of one of these files [default: 200]
    #[arg(long, value_name = "N")]
    pub max_ratio: Option<u64>,
    /// Number of cells in all sheets [default: 20000000]
    #[arg(long, value_name = "N")]
    pub max_cells: Option<u64>,
    /// Bytes of text in all sheets [default: 1G]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub max_text: Option<u64>,
    /// Bytes of shared formulas, once expanded [default: 256M]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub max_shared_formulas: Option<u64>,
    /// Bytes of cells in a report [default: 512M]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub max_report: Option<u64>,
}

/// Print a workbook as text, one line per cell
#[derive(Debug, Parser)]
#[command(after_help = "\
Each line has an address, a tab, and a formula or a value; text values are quoted.
After mvdiff git install, git log -p compares this output. Instead of failing on a
file that is not a workbook, it prints one line with a hash of the file.

Examples:
  mvdiff textconv prices.xlsx | grep 'cedar'
  git config diff.mvdiff.textconv 'mvdiff textconv'")]
pub(crate) struct TextconvArgs {
    /// The workbook, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub limits: LimitArgs,
}

impl WorkbookArgs {
    /// An option that was given and means nothing for text files.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let flags = [
            (!self.key.is_empty(), "--key"),
            (self.auto_key, "--auto-key"),
            (!self.sheet.is_empty(), "--sheet"),
            (!self.ignore_sheet.is_empty(), "--ignore-sheet"),
            (!self.ignore_column.is_empty(), "--ignore-column"),
            (!self.ignore.is_empty(), "--ignore"),
            (!self.only.is_empty(), "--only"),
            (self.values_only, "--values-only"),
            (self.cached_values, "--cached-values"),
            (!self.tolerance.is_empty(), "--tolerance"),
            (self.trim, "--trim"),
            (self.header_row.is_some(), "--header-row"),
            (self.no_acts, "--no-acts"),
        ];
        let given = flags.into_iter().find(|(given, _)| *given);
        given.map(|(_, flag)| flag)
    }
}

impl LimitArgs {
    /// The limits, with those that were lifted or lowered.
    pub(crate) fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            entries: self.max_entries.unwrap_or(usual.entries),
            inflated: self.max_inflated.unwrap_or(usual.inflated),
            part: self.max_part.unwrap_or(usual.part),
            ratio: self.max_ratio.unwrap_or(usual.ratio),
            cells: self.max_cells.unwrap_or(usual.cells),
            text: self.max_text.unwrap_or(usual.text),
            shared_formulas: self.max_shared_formulas.unwrap_or(usual.shared_formulas),
        }
    }
}

/// What can be compared: cells, or something else in a workbook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    Cells,
    Beside(Aspect),
}

fn kind(text: &str) -> Result<Compared, String> {
    match text.trim() {
        "cells" => Ok(Compared::Cells),
        other => match aspect(other) {
            Ok(aspect) => Ok(Compared::Beside(aspect)),
            Err(error) => Err(format!("{error}, cells")),
        },
    }
}

impl WorkbookArgs {
    /// Whether cells are compared.
    pub(crate) fn wants_cells(&self) -> bool {
        self.only.is_empty() || self.only.contains(&Compared::Cells)
    }

    /// What is not compared apart from cells.
    pub(crate) fn left_out(&self) -> Vec<Aspect> {
        let wanted = |aspect: &Aspect| {
            !self.ignore.contains(aspect)
                && (self.only.is_empty() || self.only.contains(&Compared::Beside(*aspect)))
        };
        let all = Aspect::ALL.into_iter();
        all.filter(|aspect| !wanted(aspect)).collect()
    }
}

fn aspect(text: &str) -> Result<Aspect, String> {
    Aspect::parse(text.trim()).ok_or_else(|| {
        let known = Aspect::ALL.map(Aspect::as_str);
        format!("must be one of {}", known.join(", "))
    })
}

/// A tolerance for all columns, or `COLUMN=` before that of one.
fn tolerance(text: &str) -> Result<(Option<String>, Tolerance), String> {
    let (column, text) = match text.rsplit_once('=') {
        Some((column, text)) => (Some(column.trim()), text),
        None => (None, text),
    };
    if column.is_some_and(str::is_empty) {
        return Err("must name a column before =, as in Price=0.01".into());
    }
    let number = |text: &str| {
        let number = text.trim().parse::<f64>().ok();
        number.filter(|n| n.is_finite() && *n >= 0.0)
    };
    let read = match text.trim().strip_suffix('%') {
        Some(share) => number(share).map(|share| Tolerance::Relative(share / 100.0)),
        None => number(text).map(Tolerance::Absolute),
    };
    let read = read.map(|read| (column.map(str::to_owned), read));
    read.ok_or_else(|| "must be a number such as 0.01, or a share such as 0.1%".into())
}

/// A number of bytes, with K, M or G behind it for powers of 1024.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let upper = text.to_ascii_uppercase();
    let (digits, shift) = match upper.strip_suffix(['K', 'M', 'G']) {
        Some(digits) if upper.ends_with('K') => (digits, 10),
        Some(digits) if upper.ends_with('M') => (digits, 20),
        Some(digits) => (digits, 30),
        None => (&upper[..], 0),
    };
    let number = digits.parse::<u64>().ok();
    let number = number.and_then(|n| n.checked_mul(1 << shift));
    number.ok_or_else(|| "must be a number of bytes such as 1048576, 512M or 2G".into())
}

#[cfg(test)]
mod tests {
    use super::{bytes, tolerance};
    use mvdiff_grid::Tolerance;

    #[test]
    fn tolerances_are_absolute_or_a_share() {
        assert_eq!(tolerance("0.01"), Ok((None, Tolerance::Absolute(0.01))));
        assert_eq!(tolerance("50%"), Ok((None, Tolerance::Relative(0.5))));
        let price = Some("Price=net".to_owned());
        let of_column = Ok((price, Tolerance::Relative(0.01)));
        assert_eq!(tolerance("Price=net = 1%"), of_column);
        for text in ["", "%", "-1", "nan", "inf", "1e999", "a", "1%%", "=1", "A="] {
            assert!(tolerance(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn bytes_have_units() {
        assert_eq!(bytes("7"), Ok(7));
        assert_eq!(bytes("2k"), Ok(2048));
        assert_eq!(bytes("512M"), Ok(512 << 20));
        assert_eq!(bytes("1G"), Ok(1 << 30));
        for text in ["", "G", "-1", "1.5G", "99999999999G", "1T"] {
            assert!(bytes(text).is_err(), "{text:?}");
        }
    }
}
