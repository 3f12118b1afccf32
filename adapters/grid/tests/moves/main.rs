//! Which blocks of rows are called moved, and which are not.

use mvdiff_grid::{
    DiffOp, DiffReport, Grid, Options, ReadOptions, Value, diff_grids, diff_workbooks, open_pair,
};
use std::path::Path;

type Row = Vec<Value<&'static str>>;

/// A row of eight cells that no other row has.
fn row(id: u32) -> Row {
    let names = [
        "amber", "basalt", "cedar", "delta", "ember", "fjord", "grove",
    ];
    let at = id as usize;
    vec![
        Value::Number(f64::from(1000 + id)),
        Value::Text(names[at % 7]),
        Value::Number(f64::from(id) * 12.25 + 170.5),
        Value::Number(f64::from(id % 50)),
        Value::Text(["open", "closed", "pending"][at % 3]),
        Value::Bool(id.is_multiple_of(2)),
        Value::Number(f64::from(id * 7919 % 9973)),
        Value::Text(names[(at + 3) % 7]),
    ]
}

/// Twenty rows, and the same with rows 4 to 7 after what was row 15.
fn moved() -> (Vec<Row>, Vec<Row>) {
    let old: Vec<Row> = (0..20).map(row).collect();
    let mut new = old.clone();
    let block: Vec<Row> = new.drain(4..8).collect();
    new.splice(12..12, block);
    (old, new)
}

fn diff(old: &[Row], new: &[Row]) -> DiffReport {
    let [old, new] = [old, new].map(|rows| Grid::from_rows(rows.to_vec()));
    diff_grids("Data", &old, &new, &Options::default()).expect("default options are in range")
}

/// (source, count, target) of all moved blocks.
fn moves(report: &DiffReport) -> Vec<(u32, u32, u32)> {
    let found = report.ops.iter().filter_map(|op| match op {
        DiffOp::BlockMovedRows {
            src_start_row,
            row_count,
            dst_start_row,
            ..
        } => Some((*src_start_row, *row_count, *dst_start_row)),
        _ => None,
    });
    found.collect()
}

fn edits(report: &DiffReport) -> Vec<String> {
    let found = report.ops.iter().filter_map(|op| match op {
        DiffOp::CellEdited { addr, .. } => Some(addr.0.to_string()),
        _ => None,
    });
    found.collect()
}

#[test]
fn a_block_that_moved_unchanged_is_one_move_with_a_hash() {
    let (old, new) = moved();
    let report = diff(&old, &new);
    assert_eq!(moves(&report), [(4, 4, 12)]);
    assert!(matches!(
        &report.ops[..],
        [DiffOp::BlockMovedRows { block_hash: Some(_), similarity, .. }] if *similarity >= 1.0
    ));
}

#[test]
fn a_block_that_moved_with_one_edited_cell_is_one_move_and_one_edit() {
    let (old, mut new) = moved();
    new[13][3] = Value::Number(43.0);
    let report = diff(&old, &new);
    assert_eq!(moves(&report), [(4, 4, 12)]);
    assert_eq!(edits(&report), ["D14"]);
    assert_eq!(report.ops.len(), 2);
    let hashless = |op: &DiffOp| {
        matches!(
            op,
            DiffOp::BlockMovedRows {
                block_hash: None,
                ..
            }
        )
    };
    assert!(report.ops.iter().any(hashless));
}

#[test]
fn a_block_with_an_edit_in_every_row_is_still_one_move() {
    let (old, mut new) = moved();
    for (i, row) in new[12..16].iter_mut().enumerate() {
        row[i + 1] = Value::Text("other");
    }
    let report = diff(&old, &new);
    assert_eq!(moves(&report), [(4, 4, 12)]);
    assert_eq!(edits(&report).len(), 4);
}

#[test]
fn a_row_whose_label_was_reworded_and_whose_value_changed_is_edited() {
    let labelled = |label, value| vec![Value::Text(label), Value::Number(value)];
    let old = [
        labelled("Discount rate (%/year)", 5.5),
        labelled("Federal income tax rate (%/year)", 0.0),
        labelled("Sales tax (% of the total cost)", 3.25),
    ];
    let mut new = old.clone();
    new[1] = labelled("Federal income tax rate in Year 1 (%/year)", 21.0);
    assert_eq!(edits(&diff(&old, &new)), ["A2", "B2"]);
}

#[test]
fn a_block_that_was_rewritten_on_its_way_is_no_move() {
    let (old, mut new) = moved();
    for row in &mut new[12..16] {
        for col in [0, 2, 6, 7] {
            row[col] = Value::Text("rewritten");
        }
    }
    let report = diff(&old, &new);
    assert_eq!(moves(&report), []);
    assert!(!report.ops.is_empty());
}

#[test]
fn equal_blocks_that_could_have_gone_either_way_are_not_guessed() {
    let block = || (50..54).map(row);
    let around = |from: u32| (from..from + 4).map(row);
    let old: Vec<Row> = around(0)
        .chain(block())
        .chain(around(10))
        .chain(block())
        .chain(around(20))
        .chain(around(30))
        .collect();
    let new: Vec<Row> = around(0)
        .chain(around(10))
        .chain(around(20))
        .chain(block())
        .chain(around(30))
        .chain(block())
        .collect();
    let report = diff(&old, &new);
    assert_eq!(moves(&report), []);
    assert!(!report.ops.is_empty());
}

