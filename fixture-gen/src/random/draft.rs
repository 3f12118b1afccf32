//! Random changes of all kinds, where the expected answer is unambiguous.

use crate::editor::Editor;
use crate::model::{Book, Content, SheetId};
use crate::rng::Rng;
use crate::table::{Maker, TableSpec};
use crate::unambiguous::is_plain;
use mvdiff_grid::{Address, Area};
use std::collections::BTreeSet;

/// Why a draw was rejected; another is tried.
pub type Unlucky = String;
type Done = Result<(), Unlucky>;

/// A sheet while it is changed.
pub struct Draft {
    pub editor: Editor,
    pub sheet: SheetId,
    pub maker: Maker,
    pub rng: Rng,
    /// Rows that stay where they are: titles, the header, totals.
    fixed: BTreeSet<u32>,
    header: Option<u32>,
    /// Rows and columns that have been moved.
    gone: BTreeSet<u32>,
    /// Cells that were edited.
    touched: BTreeSet<(u32, u32)>,
    /// Whether rows move as a copy does, with their relative references rebased.
    pub as_copy: bool,
    /// What was done, in words.
    pub did: Vec<String>,
}

impl Draft {
    /// A workbook with one table, and whatever `add` puts beside it.
    pub fn new(spec: &TableSpec, rng: Rng, add: impl FnOnce(&mut Book, SheetId)) -> Self {
        let mut book = Book::default();
        let (sheet, maker) = Maker::sheet(spec, "Data", &mut book);
        add(&mut book, sheet);
        let rows = &book.sheet(sheet).rows;
        let top = spec.title_rows + usize::from(spec.header);
        let mut fixed: BTreeSet<u32> = rows[..top].iter().copied().collect();
        fixed.extend(&rows[spec.title_rows + spec.rows..]);
        let header = spec.header.then(|| rows[spec.title_rows]);
        Self {
            editor: Editor::new(book),
            sheet,
            maker,
            rng,
            fixed,
            header,
            gone: BTreeSet::new(),
            touched: BTreeSet::new(),
            as_copy: false,
            did: Vec::new(),
        }
    }

    fn rows(&self) -> &[u32] {
        &self.editor.new.sheet(self.sheet).rows
    }

    fn cols(&self) -> Vec<u32> {
        let sheet = self.editor.new.sheet(self.sheet);
        sheet.cols[..sheet.extent().1].to_vec()
    }

    fn is_blank(&self, row: u32) -> bool {
        let cells = &self.editor.new.sheet(self.sheet).cells;
        !cells.keys().any(|key| key.0 == row)
    }

    /// The places of the rows that may change, first and last.
    fn body(&self) -> (usize, usize) {
        let rows = self.rows();
        let free = |row: &u32| !self.fixed.contains(row);
        let first = rows.iter().position(free).unwrap_or(0);
        let last = rows.iter().rposition(free).unwrap_or(0);
        (first, last)
    }

    /// Rows of data that were there before and did not move.
    fn settled(&self) -> Vec<usize> {
        let (first, last) = self.body();
        let old = &self.editor.old.sheet(self.sheet).rows;
        let good = |at: &usize| {
            let row = self.rows()[*at];
            !self.gone.contains(&row) && old.contains(&row) && !self.is_blank(row)
        };
        (first..=last).filter(good).collect()
    }

    /// A stretch of settled rows that were together before and still are.
    fn block(&mut self, count: usize) -> Result<usize, Unlucky> {
        let settled = self.settled();
        let old = &self.editor.old.sheet(self.sheet).rows;
        let rows = self.rows();
        let together = |at: &usize| {
            let block = rows.get(*at..at + count).unwrap_or_default();
            let ends = settled.contains(at) && settled.contains(&(at + count - 1));
            let was = block
                .first()
                .and_then(|row| old.iter().position(|o| o == row));
            ends && was.is_some_and(|was| old[was..].starts_with(block))
                && block.iter().all(|row| !self.gone.contains(row))
        };
        let starts: Vec<usize> = settled.iter().copied().filter(together).collect();
        if starts.is_empty() {
            return Err(format!("no {count} rows together"));
        }
        Ok(*self.rng.pick(&starts))
    }

    /// Whether a new row before this place would be inside a moved block.
    fn splits(&self, at: usize) -> bool {
        let rows = self.rows();
        at > 0 && self.gone.contains(&rows[at - 1]) && self.gone.contains(&rows[at])
    }

