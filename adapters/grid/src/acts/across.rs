//! Rows, columns and blocks that came from another sheet.

use super::Ops;
use super::areas::range;
use super::lines::{Digest, of_cells, of_row, plain};
use crate::{Across, AcrossAct, Address, CellData, DiffOp, Sheet, Value, Workbook};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Fewer lines than these may be alike by chance, unless they hold much.
const LINES: usize = 2;
/// A single line with so many cells is enough.
const CELLS: usize = 4;
/// Old cells that are looked through for what was copied.
const LOOKED_AT: usize = 4_000_000;

/// A row or column of one sheet that came or went, and the operations that say so.
struct Line {
    sheet: String,
    at: u32,
    digest: Digest,
    ops: Vec<usize>,
    /// The operation is about a whole sheet, and holds other lines, too.
    whole_sheet: bool,
}

pub(super) fn fold(ops: &mut Ops, old: &Workbook) {
    for along_row in [true, false] {
        let (gone, came) = lines(ops, along_row);
        if came.is_empty() {
            continue;
        }
        if !gone.is_empty() {
            let pairs = pairs(&came, &gone);
            tell(ops, &came, &gone, &pairs, along_row);
        }
    }
    copied(ops, old);
}

type Cells<'o> = BTreeMap<(&'o str, u32), (Vec<(Address, Value<&'o str>)>, Vec<usize>, bool)>;

/// What went and what came, line by line.
fn lines(ops: &Ops, along_row: bool) -> (Vec<Line>, Vec<Line>) {
    let (mut gone, mut came) = (Cells::new(), Cells::new());
    for (i, op) in ops.left() {
        match op {
            DiffOp::RowRemoved {
                sheet,
                row_idx,
                cells,
            } if along_row => add(
                &mut gone,
                i,
                cells,
                (sheet, Some(*row_idx), false),
                along_row,
            ),
            DiffOp::RowAdded {
                sheet,
                row_idx,
                cells,
            } if along_row => add(
                &mut came,
                i,
                cells,
                (sheet, Some(*row_idx), false),
                along_row,
            ),
            DiffOp::ColumnRemoved {
                sheet,
                col_idx,
                cells,
            } if !along_row => add(
                &mut gone,
                i,
                cells,
                (sheet, Some(*col_idx), false),
                along_row,
            ),
            DiffOp::ColumnAdded {
                sheet,
                col_idx,
                cells,
            } if !along_row => add(
                &mut came,
                i,
                cells,
                (sheet, Some(*col_idx), false),
                along_row,
            ),
            DiffOp::SheetRemoved { sheet, cells, .. } => {
                add(&mut gone, i, cells, (sheet, None, true), along_row);
            }
            DiffOp::SheetAdded { sheet, cells, .. } => {
                add(&mut came, i, cells, (sheet, None, true), along_row);
            }
            DiffOp::CellEdited {
                sheet,
                addr,
                from_addr,
                from,
                to,
                ..
            } => {
                let (lines, at, cell): (_, _, &CellData) = if to.is_empty() {
                    (&mut gone, from_addr.0, from)
                } else if from.is_empty() {
                    (&mut came, addr.0, to)
                } else {
                    continue;
                };
                let line = if along_row { at.row } else { at.col };
                let entry = lines.entry((sheet, line)).or_default();
                entry
                    .0
                    .push((at, plain(cell.value.as_str(), cell.formula.as_deref())));
                entry.1.push(i);
            }
            _ => {}
        }
    }
    let finish = |lines: Cells<'_>| {
        let lines = lines.into_iter().filter_map(|((sheet, at), line)| {
            let (cells, ops, whole_sheet) = line;
            Some(Line {
                sheet: sheet.to_owned(),
                at,
                digest: of_cells(cells.into_iter(), along_row)?,
                ops,
                whole_sheet,
            })
        });
        lines.collect()
    };
    (finish(gone), finish(came))
}

fn add<'o>(
    lines: &mut Cells<'o>,
    op: usize,
    cells: &'o [crate::PlacedCell],
    (sheet, line, whole): (&'o str, Option<u32>, bool),
    along_row: bool,
) {
    for cell in cells {
        let at = cell.addr.0;
        let line = line.unwrap_or(if along_row { at.row } else { at.col });
        let entry = lines.entry((sheet, line)).or_default();
        let value = plain(cell.cell.value.as_str(), cell.cell.formula.as_deref());
        entry.0.push((at, value));
        if entry.1.last() != Some(&op) {
            entry.1.push(op);
        }
        entry.2 |= whole;
    }
}

/// Lines that came, each with the line of another sheet that went; in order where
/// several are alike.
fn pairs(came: &[Line], gone: &[Line]) -> Vec<(usize, usize)> {
    let mut by_content: HashMap<u64, Alike<'_>> = HashMap::new();
    for (i, line) in gone.iter().enumerate().rev() {
        let alike = by_content.entry(line.digest.hash).or_default();
        alike.of.entry(&line.sheet).or_default().push(i);
    }
    for alike in by_content.values_mut() {
        for (sheet, lines) in &alike.of {
            alike.next.extend(lines.last().map(|line| (*line, *sheet)));
        }
    }
    let mut pairs = Vec::new();
    for (i, line) in came.iter().enumerate() {
        let alike = by_content.get_mut(&line.digest.hash);
        if let Some(j) = alike.and_then(|alike| alike.take(&line.sheet)) {
            pairs.push((i, j));
        }
    }
    pairs
}

/// Lines that hold the same.
#[derive(Default)]
struct Alike<'l> {
    /// Those of each sheet, the first one last.
    of: HashMap<&'l str, Vec<usize>>,
    /// The first of each sheet. A sheet may have a million that are alike, so the
    /// others are not looked through.
    next: BTreeSet<(usize, &'l str)>,
}

impl Alike<'_> {
    /// The first line of another sheet.
    fn take(&mut self, sheet: &str) -> Option<usize> {
        let next = self.next.iter().find(|(_, other)| *other != sheet);
        let (line, other) = *next?;
        self.next.remove(&(line, other));
        let lines = self.of.get_mut(other)?;
        lines.pop();
        self.next.extend(lines.last().map(|line| (*line, other)));
        Some(line)
    }
}

