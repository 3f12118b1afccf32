//! Each everyday act is one operation, and unfolding it gives every cell back.

use crate::{
    Across, Address, DiffOp, DiffReport, Grid, GridBuilder, Options, Sheet, Value, Workbook, apply,
    diff_workbooks, invert,
};

/// A cell: a value, and a formula if it has one.
type Made = (Value<String>, Option<String>);

fn number(number: f64) -> Made {
    (Value::Number(number), None)
}

fn text(text: &str) -> Made {
    (Value::Text(text.to_owned()), None)
}

fn formula(formula: String, value: f64) -> Made {
    (Value::Number(value), Some(formula))
}

fn grid(rows: &[Vec<Made>]) -> Grid {
    let mut grid = GridBuilder::default();
    for (row, cells) in (0..).zip(rows) {
        for (col, (value, formula)) in (0..).zip(cells) {
            if !value.is_empty() || formula.is_some() {
                grid.push(Address::new(row, col), value.as_str(), formula.as_deref());
            }
        }
    }
    grid.finish().unwrap_or_default()
}

fn book(sheets: &[(&str, Vec<Vec<Made>>)]) -> Workbook {
    Workbook {
        sheets: sheets
            .iter()
            .map(|(name, rows)| Sheet::new(name, grid(rows)))
            .collect(),
        ..Workbook::default()
    }
}

/// The sheet that most acts are done to: id, name, status, price, tax.
fn stock() -> Vec<Vec<Made>> {
    let names = [
        "amber", "basalt", "cedar", "dune", "ebony", "flint", "granite", "hazel",
    ];
    let mut rows = vec![["Id", "Name", "Status", "Price", "Tax"].map(text).to_vec()];
    for i in 0..16_u32 {
        let price = 10.5 + 3.25 * f64::from(i * i % 13) + f64::from(i);
        rows.push(vec![
            number(f64::from(1001 + i)),
            text(&format!("{} colour {}", names[i as usize % 8], i / 8)),
            text(["open", "closed", "late"][i as usize % 3]),
            number(price),
            formula(format!("=D{}*0.2", i + 2), price * 0.2),
        ]);
    }
    rows
}

/// Compares with acts; they must unfold to the plain report, replay and invert.
fn told(old: &Workbook, new: &Workbook) -> Vec<DiffOp> {
    let options = Options {
        acts: true,
        ..Options::default()
    };
    let report = diff_workbooks(old, new, &options).expect("a report");
    let plain = diff_workbooks(old, new, &Options::default()).expect("a report");
    assert_eq!(sorted(&report.unfolded()), sorted(&plain));
    assert!(apply(old, &report).is_ok_and(|made| made.same(new)));
    assert!(apply(new, &invert(&report)).is_ok_and(|made| made.same(old)));
    let json = serde_json::to_string(&report).expect("JSON");
    let read: DiffReport = serde_json::from_str(&json).expect("a report");
    assert!(apply(old, &read).is_ok_and(|made| made.same(new)));
    report.ops
}

fn sorted(report: &DiffReport) -> Vec<String> {
    let mut ops: Vec<String> = report.ops.iter().map(|op| format!("{op:?}")).collect();
    ops.sort();
    ops
}

/// What becomes of the sheet by changing its data rows one by one.
fn changed(change: impl Fn(usize, &mut Vec<Made>)) -> Vec<DiffOp> {
    let mut rows = stock();
    for (i, row) in rows.iter_mut().enumerate().skip(1) {
        change(i, row);
    }
    told(&book(&[("Data", stock())]), &book(&[("Data", rows)]))
}

#[test]
fn a_formula_changed_down_a_column_is_one_operation() {
    let ops = changed(|i, row| row[4] = formula(format!("=D{}*0.25", i + 1), 1.0));
    let [DiffOp::FormulaFilled(act)] = &ops[..] else {
        panic!("{ops:?}");
    };
    assert_eq!((&*act.range, act.cells.len()), ("E2:E17", 16));
    assert_eq!(act.from.as_deref(), Some("=D2*0.2"));
    assert_eq!(act.to.as_deref(), Some("=D2*0.25"));
}

