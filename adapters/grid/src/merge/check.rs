//! A merge held against its three versions before anybody sees it.
//!
//! It counts what cells hold and knows nothing of how the merge was made, so that a mistake
//! there does not confirm itself. Contents that the base has more than once prove nothing:
//! both sides may have removed different ones.

use super::Conflict;
use crate::formula::Formula;
use crate::keys::mix;
use crate::value::number_key;
use crate::{Address, Cell, CellData, DiffOp, Grid, Sheet, Value, Workbook, date, string_pool};
use serde_json::Value as Json;
use std::collections::{HashMap, HashSet};

/// How often a content is there, and a cell that has it.
struct Count {
    /// In base, ours, theirs and the result.
    times: [u32; 4],
    /// The number of a workbook, the number of a sheet in it, and the cell there.
    example: (usize, usize, Address),
}

/// What is in neither the result nor a conflict, or is in the result though one side
/// removed it; in words.
///
/// `books` are base, ours, theirs and the result, and `ops` what both sides did.
pub(super) fn check<'a>(
    books: [&Workbook; 4],
    ops: impl Iterator<Item = (usize, &'a DiffOp)>,
    conflicts: &[Conflict],
) -> Result<(), String> {
    let mut counts: HashMap<u64, Count> = HashMap::new();
    for (which, book) in books.into_iter().enumerate() {
        for (at, sheet) in book.sheets.iter().enumerate() {
            for cell in sheet.grid().into_iter().flat_map(Grid::cells) {
                let Some(content) = content(&cell.value, cell.formula) else {
                    continue;
                };
                let count = counts.entry(content).or_insert_with(|| Count {
                    times: [0; 4],
                    example: (which, at, cell.address),
                });
                count.times[which] += 1;
            }
        }
    }
    let mut excused = HashSet::new();
    for conflict in conflicts {
        for json in [&conflict.base, &conflict.ours, &conflict.theirs] {
            contents_of(json, &mut excused);
        }
    }
    let is_lost = |[base, ours, theirs, result]: [u32; 4]| match base {
        0 => result < ours.max(theirs),
        1 => result < ours.min(theirs),
        _ => false,
    };
    let mut wrong: Vec<(&Count, &str)> = Vec::new();
    let mut kept: HashMap<u64, &Count> = HashMap::new();
    for (content, count) in &counts {
        if excused.contains(content) {
            continue;
        }
        let [base, ours, theirs, result] = count.times;
        if is_lost(count.times) {
            wrong.push((count, "is not in the result"));
        } else if base == 1 && ours.min(theirs) == 0 && result > 0 {
            kept.insert(*content, count);
        }
    }
    // A line or a sheet that one side removed and the other changed is in the result.
    if !kept.is_empty() && !conflicts.iter().any(|conflict| conflict.keeps_removed) {
        for (side, op) in ops {
            for content in written(op, books[side]) {
                kept.remove(&content);
            }
        }
        wrong.extend(
            kept.into_values()
                .map(|count| (count, "was removed by one side and is in the result")),
        );
    }
    let first = wrong
        .into_iter()
        .min_by_key(|(count, why)| (*why, count.example));
    match first {
        None => Ok(()),
        Some((count, why)) => {
            let (which, sheet, cell) = count.example;
            let sheet = &books[which].sheets[sheet].name;
            let book = ["the base", "ours", "theirs", "the result"][which];
            Err(format!("{sheet}!{cell} of {book} {why}"))
        }
    }
}

/// A number for what a cell holds. References are left out, since they follow their cells.
fn content<T: AsRef<str>>(value: &Value<T>, formula: Option<&str>) -> Option<u64> {
    if let Some(formula) = formula {
        return Some(mix(Formula::parse(formula).words(), 7));
    }
    let (bits, salt) = match value {
        Value::Empty => return None,
        Value::Text(text) if text.as_ref().is_empty() => return None,
        Value::Text(text) => (string_pool::hash(text.as_ref()), 1),
        Value::Number(number) => (number_key(*number), 2),
        Value::Date(days) => (date::millis(*days) as u64, 3),
        Value::Duration(days) => (date::millis(*days) as u64, 4),
        Value::Bool(is) => (u64::from(*is), 5),
        Value::Error(code) => (*code as u64, 6),
    };
    Some(mix(bits, salt))
}

fn content_of(cell: &CellData) -> Option<u64> {
    content(&cell.value, cell.formula.as_deref())
}

/// The contents of all cells that a conflict names.
fn contents_of(json: &Json, found: &mut HashSet<u64>) {
    match json {
        Json::Object(fields) => {
            let cell = serde_json::from_value::<CellData>(json.clone());
            found.extend(cell.ok().as_ref().and_then(content_of));
            for value in fields.values() {
                contents_of(value, found);
            }
        }
        Json::Array(values) => values.iter().for_each(|value| contents_of(value, found)),
        _ => {}
    }
}

