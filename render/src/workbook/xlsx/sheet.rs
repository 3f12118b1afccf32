//! One sheet of a marked-up workbook.

use super::content::{LONGEST, as_formula, fitting, with_result};
use super::remarks::{NOTED, column_head, is_first, note, row_look, status, was};
use super::styles::{Look, Looks, head, margin};
use super::{LEFT, Notes, ROOM, TOP};
use crate::workbook::counts::some;
use crate::workbook::value::{escaped, plain, shorten};
use crate::workbook::view::{
    Axis, CellFate, CellShow, Line, LineFate, MoveKind, SheetKind, SheetShow,
};
use mvdiff_grid::{Address, Area, Cell, Layout, Value};
use rust_xlsxwriter::{Color, Format, Worksheet, XlsxError};
use std::collections::BTreeSet;

/// Columns of a row that came, went or moved that are coloured where they are empty.
const COLOURED: u32 = 256;
/// How wide a column is made for what is in it, and how many rows are looked at.
const WIDTHS: (usize, usize) = (7, 44);
const MEASURED: u32 = 500;
/// Rows without a cell that are numbered.
const EMPTY_ROWS: u32 = 10_000;
/// Cells of a merged region; each is written, even if it is empty.
const MERGED: u64 = 100_000;

/// Writes a sheet, with formulas if there is a layout to lead them by; gives back what
/// had to be left out.
pub(super) fn write(
    page: &mut Worksheet,
    sheet: &SheetShow<'_>,
    layout: Option<&Layout>,
    notes: &mut Notes,
) -> Result<Vec<String>, XlsxError> {
    if let Some(colour) = match sheet.kind {
        SheetKind::Added => Look::Added.colours(),
        SheetKind::Removed => Look::Removed.colours(),
        SheetKind::Changed => Look::Edited.colours(),
        SheetKind::Unchanged | SheetKind::NotCompared => None,
    } {
        page.set_tab_color(Color::RGB(colour.1));
    }
    // A formula without a value has an empty one: programs calculate it, while they
    // take a number for what it comes to.
    page.set_formula_result_default("");
    let mut writer = Writer {
        page,
        sheet,
        layout,
        notes,
        looks: Looks::default(),
        widths: Vec::new(),
        cut_texts: 0,
        lost_merges: 0,
        empty_rows: 0,
    };
    writer.heads()?;
    writer.rows()?;
    writer.merges()?;
    writer.finish()?;
    Ok(writer.left_out())
}

struct Writer<'w, 'v> {
    page: &'w mut Worksheet,
    sheet: &'w SheetShow<'v>,
    layout: Option<&'w Layout>,
    notes: &'w mut Notes,
    looks: Looks,
    /// The widest text of each column so far.
    widths: Vec<usize>,
    cut_texts: usize,
    lost_merges: usize,
    empty_rows: u32,
}

