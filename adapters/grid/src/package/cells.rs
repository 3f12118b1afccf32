//! The rows and cells of a sheet, written over those that it had: a cell that holds what
//! it held keeps its bytes, and one that holds something else keeps its style.

use super::lines::LineChange;
use super::raw::{self, Element};
use super::sheet::SheetPatch;
use super::styles::{ChangeId, StyleSheet};
use crate::cell_map::CellMap;
use crate::write::{WriteError, content};
use crate::{Address, Cell, Grid};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

/// A sheet before and after.
pub(super) struct Cells<'a> {
    name: &'a str,
    grids: [&'a Grid; 2],
    map: &'a CellMap,
    /// Lines that were there.
    back: CellMap,
    /// Styles of columns as the new sheet has them: first, last, style.
    columns: &'a [(u32, u32, u32)],
    /// Styles that cells get, by row: first column, last column, and what changes.
    restyled: BTreeMap<u32, Vec<(u32, u32, ChangeId)>>,
    /// Rows that are shown in another way.
    lines: &'a BTreeMap<u32, LineChange>,
    is_1904: bool,
    /// Whether formulas may name other cells than before.
    moved: bool,
}

/// A cell as the old part has it.
struct OldCell<'t> {
    from: Address,
    element: Element<'t>,
    formula: Option<Element<'t>>,
}

/// What a new row is made of.
#[derive(Default)]
struct Row<'t> {
    tag: Option<&'t str>,
    cells: BTreeMap<u32, OldCell<'t>>,
}

impl<'a> Cells<'a> {
    pub fn new<P>(patch: &'a SheetPatch<'_, P>, columns: &'a [(u32, u32, u32)]) -> Self {
        let mut restyled: BTreeMap<u32, Vec<(u32, u32, ChangeId)>> = BTreeMap::new();
        for (area, change) in &patch.restyled {
            for row in area.first.row..=area.last.row {
                let span = (area.first.col, area.last.col, *change);
                restyled.entry(row).or_default().push(span);
            }
        }
        Self {
            name: patch.name,
            grids: patch.grids,
            map: patch.map,
            back: patch.map.inverse(),
            columns,
            restyled,
            lines: &patch.lines.rows,
            is_1904: patch.is_1904,
            moved: patch.moved,
        }
    }

    /// The new `sheetData` element.
    pub fn write(
        &self,
        data: Option<&Element<'_>>,
        prefix: &str,
        styles: &mut StyleSheet<'_>,
    ) -> Result<String, WriteError> {
        let mut rows = data.map(|data| self.rows(data)).unwrap_or_default();
        let shared = self.shared(&rows);
        let filled = self.grids[1].filled_rows().map(|(row, _)| row);
        let told = self.lines.keys().chain(self.restyled.keys()).copied();
        for row in filled.chain(told) {
            rows.entry(row).or_default();
        }
        let mut out = format!("<{prefix}sheetData>");
        let mut above = BTreeMap::new();
        for (number, row) in &rows {
            let mut writer = RowWriter {
                cells: self,
                shared: &shared,
                number: *number,
                row,
                prefix,
                above: &above,
                along: BTreeMap::new(),
                of_row: None,
            };
            writer.write(styles, &mut out)?;
            above = writer.along;
        }
        let _ = write!(out, "</{prefix}sheetData>");
        Ok(out)
    }

    /// The old rows and cells, by their new places.
    fn rows<'t>(&self, data: &Element<'t>) -> BTreeMap<u32, Row<'t>> {
        let mut found: BTreeMap<u32, Row<'t>> = BTreeMap::new();
        let mut next = 0;
        for row in data.children() {
            if row.name() != "row" {
                continue;
            }
            let number = row.number("r").and_then(|r| r.checked_sub(1));
            let number = number.unwrap_or(next);
            next = number + 1;
            if let Some(to) = self.map.rows.get(number) {
                found.entry(to).or_default().tag = Some(row.tag);
            }
            let mut col = 0;
            for element in row.children() {
                if element.name() != "c" {
                    continue;
                }
                let at: Option<Address> = element.get("r").and_then(|r| r.parse().ok());
                let from = at.unwrap_or(Address::new(number, col));
                col = from.col + 1;
                let Some(to) = crate::replay::place(self.map, from) else {
                    continue;
                };
                let cell = OldCell {
                    from,
                    element,
                    formula: element.child("f"),
                };
                found.entry(to.row).or_default().cells.insert(to.col, cell);
            }
        }
        found
    }

    /// The shared formulas that all of their cells still have, where they had them.
    fn shared(&self, rows: &BTreeMap<u32, Row<'_>>) -> HashSet<u32> {
        let (mut all, mut broken) = (HashSet::new(), HashSet::new());
        for (number, row) in rows {
            for (col, cell) in &row.cells {
                let Some(index) = cell.formula.and_then(|f| f.number("si")) else {
                    continue;
                };
                all.insert(index);
                let to = Address::new(*number, *col);
                let formula = |grid: &'a Grid, at| grid.cell(at).and_then(|cell| cell.formula);
                let same = formula(self.grids[0], cell.from) == formula(self.grids[1], to);
                if to != cell.from || !same {
                    broken.insert(index);
                }
            }
        }
        // One whose first cell is gone is written out.
        if !self.map.is_identity() {
            return HashSet::new();
        }
        &all - &broken
    }
}

/// Writes one row.
struct RowWriter<'w, 'a> {
    cells: &'w Cells<'a>,
    shared: &'w HashSet<u32>,
    number: u32,
    row: &'w Row<'w>,
    prefix: &'w str,
    /// Styles along the row above, by column, and along this one.
    above: &'w BTreeMap<u32, u32>,
    along: BTreeMap<u32, u32>,
    /// The style of the row as a whole.
    of_row: Option<u32>,
}

