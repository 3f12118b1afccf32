//! One sheet: cells go by the map, then what came is placed, then edits are written.

use crate::atlas::SeenFrom;
use crate::formula::{Formula, Shift};
use crate::maps::{CellMap, LineMove};
use crate::replay::plan::Plan;
use crate::{Address, CellData, Grid, GridBuilder, MAX_COLS, MAX_ROWS, ReportMode};
use std::collections::BTreeMap;

/// The new cells of a sheet.
///
/// # Errors
/// When a cell would come to lie outside a sheet; it says which.
pub(crate) fn apply(
    old: &Grid,
    plan: &Plan<'_>,
    map: &CellMap,
    places: &SeenFrom<'_>,
    mode: ReportMode,
) -> Result<Grid, String> {
    let mut cells: BTreeMap<Address, CellData> = BTreeMap::new();
    for cell in old.cells() {
        let Some(to) = place(map, cell.address) else {
            continue;
        };
        let mut data = cell.to_data();
        data.formula = cell.formula.map(|formula| {
            let shift = shift(plan, cell.address);
            let formula = Formula::parse(formula).follow_shifted(places, shift);
            formula.into_owned()
        });
        cells.insert(to, data);
    }
    match mode {
        ReportMode::Grid => {
            for cell in &plan.added {
                cells.insert(cell.addr.0, cell.cell.clone());
            }
            for edit in &plan.edits {
                write(&mut cells, edit.at, edit.to);
            }
        }
        ReportMode::Keyed => keyed(&mut cells, plan, map),
    }
    let mut grid = GridBuilder::default();
    for (at, cell) in &cells {
        if at.row >= MAX_ROWS || at.col >= MAX_COLS {
            return Err(format!(
                "a cell would lie in row {}, column {}",
                at.row, at.col
            ));
        }
        grid.push(*at, cell.value.as_str(), cell.formula.as_deref());
    }
    grid.finish().map_err(|error| error.to_string())
}

/// Where a cell goes; nowhere if its line is gone, or a rectangle takes its place.
fn place(map: &CellMap, at: Address) -> Option<Address> {
    if let Some(to) = map.rects.iter().find_map(|rect| rect.place(at)) {
        return Some(to);
    }
    let to = map.get(at)?;
    let covered = map.rects.iter().any(|rect| rect.target().contains(to));
    (!covered).then_some(to)
}

fn shift(plan: &Plan<'_>, at: Address) -> Shift {
    let far = |moves: &[LineMove], line: u32| {
        let step = moves
            .iter()
            .find(|m| (m.src..m.src + m.len).contains(&line));
        step.map(|step| i64::from(step.dst) - i64::from(step.src))
    };
    Shift {
        rows: far(&plan.relative_rows, at.row),
        cols: far(&plan.relative_cols, at.col),
    }
}

fn write(cells: &mut BTreeMap<Address, CellData>, at: Address, data: &CellData) {
    if data.is_empty() {
        cells.remove(&at);
    } else {
        cells.insert(at, data.clone());
    }
}

/// In a table of keyed rows their order is no matter: rows that stay keep theirs,
/// edits find them by where they were, and rows that came stand behind them.
fn keyed(cells: &mut BTreeMap<Address, CellData>, plan: &Plan<'_>, map: &CellMap) {
    for edit in &plan.edits {
        if let Some(row) = map.rows.get(edit.from.row) {
            write(cells, Address::new(row, edit.at.col), edit.to);
        }
    }
    let end = cells.last_key_value().map_or(0, |(at, _)| at.row + 1);
    let added = &plan.rows.added;
    for cell in &plan.added {
        let at = cell.addr.0;
        let row = match added.binary_search(&at.row) {
            Ok(number) => end + number as u32,
            Err(_) => at.row,
        };
        cells.insert(Address::new(row, at.col), cell.cell.clone());
    }
}
