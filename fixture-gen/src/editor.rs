//! A workbook before and after edits, and the edits.

use crate::formula::{Formula, Reference};
use crate::model::{Book, Cells, Content, DefinedName, Sheet, SheetId, Span};
use mvdiff_grid::{Address, Area, Visibility};
use std::collections::{BTreeSet, HashMap};

/// Does to a workbook what a person does, and remembers which of it was moving.
///
/// Positions are those of the workbook as it is at that moment, from zero.
pub struct Editor {
    /// Before everything.
    pub old: Book,
    /// After all that was done so far.
    pub new: Book,
    /// The old cells as they would be if things had only moved: what differs from
    /// them in `new` was edited.
    pub(crate) followed: HashMap<SheetId, Cells>,
    pub(crate) moved_rows: BTreeSet<(SheetId, u32)>,
    pub(crate) moved_cols: BTreeSet<(SheetId, u32)>,
    pub(crate) moved_sheets: BTreeSet<SheetId>,
    pub(crate) rects: Vec<RectMoved>,
    /// Rows that moved as a copy does, with their relative references rebased.
    pub(crate) copied: BTreeSet<(SheetId, u32)>,
    /// Rows that a sort took elsewhere, whose relative references were rebased.
    pub(crate) sorted: BTreeSet<(SheetId, u32)>,
}

/// A rectangle that was cut and pasted.
#[derive(Clone, Debug)]
pub(crate) struct RectMoved {
    pub sheet: SheetId,
    /// Rows and columns it was in.
    pub from: (Vec<u32>, Vec<u32>),
    /// Rows and columns it is in.
    pub to: (Vec<u32>, Vec<u32>),
    /// What it covered, by where that was.
    pub covered: Vec<((u32, u32), Content)>,
}

/// What cannot be done to a sheet.
pub type Refused = String;
type Done = Result<(), Refused>;

impl Editor {
    /// Begins with this workbook.
    #[must_use]
    pub fn new(old: Book) -> Self {
        let cells = |sheet: &Sheet| (sheet.id, sheet.cells.clone());
        Self {
            followed: old.sheets.iter().map(cells).collect(),
            new: old.clone(),
            old,
            moved_rows: BTreeSet::new(),
            moved_cols: BTreeSet::new(),
            moved_sheets: BTreeSet::new(),
            rects: Vec::new(),
            sorted: BTreeSet::new(),
            copied: BTreeSet::new(),
        }
    }

    /// Writes a cell; nothing empties it.
    ///
    /// # Errors
    /// If the place is too far out.
    pub fn edit(&mut self, sheet: SheetId, at: Address, to: Option<Content>) -> Done {
        let sheet = self.new.sheet_mut(sheet);
        let key = sheet.key(at)?;
        match to {
            Some(content) => sheet.cells.insert(key, content),
            None => sheet.cells.remove(&key),
        };
        Ok(())
    }

    /// Empty rows before the row `at`; their identities.
    ///
    /// # Errors
    /// If there is no such place.
    pub fn insert_rows(
        &mut self,
        sheet: SheetId,
        at: usize,
        count: usize,
    ) -> Result<Vec<u32>, Refused> {
        let ids: Vec<u32> = (0..count).map(|_| self.new.fresh()).collect();
        insert(&mut self.new.sheet_mut(sheet).rows, at, &ids)?;
        Ok(ids)
    }

    /// Empty columns before the column `at`; their identities.
    ///
    /// # Errors
    /// If there is no such place.
    pub fn insert_cols(
        &mut self,
        sheet: SheetId,
        at: usize,
        count: usize,
    ) -> Result<Vec<u32>, Refused> {
        let ids: Vec<u32> = (0..count).map(|_| self.new.fresh()).collect();
        insert(&mut self.new.sheet_mut(sheet).cols, at, &ids)?;
        Ok(ids)
    }

