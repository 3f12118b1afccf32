//! Two grids as two problems, columns first: the core on rows and cells.

use mvdiff_core::{Error, Options, Problem, Role, Script, Side, Token, block_hash, diff};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Rows of cells; `null` is an empty cell, and rows may differ in length.
pub type Grid = Vec<Vec<Value>>;

/// How the cells of a line compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Cell by cell, at its place across the line.
    InPlace,
    /// As a bag: across the line everything may have moved.
    Free,
}

/// Lines of a grid as elements: rows, or columns. Cells are numbers that say
/// which cells are equal; 0 is an empty one.
#[derive(Debug)]
pub struct GridProblem {
    lines: [Vec<Vec<u32>>; 2],
    tokens: [Vec<Token>; 2],
    order: Order,
}

impl GridProblem {
    /// Takes lines of cells.
    #[must_use]
    pub fn new(mut lines: [Vec<Vec<u32>>; 2], order: Order) -> Self {
        if order == Order::Free {
            for line in lines.iter_mut().flatten() {
                line.retain(|cell| *cell != 0);
                line.sort_unstable();
            }
        }
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        let tokens = [0, 1].map(|side: usize| {
            let lines = lines[side].iter().cloned();
            lines
                .map(|line| {
                    let next = known.len() as u32;
                    Token(*known.entry(line).or_insert(next))
                })
                .collect()
        });
        Self { lines, tokens, order }
    }

    fn line(&self, side: Side, index: u32) -> &[u32] {
        &self.lines[side as usize][index as usize]
    }
}

impl Problem for GridProblem {
    fn tokens(&self, side: Side) -> &[Token] {
        &self.tokens[side as usize]
    }

    /// Four cells are an ordinary element, twelve as much as one can say.
    fn weight(&self, side: Side, index: u32) -> f32 {
        let filled = self.line(side, index).iter().filter(|cell| **cell != 0);
        (filled.count() as f32 / 4.0).min(3.0)
    }

    fn features(&self, side: Side, index: u32, out: &mut Vec<u64>) {
        let cells = self.line(side, index).iter().enumerate().filter(|(_, cell)| **cell != 0);
        let place = |at: usize| if self.order == Order::InPlace { at as u64 } else { 0 };
        out.extend(cells.map(|(at, cell)| block_hash([place(at), u64::from(*cell)])));
    }

    fn likeness(&self, old: u32, new: u32) -> f32 {
        let (old, new) = (self.line(Side::Old, old), self.line(Side::New, new));
        let (equal, all) = match self.order {
            Order::InPlace => {
                let cell = |line: &[u32], at: usize| line.get(at).copied().unwrap_or(0);
                let both = (0..old.len().max(new.len())).map(|at| (cell(old, at), cell(new, at)));
                let filled = both.filter(|both| *both != (0, 0));
                filled.fold((0, 0), |(e, n), (o, w)| (e + usize::from(o == w), n + 1))
            }
            Order::Free => (shared(old, new), old.len().max(new.len())),
        };
        if all == 0 { 1.0 } else { equal as f32 / all as f32 }
    }
}

/// How many cells two sorted lines share.
fn shared(mut old: &[u32], mut new: &[u32]) -> usize {
    let mut count = 0;
    while let ([o, old_rest @ ..], [n, new_rest @ ..]) = (old, new) {
        match o.cmp(n) {
            std::cmp::Ordering::Less => old = old_rest,
            std::cmp::Ordering::Greater => new = new_rest,
            std::cmp::Ordering::Equal => {
                count += 1;
                (old, new) = (old_rest, new_rest);
            }
        }
    }
    count
}

/// What became of the lines of two grids.
#[derive(Debug)]
pub struct GridDiff {
    /// What became of the columns.
    pub columns: Script,
    /// What became of the rows, over the columns that are on both sides.
    pub rows: Script,
    /// Cells of paired rows and columns that changed, as (new row, new column).
    pub edits: Vec<(u32, u32)>,
}