/// One act for each two sheets.
fn tell(ops: &mut Ops, came: &[Line], gone: &[Line], pairs: &[(usize, usize)], along_row: bool) {
    let mut by_sheets: BTreeMap<(&str, &str), Vec<(usize, usize)>> = BTreeMap::new();
    for &(i, j) in pairs {
        let sheets = (&*came[i].sheet, &*gone[j].sheet);
        by_sheets.entry(sheets).or_default().push((i, j));
    }
    for ((sheet, from_sheet), pairs) in by_sheets {
        let cells: usize = pairs.iter().map(|(i, _)| came[*i].digest.count).sum();
        if pairs.len() < LINES && cells < CELLS {
            continue;
        }
        let is = pairs.iter().any(|(i, _)| came[*i].whole_sheet);
        let was = pairs.iter().any(|(_, j)| gone[*j].whole_sheet);
        // A sheet goes into an act as a whole, so most of it has to come from there.
        let most = |lines: &[Line], name: &str| {
            let all = lines.iter().filter(|line| line.sheet == name).count();
            pairs.len() * 3 >= all * 2
        };
        let how = match (is, was) {
            (false, false) => Across::Moved,
            (true, false) if most(came, sheet) => Across::Split,
            (false, true) if most(gone, from_sheet) => Across::Joined,
            _ => continue,
        };
        let which: BTreeSet<usize> = pairs
            .iter()
            .flat_map(|(i, j)| came[*i].ops.iter().chain(&gone[*j].ops).copied())
            .collect();
        let which: Vec<usize> = which.into_iter().collect();
        if which.iter().any(|&at| ops.plain[at].is_none()) {
            continue;
        }
        let place = |line: &Line| {
            let (first, last) = (line.digest.first, line.digest.last);
            let at = |across: u32| {
                if along_row {
                    Address::new(line.at, across)
                } else {
                    Address::new(across, line.at)
                }
            };
            (first..=last).map(at).collect::<Vec<_>>()
        };
        let act = AcrossAct {
            sheet: sheet.to_owned(),
            range: range(pairs.iter().flat_map(|(i, _)| place(&came[*i]))),
            from_sheet: from_sheet.to_owned(),
            from_range: range(pairs.iter().flat_map(|(_, j)| place(&gone[*j]))),
            how,
            ops: ops.take(&which),
        };
        ops.put(&which, DiffOp::BlockMovedAcross(act));
    }
}

