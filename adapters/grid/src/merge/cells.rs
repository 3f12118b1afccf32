//! The cells of a sheet: what theirs wrote, put into ours or into a conflict.

use super::conflict::{Conflict, ConflictKind, json};
use super::sheet::{SheetMerge, follow};
use super::{Work, same_cell};
use crate::cell_map::RectMove;
use crate::workbook_map::WorkbookMap;
use crate::{
    Address, Area, CellData, DiffOp, Grid, MAX_COLS, MAX_ROWS, Placed, PlacedCell, Sheet, Workbook,
};
use serde_json::json;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Something that theirs has in a cell.
struct Write {
    /// The place in theirs.
    at: Address,
    to: CellData,
    /// The operation that wrote it; none if the cell only comes along.
    op: Option<usize>,
    /// The cell of the base that was moved there.
    source: Option<Address>,
}

pub(super) fn cell(sheet: Option<&Sheet>, at: Address) -> Option<CellData> {
    let cell = sheet.and_then(Sheet::grid)?.cell(at);
    cell.map(|cell| cell.to_data())
}

impl<'a> SheetMerge<'a> {
    /// Brings over what theirs wrote.
    pub fn cells(&mut self, work: &mut Work<'a>, om: &WorkbookMap, tm: &WorkbookMap) {
        let wrote = self.ours_wrote();
        let mut added: BTreeMap<Address, CellData> = BTreeMap::new();
        let mut edits: BTreeMap<Address, DiffOp> = BTreeMap::new();
        let mut listed: [HashSet<u32>; 2] = Default::default();
        // Which cell of theirs is written in a place of the result.
        let mut writers: HashMap<Address, (Address, Option<usize>)> = HashMap::new();
        for write in self.theirs_wrote() {
            if let Some(at) = write.op {
                work.theirs.fates[at].done |= !work.theirs.fates[at].same;
            }
            let Some((place, rides)) = self.place(write.at) else {
                continue;
            };
            let now = follow(write.to.clone(), tm, &self.names[1], None);
            let origin = self.origin(write.at);
            let line = self.removed_line(true, write.at);
            if let (Some(op), Some(line)) = (write.op, &line) {
                // What was cleared there is gone with the line, or comes back with it.
                if !now.is_empty() {
                    self.removed(work, place, (line, false), [None, Some(now.clone())]);
                    work.theirs.fates[op].conflict = true;
                    listed[0].extend(self.back[1].rows.get(write.at.row));
                    listed[1].extend(self.back[1].cols.get(write.at.col));
                }
            }
            let Some(own) = self.comes_from(place) else {
                if now.is_empty() {
                    added.remove(&place);
                } else {
                    added.insert(place, now);
                }
                continue;
            };
            let mine = cell(Some(self.ours), own).unwrap_or_default();
            let followed = follow(mine.clone(), om, &self.names[0], None);
            let over = !rides && self.covered_by_ours(own);
            let torn = write
                .source
                .is_some_and(|from| self.is_torn(from, place, &wrote));
            // Theirs may have taken elsewhere what ours moved here, or have put something
            // else here.
            let left = rides && now.is_empty();
            let (first, by) = *writers.entry(place).or_insert((write.at, write.op));
            if wrote.contains_key(&own) || over || torn || left || first != write.at {
                let Some(op) = write.op else { continue };
                if same_cell(&followed, &now) {
                    // Both put it here; what else theirs would put here is not to replace it.
                    if let (true, Some(DiffOp::CellEdited { to, .. })) =
                        (first != write.at, edits.remove(&place))
                    {
                        if let Some(by) = by {
                            work.theirs.fates[by].conflict = true;
                        }
                        self.clash(work, place, write.source.or(origin), [followed, to]);
                    }
                    continue;
                }
                work.theirs.fates[op].conflict = true;
                self.clash(work, place, write.source.or(origin), [followed, now]);
                continue;
            }
            if !same_cell(&followed, &now) || !self.moved_rects.is_empty() {
                edits.insert(
                    place,
                    DiffOp::CellEdited {
                        sheet: self.name.clone(),
                        addr: Placed(place),
                        from_addr: Placed(own),
                        from: mine,
                        to: now,
                        formula_diff: None,
                    },
                );
            }
        }
        self.written.extend(edits.keys());
        work.out.ops.extend(edits.into_values());
        self.ours_in_removed(work, &mut listed);
        self.removed_lines(work, &listed);
        self.say_added(work, added);
        for (at, op) in &self.ops[1] {
            // What was written in lines that are gone on both sides is gone.
            let fate = &mut work.theirs.fates[*at];
            if matches!(
                op,
                DiffOp::CellEdited { .. } | DiffOp::BlockMovedRect { .. }
            ) {
                fate.done |= !fate.conflict;
            }
        }
    }

