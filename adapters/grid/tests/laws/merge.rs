//! Laws of merging: nothing that either side did is lost.

use crate::books::{self, Triple, triple};
use mvdiff_grid::{
    Address, CellData, DiffOp, Grid, Merged, Options, Sheet, Value, Workbook, apply,
    diff_workbooks, merge_workbooks,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Each takes several comparisons.
fn cases() -> u32 {
    let asked = std::env::var("MVDIFF_CASES").is_ok();
    if asked { crate::cases() } else { 80 }
}

fn merge(base: &Workbook, ours: &Workbook, theirs: &Workbook) -> (Merged, Workbook) {
    let merged = merge_workbooks(base, ours, theirs, &Options::default()).expect("merged");
    let made = apply(ours, &merged.report).expect("a report on ours");
    (merged, made)
}

fn explained(merged: &Merged, made: &Workbook, wanted: &Workbook) -> String {
    let conflicts: Vec<String> = merged
        .conflicts
        .iter()
        .map(|conflict| serde_json::to_string(conflict).expect("JSON"))
        .collect();
    format!(
        "{}\nconflicts\n{}",
        books::difference(made, wanted, &merged.report),
        conflicts.join("\n")
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_one_side_did_is_the_result(Triple { base, theirs, .. } in triple()) {
        let (merged, made) = merge(&base, &theirs, &base);
        prop_assert!(merged.conflicts.is_empty() && made.same(&theirs));
        let (merged, made) = merge(&base, &base, &theirs);
        prop_assert!(merged.conflicts.is_empty() && made.same(&theirs));
    }

    #[test]
    fn what_both_did_is_done_once(Triple { base, ours, .. } in triple()) {
        let (merged, made) = merge(&base, &ours, &ours);
        prop_assert!(merged.conflicts.is_empty(), "{}", explained(&merged, &made, &ours));
        prop_assert!(made.same(&ours), "{}", explained(&merged, &made, &ours));
    }

    /// The way by which one side wins is not taken: ours has a remark of its own.
    #[test]
    fn a_remark_elsewhere_changes_nothing(Triple { base, theirs, .. } in triple()) {
        let remarked = books::with_a_name(&base);
        let wanted = books::with_a_name(&theirs);
        let (merged, made) = merge(&base, &remarked, &theirs);
        prop_assert!(merged.conflicts.is_empty(), "{}", explained(&merged, &made, &wanted));
        prop_assert!(made.same(&wanted), "{}", explained(&merged, &made, &wanted));
        let (merged, made) = merge(&base, &theirs, &remarked);
        prop_assert!(merged.conflicts.is_empty(), "{}", explained(&merged, &made, &wanted));
        prop_assert!(made.same(&wanted), "{}", explained(&merged, &made, &wanted));
    }

    /// Told by values that are there once, and not by how the merge was made.
    #[test]
    fn nothing_is_lost(Triple { base, ours, theirs } in triple()) {
        let (merged, made) = merge(&base, &ours, &theirs);
        let all = [&base, &ours, &theirs, &made].map(books::rare);
        let told = serde_json::to_string(&merged.conflicts).unwrap();
        let reports = [&ours, &theirs].map(|side| diff_workbooks(&base, side, &Options::default()).unwrap());
        let sides = [&ours, &theirs].into_iter().zip(&reports);
        let wrote: Vec<String> = sides
            .flat_map(|(book, report)| report.ops.iter().flat_map(|op| written(op, book)))
            .collect();
        let values: BTreeSet<&String> = all.iter().flat_map(|counts| counts.keys()).collect();
        for value in values {
            let counts = all.each_ref().map(|counts| counts.get(value).copied().unwrap_or(0));
            let [b, o, t, r] = counts;
            if b > 1 || o > 1 || t > 1 || told.contains(&format!("\"{value}\"")) {
                continue;
            }
            let written = wrote.contains(value);
            let right = match (b, o, t) {
                (_, 1, 1) | (0, 1, 0) | (0, 0, 1) => r >= 1,
                // Who wrote it again elsewhere has it there, and so has a line that one
                // removed and the other wrote in.
                _ => r == 0 || written || told.contains("it is in the result"),
            };
            prop_assert!(right, "{value} {counts:?}\n{}", explained(&merged, &made, &ours));
        }
        let ops = reports.iter().map(|report| report.ops.len()).sum::<usize>();
        let twice = merged.applied.iter().filter(|op| op.side == mvdiff_grid::Side::Both).count();
        // What is in no conflict is in the result; what both did is listed once or twice.
        let told = merged.applied.len()..=merged.applied.len() + twice;
        prop_assert!(
            *told.start() <= ops && (*told.end() >= ops || !merged.conflicts.is_empty()),
            "{told:?} applied, {ops} in all\n{}", explained(&merged, &made, &ours)
        );
    }

    /// A cell that one side wrote is where its row and its column are now, told by values
    /// that all versions have once in that row and that column.
    #[test]
    fn what_a_side_wrote_is_in_its_cell(Triple { base, ours, theirs } in triple()) {
        let (merged, made) = merge(&base, &ours, &theirs);
        let reports = [&ours, &theirs].map(|side| diff_workbooks(&base, side, &Options::default()).unwrap());
        let all: Vec<&DiffOp> = reports.iter().flat_map(|report| &report.ops).collect();
        let has_rects = all.iter().any(|op| matches!(op, DiffOp::BlockMovedRect { .. }));
        if !merged.conflicts.is_empty() || has_rects {
            return Ok(());
        }
        let wrote: Vec<String> = [&ours, &theirs]
            .into_iter()
            .zip(&reports)
            .flat_map(|(book, report)| report.ops.iter().flat_map(|op| written(op, book)))
            .collect();
        let counts = [&base, &ours, &theirs, &made].map(books::rare);
        let tells = |value: &str| {
            counts.iter().all(|counts| counts.get(value) == Some(&1)) && !wrote.iter().any(|w| w == value)
        };
        let result = books::places(&made);
        for (side, report) in [&ours, &theirs].into_iter().zip(&reports) {
            let places = books::places(side);
            for op in &report.ops {
                let DiffOp::CellEdited { sheet, addr, to, .. } = op else { continue };
                if to.formula.is_some() {
                    continue;
                }
                let near = |same: &dyn Fn(Address) -> bool| {
                    let beside = places.iter().find(|(value, (of, at))| of == sheet && same(*at) && tells(value));
                    beside.and_then(|(value, _)| result.get(value))
                };
                let in_row = near(&|at| at.row == addr.0.row && at != addr.0);
                let in_col = near(&|at| at.col == addr.0.col && at != addr.0);
                let (Some((sheet, row)), Some((other, col))) = (in_row, in_col) else { continue };
                if sheet != other {
                    continue;
                }
                let at = Address::new(row.row, col.col);
                let sheets = made.sheets.iter().filter(|own| own.name == *sheet);
                let cell = sheets.filter_map(Sheet::grid).find_map(|grid| grid.cell(at));
                let is = cell.map(|cell| cell.to_data()).unwrap_or_default();
                prop_assert!(
                    is.value == to.value && is.formula.is_none(),
                    "{sheet}!{at} holds {is:?}, and not {to:?}\n{}", explained(&merged, &made, &ours)
                );
            }
        }
    }

    /// Who is ours and who is theirs decides conflicts, order, and whether what both added
    /// is one thing, but not what is there.
    #[test]
    fn sides_can_be_swapped(Triple { base, ours, theirs } in triple()) {
        let (one, made) = merge(&base, &ours, &theirs);
        let (two, other) = merge(&base, &theirs, &ours);
        if one.conflicts.is_empty() && two.conflicts.is_empty() {
            let difference = explained(&one, &made, &other);
            let [made, other] = [&made, &other].map(books::rare);
            prop_assert!(made.keys().eq(other.keys()), "{}", difference);
        }
    }

    #[test]
    fn marks_leave_the_cells_as_they_are(Triple { base, ours, theirs } in triple()) {
        let (merged, made) = merge(&base, &ours, &theirs);
        let marked = apply(&ours, &merged.marked(&ours).unwrap()).unwrap();
        let more = usize::from(!merged.conflicts.is_empty());
        prop_assert_eq!(marked.sheets.len(), made.sheets.len() + more);
        let mut without = marked;
        without.sheets.truncate(made.sheets.len());
        prop_assert!(without.same(&made));
    }
}

/// The texts that an operation puts into cells, where it took them from elsewhere, too.
fn written(op: &DiffOp, book: &Workbook) -> Vec<String> {
    let cells: Vec<CellData> = match op {
        DiffOp::CellEdited { to, .. } => vec![to.clone()],
        DiffOp::RowAdded { cells, .. }
        | DiffOp::ColumnAdded { cells, .. }
        | DiffOp::SheetAdded { cells, .. } => {
            cells.iter().map(|placed| placed.cell.clone()).collect()
        }
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
            let cells = sheets.filter_map(Sheet::grid).flat_map(Grid::cells);
            let inside = cells.filter(|cell| {
                rows.contains(&cell.address.row) && cols.contains(&cell.address.col)
            });
            inside.map(|cell| cell.to_data()).collect()
        }
        _ => Vec::new(),
    };
    let text = |cell: CellData| match cell.value {
        Value::Text(text) => Some(text),
        _ => None,
    };
    cells.into_iter().filter_map(text).collect()
}