/// A line that came, the old row that it is a copy of, and what both hold.
type Copied = (usize, u32, Digest);

/// Rows that came and are still in another sheet, too.
fn copied(ops: &mut Ops, old: &Workbook) {
    let (_, came) = lines(ops, true);
    if came.len() < LINES {
        return;
    }
    let cells = old.sheets.iter().filter_map(Sheet::grid);
    if cells.map(crate::Grid::cell_count).sum::<usize>() > LOOKED_AT {
        return;
    }
    let wanted: BTreeSet<u64> = came.iter().map(|line| line.digest.hash).collect();
    let mut there: HashMap<u64, Vec<(usize, u32, Digest)>> = HashMap::new();
    for (i, sheet) in old.sheets.iter().enumerate() {
        let Some(grid) = sheet.grid() else { continue };
        for (row, _) in grid.filled_rows() {
            if let Some(digest) = of_row(grid, row).filter(|d| wanted.contains(&d.hash)) {
                // The first one of two sheets is enough: one of them is another.
                let known = there.entry(digest.hash).or_default();
                if known.len() < 2 && known.last().is_none_or(|(at, ..)| *at != i) {
                    known.push((i, row, digest));
                }
            }
        }
    }
    let mut by_sheets: BTreeMap<(&str, usize), Vec<Copied>> = BTreeMap::new();
    for (i, line) in came.iter().enumerate() {
        let mut found = there.get(&line.digest.hash).into_iter().flatten();
        // The first sheet that has it; rows of the same sheet are copied in place.
        if let Some((at, row, digest)) = found.find(|(at, ..)| old.sheets[*at].name != line.sheet) {
            let group = by_sheets.entry((&line.sheet, *at)).or_default();
            group.push((i, *row, *digest));
        }
    }
    for ((sheet, at), rows) in by_sheets {
        let whole = rows.iter().any(|(i, ..)| came[*i].whole_sheet);
        let all = came.iter().filter(|line| line.sheet == sheet).count();
        if rows.len() < LINES || (whole && rows.len() * 3 < all * 2) {
            continue;
        }
        let which: BTreeSet<usize> = rows
            .iter()
            .flat_map(|(i, ..)| came[*i].ops.iter().copied())
            .collect();
        let which: Vec<usize> = which.into_iter().collect();
        if which.iter().any(|&at| ops.plain[at].is_none()) {
            continue;
        }
        let to = rows.iter().flat_map(|(i, ..)| {
            let line = &came[*i];
            (line.digest.first..=line.digest.last).map(|col| Address::new(line.at, col))
        });
        let from = rows.iter().flat_map(|(_, row, digest)| {
            (digest.first..=digest.last).map(|col| Address::new(*row, col))
        });
        let act = AcrossAct {
            sheet: sheet.to_owned(),
            range: range(to),
            from_sheet: old.sheets[at].name.clone(),
            from_range: range(from),
            how: Across::Copied,
            ops: ops.take(&which),
        };
        ops.put(&which, DiffOp::BlockMovedAcross(act));
    }
}
