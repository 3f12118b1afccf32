//! Ranges of a side as ranges of the result.

use super::lines::MergedLines;
use super::sheet::SheetMerge;
use crate::{Address, Area};

/// Lines of the result side by side: the first, how many, and whether ours has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub first: u32,
    pub count: u32,
    pub in_ours: bool,
}

/// Where lines of a side are in the result; beyond the last that is known all go on.
pub(super) fn runs(
    lines: &MergedLines,
    places: &[Option<u32>],
    (first, last): (u32, u32),
) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let known = places.len() as u32;
    for line in first..(last + 1).min(known) {
        let Some(to) = places[line as usize] else {
            continue;
        };
        let in_ours = lines.items[to as usize].ours.is_some();
        match runs.last_mut() {
            Some(run) if run.first + run.count == to && run.in_ours == in_ours => run.count += 1,
            _ => runs.push(Run {
                first: to,
                count: 1,
                in_ours,
            }),
        }
    }
    if last >= known {
        let from = first.max(known);
        runs.push(Run {
            first: lines.items.len() as u32 + (from - known),
            count: last - from + 1,
            in_ours: true,
        });
    }
    runs
}

/// Regions as they are printed, `A1:B2 D4`.
pub(super) fn areas(range: &str) -> Vec<Area> {
    let words = range.split_ascii_whitespace();
    words.filter_map(|word| word.parse().ok()).collect()
}

/// Regions as they are printed.
pub(super) fn sqref(areas: &[Area]) -> String {
    let words: Vec<String> = areas.iter().map(|area| area.shortest()).collect();
    words.join(" ")
}

/// What two regions have in common.
pub(super) fn common(a: Area, b: Area) -> Option<Area> {
    let first = Address::new(a.first.row.max(b.first.row), a.first.col.max(b.first.col));
    let last = Address::new(a.last.row.min(b.last.row), a.last.col.min(b.last.col));
    (first.row <= last.row && first.col <= last.col).then_some(Area { first, last })
}

/// What is left of a region without another.
pub(super) fn without(area: Area, hole: Area) -> Vec<Area> {
    let Some(hole) = common(area, hole) else {
        return vec![area];
    };
    let mut left = Vec::new();
    let mut piece = |top: u32, bottom: u32, first: u32, last: u32| {
        left.push(Area {
            first: Address::new(top, first),
            last: Address::new(bottom, last),
        });
    };
    let (a, h) = (area, hole);
    if a.first.row < h.first.row {
        piece(a.first.row, h.first.row - 1, a.first.col, a.last.col);
    }
    if a.first.col < h.first.col {
        piece(h.first.row, h.last.row, a.first.col, h.first.col - 1);
    }
    if h.last.col < a.last.col {
        piece(h.first.row, h.last.row, h.last.col + 1, a.last.col);
    }
    if h.last.row < a.last.row {
        piece(h.last.row + 1, a.last.row, a.first.col, a.last.col);
    }
    left
}

impl SheetMerge<'_> {
    /// The cells of a range of a side (0 for ours) in the result, no others; `new` asks
    /// for those only that ours does not have.
    pub fn exact(&self, side: usize, range: &str, new: bool) -> Vec<Area> {
        let (rows, cols) = if side == 0 {
            (&self.rows.of_ours, &self.cols.of_ours)
        } else {
            (&self.rows.of_theirs, &self.cols.of_theirs)
        };
        self.exact_by((rows, cols), range, new)
    }

    /// The same for lines whose places are given.
    pub fn exact_by(
        &self,
        (rows, cols): (&[Option<u32>], &[Option<u32>]),
        range: &str,
        new: bool,
    ) -> Vec<Area> {
        let mut found = Vec::new();
        for area in areas(range) {
            let rows = runs(&self.rows, rows, (area.first.row, area.last.row));
            let cols = runs(&self.cols, cols, (area.first.col, area.last.col));
            for row in &rows {
                for col in &cols {
                    if new && row.in_ours && col.in_ours {
                        continue;
                    }
                    found.push(Area {
                        first: Address::new(row.first, col.first),
                        last: Address::new(row.first + row.count - 1, col.first + col.count - 1),
                    });
                }
            }
        }
        joined(found)
    }
}

/// Regions side by side as one.
fn joined(areas: Vec<Area>) -> Vec<Area> {
    let mut joined: Vec<Area> = Vec::new();
    for area in areas {
        match joined.last_mut() {
            Some(last)
                if (last.first.row, last.last.row) == (area.first.row, area.last.row)
                    && last.last.col + 1 == area.first.col =>
            {
                last.last.col = area.last.col;
            }
            _ => joined.push(area),
        }
    }
    let mut rows: Vec<Area> = Vec::new();
    for area in joined {
        match rows.last_mut() {
            Some(last)
                if (last.first.col, last.last.col) == (area.first.col, area.last.col)
                    && last.last.row + 1 == area.first.row =>
            {
                last.last.row = area.last.row;
            }
            _ => rows.push(area),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::{areas, sqref, without};

    #[test]
    fn a_hole_leaves_what_is_around_it() {
        let hole = |area: &str, hole: &str| sqref(&without(areas(area)[0], areas(hole)[0]));
        assert_eq!(hole("A1:D4", "B2:C3"), "A1:D1 A2:A3 D2:D3 A4:D4");
        assert_eq!(hole("A1:D4", "F6"), "A1:D4");
        assert_eq!(hole("B2", "A1:C3"), "");
    }
}