#[test]
fn values_pasted_over_formulas_are_one_operation() {
    let ops = changed(|_, row| row[4].1 = None);
    assert!(
        matches!(&ops[..], [DiffOp::ValuesPasted(act)] if act.range == "E2:E17"),
        "{ops:?}"
    );
}

#[test]
fn a_column_in_other_units_is_one_operation() {
    let ops = changed(|_, row| {
        if let Value::Number(price) = row[3].0 {
            row[3] = number(price * 1000.0);
        }
    });
    assert!(
        matches!(&ops[..], [DiffOp::RangeScaled(act)] if act.factor == Some(1000.0) && act.range == "D2:D17"),
        "{ops:?}"
    );
}

#[test]
fn a_price_rise_rounded_to_cents_is_one_operation() {
    let ops = changed(|_, row| {
        if let Value::Number(price) = row[3].0 {
            row[3] = number((price * 1.03 * 100.0).round() / 100.0);
        }
    });
    assert!(
        matches!(&ops[..], [DiffOp::RangeScaled(act)] if act.factor == Some(1.03)),
        "{ops:?}"
    );
}

#[test]
fn find_and_replace_is_one_operation() {
    let ops = changed(|_, row| {
        if let Value::Text(name) = &row[1].0 {
            row[1] = text(&name.replace("colour", "color"));
        }
    });
    let [DiffOp::ValuesReplaced(act)] = &ops[..] else {
        panic!("{ops:?}");
    };
    assert_eq!(
        (act.from.as_deref(), act.to.as_deref()),
        (Some("colour"), Some("color"))
    );
}

#[test]
fn numbers_that_all_went_up_are_renumbered() {
    let ops = changed(|i, row| row[0] = number(2001.0 + i as f64));
    assert!(
        matches!(&ops[..], [DiffOp::Renumbered(act)] if act.offset == Some(1001.0)),
        "{ops:?}"
    );
}

#[test]
fn large_numbers_that_all_went_down_were_not_scaled() {
    let ids = |first: u32| -> Vec<Vec<Made>> {
        let row = |i: u32| vec![text(&format!("name {i}")), number(f64::from(first + 2 * i))];
        (0..12).map(row).collect()
    };
    let (old, new) = (ids(44_818_966), ids(44_818_955));
    let ops = told(&book(&[("Data", old)]), &book(&[("Data", new)]));
    assert!(
        matches!(&ops[..], [DiffOp::Renumbered(act)] if act.offset == Some(-11.0)),
        "{ops:?}"
    );
}

#[test]
fn texts_that_became_numbers_are_one_operation() {
    let mut rows = stock();
    for row in rows.iter_mut().skip(1) {
        if let Value::Number(id) = row[0].0 {
            row[0] = text(&id.to_string());
        }
    }
    let ops = told(&book(&[("Data", rows)]), &book(&[("Data", stock())]));
    assert!(matches!(&ops[..], [DiffOp::ValuesConverted(_)]), "{ops:?}");
}

#[test]
fn rows_deleted_by_a_filter_are_one_operation() {
    let mut rows = stock();
    rows.retain(|row| row[2] != text("closed"));
    for (i, row) in rows.iter_mut().enumerate().skip(1) {
        if let Some(formula) = &mut row[4].1 {
            *formula = format!("=D{}*0.2", i + 1);
        }
    }
    let ops = told(&book(&[("Data", stock())]), &book(&[("Data", rows)]));
    let [DiffOp::RowsFiltered(act)] = &ops[..] else {
        panic!("{ops:?}");
    };
    assert_eq!((&*act.column, &*act.condition), ("C", "= closed"));
    assert_eq!((act.header.as_deref(), act.rows.len()), (Some("Status"), 5));
}