    /// Removes rows with all that is in them.
    ///
    /// # Errors
    /// If there are no such rows.
    pub fn remove_rows(&mut self, sheet: SheetId, at: usize, count: usize) -> Done {
        let sheet = self.new.sheet_mut(sheet);
        let gone = take(&mut sheet.rows, at, count)?;
        sheet.cells.retain(|key, _| !gone.contains(&key.0));
        Ok(())
    }

    /// Removes columns with all that is in them.
    ///
    /// # Errors
    /// If there are no such columns.
    pub fn remove_cols(&mut self, sheet: SheetId, at: usize, count: usize) -> Done {
        let sheet = self.new.sheet_mut(sheet);
        let gone = take(&mut sheet.cols, at, count)?;
        sheet.cells.retain(|key, _| !gone.contains(&key.1));
        Ok(())
    }

    /// Moves rows; `to` is where the first of them is afterwards.
    ///
    /// # Errors
    /// If there are no such rows, or no such place.
    pub fn move_rows(&mut self, sheet: SheetId, from: usize, count: usize, to: usize) -> Done {
        let rows = &mut self.new.sheet_mut(sheet).rows;
        let block = take(rows, from, count)?;
        insert(rows, to, &block)?;
        self.moved_rows
            .extend(block.iter().map(|row| (sheet, *row)));
        Ok(())
    }

    /// Moves rows as copying them and removing the old ones does: their relative
    /// references name what lies as far away as before.
    ///
    /// # Errors
    /// If there are no such rows, or no such place.
    pub fn copy_rows_away(&mut self, sheet: SheetId, from: usize, count: usize, to: usize) -> Done {
        let was = self.new.sheet(sheet).rows.clone();
        self.move_rows(sheet, from, count, to)?;
        let block = &was[from..from + count];
        self.rebase(sheet, block, &was);
        self.copied.extend(block.iter().map(|row| (sheet, *row)));
        Ok(())
    }

    /// Rebases the relative references in these rows, now that they are elsewhere.
    fn rebase(&mut self, sheet: SheetId, block: &[u32], was: &[u32]) {
        let rows = self.new.sheet(sheet).rows.clone();
        let followed = self.followed.entry(sheet).or_default();
        for cells in [&mut self.new.sheet_mut(sheet).cells, followed] {
            for (key, content) in cells.iter_mut().filter(|(key, _)| block.contains(&key.0)) {
                if let Content::Formula(formula) = content {
                    rebase(formula, key.0, was, &rows);
                }
            }
        }
    }

    /// Moves columns; `to` is where the first of them is afterwards.
    ///
    /// # Errors
    /// If there are no such columns, or no such place.
    pub fn move_cols(&mut self, sheet: SheetId, from: usize, count: usize, to: usize) -> Done {
        let cols = &mut self.new.sheet_mut(sheet).cols;
        let block = take(cols, from, count)?;
        insert(cols, to, &block)?;
        self.moved_cols
            .extend(block.iter().map(|col| (sheet, *col)));
        Ok(())
    }

    /// Sorts these rows: `order` are their places from the first of them, in the order
    /// wished for. Relative references are rebased, as spreadsheet programs do.
    ///
    /// # Errors
    /// If there are no such rows.
    pub fn reorder_rows(&mut self, sheet: SheetId, first: usize, order: &[usize]) -> Done {
        let was = self.new.sheet(sheet).rows.clone();
        let Some(block) = was.get(first..first + order.len()) else {
            return Err(format!("there are no {} rows from {first}", order.len()));
        };
        let mut rows = was.clone();
        for (to, from) in order.iter().enumerate() {
            rows[first + to] = block[*from];
        }
        let keys: Vec<u32> = block.to_vec();
        self.new.sheet_mut(sheet).rows = rows;
        self.rebase(sheet, &keys, &was);
        self.sorted.extend(keys.iter().map(|row| (sheet, *row)));
        Ok(())
    }

