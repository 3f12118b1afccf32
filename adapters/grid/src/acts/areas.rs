//! Cells as the rectangles that they fill.

use crate::{Address, Area};

/// Cells as areas: stretches of columns, and those side by side as one.
pub(crate) fn areas(mut cells: Vec<Address>) -> Vec<Area> {
    cells.sort_unstable_by_key(|at| (at.col, at.row));
    cells.dedup();
    let mut runs: Vec<Area> = Vec::new();
    for at in cells {
        match runs.last_mut() {
            Some(run) if (run.last.col, run.last.row + 1) == (at.col, at.row) => {
                run.last.row = at.row;
            }
            _ => runs.push(Area {
                first: at,
                last: at,
            }),
        }
    }
    runs.sort_unstable_by_key(|run| (run.first.row, run.last.row, run.first.col));
    let mut areas: Vec<Area> = Vec::new();
    for run in runs {
        match areas.last_mut() {
            Some(area)
                if (area.first.row, area.last.row) == (run.first.row, run.last.row)
                    && area.last.col + 1 == run.first.col =>
            {
                area.last.col = run.last.col;
            }
            _ => areas.push(run),
        }
    }
    areas
}

/// Cells in a line of text: `C2:C9 C11`.
pub(super) fn range(cells: impl IntoIterator<Item = Address>) -> String {
    let areas = areas(cells.into_iter().collect());
    let shown: Vec<String> = areas.iter().map(|area| area.shortest()).collect();
    shown.join(" ")
}

/// The smallest area around cells; none around nothing.
pub(super) fn around(cells: impl IntoIterator<Item = Address>) -> Option<Area> {
    let mut found: Option<Area> = None;
    for at in cells {
        let area = found.get_or_insert(Area {
            first: at,
            last: at,
        });
        area.first = Address::new(area.first.row.min(at.row), area.first.col.min(at.col));
        area.last = Address::new(area.last.row.max(at.row), area.last.col.max(at.col));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::range;
    use crate::Address;

    #[test]
    fn neighbours_are_one_range() {
        let cells = [(1, 2), (2, 2), (3, 2), (1, 3), (2, 3), (3, 3), (9, 0)];
        let cells = cells.map(|(row, col)| Address::new(row, col));
        assert_eq!(range(cells), "C2:D4 A10");
    }
}