impl<'v> Writer<'_, 'v> {
    fn cols(&self) -> u32 {
        self.sheet.cols.len().min(ROOM.1)
    }

    /// The row of column letters.
    fn heads(&mut self) -> Result<(), XlsxError> {
        let plain = head(Look::Plain);
        for (col, text) in (0..).zip(["what happened", "old row", "new row"]) {
            self.page.write_string_with_format(0, col, text, &plain)?;
        }
        let sheet = self.sheet;
        for (at, line) in (0..self.cols()).zip(sheet.cols.lines()) {
            let (look, text) = column_head(sheet, line);
            self.widths.push(text.chars().count());
            let col = (LEFT + at) as u16;
            self.page
                .write_string_with_format(0, col, &text, &head(look))?;
            if let LineFate::Moved(number) | LineFate::Left(number) = line.became
                && let Some(step) = sheet.step(number)
                && is_first(line, step.kind)
                && self.notes.edits.take()
            {
                let text = format!("{}: {} moved to {}", step.name(), step.from, step.to);
                self.page.insert_note(0, col, &note(&text))?;
            }
        }
        Ok(())
    }

    fn rows(&mut self) -> Result<(), XlsxError> {
        let sheet = self.sheet;
        let touched = sheet.touched_rows();
        for run in sheet.rows.runs() {
            for i in 0..run.count {
                let at = run.start + i;
                if at >= ROOM.0 {
                    return Ok(());
                }
                self.row(at, run.line(i), &touched)?;
            }
        }
        Ok(())
    }

    fn row(&mut self, at: u32, line: Line, touched: &BTreeSet<u32>) -> Result<(), XlsxError> {
        let sheet = self.sheet;
        let cells = sheet.cells(line);
        let row = TOP + at;
        let look = row_look(line.became);
        let status = status(sheet, line, touched.contains(&at));
        // Most rows of a sheet whose last cell is far out hold nothing.
        if cells.is_empty() && status.is_empty() && look == Look::Plain {
            if self.empty_rows == EMPTY_ROWS {
                return Ok(());
            }
            self.empty_rows += 1;
        }
        self.margin(row, line, look, &status)?;
        if look != Look::Plain {
            for col in 0..self.cols().min(COLOURED) {
                if !cells.contains_key(&col) {
                    let format = self.looks.get(look, Value::Empty);
                    self.page.write_blank(row, (LEFT + col) as u16, format)?;
                }
            }
        }
        let mut told = false;
        for (&col, cell) in cells.range(..self.cols()) {
            let place = (row, (LEFT + col) as u16);
            let formula = self.cell(place, cell)?;
            if at < MEASURED {
                self.measure(col, cell);
            }
            let first = !std::mem::replace(&mut told, true);
            let column = sheet.cols.line(col);
            let remark = column.and_then(|column| self.remark((line, column), cell, first));
            // A cell has one note.
            let said = match (remark, formula) {
                (Some(remark), formula) if self.notes.edits.take() => Some(
                    [Some(remark), formula]
                        .into_iter()
                        .flatten()
                        .collect::<Vec<_>>(),
                ),
                (None, Some(formula)) if self.notes.formulas.take() => Some(vec![formula]),
                _ => None,
            };
            if let Some(said) = said {
                let text = said.join("\n");
                self.page.insert_note(place.0, place.1, &note(&text))?;
            }
        }
        Ok(())
    }

    fn margin(&mut self, row: u32, line: Line, look: Look, status: &str) -> Result<(), XlsxError> {
        let tells = match look {
            Look::Plain if status.ends_with('~') => Look::Edited,
            Look::Plain if !status.is_empty() => Look::Moved,
            look => look,
        };
        self.page
            .write_string_with_format(row, 0, status, &margin(tells))?;
        let format = margin(Look::Plain);
        for (col, number) in (1..).zip([line.old, line.new]) {
            match number {
                Some(number) => {
                    let number = f64::from(number + 1);
                    self.page
                        .write_number_with_format(row, col, number, &format)?;
                }
                None => {
                    self.page.write_blank(row, col, &format)?;
                }
            }
        }
        Ok(())
    }

    /// Writes a cell; gives back what a note has to say of a formula that is not one
    /// here.
    fn cell(
        &mut self,
        (row, col): (u32, u16),
        shown: &CellShow<'v>,
    ) -> Result<Option<String>, XlsxError> {
        let look = match shown.edit {
            Some(_) if !shown.is_covered(self.sheet) => Look::Edited,
            _ => Look::of(shown.fate),
        };
        let Some(cell) = shown.cell else {
            if look != Look::Plain {
                let format = self.looks.get(look, Value::Empty);
                self.page.write_blank(row, col, format)?;
            }
            return Ok(None);
        };
        let live = self.sheet.kind != SheetKind::Removed && shown.fate != CellFate::Removed;
        let led = cell
            .formula
            .filter(|_| live)
            .and_then(|formula| self.layout?.lead(self.sheet.name, formula))
            .and_then(|formula| with_result(&formula, cell.value));
        let format = self.looks.get(look, cell.value);
        if let Some(formula) = led {
            self.page
                .write_formula_with_format(row, col, formula, format)?;
            return Ok(None);
        }
        let format = format.clone();
        if let Some(formula) = self.sheet.uncalculated(shown) {
            let text = escaped(formula);
            self.page
                .write_string_with_format(row, col, fitting(&text), &format)?;
            return Ok(None);
        }
        self.value((row, col), cell, &format)?;
        let formula = cell.formula.filter(|_| shown.edit.is_none());
        Ok(formula.map(|formula| format!("formula: {}", shorten(&escaped(formula), NOTED))))
    }

    fn value(
        &mut self,
        (row, col): (u32, u16),
        cell: Cell<'_>,
        format: &Format,
    ) -> Result<(), XlsxError> {
        match cell.value {
            Value::Empty => self.page.write_blank(row, col, format)?,
            Value::Number(number) | Value::Date(number) | Value::Duration(number) => self
                .page
                .write_number_with_format(row, col, number, format)?,
            Value::Text(text) => {
                let fitting = fitting(text);
                self.cut_texts += usize::from(fitting.len() < text.len());
                self.page
                    .write_string_with_format(row, col, fitting, format)?
            }
            Value::Bool(is) => self.page.write_boolean_with_format(row, col, is, format)?,
            // There is no other way to write an error; of those that came later no
            // program is sure to read the formula, so they are texts.
            Value::Error(code) => match as_formula(code) {
                Some(formula) => self
                    .page
                    .write_formula_with_format(row, col, formula, format)?,
                None => self
                    .page
                    .write_string_with_format(row, col, code.as_str(), format)?,
            },
        };
        Ok(())
    }

    fn measure(&mut self, col: u32, shown: &CellShow<'v>) {
        let wide = shown.cell.map_or(0, |cell| {
            let text = match self.sheet.uncalculated(shown) {
                Some(formula) => formula.to_owned(),
                None => plain(&cell.value),
            };
            text.lines().next().unwrap_or_default().chars().count()
        });
        if let Some(width) = self.widths.get_mut(col as usize) {
            *width = wide.max(*width);
        }
    }

    /// What a note on a cell says; the first cell of a moved row says whence it came.
    fn remark(
        &self,
        (row, col): (Line, Line),
        shown: &CellShow<'_>,
        first: bool,
    ) -> Option<String> {
        let mut said = Vec::new();
        if let Some(edit) = shown.edit {
            said.push(was(&edit, shown.is_covered(self.sheet)));
        }
        if let LineFate::Moved(number) = row.became
            && let Some(step) = self.sheet.step(number).filter(|_| first)
            && is_first(row, step.kind)
        {
            said.push(format!("{}: moved from {}", step.name(), step.from));
        }
        if let CellFate::Moved(number) | CellFate::Left(number) = shown.fate
            && let Some(step) = self.sheet.step(number)
            && let MoveKind::Rect { from, to } = step.kind
        {
            let came = matches!(shown.fate, CellFate::Moved(_));
            let corner = |at: Address| (Some(at.row), Some(at.col));
            if came && (row.new, col.new) == corner(to.first) {
                said.push(format!("{}: moved from {}", step.name(), step.from));
            }
            if !came && (row.old, col.old) == corner(from.first) {
                let (name, from, to) = (step.name(), &step.from, &step.to);
                said.push(format!("{name}: {from} moved to {to}"));
            }
        }
        (!said.is_empty()).then(|| said.join("\n"))
    }

    /// Merged regions, where nothing came between their cells.
    fn merges(&mut self) -> Result<(), XlsxError> {
        let sheet = self.sheet;
        let removed = sheet.kind == SheetKind::Removed;
        let place = |area: &Area| -> Option<[u32; 4]> {
            let at = |axis: &Axis, line| {
                if removed {
                    axis.at_old_or_behind(line)
                } else {
                    axis.at_new_or_behind(line)
                }
            };
            let (top, bottom) = (
                at(&sheet.rows, area.first.row)?,
                at(&sheet.rows, area.last.row)?,
            );
            let (left, right) = (
                at(&sheet.cols, area.first.col)?,
                at(&sheet.cols, area.last.col)?,
            );
            let same = bottom - top == area.last.row - area.first.row
                && right - left == area.last.col - area.first.col;
            let fits = bottom < ROOM.0 && right < ROOM.1 && (top, left) != (bottom, right);
            let cells = u64::from(bottom - top + 1) * u64::from(right - left + 1);
            (same && fits && cells <= MERGED).then_some([top, left, bottom, right])
        };
        for area in sheet.merges {
            let Some([top, left, bottom, right]) = place(area) else {
                self.lost_merges += 1;
                continue;
            };
            let (row, col) = (TOP + top, (LEFT + left) as u16);
            let ends = (TOP + bottom, (LEFT + right) as u16);
            // A region behind the last cell holds nothing.
            let line = sheet.rows.line(top).zip(sheet.cols.line(left));
            let shown = line.map(|(line, column)| sheet.cell(line, column));
            let look = shown.map_or(Look::Plain, |shown| Look::of(shown.fate));
            let format = self.looks.get(look, Value::Empty).clone();
            let merged = self.page.merge_range(row, col, ends.0, ends.1, "", &format);
            if merged.is_err() {
                // It overlaps another, which a file may say and a program not show.
                self.lost_merges += 1;
                continue;
            }
            if let Some(shown) = shown {
                self.cell((row, col), &shown)?;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), XlsxError> {
        let (rows, cols) = (self.sheet.rows.len().min(ROOM.0), self.cols());
        self.page.set_freeze_panes(TOP, LEFT as u16)?;
        self.page.set_column_width(0, 15)?;
        self.page.set_column_width(1, 8)?;
        self.page.set_column_width(2, 8)?;
        for (at, line) in (0..).zip(self.sheet.cols.lines().take(cols as usize)) {
            let col = (LEFT + at) as u16;
            let width = match line.became {
                LineFate::Left(_) => 8,
                _ => self.widths[at as usize].clamp(WIDTHS.0, WIDTHS.1) + 1,
            };
            self.page.set_column_width(col, width as f64)?;
        }
        if rows > 0 && cols > 0 {
            self.page.autofilter(0, 0, TOP + rows - 1, 2)?;
        }
        self.page.set_landscape().set_print_fit_to_pages(1, 0);
        self.page.set_repeat_rows(0, 0)?;
        Ok(())
    }

    fn left_out(&self) -> Vec<String> {
        let mut told = Vec::new();
        let (rows, cols) = (self.sheet.rows.len(), self.sheet.cols.len());
        if !self.sheet.has_cells {
            told.push("it has no cells that can be shown".to_owned());
        }
        if rows > ROOM.0 {
            told.push(format!("the last {} rows do not fit", rows - ROOM.0));
        }
        if cols > ROOM.1 {
            told.push(format!("the last {} columns do not fit", cols - ROOM.1));
        }
        if self.cut_texts > 0 {
            let texts = some(self.cut_texts, "text is", "texts are");
            told.push(format!("{texts} cut at {LONGEST} characters"));
        }
        if self.lost_merges > 0 {
            let regions = some(self.lost_merges, "merged region is", "merged regions are");
            told.push(format!(
                "{regions} shown unmerged: something stands between the cells, or they are \
                 cells of another region or more than {MERGED}"
            ));
        }
        if self.empty_rows == EMPTY_ROWS {
            told.push(format!(
                "empty rows behind the first {EMPTY_ROWS} of them have no numbers"
            ));
        }
        told
    }
}
