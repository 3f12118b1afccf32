//! Rows and columns that came or went, by what they hold.

use crate::{Address, Grid, Value};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

/// Rows as ranges: `3:3 7:9`.
pub(super) fn row_range(rows: impl IntoIterator<Item = u32>) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for row in rows {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == row => *last = row,
            _ => runs.push((row, row)),
        }
    }
    let shown = runs.iter();
    let shown: Vec<String> = shown
        .map(|(first, last)| format!("{}:{}", first + 1, last + 1))
        .collect();
    shown.join(" ")
}

/// One number for what a line holds, wherever it begins: `cells` in order, by their
/// place along the line.
pub(super) fn digest<'v>(cells: impl IntoIterator<Item = (u32, Value<&'v str>)>) -> Option<Digest> {
    // Zero keys: the same bytes on every machine and in every run.
    let mut hasher = DefaultHasher::new();
    let (mut first, mut count, mut size) = (None, 0, 0);
    for (at, value) in cells {
        if value.is_empty() {
            continue;
        }
        let start = *first.get_or_insert(at);
        (at - start).hash(&mut hasher);
        value.type_name().hash(&mut hasher);
        match value {
            Value::Empty => {}
            Value::Text(text) => {
                size += text.len();
                text.hash(&mut hasher);
            }
            Value::Number(number) | Value::Date(number) | Value::Duration(number) => {
                size += 2;
                crate::value::number_key(number).hash(&mut hasher);
            }
            Value::Bool(is) => is.hash(&mut hasher),
            Value::Error(code) => code.as_str().hash(&mut hasher),
        }
        count += 1;
    }
    // A line that says little is like others by chance.
    (count >= 2 && size >= 6).then(|| Digest {
        hash: hasher.finish(),
        first: first.unwrap_or(0),
        last: 0,
        count,
    })
}

/// What a line holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digest {
    pub hash: u64,
    /// Its first filled place.
    pub first: u32,
    pub last: u32,
    pub count: usize,
}

/// The same of a row of a sheet.
pub(super) fn of_row(grid: &Grid, row: u32) -> Option<Digest> {
    let cells: Vec<(u32, Value<&str>)> = grid
        .row(row)
        .map(|cell| (cell.address.col, plain(cell.value, cell.formula)))
        .collect();
    with_last(cells)
}

/// What a cell counts for in a line: a formula follows its cells and comes to something
/// else in another place, so it counts for nothing.
pub(super) fn plain<'v>(value: Value<&'v str>, formula: Option<&str>) -> Value<&'v str> {
    match formula {
        None => value,
        Some(_) => Value::Empty,
    }
}

/// The same of cells that an operation carries.
pub(super) fn of_cells<'v>(
    cells: impl Iterator<Item = (Address, Value<&'v str>)>,
    along_row: bool,
) -> Option<Digest> {
    let place = |at: Address| if along_row { at.col } else { at.row };
    let mut cells: Vec<(u32, Value<&str>)> = cells.map(|(at, value)| (place(at), value)).collect();
    cells.sort_by_key(|(at, _)| *at);
    with_last(cells)
}

fn with_last(cells: Vec<(u32, Value<&str>)>) -> Option<Digest> {
    let last = cells.last()?.0;
    digest(cells).map(|digest| Digest { last, ..digest })
}
