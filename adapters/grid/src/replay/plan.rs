//! What a report says of one sheet, sorted by what it is.

use crate::cell_map::{AxisMap, CellMap, LineMove, Lines, RectMove};
use crate::replay::ApplyError;
use crate::{Address, Area, CellData, DiffOp, MAX_COLS, MAX_ROWS, PlacedCell, Refs, SheetReport};

/// All that happened in one sheet.
#[derive(Debug, Default)]
pub(crate) struct Plan<'r> {
    pub rows: Lines,
    pub cols: Lines,
    pub relative_rows: Vec<LineMove>,
    pub relative_cols: Vec<LineMove>,
    pub rects: Vec<RectMove>,
    pub added: Vec<&'r PlacedCell>,
    pub edits: Vec<Edit<'r>>,
    pub merges_added: Vec<Area>,
    pub merges_removed: Vec<Area>,
    /// Cells whose formulas stay as they are.
    pub kept: Vec<Area>,
}

/// A cell that holds something else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edit<'r> {
    pub at: Address,
    pub to: &'r CellData,
}

impl<'r> Plan<'r> {
    /// Takes the operations of one sheet.
    ///
    /// # Errors
    /// When a place lies outside a sheet.
    pub fn new(ops: impl IntoIterator<Item = &'r DiffOp>) -> Result<Self, ApplyError> {
        let mut plan = Self::default();
        for op in ops {
            plan.take(op)?;
        }
        for lines in [&mut plan.rows, &mut plan.cols] {
            lines.removed.sort_unstable();
            lines.added.sort_unstable();
            lines.moves.sort_unstable();
        }
        Ok(plan)
    }

    fn take(&mut self, op: &'r DiffOp) -> Result<(), ApplyError> {
        match op {
            DiffOp::RowAdded { row_idx, cells, .. } => {
                self.rows.added.push(line(*row_idx, 1, MAX_ROWS)?);
                self.added.extend(cells);
            }
            DiffOp::RowRemoved { row_idx, .. } => {
                self.rows.removed.push(line(*row_idx, 1, MAX_ROWS)?);
            }
            DiffOp::ColumnAdded { col_idx, cells, .. } => {
                self.cols.added.push(line(*col_idx, 1, MAX_COLS)?);
                self.added.extend(cells);
            }
            DiffOp::ColumnRemoved { col_idx, .. } => {
                self.cols.removed.push(line(*col_idx, 1, MAX_COLS)?);
            }
            DiffOp::BlockMovedRows {
                src_start_row,
                row_count,
                dst_start_row,
                refs,
                ..
            } => {
                let step = step(*src_start_row, *row_count, *dst_start_row, MAX_ROWS)?;
                self.rows.moves.push(step);
                if *refs == Refs::Relative {
                    self.relative_rows.push(step);
                }
            }
            DiffOp::BlockMovedColumns {
                src_start_col,
                col_count,
                dst_start_col,
                refs,
                ..
            } => {
                let step = step(*src_start_col, *col_count, *dst_start_col, MAX_COLS)?;
                self.cols.moves.push(step);
                if *refs == Refs::Relative {
                    self.relative_cols.push(step);
                }
            }
            DiffOp::BlockMovedRect {
                src_start_row,
                row_count,
                src_start_col,
                col_count,
                dst_start_row,
                dst_start_col,
                ..
            } => {
                let rows = step(*src_start_row, *row_count, *dst_start_row, MAX_ROWS)?;
                let cols = step(*src_start_col, *col_count, *dst_start_col, MAX_COLS)?;
                self.rects.push(RectMove {
                    from: Area {
                        first: Address::new(rows.src, cols.src),
                        last: Address::new(rows.src + rows.len - 1, cols.src + cols.len - 1),
                    },
                    to: Address::new(rows.dst, cols.dst),
                });
            }
            DiffOp::CellEdited { addr, to, .. } => self.edits.push(Edit { at: addr.0, to }),
            DiffOp::MergeAdded { area, .. } => self.merges_added.push(parse_area(area)?),
            DiffOp::MergeRemoved { area, .. } => self.merges_removed.push(parse_area(area)?),
            _ => {}
        }
        Ok(())
    }

