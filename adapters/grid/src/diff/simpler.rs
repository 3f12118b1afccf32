//! The answer with the fewest operations.
//!
//! Rows are aligned as wholes. Where lists stand side by side, or cells were shifted
//! in one of them, that tears the others apart; and now and then what stands in the
//! same place is simply edited. So rows are tried as they stand, and as each of the
//! lists has them, and the answer that says least is taken.

use crate::diff::rects::stayed;
use crate::diff::rows::Rows;
use crate::diff::sheet::{Aligned, Work, as_lines};
use crate::keys::{Keyed, NOTHING};
use crate::maps::{AxisMap, Lines};
use crate::{Address, Area, Error, MAX_ROWS};

/// Lists side by side that are tried.
const MOST_BANDS: usize = 4;

/// Takes the simplest of the alignment by whole rows and its alternatives.
///
/// # Errors
/// When the core refuses a problem.
pub(crate) fn simpler(
    work: &Work<'_>,
    keyed: &[Keyed<'_>; 2],
    whole: Aligned,
) -> Result<Aligned, Error> {
    let lines = [&whole.rows, &whole.cols];
    let both = |lines: &&Lines| !lines.removed.is_empty() && !lines.added.is_empty();
    let moved = |lines: &&Lines| !lines.moves.is_empty();
    if !lines.iter().any(both) && !lines.iter().any(moved) && whole.rects.is_empty() {
        return Ok(whole);
    }
    let mut best = (cost(keyed, &whole), whole);
    let rows = Rows::new(
        [&keyed[0], &keyed[1]],
        &AxisMap::default(),
        work.options.tolerance,
    );
    let mut tried = vec![Lines {
        old_len: work.grids[0].row_count(),
        new_len: work.grids[1].row_count(),
        ..Lines::default()
    }];
    for lines in by_bands(work, keyed)? {
        if !tried.contains(&lines) {
            tried.push(lines);
        }
    }
    for lines in tried {
        let (mut aligned, changed) = as_lines(keyed, &rows, lines);
        aligned.ignored.clone_from(work.ignored);
        aligned.outcome = best.1.outcome.clone();
        aligned.no_rects = changed.too_many;
        let mut rects = changed.candidates([&keyed[0], &keyed[1]]);
        rects.retain(|rect| stayed(*rect, &aligned.rows, &aligned.cols));
        let aligned = work.joined(aligned, rects);
        let cost = cost(keyed, &aligned);
        if cost < best.0 {
            best = (cost, aligned);
        }
    }
    Ok(best.1)
}

/// What became of the rows, as each of the lists side by side has it.
fn by_bands(work: &Work<'_>, keyed: &[Keyed<'_>; 2]) -> Result<Vec<Lines>, Error> {
    let bands = bands(keyed);
    if bands.len() < 2 {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for band in bands.iter().take(MOST_BANDS) {
        let others: Vec<Area> = bands
            .iter()
            .filter(|other| *other != band)
            .map(|other| Area {
                first: Address::new(0, other.first),
                last: Address::new(MAX_ROWS - 1, other.last),
            })
            .collect();
        let mut alone = work.numbered();
        for side in &mut alone {
            side.hide(&others);
        }
        let rows = Rows::new(
            [&alone[0], &alone[1]],
            &AxisMap::default(),
            work.options.tolerance,
        );
        found.push(rows.diff(work.options)?.0);
    }
    Ok(found)
}

/// Columns of one list, both ends inclusive.
#[derive(Clone, Copy, PartialEq)]
struct Band {
    first: u32,
    last: u32,
    cells: usize,
}

/// Stretches of columns with empty ones between them, the fullest first.
fn bands(keyed: &[Keyed<'_>; 2]) -> Vec<Band> {
    let width = keyed.each_ref().map(|side| side.grid.col_count());
    let mut filled = vec![0_usize; width[0].max(width[1]) as usize];
    for side in keyed {
        for (_, col, _) in side.cells() {
            filled[col as usize] += 1;
        }
    }
    let mut bands: Vec<Band> = Vec::new();
    for (col, &cells) in (0..).zip(&filled) {
        match bands.last_mut() {
            _ if cells == 0 => {}
            Some(band) if band.last + 1 == col => {
                band.last = col;
                band.cells += cells;
            }
            _ => bands.push(Band {
                first: col,
                last: col,
                cells,
            }),
        }
    }
    bands.sort_by_key(|band| (std::cmp::Reverse(band.cells), band.first));
    bands
}

/// How many operations an alignment takes, formulas aside that only followed.
fn cost(keyed: &[Keyed<'_>; 2], aligned: &Aligned) -> usize {
    let [old, new] = keyed;
    let lines = [&aligned.rows, &aligned.cols];
    let mut cost: usize = lines
        .iter()
        .map(|lines| lines.removed.len() + lines.added.len() + lines.moves.len())
        .sum();
    cost += aligned.rects.len();
    let map = &aligned.map;
    for (row, _) in old.grid.filled_rows() {
        let to = map.rows.get(row);
        for (col, key) in old.row(row) {
            let at = Address::new(row, col);
            let rect = map.rects.iter().find_map(|rect| rect.place(at));
            let by_lines = || Some(Address::new(to?, map.cols.get(col)?));
            if let Some(to) = rect.or_else(by_lines) {
                let covered = rect.is_none() && is_target(aligned, to);
                cost += usize::from(covered || new.key(to) != key);
            }
        }
    }
    let back = map.inverse();
    for (row, _) in new.grid.filled_rows() {
        let from = back.rows.get(row);
        for (col, _) in new.row(row) {
            let at = Address::new(row, col);
            let rect = back.rects.iter().find_map(|rect| rect.place(at));
            let by_lines = || Some(Address::new(from?, back.cols.get(col)?));
            if let Some(from) = rect.or_else(by_lines) {
                let left = rect.is_none() && map.rects.iter().any(|r| r.from.contains(from));
                cost += usize::from(left || old.key(from) == NOTHING);
            }
        }
    }
    cost
}

fn is_target(aligned: &Aligned, at: Address) -> bool {
    let mut rects = aligned.map.rects.iter();
    rects.any(|rect| rect.target().contains(at))
}
