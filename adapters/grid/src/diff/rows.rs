//! Rows over paired columns, as a problem for the core.

use crate::Options;
use crate::cell_map::{AxisMap, Lines};
use crate::diff::dense::Dense;
use crate::diff::gaps::{Gap, call_one, gaps, in_order};
use crate::diff::lines::lines;
use crate::diff::repeats::{Counted, came_back};
use crate::diff::tolerances::Tolerances;
use crate::grid::{CellKind, Slot};
use crate::keys::{Keyed, NOTHING, mix};
use mvdiff_core::{Error, Interner, Layout, Outcome, Problem, Script, Side, Token};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Marks a column that is on one side only.
const ALONE: u32 = u32::MAX;

/// Columns that are tried as a key of the rows in a gap.
const KEYS_TRIED: u32 = 64;

/// Pairs of rows in a gap that are tried as reworded.
const REWORDED_TRIED: usize = 256;

/// Cells from which on both sides are worked on at once.
const MANY_CELLS: usize = 1 << 16;

/// Rows of two sheets, compared in the columns that are on both sides.
pub(crate) struct Rows<'k, 'g> {
    sides: [&'k Keyed<'g>; 2],
    /// For each column of a side the number of its pair, or [`ALONE`].
    across: [Vec<u32>; 2],
    /// For each pair its two columns.
    pairs: Vec<[u32; 2]>,
    /// Rows at the top that are the same on both sides; elements begin behind them.
    top: u32,
    tokens: [Vec<Token>; 2],
    tolerances: Tolerances,
    /// For each pair of columns whether it is a key, once somebody asked: every gap does.
    keys: Vec<OnceLock<bool>>,
    /// The cells as short numbers, once two rows were compared, if there may be such.
    dense: OnceLock<Option<Dense>>,
}

impl<'k, 'g> Rows<'k, 'g> {
    /// States the problem.
    pub fn new(sides: [&'k Keyed<'g>; 2], cols: &AxisMap, options: &Options) -> Self {
        let width = sides.map(|side| side.grid.col_count());
        let mut across = width.map(|width| vec![ALONE; width as usize]);
        let mut pairs = Vec::new();
        let both = cols.pairs(width[0]).filter(|(_, new)| *new < width[1]);
        for (number, (old, new)) in both.enumerate() {
            across[0][old as usize] = number as u32;
            across[1][new as usize] = number as u32;
            pairs.push([old, new]);
        }
        // Millions of empty rows may lie between two cells, so rows that are the
        // same at the top and at the bottom are no elements.
        let filled: [Vec<(u32, u64)>; 2] = both_sides(sides, |side| {
            let rows = sides[side].grid.filled_rows();
            let hashed = rows.map(|(row, _)| (row, row_hash(sides[side], row, &across[side])));
            hashed.filter(|(_, hash)| *hash != 0).collect()
        });
        let len = sides.map(|side| side.grid.row_count());
        let (top, bottom) = same_ends(&filled, len);
        let mut interner = Interner::with_capacity(filled[0].len());
        // Rows that share a number by chance are compared cell by cell in the end.
        let empty = interner.intern(0, |_| true);
        let tokens = [0, 1].map(|side: usize| {
            let mut tokens = vec![empty; (len[side] - top - bottom) as usize];
            for (row, hash) in &filled[side] {
                let at = row.checked_sub(top).map(|at| at as usize);
                if let Some(token) = at.and_then(|at| tokens.get_mut(at)) {
                    *token = interner.intern(*hash, |_| true);
                }
            }
            tokens
        });
        Self {
            sides,
            across,
            keys: pairs.iter().map(|_| OnceLock::new()).collect(),
            pairs,
            top,
            tokens,
            tolerances: Tolerances::find(sides[1].grid, options),
            dense: OnceLock::new(),
        }
    }

