//! Where every cell went: what formulas, merged regions and names follow.

use crate::{Address, Area};
use std::ops::Range;

/// Where the rows, or the columns, of a sheet went.
///
/// Within the old extent every line has its place or none; beyond it the sheet is
/// empty and goes on, all of it by the same distance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AxisMap {
    /// Lines before this one are where they were. Sheets with a cell in the last of
    /// a million rows are common enough, so only lines to which something happened
    /// are kept.
    first: u32,
    to: Vec<Option<u32>>,
    /// Where the first line behind `to` went; all others follow it.
    beyond: u32,
    /// Runs of lines that are gone, in order: formulas name ranges of a million
    /// rows, and must not walk over them.
    gone: Vec<Range<u32>>,
}

impl AxisMap {
    /// Reads operations back: lines that neither went nor moved keep their order
    /// and fill the places that are neither new nor taken by a move. What is left
    /// over on one side goes on into the emptiness beyond the other's extent.
    pub fn read_back(lines: &Lines) -> Self {
        let starts = lines.moves.iter().map(|step| step.src.min(step.dst));
        let starts = starts.chain(lines.removed.first().copied());
        let first = starts.chain(lines.added.first().copied()).min();
        let Some(first) = first else {
            return Self::default();
        };
        let ends = |own: &[u32], start: fn(&LineMove) -> u32| {
            let blocks = lines.moves.iter().map(|step| start(step) + step.len);
            let last = own.last().map(|line| line + 1);
            blocks.chain(last).max().unwrap_or(first).max(first)
        };
        let old_end = ends(&lines.removed, |step| step.src);
        let new_end = ends(&lines.added, |step| step.dst);
        let mut to = vec![Place::Free; (old_end - first) as usize];
        let mut taken = vec![false; (new_end - first) as usize];
        for &old in &lines.removed {
            to[(old - first) as usize] = Place::Gone;
        }
        for &new in &lines.added {
            taken[(new - first) as usize] = true;
        }
        for step in &lines.moves {
            for i in 0..step.len {
                to[(step.src - first + i) as usize] = Place::At(step.dst + i);
                taken[(step.dst - first + i) as usize] = true;
            }
        }
        let is_taken = |new: &u32| taken.get((new - first) as usize).copied();
        let mut free = (first..).filter(|new| is_taken(new) != Some(true));
        let mut next = || free.next().unwrap_or(u32::MAX);
        let mut to: Vec<Option<u32>> = to
            .into_iter()
            .map(|place| match place {
                Place::Free => Some(next()),
                Place::At(new) => Some(new),
                Place::Gone => None,
            })
            .collect();
        let mut beyond = next();
        while beyond < new_end {
            to.push(Some(beyond));
            beyond = next();
        }
        Self::of(first, to, beyond)
    }

    /// From pairs of lines, and the lengths of both sides. Lines in no pair are
    /// gone, or new.
    pub fn new(old_len: u32, new_len: u32, pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut to = vec![None; old_len as usize];
        for (old, new) in pairs {
            to[old as usize] = Some(new);
        }
        Self::of(0, to, new_len)
    }

    fn of(first: u32, to: Vec<Option<u32>>, beyond: u32) -> Self {
        let gone = runs(first, &to);
        Self {
            first,
            to,
            beyond,
            gone,
        }
    }

    /// Where the lines came from.
    pub fn inverse(&self) -> Self {
        let mut to = vec![None; (self.beyond - self.first) as usize];
        for (old, new) in (self.first..).zip(&self.to) {
            if let Some(new) = new {
                to[(new - self.first) as usize] = Some(old);
            }
        }
        Self::of(self.first, to, self.first + self.to.len() as u32)
    }