    /// Cuts a rectangle and pastes it with its first cell at `to`. References to its
    /// cells follow.
    ///
    /// # Errors
    /// If one of both places is too far out or has lines that the old sheet has not, or
    /// they overlap.
    pub fn move_rect(&mut self, sheet: SheetId, area: Area, to: Address) -> Done {
        let now = self.new.sheet(sheet);
        let (height, width) = (
            (area.last.row - area.first.row + 1) as usize,
            (area.last.col - area.first.col + 1) as usize,
        );
        let lines = |at: Address| {
            let (row, col) = (at.row as usize, at.col as usize);
            let rows = now.rows.get(row..row + height)?.to_vec();
            let cols = now.cols.get(col..col + width)?.to_vec();
            Some((rows, cols))
        };
        let (Some(from), Some(to)) = (lines(area.first), lines(to)) else {
            return Err(format!("{area} or its target lies beyond the model"));
        };
        let overlaps = from.0.iter().any(|row| to.0.contains(row))
            && from.1.iter().any(|col| to.1.contains(col));
        if overlaps {
            return Err(format!("{area} overlaps its target"));
        }
        let old = self.old.get(sheet);
        let was_there = |(rows, cols): &(Vec<u32>, Vec<u32>)| {
            old.is_some_and(|old| {
                rows.iter().all(|row| old.rows.contains(row))
                    && cols.iter().all(|col| old.cols.contains(col))
            })
        };
        if !was_there(&from) || !was_there(&to) {
            return Err(format!("{area} or its target has lines that were added"));
        }
        let covered = keys(&to).filter_map(|key| Some((key, now.cells.get(&key)?.clone())));
        let moved = RectMoved {
            sheet,
            covered: covered.collect(),
            from,
            to,
        };
        let followed = self.followed.entry(sheet).or_default();
        for cells in [&mut self.new.sheet_mut(sheet).cells, followed] {
            for (from, to) in keys(&moved.from).zip(keys(&moved.to)) {
                match cells.remove(&from) {
                    Some(content) => cells.insert(to, content),
                    None => cells.remove(&to),
                };
            }
        }
        self.retarget(&moved);
        self.rects.push(moved);
        Ok(())
    }

    /// Sends every reference into the rectangle after it.
    fn retarget(&mut self, rect: &RectMoved) {
        let new = self.new.sheets.iter_mut().map(|s| (s.id, &mut s.cells));
        let followed = self.followed.iter_mut().map(|(id, cells)| (*id, cells));
        for (own, cells) in new.chain(followed) {
            for content in cells.values_mut() {
                if let Content::Formula(formula) = content {
                    let hits = |r: &&mut Reference| r.sheet.unwrap_or(own) == rect.sheet;
                    formula
                        .references_mut()
                        .filter(hits)
                        .for_each(|r| rect.send(r));
                }
            }
        }
    }

    /// Gives a sheet another name.
    pub fn rename_sheet(&mut self, sheet: SheetId, name: &str) {
        name.clone_into(&mut self.new.sheet_mut(sheet).name);
    }

    /// Moves a sheet's tab.
    ///
    /// # Errors
    /// If there is no such place.
    pub fn move_sheet(&mut self, sheet: SheetId, to: usize) -> Done {
        let at = self.new.sheets.iter().position(|s| s.id == sheet);
        let taken = self.new.sheets.remove(at.ok_or("the sheet is gone")?);
        if to > self.new.sheets.len() {
            return Err(format!("there is no place {to} for a sheet"));
        }
        self.new.sheets.insert(to, taken);
        self.moved_sheets.insert(sheet);
        Ok(())
    }

    /// Removes a sheet.
    pub fn remove_sheet(&mut self, sheet: SheetId) {
        self.new.sheets.retain(|s| s.id != sheet);
    }

    /// Shows or hides a sheet.
    pub fn set_visibility(&mut self, sheet: SheetId, visibility: Visibility) {
        self.new.sheet_mut(sheet).visibility = visibility;
    }