    /// What became of the rows.
    ///
    /// # Errors
    /// When the core refuses the problem.
    pub fn diff(&self, options: &Options) -> Result<(Lines, Outcome), Error> {
        let found = mvdiff_core::diff(self, &options.engine.0)?;
        let mut lines = self.lines_of(&found.script);
        if came_back(self, &lines) {
            let counted = Counted::new(self);
            let other = mvdiff_core::diff(&counted, &options.engine.0)?.script;
            let other = self.lines_of(&other);
            let cost = |lines: &Lines| lines.removed.len() + lines.added.len() + lines.moves.len();
            if cost(&other) < cost(&lines) && counted.is_sure(&other) {
                lines = other;
            }
        }
        lines.old_len = self.sides[0].grid.row_count();
        lines.new_len = self.sides[1].grid.row_count();
        for line in lines.removed.iter_mut().chain(&mut lines.added) {
            *line += self.top;
        }
        for step in &mut lines.moves {
            step.src += self.top;
            step.dst += self.top;
        }
        Ok((lines, found.outcome))
    }

    /// What a script says, and rows called one that the engine left over.
    fn lines_of(&self, script: &Script) -> Lines {
        let mut lines = lines(script);
        let mut paired = Vec::new();
        for gap in gaps(&lines, script) {
            let known = self.by_key(&gap);
            let rest = gap.between(&known);
            paired.extend(known);
            for gap in &rest {
                if gap.old.len() != gap.new.len() {
                    paired.extend(self.reworded_rows(gap));
                    continue;
                }
                let both = gap.old.iter().copied().zip(gap.new.iter().copied());
                paired.extend(both.filter(|(old, new)| self.is_one(*old, *new)));
            }
        }
        call_one(&mut lines, paired);
        lines
    }

    /// Whether two rows in one place are one.
    fn is_one(&self, old: u32, new: u32) -> bool {
        let (old, new) = (old + self.top, new + self.top);
        // Calling two rows one costs an operation for each cell that differs;
        // calling them two costs two.
        let (equal, all) = self.compare(old, new);
        if all - equal <= 1 || (all - equal == 2 && equal > 0) {
            return true;
        }
        let alike = equal + self.reworded(old, new);
        (all - equal == 2 && alike > 0) || (alike >= 2 && alike * 2 >= all)
    }

    /// Rows of a gap that differ only in texts of which most stayed, in order.
    fn reworded_rows(&self, gap: &Gap) -> Vec<(u32, u32)> {
        if gap.old.len() * gap.new.len() > REWORDED_TRIED {
            return Vec::new();
        }
        let mut rest = &gap.new[..];
        let mut found = Vec::new();
        for &old in &gap.old {
            let is_it = |new: &u32| {
                let (old, new) = (old + self.top, *new + self.top);
                let (equal, all) = self.compare(old, new);
                equal < all && equal + self.reworded(old, new) == all
            };
            if let Some(at) = rest.iter().position(is_it) {
                found.push((old, rest[at]));
                rest = &rest[at + 1..];
            }
        }
        found
    }

    /// How many cells of two rows hold texts of which most stayed.
    fn reworded(&self, old: u32, new: u32) -> u32 {
        let text = |side: usize, row: u32, col: u32| {
            let (keyed, slots) = (self.sides[side], self.sides[side].grid.slots_of(row));
            let at = slots.binary_search_by_key(&col, |slot| slot.col()).ok()?;
            let hidden = keyed.keys(keyed.range(row))[at] == NOTHING;
            let is_text = slots[at].kind == CellKind::Text && slots[at].formula().is_none();
            (is_text && !hidden).then(|| keyed.grid.texts().get(slots[at].bits as u32))
        };
        let cells = self.row(0, old).filter(|(pair, _)| {
            let [old_col, new_col] = self.pairs[*pair as usize];
            let both = text(0, old, old_col).zip(text(1, new, new_col));
            both.is_some_and(|(was, is)| was != is && is_reworded(was, is))
        });
        cells.count() as u32
    }

