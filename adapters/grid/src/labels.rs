//! What people call the columns and rows of a sheet: the header's name, the row's key.

use crate::diff::header_row;
use crate::{Address, DiffOp, DiffReport, Grid, Options, Sheet, Value, Workbook, date};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Names of the columns and keys of the rows that a report is about, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// Columns of the new sheet.
    pub columns: BTreeMap<u32, String>,
    /// Columns of the old sheet that went.
    pub old_columns: BTreeMap<u32, String>,
    /// Rows of the new sheet: the column that the key is in, and the key.
    pub rows: BTreeMap<u32, (u32, String)>,
    /// Rows of the old sheet that went.
    pub old_rows: BTreeMap<u32, (u32, String)>,
}

impl Labels {
    /// The name of the column and the key of the row of a new cell; a key is not given for
    /// itself.
    #[must_use]
    pub fn of_cell(&self, at: Address) -> (Option<&str>, Option<&str>) {
        let header = self.columns.get(&at.col).map(String::as_str);
        let key = self.rows.get(&at.row);
        let key = key.filter(|(col, _)| *col != at.col);
        (header, key.map(|(_, key)| &**key))
    }
}

/// An operation with the names of what it is about, as JSON has it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LabelledOp<'r> {
    /// The operation.
    #[serde(flatten)]
    pub op: &'r DiffOp,
    /// The name of its column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<&'r str>,
    /// The key of its row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<&'r str>,
}

impl DiffReport {
    /// The operations with the names of the columns and the keys of the rows that they
    /// are about, where [`Options::labels`] asked for them.
    pub fn labelled_ops(&self) -> impl Iterator<Item = LabelledOp<'_>> {
        let labels: BTreeMap<&str, &Labels> = self
            .sheets
            .iter()
            .map(|told| (&*told.sheet, &told.labels))
            .collect();
        self.ops.iter().map(move |op| {
            let labels = op.sheet().and_then(|sheet| labels.get(sheet));
            let (header, key) = labels.map_or((None, None), |labels| named(op, labels));
            LabelledOp { op, header, key }
        })
    }
}

fn named<'r>(op: &DiffOp, labels: &'r Labels) -> (Option<&'r str>, Option<&'r str>) {
    let get = |names: &'r BTreeMap<u32, String>, at: &u32| names.get(at).map(String::as_str);
    let key = |keys: &'r BTreeMap<u32, (u32, String)>, at: &u32| keys.get(at).map(|key| &*key.1);
    match op {
        DiffOp::CellEdited { addr, .. }
        | DiffOp::CommentAdded { addr, .. }
        | DiffOp::CommentEdited { addr, .. } => labels.of_cell(addr.0),
        DiffOp::RowAdded { row_idx, .. } => (None, key(&labels.rows, row_idx)),
        DiffOp::RowRemoved { row_idx, .. } => (None, key(&labels.old_rows, row_idx)),
        DiffOp::ColumnAdded { col_idx, .. } => (get(&labels.columns, col_idx), None),
        DiffOp::ColumnRemoved { col_idx, .. } => (get(&labels.old_columns, col_idx), None),
        _ => (None, None),
    }
}

