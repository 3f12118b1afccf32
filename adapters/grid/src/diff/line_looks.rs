//! How tall, how wide and how hidden the lines of two sheets are.

use super::extras::Beside;
use crate::extras::{Aspect, ColumnLook, LineLook};
use crate::report::DiffReport;
use crate::{DiffOp, Grid, MAX_COLS};
use std::collections::{BTreeMap, BTreeSet};

/// Lines side by side in both sheets to which the same happened.
struct Run<T> {
    old: u32,
    new: u32,
    count: u32,
    from: T,
    to: T,
}

/// Adds a line to the runs.
fn extend<T: PartialEq>(runs: &mut Vec<Run<T>>, (old, new): (u32, u32), from: T, to: T) {
    match runs.last_mut() {
        Some(run)
            if run.old + run.count == old
                && run.new + run.count == new
                && run.from == from
                && run.to == to =>
        {
            run.count += 1;
        }
        _ => runs.push(Run {
            old,
            new,
            count: 1,
            from,
            to,
        }),
    }
}

impl Beside<'_> {
    /// Heights, widths, and what is hidden.
    pub(super) fn lines(&self, report: &mut DiffReport) {
        let [old, new] = self.sheets.map(|sheet| &sheet.extras);
        let mut pairs: Vec<(u32, u32, LineLook, LineLook)> = Vec::new();
        if old.rows != new.rows || !self.map.rows.is_identity() {
            let back = self.map.rows.inverse();
            let rows = old.rows.keys().filter_map(|row| self.map.rows.get(*row));
            let rows: BTreeSet<u32> = rows.chain(new.rows.keys().copied()).collect();
            for row in rows {
                let Some(from) = back.get(row) else { continue };
                let look = |rows: &BTreeMap<u32, LineLook>, row| rows.get(&row).copied();
                let was = look(&old.rows, from).unwrap_or_default();
                let is = look(&new.rows, row).unwrap_or_default();
                pairs.push((from, row, was, is));
            }
        }
        self.tell_rows(&pairs, &mut report.ops);
        self.tell_columns(&self.column_pairs(), &mut report.ops);
    }

    pub(super) fn tell_rows(
        &self,
        pairs: &[(u32, u32, LineLook, LineLook)],
        ops: &mut Vec<DiffOp>,
    ) {
        let sheet = &self.sheets[1].name;
        let (hidden, sizes) = self.runs(pairs);
        ops.extend(hidden.into_iter().map(|run| DiffOp::RowsHidden {
            sheet: sheet.clone(),
            start_row: run.new,
            from_start_row: run.old,
            row_count: run.count,
            from: run.from.state(),
            to: run.to.state(),
        }));
        ops.extend(sizes.into_iter().map(|run| DiffOp::RowHeight {
            sheet: sheet.clone(),
            start_row: run.new,
            from_start_row: run.old,
            row_count: run.count,
            from: run.from.size(),
            to: run.to.size(),
        }));
    }

    pub(super) fn tell_columns(
        &self,
        pairs: &[(u32, u32, LineLook, LineLook)],
        ops: &mut Vec<DiffOp>,
    ) {
        let sheet = &self.sheets[1].name;
        let (hidden, sizes) = self.runs(pairs);
        ops.extend(hidden.into_iter().map(|run| DiffOp::ColumnsHidden {
            sheet: sheet.clone(),
            start_col: run.new,
            from_start_col: run.old,
            col_count: run.count,
            from: run.from.state(),
            to: run.to.state(),
        }));
        ops.extend(sizes.into_iter().map(|run| DiffOp::ColumnWidth {
            sheet: sheet.clone(),
            start_col: run.new,
            from_start_col: run.old,
            col_count: run.count,
            from: run.from.size(),
            to: run.to.size(),
        }));
    }

    /// Columns of which either side says something, where they are in both.
    fn column_pairs(&self) -> Vec<(u32, u32, LineLook, LineLook)> {
        let [old, new] = self.sheets.map(|sheet| &sheet.extras.cols);
        if old == new && self.map.cols.is_identity() {
            return Vec::new();
        }
        let [was, is] = [old, new].map(|cols| by_column(cols));
        let used = self.sheets.map(|s| s.grid().map_or(0, Grid::col_count));
        let back = self.map.cols.inverse();
        let mut cols = vec![false; MAX_COLS as usize];
        for (col, _) in (0..).zip(&was).filter(|(_, look)| look.is_some()) {
            let at = self.map.cols.get(col);
            if let Some(place) = at.and_then(|at| cols.get_mut(at as usize)) {
                *place = true;
            }
        }
        for (place, _) in cols.iter_mut().zip(&is).filter(|(_, look)| look.is_some()) {
            *place = true;
        }
        let pair = |col: u32| {
            let from = back.get(col).filter(|from| *from < MAX_COLS)?;
            let beyond = from >= used[0] && col >= used[1];
            let look = |looks: &[Option<&ColumnLook>], col: u32| {
                let column = looks.get(col as usize).copied().flatten();
                column.map_or(LineLook::default(), |column| {
                    // Beyond the last column that is used, programs write the width that
                    // any column has; only one that somebody chose is worth a word.
                    let size = if beyond && !column.chosen {
                        0
                    } else {
                        column.look.size
                    };
                    LineLook {
                        size,
                        ..column.look
                    }
                })
            };
            Some((from, col, look(&was, from), look(&is, col)))
        };
        let cols = (0..).zip(cols).filter(|(_, there)| *there);
        cols.filter_map(|(col, _)| pair(col)).collect()
    }

    /// Lines that are hidden or grouped otherwise, and lines of another size.
    fn runs(
        &self,
        pairs: &[(u32, u32, LineLook, LineLook)],
    ) -> (Vec<Run<LineLook>>, Vec<Run<LineLook>>) {
        let (mut hidden, mut sizes) = (Vec::new(), Vec::new());
        let wants = |aspect| !self.options.ignore.contains(&aspect);
        for &(from, to, was, is) in pairs {
            let only_hidden = |look: LineLook| LineLook { size: 0, ..look };
            let only_size = |look: LineLook| LineLook { hidden: 0, ..look };
            if was.hidden != is.hidden && wants(Aspect::Hidden) {
                extend(&mut hidden, (from, to), only_hidden(was), only_hidden(is));
            }
            if !alike(was.size, is.size) && wants(Aspect::Sizes) {
                extend(&mut sizes, (from, to), only_size(was), only_size(is));
            }
        }
        (hidden, sizes)
    }
}

/// Whether two sizes are the same but for how programs round them.
fn alike(was: u64, is: u64) -> bool {
    let near = || (f64::from_bits(was) - f64::from_bits(is)).abs() <= 1.0 / 16.0;
    was == is || (was != 0 && is != 0 && near())
}

/// What is said of each column; the first to name a column wins. Many a sheet says something
/// of all columns that there can be.
fn by_column(cols: &[ColumnLook]) -> Vec<Option<&ColumnLook>> {
    let end = cols.iter().map(|column| column.last + 1).max();
    let mut found = vec![None; end.unwrap_or(0) as usize];
    for column in cols {
        for place in &mut found[column.first as usize..=column.last as usize] {
            place.get_or_insert(column);
        }
    }
    found
}