/// Columns by what they hold in any order, then rows over paired columns.
///
/// # Errors
/// When the core refuses a problem.
pub fn diff_grid(old: &Grid, new: &Grid, options: &Options) -> Result<GridDiff, Error> {
    let mut known: HashMap<String, u32> = HashMap::new();
    let cells = [old, new].map(|grid| {
        let width = grid.iter().map(Vec::len).max().unwrap_or(0);
        let number = |cell: Option<&Value>| match cell {
            None | Some(Value::Null) => 0,
            Some(cell) => {
                let next = known.len() as u32 + 1;
                *known.entry(cell.to_string()).or_insert(next)
            }
        };
        let cells: Vec<Option<&Value>> =
            grid.iter().flat_map(|row| (0..width).map(|c| row.get(c))).collect();
        let numbers: Vec<u32> = cells.into_iter().map(number).collect();
        numbers.chunks(width.max(1)).map(<[u32]>::to_vec).collect::<Vec<_>>()
    });
    let columns = cells.each_ref().map(|rows| {
        let width = rows.first().map_or(0, Vec::len);
        (0..width).map(|c| rows.iter().map(|row| row[c]).collect()).collect()
    });
    let columns = diff(&GridProblem::new(columns, Order::Free), options)?.script;
    let across: Vec<(u32, u32)> = pairs(&columns);
    let pick = |rows: &[Vec<u32>], side: Side| -> Vec<Vec<u32>> {
        let at = |&(o, n): &(u32, u32)| if side == Side::Old { o } else { n };
        rows.iter().map(|row| across.iter().map(|pair| row[at(pair) as usize]).collect()).collect()
    };
    let lines = [pick(&cells[0], Side::Old), pick(&cells[1], Side::New)];
    let rows = diff(&GridProblem::new(lines.clone(), Order::InPlace), options)?.script;
    let mut edits = Vec::new();
    for (o, n) in pairs(&rows) {
        let both = lines[0][o as usize].iter().zip(&lines[1][n as usize]).zip(&across);
        edits.extend(both.filter(|((old, new), _)| old != new).map(|(_, &(_, column))| (n, column)));
    }
    Ok(GridDiff { columns, rows, edits })
}

/// All pairs of a script.
fn pairs(script: &Script) -> Vec<(u32, u32)> {
    script.runs().iter().flat_map(|run| run.old_range().zip(run.new_range())).collect()
}

/// The moves, additions and removals of lines.
fn report(script: &Script) -> Value {
    let mut moved: Vec<Vec<(u32, u32)>> = vec![Vec::new(); script.moves().len()];
    for run in script.runs() {
        if let Role::Moved(id) = run.role {
            moved[id as usize].extend(run.old_range().zip(run.new_range()));
        }
    }
    let inverse = script.invert();
    let loose = |script: &Script| -> Vec<u32> {
        let paired: Vec<u32> = pairs(script).into_iter().map(|(old, _)| old).collect();
        (0..script.old_len()).filter(|i| paired.binary_search(i).is_err()).collect()
    };
    json!({"moved": moved, "removed": loose(script), "added": loose(&inverse)})
}

/// The prediction for one case; with `transpose`, found on its side.
///
/// # Errors
/// When the core refuses a problem.
pub fn predict(old: &Grid, new: &Grid, transpose: bool) -> Result<Value, Error> {
    let options = Options::default();
    if !transpose {
        let found = diff_grid(old, new, &options)?;
        let (rows, columns) = (report(&found.rows), report(&found.columns));
        return Ok(json!({"rows": rows, "cols": columns, "edits": found.edits}));
    }
    let found = diff_grid(&transposed(old), &transposed(new), &options)?;
    let (rows, columns) = (report(&found.columns), report(&found.rows));
    let edits: Vec<(u32, u32)> = found.edits.iter().map(|&(row, column)| (column, row)).collect();
    Ok(json!({"rows": rows, "cols": columns, "edits": edits}))
}

fn transposed(grid: &Grid) -> Grid {
    let width = grid.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |row: &Vec<Value>, c: usize| row.get(c).cloned().unwrap_or(Value::Null);
    (0..width).map(|c| grid.iter().map(|row| cell(row, c)).collect()).collect()
}