    /// Where the cells of a sheet of this extent go; `keyed` says which rows were
    /// matched by key, if they were.
    ///
    /// # Errors
    /// When operations contradict each other; it says which.
    pub fn map(
        &mut self,
        rows: u32,
        cols: u32,
        keyed: Option<&SheetReport>,
    ) -> Result<CellMap, String> {
        let rows = match keyed {
            None => read(&mut self.rows, rows, "row")?,
            Some(told) => keyed_rows(told, rows)?,
        };
        Ok(CellMap {
            rows,
            cols: read(&mut self.cols, cols, "column")?,
            rects: self.rects.clone(),
        })
    }
}

fn keyed_rows(told: &SheetReport, extent: u32) -> Result<AxisMap, String> {
    let runs = &told.keyed_rows;
    let mut end = told.new_rows;
    for &[old, new, len] in runs {
        let fits = |from: u32, most: u32| from.checked_add(len).is_some_and(|end| end <= most);
        if !fits(old, extent) || !fits(new, MAX_ROWS) {
            return Err(format!("{len} rows from {old} to {new} do not fit"));
        }
        end = end.max(new + len);
    }
    let pairs = runs
        .iter()
        .flat_map(|&[old, new, len]| (old..old + len).zip(new..new + len));
    Ok(AxisMap::new(extent, end, pairs))
}

fn read(lines: &mut Lines, extent: u32, what: &str) -> Result<AxisMap, String> {
    let ends = lines
        .moves
        .iter()
        .map(|step| (step.src + step.len, step.dst + step.len));
    let old = ends
        .clone()
        .map(|ends| ends.0)
        .chain(lines.removed.iter().map(|line| line + 1));
    let new = ends
        .map(|ends| ends.1)
        .chain(lines.added.iter().map(|line| line + 1));
    let (old, new) = (old.max().unwrap_or(0).max(extent), new.max().unwrap_or(0));
    let mut used = vec![false; old as usize];
    let mut taken = vec![false; new as usize];
    let went = lines
        .moves
        .iter()
        .flat_map(|step| step.src..step.src + step.len);
    for line in went.chain(lines.removed.iter().copied()) {
        if std::mem::replace(&mut used[line as usize], true) {
            return Err(format!("old {what} {line} is moved or removed twice"));
        }
    }
    let came = lines
        .moves
        .iter()
        .flat_map(|step| step.dst..step.dst + step.len);
    for line in came.chain(lines.added.iter().copied()) {
        if std::mem::replace(&mut taken[line as usize], true) {
            return Err(format!("new {what} {line} is filled twice"));
        }
    }
    (lines.old_len, lines.new_len) = (old, new);
    Ok(AxisMap::read_back(lines))
}

fn line(first: u32, count: u32, end: u32) -> Result<u32, ApplyError> {
    let fits = count > 0 && first.checked_add(count).is_some_and(|last| last <= end);
    if fits {
        Ok(first)
    } else {
        Err(ApplyError::NoPlace(format!("{count} lines from {first}")))
    }
}

fn step(src: u32, len: u32, dst: u32, end: u32) -> Result<LineMove, ApplyError> {
    let (src, dst) = (line(src, len, end)?, line(dst, len, end)?);
    Ok(LineMove { src, len, dst })
}

/// A region as it is printed, `A1:B2`.
pub(crate) fn parse_area(text: &str) -> Result<Area, ApplyError> {
    let wrong = || ApplyError::NoPlace(text.to_owned());
    let (first, last) = text.split_once(':').ok_or_else(wrong)?;
    let first: Address = first.parse().map_err(|_| wrong())?;
    let last: Address = last.parse().map_err(|_| wrong())?;
    if first.row > last.row || first.col > last.col {
        return Err(wrong());
    }
    Ok(Area { first, last })
}