    /// A cell in which each side has something else.
    fn clash(
        &self,
        work: &mut Work<'a>,
        place: Address,
        base: Option<Address>,
        [ours, theirs]: [CellData; 2],
    ) {
        work.conflict(Conflict {
            sheet: Some(self.name.clone()),
            addr: Some(place.to_string()),
            base: json(base.and_then(|base| cell(self.base, base))),
            ours: json(Some(ours)),
            theirs: json(Some(theirs)),
            ..Conflict::new(ConflictKind::Cell, "ours and theirs wrote different things")
        });
    }

    /// All that theirs wrote, first what only comes along.
    fn theirs_wrote(&self) -> Vec<Write> {
        let mut writes = Vec::new();
        let Some(grid) = self.theirs.grid() else {
            return writes;
        };
        // Lines that ours removed and that are there all the same.
        let mut restored = HashSet::new();
        let lines = [(&self.rows, true), (&self.cols, false)];
        let back = |rows: bool, line: u32| {
            let back = &self.back[1];
            if rows {
                back.rows.get(line)
            } else {
                back.cols.get(line)
            }
        };
        if lines
            .iter()
            .any(|(lines, _)| !lines.ours_removed.is_empty())
        {
            for cell in grid.cells() {
                let here = lines.iter().any(|(lines, rows)| {
                    let line = if *rows {
                        cell.address.row
                    } else {
                        cell.address.col
                    };
                    back(*rows, line)
                        .is_some_and(|base| lines.ours_removed.binary_search(&base).is_ok())
                });
                if here && restored.insert(cell.address) {
                    writes.push(Write {
                        at: cell.address,
                        to: cell.to_data(),
                        op: None,
                        source: None,
                    });
                }
            }
        }
        writes.extend(self.kept_formulas(grid));
        for (at, op) in &self.ops[1] {
            match op {
                DiffOp::RowAdded { cells, .. }
                | DiffOp::ColumnAdded { cells, .. }
                | DiffOp::SheetAdded { cells, .. } => {
                    writes.extend(cells.iter().map(|cell| Write {
                        at: cell.addr.0,
                        to: cell.cell.clone(),
                        op: Some(*at),
                        source: None,
                    }));
                }
                _ => {}
            }
        }
        for (at, rect) in &self.loose_rects {
            let there = |place: Address, source: Option<Address>| Write {
                at: place,
                to: cell(Some(self.theirs), place).unwrap_or_default(),
                op: Some(*at),
                source,
            };
            let lines = &self.maps[1];
            let left = cells_of(rect.from).filter_map(|from| {
                let (row, col) = (lines.rows.get(from.row)?, lines.cols.get(from.col)?);
                Some(Address::new(row, col))
            });
            writes.extend(left.map(|place| there(place, None)));
            let moved = cells_of(rect.from);
            writes.extend(moved.filter_map(|from| Some(there(rect.place(from)?, Some(from)))));
        }
        for (at, op) in &self.ops[1] {
            if let DiffOp::CellEdited { addr, to, .. } = op {
                writes.push(Write {
                    at: addr.0,
                    to: to.clone(),
                    op: Some(*at),
                    source: None,
                });
            }
        }
        writes
    }