impl RowWriter<'_, '_> {
    fn write(&mut self, styles: &mut StyleSheet<'_>, out: &mut String) -> Result<(), WriteError> {
        let (prefix, number) = (self.prefix, self.number);
        let plain = format!("<{prefix}row>");
        let name = (number + 1).to_string();
        let mut tag = raw::set(self.row.tag.unwrap_or(&plain), "r", Some(&name));
        // Where it begins and ends is a hint that may be wrong now.
        tag = raw::set(&tag, "spans", None);
        let line = self.cells.lines.get(&number);
        if let Some(line) = line {
            tag = line.on_row(&tag);
        }
        let has_style = matches!(
            raw::attribute(&tag, "customFormat").as_deref(),
            Some("1" | "true")
        );
        let of_row = raw::attribute(&tag, "s").filter(|_| has_style);
        self.of_row = of_row.and_then(|s| s.trim().parse().ok());
        let mut fresh: BTreeMap<u32, Cell<'_>> = self.cells.grids[1]
            .row(number)
            .map(|cell| (cell.address.col, cell))
            .collect();
        let restyled = self.cells.restyled.get(&number).map(Vec::as_slice);
        let mut cols: BTreeSet<u32> = self.row.cells.keys().chain(fresh.keys()).copied().collect();
        for (first, last, _) in restyled.unwrap_or_default() {
            cols.extend(*first..=*last);
        }
        let mut body = String::new();
        for col in cols {
            let new = fresh.remove(&col);
            let own = self.row.cells.get(&col);
            let own = own.map(|old| old.element.number("s").unwrap_or(0));
            let mut style = own.unwrap_or_else(|| self.inherited(col));
            for (first, last, change) in restyled.unwrap_or_default() {
                if (*first..=*last).contains(&col) {
                    style = styles.changed(style, *change);
                }
            }
            if let Some(cell) = &new {
                style = styles.for_value(style, &cell.value, self.cells.is_1904);
            }
            self.along.insert(col, style);
            self.cell(col, own, style, new.as_ref(), &mut body)?;
        }
        if body.is_empty() && self.row.tag.is_none() && line.is_none() {
            return Ok(());
        }
        let open = tag.strip_suffix("/>").or_else(|| tag.strip_suffix('>'));
        let open = open.unwrap_or(&tag);
        if body.is_empty() {
            let _ = write!(out, "{open}/>");
        } else {
            let _ = write!(out, "{open}>{body}</{prefix}row>");
        }
        Ok(())
    }

    /// The style of a cell that was not there. Rows and columns that came look like their
    /// neighbours, as programs have it.
    fn inherited(&self, col: u32) -> u32 {
        let came = self.cells.back.cols.get(col).is_none();
        let left = || {
            came.then(|| self.along.get(&col.checked_sub(1)?).copied())
                .flatten()
        };
        let above = || {
            let came = self.cells.back.rows.get(self.number).is_none();
            came.then(|| self.above.get(&col).copied()).flatten()
        };
        let style = self.of_row.or_else(left).or_else(above);
        style.or_else(|| self.of_column(col)).unwrap_or(0)
    }

    fn of_column(&self, col: u32) -> Option<u32> {
        let columns = self.cells.columns;
        let found = columns.iter().find(|c| (c.0..=c.1).contains(&col));
        found.map(|c| c.2)
    }

    fn cell(
        &self,
        col: u32,
        own: Option<u32>,
        style: u32,
        new: Option<&Cell<'_>>,
        body: &mut String,
    ) -> Result<(), WriteError> {
        let (prefix, at) = (self.prefix, Address::new(self.number, col));
        let old = self.row.cells.get(&col);
        if let Some(old) = old.filter(|old| self.is_kept(old, new)) {
            let mut tag = raw::set(old.element.tag, "r", Some(&at.to_string()));
            if Some(style) != own {
                tag = raw::set(&tag, "s", Some(&style.to_string()));
            }
            body.push_str(&old.element.with(&tag, old.element.inner));
            return Ok(());
        }
        let Some(cell) = new else {
            // Where there is no cell, its row and column show.
            let bare = self.of_row.or_else(|| self.of_column(col));
            if style > 0 || bare.is_some_and(|bare| bare > 0) {
                let _ = write!(body, "<{prefix}c r=\"{at}\" s=\"{style}\"/>");
            }
            return Ok(());
        };
        let place = || format!("{}!{at}", self.cells.name);
        let (kind, inner) = content(cell, prefix, self.cells.is_1904, &place)?;
        let _ = write!(body, "<{prefix}c r=\"{at}\"");
        if style > 0 {
            let _ = write!(body, " s=\"{style}\"");
        }
        let _ = write!(body, "{kind}>{inner}</{prefix}c>");
        Ok(())
    }

    /// Whether the old element says what the new cell holds.
    fn is_kept(&self, old: &OldCell<'_>, new: Option<&Cell<'_>>) -> bool {
        match (self.cells.grids[0].cell(old.from), new) {
            (None, None) => true,
            (Some(was), Some(is)) => {
                let lone = old.formula.is_none_or(|f| match f.get("t").as_deref() {
                    Some("shared") => f.number("si").is_some_and(|si| self.shared.contains(&si)),
                    // They name cells outside their text.
                    Some("array" | "dataTable") => !self.cells.moved,
                    _ => true,
                });
                lone && was.value == is.value && was.formula == is.formula && was.array == is.array
            }
            _ => false,
        }
    }
}
