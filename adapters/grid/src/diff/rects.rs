//! Rectangles that went elsewhere while rows and columns stayed.
//!
//! Looked for only among cells that rows and columns do not explain. A cell that
//! occurs once among those that went and once among those that came says how far it
//! went; cells that went equally far, side by side, are a rectangle.

use crate::cell_map::{AxisMap, Lines, RectMove};
use crate::diff::rows::Rows;
use crate::keys::{Keyed, NOTHING, mix};
use crate::{Address, Area};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

/// Cells of a side that changed, beyond which no rectangle is looked for.
const MOST_CHANGED: usize = 1 << 20;

/// Cells looked at while rectangles grow and are weighed, beyond which those are
/// taken that are known.
const MOST_LOOKS: u64 = 1 << 24;

/// Cells that rows and columns do not explain.
pub(crate) struct Changed {
    sides: [HashMap<Address, u64>; 2],
    /// There were more than [`MOST_CHANGED`].
    pub too_many: bool,
    /// Cells that may still be looked at.
    left: Cell<u64>,
}

impl Changed {
    /// Collects them.
    pub fn new(sides: [&Keyed<'_>; 2], rows: &Rows<'_, '_>, maps: [&AxisMap; 2]) -> Self {
        let [row_map, col_map] = maps;
        let mut changed = Self {
            sides: [HashMap::new(), HashMap::new()],
            too_many: false,
            left: Cell::new(MOST_LOOKS),
        };
        let new_rows = sides[1].grid.row_count();
        let back = row_map.inverse();
        for (row, _) in sides[0].grid.filled_rows() {
            let to = row_map.get(row).filter(|to| *to < new_rows);
            if to.is_some_and(|to| rows.is_equal(row, to)) {
                continue;
            }
            let there: HashMap<u32, u64> =
                to.map_or_else(HashMap::new, |to| sides[1].row(to).collect());
            for (col, key) in sides[0].row(row) {
                let image = col_map.get(col).and_then(|to| there.get(&to));
                if image != Some(&key) {
                    changed.sides[0].insert(Address::new(row, col), key);
                }
            }
            changed.too_many |= changed.sides[0].len() > MOST_CHANGED;
            if changed.too_many {
                return changed;
            }
        }
        let old_rows = sides[0].grid.row_count();
        let came_from = col_map.inverse();
        for (row, _) in sides[1].grid.filled_rows() {
            let from = back.get(row).filter(|from| *from < old_rows);
            if from.is_some_and(|from| rows.is_equal(from, row)) {
                continue;
            }
            let there: HashMap<u32, u64> =
                from.map_or_else(HashMap::new, |from| sides[0].row(from).collect());
            for (col, key) in sides[1].row(row) {
                let image = came_from.get(col).and_then(|from| there.get(&from));
                if image != Some(&key) {
                    changed.sides[1].insert(Address::new(row, col), key);
                }
            }
            changed.too_many |= changed.sides[1].len() > MOST_CHANGED;
            if changed.too_many {
                return changed;
            }
        }
        changed
    }

    /// Whether there was too much to look at, and rectangles may be missing.
    pub fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Looks at so many cells; false if that is too many.
    fn look(&self, cells: u64) -> bool {
        let left = self.left.get().saturating_sub(cells);
        self.left.set(left);
        left > 0
    }

    /// Lets no more than so many cells be looked at.
    pub fn limit(&self, cells: u64) {
        self.left.set(cells);
    }

    /// Rectangles that may have moved, the largest first, none overlapping another
    /// on either side. `maps` say where rows and columns went.
    pub fn candidates(&self, sides: [&Keyed<'_>; 2], maps: [&AxisMap; 2]) -> Vec<RectMove> {
        let lines = Went::new(sides, maps);
        let once = [0, 1].map(|side: usize| {
            let mut places: HashMap<u64, Option<Address>> = HashMap::new();
            let mut add = |key: u64, at: Address| {
                let place = places.entry(key);
                place.and_modify(|place| *place = None).or_insert(Some(at));
            };
            for (at, key) in &self.sides[side] {
                add(*key, *at);
                // What occurs everywhere may occur once next to its neighbours.
                if let Some(key) = self.corner(side, *at, *key) {
                    add(key, *at);
                }
            }
            places
        });
        let mut by_distance: BTreeMap<(i64, i64), Vec<Address>> = BTreeMap::new();
        for (key, from) in &once[0] {
            let to = once[1].get(key).copied().flatten();
            if let (Some(from), Some(to)) = (*from, to) {
                by_distance
                    .entry(distance(from, to))
                    .or_default()
                    .push(from);
            }
        }
        let mut found: Vec<(i64, RectMove)> = Vec::new();
        // What is where it was did not move, whatever happened around it.
        by_distance.remove(&(0, 0));
        for (far, mut cells) in by_distance {
            cells.sort_unstable();
            cells.dedup();
            for area in self.clusters(&cells, far) {
                let to = shift(area.first, far);
                let rect = to.map(|to| RectMove { from: area, to });
                let gain = rect.and_then(|rect| Some((self.gain(&lines, rect)?, rect)));
                found.extend(gain);
            }
        }
        found.sort_by_key(|(gain, rect)| (-gain, *rect));
        let mut taken: Vec<RectMove> = Vec::new();
        for (_, rect) in found {
            let apart = |other: &RectMove| {
                !overlap(other.from, rect.from) && !overlap(other.target(), rect.target())
            };
            if !self.look(taken.len() as u64 + 1) {
                break;
            }
            if taken.iter().all(apart) {
                taken.push(rect);
            }
        }
        taken
    }

    /// A number for four changed cells, of which this is the first.
    fn corner(&self, side: usize, at: Address, key: u64) -> Option<u64> {
        let cells = &self.sides[side];
        let near = |down: u32, right: u32| {
            let at = Address::new(at.row + down, at.col + right);
            cells.get(&at).copied()
        };
        let rest = mix(near(0, 1)?, mix(near(1, 0)?, near(1, 1)?));
        Some(mix(key, rest))
    }

    /// Cells that went equally far, at most one apart, as rectangles around them,
    /// grown over changed cells that went as far and are not alone in what they
    /// hold.
    fn clusters(&self, cells: &[Address], far: (i64, i64)) -> Vec<Area> {
        let mut areas: Vec<Area> = Vec::new();
        // Cells come row by row, so areas that ended rows ago take no more.
        let mut open: Vec<Area> = Vec::new();
        for &cell in cells {
            let mut area = Area {
                first: cell,
                last: cell,
            };
            let (still, done) = open.into_iter().partition(|a| a.last.row + 2 >= cell.row);
            open = still;
            areas.extend::<Vec<Area>>(done);
            // Joining may make two areas touch that did not before.
            self.look(open.len() as u64);
            while let Some(at) = open.iter().position(|other| touch(*other, area)) {
                area = around(open.swap_remove(at), area);
            }
            open.push(area);
        }
        areas.extend(open);
        let went = |at: Address| {
            let key = self.sides[0].get(&at);
            key.is_some() && shift(at, far).and_then(|to| self.sides[1].get(&to)) == key
        };
        areas.sort_unstable();
        for area in &mut areas {
            while let Some(larger) = grown(*area, &went) {
                *area = larger;
                let around = area.last.row - area.first.row + area.last.col - area.first.col;
                if !self.look(2 * u64::from(around) + 4) {
                    break;
                }
            }
        }
        areas.dedup();
        areas
    }

    /// How many operations fewer there are if this rectangle moved; none if that
    /// is not fewer, or too little speaks for it.
    fn gain(&self, lines: &Went<'_, '_>, rect: RectMove) -> Option<i64> {
        let sides = lines.sides;
        let target = rect.target();
        let (mut saved, mut spent, mut went, mut clean) = (0, 1, 0, true);
        let size = |first: u32, last: u32| u64::from(last - first) + 1;
        let rows = size(rect.from.first.row, rect.from.last.row);
        if !self.look(rows * size(rect.from.first.col, rect.from.last.col)) {
            return None;
        }
        for row in rect.from.first.row..=rect.from.last.row {
            for col in rect.from.first.col..=rect.from.last.col {
                let at = Address::new(row, col);
                let to = rect.place(at)?;
                let (old, new) = (sides[0].key(at), sides[1].key(to));
                if old == new && old != NOTHING {
                    went += 1;
                } else if old != new {
                    spent += 1;
                    clean = false;
                }
                // What was at the target, and what is at the source now, has
                // to be reported; unless they are one place of two rectangles.
                let (before, after) = (lines.back(to), lines.there(at));
                let held = before.map_or(NOTHING, |at| sides[0].key(at));
                let now = after.map_or(NOTHING, |at| sides[1].key(at));
                let own = before.is_some_and(|at| rect.from.contains(at));
                if held != NOTHING && !own {
                    spent += 1;
                    clean = false;
                }
                if now != NOTHING && !after.is_some_and(|at| target.contains(at)) {
                    spent += 1;
                    clean = false;
                }
                saved += i64::from(self.sides[0].contains_key(&at) || now != old)
                    + i64::from(self.sides[1].contains_key(&to) && !own);
            }
        }
        let enough = went >= 2 || (went == 1 && clean);
        (enough && saved > spent).then_some(saved - spent)
    }
}

/// Both sides, and where their rows and columns went.
struct Went<'k, 'g> {
    sides: [&'k Keyed<'g>; 2],
    /// Of rows and of columns.
    maps: [&'k AxisMap; 2],
    back: [AxisMap; 2],
}

impl<'k, 'g> Went<'k, 'g> {
    fn new(sides: [&'k Keyed<'g>; 2], maps: [&'k AxisMap; 2]) -> Self {
        let back = maps.map(AxisMap::inverse);
        Self { sides, maps, back }
    }

    /// Where an old place is now.
    fn there(&self, at: Address) -> Option<Address> {
        let [rows, cols] = self.maps;
        Some(Address::new(rows.get(at.row)?, cols.get(at.col)?))
    }

    /// Where a new place was.
    fn back(&self, at: Address) -> Option<Address> {
        let [rows, cols] = &self.back;
        Some(Address::new(rows.get(at.row)?, cols.get(at.col)?))
    }
}

/// Whether the rows and columns of a rectangle stayed, on both sides.
pub(crate) fn stayed(rect: RectMove, rows: &Lines, cols: &Lines) -> bool {
    let stays = |lines: &Lines, from: (u32, u32), to: (u32, u32)| {
        let old = |line: &u32| (from.0..=from.1).contains(line);
        let new = |line: &u32| (to.0..=to.1).contains(line);
        let moved = |m: &crate::cell_map::LineMove| {
            (m.src..m.src + m.len).any(|line| old(&line))
                || (m.dst..m.dst + m.len).any(|line| new(&line))
        };
        !lines.removed.iter().any(old)
            && !lines.added.iter().any(new)
            && !lines.moves.iter().any(moved)
    };
    let target = rect.target();
    stays(
        rows,
        (rect.from.first.row, rect.from.last.row),
        (target.first.row, target.last.row),
    ) && stays(
        cols,
        (rect.from.first.col, rect.from.last.col),
        (target.first.col, target.last.col),
    )
}

fn distance(from: Address, to: Address) -> (i64, i64) {
    (
        i64::from(to.row) - i64::from(from.row),
        i64::from(to.col) - i64::from(from.col),
    )
}

fn shift(at: Address, far: (i64, i64)) -> Option<Address> {
    let row = u32::try_from(i64::from(at.row) + far.0).ok()?;
    let col = u32::try_from(i64::from(at.col) + far.1).ok()?;
    Some(Address::new(row, col))
}

fn overlap(a: Area, b: Area) -> bool {
    a.first.row <= b.last.row
        && b.first.row <= a.last.row
        && a.first.col <= b.last.col
        && b.first.col <= a.last.col
}

/// Whether at most one line lies between.
fn touch(a: Area, b: Area) -> bool {
    a.first.row <= b.last.row + 2
        && b.first.row <= a.last.row + 2
        && a.first.col <= b.last.col + 2
        && b.first.col <= a.last.col + 2
}

fn around(a: Area, b: Area) -> Area {
    Area {
        first: Address::new(a.first.row.min(b.first.row), a.first.col.min(b.first.col)),
        last: Address::new(a.last.row.max(b.last.row), a.last.col.max(b.last.col)),
    }
}

/// The area with one more line at one of its sides, if something in that line went
/// along.
fn grown(area: Area, went: &impl Fn(Address) -> bool) -> Option<Area> {
    let (top, left) = (area.first.row, area.first.col);
    let (bottom, right) = (area.last.row, area.last.col);
    let row = |row: u32| (left..=right).any(|col| went(Address::new(row, col)));
    let col = |col: u32| (top..=bottom).any(|row| went(Address::new(row, col)));
    let mut larger = area;
    if top > 0 && row(top - 1) {
        larger.first.row -= 1;
    } else if left > 0 && col(left - 1) {
        larger.first.col -= 1;
    } else if row(bottom + 1) {
        larger.last.row += 1;
    } else if col(right + 1) {
        larger.last.col += 1;
    } else {
        return None;
    }
    Some(larger)
}