    /// Where the line went; none if it is gone.
    #[inline]
    pub fn get(&self, line: u32) -> Option<u32> {
        let Some(at) = line.checked_sub(self.first) else {
            return Some(line);
        };
        match self.to.get(at as usize) {
            Some(place) => *place,
            None => Some(at - self.to.len() as u32 + self.beyond),
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

    /// Where something that is at a line but not in a cell is now: there, or at the last
    /// line before that is left.
    pub fn anchored(&self, line: u32) -> u32 {
        // A file can say anything.
        if line >= crate::MAX_ROWS {
            return line;
        }
        let to = self.get(line).or_else(|| self.last_in(0..line + 1));
        to.unwrap_or(line)
    }

    /// The run of lines that are gone around this one.
    fn gone_around(&self, line: u32) -> Option<&Range<u32>> {
        let behind = self.gone.partition_point(|run| run.end <= line);
        self.gone.get(behind).filter(|run| run.contains(&line))
    }

    /// The first line from which on all lines went as far as each other.
    pub fn end(&self) -> u32 {
        self.first + self.to.len() as u32
    }

    /// Whether every line is where it was.
    pub fn is_identity(&self) -> bool {
        let stays = |(line, to): (u32, &Option<u32>)| *to == Some(line);
        self.beyond as usize == self.first as usize + self.to.len()
            && (self.first..).zip(&self.to).all(stays)
    }

    /// The first so many lines, and where they went.
    pub fn pairs(&self, lines: u32) -> impl Iterator<Item = (u32, u32)> {
        (0..lines).filter_map(|line| Some((line, self.get(line)?)))
    }
}

/// Runs of lines without a place.
fn runs(first: u32, to: &[Option<u32>]) -> Vec<Range<u32>> {
    let mut runs: Vec<Range<u32>> = Vec::new();
    for (line, _) in (first..).zip(to).filter(|(_, to)| to.is_none()) {
        match runs.last_mut() {
            Some(run) if run.end == line => run.end += 1,
            _ => runs.push(line..line + 1),
        }
    }
    runs
}

#[derive(Clone, Copy)]
enum Place {
    Free,
    At(u32),
    Gone,
}

/// What became of the rows, or the columns, of a sheet; all that is said of
/// neither stayed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lines {
    pub old_len: u32,
    pub new_len: u32,
    /// Old lines that are gone, in order.
    pub removed: Vec<u32>,
    /// New lines that came, in order.
    pub added: Vec<u32>,
    /// Blocks that went elsewhere, in old order.
    pub moves: Vec<LineMove>,
}

/// Lines that went elsewhere together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LineMove {
    pub src: u32,
    pub len: u32,
    pub dst: u32,
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
    /// Whether every cell is where it was.
    pub fn is_identity(&self) -> bool {
        self.rects.is_empty() && self.rows.is_identity() && self.cols.is_identity()
    }

    /// Where the cells came from.
    pub fn inverse(&self) -> Self {
        let back = |rect: &RectMove| RectMove {
            from: rect.target(),
            to: rect.from.first,
        };
        Self {
            rows: self.rows.inverse(),
            cols: self.cols.inverse(),
            rects: self.rects.iter().map(back).collect(),
        }
    }

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
    use super::{AxisMap, LineMove, Lines};

    #[test]
    fn lines_that_stayed_fill_the_places_that_are_left() {
        let (src, len, dst) = (4, 2, 0);
        let lines = Lines {
            old_len: 6,
            new_len: 7,
            removed: vec![1],
            added: vec![3, 6],
            moves: vec![LineMove { src, len, dst }],
        };
        let map = AxisMap::read_back(&lines);
        let places = [0, 1, 2, 3, 4, 5, 6, 9].map(|line| map.get(line));
        let expected = [
            Some(2),
            None,
            Some(4),
            Some(5),
            Some(0),
            Some(1),
            Some(7),
            Some(10),
        ];
        assert_eq!(places, expected);
        assert_eq!(map.first_in(1..3), Some(4));
        assert_eq!(map.last_in(0..2), Some(2));
        assert_eq!(map.first_in(1..2), None);
        assert!(!map.is_identity());
        assert_eq!(map.inverse().get(5), Some(3));
        assert_eq!(map.inverse().get(3), None);
    }

    #[test]
    fn what_is_left_over_goes_on_beyond_the_other_extent() {
        let wider = Lines {
            old_len: 2,
            new_len: 5,
            ..Lines::default()
        };
        let map = AxisMap::read_back(&wider);
        assert_eq!(
            [0, 1, 2, 4, 7].map(|line| map.get(line)),
            [0, 1, 2, 4, 7].map(Some)
        );
        assert!(map.is_identity());
        let (old_len, new_len) = (wider.new_len, wider.old_len);
        let narrower = Lines {
            old_len,
            new_len,
            ..Lines::default()
        };
        assert!(AxisMap::read_back(&narrower).is_identity());
    }
}
