//! Rows that went because of what they held in one column.

use super::{Ops, lines::row_range};
use crate::diff::header_row;
use crate::{
    Address, DiffOp, DiffReport, FilterAct, GoneRow, Grid, PlacedCell, Value, Workbook, column_name,
};
use std::collections::{BTreeMap, BTreeSet};

/// Fewer rows than these have something in common by chance.
const LEAST: usize = 3;
/// Columns that are looked at.
const COLUMNS: u32 = 64;
/// Values that a filter may name.
const VALUES: usize = 4;

pub(super) fn fold(ops: &mut Ops, report: &DiffReport, old: &Workbook) {
    let mut by_sheet: BTreeMap<String, Vec<(usize, u32)>> = BTreeMap::new();
    for (at, op) in ops.left() {
        if let DiffOp::RowRemoved { sheet, row_idx, .. } = op {
            let rows = by_sheet.entry(sheet.clone()).or_default();
            rows.push((at, *row_idx));
        }
    }
    for (sheet, mut rows) in by_sheet {
        if came_back(ops, &sheet) {
            continue;
        }
        rows.sort_by_key(|(_, row)| *row);
        let runs = rows.windows(2).filter(|w| w[0].1 + 1 != w[1].1).count() + 1;
        // A single block was simply deleted.
        if rows.len() < LEAST || runs < 2 {
            continue;
        }
        let told = report.sheets.iter().find(|told| told.sheet == sheet);
        let was = told.and_then(|told| old.sheets.iter().find(|s| s.name == told.old_sheet));
        let Some(grid) = was.and_then(|was| was.grid()) else {
            continue;
        };
        let gone: BTreeSet<u32> = rows.iter().map(|(_, row)| *row).collect();
        let header = header_row(grid);
        let Some((col, condition)) = condition(grid, &gone, header) else {
            continue;
        };
        let which: Vec<usize> = rows.iter().map(|(at, _)| *at).collect();
        let rows = ops.take(&which).into_iter().filter_map(|op| match op {
            DiffOp::RowRemoved { row_idx, cells, .. } => Some(GoneRow { row_idx, cells }),
            _ => None,
        });
        let act = FilterAct {
            sheet,
            range: row_range(gone.iter().copied()),
            column: column_name(col),
            header: header.and_then(|row| match grid.value(Address::new(row, col)) {
                Value::Text(text) => Some(text.to_owned()),
                _ => None,
            }),
            condition,
            rows: rows.collect(),
        };
        ops.put(&which, DiffOp::RowsFiltered(act));
    }
}

/// Whether a row of a sheet that went came elsewhere in it: no one filters a row out and
/// writes it again.
fn came_back(ops: &Ops, sheet: &str) -> bool {
    let content = |cells: &[PlacedCell]| -> String {
        let of_cell = |placed: &PlacedCell| format!("{} {:?};", placed.addr.0.col, placed.cell);
        cells.iter().map(of_cell).collect()
    };
    let gone: BTreeSet<String> = ops
        .left()
        .filter_map(|(_, op)| match op {
            DiffOp::RowRemoved {
                sheet: of, cells, ..
            } if of == sheet => Some(content(cells)),
            _ => None,
        })
        .collect();
    ops.left().any(|(_, op)| match op {
        DiffOp::RowAdded {
            sheet: of, cells, ..
        } if of == sheet => gone.contains(&content(cells)),
        _ => false,
    })
}

/// The first column in which all rows that went have something that no other row has.
fn condition(grid: &Grid, gone: &BTreeSet<u32>, header: Option<u32>) -> Option<(u32, String)> {
    let stay: Vec<u32> = grid
        .filled_rows()
        .map(|(row, _)| row)
        .filter(|row| !gone.contains(row) && header.is_none_or(|header| *row > header))
        .collect();
    if stay.is_empty() || header.is_some_and(|header| gone.first() <= Some(&header)) {
        return None;
    }
    let columns = 0..grid.col_count().min(COLUMNS);
    let at = |row: u32, col: u32| grid.value(Address::new(row, col));
    let values =
        |col: u32| -> BTreeSet<String> { gone.iter().map(|row| shown(&at(*row, col))).collect() };
    // One value says more than several, and those more than a bound.
    for most in [1, VALUES] {
        for col in columns.clone() {
            let values = values(col);
            if values.len() > most || values.len() * 2 > gone.len() {
                continue;
            }
            if stay
                .iter()
                .all(|row| !values.contains(&shown(&at(*row, col))))
            {
                let values: Vec<String> = values.into_iter().collect();
                return Some((col, format!("= {}", values.join(", "))));
            }
        }
    }
    let number = |row: &u32, col: u32| match at(*row, col) {
        Value::Number(number) => Some(number),
        _ => None,
    };
    for col in columns {
        let went: Option<Vec<f64>> = gone.iter().map(|row| number(row, col)).collect();
        let left: Option<Vec<f64>> = stay.iter().map(|row| number(row, col)).collect();
        let (Some(went), Some(left)) = (went, left) else {
            continue;
        };
        let ends = |all: &[f64]| {
            let low = all.iter().copied().fold(f64::INFINITY, f64::min);
            (low, all.iter().copied().fold(f64::NEG_INFINITY, f64::max))
        };
        let ((low, high), (least, most)) = (ends(&went), ends(&left));
        if went.len() > LEAST && left.len() > LEAST {
            if high < least {
                return Some((col, format!("<= {high}")));
            }
            if low > most {
                return Some((col, format!(">= {low}")));
            }
        }
    }
    None
}

fn shown(value: &Value<&str>) -> String {
    match value {
        Value::Empty => "(empty)".to_owned(),
        Value::Text(text) => (*text).to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(is) => if *is { "TRUE" } else { "FALSE" }.to_owned(),
        Value::Date(days) | Value::Duration(days) => crate::date::to_iso(*days),
        Value::Error(code) => code.as_str().to_owned(),
    }
}
