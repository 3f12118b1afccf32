//! The marked-up workbook for `.xlsx` inputs, as a report on the new file, so that it shows what
//! happened.
//!
//! Cells keep their formulas and formats, and get a fill, and a note that says what they
//! held. What was removed is put back in its old place if no formula, chart or pivot could come to
//! something else by that, and is listed on a sheet of its own if one could.

mod list;
mod places;
mod sheet;

use super::view::{SheetKind, SheetShow, WorkbookView};
use super::xlsx::{Look, SheetNames};
use list::{Gone, Made};
use mvdiff_grid::{
    Aspect, CellData, Content, DiffOp, DiffReport, Element, ItemChange, Layout, MAX_COLS, MAX_ROWS,
    PartChange, Placed, PlacedCell, Sheet, StyleProps, Value, Visibility, Workbook,
};
use places::Places;
use sheet::Marker;

/// Who notes are from.
const AUTHOR: &str = "mvdiff";
/// Notes cost programs far more than cells, so there is an end to them.
const MOST_NOTES: usize = 20_000;

impl WorkbookView<'_> {
    /// A report on the new workbook that marks in it what happened. `new` is that workbook;
    /// [`patch_package`](mvdiff_grid::patch_package) makes the marked file of its file.
    #[must_use]
    pub fn marks(&self, new: &Workbook) -> DiffReport {
        let mut names = SheetNames::default();
        for sheet in &new.sheets {
            names.take(&sheet.name);
        }
        let first = names.take("Changes");
        let put_back = self.can_put_back(new);
        let mut marks = Marks {
            report: DiffReport::new(),
            notes: MOST_NOTES,
            unnoted: 0,
        };
        let mut gone = Gone::new(names.take("Removed"));
        let mut added = Vec::new();
        let mut places = Vec::new();
        for show in &self.sheets {
            let sheet = new.sheets.iter().find(|sheet| sheet.name == show.name);
            let here = [&show.rows, &show.cols].map(|axis| Places::new(axis, put_back));
            match (show.kind, sheet) {
                (SheetKind::Changed, Some(sheet)) => {
                    let [rows, cols] = &here;
                    let mut marker = Marker {
                        show,
                        sheet,
                        rows,
                        cols,
                        marks: &mut marks,
                    };
                    marker.mark();
                    if put_back {
                        marker.put_back();
                    } else {
                        gone.take(show);
                    }
                }
                (SheetKind::Added, Some(_)) => marks.tab(show.name, Look::Added),
                (SheetKind::Removed, _) if show.has_cells => {
                    added.push((names.take(show.name), show));
                }
                _ => {}
            }
            places.push(here);
        }
        let made = Made {
            places: &places,
            gone: &gone,
            added: &added,
        };
        let cells = list::write(self, &first, &made, &mut marks);
        marks.sheet(&first, 0, cells);
        let mut position = new.sheets.len() as u32 + 1;
        if !gone.rows.is_empty() {
            marks.sheet(&gone.name, position, gone.cells());
            position += 1;
        }
        for (name, show) in added {
            marks.sheet(&name, position, list::all_cells(show));
            marks.tab_of_added(&name, Look::Removed);
            position += 1;
        }
        marks.report
    }

    /// Whether lines can be put between those of the new workbook without anything coming
    /// to something else.
    fn can_put_back(&self, new: &Workbook) -> bool {
        let mut layout = Layout::default();
        for show in &self.sheets {
            let lines = |axis| {
                let places = Places::new(axis, true);
                let back: Vec<u32> = places.put_back().map(|(_, at)| at).collect();
                (back, places.len)
            };
            let ((rows, height), (cols, width)) = (lines(&show.rows), lines(&show.cols));
            if show.kind == SheetKind::Removed {
                continue;
            }
            if height > MAX_ROWS || width > MAX_COLS {
                return false;
            }
            layout.sheet(show.name, show.name, &rows, &cols);
        }
        let unread = |sheet: &Sheet| matches!(sheet.content, Content::Unread);
        let fixed = [Aspect::Drawings, Aspect::Pivots, Aspect::Tables];
        if new.sheets.iter().any(unread) || fixed.iter().any(|aspect| new.has(*aspect)) {
            return false;
        }
        let cells = new.sheets.iter().filter_map(|sheet| {
            let grid = sheet.grid()?;
            Some(grid.cells().map(|cell| (&sheet.name, cell)))
        });
        let mut formulas = cells
            .flatten()
            .filter_map(|(name, cell)| Some((name, cell.formula?, cell.array)));
        formulas
            .all(|(name, formula, array)| array.is_none() && layout.lead(name, formula).is_some())
    }
}

