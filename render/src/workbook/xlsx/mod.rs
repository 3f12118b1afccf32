//! The marked-up workbook for inputs other than `.xlsx`.
//!
//! Cells are not in their old places: there is a row of column letters on top,
//! columns at the left name the changes, and removed cells are kept. So a
//! formula is written as one only where it is sure to come to the same there
//! ([`Layout::lead`]); of any other the value is written and a note has the
//! formula. Where the workbook holds no values of formulas, programs calculate them, or
//! the formulas themselves are shown. What a cell shows is what the new workbook holds, also after a program
//! has calculated everything anew.

mod changes;
mod content;
mod names;
mod remarks;
mod sheet;
mod styles;

pub(super) use names::SheetNames;
pub(super) use remarks::was;
pub(super) use styles::Look;

use super::view::{Axis, SheetShow, WorkbookView};
use mvdiff_grid::{Layout, MAX_COLS, MAX_ROWS};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, XlsxError};
use std::io::{self, Write};

/// Rows above the cells of a sheet, and columns before them.
const TOP: u32 = 1;
const LEFT: u32 = 3;

impl WorkbookView<'_> {
    /// Writes the highlighted workbook as `.xlsx`: first a sheet that lists what
    /// happened with links to the places, then every sheet of the new workbook with
    /// changed, added and moved cells coloured, marked and noted, and what was
    /// removed struck through in its old place. The same input gives the same bytes.
    ///
    /// # Errors
    /// What the writer returns, and what the format cannot hold.
    pub fn write_xlsx(&self, out: &mut dyn Write) -> io::Result<()> {
        let bytes = self.workbook().map_err(io::Error::other)?;
        out.write_all(&bytes)
    }

    fn workbook(&self) -> Result<Vec<u8>, XlsxError> {
        let mut names = SheetNames::default();
        let called: Vec<String> = self.sheets.iter().map(|s| names.take(s.name)).collect();
        let first = names.take("Changes");
        let mut layout = Layout::default();
        for (sheet, called) in self.sheets.iter().zip(&called) {
            if sheet.is_of_the_new() && sheet.has_cells {
                let rows = put_in(&sheet.rows, TOP);
                let cols = put_in(&sheet.cols, LEFT);
                layout.sheet(sheet.name, called, &rows, &cols);
            }
        }
        // What is calculated from cells without a value is wrong if one of them cannot
        // be calculated here.
        let mut open = self.sheets.iter().flat_map(|sheet| {
            let formulas = sheet.open_formulas();
            formulas.map(|formula| (sheet.name, formula))
        });
        let calculable = open.all(|(sheet, formula)| layout.lead(sheet, formula).is_some());
        let mut book = Workbook::new();
        // A report says the same whenever it is made.
        let never = ExcelDateTime::from_ymd(2000, 1, 1)?;
        let properties = DocProperties::new()
            .set_creation_datetime(&never)
            .set_author("mvdiff");
        book.set_properties(&properties);
        book.add_worksheet().set_name(&first)?;
        let mut notes = Notes::default();
        let mut left_out = Vec::new();
        for (sheet, called) in self.sheets.iter().zip(&called) {
            let page = book.add_worksheet().set_name(called)?;
            let live = Some(&layout).filter(|_| calculable);
            let told = sheet::write(page, sheet, live, &mut notes)?;
            left_out.extend(
                told.into_iter()
                    .map(|told| format!("sheet {called}: {told}")),
            );
        }
        left_out.extend(notes.left_out());
        if !calculable {
            left_out.push(
                "results of formulas: the new workbook holds none, and here not all can be \
                 calculated; the formulas stand as texts"
                    .to_owned(),
            );
        }
        let page = book.worksheet_from_name(&first)?;
        changes::write(page, self, &called, &left_out)?;
        book.save_to_buffer()
    }
}

impl SheetShow<'_> {
    fn is_of_the_new(&self) -> bool {
        self.kind != super::view::SheetKind::Removed
    }
}

/// Which lines of the sheet that is written are not of the new sheet.
fn put_in(axis: &Axis, before: u32) -> Vec<u32> {
    let shown = (before..).zip(axis.lines());
    let others = shown.filter(|(_, line)| line.new.is_none());
    (0..before).chain(others.map(|(at, _)| at)).collect()
}

/// Rows and columns that a sheet has room for below and behind what is put in.
const ROOM: (u32, u32) = (MAX_ROWS - TOP, MAX_COLS - LEFT);

/// Notes cost programs far more than cells, so there is an end to them.
struct Notes {
    edits: Budget,
    formulas: Budget,
}

struct Budget {
    left: usize,
    asked: usize,
}

/// Notes on changed cells, and on formulas of which only the value is written.
const EDIT_NOTES: usize = 20_000;
const FORMULA_NOTES: usize = 5_000;

impl Default for Notes {
    fn default() -> Self {
        let budget = |left| Budget { left, asked: 0 };
        Self {
            edits: budget(EDIT_NOTES),
            formulas: budget(FORMULA_NOTES),
        }
    }
}

impl Budget {
    fn take(&mut self) -> bool {
        self.asked += 1;
        let some = self.left > 0;
        self.left -= usize::from(some);
        some
    }
}

impl Notes {
    fn left_out(&self) -> Vec<String> {
        let told = [
            (&self.edits, EDIT_NOTES, "cells to which something happened"),
            (&self.formulas, FORMULA_NOTES, "formulas shown as values"),
        ];
        told.iter()
            .filter(|(budget, most, _)| budget.asked > *most)
            .map(|(budget, most, what)| {
                format!(
                    "notes on {most} of {} {what}; --format text tells them all",
                    budget.asked
                )
            })
            .collect()
    }
}