    /// Moves so many rows well away, and edits some cells in them.
    pub fn move_rows(&mut self, count: usize, edited: usize) -> Done {
        let from = self.block(count)?;
        let (first, last) = self.body();
        let far = (2 * count).max(6);
        let rest = |to: &usize| {
            let mut rows = self.rows().to_vec();
            let block: Vec<u32> = rows.drain(from..from + count).collect();
            let beside = |at: usize| self.gone.contains(&rows[at]);
            let between = *to > 0 && beside(*to - 1) && beside(*to);
            block.len() == count && !between
        };
        let places: Vec<usize> = (first..=last + 1 - count)
            .filter(|to| to.abs_diff(from) >= far)
            .filter(rest)
            .collect();
        if places.is_empty() {
            return Err("no place far enough away".to_owned());
        }
        let to = *self.rng.pick(&places);
        self.move_block(from, count, to)?;
        self.edit_within(to, count, edited);
        Ok(())
    }

    fn move_block(&mut self, from: usize, count: usize, to: usize) -> Done {
        let block = self.rows()[from..from + count].to_vec();
        if self.as_copy {
            self.editor.copy_rows_away(self.sheet, from, count, to)?;
        } else {
            self.editor.move_rows(self.sheet, from, count, to)?;
        }
        self.gone.extend(block);
        self.did
            .push(format!("moved {count} rows from {from} to {to}"));
        Ok(())
    }

    /// Moves rows, and then one comes or goes in their midst.
    pub fn move_and_split(&mut self, count: usize, insert: bool) -> Done {
        self.move_rows(count, 0)?;
        let moved = |row: &u32| self.gone.contains(row);
        let first = self.rows().iter().position(moved).ok_or("nothing moved")?;
        let inside = first + count / 2;
        if insert {
            return self.insert_at(inside);
        }
        self.did.push(format!("removed the row at {inside}"));
        self.editor.remove_rows(self.sheet, inside, 1)
    }

    /// Moves rows to the top or the bottom of the data.
    pub fn move_to_end(&mut self, count: usize, top: bool) -> Done {
        let (first, last) = self.body();
        let to = if top { first } else { last + 1 - count };
        let from = self.block(count)?;
        if to.abs_diff(from) < (2 * count).max(6) {
            return Err("too near the end".to_owned());
        }
        self.move_block(from, count, to)
    }

    /// Two blocks of rows change places over a longer stretch between them.
    pub fn swap_rows(&mut self, one: usize, other: usize) -> Done {
        let a = self.block(one)?;
        let b = self.block(other)?;
        let ((a, one), (b, other)) = if a < b {
            ((a, one), (b, other))
        } else {
            ((b, other), (a, one))
        };
        if b < a + one + 2 * one.max(other) + 2 {
            return Err("too near each other".to_owned());
        }
        self.move_block(b, other, a)?;
        self.move_block(a + other, one, b + other - one)
    }

    /// New rows, one at a time, at different places.
    pub fn insert_rows(&mut self, count: usize) -> Done {
        for _ in 0..count {
            let (first, last) = self.body();
            let places: Vec<usize> = (first..=last).filter(|at| !self.splits(*at)).collect();
            let at = *self.rng.pick(&places);
            self.insert_at(at)?;
        }
        Ok(())
    }

    fn insert_at(&mut self, at: usize) -> Done {
        let row = self.editor.insert_rows(self.sheet, at, 1)?[0];
        let above = at.checked_sub(1).map(|above| self.rows()[above]);
        let above = above.filter(|row| !self.fixed.contains(row) && !self.is_blank(*row));
        let cols = self.cols();
        let cells = &mut self.editor.new.sheet_mut(self.sheet).cells;
        self.maker.fill(row, above, &cols, cells);
        self.did.push(format!("inserted a row at {at}"));
        Ok(())
    }

    /// New rows at the end of the data, or a few of the last ones gone.
    pub fn resize(&mut self, rows: isize) -> Done {
        let (_, last) = self.body();
        for _ in 0..rows.max(0) {
            let (_, last) = self.body();
            self.insert_at(last + 1)?;
        }
        let fewer = (-rows).max(0) as usize;
        self.editor.remove_rows(self.sheet, last + 1 - fewer, fewer)
    }

    /// Removes rows, one at a time, at different places.
    pub fn remove_rows(&mut self, count: usize) -> Done {
        for _ in 0..count {
            let settled = self.settled();
            if settled.len() < 6 {
                return Err("too few rows to remove one".to_owned());
            }
            let at = *self.rng.pick(&settled);
            self.editor.remove_rows(self.sheet, at, 1)?;
            self.did.push(format!("removed the row at {at}"));
        }
        Ok(())
    }

