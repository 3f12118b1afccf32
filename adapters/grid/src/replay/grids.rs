//! One sheet: cells go by the map, then what came is placed, then edits are written.

use crate::cell_map::{CellMap, LineMove};
use crate::formula::{Formula, Shift};
use crate::replay::plan::Plan;
use crate::workbook_map::SeenFrom;
use crate::{Address, CellData, Grid, GridBuilder, MAX_COLS, MAX_ROWS};
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
) -> Result<Grid, String> {
    let mut cells: BTreeMap<Address, CellData> = BTreeMap::new();
    for cell in old.cells() {
        let Some(to) = place(map, cell.address) else {
            continue;
        };
        let mut data = cell.to_data();
        data.array = cell.array.and_then(|area| map.area(area));
        data.formula = cell.formula.map(|formula| {
            if to == cell.address && plan.kept.iter().any(|area| area.contains(to)) {
                return formula.to_owned();
            }
            let shift = shift(plan, cell.address);
            let formula = Formula::parse(formula).follow_shifted(places, shift);
            formula.into_owned()
        });
        cells.insert(to, data);
    }
    for cell in &plan.added {
        cells.insert(cell.addr.0, cell.cell.clone());
    }
    for edit in &plan.edits {
        if edit.to.is_empty() {
            cells.remove(&edit.at);
        } else {
            cells.insert(edit.at, edit.to.clone());
        }
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
        if let Some(area) = cell.array {
            grid.array(*at, area);
        }
    }
    grid.finish().map_err(|error| error.to_string())
}

/// Where a cell goes; nowhere if its line is gone, or a rectangle takes its place.
pub(crate) fn place(map: &CellMap, at: Address) -> Option<Address> {
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