/// Looks up the names of what the operations of a report are about.
pub(crate) fn find(report: &mut DiffReport, [old, new]: [&Workbook; 2], options: &Options) {
    let mut by_sheet: BTreeMap<String, [BTreeSet<u32>; 4]> = BTreeMap::new();
    for op in &report.ops {
        let Some(sheet) = op.sheet() else { continue };
        let mut add = |which: usize, line: u32| {
            let lines = by_sheet.entry(sheet.to_owned()).or_default();
            lines[which].insert(line);
        };
        match op {
            DiffOp::CellEdited { addr, .. }
            | DiffOp::CommentAdded { addr, .. }
            | DiffOp::CommentEdited { addr, .. } => {
                add(0, addr.0.col);
                add(2, addr.0.row);
            }
            DiffOp::ColumnAdded { col_idx, .. } => add(0, *col_idx),
            DiffOp::ColumnRemoved { col_idx, .. } => add(1, *col_idx),
            DiffOp::RowAdded { row_idx, .. } => add(2, *row_idx),
            DiffOp::RowRemoved { row_idx, .. } => add(3, *row_idx),
            _ => {}
        }
    }
    for told in &mut report.sheets {
        let Some([cols, old_cols, rows, old_rows]) = by_sheet.remove(&told.sheet) else {
            continue;
        };
        let side = |book: &Workbook, name: &str, cols: &BTreeSet<u32>, rows: &BTreeSet<u32>| {
            let sheet = book.sheets.iter().find(|sheet| sheet.name == name);
            let grid = sheet.and_then(Sheet::grid);
            grid.map_or_else(Names::default, |grid| names(grid, cols, rows, options))
        };
        let (columns, rows) = side(new, &told.sheet, &cols, &rows);
        let (old_columns, old_rows) = side(old, &told.old_sheet, &old_cols, &old_rows);
        told.labels = Labels {
            columns,
            old_columns,
            rows,
            old_rows,
        };
    }
}

type Names = (BTreeMap<u32, String>, BTreeMap<u32, (u32, String)>);

fn names(grid: &Grid, cols: &BTreeSet<u32>, rows: &BTreeSet<u32>, options: &Options) -> Names {
    let header = options.header_row.or_else(|| header_row(grid));
    let mut columns = BTreeMap::new();
    if let Some(header) = header {
        for &col in cols {
            if let Value::Text(name) = grid.value(Address::new(header, col)) {
                columns.insert(col, short(name));
            }
        }
    }
    let below = |row: &u32| header.is_none_or(|header| *row > header);
    let key = key_column(grid, header);
    let mut keys = BTreeMap::new();
    for &row in rows.iter().filter(|row| below(row)) {
        let found = match key {
            Some(col) => shown(&grid.value(Address::new(row, col))).map(|key| (col, key)),
            None => grid.row(row).take(FIRST).find_map(|cell| match cell.value {
                Value::Text(text) if cell.formula.is_none() => {
                    Some((cell.address.col, short(text)))
                }
                _ => None,
            }),
        };
        if let Some(found) = found {
            keys.insert(row, found);
        }
    }
    (columns, keys)
}

/// Cells from the left among which the name of a row is looked for.
const FIRST: usize = 4;
/// Columns that are tried, and rows that they are judged by.
const TRIED: u32 = 12;
const JUDGED: usize = 512;

/// The leftmost column that is filled and tells nearly all rows apart.
fn key_column(grid: &Grid, header: Option<u32>) -> Option<u32> {
    let rows = grid.filled_rows().map(|(row, _)| row);
    let rows: Vec<u32> = rows
        .filter(|row| header.is_none_or(|header| *row > header))
        .take(JUDGED)
        .collect();
    if rows.len() < 2 {
        return None;
    }
    (0..grid.col_count().min(TRIED)).find(|&col| {
        let mut seen = BTreeSet::new();
        for &row in &rows {
            let cell = grid.cell(Address::new(row, col));
            if let Some(cell) = cell.filter(|cell| cell.formula.is_none()) {
                // A measured number is not a name.
                if let Value::Number(number) = cell.value
                    && number.fract() != 0.0
                {
                    return false;
                }
                seen.extend(shown(&cell.value));
            }
        }
        seen.len() * 10 >= rows.len() * 9
    })
}

/// A name is cut to what fits on a line.
const LONG: usize = 40;

fn short(text: &str) -> String {
    let text = text.trim();
    if text.chars().count() <= LONG {
        return text.to_owned();
    }
    let begin: String = text.chars().take(LONG - 1).collect();
    format!("{begin}…")
}

fn shown(value: &Value<&str>) -> Option<String> {
    match value {
        Value::Text(text) if !text.trim().is_empty() => Some(short(text)),
        Value::Number(number) => Some(number.to_string()),
        Value::Date(days) => Some(date::to_iso(*days)),
        _ => None,
    }
}