    /// Edits single cells in rows that stayed.
    pub fn edit(&mut self, count: usize) {
        let settled = self.settled();
        for at in self.rng.sample(&settled, count) {
            self.edit_within(at, 1, 1);
        }
    }

    fn edit_within(&mut self, from: usize, rows: usize, count: usize) {
        let places: Vec<usize> = (from..from + rows).collect();
        for at in self.rng.sample(&places, count) {
            let row = self.rows()[at];
            let cols = self.cols();
            for col in self.rng.sample(&cols, cols.len()) {
                if self.edit_cell((row, col)) {
                    break;
                }
            }
        }
    }

    fn edit_cell(&mut self, key: (u32, u32)) -> bool {
        let cells = &mut self.editor.new.sheet_mut(self.sheet).cells;
        let edited = self.maker.edited(cells.get(&key));
        let Some(edited) = edited.filter(|_| self.touched.insert(key)) else {
            return false;
        };
        cells.insert(key, edited);
        self.did.push("edited a cell".to_owned());
        true
    }

    /// Moves columns; some cells of them are edited.
    pub fn move_cols(&mut self, count: usize, edited_percent: usize) -> Done {
        let cols = self.cols();
        let old = self.editor.old.sheet(self.sheet).cols.clone();
        let fits = |at: &usize| {
            let block = &cols[*at..at + count];
            let was = old.iter().position(|col| *col == block[0]);
            was.is_some_and(|was| old[was..].starts_with(block))
                && block.iter().all(|col| !self.gone.contains(col))
        };
        let starts: Vec<usize> = (0..=cols.len().saturating_sub(count))
            .filter(fits)
            .collect();
        if starts.is_empty() {
            return Err("no columns to move".to_owned());
        }
        let from = *self.rng.pick(&starts);
        let places: Vec<usize> = (0..=cols.len() - count)
            .filter(|to| to.abs_diff(from) > count)
            .collect();
        if places.is_empty() {
            return Err("no place for a column".to_owned());
        }
        let to = *self.rng.pick(&places);
        self.editor.move_cols(self.sheet, from, count, to)?;
        self.gone.extend(&cols[from..from + count]);
        self.did
            .push(format!("moved {count} columns from {from} to {to}"));
        for at in self.settled() {
            if self.rng.percent(edited_percent) {
                let key = (self.rows()[at], cols[from]);
                self.edit_cell(key);
            }
        }
        Ok(())
    }

    /// A new column somewhere.
    pub fn add_col(&mut self) -> Done {
        let at = self.rng.between(0, self.cols().len());
        let col = self.editor.insert_cols(self.sheet, at, 1)?[0];
        let (_, last) = self.body();
        let first = self
            .header
            .and_then(|h| self.rows().iter().position(|row| *row == h));
        let from = first.unwrap_or_else(|| self.body().0);
        let rows: Vec<u32> = self.rows()[from..=last].to_vec();
        let rows: Vec<u32> = rows
            .into_iter()
            .filter(|row| !self.is_blank(*row))
            .collect();
        let cells = &mut self.editor.new.sheet_mut(self.sheet).cells;
        self.maker.fill_col(col, &rows, self.header, cells);
        self.did.push(format!("added a column at {at}"));
        Ok(())
    }

    /// A column goes, but not one that formulas compute from.
    pub fn remove_col(&mut self, any: bool) -> Done {
        let cols = self.cols();
        let old = &self.editor.old.sheet(self.sheet).cols;
        let good = |at: &usize| {
            let was = old.iter().position(|col| *col == cols[*at]);
            was.is_some_and(|was| any || (was != 2 && was != 3)) && !self.gone.contains(&cols[*at])
        };
        let places: Vec<usize> = (0..cols.len()).filter(good).collect();
        if places.is_empty() || cols.len() < 3 {
            return Err("no column to remove".to_owned());
        }
        let at = *self.rng.pick(&places);
        self.editor.remove_cols(self.sheet, at, 1)?;
        self.did.push(format!("removed column {at}"));
        Ok(())
    }

    /// Another word in the header.
    pub fn rename_header(&mut self) -> Done {
        let header = self.header.ok_or("there is no header")?;
        let cols = self.cols();
        let col = *self.rng.pick(&cols);
        if self.edit_cell((header, col)) {
            Ok(())
        } else {
            Err("no header there".to_owned())
        }
    }

