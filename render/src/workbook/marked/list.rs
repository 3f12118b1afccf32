//! The sheets that are put beside those of the new workbook: what happened, with links, and
//! what was removed.

use super::places::Places;
use super::{Look, Marks, held, inked, painted, part, placed};
use crate::workbook::value::escaped;
use crate::workbook::view::{Entry, EntryKind, LineFate, SheetShow, WorkbookView};
use mvdiff_grid::{
    Address, Area, DiffOp, Element, ItemChange, MAX_COLS, PlacedCell, Value, column_name,
};
use std::collections::HashMap;

/// Things that are listed; a program opens no more than 65,530 links.
const LISTED: usize = 10_000;
/// Characters of a cell, in UTF-16; fewer are cut, so that no character is.
const LONGEST: usize = 16_000;

/// What the colours mean.
const LEGEND: [(Look, &str, &str); 4] = [
    (Look::Edited, "edited", "a note says what it was"),
    (Look::Added, "added", ""),
    (Look::Moved, "moved", "a note says where it was"),
    (Look::Removed, "removed", ""),
];

/// A removed line: its sheet, what it was, and its cells.
type Line = (String, String, Vec<(u32, Value<String>)>);

/// Removed rows and columns, a row for each.
pub(super) struct Gone {
    pub name: String,
    pub rows: Vec<Line>,
    /// Where they are listed: sheet, whether it is a row, old line.
    at: HashMap<(String, bool, u32), u32>,
}

impl Gone {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            rows: Vec::new(),
            at: HashMap::new(),
        }
    }

    /// Takes what was removed from a sheet.
    pub(super) fn take(&mut self, show: &SheetShow<'_>) {
        for line in show.rows.lines() {
            if let (LineFate::Removed, Some(old)) = (line.became, line.old) {
                let cells = show.cells(line);
                let cells = cells.iter().filter_map(|(col, shown)| {
                    let old = show.cols.line(*col)?.old?;
                    Some((old, held(show, shown)?))
                });
                self.push(show.name, true, old, cells.collect());
            }
        }
        for col in show.cols.lines() {
            if let (LineFate::Removed, Some(old)) = (col.became, col.old) {
                let rows = show.rows.lines().filter(|row| row.new.is_some());
                let cells = rows.filter_map(|row| {
                    let shown = show.cell(row, col);
                    Some((row.old?, held(show, &shown)?))
                });
                self.push(show.name, false, old, cells.collect());
            }
        }
    }

    fn push(&mut self, sheet: &str, is_row: bool, old: u32, cells: Vec<(u32, Value<String>)>) {
        let row = self.rows.len() as u32 + 1;
        self.at.insert((sheet.to_owned(), is_row, old), row);
        let line = if is_row {
            format!("row {}", old + 1)
        } else {
            format!("column {}", column_name(old))
        };
        self.rows.push((sheet.to_owned(), line, cells));
    }

    /// The sheet that lists them.
    pub(super) fn cells(&self) -> Vec<PlacedCell> {
        let widths = self.rows.iter().filter_map(|row| row.2.last());
        let width = widths.map(|cell| cell.0 + 1).max().unwrap_or(0);
        let width = width.min(MAX_COLS - 2);
        let letters = (0..width.min(100)).map(column_name);
        let heads = ["sheet", "removed"].map(str::to_owned).into_iter();
        let heads = heads.chain(letters);
        let mut cells: Vec<PlacedCell> = (0..)
            .zip(heads)
            .map(|(col, text)| placed(0, col, Value::Text(text)))
            .collect();
        for (row, (sheet, line, held)) in (1..).zip(&self.rows) {
            cells.push(placed(row, 0, Value::Text(sheet.clone())));
            cells.push(placed(row, 1, Value::Text(line.clone())));
            let held = held.iter().filter(|(col, _)| *col < width);
            cells.extend(held.map(|(col, value)| placed(row, col + 2, value.clone())));
        }
        cells
    }
}

