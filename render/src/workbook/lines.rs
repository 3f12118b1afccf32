//! Rows, columns and blocks as spreadsheet programs number them.

use super::value::{exact, readable, shorten};
use mvdiff_grid::{Address, DiffOp, PlacedCell, column_name};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// `5-8`, counted from one, or `5`.
pub(super) fn rows(start: u32, count: u32) -> String {
    match count {
        1 => format!("{}", u64::from(start) + 1),
        _ => format!(
            "{}-{}",
            u64::from(start) + 1,
            u64::from(start) + u64::from(count)
        ),
    }
}

/// `C-E`, or `C`.
pub(super) fn columns(start: u32, count: u32) -> String {
    match count {
        1 => column_name(start),
        _ => format!("{}-{}", column_name(start), column_name(end(start, count))),
    }
}

/// `B2:D5`, or `B2`.
pub(super) fn area(row: u32, rows: u32, col: u32, cols: u32) -> String {
    let first = Address::new(row, col);
    if (rows, cols) == (1, 1) {
        return first.to_string();
    }
    format!("{first}:{}", Address::new(end(row, rows), end(col, cols)))
}

/// A line as programs number it.
pub(super) fn nth(line: u32) -> u64 {
    u64::from(line) + 1
}

/// So many lines from one on; a report may say what it likes.
pub(super) fn span(start: u32, count: u32) -> std::ops::Range<u32> {
    start..start.saturating_add(count)
}

/// The last of so many lines; a report may say what it likes.
pub(super) fn end(start: u32, count: u32) -> u32 {
    start.saturating_add(count.saturating_sub(1))
}

/// A sheet's name as formulas have it.
pub(super) fn sheet_name(name: &str) -> String {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let simple = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && name.chars().all(word);
    if simple {
        return name.to_owned();
    }
    format!("'{}'", super::value::escaped(&name.replace('\'', "''")))
}

/// Which coordinate distinguishes the cells of a line.
#[derive(Clone, Copy)]
pub(super) enum Along {
    /// A row, whose cells are in columns.
    Row,
    /// A column, whose cells are in rows.
    Column,
}

impl Along {
    fn place(self, at: Address) -> u32 {
        match self {
            Self::Row => at.col,
            Self::Column => at.row,
        }
    }
}

/// Cells of a line in the text form.
const EXACT: usize = 32;

/// `A:1010 B:"cedar"`; of very many only the first.
pub(super) fn exact_line(cells: &[PlacedCell], along: Along) -> String {
    let mut text = String::new();
    for cell in cells.iter().take(EXACT) {
        if !text.is_empty() {
            text.push(' ');
        }
        let at = cell.addr.0;
        let place = match along {
            Along::Row => column_name(at.col),
            Along::Column => nth(at.row).to_string(),
        };
        let _ = write!(text, "{place}:{}", exact(&cell.cell));
    }
    if cells.len() > EXACT {
        let _ = write!(text, " … {} cells", cells.len());
    }
    text
}

/// How wide a line's cells are shown in all, and each of them.
const PREVIEW: usize = 60;
const CELL: usize = 24;

/// `1010 │ cedar │ 12.5 │ …`
pub(super) fn preview(cells: &[PlacedCell], along: Along) -> String {
    let mut text = String::new();
    let mut next = 0;
    for cell in cells {
        let place = along.place(cell.addr.0);
        let blanks = place.saturating_sub(next) as usize;
        let shown = shorten(&readable(&cell.cell), CELL);
        let width = text.chars().count() + shown.chars().count() + 3 * (blanks + 1);
        if width > PREVIEW && !text.is_empty() {
            text.push_str(" │ …");
            return text;
        }
        if next > 0 || place > 0 {
            let bars = if next > 0 { blanks + 1 } else { blanks };
            // A line that begins far out has no row of bars before it.
            let bars = if bars > 8 { 1 } else { bars };
            for _ in 0..bars {
                text.push_str(" │ ");
            }
        }
        text.push_str(&shown);
        next = place.saturating_add(1);
    }
    if text.is_empty() {
        text.push_str("(empty)");
    }
    text.trim_start().to_owned()
}

/// The columns that distinguish neighbouring rows; all of them if none does. What all rows
/// of a run have in common says nothing about one of them.
pub(super) fn telling(lines: &[&[PlacedCell]]) -> BTreeSet<u32> {
    let mut columns: BTreeMap<u32, (usize, bool, Option<&PlacedCell>)> = BTreeMap::new();
    for cell in lines.iter().copied().flatten() {
        let column = columns.entry(cell.addr.0.col).or_default();
        let (count, different, first) = column;
        *count += 1;
        match first {
            None => *first = Some(cell),
            Some(one) => *different |= one.cell != cell.cell,
        }
    }
    let some = columns
        .iter()
        .filter(|(_, (count, different, _))| *different || *count < lines.len());
    let some: BTreeSet<u32> = some.map(|(col, _)| *col).collect();
    if some.is_empty() {
        columns.into_keys().collect()
    } else {
        some
    }
}

/// Neighbouring rows or columns that all came or all went.
pub(super) struct Run<'r> {
    pub start: u32,
    pub lines: Vec<&'r [PlacedCell]>,
}

/// Joins neighbours; `pick` takes the operations that are meant.
pub(super) fn runs<'r>(
    ops: &[&'r DiffOp],
    pick: impl Fn(&'r DiffOp) -> Option<(u32, &'r [PlacedCell])>,
) -> Vec<Run<'r>> {
    let mut picked: Vec<_> = ops.iter().filter_map(|op| pick(op)).collect();
    picked.sort_by_key(|(at, _)| *at);
    let mut runs: Vec<Run<'r>> = Vec::new();
    for (at, cells) in picked {
        match runs.last_mut() {
            Some(run) if run.start.saturating_add(run.lines.len() as u32) == at => {
                run.lines.push(cells);
            }
            _ => runs.push(Run {
                start: at,
                lines: vec![cells],
            }),
        }
    }
    runs
}
