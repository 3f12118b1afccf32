//! Changes of many cells in one way as one operation.
//!
//! This only groups what the comparison found: an act carries the plain operations that
//! it stands for, and unfolding a report gives all of them back.

mod across;
mod areas;
mod copies;
mod edits;
mod filter;
mod lines;
mod numbers;
mod op;
mod replace;
mod transpose;

pub(crate) use areas::areas;
pub use op::{Across, AcrossAct, CellChange, CopyAct, FilterAct, GoneRow, RangeAct, TransposeAct};

use crate::{Address, Area, DiffOp, DiffReport, Workbook};
use edits::Rect;
use std::collections::{BTreeMap, BTreeSet};

/// Groups the operations of a report.
pub(crate) fn fold(report: &mut DiffReport, [old, new]: [&Workbook; 2]) {
    let mut ops = Ops::new(std::mem::take(&mut report.ops));
    transpose::fold(&mut ops, report, [old, new]);
    copies::fold(&mut ops, old);
    across::fold(&mut ops, old);
    filter::fold(&mut ops, report, old);
    cells(&mut ops);
    put_names(&mut ops, report);
    report.ops = ops.finish();
}

/// Puts the names of columns and the keys of rows to acts and their cells.
fn put_names(ops: &mut Ops, report: &DiffReport) {
    for (_, act) in &mut ops.acts {
        let Some(act) = act.range_act_mut() else {
            continue;
        };
        let told = report.sheets.iter().find(|told| told.sheet == act.sheet);
        let cols: BTreeSet<u32> = act.cells.iter().map(|cell| cell.addr.0.col).collect();
        let Some(labels) = told.map(|told| &told.labels) else {
            continue;
        };
        if let (Some(col), 1) = (cols.first(), cols.len()) {
            act.header = labels.columns.get(col).cloned();
        }
        for cell in &mut act.cells {
            let (header, key) = labels.of_cell(cell.addr.0);
            cell.header = header.filter(|_| cols.len() > 1).map(str::to_owned);
            cell.key = key.map(str::to_owned);
        }
    }
}

/// Operations while acts are taken out of them.
struct Ops {
    plain: Vec<Option<DiffOp>>,
    /// Acts, each by the place of the first operation that went into it.
    acts: Vec<(usize, DiffOp)>,
}

impl Ops {
    fn new(ops: Vec<DiffOp>) -> Self {
        Self {
            plain: ops.into_iter().map(Some).collect(),
            acts: Vec::new(),
        }
    }

    /// Those that are left, with their places.
    fn left(&self) -> impl Iterator<Item = (usize, &DiffOp)> {
        let plain = self.plain.iter().enumerate();
        plain.filter_map(|(at, op)| op.as_ref().map(|op| (at, op)))
    }

    /// Takes operations out, to be part of an act.
    fn take(&mut self, which: &[usize]) -> Vec<DiffOp> {
        which
            .iter()
            .filter_map(|&at| self.plain[at].take())
            .collect()
    }

    /// Puts an act where the first of its operations was.
    fn put(&mut self, which: &[usize], act: DiffOp) {
        let first = which.iter().min().copied().unwrap_or(0);
        self.acts.push((first, act));
    }

    /// All in the order of the report.
    fn finish(mut self) -> Vec<DiffOp> {
        self.acts.sort_by_key(|(at, _)| *at);
        let mut acts = self.acts.into_iter().peekable();
        let mut ops = Vec::with_capacity(self.plain.len());
        for (at, op) in self.plain.into_iter().enumerate() {
            while let Some((_, act)) = acts.next_if(|(first, _)| *first <= at) {
                ops.push(act);
            }
            ops.extend(op);
        }
        ops.extend(acts.map(|(_, act)| act));
        ops
    }
}

/// Groups edits of cells, sheet by sheet.
fn cells(ops: &mut Ops) {
    let mut by_sheet: BTreeMap<String, (Vec<usize>, Vec<Rect>)> = BTreeMap::new();
    for (at, op) in ops.left() {
        let Some(sheet) = op.sheet() else { continue };
        match op {
            DiffOp::CellEdited { .. } => {
                by_sheet.entry(sheet.to_owned()).or_default().0.push(at);
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
                let area = |row: u32, col: u32| Area {
                    first: Address::new(row, col),
                    last: Address::new(row + row_count - 1, col + col_count - 1),
                };
                by_sheet.entry(sheet.to_owned()).or_default().1.push(Rect {
                    from: area(*src_start_row, *src_start_col),
                    to: area(*dst_start_row, *dst_start_col),
                });
            }
            _ => {}
        }
    }
    for (sheet, (which, rects)) in by_sheet {
        if which.len() < edits::LEAST {
            continue;
        }
        let edits = ops.take(&which).into_iter().filter_map(change).collect();
        let (acts, rest) = edits::fold(&sheet, edits, &rects);
        for act in acts {
            ops.put(&which, act);
        }
        for (at, edit) in which.iter().zip(&rest) {
            ops.plain[*at] = Some(edit.edit(&sheet));
        }
    }
}

/// An edit of a cell as part of an act.
fn change(op: DiffOp) -> Option<CellChange> {
    match op {
        DiffOp::CellEdited {
            addr,
            from_addr,
            from,
            to,
            formula_diff,
            ..
        } => Some(CellChange {
            addr,
            from_addr,
            from,
            to,
            formula_diff,
            header: None,
            key: None,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
