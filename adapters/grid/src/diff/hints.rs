//! Options that would report less, named where they would.

use crate::report::{DiffReport, ReportMode};
use crate::{DiffOp, Error, Mode, Note, Options, Sheet, Value, Workbook, diff_grids};

/// Numbers closer than this were calculated in another order.
const NOISE: f64 = 1e-12;

/// Says how many edits are numbers that hardly differ.
pub(super) fn noise(report: &mut DiffReport) {
    let hardly = |op: &&DiffOp| match op {
        DiffOp::CellEdited { from, to, .. } => match (&from.value, &to.value) {
            (Value::Number(a), Value::Number(b)) => {
                let plain = from.formula.is_none() && to.formula.is_none();
                plain && (a - b).abs() <= NOISE * a.abs().max(b.abs())
            }
            _ => false,
        },
        _ => false,
    };
    let message = match report.ops.iter().filter(hardly).count() {
        0 => return,
        1 => "1 edited number differs by less than 1e-12 of its size, as after another calculation; --tolerance 1e-10% leaves it out".to_owned(),
        count => format!(
            "{count} edited numbers differ by less than 1e-12 of their size, as after another calculation; --tolerance 1e-10% leaves them out"
        ),
    };
    report.notes.push(Note::new("noise", message));
}

/// Fewer operations on rows than these are reported as they are.
const ROWS: usize = 10;
/// Larger sheets are not compared a second time.
const CELLS: usize = 200_000;

/// Compares sheets with many rows that came, went or moved by key as well, and says where
/// that would report less than half.
///
/// # Errors
/// When the core refuses a problem.
pub(super) fn keys(
    report: &mut DiffReport,
    [old, new]: [&Workbook; 2],
    options: &Options,
) -> Result<(), Error> {
    if options.mode != Mode::Grid {
        return Ok(());
    }
    let by_key = Options {
        mode: Mode::AutoKey,
        hints: false,
        acts: false,
        labels: false,
        ..options.clone()
    };
    let mut notes = Vec::new();
    for told in &report.sheets {
        let mine = report
            .ops
            .iter()
            .filter(|op| op.sheet() == Some(&told.sheet));
        let cells = mine.clone().filter(|op| op.aspect().is_none()).count();
        let rows = mine.filter(|op| {
            matches!(
                op,
                DiffOp::RowAdded { .. } | DiffOp::RowRemoved { .. } | DiffOp::BlockMovedRows { .. }
            )
        });
        if rows.count() < ROWS || !told.sorted_by.is_empty() {
            continue;
        }
        let find = |book: &'_ Workbook, name: &str| -> Option<usize> {
            book.sheets.iter().position(|sheet| sheet.name == name)
        };
        let (Some(was), Some(is)) = (find(old, &told.old_sheet), find(new, &told.sheet)) else {
            continue;
        };
        let [Some(was), Some(is)] = [&old.sheets[was], &new.sheets[is]].map(Sheet::grid) else {
            continue;
        };
        if was.cell_count().max(is.cell_count()) > CELLS {
            continue;
        }
        let keyed = diff_grids(
            &told.sheet,
            was,
            is,
            &Options {
                only_sheets: Vec::new(),
                ignore_sheets: Vec::new(),
                ..by_key.clone()
            },
        )?;
        if keyed.mode == ReportMode::Keyed && keyed.ops.len() * 2 <= cells {
            let by: Vec<String> = keyed
                .sheets
                .iter()
                .flat_map(|told| told.keyed_by.clone())
                .collect();
            notes.push(Note::new(
                "hint",
                format!(
                    "sheet {:?}: --auto-key would match rows by column {} and tell {} changes instead of {cells}, the order of rows aside",
                    told.sheet,
                    by.join(", "),
                    keyed.ops.len()
                ),
            ));
        }
    }
    report.notes.extend(notes);
    Ok(())
}
