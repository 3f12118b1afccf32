//! How the cells of two sheets look, compared where they are one.

use super::extras::{Beside, Found, sqref};
use crate::cell_map::{AxisMap, CellMap};
use crate::extras::{Aspect, CellStyle, ColumnLook, LineLook, Looks};
use crate::read::formats::fitting;
use crate::replay::place;
use crate::report::DiffReport;
use crate::{Address, Area, DiffOp, MAX_COLS, StyleProps, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Cells by their styles, and whether their values say that the format changed.
type Groups = BTreeMap<((u32, u32), bool), Blocks>;

impl Beside<'_> {
    /// Styles, cell by cell; rows that look alike are compared once.
    pub(super) fn looks(&self, found: &mut Found, report: &mut DiffReport) {
        let [old, new] = self.sheets.map(|sheet| &sheet.extras);
        let (was, is) = (&old.looks, &new.looks);
        let back = self.map.rows.inverse();
        let rows = was.rows.keys().filter_map(|row| self.map.rows.get(*row));
        let mut rows: BTreeSet<u32> = rows.chain(is.rows.keys().copied()).collect();
        // Cells that say nothing have another style as soon as the first one of the workbook is
        // another.
        let grids = self.sheets.map(crate::Sheet::grid);
        let restyled = was.key(0) != is.key(0);
        if let ([Some(_), Some(grid)], true) = (grids, restyled) {
            rows.extend(grid.filled_rows().map(|(row, _)| row));
        }
        let widths = grids.map(|grid| grid.map_or(0, crate::Grid::col_count));
        let cols = self.map.cols.inverse();
        let sides = Sides {
            looks: [was, is],
            cols: [&old.cols, &new.cols],
            forth: &self.map.cols,
            back: &cols,
            least: if restyled { widths[1] } else { 0 },
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
                let offsets = match span.styles {
                    // Where there is nothing, the style of all other cells is not one.
                    (0, 0) => self.filled(span, from, row),
                    _ => (0..span.count).collect(),
                };
                for at in offsets {
                    let cells = (
                        Address::new(from, span.old + at),
                        Address::new(row, span.new + at),
                    );
                    if self.stays(cells) {
                        let implied = format && self.is_implied(cells, [was, is], span.styles);
                        let blocks = groups.entry((span.styles, implied)).or_default();
                        blocks.push(cells.0, cells.1);
                    }
                }
                for implied in [false, true] {
                    if let Some(blocks) = groups.get_mut(&(span.styles, implied)) {
                        blocks.end_row();
                    }
                }
            }
        }
        self.moved_looks(&sides, &mut groups);
        self.tell_looks([was, is], groups, found, report);
    }

    /// Styles of cells that moved as a rectangle.
    fn moved_looks(&self, sides: &Sides<'_>, groups: &mut Groups) {
        let [was, is] = sides.looks;
        if was.rows.is_empty() && is.rows.is_empty() {
            return;
        }
        for rect in &self.map.rects {
            for old in cells_of(rect.from) {
                let Some(new) = rect.place(old).filter(|new| self.stays((old, *new))) else {
                    continue;
                };
                let styles = (
                    sides.style(0, was.rows.get(&old.row).copied(), old.col),
                    sides.style(1, is.rows.get(&new.row).copied(), new.col),
                );
                let keys = (was.key(styles.0), is.key(styles.1));
                if keys.0 == keys.1 {
                    continue;
                }
                let format = keys.0.number_format != keys.1.number_format;
                let implied = format && self.is_implied((old, new), [was, is], styles);
                let blocks = groups.entry((styles, implied)).or_default();
                blocks.push(old, new);
            }
            groups.values_mut().for_each(Blocks::end_row);
        }
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
                let is_same = change.0.is_empty() && change.1.is_empty();
                if is_same || looks[0].dress(was) != looks[1].dress(is) {
                    // Parts of a text look different.
                    let places = found.entry(Aspect::Styles).or_default();
                    places.parts.insert(self.sheets[1].extras.part.to_string());
                    places.label("fonts within texts");
                    let first = blocks.all[0].new.first;
                    let at = Some((first.row, first.col));
                    places.add(at, blocks.cells(), || first.to_string());
                }
                if !is_same {
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
        self.along_side(1, &back, &mut report.with_added);
        self.along_side(0, self.map, &mut report.with_removed);
    }

    /// `map` says where the cells of this side are in the other.
    fn along_side(&self, side: usize, map: &CellMap, ops: &mut Vec<DiffOp>) {
        let Some(grid) = self.sheets[side].grid() else {
            return;
        };
        let extras = &self.sheets[side].extras;
        let looks = &extras.looks;
        if map.is_identity() {
            return;
        }
        let (rows, cols) = (&map.rows, &map.cols);
        let lone = |line: u32, axis: &AxisMap| axis.get(line).is_none();
        let styled = looks.rows.keys().next_back().map_or(0, |row| row + 1);
        let (row_count, col_count) = (grid.row_count().max(styled), grid.col_count());
        let left = left_by_rects(map);
        let sides = Sides {
            looks: [looks, looks],
            cols: [&extras.cols, &extras.cols],
            forth: cols,
            back: cols,
            least: 0,
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
                let left = left.get(&row).into_iter().flatten();
                let own: BTreeSet<u32> = left.chain(&lone_cols).copied().collect();
                own.into_iter().collect()
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
        // Those that come from behind the last column are as that one, unless the report
        // says otherwise.
        let edge =
            (cols.end()..MAX_COLS).filter(|col| cols.get(*col).is_some_and(|at| at >= MAX_COLS));
        let look =
            |cols, col| column(cols, col).map_or(LineLook::default(), |c: &ColumnLook| c.look);
        let last = look(&self.sheets[1 - side].extras.cols, MAX_COLS - 1);
        let lone_cols = lone_cols.iter().map(|col| (*col, LineLook::default()));
        let came = lone_cols.chain(edge.map(|col| (col, last)));
        let came = came.map(|(col, from)| (col, col, from, look(&extras.cols, col)));
        let came = came.filter(|(.., from, to)| from != to);
        let pairs: Vec<_> = came.collect();
        self.tell_columns(&pairs, ops);
    }

    /// Whether replay finds the number formats of these cells by their values alone, in
    /// either direction: a cell that becomes a date needs a format of dates.
    fn is_implied(
        &self,
        (old, new): (Address, Address),
        looks: [&Looks; 2],
        styles: (u32, u32),
    ) -> bool {
        let value = |side: usize, at| self.sheets[side].grid().map(|grid| grid.value(at));
        let (Some(was), Some(is)) = (value(0, old), value(1, new)) else {
            return false;
        };
        if was.type_name() == is.type_name() {
            return false;
        }
        let codes = [
            looks[0].detail(styles.0).number_format,
            looks[1].detail(styles.1).number_format,
        ];
        let leads = |from: &str, to: &str, value: &Value<&str>| {
            fitting(from, value, false).is_some_and(|code| code.eq_ignore_ascii_case(to))
        };
        leads(&codes[0], &codes[1], &is) && leads(&codes[1], &codes[0], &was)
    }

    /// The columns of a span, from its first, in which either row has a cell.
    fn filled(&self, span: &Span, old: u32, new: u32) -> Vec<u32> {
        let mut found = Vec::new();
        for (side, row, first) in [(0, old, span.old), (1, new, span.new)] {
            let slots = self.sheets[side].grid().map(|grid| grid.slots_of(row));
            let cols = slots.unwrap_or_default().iter().map(|slot| slot.col());
            found.extend(cols.filter_map(|col| col.checked_sub(first)));
        }
        found.retain(|at| *at < span.count);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether replay brings the one cell to the place of the other.
    fn stays(&self, (old, new): (Address, Address)) -> bool {
        self.map.rects.is_empty() || place(self.map, old) == Some(new)
    }
}

/// Cells of this side that have no place in the other since a rectangle moved: what is
/// there now came some other way.
fn left_by_rects(map: &CellMap) -> BTreeMap<u32, BTreeSet<u32>> {
    let mut found: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let (rows, cols) = (map.rows.inverse(), map.cols.inverse());
    for at in map.rects.iter().flat_map(|rect| cells_of(rect.target())) {
        let (Some(row), Some(col)) = (rows.get(at.row), cols.get(at.col)) else {
            continue;
        };
        if place(map, Address::new(row, col)).is_none() {
            found.entry(row).or_default().insert(col);
        }
    }
    found
}

/// The cells of an area, row by row.
fn cells_of(area: Area) -> impl Iterator<Item = Address> {
    let cols = area.first.col..=area.last.col;
    let rows = area.first.row..=area.last.row;
    rows.flat_map(move |row| cols.clone().map(move |col| Address::new(row, col)))
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
struct StyledBlock {
    old: Area,
    new: Area,
}

/// Cells grown into rectangles, row by row.
#[derive(Default)]
struct Blocks {
    all: Vec<StyledBlock>,
    /// The stretch of cells that is growing.
    open: Option<StyledBlock>,
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
        self.open = Some(StyledBlock {
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
        // Few stretches of one change are side by side in a row.
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

/// Looks of both sides, and where columns went and came from.
struct Sides<'a> {
    looks: [&'a Looks; 2],
    cols: [&'a [ColumnLook]; 2],
    forth: &'a AxisMap,
    back: &'a AxisMap,
    /// New columns that are looked at in any case.
    least: u32,
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
        // The old ones are compared where they are now, even if that is further right.
        let went = (0..ends[0]).filter_map(|col| self.forth.get(col));
        let end = went.map(|col| col + 1).max().unwrap_or(0);
        for col in 0..end.max(ends[1]).max(self.least).min(MAX_COLS) {
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
