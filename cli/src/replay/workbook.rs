//! `mvdiff replay OLD.xlsx REPORT.json -o NEW.xlsx`.

use crate::args::LimitArgs;
use crate::output::{self, Content, extension, is_for_xlsx};
use crate::{input, workbook};
use anyhow::{anyhow, bail};
use mvdiff_grid::{
    Address, CellData, DiffOp, DiffReport, Note, PackageKind, PatchError, PlacedCell, ReadOptions,
    ReportMode, SCHEMA, Sheet, SheetReport, Workbook, WriteError, apply, patch_package,
    read_workbook, write_workbook,
};
use serde::Deserialize;
use std::collections::HashMap;
use std::io::Cursor;
use std::path::Path;

pub(super) fn run(
    old: &Path,
    (report, bytes): (&Path, &[u8]),
    out: &Path,
    limits: &LimitArgs,
) -> anyhow::Result<u8> {
    is_for_xlsx(out)?;
    let shown = report.display();
    let read = read_report(report, bytes)?;
    let options = ReadOptions {
        limits: limits.limits(),
        ..ReadOptions::default()
    };
    let bytes = input::read(old)?;
    let book = read_workbook(&bytes, Some(old), &options)
        .map_err(|error| anyhow!("{}: {error}", old.display()))?;
    fits(&book, &read).map_err(|what| {
        anyhow!(
            "{shown}: {what}, which does not match {}; give the old workbook of this report",
            old.display()
        )
    })?;
    let mut file = Cursor::new(Vec::new());
    let unfit =
        |error: &dyn std::fmt::Display| anyhow!("{shown}: does not fit {}: {error}", old.display());
    let unwritten = |error: WriteError| anyhow!("{}: cannot write: {error}", out.display());
    let kind = PackageKind::of(&bytes, &options);
    let macros = extension(out) == "xlsm";
    let comes = |op: &DiffOp| matches!(op, DiffOp::PartChanged(part) if part.what == "macros" && part.to_parts.is_some());
    let with_macros = kind == Some(PackageKind::WithMacros) || read.ops.iter().any(comes);
    if macros && !with_macros {
        bail!(
            "{}: the output is .xlsx, since the old workbook has no macros; give it that extension",
            out.display()
        );
    }
    let mut notes = if kind.is_some() {
        let kind = if macros {
            PackageKind::WithMacros
        } else {
            PackageKind::Plain
        };
        let to = (kind, &mut file);
        match patch_package(&bytes, &book, &read, &options, to) {
            Err(error) if error.is_about_the_file() => {
                let new = apply(&book, &read).map_err(|error| unfit(&error))?;
                workbook::write_alone(&new, &error, &mut file).map_err(unwritten)?
            }
            Err(PatchError::Write(error)) => return Err(unwritten(error)),
            Err(error) => return Err(unfit(&error)),
            Ok(notes) => notes,
        }
    } else {
        let new = apply(&book, &read).map_err(|error| unfit(&error))?;
        write_workbook(&new, &mut file).map_err(unwritten)?
    };
    if !read.complete {
        let message = "the report is not complete, so the workbook may not be, either";
        notes.push(Note::new("report", message));
    }
    workbook::tell(&notes);
    output::to_file(
        out,
        Content::Bytes,
        Box::new(|to| to.write_all(file.get_ref())),
    )?;
    Ok(0)
}

/// A report, or the first line of one that has its operations on lines of their
/// own.
#[derive(Deserialize)]
struct Head {
    schema: String,
    complete: bool,
    notes: Vec<Note>,
    mode: ReportMode,
    sheets: Vec<SheetReport>,
    #[serde(default)]
    ops: Option<Vec<DiffOp>>,
    #[serde(default)]
    followed: Vec<DiffOp>,
    #[serde(default)]
    with_added: Vec<DiffOp>,
    #[serde(default)]
    with_removed: Vec<DiffOp>,
    #[serde(default)]
    links: Vec<[u32; 2]>,
}

