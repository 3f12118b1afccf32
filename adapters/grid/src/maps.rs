//! Where every cell went: what formulas, merged regions and names follow.

use crate::{Address, Area};
use std::ops::Range;

/// Where the rows, or the columns, of a sheet went.
///
/// Within the old extent every line has its place or none; beyond it the sheet is
/// empty and goes on, all of it by the same distance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AxisMap {
    to: Vec<Option<u32>>,
    /// Where the first line beyond `to` went.
    beyond: u32,
    /// Runs of lines that are gone, in order: formulas name ranges of a million
    /// rows, and must not walk over them.
    gone: Vec<Range<u32>>,
}

impl AxisMap {
    /// From pairs of lines, and the lengths of both sides. Lines in no pair are
    /// gone, or new.
    pub fn new(old_len: u32, new_len: u32, pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut to = vec![None; old_len as usize];
        let mut beyond = new_len;
        for (old, new) in pairs {
            if let Some(place) = to.get_mut(old as usize) {
                *place = Some(new);
            }
            beyond = beyond.max(new + 1);
        }
        let gone = runs(&to);
        Self { to, beyond, gone }
    }

    /// Where the line went; none if it is gone.
    #[inline]
    pub fn get(&self, line: u32) -> Option<u32> {
        match self.to.get(line as usize) {
            Some(place) => *place,
            None => Some(line - self.to.len() as u32 + self.beyond),
        }
    }

    /// Where the first line of a range went that is still there.
    pub fn first_in(&self, range: Range<u32>) -> Option<u32> {
        let first = match self.gone_around(range.start) {
            Some(gone) => gone.end,
            None => range.start,
        };
        range.contains(&first).then(|| self.get(first)).flatten()
    }

    /// Where the last line of a range went that is still there.
    pub fn last_in(&self, range: Range<u32>) -> Option<u32> {
        let last = range.end.checked_sub(1)?;
        let last = match self.gone_around(last) {
            Some(gone) => gone.start.checked_sub(1)?,
            None => last,
        };
        range.contains(&last).then(|| self.get(last)).flatten()
    }

    /// The run of lines that are gone around this one.
    fn gone_around(&self, line: u32) -> Option<&Range<u32>> {
        let behind = self.gone.partition_point(|run| run.end <= line);
        self.gone.get(behind).filter(|run| run.contains(&line))
    }

    /// Whether every line is where it was.
    pub fn is_identity(&self) -> bool {
        self.beyond as usize == self.to.len()
            && self.to.iter().zip(0..).all(|(to, line)| *to == Some(line))
    }

    /// The lines of the old extent, and where they went.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        let there = |(line, to): (u32, &Option<u32>)| to.map(|to| (line, to));
        (0..).zip(&self.to).filter_map(there)
    }
}

/// Runs of lines without a place.
fn runs(to: &[Option<u32>]) -> Vec<Range<u32>> {
    let mut runs: Vec<Range<u32>> = Vec::new();
    for (line, _) in (0..).zip(to).filter(|(_, to)| to.is_none()) {
        match runs.last_mut() {
            Some(run) if run.end == line => run.end += 1,
            _ => runs.push(line..line + 1),
        }
    }
    runs
}

/// A rectangle that was moved on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RectMove {
    pub from: Area,
    pub to: Address,
}

impl RectMove {
    /// Where a cell of the rectangle went.
    pub fn place(&self, at: Address) -> Option<Address> {
        self.from.contains(at).then(|| {
            let (row, col) = (at.row - self.from.first.row, at.col - self.from.first.col);
            Address::new(self.to.row + row, self.to.col + col)
        })
    }

    /// The rectangle that it covers now.
    pub fn target(&self) -> Area {
        let height = self.from.last.row - self.from.first.row;
        let width = self.from.last.col - self.from.first.col;
        let last = Address::new(self.to.row + height, self.to.col + width);
        Area {
            first: self.to,
            last,
        }
    }
}

/// Where every cell of a sheet went: by its row and its column, or with a
/// rectangle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CellMap {
    pub rows: AxisMap,
    pub cols: AxisMap,
    pub rects: Vec<RectMove>,
}

impl CellMap {
    /// Where a cell went; none if its row or column is gone.
    pub fn get(&self, at: Address) -> Option<Address> {
        let rect = self.rects.iter().find_map(|rect| rect.place(at));
        rect.or_else(|| Some(Address::new(self.rows.get(at.row)?, self.cols.get(at.col)?)))
    }

    /// Where a region went. Corners that are gone give way to the next line inside
    /// that is still there; corners that would cross change places. A region that
    /// lies in a rectangle as a whole goes with it.
    pub fn area(&self, area: Area) -> Option<Area> {
        let with = |rect: &RectMove| {
            let (first, last) = (rect.place(area.first)?, rect.place(area.last)?);
            Some(Area { first, last })
        };
        if let Some(moved) = self.rects.iter().find_map(with) {
            return Some(moved);
        }
        let (rows, cols) = (
            area.first.row..area.last.row + 1,
            area.first.col..area.last.col + 1,
        );
        let (top, bottom) = (self.rows.first_in(rows.clone())?, self.rows.last_in(rows)?);
        let (left, right) = (self.cols.first_in(cols.clone())?, self.cols.last_in(cols)?);
        Some(Area {
            first: Address::new(top.min(bottom), left.min(right)),
            last: Address::new(top.max(bottom), left.max(right)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::AxisMap;

    #[test]
    fn lines_beyond_the_extent_go_on() {
        let map = AxisMap::new(3, 4, [(0, 0), (2, 3)]);
        assert_eq!(
            [0, 1, 2, 3, 9].map(|l| map.get(l)),
            [Some(0), None, Some(3), Some(4), Some(10)]
        );
        assert_eq!(map.first_in(1..3), Some(3));
        assert_eq!(map.last_in(0..2), Some(0));
        assert_eq!(map.first_in(1..2), None);
        assert!(!map.is_identity());
        assert!(AxisMap::new(2, 2, [(0, 0), (1, 1)]).is_identity());
    }
}