#[test]
fn nothing_moved_between_equal_grids() {
    let (old, _) = moved();
    assert_eq!(diff(&old, &old).ops, []);
}

#[test]
fn edits_in_place_are_edits_and_no_moves() {
    let (old, _) = moved();
    let mut new = old.clone();
    for (row, col) in [(5, 3), (6, 1), (7, 6)] {
        new[row][col] = Value::Text("edited");
    }
    let report = diff(&old, &new);
    assert_eq!(moves(&report), []);
    assert_eq!(edits(&report), ["D6", "B7", "G8"]);
    assert_eq!(report.ops.len(), 3);
}

#[test]
fn a_row_inserted_into_a_moved_block_splits_it() {
    let (old, mut new) = moved();
    new.insert(14, row(70));
    let report = diff(&old, &new);
    assert_eq!(moves(&report), [(4, 2, 12), (6, 2, 15)]);
    assert_eq!(report.ops.len(), 3);
}

#[test]
fn the_workbook_with_a_moved_and_edited_block_says_so() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/grid/g13_fuzzy_row_move");
    let files = ["grid_move_and_edit_a.xlsx", "grid_move_and_edit_b.xlsx"].map(|f| case.join(f));
    let (old, new) = open_pair(&files[0], &files[1], &ReadOptions::default()).unwrap();
    let report = diff_workbooks(&old, &new, &Options::default()).unwrap();
    let [(src, count, dst)] = moves(&report)[..] else {
        panic!("{:?}", report.ops);
    };
    assert_eq!((src, count, dst), (4, 4, 12));
    let edited = edits(&report);
    assert!(!edited.is_empty());
    let within = |addr: &String| {
        let row = addr.parse::<mvdiff_grid::Address>().unwrap().row;
        (dst..dst + count).contains(&row)
    };
    assert!(edited.iter().all(within), "{edited:?}");
    let line = |op: &DiffOp| matches!(op, DiffOp::RowAdded { .. } | DiffOp::RowRemoved { .. });
    assert!(!report.ops.iter().any(line));
}

#[test]
fn a_lone_cell_that_changed_is_an_edit_and_no_column() {
    let text = |text| vec![Value::Text(text)];
    for (old, new) in [
        (vec![text("a")], vec![text("b")]),
        (
            vec![vec![Value::Text("a")], vec![Value::Empty, Value::Text("b")]],
            vec![vec![Value::Text("a")], vec![Value::Empty, Value::Text("c")]],
        ),
    ] {
        let report = diff(&old, &new);
        assert!(
            matches!(report.ops[..], [DiffOp::CellEdited { .. }]),
            "{:?}",
            report.ops
        );
    }
}

#[test]
fn two_numbers_that_changed_below_a_new_row_are_edits_and_no_move() {
    let mut old: Vec<Row> = (0..20).map(row).collect();
    let mut new = old.clone();
    old[10].push(Value::Number(77.25));
    old[15].push(Value::Number(33.5));
    new[10].push(Value::Number(55.75));
    new[15].push(Value::Number(77.25));
    new.insert(5, row(90));
    let report = diff(&old, &new);
    assert_eq!(edits(&report), ["I12", "I17"]);
    let kinds = report.ops.iter().filter(|op| {
        matches!(
            op,
            DiffOp::BlockMovedRect { .. } | DiffOp::BlockMovedRows { .. }
        )
    });
    assert_eq!(kinds.count(), 0, "{:?}", report.ops);
}

#[test]
fn a_row_of_which_every_text_was_reworded_is_edited() {
    let row = |cells: [&'static str; 4]| cells.map(Value::Text).to_vec();
    let header = row(["name", "canonical", "url", "conformance"]);
    let bulk = row([
        "!Bulk Data Access",
        "http://example.org/bulk/Guide",
        "http://example.org/bulk/",
        "MAY",
    ]);
    let was = row([
        "App Launch 2.0.0",
        "http://example.org/launch/Guide/launch|2.0.0",
        "http://example.org/launch/STU2/",
        "SHALL",
    ]);
    let is = row([
        "App Launch version 2.0.0",
        "http://example.org/launch/Guide/launch",
        "http://example.org/launch/index",
        "SHOULD",
    ]);
    let report = diff(&[header.clone(), was, bulk.clone()], &[header, is, bulk]);
    assert_eq!(edits(&report), ["A2", "B2", "C2", "D2"]);
    assert_eq!(report.ops.len(), 4, "{:?}", report.ops);
}

#[test]
fn a_line_that_was_reworded_and_went_on_below_is_edited() {
    let row = |text: &'static str| vec![Value::Text(text)];
    let head = row("About this workbook");
    let old = [head.clone(), row("the ratio of power (in MW) to energy.")];
    let new = [
        head,
        row("the ratio of power (in MW) to energy, where the"),
        row("units are in hours."),
    ];
    let report = diff(&old, &new);
    assert_eq!(edits(&report), ["A2"]);
    assert_eq!(report.ops.len(), 2, "{:?}", report.ops);
}