fn read_report(path: &Path, bytes: &[u8]) -> anyhow::Result<DiffReport> {
    let shown = path.display();
    let no_report = |error: serde_json::Error| {
        anyhow!("{shown}: is not a report: {error}; give what --format json or jsonl printed")
    };
    match super::schema_of(bytes) {
        Some(schema) if schema != SCHEMA => {
            bail!(
                "{shown}: is a report of schema {schema}; give one of mvdiff diff on two files or workbooks ({SCHEMA})"
            )
        }
        _ => {}
    }
    let mut stream = serde_json::Deserializer::from_slice(bytes);
    let head = Head::deserialize(&mut stream).map_err(no_report)?;
    let ops = if let Some(ops) = head.ops {
        stream.end().map_err(no_report)?;
        ops
    } else {
        let lines = stream.into_iter::<DiffOp>();
        lines.collect::<Result<_, _>>().map_err(no_report)?
    };
    Ok(DiffReport {
        schema: head.schema,
        complete: head.complete,
        notes: head.notes,
        mode: head.mode,
        sheets: head.sheets,
        ops,
        followed: head.followed,
        with_added: head.with_added,
        with_removed: head.with_removed,
        links: head.links,
    })
}

/// Whether the report fits the old workbook; if not, why.
fn fits(old: &Workbook, report: &DiffReport) -> Result<(), String> {
    let report = &*report.unfolded();
    let by_name: HashMap<&str, &Sheet> = old
        .sheets
        .iter()
        .map(|sheet| (&sheet.name[..], sheet))
        .collect();
    let mut by_new_name = HashMap::new();
    for pair in &report.sheets {
        let Some(sheet) = by_name.get(&pair.old_sheet[..]) else {
            return Err(format!("says there is a sheet {:?}", pair.old_sheet));
        };
        by_new_name.insert(&pair.sheet[..], *sheet);
        // Of a sheet that was not read the report has no size.
        let size = sheet
            .grid()
            .map(|grid| (grid.row_count(), grid.col_count()));
        let said = (pair.old_rows, pair.old_cols);
        if said != (0, 0) && size.is_some_and(|size| size != said) {
            let (name, (rows, cols)) = (&pair.old_sheet, said);
            return Err(format!(
                "says sheet {name:?} has {rows} rows and {cols} columns"
            ));
        }
    }
    for op in &report.ops {
        let (sheet, cells) = match op {
            DiffOp::SheetRemoved { sheet, cells, .. } => (by_name.get(&sheet[..]), &cells[..]),
            DiffOp::RowRemoved { sheet, cells, .. }
            | DiffOp::ColumnRemoved { sheet, cells, .. } => {
                (by_new_name.get(&sheet[..]), &cells[..])
            }
            DiffOp::CellEdited {
                sheet,
                from_addr,
                from,
                ..
            } => {
                // What a rectangle left behind is empty, whatever it held.
                let left = |op: &DiffOp| left_by(op, sheet, from_addr.0);
                if from.is_empty() && report.ops.iter().any(left) {
                    continue;
                }
                let sheet = by_new_name.get(&sheet[..]);
                let cell = PlacedCell {
                    addr: *from_addr,
                    cell: from.clone(),
                };
                held(sheet, &[cell])?;
                continue;
            }
            _ => continue,
        };
        held(sheet, cells)?;
    }
    Ok(())
}

/// Whether a rectangle of the sheet was in this place and went elsewhere.
fn left_by(op: &DiffOp, of: &str, at: Address) -> bool {
    match op {
        DiffOp::BlockMovedRect {
            sheet,
            src_start_row,
            row_count,
            src_start_col,
            col_count,
            ..
        } => {
            let inside = |line: u32, start: u32, count: u32| {
                line.checked_sub(start).is_some_and(|line| line < count)
            };
            sheet == of
                && inside(at.row, *src_start_row, *row_count)
                && inside(at.col, *src_start_col, *col_count)
        }
        _ => false,
    }
}

/// Whether a sheet held these cells.
fn held(sheet: Option<&&Sheet>, cells: &[PlacedCell]) -> Result<(), String> {
    let Some(grid) = sheet.and_then(|sheet| sheet.grid()) else {
        return Ok(());
    };
    for said in cells {
        let found = grid.cell(said.addr.0);
        let found = found.map(|cell| cell.to_data()).unwrap_or_default();
        if !is_same(&said.cell, &found) {
            return Err(format!("says what {} held", said.addr.0));
        }
    }
    Ok(())
}

/// A report may have left formulas or values aside.
fn is_same(said: &CellData, found: &CellData) -> bool {
    match (&said.formula, &found.formula) {
        (Some(said), Some(found)) => said == found,
        (Some(_), None) => false,
        (None, _) => said.value.same(&found.value),
    }
}
