//! How cells, rows and columns of two sheets look, compared where they are one.

use super::extras::{Beside, Found, sqref};
use crate::cell_map::AxisMap;
use crate::extras::{Aspect, CellStyle, ColumnLook, LineLook, Looks};
use crate::report::DiffReport;
use crate::{Address, Area, DiffOp, Grid, MAX_COLS, StyleProps, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Cells by their styles, and whether their values say that the format changed.
type Groups = BTreeMap<((u32, u32), bool), Blocks>;

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

    fn tell_rows(&self, pairs: &[(u32, u32, LineLook, LineLook)], ops: &mut Vec<DiffOp>) {
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

    fn tell_columns(&self, pairs: &[(u32, u32, LineLook, LineLook)], ops: &mut Vec<DiffOp>) {
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

    fn column_pairs(&self) -> Vec<(u32, u32, LineLook, LineLook)> {
        let [old, new] = self.sheets.map(|sheet| &sheet.extras.cols);
        if old == new && self.map.cols.is_identity() {
            return Vec::new();
        }
        let back = self.map.cols.inverse();
        let ends = old.iter().chain(new).map(|col| col.last);
        // Beyond the last column that is used, programs say what they like.
        let used = self.sheets.map(|s| s.grid().map_or(0, Grid::col_count));
        let end = ends.max().unwrap_or(0).min(used[0].max(used[1]).max(1) - 1);
        (0..=end)
            .filter_map(|col| {
                let from = back.get(col)?;
                let look = |cols: &[ColumnLook], col| {
                    column(cols, col).map_or(LineLook::default(), |col| col.look)
                };
                Some((from, col, look(old, from), look(new, col)))
            })
            .collect()
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
            if was.size != is.size && wants(Aspect::Sizes) {
                extend(&mut sizes, (from, to), only_size(was), only_size(is));
            }
        }
        (hidden, sizes)
    }

    /// Styles, cell by cell; rows that look alike are compared once.
    pub(super) fn looks(&self, found: &mut Found, report: &mut DiffReport) {
        let [old, new] = self.sheets.map(|sheet| &sheet.extras);
        let (was, is) = (&old.looks, &new.looks);
        let back = self.map.rows.inverse();
        let rows = was.rows.keys().filter_map(|row| self.map.rows.get(*row));
        let rows: BTreeSet<u32> = rows.chain(is.rows.keys().copied()).collect();
        let cols = self.map.cols.inverse();
        let sides = Sides {
            looks: [was, is],
            cols: [&old.cols, &new.cols],
            back: &cols,
        };
        let mut known: HashMap<(Option<u32>, Option<u32>), Vec<Span>> = HashMap::new();
        let mut groups: Groups = BTreeMap::new();
        for row in rows {
            let Some(from) = back.get(row) else { continue };
            let pair = (was.rows.get(&from).copied(), is.rows.get(&row).copied());
            let spans = known.entry(pair).or_insert_with(|| sides.compare(pair));
            for span in spans.iter() {
                let keys = (was.key(span.styles.0), is.key(span.styles.1));
                let format = keys.0.number_format != keys.1.number_format;
                for at in 0..span.count {
                    let cells = (
                        Address::new(from, span.old + at),
                        Address::new(row, span.new + at),
                    );
                    if self.went(row, cells.1.col) {
                        continue;
                    }
                    let implied = format && self.is_implied(cells);
                    let blocks = groups.entry((span.styles, implied)).or_default();
                    blocks.push(cells.0, cells.1);
                }
                for implied in [false, true] {
                    if let Some(blocks) = groups.get_mut(&(span.styles, implied)) {
                        blocks.end_row();
                    }
                }
            }
        }
        self.tell_looks([was, is], groups, found, report);
    }

    fn tell_looks(
        &self,
        looks: [&Looks; 2],
        groups: Groups,
        found: &mut Found,
        report: &mut DiffReport,
    ) {
        let wants = |aspect| !self.options.ignore.contains(&aspect);
        let mut formats: BTreeMap<(String, String), Blocks> = BTreeMap::new();
        let mut styles: BTreeMap<(StyleProps, StyleProps), Blocks> = BTreeMap::new();
        for (((was, is), implied), mut blocks) in groups {
            blocks.finish();
            if blocks.all.is_empty() {
                continue;
            }
            let keys = [looks[0].key(was), looks[1].key(is)];
            let [from, to] = [looks[0].detail(was), looks[1].detail(is)];
            let format = keys[0].number_format != keys[1].number_format && !implied;
            if format && wants(Aspect::NumberFormats) {
                let codes = [&from, &to].map(|style| style.number_format.to_string());
                let [from, to] = codes;
                formats.entry((from, to)).or_default().join(&blocks);
            }
            if keys[0].look != keys[1].look && wants(Aspect::Styles) {
                let change = difference(&from, &to);
                if change.0.is_empty() && change.1.is_empty() {
                    // Parts of a text look different.
                    let places = found.entry(Aspect::Styles).or_default();
                    places.parts.insert(self.sheets[1].extras.part.to_string());
                    let first = blocks.all[0].new.first;
                    let at = Some((first.row, first.col));
                    places.add(at, blocks.cells(), || first.to_string());
                } else {
                    styles.entry(change).or_default().join(&blocks);
                }
            }
        }
        let sheet = &self.sheets[1].name;
        for ((from, to), blocks) in formats {
            let (from_range, range) = blocks.ranges();
            self.budget
                .spend((range.len() + from_range.len() + from.len() + to.len()) as u64);
            report.ops.push(DiffOp::NumberFormatChanged {
                sheet: sheet.clone(),
                range,
                from_range,
                from,
                to,
            });
        }
        for ((from, to), blocks) in styles {
            let (from_range, range) = blocks.ranges();
            let said = (from.len() + to.len()) * 64;
            self.budget
                .spend((range.len() + from_range.len() + said) as u64);
            report.ops.push(DiffOp::StyleChanged {
                sheet: sheet.clone(),
                range,
                from_range,
                from,
                to,
            });
        }
    }

    /// The looks of lines that came or went, as what brings them.
    pub(super) fn along_lines(&self, report: &mut DiffReport) {
        let back = self.map.inverse();
        self.along_side(1, &back.rows, &back.cols, &mut report.with_added);
        let (rows, cols) = (&self.map.rows, &self.map.cols);
        self.along_side(0, rows, cols, &mut report.with_removed);
    }

    /// `rows` and `cols` say where the lines of this side are in the other.
    fn along_side(&self, side: usize, rows: &AxisMap, cols: &AxisMap, ops: &mut Vec<DiffOp>) {
        let Some(grid) = self.sheets[side].grid() else {
            return;
        };
        let extras = &self.sheets[side].extras;
        let looks = &extras.looks;
        if rows.is_identity() && cols.is_identity() {
            return;
        }
        let lone = |line: u32, axis: &AxisMap| axis.get(line).is_none();
        let (row_count, col_count) = (grid.row_count(), grid.col_count());
        let sides = Sides {
            looks: [looks, looks],
            cols: [&extras.cols, &extras.cols],
            back: cols,
        };
        let mut groups: BTreeMap<u32, Blocks> = BTreeMap::new();
        let lone_cols: Vec<u32> = (0..col_count).filter(|col| lone(*col, cols)).collect();
        for row in 0..row_count {
            let pattern = looks.rows.get(&row).copied();
            let own: Vec<u32> = if lone(row, rows) {
                let runs = pattern.map(|at| &looks.patterns[at as usize].runs);
                let last = runs
                    .and_then(|runs| runs.last())
                    .map_or(0, |run| run.0 + run.1);
                (0..last.max(col_count).min(MAX_COLS)).collect()
            } else {
                lone_cols.clone()
            };
            for col in own {
                let style = sides.style(1, pattern, col);
                let at = Address::new(row, col);
                if style != 0 || grid.cell(at).is_some() {
                    groups.entry(style).or_default().push(at, at);
                }
            }
            groups.values_mut().for_each(Blocks::end_row);
        }
        let sheet = &self.sheets[1].name;
        let wants = |aspect| !self.options.ignore.contains(&aspect);
        for (style, mut blocks) in groups {
            blocks.finish();
            let (_, range) = blocks.ranges();
            let detail = looks.detail(style);
            self.budget.spend(3 * range.len() as u64 + 256);
            if wants(Aspect::NumberFormats) && wants(Aspect::Styles) {
                ops.push(DiffOp::NumberFormatChanged {
                    sheet: sheet.clone(),
                    range: range.clone(),
                    from_range: range.clone(),
                    from: String::new(),
                    to: detail.number_format.to_string(),
                });
                ops.push(DiffOp::StyleChanged {
                    sheet: sheet.clone(),
                    from_range: range.clone(),
                    range,
                    from: StyleProps::new(),
                    to: detail.props(),
                });
            }
        }
        let came = extras.rows.iter().filter(|(row, _)| lone(**row, rows));
        let pairs: Vec<_> = came
            .map(|(row, look)| (*row, *row, LineLook::default(), *look))
            .collect();
        self.tell_rows(&pairs, ops);
        let came = lone_cols.iter().filter_map(|col| {
            let look = column(&extras.cols, *col)?.look;
            Some((*col, *col, LineLook::default(), look))
        });
        let pairs: Vec<_> = came.collect();
        self.tell_columns(&pairs, ops);
    }

    /// Whether a cell became a date, or ceased to be one, which its edit says already.
    fn is_implied(&self, (old, new): (Address, Address)) -> bool {
        let value = |side: usize, at| self.sheets[side].grid().map(|grid| grid.value(at));
        let (Some(was), Some(is)) = (value(0, old), value(1, new)) else {
            return false;
        };
        let time = |value: &Value<&str>| matches!(value, Value::Date(_) | Value::Duration(_));
        was.type_name() != is.type_name() && (time(&was) || time(&is))
    }

    /// Whether a rectangle came to this place, or left it.
    fn went(&self, row: u32, col: u32) -> bool {
        let at = Address::new(row, col);
        let mut rects = self.map.rects.iter();
        rects.any(|rect| rect.from.contains(at) || rect.target().contains(at))
    }
}

/// The properties that two styles say differently: what they were, and what they are.
fn difference(from: &CellStyle, to: &CellStyle) -> (StyleProps, StyleProps) {
    let (mut was, mut is) = (from.props(), to.props());
    was.retain(|key, value| match is.get(key) {
        Some(other) if other == value => {
            is.remove(key);
            false
        }
        _ => true,
    });
    (was, is)
}

/// A rectangle of cells in both sheets.
#[derive(Clone, Copy)]
struct Block {
    old: Area,
    new: Area,
}

/// Cells grown into rectangles, row by row.
#[derive(Default)]
struct Blocks {
    all: Vec<Block>,
    /// The stretch of cells that is growing.
    open: Option<Block>,
}

impl Blocks {
    fn push(&mut self, old: Address, new: Address) {
        if let Some(open) = &mut self.open {
            let next = |at: Address, last: Address| at.row == last.row && at.col == last.col + 1;
            if next(old, open.old.last) && next(new, open.new.last) {
                (open.old.last, open.new.last) = (old, new);
                return;
            }
        }
        self.end_row();
        let one = |at| Area {
            first: at,
            last: at,
        };
        self.open = Some(Block {
            old: one(old),
            new: one(new),
        });
    }

    /// Puts the open stretch below one like it, or beside the others.
    fn end_row(&mut self) {
        let Some(open) = self.open.take() else { return };
        let below = |upper: &Area, lower: &Area| {
            upper.last.row + 1 == lower.first.row
                && upper.first.col == lower.first.col
                && upper.last.col == lower.last.col
        };
        // Few stretches of one change are beside each other in a row.
        let recent = self.all.iter_mut().rev().take(16);
        for block in recent {
            if below(&block.new, &open.new) && below(&block.old, &open.old) {
                (block.old.last, block.new.last) = (open.old.last, open.new.last);
                return;
            }
        }
        self.all.push(open);
    }

    fn finish(&mut self) {
        self.end_row();
    }

    fn join(&mut self, other: &Self) {
        self.all.extend(other.all.iter().copied());
    }

    fn cells(&self) -> u64 {
        let size = |area: &Area| {
            let rows = u64::from(area.last.row - area.first.row + 1);
            rows * u64::from(area.last.col - area.first.col + 1)
        };
        self.all.iter().map(|block| size(&block.new)).sum()
    }

    /// Old and new areas, as text.
    fn ranges(mut self) -> (String, String) {
        self.all.sort_by_key(|block| block.new);
        let old: Vec<Area> = self.all.iter().map(|block| block.old).collect();
        let new: Vec<Area> = self.all.iter().map(|block| block.new).collect();
        (sqref(&old), sqref(&new))
    }
}

/// Columns side by side in both rows whose styles differ alike.
struct Span {
    old: u32,
    new: u32,
    count: u32,
    styles: (u32, u32),
}

/// Looks of both sides, and where columns came from.
struct Sides<'a> {
    looks: [&'a Looks; 2],
    cols: [&'a [ColumnLook]; 2],
    back: &'a AxisMap,
}

impl Sides<'_> {
    /// Stretches of columns in which two rows of these patterns look different.
    fn compare(&self, patterns: (Option<u32>, Option<u32>)) -> Vec<Span> {
        let patterns = [patterns.0, patterns.1];
        let ends = [0, 1].map(|side: usize| {
            let runs = patterns[side].map(|at| &self.looks[side].patterns[at as usize].runs);
            let last = runs.and_then(|runs| runs.last());
            last.map_or(0, |(first, count, _)| first + count)
        });
        let mut spans: Vec<Span> = Vec::new();
        for col in 0..ends[0].max(ends[1]).min(MAX_COLS) {
            let Some(from) = self.back.get(col) else {
                continue;
            };
            let styles = (
                self.style(0, patterns[0], from),
                self.style(1, patterns[1], col),
            );
            if self.looks[0].key(styles.0) == self.looks[1].key(styles.1) {
                continue;
            }
            match spans.last_mut() {
                Some(span)
                    if span.styles == styles
                        && span.new + span.count == col
                        && span.old + span.count == from =>
                {
                    span.count += 1;
                }
                _ => spans.push(Span {
                    old: from,
                    new: col,
                    count: 1,
                    styles,
                }),
            }
        }
        spans
    }

    fn style(&self, side: usize, pattern: Option<u32>, col: u32) -> u32 {
        let looks = self.looks[side];
        let pattern = pattern.map(|at| &looks.patterns[at as usize]);
        let own = pattern.and_then(|pattern| {
            let behind = pattern.runs.partition_point(|run| run.0 + run.1 <= col);
            let run = pattern.runs.get(behind).filter(|run| run.0 <= col);
            run.map(|run| run.2).or(pattern.rest)
        });
        let of_column = || column(self.cols[side], col).map(|column| column.style);
        own.or_else(of_column).unwrap_or(0)
    }
}

fn column(cols: &[ColumnLook], col: u32) -> Option<&ColumnLook> {
    cols.iter()
        .find(|look| (look.first..=look.last).contains(&col))
}
