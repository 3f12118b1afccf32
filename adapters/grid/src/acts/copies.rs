//! Sheets that came as copies of others.

use super::{Ops, transpose};
use crate::{
    CellChange, CellData, CopyAct, DiffOp, FormulaDiff, Grid, GridBuilder, Placed, PlacedCell,
    Sheet, Workbook,
};

/// Fewer cells than these are alike by chance.
const LEAST: usize = 6;

pub(super) fn fold(ops: &mut Ops, old: &Workbook) {
    let added: Vec<usize> = ops
        .left()
        .filter(|(_, op)| matches!(op, DiffOp::SheetAdded { .. }))
        .map(|(at, _)| at)
        .collect();
    for at in added {
        let Some(DiffOp::SheetAdded { sheet, cells, .. }) = &ops.plain[at] else {
            continue;
        };
        let Some((from, transposed, edits)) = source(cells, old) else {
            continue;
        };
        let act = CopyAct {
            sheet: sheet.clone(),
            from_sheet: from.to_owned(),
            transposed,
            edits,
            ops: ops.take(&[at]),
        };
        ops.put(&[at], DiffOp::SheetCopied(act));
    }
}

/// The sheet that these cells are most likely a copy of, and what is different.
fn source<'b>(cells: &[PlacedCell], old: &'b Workbook) -> Option<(&'b str, bool, Vec<CellChange>)> {
    if cells.len() < LEAST {
        return None;
    }
    let mut best: Option<(usize, &Sheet, &Grid)> = None;
    for sheet in &old.sheets {
        let Some(grid) = sheet.grid() else { continue };
        let same = cells.iter().filter(|cell| {
            let was = grid.cell(cell.addr.0);
            was.is_some_and(|was| is_same(&was.to_data(), &cell.cell))
        });
        let same = same.count();
        let all = cells.len().max(grid.cell_count());
        // Two thirds: a table of the same kind has its headers in common, too.
        if same >= LEAST && same * 3 >= all * 2 && best.is_none_or(|(most, ..)| same > most) {
            best = Some((same, sheet, grid));
        }
    }
    if let Some((_, sheet, grid)) = best {
        return Some((&sheet.name, false, differences(cells, grid)));
    }
    let made = made(cells)?;
    let sheet = old.sheets.iter().find(|sheet| {
        let grid = sheet.grid();
        grid.is_some_and(|grid| transpose::is_transposed(grid, &made) == Some(0))
    });
    sheet.map(|sheet| (&*sheet.name, true, Vec::new()))
}

fn made(cells: &[PlacedCell]) -> Option<Grid> {
    let mut grid = GridBuilder::default();
    for PlacedCell { addr, cell } in cells {
        grid.push(addr.0, cell.value.as_str(), cell.formula.as_deref());
    }
    grid.finish().ok()
}

fn is_same(was: &CellData, is: &CellData) -> bool {
    match (&was.formula, &is.formula) {
        (None, None) => was.value.same(&is.value),
        (Some(was), Some(is)) => crate::formula::same(was, is),
        _ => false,
    }
}

/// What the copy holds in other places, and what it lacks.
fn differences(cells: &[PlacedCell], source: &Grid) -> Vec<CellChange> {
    let copy: std::collections::BTreeMap<Placed, &CellData> =
        cells.iter().map(|cell| (cell.addr, &cell.cell)).collect();
    let change = |addr: Placed, from: CellData, to: CellData| CellChange {
        addr,
        from_addr: addr,
        formula_diff: match (&from.formula, &to.formula) {
            (None, None) => None,
            (None, Some(_)) => Some(FormulaDiff::Added),
            (Some(_), None) => Some(FormulaDiff::Removed),
            (Some(_), Some(_)) => Some(FormulaDiff::Semantic),
        },
        from,
        to,
        header: None,
        key: None,
    };
    let mut changes = Vec::new();
    for cell in source.cells() {
        let (addr, was) = (Placed(cell.address), cell.to_data());
        let is = copy.get(&addr).copied().cloned().unwrap_or_default();
        if !is_same(&was, &is) {
            changes.push(change(addr, was, is));
        }
    }
    for (addr, cell) in copy {
        if source.cell(addr.0).is_none() {
            changes.push(change(addr, CellData::default(), cell.clone()));
        }
    }
    changes.sort_by_key(|change| change.addr);
    changes
}