    /// Rows of a gap that have the same key, in order: the cells of one column, if
    /// they tell the rows of the gap apart.
    fn by_key(&self, gap: &Gap) -> Vec<(u32, u32)> {
        let mut best: Vec<(u32, u32)> = Vec::new();
        for pair in 0..(self.pairs.len() as u32).min(KEYS_TRIED) {
            let found = self.same_key(gap, pair);
            if found.len() > best.len() {
                best = found;
            }
        }
        best
    }

    fn same_key(&self, gap: &Gap, pair: u32) -> Vec<(u32, u32)> {
        let sides = [&gap.old, &gap.new];
        let mut places: [HashMap<u64, Option<u32>>; 2] = [HashMap::new(), HashMap::new()];
        for side in 0..2 {
            for &row in sides[side] {
                if let Some(key) = self.informative_key(side, row + self.top, pair) {
                    let place = places[side].entry(key).or_insert(Some(row));
                    *place = place.filter(|first| *first == row);
                }
            }
        }
        let [old, new] = &places;
        let mut found: Vec<(u32, u32)> = old
            .iter()
            .filter_map(|(key, row)| Some(((*row)?, (*new.get(key)?)?)))
            .collect();
        found.sort_unstable();
        let found = in_order(&found);
        let few = sides[0].len().min(sides[1].len());
        let many = found.len() >= 3 && found.len() * 5 >= few * 4;
        if found.is_empty() || found.len() * 2 < few || !(many || self.is_a_key(pair)) {
            return Vec::new();
        }
        found
    }

    /// What a cell holds, if it can tell a row from others.
    fn informative_key(&self, side: usize, row: u32, pair: u32) -> Option<u64> {
        let col = self.pairs[pair as usize][side];
        let keyed = self.sides[side];
        let slots = keyed.grid.slots_of(row);
        let at = slots.binary_search_by_key(&col, |slot| slot.col()).ok()?;
        let hidden = keyed.keys(keyed.range(row))[at] == NOTHING;
        (!hidden && tells(slots[at])).then(|| keyed.shown(slots[at]))
    }

    /// Whether the cells of a column are nearly all different, on both sides.
    fn is_a_key(&self, pair: u32) -> bool {
        *self.keys[pair as usize].get_or_init(|| self.tells_rows_apart(pair))
    }

    fn tells_rows_apart(&self, pair: u32) -> bool {
        [0, 1].into_iter().all(|side: usize| {
            let rows = self.sides[side].grid.filled_rows();
            let cells = rows.filter_map(|(row, _)| self.informative_key(side, row, pair));
            let mut cells: Vec<u64> = cells.collect();
            let all = cells.len();
            cells.sort_unstable();
            cells.dedup();
            cells.len() * 5 >= all * 4
        })
    }

    /// A number for what a row holds in paired columns.
    pub fn hash(&self, side: Side, row: u32) -> u64 {
        let side = side as usize;
        row_hash(self.sides[side], row, &self.across[side])
    }

    /// How much a row of a sheet says. Three informative cells are an ordinary row, in a
    /// narrow sheet all there are; three times as much is as much as one can say.
    pub fn says(&self, side: Side, row: u32) -> f32 {
        let keyed = self.sides[side as usize];
        let slots = keyed.grid.slots_of(row).iter();
        let keys = keyed.keys(keyed.range(row)).iter();
        let informative = slots.zip(keys).filter(|(_, key)| **key != NOTHING);
        let total: f32 = informative.map(|(slot, _)| says(*slot)).sum();
        let ordinary = self.pairs.len().clamp(1, 3) as f32;
        (total / ordinary).min(3.0)
    }

    /// A number for each cell of a row of a sheet, and its column.
    pub fn parts(&self, side: Side, row: u32, out: &mut Vec<u64>) {
        let cells = self.row(side as usize, row);
        out.extend(cells.map(|(pair, key)| mix(key, u64::from(pair) + 16)));
    }

    /// How alike an old and a new row of the sheets are.
    pub fn alike(&self, old: u32, new: u32) -> f32 {
        match self.compare(old, new) {
            (_, 0) => 1.0,
            (equal, all) => equal as f32 / all as f32,
        }
    }