    /// Formulas that read in theirs as they did, though what they name went elsewhere.
    fn kept_formulas(&self, grid: &'a Grid) -> Vec<Write> {
        let areas: Vec<Area> = self
            .kept
            .iter()
            .filter_map(|area| area.parse().ok())
            .collect();
        let cells = grid.cells().filter(|cell| {
            cell.formula.is_some() && areas.iter().any(|area| area.contains(cell.address))
        });
        let write = |cell: crate::Cell<'_>| Write {
            at: cell.address,
            to: cell.to_data(),
            op: None,
            source: None,
        };
        if areas.is_empty() {
            return Vec::new();
        }
        cells.map(write).collect()
    }

    /// Where a cell of theirs was in the base, rectangles aside.
    fn origin(&self, at: Address) -> Option<Address> {
        let back = &self.back[1];
        Some(Address::new(back.rows.get(at.row)?, back.cols.get(at.col)?))
    }

    /// Where a cell of theirs is in the result, and whether it went along with a rectangle
    /// that ours moved.
    pub fn place(&self, at: Address) -> Option<(Address, bool)> {
        // What theirs put where a rectangle of theirs was is not what was there.
        let left = |base: &Address| {
            let mut rects = self.maps[1].rects.iter();
            !rects.any(|rect| rect.from.contains(*base))
        };
        let moved = self.origin(at).filter(left).and_then(|base| {
            let mut rects = self.maps[0].rects.iter();
            rects.find_map(|rect| rect.place(base))
        });
        match moved {
            Some(own) => Some((self.of_ours(own)?, true)),
            None => Some((self.of_theirs(at)?, false)),
        }
    }

    /// The cell of ours that ends up in a place of the result, with its lines or
    /// with a rectangle.
    fn comes_from(&self, place: Address) -> Option<Address> {
        let back = |rect: &RectMove| RectMove {
            from: rect.target(),
            to: rect.from.first,
        };
        let mut rects = self.moved_rects.iter();
        let moved = rects.find_map(|rect| back(rect).place(place));
        moved.or_else(|| self.in_ours(place))
    }

    /// Whether ours did something else to a cell of the base that theirs moved to this
    /// place of the result.
    fn is_torn(&self, from: Address, place: Address, wrote: &HashMap<Address, usize>) -> bool {
        if cell(self.base, from).is_none() {
            return false;
        }
        let Some(own) = self.maps[0].get(from) else {
            return true;
        };
        let moved = self.maps[0]
            .rects
            .iter()
            .any(|rect| rect.from.contains(from));
        (moved && self.of_ours(own) != Some(place)) || wrote.contains_key(&own)
    }

    /// Whether ours moved a rectangle over this cell of ours.
    fn covered_by_ours(&self, at: Address) -> bool {
        let mut rects = self.maps[0].rects.iter();
        rects.any(|rect| rect.target().contains(at))
    }

    /// Where a cell of the result was in the base, rectangles aside.
    pub(super) fn base_of(&self, place: Address) -> Option<Address> {
        let row = self.rows.items.get(place.row as usize)?.base?;
        let col = self.cols.items.get(place.col as usize)?.base?;
        Some(Address::new(row, col))
    }

    /// Says which lines come, with their cells.
    fn say_added(&self, work: &mut Work<'a>, cells: BTreeMap<Address, CellData>) {
        let mut rows: BTreeMap<u32, Vec<PlacedCell>> = BTreeMap::new();
        let mut cols: BTreeMap<u32, Vec<PlacedCell>> = BTreeMap::new();
        for (addr, cell) in cells {
            let placed = PlacedCell {
                addr: Placed(addr),
                cell,
            };
            let row = &self.rows.items[addr.row as usize];
            if row.ours.is_none() {
                rows.entry(addr.row).or_default().push(placed);
            } else {
                cols.entry(addr.col).or_default().push(placed);
            }
        }
        let (_, added, _) = self.cols.steps();
        work.out
            .ops
            .extend(added.into_iter().map(|col_idx| DiffOp::ColumnAdded {
                sheet: self.name.clone(),
                col_idx,
                cells: cols.remove(&col_idx).unwrap_or_default(),
            }));
        let (_, added, _) = self.rows.steps();
        work.out
            .ops
            .extend(added.into_iter().map(|row_idx| DiffOp::RowAdded {
                sheet: self.name.clone(),
                row_idx,
                cells: rows.remove(&row_idx).unwrap_or_default(),
            }));
    }

    /// Merged regions.
    pub fn merged_cells(&self, work: &mut Work<'a>) {
        let (om, tm) = (self.ours_map(), self.theirs_map());
        let mine: HashSet<Area> = self.ours.merges.iter().copied().collect();
        let mut gone: HashSet<Area> = HashSet::new();
        for (at, op) in &self.ops[1] {
            let DiffOp::MergeRemoved { area, .. } = op else {
                continue;
            };
            let now = area.parse().ok().and_then(|area| self.maps[0].area(area));
            let fate = &mut work.theirs.fates[*at];
            match now.filter(|now| mine.contains(now)) {
                Some(now) => {
                    fate.done = true;
                    gone.insert(now);
                    work.out.ops.push(DiffOp::MergeRemoved {
                        sheet: self.name.clone(),
                        area: now.to_string(),
                    });
                }
                None => fate.same = true,
            }
        }
        let mut there: Vec<Area> = mine
            .difference(&gone)
            .filter_map(|area| om.area(*area))
            .collect();
        there.sort_unstable();
        for (at, op) in &self.ops[1] {
            let DiffOp::MergeAdded { area, .. } = op else {
                continue;
            };
            let now = area.parse().ok().and_then(|area| tm.area(area));
            let fate = &mut work.theirs.fates[*at];
            let Some(now) = now else {
                fate.done = true;
                continue;
            };
            if there.contains(&now) {
                fate.same = true;
                continue;
            }
            let meets = |other: &&Area| {
                now.first.row <= other.last.row
                    && other.first.row <= now.last.row
                    && now.first.col <= other.last.col
                    && other.first.col <= now.last.col
            };
            if let Some(other) = there.iter().find(meets) {
                fate.conflict = true;
                work.conflicts.push(Conflict {
                    sheet: Some(self.name.clone()),
                    addr: Some(now.shortest()),
                    ours: json!(other.shortest()),
                    theirs: json!(now.shortest()),
                    ..Conflict::new(
                        ConflictKind::Merge,
                        "theirs merged cells that ours merged with others",
                    )
                });
                continue;
            }
            fate.done = true;
            there.push(now);
            work.out.ops.push(DiffOp::MergeAdded {
                sheet: self.name.clone(),
                area: now.to_string(),
            });
        }
    }

    /// Formulas that only followed their cells in theirs, and that ours left as they
    /// were: the result has them as theirs has them.
    pub fn followed(&self, work: &mut Work<'a>, made: &Workbook, tm: &WorkbookMap) {
        let made = made.sheets.iter().find(|sheet| sheet.name == self.name);
        let (Some(theirs), Some(made)) = (self.theirs.grid(), made.and_then(Sheet::grid)) else {
            return;
        };
        let aside = |at: Address| {
            let mut rects = self.maps[1].rects.iter();
            rects.any(|rect| rect.target().contains(at))
        };
        let wrote = self.ours_wrote();
        for cell_there in theirs.cells() {
            let (at, Some(formula)) = (cell_there.address, cell_there.formula) else {
                continue;
            };
            let found = || {
                let base = self.origin(at)?;
                let (place, _) = self.place(at).filter(|_| !aside(at))?;
                let own = self.in_ours(place)?;
                let was = self.base?.grid()?.cell(base)?.formula?;
                let mine = self.ours.grid()?.cell(own)?.formula?;
                let still = was == mine && was != formula && !wrote.contains_key(&own);
                (still && !self.written.contains(&place)).then_some((place, own))
            };
            let Some((place, own)) = found() else {
                continue;
            };
            let wanted = follow(cell_there.to_data(), tm, &self.names[1], None);
            let is = made.cell(place).map(|cell| cell.to_data());
            if is.is_none_or(|is| !same_cell(&is, &wanted))
                && place.row < MAX_ROWS
                && place.col < MAX_COLS
            {
                work.out.ops.push(DiffOp::CellEdited {
                    sheet: self.name.clone(),
                    addr: Placed(place),
                    from_addr: Placed(own),
                    from: cell(Some(self.ours), own).unwrap_or_default(),
                    to: wanted,
                    formula_diff: None,
                });
            }
        }
    }
}

/// The cells of a region.
fn cells_of(area: Area) -> impl Iterator<Item = Address> {
    (area.first.row..=area.last.row).flat_map(move |row| {
        (area.first.col..=area.last.col).map(move |col| Address::new(row, col))
    })
}