/// All cells of a sheet that was removed.
pub(super) fn all_cells(show: &SheetShow<'_>) -> Vec<PlacedCell> {
    let mut made = Vec::new();
    for (row, line) in (0..).zip(show.rows.lines()) {
        let cells = show.cells(line);
        made.extend(cells.iter().filter_map(|(col, shown)| {
            let value = held(show, shown)?;
            Some(placed(row, *col, value))
        }));
    }
    made
}

/// Where things are that the list leads to.
pub(super) struct Made<'m, 'a> {
    /// Of every sheet of the view its rows and columns.
    pub places: &'m [[Places; 2]],
    pub gone: &'m Gone,
    /// Sheets that were removed, by the names that they have here.
    pub added: &'m [(String, &'m SheetShow<'a>)],
}

impl Made<'_, '_> {
    /// The place of an entry: sheet and cell.
    fn place(&self, index: usize, show: &SheetShow<'_>, at: (u32, u32)) -> Option<String> {
        let of = |sheet: &str, row, col| {
            let sheet = sheet.replace('\'', "''");
            Some(format!("'{sheet}'!{}", Address::new(row, col)))
        };
        let mut added = self.added.iter();
        if let Some((name, _)) = added.find(|(_, other)| std::ptr::eq(*other, show)) {
            return of(name, at.0, at.1);
        }
        let [rows, cols] = &self.places[index];
        let lines = [show.rows.line(at.0)?, show.cols.line(at.1)?];
        let mut found = [0; 2];
        for (i, (line, places)) in lines.iter().zip([rows, cols]).enumerate() {
            let here = line.new.map(|new| places.of_new(new));
            let back = || line.old.and_then(|old| places.of_removed(old));
            let Some(place) = here.or_else(back) else {
                let listed = (show.name.to_owned(), i == 0, line.old?);
                return of(&self.gone.name, *self.gone.at.get(&listed)?, 0);
            };
            found[i] = place;
        }
        of(show.name, found[0], found[1])
    }
}

/// The cells of the first sheet; how they look, and where they lead, goes into the report.
pub(super) fn write(
    view: &WorkbookView<'_>,
    name: &str,
    made: &Made<'_, '_>,
    marks: &mut Marks,
) -> Vec<PlacedCell> {
    let mut list = List {
        row: 0,
        cells: Vec::new(),
        looks: Vec::new(),
    };
    let (old, new) = view.names;
    let bold = [("font.b", ""), ("font.sz@val", "14")];
    list.text(0, &format!("{} → {}", escaped(old), escaped(new)));
    let with_added = &mut marks.report.with_added;
    with_added.push(inked(name, "A1".to_owned(), &bold));
    list.row = 1;
    list.text(0, &view.summary);
    list.row = 3;
    for (look, mark, meaning) in LEGEND {
        list.looks.push((look, list.row));
        list.text(0, mark);
        let meaning = match look {
            Look::Removed if made.gone.rows.is_empty() => {
                "put back in its old place, struck through"
            }
            Look::Removed => "listed on the sheet that the links lead to",
            _ => meaning,
        };
        list.text(1, meaning);
        list.row += 1;
    }
    let notes = view.notes.iter().filter(|note| note.kind != "sort");
    for note in notes {
        list.text(0, &format!("Note: {}", escaped(&note.message)));
        list.row += 1;
    }
    if marks.unnoted > 0 {
        let text = format!(
            "Left out: notes on {} more cells; --format text lists them all",
            marks.unnoted
        );
        list.text(0, &text);
        list.row += 1;
    }
    list.row += 1;
    let head = list.row;
    for (col, text) in (0..).zip(["what", "where", "sheet", "more"]) {
        list.text(col, text);
    }
    let sheets = view.sheets.iter().enumerate();
    let entries = sheets.flat_map(|(at, sheet)| {
        let entries = sheet.entries.iter();
        entries.map(move |entry| (entry, Some((at, sheet))))
    });
    let all = entries.chain(view.defined.iter().map(|entry| (entry, None)));
    let count = all.clone().count();
    let mut linked = Vec::new();
    for (entry, sheet) in all.take(LISTED) {
        list.row += 1;
        list.entry(entry, sheet.map_or("names", |(_, sheet)| sheet.name));
        let place = sheet.zip(entry.at);
        let place = place.and_then(|((index, sheet), at)| made.place(index, sheet, at));
        if let Some(place) = place {
            with_added.push(link(name, list.row, place));
            linked.push(list.row);
        }
    }
    if count > LISTED {
        list.row += 1;
        let more = format!("… {} more; --format text lists them all", count - LISTED);
        list.text(0, &more);
    } else if count == 0 {
        list.row += 1;
        list.text(0, "nothing");
    }
    let header = format!("A{0}:D{0}", head + 1);
    with_added.push(DiffOp::filled(name, header.clone(), "FFE8ECF1"));
    with_added.push(inked(name, header, &[("font.b", "")]));
    for look in [Look::Edited, Look::Added, Look::Moved, Look::Removed] {
        let rows = list.looks.iter().filter(|(other, _)| *other == look);
        let range = column(0, rows.map(|(_, row)| *row));
        with_added.extend(match look {
            // Only what is struck through was removed.
            Look::Removed => Some(DiffOp::filled(name, range, "FFFFE3E0")),
            look => painted(name, range, look),
        });
    }
    if !linked.is_empty() {
        let ink = [("font.u", ""), ("font.color@rgb", "FF0550AE")];
        with_added.push(inked(name, column(1, linked.into_iter()), &ink));
    }
    let all_wide = [("fitToPage", "1")];
    let landscape = [("orientation", "landscape"), ("fitToHeight", "0")];
    with_added.push(part(name, "page-setup", "pageSetUpPr", &all_wide));
    with_added.push(part(name, "page-setup", "pageSetup", &landscape));
    for (start_col, width) in (0..).zip([17.0, 24.0, 22.0, 80.0]) {
        with_added.push(DiffOp::ColumnWidth {
            sheet: name.to_owned(),
            start_col,
            from_start_col: start_col,
            col_count: 1,
            from: None,
            to: Some(width),
        });
    }
    list.cells
}

