//! Columns first: which are the same, and where they went.
//!
//! A column is known by what it holds in rows that are known to be the same rows.
//! Rare cells decide which those are: a value that occurs once in each sheet
//! joins the row that it is in to the row that it is in now, whatever
//! happened to its column. So neither rows inserted above nor columns moved aside
//! disturb the other question, and there is no circle.

use crate::cell_map::Lines;
use crate::diff::gaps::{Gap, call_one, gaps, in_order};
use crate::diff::header::Header;
use crate::diff::lines::lines;
use crate::keys::{Keyed, NOTHING, mix};
use mvdiff_core::{Error, Interner, Layout, Problem, Side, Token};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Cells looked at when rows are joined by rare ones.
const RARE_SAMPLE: usize = 1 << 15;
/// Most rows in which columns are compared, and most cells of those rows.
const MOST_ROWS: usize = 1024;
const MOST_CELLS: usize = 1 << 22;
/// Pairs of columns that are compared one by one.
const MOST_PAIRS: usize = 1 << 18;
/// How far apart columns are that are compared in any case.
const NEAR: u32 = 8;
/// Least similarity, beyond what chance explains, of two columns that are one.
const LEAST: f32 = 0.5;

/// Cells that may differ in a column that got another name, whatever it holds.
const FEW: usize = 4;
/// Similarity of a column that got another name and is where it was.
const RENAMED: f32 = 0.2;

/// Rows that are known to be the same, as (old, new).
pub(crate) struct RowSample {
    pub pairs: Vec<(u32, u32)>,
    /// Too few were known, and rows that are in the same place were added.
    pub guessed: bool,
}

impl RowSample {
    /// Rows joined by rare cells.
    pub fn by_rare_cells(old: &Keyed<'_>, new: &Keyed<'_>) -> Self {
        let cells = old.grid.cell_count().max(new.grid.cell_count());
        let bits = (cells / RARE_SAMPLE).next_power_of_two().trailing_zeros();
        let votes = join(&once(old, bits), &once(new, bits));
        let mut pairs = agreed(votes);
        let rows = old.grid.row_count().min(new.grid.row_count());
        let guessed = pairs.len() < 8.min(rows as usize);
        if guessed {
            let known: Vec<(u32, u32)> = pairs.clone();
            let free = |row: &u32| known.iter().all(|pair| pair.0 != *row && pair.1 != *row);
            pairs.extend((0..rows).filter(free).map(|row| (row, row)).take(MOST_ROWS));
            pairs.sort_unstable();
        }
        Self { pairs, guessed }
    }
}

/// Cells whose key occurs once, thinned out by `bits` of the key: (key, row).
fn once(side: &Keyed<'_>, bits: u32) -> Vec<(u64, u32)> {
    let sampled = side.cells().filter(|cell| cell.2.trailing_zeros() >= bits);
    let mut cells: Vec<(u64, u32)> = sampled.map(|(row, _, key)| (key, row)).collect();
    cells.sort_unstable();
    let mut alone = Vec::new();
    for (i, cell) in cells.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| cells[i].0);
        let after = cells.get(i + 1).map(|next| next.0);
        if before != Some(cell.0) && after != Some(cell.0) {
            alone.push(*cell);
        }
    }
    alone
}

/// The rows of cells that occur once on both sides.
fn join(old: &[(u64, u32)], new: &[(u64, u32)]) -> Vec<(u32, u32)> {
    let mut votes = Vec::new();
    let mut rest = new.iter().peekable();
    for &(key, row) in old {
        while rest.next_if(|cell| cell.0 < key).is_some() {}
        if let Some(cell) = rest.next_if(|cell| cell.0 == key) {
            votes.push((row, cell.1));
        }
    }
    votes
}

/// The pairs of rows that most votes of both rows are for.
fn agreed(mut votes: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    votes.sort_unstable();
    let mut counted: Vec<((u32, u32), u32)> = Vec::new();
    for vote in votes {
        match counted.last_mut() {
            Some((pair, count)) if *pair == vote => *count += 1,
            _ => counted.push((vote, 1)),
        }
    }
    // Ties count for neither: a pair must beat every other of either row.
    let best = |row: fn(&(u32, u32)) -> u32| {
        let mut best: HashMap<u32, (u32, bool)> = HashMap::new();
        for (pair, count) in &counted {
            let entry = best.entry(row(pair)).or_insert((0, false));
            *entry = match entry.0.cmp(count) {
                std::cmp::Ordering::Less => (*count, false),
                std::cmp::Ordering::Equal => (*count, true),
                std::cmp::Ordering::Greater => *entry,
            };
        }
        best
    };
    let (of_old, of_new) = (best(|pair| pair.0), best(|pair| pair.1));
    let wins =
        |best: &HashMap<u32, (u32, bool)>, row, count| best.get(&row) == Some(&(count, false));
    counted
        .iter()
        .filter(|((o, n), count)| wins(&of_old, *o, *count) && wins(&of_new, *n, *count))
        .map(|(pair, _)| *pair)
        .collect()
}

/// Keys, and how often each is there.
type Counts = Vec<(u64, f32)>;

