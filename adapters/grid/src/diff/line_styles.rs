//! Styles of whole rows and columns. Cells show most of them; where no cell does, such as in
//! an empty column, a note has to.

use super::extras::{Beside, Found};
use crate::extras::{Aspect, Looks};
use crate::report::DiffReport;
use crate::{Area, DiffOp, Grid, MAX_COLS, column_name};
use std::collections::BTreeSet;

/// Columns side by side that were not formatted by hand.
const MANY: u32 = 200;
/// Columns around the last one of some programs.
const FAR: u32 = 1000;

impl Beside<'_> {
    /// Lines whose own style changed, and of which no operation says so.
    pub(super) fn line_styles(&self, found: &mut Found, report: &DiffReport) {
        let [old, new] = self.sheets.map(|sheet| &sheet.extras);
        let said = self.restyled_areas(report);
        let rows_said = Spans::new(said.iter().map(|area| (area.first.row, area.last.row)));
        let cols_said = Spans::new(said.iter().map(|area| (area.first.col, area.last.col)));
        let mut silent = |aspect, row: u32, col: u32, words: String| {
            let places = found.entry(aspect).or_default();
            places.parts.insert(new.part.to_string());
            places.add(Some((row, col)), 1, || words);
        };
        let styles = [old, new].map(|extras| {
            let mut styles = vec![0; MAX_COLS as usize];
            // The first to name a column wins.
            for look in extras.cols.iter().rev() {
                let last = look.last.min(MAX_COLS - 1);
                for col in look.first..=last {
                    styles[col as usize] = look.style;
                }
            }
            styles
        });
        if styles.iter().flatten().any(|style| *style != 0) {
            let back = self.map.cols.inverse();
            // Columns side by side whose styles changed alike.
            let mut runs: Vec<(u32, u32, [u32; 2])> = Vec::new();
            for col in 0..MAX_COLS {
                let Some(from) = back.get(col).filter(|from| *from < MAX_COLS) else {
                    continue;
                };
                let pair = [styles[0][from as usize], styles[1][col as usize]];
                if cols_said.contains(col) || !self.differ(pair) {
                    continue;
                }
                match runs.last_mut() {
                    Some((_, last, same)) if *last + 1 == col && *same == pair => *last = col,
                    _ => runs.push((col, col, pair)),
                }
            }
            let used = self.sheets[1].grid().map_or(0, Grid::col_count);
            for (first, last, _) in runs {
                // Programs give all the columns behind the last used one a style.
                let rest = (last - first >= MANY || first >= FAR) && first >= used;
                let aspect = if rest { Aspect::Unused } else { Aspect::Styles };
                let words = match (column_name(first), column_name(last)) {
                    (one, other) if one == other => format!("column {one}"),
                    (one, other) => format!("columns {one} to {other}"),
                };
                silent(aspect, 0, first, words);
            }
        }
        let back = self.map.rows.inverse();
        let went = old
            .looks
            .rows
            .keys()
            .filter_map(|row| self.map.rows.get(*row));
        let rows: BTreeSet<u32> = went.chain(new.looks.rows.keys().copied()).collect();
        for row in rows {
            let Some(from) = back.get(row) else { continue };
            let pair = [row_style(&old.looks, from), row_style(&new.looks, row)];
            if self.differ(pair) && !rows_said.contains(row) {
                silent(Aspect::Styles, row, 0, format!("row {}", row + 1));
            }
        }
    }

    /// Whether styles of lines, old and new, look different. Where neither says one, all
    /// cells of the workbook do.
    fn differ(&self, [was, is]: [u32; 2]) -> bool {
        let [old, new] = self.sheets.map(|sheet| &sheet.extras.looks);
        (was, is) != (0, 0) && old.key(was) != new.key(is)
    }

    /// Cells of this sheet of which operations say that they look different.
    fn restyled_areas(&self, report: &DiffReport) -> Vec<Area> {
        let sheet = Some(&self.sheets[1].name[..]);
        let ops = report.ops.iter().filter(|op| op.sheet() == sheet);
        let ranges = ops.filter_map(|op| match op {
            DiffOp::StyleChanged { range, .. } | DiffOp::NumberFormatChanged { range, .. } => {
                Some(range)
            }
            _ => None,
        });
        let areas = ranges.flat_map(|range| range.split_ascii_whitespace());
        areas.filter_map(|area| area.parse().ok()).collect()
    }
}

fn row_style(looks: &Looks, row: u32) -> u32 {
    let pattern = looks.rows.get(&row).map(|at| &looks.patterns[*at as usize]);
    pattern.and_then(|pattern| pattern.rest).unwrap_or(0)
}

/// Lines from a first to a last one, in order and apart.
struct Spans(Vec<(u32, u32)>);

impl Spans {
    fn new(all: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut all: Vec<(u32, u32)> = all.collect();
        all.sort_unstable();
        all.dedup_by(|next, last| {
            let meets = next.0 <= last.1;
            if meets {
                last.1 = last.1.max(next.1);
            }
            meets
        });
        Self(all)
    }

    fn contains(&self, line: u32) -> bool {
        let at = self.0.partition_point(|span| span.1 < line);
        self.0.get(at).is_some_and(|span| span.0 <= line)
    }
}