#[test]
fn totals_over_appended_rows_are_one_operation() {
    let totals = |last: u32| {
        let mut rows = stock();
        rows.truncate(last as usize);
        let sums =
            ["SUM", "MIN", "MAX"].map(|f| vec![formula(format!("={f}(Data!D2:D{last})"), 1.0)]);
        (rows, sums.to_vec())
    };
    let ((was, sums), (is, now)) = (totals(12), totals(17));
    let old = book(&[("Data", was), ("Totals", sums)]);
    let new = book(&[("Data", is), ("Totals", now)]);
    let ops = told(&old, &new);
    let extended = |op: &&DiffOp| matches!(op, DiffOp::RangesExtended(act) if act.range == "A1:A3");
    assert_eq!(ops.iter().filter(extended).count(), 1, "{ops:?}");
    assert!(
        !ops.iter().any(|op| matches!(op, DiffOp::CellEdited { .. })),
        "{ops:?}"
    );
}

#[test]
fn rows_moved_to_another_sheet_are_one_operation() {
    let values = |rows: Vec<Vec<Made>>| -> Vec<Vec<Made>> {
        rows.into_iter().map(|row| row[..4].to_vec()).collect()
    };
    let mut left = values(stock());
    let moved: Vec<Vec<Made>> = left.drain(5..9).collect();
    let archive = vec![
        vec![text("Archive of the stock")],
        vec![text("nothing older")],
    ];
    let mut more = archive.clone();
    more.extend(moved);
    let old = book(&[("Data", values(stock())), ("Archive", archive)]);
    let new = book(&[("Data", left), ("Archive", more)]);
    let ops = told(&old, &new);
    let [DiffOp::BlockMovedAcross(act)] = &ops[..] else {
        panic!("{ops:?}");
    };
    assert_eq!((&*act.from_sheet, &*act.from_range), ("Data", "A6:D9"));
    assert_eq!(
        (&*act.sheet, &*act.range, act.how),
        ("Archive", "A3:D6", Across::Moved)
    );
}

#[test]
fn a_copied_sheet_is_one_operation_with_what_is_different() {
    let mut copy = stock();
    copy[3][3] = number(99.0);
    let old = book(&[("Jan", stock())]);
    let new = book(&[("Jan", stock()), ("Feb", copy)]);
    let ops = told(&old, &new);
    let [DiffOp::SheetCopied(act)] = &ops[..] else {
        panic!("{ops:?}");
    };
    assert_eq!((&*act.from_sheet, act.edits.len()), ("Jan", 1));
}

#[test]
fn a_sheet_that_was_split_off_and_one_that_was_joined_are_one_operation() {
    let values: Vec<Vec<Made>> = stock().into_iter().map(|row| row[..4].to_vec()).collect();
    let (first, rest) = values.split_at(9);
    let whole = book(&[("Data", values.clone())]);
    let parts = book(&[("Data", first.to_vec()), ("More", rest.to_vec())]);
    let how = |ops: &[DiffOp]| match ops {
        [DiffOp::BlockMovedAcross(act)] => Some(act.how),
        _ => None,
    };
    assert_eq!(how(&told(&whole, &parts)), Some(Across::Split));
    assert_eq!(how(&told(&parts, &whole)), Some(Across::Joined));
}

#[test]
fn a_transposed_sheet_is_one_operation() {
    let rows: Vec<Vec<Made>> = stock().into_iter().map(|row| row[..4].to_vec()).collect();
    let turned: Vec<Vec<Made>> = (0..4)
        .map(|col| rows.iter().map(|row| row[col].clone()).collect())
        .collect();
    let ops = told(&book(&[("Data", rows)]), &book(&[("Data", turned)]));
    assert!(
        matches!(&ops[..], [DiffOp::RangeTransposed(act)] if act.range == "A1:Q4" && act.from_range == "A1:D17"),
        "{ops:?}"
    );
}

#[test]
fn a_few_edits_of_different_kinds_stay_edits() {
    let ops = changed(|i, row| match i {
        2 => row[3] = number(7.0),
        5 => row[1] = text("jade"),
        9 => row[3] = number(8.125),
        _ => {}
    });
    assert_eq!(ops.len(), 3);
    assert!(
        ops.iter().all(|op| matches!(op, DiffOp::CellEdited { .. })),
        "{ops:?}"
    );
}