    /// Every number of a column changes, as when prices rise.
    pub fn edit_column(&mut self) -> Done {
        let cols = self.cols();
        let col = *cols.get(2).ok_or("too few columns")?;
        for at in self.settled() {
            let key = (self.rows()[at], col);
            self.edit_cell(key);
        }
        Ok(())
    }

    /// Cuts a rectangle and pastes it beside the table.
    pub fn move_rect(&mut self) -> Done {
        let (height, width) = (self.rng.between(3, 5), self.rng.between(2, 3));
        let (first, last) = self.body();
        let cols = self.cols().len();
        if last < first + 2 * height + 4 || cols < width + 3 {
            return Err("no room for a rectangle".to_owned());
        }
        let (row, col) = (
            self.rng.between(first + 1, last - height - 1),
            self.rng.between(1, cols - width - 1),
        );
        let to_row = self.rng.between(first, last - height);
        let to_col = cols + self.rng.between(1, 2);
        let at = |row: usize, col: usize| Address::new(row as u32, col as u32);
        let area = Area {
            first: at(row, col),
            last: at(row + height - 1, col + width - 1),
        };
        self.did
            .push(format!("moved {area} to {}", at(to_row, to_col)));
        self.editor.move_rect(self.sheet, area, at(to_row, to_col))
    }

    /// Begins anew with merged cells and names, and adds some of both.
    pub fn merge_and_name(&mut self) -> Done {
        let area = |first: &str, last: &str| Area {
            first: first.parse().expect("an address"),
            last: last.parse().expect("an address"),
        };
        let (rows, cols) = self.editor.old.sheet(self.sheet).extent();
        let beside = |row: u32, right: u32| Address::new(row, cols as u32 + right);
        let right = Area {
            first: beside(3, 1),
            last: beside(5, 2),
        };
        self.editor.toggle_merge(self.sheet, right)?;
        let amounts = format!("Data!$C$2:$C${rows}");
        self.editor.set_name("Amounts", Some(&amounts))?;
        self.editor.set_name("First_id", Some("Data!$A$2"))?;
        self.editor.set_name("Gone", Some("Data!$B$2"))?;
        self.editor = Editor::new(self.editor.new.clone());
        let below = rows + 3;
        let first = format!("A{below}");
        self.editor
            .toggle_merge(self.sheet, area(&first, &format!("C{below}")))?;
        self.editor.set_name("Gone", None)?;
        self.editor.set_name("Counts", Some("Data!$D:$D"))?;
        self.did.push("merged cells and defined names".to_owned());
        Ok(())
    }

    /// Sorts the data by the column that was at `by`; equal rows keep their order.
    pub fn sort(&mut self, by: usize, descending: bool) -> Done {
        let (first, last) = self.body();
        let sheet = self.editor.new.sheet(self.sheet);
        let col = sheet.cols[by];
        let key = |at: usize| match sheet.cells.get(&(sheet.rows[first + at], col)) {
            Some(Content::Value(mvdiff_grid::Value::Number(number))) => (*number, String::new()),
            Some(Content::Value(mvdiff_grid::Value::Text(text))) => (0.0, text.clone()),
            _ => (f64::MAX, String::new()),
        };
        let mut order: Vec<usize> = (0..=last - first).collect();
        order.sort_by(|a, b| {
            let (a, b) = (key(*a), key(*b));
            let order = a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1));
            if descending { order.reverse() } else { order }
        });
        let way = if descending { ", descending" } else { "" };
        self.did.push(format!("sorted by column {by}{way}"));
        self.editor.reorder_rows(self.sheet, first, &order)
    }

    /// Blanks a row and a column in the middle, so that there are several small tables
    /// in the sheet. To be called before anything else.
    pub fn part(&mut self) {
        let sheet = self.editor.old.sheet(self.sheet);
        let (rows, cols) = sheet.extent();
        let (row, col) = (sheet.rows[rows / 2], sheet.cols[cols / 2]);
        for book in [&mut self.editor.old, &mut self.editor.new] {
            let cells = &mut book.sheet_mut(self.sheet).cells;
            cells.retain(|key, _| key.0 != row && key.1 != col);
        }
        self.editor = Editor::new(self.editor.old.clone());
        self.fixed.insert(row);
    }

    /// Whether only one answer is right.
    pub fn is_plain(&self) -> bool {
        !self.editor.sorted.is_empty() || is_plain(&self.editor)
    }
}
