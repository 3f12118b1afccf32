//! One sheet that ours and theirs both have: its rows and columns in one order.

use super::lines::{LineSide, MergedLines, merge_lines, reach};
use super::lines_of::common;
use super::sheets::Tab;
use super::{MergeError, Version, Work};
use crate::cell_map::{CellMap, LineMove, Lines, RectMove};
use crate::formula::{Formula, Places, Where};
use crate::keys::mix;
use crate::replay::Plan;
use crate::value::number_key;
use crate::workbook_map::{WorkbookMap, fold};
use crate::{
    Address, Area, Cell, CellData, DiffOp, Error, Grid, Refs, Sheet, Value, date, string_pool,
};
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A sheet of three versions.
pub(super) struct SheetMerge<'a> {
    /// Its name in the result, and in ours and theirs.
    pub name: String,
    pub names: [String; 2],
    pub base: Option<&'a Sheet>,
    pub ours: &'a Sheet,
    pub theirs: &'a Sheet,
    /// What each side did here, with the numbers of the operations.
    pub ops: [Vec<(usize, &'a DiffOp)>; 2],
    /// From the base to each side, and back.
    pub maps: [CellMap; 2],
    pub back: [CellMap; 2],
    pub rows: MergedLines,
    pub cols: MergedLines,
    /// The moves of theirs, as the lines know them, with the operations that they are.
    pub moves: [Vec<(LineMove, Option<usize>, Refs)>; 2],
    /// From ours and from theirs to the result, once they are known.
    to_result: [OnceCell<CellMap>; 2],
    /// What ours did to the looks of cells, in the result.
    pub ours_looks: OnceCell<Vec<(super::styles::Changes, Vec<Area>)>>,
    /// Rectangles that theirs moved and the result has moved, from ours to the result.
    pub moved_rects: Vec<RectMove>,
    /// Operations of theirs that moved a rectangle whose cells are written one by one.
    pub loose_rects: Vec<(usize, RectMove)>,
    /// Regions of theirs whose formulas read as before.
    pub kept: Vec<String>,
    /// Places of the result that are written.
    pub written: HashSet<Address>,
}

impl<'a> SheetMerge<'a> {
    /// Puts rows and columns in order.
    ///
    /// # Errors
    /// When the core refuses them, or a report contradicts itself.
    pub fn new(work: &Work<'a>, tab: &Tab) -> Result<Self, MergeError> {
        let (ours, theirs) = (work.ours.book, work.theirs.book);
        let ours = &ours.sheets[tab.ours.unwrap_or(0)];
        let theirs = &theirs.sheets[tab.theirs.unwrap_or(0)];
        let base = tab.base.map(|at| &work.base.sheets[at]);
        let map = |version: &Version<'a>| {
            let sheets = version.applied.sheets.iter();
            let mut own = sheets.filter(|sheet| Some(sheet.0) == tab.base);
            own.next().map(|sheet| sheet.2.clone()).unwrap_or_default()
        };
        let maps = [map(&work.ours), map(&work.theirs)];
        let back = maps.each_ref().map(CellMap::inverse);
        let ops = [
            work.ours.ops_in(&ours.name),
            work.theirs.ops_in(&theirs.name),
        ];
        let plan = |side: usize| Plan::new(ops[side].iter().map(|(_, op)| *op));
        let plans = [plan(0)?, plan(1)?];
        let touched = [touched(&ops[0], &back[0]), touched(&ops[1], &back[1])];
        let grids = [base, Some(ours), Some(theirs)].map(|sheet| sheet.and_then(Sheet::grid));
        let extents = |of: fn(&Grid) -> u32| grids.map(|grid| grid.map_or(0, of));
        let told = work.theirs.report.sheets.iter();
        let mut told = told.filter(|told| told.sheet == theirs.name);
        let kept = told.next().map(|told| told.kept.clone());
        let mut merge = Self {
            kept: kept.unwrap_or_default(),
            name: tab.name.clone(),
            names: [ours.name.clone(), theirs.name.clone()],
            base,
            ours,
            theirs,
            ops,
            maps,
            back,
            rows: MergedLines::default(),
            cols: MergedLines::default(),
            moves: [Vec::new(), Vec::new()],
            to_result: Default::default(),
            ours_looks: OnceCell::new(),
            moved_rects: Vec::new(),
            loose_rects: Vec::new(),
            written: HashSet::new(),
        };
        for rows in [true, false] {
            let axis = |map: &'_ CellMap| {
                if rows {
                    map.rows.clone()
                } else {
                    map.cols.clone()
                }
            };
            let both = merge.maps.each_ref().map(axis);
            let extents = extents(if rows {
                Grid::row_count
            } else {
                Grid::col_count
            });
            let base = reach([&both[0], &both[1]], extents);
            let side = |at: usize| {
                let lines: &Lines = if rows {
                    &plans[at].rows
                } else {
                    &plans[at].cols
                };
                let touched = touched[at][usize::from(!rows)].clone();
                LineSide::new(&both[at], lines, base, touched)
            };
            let sides = [side(0), side(1)];
            let sums = OnceCell::new();
            let found = merge_lines(&sides[0], &sides[1], &|mine, other| {
                let sums =
                    sums.get_or_init(|| [merge.sums(ours, 0, rows), merge.sums(theirs, 1, rows)]);
                alike(sums, mine, other)
            })?;
            let known = merge.move_ops(rows);
            let [_, theirs] = sides;
            let moves = theirs.moves.into_iter().map(|step| {
                let known = known.get(&step).copied();
                let (at, refs) = known.unzip();
                (step, at, refs.unwrap_or(Refs::Follow))
            });
            merge.moves[usize::from(!rows)] = moves.collect();
            if rows {
                merge.rows = found;
            } else {
                merge.cols = found;
            }
        }
        Ok(merge)
    }

    /// A number for what each line that a side added holds.
    fn sums(&self, sheet: &Sheet, side: usize, rows: bool) -> HashMap<u32, u64> {
        let mut sums = HashMap::new();
        let back = &self.back[side];
        for cell in sheet.grid().into_iter().flat_map(Grid::cells) {
            let (row, col) = (cell.address.row, cell.address.col);
            let (line, cross) = if rows {
                (back.rows.get(row), back.cols.get(col))
            } else {
                (back.cols.get(col), back.rows.get(row))
            };
            let (None, Some(cross)) = (line, cross) else {
                continue;
            };
            let there = self.maps.iter().all(|map| {
                let axis = if rows { &map.cols } else { &map.rows };
                axis.get(cross).is_some()
            });
            if there {
                let sum: &mut u64 = sums.entry(if rows { row } else { col }).or_default();
                *sum = sum.wrapping_add(mix(u64::from(cross), cell_key(&cell)));
            }
        }
        sums
    }

    /// Where a rectangle of the base, or of a side, is whole elsewhere.
    fn whole(rows: &[Option<u32>], cols: &[Option<u32>], area: Area) -> Option<Area> {
        let run = |places: &[Option<u32>], first: u32, last: u32| {
            let start = (*places.get(first as usize)?)?;
            let whole = (first..=last).zip(start..);
            let mut whole = whole.map(|(line, to)| places.get(line as usize) == Some(&Some(to)));
            whole
                .all(|is| is)
                .then_some((start, start + (last - first)))
        };
        let (top, bottom) = run(rows, area.first.row, area.last.row)?;
        let (left, right) = run(cols, area.first.col, area.last.col)?;
        Some(Area {
            first: Address::new(top, left),
            last: Address::new(bottom, right),
        })
    }

    /// Settles which rectangles of theirs are moved as such: those that are whole in
    /// ours, and whose target ours did not write in.
    pub fn rects(&mut self) {
        let wrote = self.ours_wrote();
        let busy = !self.maps[0].rects.is_empty();
        for (at, op) in &self.ops[1] {
            let DiffOp::BlockMovedRect {
                src_start_row,
                row_count,
                src_start_col,
                col_count,
                dst_start_row,
                dst_start_col,
                ..
            } = op
            else {
                continue;
            };
            let (row, col) = (*src_start_row, *src_start_col);
            let rect = RectMove {
                from: Area {
                    first: Address::new(row, col),
                    last: Address::new(row + row_count - 1, col + col_count - 1),
                },
                to: Address::new(*dst_start_row, *dst_start_col),
            };
            let lines = |axis: &crate::cell_map::AxisMap, count: usize| -> Vec<Option<u32>> {
                (0..count as u32).map(|line| axis.get(line)).collect()
            };
            let reach = (
                rect.from.last.row as usize + 1,
                rect.from.last.col as usize + 1,
            );
            let (to_rows, to_cols) = (
                lines(&self.maps[0].rows, reach.0),
                lines(&self.maps[0].cols, reach.1),
            );
            let from = Self::whole(&to_rows, &to_cols, rect.from);
            let to = Self::whole(&self.rows.of_theirs, &self.cols.of_theirs, rect.target());
            let clear = |to: Area| {
                let in_ours = cells_of_edges(to).all(|place| self.in_ours(place).is_some());
                let mut own = wrote.keys().filter_map(|own| self.of_ours(*own));
                in_ours && !own.any(|place| to.contains(place))
            };
            match (from, to) {
                (Some(from), Some(to)) if !busy && clear(to) => {
                    self.moved_rects.push(RectMove { from, to: to.first });
                }
                _ => self.loose_rects.push((*at, rect)),
            }
        }
        if !self.loose_rects.is_empty() && !self.moved_rects.is_empty() {
            // One that crosses another would be read back otherwise.
            self.moved_rects.clear();
            self.loose_rects.clear();
            let all = self.ops[1].iter().filter_map(|(at, op)| match op {
                DiffOp::BlockMovedRect { .. } => Some(*at),
                _ => None,
            });
            let all: Vec<usize> = all.collect();
            let rects = self.maps[1].rects.clone();
            self.loose_rects = all.into_iter().zip(rects).collect();
        }
    }

    /// The cells of ours that it wrote, with the numbers of the operations.
    pub fn ours_wrote(&self) -> HashMap<Address, usize> {
        let mut wrote = HashMap::new();
        for (at, op) in &self.ops[0] {
            match op {
                DiffOp::CellEdited { addr, .. } => {
                    wrote.insert(addr.0, *at);
                }
                DiffOp::RowAdded { cells, .. }
                | DiffOp::ColumnAdded { cells, .. }
                | DiffOp::SheetAdded { cells, .. } => {
                    wrote.extend(cells.iter().map(|cell| (cell.addr.0, *at)));
                }
                _ => {}
            }
        }
        wrote
    }

    /// Where a cell of ours is in the result, rectangles aside.
    pub fn of_ours(&self, at: Address) -> Option<Address> {
        let row = self.rows.of_ours.get(at.row as usize)?;
        let col = self.cols.of_ours.get(at.col as usize)?;
        Some(Address::new((*row)?, (*col)?))
    }

    /// Where a cell of theirs is in the result.
    pub fn of_theirs(&self, at: Address) -> Option<Address> {
        let row = self.rows.of_theirs.get(at.row as usize)?;
        let col = self.cols.of_theirs.get(at.col as usize)?;
        Some(Address::new((*row)?, (*col)?))
    }

    /// Where a cell of the result is in ours, rectangles aside.
    pub fn in_ours(&self, at: Address) -> Option<Address> {
        let row = self.rows.items.get(at.row as usize)?.ours?;
        let col = self.cols.items.get(at.col as usize)?.ours?;
        Some(Address::new(row, col))
    }

    /// From ours to the result.
    pub fn ours_map(&self) -> &CellMap {
        self.to_result[0].get_or_init(|| CellMap {
            rows: self.rows.map(&self.rows.of_ours),
            cols: self.cols.map(&self.cols.of_ours),
            rects: self.moved_rects.clone(),
        })
    }

    /// From theirs to the result; rectangles that ours moved are elsewhere.
    pub fn theirs_map(&self) -> &CellMap {
        self.to_result[1].get_or_init(|| self.made_theirs_map())
    }

    fn made_theirs_map(&self) -> CellMap {
        // In theirs the place of a rectangle that theirs moved, too, holds something else.
        let alone = |rect: &&RectMove| {
            let mut others = self.maps[1].rects.iter();
            !others.any(|other| {
                let places = [other.from, other.target()];
                places.iter().any(|area| common(*area, rect.from).is_some())
            })
        };
        let rects = self.maps[0].rects.iter().filter(alone).filter_map(|rect| {
            let lines = |axis: &crate::cell_map::AxisMap, last: u32| -> Vec<Option<u32>> {
                (0..=last).map(|line| axis.get(line)).collect()
            };
            let from = Self::whole(
                &lines(&self.maps[1].rows, rect.from.last.row),
                &lines(&self.maps[1].cols, rect.from.last.col),
                rect.from,
            )?;
            let to = Self::whole(&self.rows.of_ours, &self.cols.of_ours, rect.target())?;
            Some(RectMove { from, to: to.first })
        });
        CellMap {
            rects: rects.collect(),
            rows: self.rows.map(&self.rows.of_theirs),
            cols: self.cols.map(&self.cols.of_theirs),
        }
    }

    /// The operations of theirs that moved lines, and how references in them go.
    fn move_ops(&self, rows: bool) -> BTreeMap<LineMove, (usize, Refs)> {
        let mut known = BTreeMap::new();
        for (at, op) in &self.ops[1] {
            let (src, len, dst, refs) = match op {
                DiffOp::BlockMovedRows {
                    src_start_row,
                    row_count,
                    dst_start_row,
                    refs,
                    ..
                } if rows => (*src_start_row, *row_count, *dst_start_row, *refs),
                DiffOp::BlockMovedColumns {
                    src_start_col,
                    col_count,
                    dst_start_col,
                    refs,
                    ..
                } if !rows => (*src_start_col, *col_count, *dst_start_col, *refs),
                _ => continue,
            };
            known.insert(LineMove { src, len, dst }, (*at, refs));
        }
        known
    }
}

