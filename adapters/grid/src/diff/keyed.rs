//! Rows matched by key, wherever they are: a table of a database.

use crate::cell_map::{AxisMap, CellMap, Lines};
use crate::diff::columns::{RowSample, diff_columns};
use crate::diff::header::{Header, named_column};
use crate::diff::rows::Rows;
use crate::diff::sheet::{Aligned, hide_ignored};
use crate::keys::{Keyed, NOTHING};
use crate::{Address, CellData, Error, Grid, Mode, Note, Options, Value, column_name};
use mvdiff_core::{Interner, Problem, Side, Token};
use pathfinding::matrix::Matrix;
use pathfinding::prelude::kuhn_munkres;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Rows of one key up to which their best pairing is worked out; beyond it they are
/// paired one after the other, the most alike first.
const BEST_UP_TO: usize = 64;
/// Columns that are tried as a key.
const TRIED: u32 = 64;
/// Least confidence in a key that was not named.
const LEAST_CONFIDENCE: f64 = 0.8;

/// Rows that share a key, and so could be any of each other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cluster {
    pub key: Vec<CellData>,
    pub old_rows: Vec<u32>,
    pub new_rows: Vec<u32>,
    /// Whether all of it is as it was.
    pub unchanged: bool,
}

/// Two sheets aligned by key, and the keys that are not keys.
pub(crate) struct ByKey {
    pub aligned: Aligned,
    pub clusters: Vec<Cluster>,
    pub notes: Vec<Note>,
    /// The columns of the key: letters, old and new where they differ.
    pub keyed_by: Vec<String>,
}

/// Aligns two grids by key; none if no column can serve as one.
///
/// # Errors
/// When a column that was named is not there, or the core refuses a problem.
pub(crate) fn align(
    sheet: &str,
    grids: [&Grid; 2],
    options: &Options,
    names: [&(dyn Fn(&str) -> u64 + Sync); 2],
) -> Result<Option<ByKey>, Error> {
    // A key is what a row is known by, whatever computed it.
    let by_value = Options {
        values_only: true,
        ..options.clone()
    };
    let keys = [0, 1].map(|side: usize| Keyed::new(grids[side], &by_value, names[side]));
    let headers = keys
        .each_ref()
        .map(|side| Header::find(side, options.header_row));
    let mut notes = Vec::new();
    let cols = match &options.mode {
        Mode::Keyed(wanted) => {
            let mut cols = [Vec::new(), Vec::new()];
            for name in wanted {
                for side in 0..2 {
                    let col = named_column(grids[side], headers[side].row, name);
                    let col = col.filter(|col| *col < grids[side].col_count());
                    cols[side].push(col.ok_or_else(|| Error::NoColumn {
                        sheet: sheet.to_owned(),
                        column: name.clone(),
                    })?);
                }
            }
            cols
        }
        _ => match guess(&keys, &headers) {
            Some((cols, confidence)) => {
                let name = column_title(grids[1], headers[1].row, cols[1]);
                let message = format!(
                    "sheet {sheet:?}: rows are matched by {name} (confidence {confidence:.2})"
                );
                notes.push(Note::new("key", message));
                cols.map(|col| vec![col])
            }
            None => return Ok(None),
        },
    };
    let mut keyed = [0, 1].map(|side: usize| Keyed::new(grids[side], options, names[side]));
    let ignored = hide_ignored(&mut keyed, options);
    let sides = [&keyed[0], &keyed[1]];
    let groups = Groups::new(&keys, &cols, &headers);
    let header = [&headers[0], &headers[1]];
    let sample = RowSample {
        pairs: groups.sure.clone(),
        guessed: false,
    };
    let lines = diff_columns(sides, &sample, header, &options.engine.0)?;
    let col_map = AxisMap::read_back(&lines);
    let rows = Rows::new(sides, &col_map, options);
    let (mut pairs, mut clusters) = (groups.sure.clone(), Vec::new());
    for (old, new) in &groups.shared {
        let paired = best(&rows, old, new);
        let equal = paired.iter().all(|&(o, n)| rows.alike(o, n) >= 1.0);
        let first = old
            .first()
            .map(|row| (0, row))
            .or(new.first().map(|row| (1, row)));
        let (side, row) = first.unwrap_or((0, &0));
        clusters.push(Cluster {
            key: key_cells(grids[side], *row, &cols[side]),
            old_rows: old.clone(),
            new_rows: new.clone(),
            unchanged: equal && old.len() == new.len(),
        });
        pairs.extend(paired);
    }
    pairs.extend(unkeyed(&rows, &groups.unkeyed, options)?);
    let aligned = aligned(sides, lines, col_map, pairs);
    let aligned = Aligned { ignored, ..aligned };
    if !clusters.is_empty() {
        let count = clusters.len();
        let message = format!(
            "sheet {sheet:?}: {count} keys occur in several rows; those rows are paired by similarity"
        );
        notes.push(Note::new("duplicate_key", message));
    }
    let letters = |(old, new): (&u32, &u32)| {
        if old == new {
            column_name(*old)
        } else {
            format!("{}:{}", column_name(*old), column_name(*new))
        }
    };
    let keyed_by = cols[0].iter().zip(&cols[1]).map(letters).collect();
    Ok(Some(ByKey {
        aligned,
        clusters,
        notes,
        keyed_by,
    }))
}