/// What columns hold in the sampled rows, and what they are called.
struct Columns {
    /// Keys, column by column.
    cells: [Vec<u64>; 2],
    rows: usize,
    names: [Vec<u64>; 2],
    tokens: [Vec<Token>; 2],
    /// Counted when they are asked for.
    counts: [Vec<OnceLock<Counts>>; 2],
}

/// What became of the columns.
///
/// # Errors
/// When the core refuses the problem.
pub(crate) fn diff_columns(
    sides: [&Keyed<'_>; 2],
    sample: &RowSample,
    headers: [&Header; 2],
    options: &mvdiff_core::Options,
) -> Result<Lines, Error> {
    let mut columns = Columns::new(sides, &sample.pairs, headers);
    columns.join_alike();
    let options = options.clone().with(|o| {
        // Which columns are one is decided here; the engine says which moved.
        o.gap = 0;
    });
    let script = mvdiff_core::diff(&columns, &options)?.script;
    let mut lines = lines(&script);
    let mut paired = Vec::new();
    for gap in gaps(&lines, &script) {
        paired.extend(columns.in_one_place(&gap));
    }
    call_one(&mut lines, paired);
    Ok(lines)
}

impl Columns {
    fn new(sides: [&Keyed<'_>; 2], pairs: &[(u32, u32)], headers: [&Header; 2]) -> Self {
        let width = sides.map(|side| side.grid.col_count() as usize);
        let most = (MOST_CELLS / width[0].max(width[1]).max(1)).clamp(64, MOST_ROWS);
        let step = pairs.len().div_ceil(most).max(1);
        let pairs: Vec<(u32, u32)> = pairs.iter().copied().step_by(step).collect();
        let rows = pairs.len();
        let cells = [0, 1].map(|side: usize| {
            let mut cells = vec![NOTHING; rows * width[side]];
            for (i, pair) in pairs.iter().enumerate() {
                let row = if side == 0 { pair.0 } else { pair.1 };
                for (col, key) in sides[side].row(row) {
                    cells[col as usize * rows + i] = key;
                }
            }
            cells
        });
        let names = [0, 1].map(|side: usize| {
            let names = headers[side].names().iter().copied();
            names
                .chain(std::iter::repeat(NOTHING))
                .take(width[side])
                .collect()
        });
        let mut columns = Self {
            cells,
            rows,
            names,
            tokens: [Vec::new(), Vec::new()],
            counts: width.map(|width| vec![OnceLock::new(); width]),
        };
        let mut interner = Interner::with_capacity(width[0] + width[1]);
        columns.tokens = [0, 1].map(|side: usize| {
            let hash = |col| {
                let cells = columns.cells(side, col).iter().zip(1..);
                let cells = cells.filter(|(key, _)| **key != NOTHING);
                let sum = cells.fold(0_u64, |sum, (key, i)| sum.wrapping_add(mix(*key, i)));
                match columns.names[side][col] {
                    NOTHING => sum,
                    name => sum.wrapping_add(mix(name, 0)),
                }
            };
            // A column that shares its number with another one is compared cell
            // by cell in the end, like any other.
            let token = |col| interner.intern(hash(col), |_| true);
            (0..width[side]).map(token).collect()
        });
        columns
    }

    fn cells(&self, side: usize, col: usize) -> &[u64] {
        &self.cells[side][col * self.rows..(col + 1) * self.rows]
    }

    fn width(&self, side: usize) -> usize {
        self.names[side].len()
    }

    fn is_blank(&self, side: usize, col: usize) -> bool {
        self.names[side][col] == NOTHING && self.cells(side, col).iter().all(|key| *key == NOTHING)
    }

    /// The share of cells that are equal in place, of those that are anything.
    fn share(&self, old: usize, new: usize) -> f32 {
        // Without branches, several cells are compared at a time.
        let (mut differing, mut all) = (0_u32, 0_u32);
        for (o, n) in self.cells(0, old).iter().zip(self.cells(1, new)) {
            differing += u32::from(o != n);
            all += u32::from(o | n != NOTHING);
        }
        let equal = all - differing;
        if all == 0 {
            0.0
        } else {
            equal as f32 / all as f32
        }
    }

    /// How often a column holds what it holds, in order of keys.
    fn counts(&self, side: usize, col: usize) -> &[(u64, f32)] {
        self.counts[side][col].get_or_init(|| {
            let mut keys: Vec<u64> = self.cells(side, col).to_vec();
            keys.retain(|key| *key != NOTHING);
            keys.sort_unstable();
            let mut counts = Counts::new();
            for key in keys {
                match counts.last_mut() {
                    Some((last, count)) if *last == key => *count += 1.0,
                    _ => counts.push((key, 1.0)),
                }
            }
            counts
        })
    }

    /// The share beyond what chance explains: two columns of yes and no agree in
    /// half of their cells whatever they mean.
    fn beyond_chance(&self, old: usize, new: usize) -> f32 {
        let share = self.share(old, new);
        if share == 0.0 {
            return 0.0;
        }
        let (of_old, of_new) = (self.counts(0, old), self.counts(1, new));
        let mut rest = of_new.iter().peekable();
        let mut both: Vec<f32> = Vec::new();
        for (key, count) in of_old {
            while rest.next_if(|other| other.0 < *key).is_some() {}
            if let Some(other) = rest.next_if(|other| other.0 == *key) {
                both.push(count * other.1);
            }
        }
        // Summed in order of size: a sum of floats depends on its order.
        both.sort_unstable_by(f32::total_cmp);
        let chance = both.iter().sum::<f32>() / (self.rows * self.rows) as f32;
        if chance >= 1.0 {
            0.0
        } else {
            (share - chance) / (1.0 - chance)
        }
    }

    /// Columns that went and came in one place and are one: those that have most in
    /// common, then one after the other. A column of another name is another.
    fn in_one_place(&self, gap: &Gap) -> Vec<(u32, u32)> {
        let names = |side: usize, col: u32| self.names[side][col as usize];
        let another = |old: u32, new: u32| {
            let (was, is) = (names(0, old), names(1, new));
            was != is && was != NOTHING && is != NOTHING && !self.is_renamed(old, new)
        };
        let mut alike: Vec<(u32, u32)> = Vec::new();
        let all = gap.old.len() * gap.new.len() <= MOST_PAIRS;
        for &old in &gap.old {
            let near = gap
                .new
                .iter()
                .filter(|new| all || old.abs_diff(**new) <= NEAR);
            let all = near.filter(|new| !another(old, **new));
            let all = all.map(|new| (self.equal(old, *new), *new));
            let best = all.filter(|(equal, _)| *equal > 0);
            // Of equals the first.
            let best = best.reduce(|best, next| if next.0 > best.0 { next } else { best });
            alike.extend(best.map(|(_, new)| (old, new)));
        }
        let alike = in_order(&alike);
        let rest = gap.between(&alike);
        let mut paired = alike;
        for gap in rest {
            let both = gap.old.into_iter().zip(gap.new);
            paired.extend(both.filter(|(old, new)| !another(*old, *new)));
        }
        paired
    }

    /// Whether a column of another name is the same: few cells differ, or more are
    /// equal than chance explains.
    fn is_renamed(&self, old: u32, new: u32) -> bool {
        let (old, new) = (old as usize, new as usize);
        let cells = self.cells(0, old).iter().zip(self.cells(1, new));
        let differing = cells.filter(|(old, new)| old != new).count();
        differing <= FEW || self.beyond_chance(old, new) >= RENAMED
    }

    /// How many cells are something, and equal in place.
    fn equal(&self, old: u32, new: u32) -> usize {
        let cells = self.cells(0, old as usize).iter();
        let both = cells.zip(self.cells(1, new as usize));
        both.filter(|(old, new)| old == new && **old != NOTHING)
            .count()
    }

    /// Gives one token to columns that are one, though something in them changed.
    fn join_alike(&mut self) {
        let lone = [0, 1].map(|side: usize| {
            let there: std::collections::HashSet<Token> =
                self.tokens[1 - side].iter().copied().collect();
            let lone =
                (0..self.width(side)).filter(|col| !there.contains(&self.tokens[side][*col]));
            lone.filter(|col| !self.is_blank(side, *col))
                .collect::<Vec<_>>()
        });
        let all = lone[0].len() * lone[1].len() <= MOST_PAIRS;
        let mut candidates = Vec::new();
        for &old in &lone[0] {
            for &new in &lone[1] {
                let named =
                    self.names[0][old] != NOTHING && self.names[0][old] == self.names[1][new];
                if !all && !named && old.abs_diff(new) > NEAR as usize {
                    continue;
                }
                let similarity = self.beyond_chance(old, new);
                if named || similarity >= LEAST {
                    let score = similarity + if named { 0.5 } else { 0.0 };
                    candidates.push((score, old.abs_diff(new), old, new));
                }
            }
        }
        candidates.sort_by(|a, b| {
            b.0.total_cmp(&a.0)
                .then((a.1, a.2, a.3).cmp(&(b.1, b.2, b.3)))
        });
        let mut taken = [vec![false; self.width(0)], vec![false; self.width(1)]];
        for (_, _, old, new) in candidates {
            if !taken[0][old] && !taken[1][new] {
                (taken[0][old], taken[1][new]) = (true, true);
                self.tokens[1][new] = self.tokens[0][old];
            }
        }
    }
}

impl Problem for Columns {
    fn tokens(&self, side: Side) -> &[Token] {
        &self.tokens[side as usize]
    }

    /// A column is a thing of its own, however short; an empty one is nothing.
    fn weight(&self, side: Side, index: u32) -> f32 {
        if self.is_blank(side as usize, index as usize) {
            0.0
        } else {
            2.0
        }
    }

    fn similarity(&self, old: u32, new: u32) -> f32 {
        if self.tokens[0][old as usize] == self.tokens[1][new as usize] {
            return 1.0;
        }
        self.share(old as usize, new as usize)
    }

    fn layout(&self, side: Side, index: u32) -> Layout {
        Layout {
            blank: self.is_blank(side as usize, index as usize),
            ..Layout::default()
        }
    }
}