/// Cells in every row and every column of a region.
fn cells_of_edges(area: Area) -> impl Iterator<Item = Address> {
    let rows = (area.first.row..=area.last.row).map(move |row| Address::new(row, area.first.col));
    let cols = (area.first.col..=area.last.col).map(move |col| Address::new(area.first.row, col));
    rows.chain(cols)
}

/// Lines as people write them: `5:8`, `C:D`.
pub(super) fn range_of_lines(rows: bool, first: u32, count: u32) -> String {
    let last = first + count.max(1) - 1;
    if rows {
        format!("{}:{}", first + 1, last + 1)
    } else {
        let name = crate::column_name;
        format!("{}:{}", name(first), name(last))
    }
}

/// Which of the lines that both added are one: those that hold the same in the lines that
/// they cross and the base has, too.
fn alike(
    sums: &[HashMap<u32, u64>; 2],
    mine: &[u32],
    other: &[u32],
) -> Result<Vec<(usize, usize)>, Error> {
    let keys = |sums: &HashMap<u32, u64>, lines: &[u32]| -> Vec<u64> {
        let sum = |line: &u32| sums.get(line).copied().unwrap_or(0);
        lines.iter().map(sum).collect()
    };
    let (mine, other) = (keys(&sums[0], mine), keys(&sums[1], other));
    let problem = mvdiff_core::Slices::new(&mine, &other)?;
    let options = mvdiff_core::Options::default().with(|o| o.moves = false);
    let script = mvdiff_core::diff(&problem, &options)?.script;
    let runs = script.runs().iter();
    let same = runs.filter(|run| run.relation == mvdiff_core::Relation::EXACT);
    let pairs = same.flat_map(|run| run.old_range().zip(run.new_range()));
    Ok(pairs.map(|(a, b)| (a as usize, b as usize)).collect())
}