    /// Whether a pair of rows may differ, or holds something in a column that is on
    /// one side only.
    pub fn is_equal(&self, old: u32, new: u32) -> bool {
        let alone = |side: usize, row| {
            let mut cells = self.sides[side].row(row);
            cells.any(|(col, _)| self.across[side][col as usize] == ALONE)
        };
        self.hash(Side::Old, old) == self.hash(Side::New, new) && !alone(0, old) && !alone(1, new)
    }

    fn row(&self, side: usize, row: u32) -> impl Iterator<Item = (u32, u64)> {
        let across = &self.across[side];
        let cells = self.sides[side].row(row);
        let cells = cells.map(|(col, key)| (across[col as usize], key));
        cells.filter(|(pair, _)| *pair != ALONE)
    }

    /// How many cells are equal in place, and how many are anything.
    fn compare(&self, old: u32, new: u32) -> (u32, u32) {
        if let Some(dense) = self.dense.get_or_init(|| self.dense()) {
            return dense.compare(old, new);
        }
        let [left, right] = self.sides;
        let range = left.range(old);
        let (slots, keys) = (left.grid.slots_of(old), left.keys(range));
        let filled = self.row(0, old).count() as u32;
        let (mut equal, mut all) = (0, filled);
        // Mostly the next cell is the next one on the other side, too.
        let mut next = 0;
        for (pair, key) in self.row(1, new) {
            let [old_col, new_col] = self.pairs[pair as usize];
            let found = match slots.get(next) {
                Some(slot) if slot.col() == old_col => Ok(next),
                _ => slots.binary_search_by_key(&old_col, |slot| slot.col()),
            };
            next = found.map_or_else(|i| i, |i| i + 1);
            match found.ok().filter(|i| keys[*i] != NOTHING) {
                None => all += 1,
                Some(i) if keys[i] == key => equal += 1,
                Some(i) => {
                    let near = || {
                        let slots = right.grid.slots_of(new);
                        let at = slots.binary_search_by_key(&new_col, |slot| slot.col());
                        at.is_ok_and(|at| self.near(left.grid.slots_of(old)[i], slots[at]))
                    };
                    equal += u32::from(!self.tolerances.is_none() && near());
                }
            }
        }
        (equal, all)
    }

    fn dense(&self) -> Option<Dense> {
        if !self.tolerances.is_none() {
            return None;
        }
        let rows = self.sides.map(|side| side.grid.row_count() as usize);
        let filled = self.sides.map(|side| side.grid.cell_count());
        Dense::new(self.pairs.len(), rows, filled, |side, row| {
            self.row(side, row)
        })
    }

    fn near(&self, old: Slot, new: Slot) -> bool {
        let [was, is] = [old, new].map(|slot| f64::from_bits(slot.bits));
        (old.kind, new.kind) == (CellKind::Number, CellKind::Number)
            && self.tolerances.allow(new.col(), was, is)
    }
}