/// The contents that an operation puts into cells, also where it took them from elsewhere.
fn written(op: &DiffOp, book: &Workbook) -> Vec<u64> {
    match op {
        DiffOp::CellEdited { to, .. } => content_of(to).into_iter().collect(),
        DiffOp::RowAdded { cells, .. }
        | DiffOp::ColumnAdded { cells, .. }
        | DiffOp::SheetAdded { cells, .. } => cells
            .iter()
            .filter_map(|cell| content_of(&cell.cell))
            .collect(),
        DiffOp::BlockMovedRect {
            sheet,
            row_count,
            col_count,
            dst_start_row,
            dst_start_col,
            ..
        } => {
            let rows = *dst_start_row..dst_start_row + row_count;
            let cols = *dst_start_col..dst_start_col + col_count;
            let sheets = book.sheets.iter().filter(|own| own.name == *sheet);
            let grids = sheets.filter_map(Sheet::grid);
            let cells = grids.flat_map(|grid| rows.clone().flat_map(|row| grid.row(row)));
            let inside = cells.filter(|cell: &Cell<'_>| cols.contains(&cell.address.col));
            inside
                .filter_map(|cell| content(&cell.value, cell.formula))
                .collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::merge::conflict::{Conflict, ConflictKind, json};
    use crate::merge::{Work, merge_workbooks};
    use crate::{CellData, Grid, Options, Sheet, Value, Workbook, apply, diff_workbooks};

    fn book(rows: &[[&'static str; 2]]) -> Workbook {
        let row = |row: &[&'static str; 2]| row.map(Value::Text).to_vec();
        let grid = Grid::from_rows(rows.iter().map(row));
        Workbook {
            sheets: vec![Sheet::new("Data", grid)],
            ..Workbook::default()
        }
    }

    fn verdict(books: [&Workbook; 4], conflicts: &[Conflict]) -> Result<(), String> {
        let reports = [books[1], books[2]]
            .map(|side| diff_workbooks(books[0], side, &Options::default()).unwrap());
        let ops = reports.iter().zip(1..);
        let ops = ops.flat_map(|(report, side)| report.ops.iter().map(move |op| (side, op)));
        check(books, ops, conflicts)
    }

    fn conflict(text: &str) -> Conflict {
        let cell = CellData {
            value: Value::Text(text.into()),
            ..CellData::default()
        };
        Conflict {
            theirs: json(Some(cell)),
            ..Conflict::new(ConflictKind::Cell, "both")
        }
    }

    #[test]
    fn an_edit_that_is_nowhere_is_lost() {
        let base = book(&[["a", "b"], ["c", "d"]]);
        let ours = book(&[["a", "mine"], ["c", "d"]]);
        let theirs = book(&[["a", "b"], ["c", "other"]]);
        let both = book(&[["a", "mine"], ["c", "other"]]);
        assert_eq!(verdict([&base, &ours, &theirs, &both], &[]), Ok(()));
        let lost = verdict([&base, &ours, &theirs, &ours], &[]);
        assert_eq!(lost.unwrap_err(), "Data!B2 of theirs is not in the result");
        let named = [conflict("other"), conflict("d")];
        assert_eq!(verdict([&base, &ours, &theirs, &ours], &named), Ok(()));
    }

    #[test]
    fn a_row_that_one_side_removed_does_not_come_back() {
        let base = book(&[["a", "b"], ["c", "d"], ["e", "f"]]);
        let ours = book(&[["a", "mine"], ["c", "d"], ["e", "f"]]);
        let theirs = book(&[["a", "b"], ["c", "d"]]);
        let wrong = verdict([&base, &ours, &theirs, &ours], &[]);
        assert_eq!(
            wrong.unwrap_err(),
            "Data!A3 of the base was removed by one side and is in the result"
        );
    }

    #[test]
    fn a_merge_given_up_is_ours_and_names_all_that_theirs_did() {
        let base = book(&[["a", "b"], ["c", "d"]]);
        let ours = book(&[["a", "mine"], ["c", "d"]]);
        let theirs = book(&[["a", "b"], ["c", "other"], ["e", "f"]]);
        let reports =
            [&ours, &theirs].map(|side| diff_workbooks(&base, side, &Options::default()).unwrap());
        let mut work = Work::new([&base, &ours, &theirs], &reports).unwrap();
        work.give_up("Data!B2 of theirs is not in the result");
        let merged = work.finish();
        assert!(apply(&ours, &merged.report).unwrap().same(&ours));
        assert_eq!(merged.conflicts.len(), reports[1].ops.len());
        assert!(!merged.is_ours);
        assert_eq!(merged.notes[0].kind, "check");
        let right = merge_workbooks(&base, &ours, &theirs, &Options::default()).unwrap();
        assert!(right.conflicts.is_empty() && right.notes.is_empty());
    }
}
