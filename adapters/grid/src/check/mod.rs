//! A report held against both workbooks before anybody sees it.
//!
//! This reads operations back by itself: of the comparison it uses nothing, so that
//! a mistake there does not confirm itself. Only how a formula reads after its cells
//! went elsewhere is asked of those who replay reports.

mod lines;

use crate::{
    Address, Area, CellData, DiffOp, DiffReport, Grid, Mode, Options, Sheet, Workbook, apply,
};
use lines::Lines;
use std::collections::{HashMap, HashSet};

/// Whether a report under these options has to make the new workbook exactly.
pub(crate) fn is_due(options: &Options) -> bool {
    options.mode == Mode::Grid
        && options.only_sheets.is_empty()
        && options.ignore_sheets.is_empty()
        && options.ignore_columns.is_empty()
        && !options.values_only
        && options.tolerance.is_none()
        && options.column_tolerances.is_empty()
        && !options.ignore_case
        && !options.trim
}

/// Holds a report against both workbooks.
///
/// # Errors
/// The first thing that is not so, in words.
pub(crate) fn check(old: &Workbook, new: &Workbook, report: &DiffReport) -> Result<(), String> {
    let by_name = |book: &'_ Workbook| -> HashMap<String, usize> {
        let names = book.sheets.iter().map(|sheet| sheet.name.clone());
        names.zip(0..).collect()
    };
    let (were, are) = (by_name(old), by_name(new));
    let mut by_sheet: HashMap<&str, Vec<&DiffOp>> = HashMap::new();
    for op in &report.ops {
        if let Some(sheet) = op.sheet() {
            by_sheet.entry(sheet).or_default().push(op);
        }
    }
    let still = report.links.is_empty() && report.ops.iter().all(stays);
    // What follows is made once, and only if a formula asks for it.
    let mut replayed: Option<Workbook> = None;
    for told in &report.sheets {
        let (Some(&was), Some(&is)) = (were.get(&told.old_sheet), are.get(&told.sheet)) else {
            return Err(format!("there is no sheet {:?}", told.sheet));
        };
        let (was, is) = (&old.sheets[was], &new.sheets[is]);
        let ops = by_sheet.get(&told.sheet[..]).map_or(&[][..], |ops| ops);
        let (Some(from), Some(to)) = (was.grid(), is.grid()) else {
            continue;
        };
        let sheet = Reading::new(ops, from, to)?;
        let followed = sheet.cells(from, to, still)?;
        if !followed.is_empty() {
            if replayed.is_none() {
                replayed = Some(apply(old, report).map_err(|error| error.to_string())?);
            }
            let made = replayed.as_ref().and_then(|book| find(book, &is.name));
            formulas(made, to, &followed)?;
        }
    }
    for op in &report.ops {
        if let DiffOp::SheetAdded { sheet, cells, .. } = op {
            let grid = find(new, sheet).and_then(Sheet::grid);
            let count = grid.map_or(0, Grid::cell_count);
            if cells.len() != count {
                return Err(format!(
                    "sheet {sheet:?} does not have {} cells",
                    cells.len()
                ));
            }
        }
    }
    Ok(())
}

/// Whether no formula has anything to follow.
fn stays(op: &DiffOp) -> bool {
    matches!(
        op,
        DiffOp::CellEdited { .. }
            | DiffOp::MergeAdded { .. }
            | DiffOp::MergeRemoved { .. }
            | DiffOp::NameAdded { .. }
            | DiffOp::NameRemoved { .. }
            | DiffOp::NameChanged { .. }
            | DiffOp::SheetAdded { .. }
            | DiffOp::SheetMoved { .. }
            | DiffOp::SheetVisibility { .. }
    )
}

fn find<'b>(book: &'b Workbook, name: &str) -> Option<&'b Sheet> {
    book.sheets.iter().find(|sheet| sheet.name == name)
}

/// Formulas that read otherwise than before, as replaying makes them.
fn formulas(made: Option<&Sheet>, new: &Grid, cells: &[Address]) -> Result<(), String> {
    let made = made.and_then(Sheet::grid);
    for &at in cells {
        let formula = |grid: &Grid| {
            let cell = grid.cell(at);
            cell.map(|cell| (cell.formula.map(plain), cell.array))
        };
        let (was, is) = (made.and_then(|made| made.cell(at)), new.cell(at));
        if let (Some(was), Some(is)) = (&was, &is)
            && (was.formula, was.array) == (is.formula, is.array)
        {
            continue;
        }
        if made.and_then(formula) != formula(new) {
            return Err(format!("{at} would hold another formula"));
        }
    }
    Ok(())
}

/// A formula but for case and blanks outside of strings, and for the sheet of a
/// reference that is lost.
fn plain(formula: &str) -> String {
    let mut text = String::with_capacity(formula.len());
    let mut quoted = false;
    for c in formula.chars() {
        quoted ^= c == '"';
        match c {
            c if quoted => text.push(c),
            c if c.is_whitespace() || c == '\'' => {}
            c => text.extend(c.to_lowercase()),
        }
    }
    while let Some(at) = text.find("!#ref!") {
        let word = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']' | ':'));
        let before = text[..at].char_indices().rfind(|(_, c)| word(*c));
        let start = before.map_or(0, |(at, c)| at + c.len_utf8());
        text.replace_range(start..=at, "");
    }
    text
}

/// The operations of one sheet, read back.
struct Reading<'r> {
    rows: Lines,
    cols: Lines,
    rects: Vec<Rect>,
    /// What is written down, by its new place.
    written: HashMap<Address, &'r CellData>,
}