    /// Merges cells, or parts them again if they are merged.
    ///
    /// # Errors
    /// If the region lies too far out.
    pub fn toggle_merge(&mut self, sheet: SheetId, area: Area) -> Done {
        let sheet = self.new.sheet_mut(sheet);
        let span = Span {
            first: sheet.key(area.first)?,
            last: sheet.key(area.last)?,
        };
        match sheet.merges.iter().position(|merge| *merge == span) {
            Some(at) => drop(sheet.merges.remove(at)),
            None => sheet.merges.push(span),
        }
        Ok(())
    }

    /// Defines a name, or defines it anew, or, with nothing, takes it away.
    ///
    /// # Errors
    /// If what it refers to cannot be read.
    pub fn set_name(&mut self, name: &str, refers_to: Option<&str>) -> Done {
        let first = self.new.sheets[0].id;
        let refers_to = refers_to.map(|text| Formula::parse(text, &self.new, first));
        let at = self.new.names.iter().position(|n| n.name == name);
        match (at, refers_to.transpose()?) {
            (Some(at), Some(refers_to)) => self.new.names[at].refers_to = refers_to,
            (Some(at), None) => drop(self.new.names.remove(at)),
            (None, Some(refers_to)) => self.new.names.push(DefinedName {
                name: name.to_owned(),
                refers_to,
            }),
            (None, None) => return Err(format!("there is no name {name:?}")),
        }
        Ok(())
    }
}

impl RectMoved {
    /// A reference that lies in the rectangle as a whole goes with it.
    fn send(&self, reference: &mut Reference) {
        let target = |id: u32, from: &[u32], to: &[u32]| {
            from.iter().position(|at| *at == id).map(|at| to[at])
        };
        let mut sent = reference.clone();
        for corner in std::iter::once(&mut sent.first).chain(sent.last.as_mut()) {
            let (Some(row), Some(col)) = (corner.row.as_mut(), corner.col.as_mut()) else {
                return;
            };
            let row_to = target(row.id, &self.from.0, &self.to.0);
            let col_to = target(col.id, &self.from.1, &self.to.1);
            let (Some(row_to), Some(col_to)) = (row_to, col_to) else {
                return;
            };
            (row.id, col.id) = (row_to, col_to);
        }
        *reference = sent;
    }
}

/// The cells of rows and columns, row by row.
pub(crate) fn keys(lines: &(Vec<u32>, Vec<u32>)) -> impl Iterator<Item = (u32, u32)> {
    let (rows, cols) = lines;
    rows.iter()
        .flat_map(|row| cols.iter().map(move |col| (*row, *col)))
}

/// Relative references to rows name what lies as far away as before.
fn rebase(formula: &mut Formula, own: u32, was: &[u32], is: &[u32]) {
    let place = |rows: &[u32], id| rows.iter().position(|row| *row == id);
    let (Some(old), Some(new)) = (place(was, own), place(is, own)) else {
        return;
    };
    for reference in formula.references_mut().filter(|r| r.sheet.is_none()) {
        for corner in std::iter::once(&mut reference.first).chain(reference.last.as_mut()) {
            let Some(mark) = corner.row.as_mut() else {
                continue;
            };
            let Some(at) = place(was, mark.id).filter(|_| !mark.absolute) else {
                continue;
            };
            if let Some(row) = (at + new).checked_sub(old).and_then(|at| is.get(at)) {
                mark.id = *row;
            }
        }
    }
}

fn insert(lines: &mut Vec<u32>, at: usize, ids: &[u32]) -> Done {
    if at > lines.len() {
        return Err(format!("there is no place {at}"));
    }
    lines.splice(at..at, ids.iter().copied());
    Ok(())
}

fn take(lines: &mut Vec<u32>, at: usize, count: usize) -> Result<Vec<u32>, Refused> {
    if at + count > lines.len() {
        return Err(format!("there are no {count} lines from {at}"));
    }
    Ok(lines.drain(at..at + count).collect())
}