struct List {
    row: u32,
    cells: Vec<PlacedCell>,
    /// Which rows begin with a cell that looks so.
    looks: Vec<(Look, u32)>,
}

impl List {
    fn text(&mut self, col: u32, text: &str) {
        if !text.is_empty() {
            let text: String = text.chars().take(LONGEST).collect();
            self.cells.push(placed(self.row, col, Value::Text(text)));
        }
    }

    fn entry(&mut self, entry: &Entry, sheet: &str) {
        let look = match entry.kind {
            EntryKind::Moved => Some(Look::Moved),
            EntryKind::Added => Some(Look::Added),
            EntryKind::Removed => Some(Look::Removed),
            EntryKind::Edited | EntryKind::Formula => Some(Look::Edited),
            EntryKind::Other => None,
        };
        self.looks.extend(look.map(|look| (look, self.row)));
        self.text(0, &entry.verb);
        self.text(1, &entry.what);
        self.text(2, &escaped(sheet));
        self.text(3, &entry.more);
    }
}

/// Cells of a column as ranges.
fn column(col: u32, rows: impl Iterator<Item = u32>) -> String {
    let mut areas: Vec<Area> = Vec::new();
    for row in rows {
        let at = Address::new(row, col);
        match areas.last_mut() {
            Some(area) if area.last.row + 1 == row => area.last = at,
            _ => areas.push(Area {
                first: at,
                last: at,
            }),
        }
    }
    let areas: Vec<String> = areas.into_iter().map(Area::shortest).collect();
    areas.join(" ")
}

fn link(sheet: &str, row: u32, place: String) -> DiffOp {
    let link = Element {
        name: "hyperlink".to_owned(),
        attributes: [("location".to_owned(), place)].into(),
        ..Element::default()
    };
    DiffOp::HyperlinkChanged(ItemChange {
        sheet: sheet.to_owned(),
        range: Some(Address::new(row, 1).to_string()),
        to: Some(link),
        ..ItemChange::default()
    })
}
