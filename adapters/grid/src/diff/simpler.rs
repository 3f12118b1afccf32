//! The answer with the fewest operations.
//!
//! Rows are aligned as wholes. Where lists are side by side, or cells were shifted
//! in one of them, that tears the others apart; and now and then what is in the
//! same place is simply edited. So rows are tried as they are, and as each of the
//! lists has them, and the answer that says least is taken.

use crate::cell_map::{AxisMap, Lines, RectMove};
use crate::diff::rects::stayed;
use crate::diff::rows::Rows;
use crate::diff::sheet::{Aligned, Work, as_lines};
use crate::keys::{Keyed, NOTHING};
use crate::{Address, Area, Error, MAX_ROWS};

/// Cells looked at for the rectangles of an alternative, beyond which it is not a
/// simple one.
const MOST_LOOKS: u64 = 1 << 20;
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
    let lines = lines.map(|lines| lines.removed.len() + lines.added.len() + lines.moves.len());
    let lines: usize = lines.iter().sum();
    let all = cost(keyed, &whole);
    // Rows and columns that explain everything, or explain nothing away.
    if all == lines || (lines == 0 && whole.rects.is_empty()) {
        return Ok(whole);
    }
    let cols = &whole.cols;
    let torn = !cols.removed.is_empty() || !cols.added.is_empty() || !cols.moves.is_empty();
    let columns_stay = torn.then(|| whole.rows.clone());
    let mut best = (all, whole);
    let rows = Rows::new([&keyed[0], &keyed[1]], &AxisMap::default(), work.options);
    let mut tried = vec![Lines {
        old_len: work.grids[0].row_count(),
        new_len: work.grids[1].row_count(),
        ..Lines::default()
    }];
    // Columns may be torn apart by a block that went elsewhere.
    for lines in columns_stay.into_iter().chain(by_bands(work, keyed)?) {
        if !tried.contains(&lines) {
            tried.push(lines);
        }
    }
    for lines in tried {
        let (mut aligned, changed) = as_lines(keyed, &rows, lines);
        changed.limit(MOST_LOOKS);
        aligned.ignored.clone_from(work.ignored);
        aligned.outcome = best.1.outcome.clone();
        let mut rects = changed.candidates(
            [&keyed[0], &keyed[1]],
            [&aligned.map.rows, &aligned.map.cols],
        );
        if changed.too_many || changed.is_spent() {
            continue;
        }
        // What is as wide as the sheet is rows.
        let width = aligned.cols.old_len.max(aligned.cols.new_len);
        let is_rows = |area: Area| area.first.col == 0 && area.last.col + 1 >= width;
        rects.retain(|rect| stayed(*rect, &aligned.rows, &aligned.cols) && !is_rows(rect.from));
        let aligned = aligned.with(rects);
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
        let mut alone = keyed.clone();
        for side in &mut alone {
            side.hide(&others);
        }
        let rows = Rows::new([&alone[0], &alone[1]], &AxisMap::default(), work.options);
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
    let back = map.inverse();
    let targets: Vec<Area> = map.rects.iter().map(RectMove::target).collect();
    let sources: Vec<Area> = map.rects.iter().map(|rect| rect.from).collect();
    for (row, _) in old.grid.filled_rows() {
        let to = map.rows.get(row);
        let (rects, covers) = (leaving(&map.rects, row), to.map(|to| across(&targets, to)));
        for (col, key) in old.row(row) {
            let at = Address::new(row, col);
            let rect = rects.iter().find_map(|rect| rect.place(at));
            let by_lines = || Some(Address::new(to?, map.cols.get(col)?));
            if let Some(to) = rect.or_else(by_lines) {
                let covers = covers.iter().flatten();
                let covered = rect.is_none() && covers.into_iter().any(|area| area.contains(to));
                cost += usize::from(covered || new.key(to) != key);
            }
        }
    }
    for (row, _) in new.grid.filled_rows() {
        let from = back.rows.get(row);
        let (rects, left) = (
            leaving(&back.rects, row),
            from.map(|from| across(&sources, from)),
        );
        for (col, _) in new.row(row) {
            let at = Address::new(row, col);
            let rect = rects.iter().find_map(|rect| rect.place(at));
            let by_lines = || Some(Address::new(from?, back.cols.get(col)?));
            if let Some(from) = rect.or_else(by_lines) {
                let left = left.iter().flatten();
                let vacated = rect.is_none() && left.into_iter().any(|area| area.contains(from));
                cost += usize::from(vacated || old.key(from) == NOTHING);
            }
        }
    }
    cost
}

/// The rectangles that go from this row.
fn leaving(rects: &[RectMove], row: u32) -> Vec<RectMove> {
    let there = |rect: &&RectMove| (rect.from.first.row..=rect.from.last.row).contains(&row);
    rects.iter().filter(there).copied().collect()
}

/// The areas that this row goes through.
fn across(areas: &[Area], row: u32) -> Vec<Area> {
    let there = |area: &&Area| (area.first.row..=area.last.row).contains(&row);
    areas.iter().filter(there).copied().collect()
}