/// The report that is being made.
struct Marks {
    report: DiffReport,
    /// Notes that may still be written, and those that were not.
    notes: usize,
    unnoted: usize,
}

impl Marks {
    /// A sheet that is not of the new workbook.
    fn sheet(&mut self, name: &str, position: u32, cells: Vec<PlacedCell>) {
        self.report.ops.push(DiffOp::SheetAdded {
            sheet: name.to_owned(),
            position,
            visibility: Visibility::Visible,
            cells,
            merges: Vec::new(),
            whole: None,
        });
    }

    fn tab(&mut self, sheet: &str, look: Look) {
        self.report.ops.extend(tab_colour(sheet, look));
    }

    fn tab_of_added(&mut self, sheet: &str, look: Look) {
        self.report.with_added.extend(tab_colour(sheet, look));
    }
}

fn tab_colour(sheet: &str, look: Look) -> Option<DiffOp> {
    let (_, paper) = look.colours()?;
    let colour = format!("FF{paper:06X}");
    Some(part(sheet, "views", "tabColor", &[("rgb", &colour)]))
}

/// An element that a sheet gets.
fn part(sheet: &str, what: &str, name: &str, attributes: &[(&str, &str)]) -> DiffOp {
    let attributes = attributes
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let element = Element {
        name: name.to_owned(),
        attributes: attributes.collect(),
        ..Element::default()
    };
    DiffOp::PartChanged(PartChange {
        what: what.to_owned(),
        change: ItemChange {
            sheet: sheet.to_owned(),
            to: Some(element),
            ..ItemChange::default()
        },
        ..PartChange::default()
    })
}

/// Cells of a sheet that get a fill, and of those that were removed a line through.
fn painted(sheet: &str, range: String, look: Look) -> Option<DiffOp> {
    let (ink, paper) = look.colours()?;
    let mut op = DiffOp::filled(sheet, range, &format!("FF{paper:06X}"));
    if let DiffOp::StyleChanged { to, .. } = &mut op
        && look == Look::Removed
    {
        to.insert("font.strike".to_owned(), String::new());
        to.insert("font.color@rgb".to_owned(), format!("FF{ink:06X}"));
    }
    Some(op)
}

/// Cells that get a font.
fn inked(sheet: &str, range: String, props: &[(&str, &str)]) -> DiffOp {
    let to: StyleProps = props
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect();
    DiffOp::StyleChanged {
        sheet: sheet.to_owned(),
        from_range: range.clone(),
        range,
        from: StyleProps::new(),
        to,
    }
}

fn placed(row: u32, col: u32, value: Value<String>) -> PlacedCell {
    PlacedCell {
        addr: Placed(mvdiff_grid::Address::new(row, col)),
        cell: CellData {
            value,
            ..CellData::default()
        },
    }
}

/// What a removed cell shows; a formula without a computed value is shown itself.
fn held(show: &SheetShow<'_>, shown: &super::view::CellShow<'_>) -> Option<Value<String>> {
    if let Some(formula) = show.uncalculated(shown) {
        return Some(Value::Text(formula.to_owned()));
    }
    let value = shown.cell?.value;
    (!value.is_empty()).then(|| value.to_owned())
}