/// Rows by their keys.
struct Groups {
    /// Rows whose key occurs once on both sides, and the headers.
    sure: Vec<(u32, u32)>,
    /// Rows of keys that occur several times somewhere.
    shared: Vec<(Vec<u32>, Vec<u32>)>,
    /// Rows without a key.
    unkeyed: [Vec<u32>; 2],
}

impl Groups {
    fn new(keys: &[Keyed<'_>; 2], cols: &[Vec<u32>; 2], headers: &[Header; 2]) -> Self {
        let titles = match headers.each_ref().map(|header| header.row) {
            [Some(old), Some(new)] => Some((old, new)),
            _ => None,
        };
        // Sorted, so that clusters come in the same order every time.
        let mut by_key: BTreeMap<Vec<u64>, [Vec<u32>; 2]> = BTreeMap::new();
        let mut unkeyed = [Vec::new(), Vec::new()];
        for (side, keyed) in keys.iter().enumerate() {
            let title = titles.map(|both| if side == 0 { both.0 } else { both.1 });
            for (row, _) in keyed.grid.filled_rows() {
                if title == Some(row) {
                    continue;
                }
                let cells = cols[side]
                    .iter()
                    .map(|col| keyed.key(Address::new(row, *col)));
                let key: Vec<u64> = cells.collect();
                if key.iter().all(|cell| *cell == NOTHING) {
                    unkeyed[side].push(row);
                } else {
                    by_key.entry(key).or_default()[side].push(row);
                }
            }
        }
        let mut sure: Vec<(u32, u32)> = titles.into_iter().collect();
        let mut shared = Vec::new();
        for [old, new] in by_key.into_values() {
            match (&old[..], &new[..]) {
                ([old], [new]) => sure.push((*old, *new)),
                ([_], []) | ([], [_]) => {}
                _ => shared.push((old, new)),
            }
        }
        sure.sort_unstable();
        shared.sort_unstable();
        Self {
            sure,
            shared,
            unkeyed,
        }
    }
}

/// The pairing of rows that leaves the fewest cells to edit.
fn best(rows: &Rows<'_, '_>, old: &[u32], new: &[u32]) -> Vec<(u32, u32)> {
    let weight = |o: u32, n: u32| i64::from((rows.alike(o, n) * 1e6) as i32);
    if old.is_empty() || new.is_empty() {
        return Vec::new();
    }
    if old.len().max(new.len()) > BEST_UP_TO {
        let mut all: Vec<(i64, u32, u32)> = Vec::new();
        for &o in old.iter().take(1024) {
            let near = new.iter().take(1024);
            all.extend(near.map(|&n| (-weight(o, n), o, n)));
        }
        all.sort_unstable();
        let (mut of_old, mut of_new) = (HashSet::new(), HashSet::new());
        let free = |&(_, o, n): &(i64, u32, u32)| {
            if of_old.contains(&o) || of_new.contains(&n) {
                return None;
            }
            of_old.insert(o);
            of_new.insert(n);
            Some((o, n))
        };
        return all.iter().filter_map(free).collect();
    }
    // As many lines as columns at the most is what the crate asks for.
    let turned = old.len() > new.len();
    let (few, many) = if turned { (new, old) } else { (old, new) };
    let pair = |i: usize, j: usize| {
        if turned {
            (many[j], few[i])
        } else {
            (few[i], many[j])
        }
    };
    let weights = Matrix::from_fn(few.len(), many.len(), |(i, j)| {
        let (o, n) = pair(i, j);
        weight(o, n)
    });
    let (_, chosen) = kuhn_munkres(&weights);
    chosen
        .into_iter()
        .enumerate()
        .map(|(i, j)| pair(i, j))
        .collect()
}

/// Rows without a key are matched by what they hold, as in a spreadsheet.
fn unkeyed(
    rows: &Rows<'_, '_>,
    which: &[Vec<u32>; 2],
    options: &Options,
) -> Result<Vec<(u32, u32)>, Error> {
    let mut interner = Interner::with_capacity(which[0].len());
    let tokens = [Side::Old, Side::New].map(|side| {
        let hashes = which[side as usize].iter().map(|row| rows.hash(side, *row));
        hashes.map(|hash| interner.intern(hash, |_| true)).collect()
    });
    let chosen = Chosen {
        rows,
        which,
        tokens,
    };
    let script = mvdiff_core::diff(&chosen, &options.engine.0)?.script;
    let runs = script.runs().iter();
    let pairs = runs.flat_map(|run| run.old_range().zip(run.new_range()));
    Ok(pairs
        .map(|(o, n)| (which[0][o as usize], which[1][n as usize]))
        .collect())
}

/// Some of the rows, as a problem of their own.
struct Chosen<'r, 'k, 'g> {
    rows: &'r Rows<'k, 'g>,
    which: &'r [Vec<u32>; 2],
    tokens: [Vec<Token>; 2],
}

