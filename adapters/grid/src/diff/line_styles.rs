//! Styles of whole rows and columns. Cells show most of them; where no cell does, such as in
//! an empty column, a note has to.

use super::extras::{Beside, Found};
use crate::extras::{Aspect, Looks};
use crate::report::DiffReport;
use crate::{Area, DiffOp, MAX_COLS, column_name};
use std::collections::BTreeSet;

impl Beside<'_> {
    /// Lines whose own style changed, and of which no operation says so.
    pub(super) fn line_styles(&self, found: &mut Found, report: &DiffReport) {
        let [old, new] = self.sheets.map(|sheet| &sheet.extras);
        let said = self.restyled_areas(report);
        let rows_said = Spans::new(said.iter().map(|area| (area.first.row, area.last.row)));
        let cols_said = Spans::new(said.iter().map(|area| (area.first.col, area.last.col)));
        let mut silent = |row: u32, col: u32, words: &dyn Fn() -> String| {
            let places = found.entry(Aspect::Styles).or_default();
            places.parts.insert(new.part.to_string());
            places.add(Some((row, col)), 1, words);
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
            for col in 0..MAX_COLS {
                let Some(from) = back.get(col).filter(|from| *from < MAX_COLS) else {
                    continue;
                };
                let keys = (
                    old.looks.key(styles[0][from as usize]),
                    new.looks.key(styles[1][col as usize]),
                );
                if keys.0 != keys.1 && !cols_said.contains(col) {
                    silent(0, col, &|| format!("column {}", column_name(col)));
                }
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
            let keys = (
                old.looks.key(row_style(&old.looks, from)),
                new.looks.key(row_style(&new.looks, row)),
            );
            if keys.0 != keys.1 && !rows_said.contains(row) {
                silent(row, 0, &|| format!("row {}", row + 1));
            }
        }
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