/// The same for both sides, at once where there is much to do.
pub(crate) fn both_sides<T: Send>(
    sides: [&Keyed<'_>; 2],
    work: impl Fn(usize) -> T + Sync,
) -> [T; 2] {
    let cells = sides.map(|side| side.grid.cell_count());
    crate::parallel::both(cells[0].min(cells[1]) >= MANY_CELLS, work)
}

fn row_hash(side: &Keyed<'_>, row: u32, across: &[u32]) -> u64 {
    let cells = side.row(row).map(|(col, key)| (across[col as usize], key));
    cells
        .filter(|(pair, _)| *pair != ALONE)
        .fold(0, |sum, (pair, key)| {
            sum.wrapping_add(mix(key, u64::from(pair) + 16))
        })
}

/// How many rows are the same from the top, and then from the bottom.
fn same_ends(filled: &[Vec<(u32, u64)>; 2], len: [u32; 2]) -> (u32, u32) {
    let short = len[0].min(len[1]);
    let both = filled[0].iter().zip(&filled[1]);
    let same = both.take_while(|(old, new)| old == new).count();
    let next = |side: usize| filled[side].get(same).map_or(len[side], |(row, _)| *row);
    let top = next(0).min(next(1)).min(short);
    let from_end = |side: usize| {
        let end = len[side];
        let rows = filled[side].iter().rev();
        rows.map(move |(row, hash)| (end - row, *hash))
    };
    let mut bottom = short - top;
    for (old, new) in from_end(0).zip(from_end(1)) {
        if old != new {
            bottom = bottom.min(old.0.min(new.0) - 1);
            break;
        }
    }
    (top, bottom)
}

/// Whether at least half of the longer text is at the beginning or the end of both.
fn is_reworded(was: &str, is: &str) -> bool {
    const LEAST: usize = 8;
    let (was, is) = (was.as_bytes(), is.as_bytes());
    let (short, long) = (was.len().min(is.len()), was.len().max(is.len()));
    let both = was.iter().zip(is);
    let head = both.take_while(|(a, b)| a == b).count();
    let both = was.iter().rev().zip(is.iter().rev());
    let tail = both.take_while(|(a, b)| a == b).count();
    long >= LEAST && (head + tail).min(short) * 2 >= long
}

/// Whether a cell can tell a row from others by what it shows.
fn tells(slot: Slot) -> bool {
    let number = f64::from_bits(slot.bits);
    match slot.kind {
        CellKind::Number => number.abs() >= 100.0 || number.fract() != 0.0,
        CellKind::Text | CellKind::Date => true,
        CellKind::Empty | CellKind::Bool | CellKind::Error | CellKind::Duration => false,
    }
}

/// How much a cell says: a yes or a small number is everywhere.
fn says(slot: Slot) -> f32 {
    let number = f64::from_bits(slot.bits);
    match slot.kind {
        _ if slot.formula().is_some() => 0.5,
        CellKind::Number if number.abs() < 100.0 && number.fract() == 0.0 => 0.5,
        CellKind::Empty | CellKind::Bool | CellKind::Error => 0.25,
        _ => 1.0,
    }
}

impl Problem for Rows<'_, '_> {
    fn tokens(&self, side: Side) -> &[Token] {
        &self.tokens[side as usize]
    }

    fn weight(&self, side: Side, index: u32) -> f32 {
        self.says(side, index + self.top)
    }

    fn coarser_levels(&self) -> u8 {
        u8::from(!self.tolerances.is_none())
    }

    /// Numbers aside: they may be close without being equal.
    fn key(&self, _level: u8, side: Side, index: u32) -> u64 {
        let (keyed, row) = (self.sides[side as usize], index + self.top);
        let slots = keyed.grid.slots_of(row).iter();
        let keys = keyed.keys(keyed.range(row)).iter();
        slots.zip(keys).fold(0, |sum, (slot, key)| {
            let pair = u64::from(self.across[side as usize][slot.col() as usize]);
            match slot.kind {
                _ if pair == u64::from(ALONE) => sum,
                CellKind::Number => sum.wrapping_add(mix(1, pair)),
                _ => sum.wrapping_add(mix(*key, pair)),
            }
        })
    }

    fn same(&self, _level: u8, a: (Side, u32), b: (Side, u32)) -> bool {
        match (a, b) {
            ((Side::Old, old), (Side::New, new)) | ((Side::New, new), (Side::Old, old)) => {
                let (equal, all) = self.compare(old + self.top, new + self.top);
                equal == all
            }
            _ => self.tokens[a.0 as usize][a.1 as usize] == self.tokens[b.0 as usize][b.1 as usize],
        }
    }

    fn features(&self, side: Side, index: u32, out: &mut Vec<u64>) {
        self.parts(side, index + self.top, out);
    }

    fn similarity(&self, old: u32, new: u32) -> f32 {
        self.alike(old + self.top, new + self.top)
    }

    fn layout(&self, side: Side, index: u32) -> Layout {
        Layout {
            blank: self.sides[side as usize]
                .row(index + self.top)
                .next()
                .is_none(),
            ..Layout::default()
        }
    }
}