impl Chosen<'_, '_, '_> {
    fn row(&self, side: Side, index: u32) -> u32 {
        self.which[side as usize][index as usize]
    }
}

impl Problem for Chosen<'_, '_, '_> {
    fn tokens(&self, side: Side) -> &[Token] {
        &self.tokens[side as usize]
    }

    fn weight(&self, side: Side, index: u32) -> f32 {
        self.rows.says(side, self.row(side, index))
    }

    fn features(&self, side: Side, index: u32, out: &mut Vec<u64>) {
        self.rows.parts(side, self.row(side, index), out);
    }

    fn similarity(&self, old: u32, new: u32) -> f32 {
        self.rows
            .alike(self.row(Side::Old, old), self.row(Side::New, new))
    }
}

/// What the pairs make of the sheets.
fn aligned(
    sides: [&Keyed<'_>; 2],
    cols: Lines,
    col_map: AxisMap,
    mut pairs: Vec<(u32, u32)>,
) -> Aligned {
    let of_old: HashSet<u32> = pairs.iter().map(|pair| pair.0).collect();
    let of_new: HashSet<u32> = pairs.iter().map(|pair| pair.1).collect();
    let loose = |side: usize, paired: &HashSet<u32>| -> (Vec<u32>, Vec<u32>) {
        let grid = sides[side].grid;
        let rows = (0..grid.row_count()).filter(|row| !paired.contains(row));
        rows.partition(|row| grid.slots_of(*row).is_empty())
    };
    let ((old_blank, removed), (new_blank, added)) = (loose(0, &of_old), loose(1, &of_new));
    // Formulas may name empty rows, too.
    pairs.extend(old_blank.into_iter().zip(new_blank));
    let (old_len, new_len) = (sides[0].grid.row_count(), sides[1].grid.row_count());
    Aligned {
        rows: Lines {
            old_len,
            new_len,
            removed,
            added,
            moves: Vec::new(),
        },
        col_hashes: vec![0; cols.moves.len()],
        cols,
        map: CellMap {
            rows: AxisMap::new(old_len, new_len, pairs),
            cols: col_map,
            rects: Vec::new(),
        },
        keyed: true,
        ..Aligned::default()
    }
}

/// The columns whose cells tell rows apart on both sides and are mostly the same
/// ones, and how sure that is.
fn guess(keys: &[Keyed<'_>; 2], headers: &[Header; 2]) -> Option<([u32; 2], f64)> {
    let mut found: Option<([u32; 2], f64)> = None;
    for old in 0..keys[0].grid.col_count().min(TRIED) {
        let name = headers[0]
            .names()
            .get(old as usize)
            .copied()
            .unwrap_or(NOTHING);
        let named = headers[1]
            .names()
            .iter()
            .position(|other| name != NOTHING && *other == name);
        let new = named.map_or(old, |col| col as u32);
        if new >= keys[1].grid.col_count() {
            continue;
        }
        let values = [(0, old), (1, new)].map(|(side, col): (usize, u32)| {
            let header = headers[side].row;
            let mut seen: HashMap<u64, u32> = HashMap::new();
            let mut rows = 0_u32;
            for (row, _) in keys[side].grid.filled_rows() {
                if Some(row) != header {
                    rows += 1;
                    *seen
                        .entry(keys[side].key(Address::new(row, col)))
                        .or_default() += 1;
                }
            }
            seen.remove(&NOTHING);
            (seen, rows)
        });
        let [(a, a_rows), (b, b_rows)] = &values;
        if a.is_empty() || b.is_empty() {
            continue;
        }
        let alone = |seen: &HashMap<u64, u32>, rows: u32| {
            let once = seen.values().filter(|count| **count == 1).count();
            once as f64 / f64::from(rows.max(1))
        };
        let both = a.keys().filter(|key| b.contains_key(key)).count();
        let shared = both as f64 / a.len().min(b.len()) as f64;
        let confidence = alone(a, *a_rows) * alone(b, *b_rows) * shared;
        // Of equals the first one: keys are on the left.
        if found.is_none_or(|(_, best)| confidence > best + 0.01) {
            found = Some(([old, new], confidence));
        }
    }
    found.filter(|(_, confidence)| *confidence >= LEAST_CONFIDENCE)
}

fn column_title(grid: &Grid, header: Option<u32>, col: u32) -> String {
    let letters = column_name(col);
    match header.map(|row| grid.value(Address::new(row, col))) {
        Some(Value::Text(name)) => format!("column {letters}, {name:?}"),
        _ => format!("column {letters}"),
    }
}

fn key_cells(grid: &Grid, row: u32, cols: &[u32]) -> Vec<CellData> {
    let cell = |col: &u32| {
        let cell = grid.cell(Address::new(row, *col));
        cell.map(|cell| cell.to_data()).unwrap_or_default()
    };
    cols.iter().map(cell).collect()
}