/// The rows and the columns of the base in which a side wrote something.
fn touched(ops: &[(usize, &DiffOp)], back: &CellMap) -> [HashSet<u32>; 2] {
    let (mut rows, mut cols) = (HashSet::new(), HashSet::new());
    let mut touch = |at: Address| {
        rows.extend(back.rows.get(at.row));
        cols.extend(back.cols.get(at.col));
    };
    for (_, op) in ops {
        match op {
            DiffOp::CellEdited { addr, to, .. } if !to.is_empty() => touch(addr.0),
            DiffOp::CommentAdded { addr, .. } | DiffOp::CommentEdited { addr, .. } => {
                touch(addr.0);
            }
            // Its own line is new, and those that it crosses may not be.
            DiffOp::RowAdded { cells, .. } | DiffOp::ColumnAdded { cells, .. } => {
                for cell in cells {
                    touch(cell.addr.0);
                }
            }
            DiffOp::BlockMovedRect {
                row_count,
                col_count,
                dst_start_row,
                dst_start_col,
                ..
            } => {
                for row in *dst_start_row..dst_start_row + row_count {
                    touch(Address::new(row, *dst_start_col));
                }
                for col in *dst_start_col..dst_start_col + col_count {
                    touch(Address::new(*dst_start_row, col));
                }
            }
            _ => {}
        }
    }
    [rows, cols]
}

