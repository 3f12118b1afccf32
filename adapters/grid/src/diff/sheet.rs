//! Two sheets: columns, then rows, then rectangles.

use crate::cell_map::{AxisMap, CellMap, LineMove, Lines, RectMove};
use crate::diff::columns::{RowSample, diff_columns};
use crate::diff::header::{Header, named_column};
use crate::diff::rects::{Changed, stayed};
use crate::diff::rows::{Rows, both_sides};
use crate::diff::simpler::simpler;
use crate::keys::{Keyed, mix};
use crate::{Address, Area, Error, Grid, MAX_ROWS, Options};
use mvdiff_core::{Guard, Outcome, Side, block_hash};

/// Where everything went.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aligned {
    pub rows: Lines,
    pub cols: Lines,
    pub rects: Vec<RectMove>,
    pub map: CellMap,
    /// A hash for each moved block of rows, of columns, and each rectangle.
    pub row_hashes: Vec<u64>,
    pub col_hashes: Vec<u64>,
    pub rect_hashes: Vec<u64>,
    /// How the rows were found.
    pub outcome: Outcome,
    /// Columns were compared in rows that are only in the same place.
    pub guessed: bool,
    /// Too much changed to look for rectangles.
    pub no_rects: bool,
    /// Columns that are not compared, old and new.
    pub ignored: [Vec<u32>; 2],
    /// Rows were matched by key, and their order does not matter.
    pub keyed: bool,
}

impl Aligned {
    /// The same with these rectangles.
    pub fn with(mut self, rects: Vec<RectMove>) -> Self {
        self.rects.clone_from(&rects);
        self.map.rects = rects;
        self
    }

    /// Every cell where it is.
    pub fn in_place(grids: [&Grid; 2]) -> Self {
        let [rows, cols] = [Grid::row_count, Grid::col_count].map(|count| Lines {
            old_len: count(grids[0]),
            new_len: count(grids[1]),
            ..Lines::default()
        });
        Self {
            rows,
            cols,
            ..Self::default()
        }
    }

    /// How many blocks could have gone either way.
    pub fn ambiguous(&self) -> u64 {
        self.outcome.count_refused(Guard::Ambiguous)
    }
}

/// Aligns two grids. `names` give one number to a sheet and its partner.
///
/// # Errors
/// When the core refuses a problem.
pub(crate) fn align(
    old: &Grid,
    new: &Grid,
    options: &Options,
    names: [&(dyn Fn(&str) -> u64 + Sync); 2],
) -> Result<Aligned, Error> {
    let grids = [old, new];
    let many = old.cell_count().min(new.cell_count()) >= 1 << 16;
    let mut keyed =
        crate::parallel::both(many, |side| Keyed::new(grids[side], options, names[side]));
    let ignored = hide_ignored(&mut keyed, options);
    let found = once(&keyed, options)?;
    let whole = Work {
        grids,
        options,
        names,
        ignored: &ignored,
    };
    let aligned = whole.with_rects(found, &keyed)?;
    let aligned = simpler(&whole, &keyed, aligned)?;
    let mut aligned = by_value(&whole, aligned)?;
    aligned.rect_hashes = rect_hashes(old, &aligned.rects, options);
    Ok(aligned)
}

/// Where formulas were replaced by what they came to, rows and columns are known by
/// what their cells show; looked at only if hardly a row is left otherwise.
fn by_value(work: &Work<'_>, aligned: Aligned) -> Result<Aligned, Error> {
    let rows = work.grids.map(|grid| grid.filled_rows().count());
    let left_over = aligned.rows.removed.len() * 2 >= rows[0].max(1)
        && aligned.rows.added.len() * 2 >= rows[1].max(1);
    if !left_over || work.options.values_only {
        return Ok(aligned);
    }
    let options = Options {
        values_only: true,
        ..work.options.clone()
    };
    let shown = Work {
        options: &options,
        ..*work
    };
    let keyed = shown.numbered();
    let mut other = once(&keyed, &options)?.aligned;
    other.ignored.clone_from(work.ignored);
    let (was, is) = (equal_cells(&keyed, &aligned), equal_cells(&keyed, &other));
    let enough = is >= rows[0].min(rows[1]) && is >= 2 * was;
    Ok(if enough { other } else { aligned })
}