/// A rectangle and where it went.
struct Rect {
    from: Area,
    to: Address,
}

impl Rect {
    fn place(&self, at: Address) -> Option<Address> {
        self.from.contains(at).then(|| {
            let (down, right) = (at.row - self.from.first.row, at.col - self.from.first.col);
            Address::new(self.to.row + down, self.to.col + right)
        })
    }

    fn covers(&self, at: Address) -> bool {
        let height = self.from.last.row - self.from.first.row;
        let width = self.from.last.col - self.from.first.col;
        (self.to.row..=self.to.row + height).contains(&at.row)
            && (self.to.col..=self.to.col + width).contains(&at.col)
    }
}

impl<'r> Reading<'r> {
    fn new(ops: &[&'r DiffOp], old: &Grid, new: &Grid) -> Result<Self, String> {
        let (mut rows, mut cols) = (Lines::default(), Lines::default());
        let (mut rects, mut written) = (Vec::new(), HashMap::new());
        let mut edits = Vec::new();
        for op in ops {
            match op {
                DiffOp::RowRemoved { row_idx, .. } => rows.gone.push(*row_idx),
                DiffOp::ColumnRemoved { col_idx, .. } => cols.gone.push(*col_idx),
                DiffOp::RowAdded { row_idx, cells, .. } => {
                    rows.come.push(*row_idx);
                    written.extend(cells.iter().map(|cell| (cell.addr.0, &cell.cell)));
                }
                DiffOp::ColumnAdded { col_idx, cells, .. } => {
                    cols.come.push(*col_idx);
                    written.extend(cells.iter().map(|cell| (cell.addr.0, &cell.cell)));
                }
                DiffOp::BlockMovedRows {
                    src_start_row,
                    row_count,
                    dst_start_row,
                    ..
                } => rows
                    .moved
                    .push((*src_start_row, *row_count, *dst_start_row)),
                DiffOp::BlockMovedColumns {
                    src_start_col,
                    col_count,
                    dst_start_col,
                    ..
                } => cols
                    .moved
                    .push((*src_start_col, *col_count, *dst_start_col)),
                DiffOp::BlockMovedRect {
                    src_start_row,
                    row_count,
                    src_start_col,
                    col_count,
                    dst_start_row,
                    dst_start_col,
                    ..
                } => rects.push(Rect {
                    from: Area {
                        first: Address::new(*src_start_row, *src_start_col),
                        last: Address::new(
                            src_start_row + row_count - 1,
                            src_start_col + col_count - 1,
                        ),
                    },
                    to: Address::new(*dst_start_row, *dst_start_col),
                }),
                DiffOp::CellEdited { addr, to, .. } => edits.push((addr.0, to)),
                _ => {}
            }
        }
        // Edits are written last.
        written.extend(edits);
        rows.settle(old.row_count().max(new.row_count()))
            .map_err(|line| format!("row {} is reported twice", line + 1))?;
        cols.settle(old.col_count().max(new.col_count()))
            .map_err(|line| format!("column {} is reported twice", line + 1))?;
        Ok(Self {
            rows,
            cols,
            rects,
            written,
        })
    }

    /// Holds every cell of both sheets against the reading; the places of formulas
    /// that read otherwise than before are given back.
    fn cells(&self, old: &Grid, new: &Grid, still: bool) -> Result<Vec<Address>, String> {
        let mut followed = Vec::new();
        let mut there = 0;
        for cell in old.cells() {
            let Some(to) = self.place(cell.address) else {
                continue;
            };
            if self.written.contains_key(&to) {
                continue;
            }
            there += 1;
            let Some(now) = new.cell(to) else {
                return Err(format!("{to} would hold what {} held", cell.address));
            };
            match (cell.formula, now.formula) {
                (None, None) if cell.value.same(&now.value) => {}
                (Some(was), Some(is)) if still && was == is && cell.array == now.array => {}
                (Some(_), Some(_)) => followed.push(to),
                _ => return Err(format!("{to} would hold what {} held", cell.address)),
            }
        }
        let mut seen = HashSet::new();
        for (&at, &cell) in &self.written {
            if cell.is_empty() {
                if new.cell(at).is_some() {
                    return Err(format!("{at} would be empty"));
                }
                continue;
            }
            seen.insert(at);
            let same = new.cell(at).is_some_and(|now| {
                let formula = now.formula == cell.formula.as_deref() && now.array == cell.array;
                formula && (now.formula.is_some() || cell.value.same(&now.value))
            });
            if !same {
                return Err(format!("{at} would hold something else"));
            }
        }
        if there + seen.len() == new.cell_count() {
            Ok(followed)
        } else {
            let all = new.cell_count();
            Err(format!(
                "{} cells would be there, and not {all}",
                there + seen.len()
            ))
        }
    }

    fn place(&self, at: Address) -> Option<Address> {
        if let Some(to) = self.rects.iter().find_map(|rect| rect.place(at)) {
            return Some(to);
        }
        let to = Address::new(self.rows.get(at.row)?, self.cols.get(at.col)?);
        (!self.rects.iter().any(|rect| rect.covers(to))).then_some(to)
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_lost_reference_may_stand_behind_any_character() {
        assert_eq!(plain("=A1+Data!#REF!"), "=a1+#ref!");
        assert_eq!(plain("=A1\u{d7}\u{fffd}!#REF!"), "=a1\u{d7}\u{fffd}#ref!");
    }
}
