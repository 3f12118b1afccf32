//! Whether we read what calamine reads, over many real files:
//! `cargo run --release -p mvdiff-grid --example agreement -- FILE…` prints a line
//! for each file that only one of them can read, that they read differently, or
//! that takes over a second, and counts at the end.

use calamine::{DataRef, Reader, Xlsx};
use mvdiff_grid::{Address, ReadOptions, Value, Workbook, date, read_workbook};
use std::io::{Cursor, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Instant;

type Theirs = Vec<(String, Vec<(Address, String, Option<String>)>)>;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let (mut both, mut only_ours, mut only_theirs, mut neither, mut differ) = (0, 0, 0, 0, 0);
    for path in std::env::args_os().skip(1).map(PathBuf::from) {
        let bytes = std::fs::read(&path)?;
        let start = Instant::now();
        let ours = catch_unwind(|| read_workbook(&bytes, Some(&path), &ReadOptions::default()));
        let seconds = start.elapsed().as_secs_f64();
        let path = path.display();
        if seconds > 1.0 {
            writeln!(out, "{path}: {seconds:.1} s")?;
        }
        let Ok(ours) = ours else {
            writeln!(out, "{path}: PANIC")?;
            continue;
        };
        let theirs = catch_unwind(AssertUnwindSafe(|| theirs(&bytes)));
        let theirs = theirs.unwrap_or_else(|_| Err("panic".to_owned()));
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => {
                both += 1;
                if let Some(difference) = difference(&ours, &theirs) {
                    differ += 1;
                    writeln!(out, "{path}: {difference}")?;
                }
            }
            (Ok(_), Err(_)) => only_ours += 1,
            (Err(ours), Ok(_)) => {
                only_theirs += 1;
                writeln!(out, "{path}: only calamine reads it: {ours}")?;
            }
            (Err(_), Err(_)) => neither += 1,
        }
    }
    writeln!(
        out,
        "both {both} (of which {differ} differ), only ours {only_ours}, only calamine {only_theirs}, neither {neither}"
    )
}

/// All cells as calamine reads them in one pass.
fn theirs(bytes: &[u8]) -> Result<Theirs, String> {
    let mut book = Xlsx::new(Cursor::new(bytes)).map_err(|e| e.to_string())?;
    let mut sheets = Vec::new();
    for sheet in book.sheets_metadata().to_vec() {
        if sheet.typ != calamine::SheetType::WorkSheet {
            continue;
        }
        let is_1904 = book.has_1904_epoch();
        let mut reader = book
            .worksheet_cells_reader(&sheet.name)
            .map_err(|e| e.to_string())?;
        let mut cells = Vec::new();
        while let Some(cell) = reader.next_cell_with_formula().map_err(|e| e.to_string())? {
            let value = match cell.value {
                DataRef::Empty => String::new(),
                DataRef::Int(number) => number.to_string(),
                DataRef::Float(number) if !number.is_finite() => "#NUM!".to_owned(),
                DataRef::Float(number) => number.to_string(),
                DataRef::SharedString(text) => text.to_owned(),
                DataRef::Bool(is) => is.to_string(),
                DataRef::DateTime(time) if time.is_duration() => format!("{}d", time.as_f64()),
                DataRef::DateTime(time) => {
                    let number = time.as_f64();
                    let shift = if is_1904 && number >= 1.0 {
                        date::DAYS_1904
                    } else {
                        0.0
                    };
                    if (0.0..date::END).contains(&(number + shift)) {
                        date::to_iso(number + shift)
                    } else {
                        number.to_string()
                    }
                }
                DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
                    text
                }
                DataRef::Error(error) => error.to_string(),
            };
            let formula = cell.formula.filter(|formula| !formula.is_empty());
            let at = Address::new(cell.pos.0, cell.pos.1);
            if !value.is_empty() || formula.is_some() {
                cells.push((at, value, formula));
            }
        }
        sheets.push((sheet.name, cells));
    }
    Ok(sheets)
}

fn difference(ours: &Workbook, theirs: &Theirs) -> Option<String> {
    for (name, cells) in theirs {
        let Some(sheet) = ours.sheets.iter().find(|sheet| sheet.name == *name) else {
            return Some(format!("sheet {name:?} is only calamine's"));
        };
        let grid = sheet.grid()?;
        for (at, value, formula) in cells {
            let own = grid.cell(*at);
            let shown = match own.map(|cell| cell.value) {
                None | Some(Value::Empty) => String::new(),
                Some(Value::Number(number)) => number.to_string(),
                Some(Value::Text(text)) => text.to_owned(),
                Some(Value::Bool(is)) => is.to_string(),
                Some(Value::Date(day)) => date::to_iso(day),
                Some(Value::Duration(days)) => format!("{days}d"),
                Some(Value::Error(code)) => code.as_str().to_owned(),
            };
            let spelt = own.and_then(|cell| cell.formula);
            let spelt = spelt.and_then(|formula| formula.strip_prefix('='));
            if shown != *value || spelt != formula.as_deref() {
                return Some(format!(
                    "{name:?} {at}: ours {shown:?} {spelt:?}, calamine {value:?} {formula:?}"
                ));
            }
        }
        if grid.cell_count() != cells.len() {
            let (ours, theirs) = (grid.cell_count(), cells.len());
            return Some(format!("{name:?}: ours {ours} cells, calamine {theirs}"));
        }
    }
    None
}