/// How many cells hold the same where they went.
fn equal_cells(keyed: &[Keyed<'_>; 2], aligned: &Aligned) -> usize {
    let cells = keyed[0].cells();
    let same = |(row, col, key): &(u32, u32, u64)| {
        let to = aligned.map.get(Address::new(*row, *col));
        to.is_some_and(|to| keyed[1].key(to) == *key)
    };
    cells.filter(same).count()
}

/// What is compared, and how.
pub(crate) struct Work<'a> {
    pub grids: [&'a Grid; 2],
    pub options: &'a Options,
    pub names: [&'a (dyn Fn(&str) -> u64 + Sync); 2],
    pub ignored: &'a [Vec<u32>; 2],
}

impl Work<'_> {
    /// Looks for rectangles among what is left.
    fn with_rects(&self, found: Found, keyed: &[Keyed<'_>; 2]) -> Result<Aligned, Error> {
        let Found {
            mut aligned,
            changed,
        } = found;
        aligned.ignored.clone_from(self.ignored);
        let mut rects = changed.candidates(
            [&keyed[0], &keyed[1]],
            [&aligned.map.rows, &aligned.map.cols],
        );
        aligned.no_rects = changed.too_many || changed.is_spent();
        // Rows and columns are looked at again without what the rectangles hold;
        // what then did not stay, did not move as a rectangle. Twice at the most.
        for _ in 0..2 {
            if rects.is_empty() {
                return Ok(aligned);
            }
            let all_stayed = rects
                .iter()
                .all(|rect| stayed(*rect, &aligned.rows, &aligned.cols));
            let again = if all_stayed {
                aligned.clone()
            } else {
                let from: Vec<Area> = rects.iter().map(|rect| rect.from).collect();
                let to: Vec<Area> = rects.iter().map(RectMove::target).collect();
                let mut without = self.numbered();
                without[0].hide(&from);
                without[1].hide(&to);
                let mut again = once(&without, self.options)?.aligned;
                again.ignored.clone_from(self.ignored);
                again
            };
            let count = rects.len();
            rects.retain(|rect| stayed(*rect, &again.rows, &again.cols));
            if rects.len() == count {
                return Ok(again.with(rects));
            }
        }
        Ok(aligned)
    }

    /// Numbers all cells that are compared.
    pub fn numbered(&self) -> [Keyed<'_>; 2] {
        let numbered = |side: usize| Keyed::new(self.grids[side], self.options, self.names[side]);
        let mut keyed = [numbered(0), numbered(1)];
        hide_ignored(&mut keyed, self.options);
        keyed
    }
}

struct Found {
    aligned: Aligned,
    changed: Changed,
}

/// Aligned as the lines say, without rectangles.
pub(crate) fn as_lines(
    keyed: &[Keyed<'_>; 2],
    rows: &Rows<'_, '_>,
    lines: Lines,
) -> (Aligned, Changed) {
    let sides = [&keyed[0], &keyed[1]];
    let cols = Lines {
        old_len: sides[0].grid.col_count(),
        new_len: sides[1].grid.col_count(),
        ..Lines::default()
    };
    let map = CellMap {
        rows: AxisMap::read_back(&lines),
        cols: AxisMap::default(),
        rects: Vec::new(),
    };
    let changed = Changed::new(sides, rows, [&map.rows, &map.cols]);
    let hash = |step: &LineMove| {
        block_hash((step.src..step.src + step.len).map(|row| rows.hash(Side::Old, row)))
    };
    let aligned = Aligned {
        row_hashes: lines.moves.iter().map(hash).collect(),
        rows: lines,
        cols,
        map,
        ..Aligned::default()
    };
    (aligned, changed)
}

/// One pass: columns, rows, columns once more if rows show that they were wrong.
fn once(keyed: &[Keyed<'_>; 2], options: &Options) -> Result<Found, Error> {
    let sides = [&keyed[0], &keyed[1]];
    let headers = sides.map(|side| Header::find(side, options.header_row));
    let header = [&headers[0], &headers[1]];
    let engine = &options.engine.0;
    let sample = RowSample::by_rare_cells(sides[0], sides[1]);
    let guessed = sample.guessed;
    let mut cols = diff_columns(sides, &sample, header, engine)?;
    let mut rows = Rows::new(sides, &AxisMap::read_back(&cols), options);
    let (mut lines, mut outcome) = rows.diff(options)?;
    // Columns that went and others that came may be one in the rows that are known
    // now.
    let left_over = !cols.removed.is_empty() && !cols.added.is_empty();
    if guessed || left_over {
        let map = AxisMap::read_back(&lines);
        let new_rows = lines.new_len;
        let filled = sides[0].grid.filled_rows();
        let pairs = filled.filter_map(|(row, _)| Some((row, map.get(row)?)));
        let pairs = pairs.filter(|(_, new)| *new < new_rows);
        let sample = RowSample {
            pairs: pairs.collect(),
            guessed,
        };
        let better = diff_columns(sides, &sample, header, engine)?;
        if better != cols {
            cols = better;
            rows = Rows::new(sides, &AxisMap::read_back(&cols), options);
            (lines, outcome) = rows.diff(options)?;
        }
    }
    drop_sparse_ends(&mut lines, sides, |side, row| side.row(row).count());
    if !cols.removed.is_empty() || !cols.added.is_empty() {
        // Cells of added and removed rows are reported with the rows.
        let told = [&lines.removed, &lines.added];
        let filled = both_sides(sides, |side| filled_columns(sides[side], told[side]));
        drop_sparse_ends(&mut cols, [0, 1], |side, col| filled[side][col as usize]);
    }
    let map = CellMap {
        rows: AxisMap::read_back(&lines),
        cols: AxisMap::read_back(&cols),
        rects: Vec::new(),
    };
    let changed = Changed::new(sides, &rows, [&map.rows, &map.cols]);
    let hash = |step: &LineMove| {
        block_hash((step.src..step.src + step.len).map(|row| rows.hash(Side::Old, row)))
    };
    let row_hashes = lines.moves.iter().map(hash).collect();
    let col_hashes = column_hashes(sides[0], &cols.moves);
    let aligned = Aligned {
        rows: lines,
        cols,
        rects: Vec::new(),
        map,
        row_hashes,
        col_hashes,
        rect_hashes: Vec::new(),
        outcome,
        guessed,
        no_rects: false,
        ignored: [Vec::new(), Vec::new()],
        keyed: false,
    };
    Ok(Found { aligned, changed })
}

/// Lines at the end of one side, of which the other has nothing: beyond its
/// extent a sheet is empty and goes on. Those that hold nothing, because what they
/// hold is a rectangle's, neither came nor went; nor did lines that are reported in
/// fewer words by their cells.
fn drop_sparse_ends<S: Copy>(lines: &mut Lines, sides: [S; 2], filled: impl Fn(S, u32) -> usize) {
    let ends = [lines.old_len, lines.new_len];
    let lists = [&lines.removed, &lines.added];
    let keep = [0, 1].map(|side: usize| {
        let (list, mut cells, mut keep) = (lists[side], 0, lists[side].len());
        for (at, line) in list.iter().enumerate().rev() {
            let behind = list.len() - at;
            if *line as usize + behind != ends[side] as usize {
                break;
            }
            cells += filled(sides[side], *line);
            if cells < behind {
                keep = at;
            }
        }
        keep
    });
    // Left over on both sides, they would be taken for each other.
    let all = lists.map(Vec::len);
    if keep[0] == all[0] || keep[1] == all[1] {
        lines.removed.truncate(keep[0]);
        lines.added.truncate(keep[1]);
    }
}

/// How many cells each column holds outside of these rows.
fn filled_columns(side: &Keyed<'_>, told: &[u32]) -> Vec<usize> {
    let mut filled = vec![0; side.grid.col_count() as usize];
    for (row, col, _) in side.cells() {
        filled[col as usize] += usize::from(told.binary_search(&row).is_err());
    }
    filled
}

/// A hash for each moved block of columns.
fn column_hashes(side: &Keyed<'_>, moves: &[LineMove]) -> Vec<u64> {
    if moves.is_empty() {
        return Vec::new();
    }
    let mut sums = vec![0_u64; side.grid.col_count() as usize];
    for (row, col, key) in side.cells() {
        let sum = &mut sums[col as usize];
        *sum = sum.wrapping_add(mix(key, u64::from(row)));
    }
    let hash = |step: &LineMove| {
        block_hash(
            sums[step.src as usize..(step.src + step.len) as usize]
                .iter()
                .copied(),
        )
    };
    moves.iter().map(hash).collect()
}

fn rect_hashes(grid: &Grid, rects: &[RectMove], options: &Options) -> Vec<u64> {
    if rects.is_empty() {
        return Vec::new();
    }
    let keyed = Keyed::new(grid, options, &|_| 0);
    let hash = |rect: &RectMove| {
        let rows = rect.from.first.row..=rect.from.last.row;
        let cols = rect.from.first.col..=rect.from.last.col;
        block_hash(rows.flat_map(|row| {
            let keyed = &keyed;
            let cols = cols.clone();
            cols.map(move |col| keyed.key(Address::new(row, col)))
        }))
    };
    rects.iter().map(hash).collect()
}

/// Takes out the columns that the caller does not want compared.
pub(crate) fn hide_ignored(keyed: &mut [Keyed<'_>; 2], options: &Options) -> [Vec<u32>; 2] {
    if options.ignore_columns.is_empty() {
        return [Vec::new(), Vec::new()];
    }
    keyed.each_mut().map(|side| {
        let header = Header::find(side, options.header_row).row;
        let named = options.ignore_columns.iter();
        let mut cols: Vec<u32> = named
            .filter_map(|name| named_column(side.grid, header, name))
            .collect();
        cols.sort_unstable();
        cols.dedup();
        let areas: Vec<Area> = cols
            .iter()
            .map(|col| Area {
                first: Address::new(0, *col),
                last: Address::new(MAX_ROWS - 1, *col),
            })
            .collect();
        side.hide(&areas);
        cols
    })
}