/// A cell after the cells that its formula names went elsewhere.
pub(super) fn follow(
    mut cell: CellData,
    map: &WorkbookMap,
    sheet: &str,
    shift: Option<crate::formula::Shift>,
) -> CellData {
    let places = map.seen_from(Some(sheet));
    if let Some(formula) = &cell.formula {
        let now = Formula::parse(formula);
        let now = now.follow_shifted(&places, shift.unwrap_or_default());
        cell.formula = Some(now.into_owned());
    }
    if let (Some(area), Where::Mapped { map, .. }) = (cell.array, places.place(None)) {
        cell.array = map.area(area).or(Some(area));
    }
    cell
}

/// A number for what a cell holds, wherever it is.
fn cell_key(cell: &Cell<'_>) -> u64 {
    if let Some(formula) = cell.formula {
        let name = |name: &str| string_pool::hash(&fold(name));
        return mix(Formula::parse(formula).skeleton(cell.address, name), 7);
    }
    match cell.value {
        Value::Empty => 0,
        Value::Number(number) => mix(number_key(number), 1),
        Value::Text(text) => mix(string_pool::hash(text), 2),
        Value::Bool(is) => mix(u64::from(is), 3),
        Value::Date(days) => mix(date::millis(days) as u64, 4),
        Value::Duration(days) => mix(date::millis(days) as u64, 5),
        Value::Error(code) => mix(code as u64, 6),
    }
}
