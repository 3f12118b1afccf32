//! Two grids as two problems, columns first: the core on rows and cells.

use mvdiff_core::{Error, Options, Problem, Script, Side, Token, block_hash, diff};
use serde_json::Value;
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
        Self {
            lines,
            tokens,
            order,
        }
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
        let cells = self
            .line(side, index)
            .iter()
            .enumerate()
            .filter(|(_, cell)| **cell != 0);
        let placed = u64::from(self.order == Order::InPlace);
        out.extend(cells.map(|(at, cell)| block_hash([placed * at as u64, u64::from(*cell)])));
    }

    fn similarity(&self, old: u32, new: u32) -> f32 {
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
        if all == 0 {
            1.0
        } else {
            equal as f32 / all as f32
        }
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
        let cells: Vec<Option<&Value>> = grid
            .iter()
            .flat_map(|row| (0..width).map(|c| row.get(c)))
            .collect();
        let numbers: Vec<u32> = cells.into_iter().map(number).collect();
        numbers
            .chunks(width.max(1))
            .map(<[u32]>::to_vec)
            .collect::<Vec<_>>()
    });
    let columns = cells.each_ref().map(|rows| {
        let width = rows.first().map_or(0, Vec::len);
        (0..width)
            .map(|c| rows.iter().map(|row| row[c]).collect())
            .collect()
    });
    let columns = diff(&GridProblem::new(columns, Order::Free), options)?.script;
    let across: Vec<(u32, u32)> = pairs(&columns);
    let pick = |rows: &[Vec<u32>], side: Side| -> Vec<Vec<u32>> {
        let at = |&(o, n): &(u32, u32)| if side == Side::Old { o } else { n };
        rows.iter()
            .map(|row| across.iter().map(|pair| row[at(pair) as usize]).collect())
            .collect()
    };
    let lines = [pick(&cells[0], Side::Old), pick(&cells[1], Side::New)];
    let rows = diff(&GridProblem::new(lines.clone(), Order::InPlace), options)?.script;
    let mut edits = Vec::new();
    for (o, n) in pairs(&rows) {
        let both = lines[0][o as usize]
            .iter()
            .zip(&lines[1][n as usize])
            .zip(&across);
        edits.extend(
            both.filter(|((old, new), _)| old != new)
                .map(|(_, &(_, column))| (n, column)),
        );
    }
    Ok(GridDiff {
        columns,
        rows,
        edits,
    })
}

/// All pairs of a script.
#[must_use]
pub fn pairs(script: &Script) -> Vec<(u32, u32)> {
    script
        .runs()
        .iter()
        .flat_map(|run| run.old_range().zip(run.new_range()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{GridProblem, Order, pairs};
    use mvdiff_core::{Options, Relation, Role, Script, diff};
    use mvdiff_text::LineProblem;
    use std::collections::HashMap;

    /// What a script says, but for how alike edited elements are: lines and
    /// rows measure that differently.
    fn said(script: &Script) -> Vec<(u32, u32, Role, bool)> {
        let of_run = |run: &mvdiff_core::Run| {
            let (role, exact) = (run.role, run.relation == Relation::EXACT);
            run.old_range()
                .zip(run.new_range())
                .map(move |(o, n)| (o, n, role, exact))
        };
        script.runs().iter().flat_map(of_run).collect()
    }

    /// Diffs as lines, and as rows whose cells are the words of the lines.
    fn both(old: &[String], new: &[String]) -> [Script; 2] {
        let options = Options::default();
        let texts = [old, new].map(|side| side.join("\n") + "\n");
        let lines = LineProblem::of_texts(texts[0].as_bytes(), texts[1].as_bytes()).unwrap();
        let mut known: HashMap<String, u32> = HashMap::new();
        let rows = [old, new].map(|side| {
            let mut cell = |word: &str| {
                let next = known.len() as u32 + 1;
                *known.entry(word.to_owned()).or_insert(next)
            };
            side.iter()
                .map(|line| line.split(' ').map(&mut cell).collect())
                .collect()
        });
        let rows = GridProblem::new(rows, Order::InPlace);
        let scripts = [
            diff(&lines, &options).unwrap().script,
            diff(&rows, &options).unwrap().script,
        ];
        scripts[0].check(&lines).unwrap();
        scripts[1].check(&rows).unwrap();
        scripts
    }

    /// Lines of eight words that share none.
    fn lines(range: std::ops::Range<usize>) -> Vec<String> {
        let words = [
            "alpha", "bravo", "delta", "gamma", "hotel", "india", "julia", "sigma",
        ];
        let line = |i: usize| {
            words
                .map(|word| format!("{word}{}", i * 7919 % 9973))
                .join(" ")
        };
        range.map(line).collect()
    }

    fn edit(line: &mut String, word: usize) {
        let mut words: Vec<&str> = line.split(' ').collect();
        words[word] = "other0";
        *line = words.join(" ");
    }

    fn agree(old: &[String], new: &[String]) -> Script {
        let [lines, rows] = both(old, new);
        assert_eq!(said(&lines), said(&rows));
        let ends = |script: &Script| -> Vec<_> {
            script
                .moves()
                .iter()
                .map(|m| (m.old.clone(), m.new.clone()))
                .collect()
        };
        assert_eq!(ends(&lines), ends(&rows));
        rows
    }

    #[test]
    fn one_case_as_lines_and_as_rows_has_one_answer() {
        let old = lines(0..30);
        let mut new = old.clone();
        let block: Vec<String> = new.drain(4..8).collect();
        new.splice(16..16, block);
        edit(&mut new[17], 3);
        edit(&mut new[25], 5);
        new.remove(22);
        new.insert(2, lines(40..41).remove(0));
        let script = agree(&old, &new);
        assert_eq!(script.moves().len(), 1);
        assert_eq!(
            (script.moves()[0].old.clone(), script.moves()[0].new.clone()),
            (4..8, 17..21)
        );
        assert_eq!(pairs(&script).len(), 29);
    }

    #[test]
    fn a_block_with_every_line_edited_is_one_move_as_lines_and_as_rows() {
        let old = lines(0..40);
        let mut new = old.clone();
        let mut block: Vec<String> = new.drain(5..17).collect();
        block
            .iter_mut()
            .enumerate()
            .for_each(|(i, line)| edit(line, i * 3 % 8));
        new.splice(22..22, block);
        let script = agree(&old, &new);
        assert_eq!(script.moves().len(), 1);
        assert_eq!(
            (script.moves()[0].old.clone(), script.moves()[0].new.clone()),
            (5..17, 22..34)
        );
    }
}
