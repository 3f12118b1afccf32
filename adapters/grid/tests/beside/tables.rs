//! Tables of a sheet: each change of one is an operation, and what only followed is none.

use super::package::Package;
use super::whole::{compared, is_same, patched, replays};
use mvdiff_grid::{DiffOp, invert};
use proptest::prelude::*;
use std::fmt::Write as _;

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/// A table as its part has it.
#[derive(Clone, Debug, PartialEq)]
struct Table {
    name: String,
    /// First row, first column, last row, last column.
    at: [usize; 4],
    style: u8,
    headers: bool,
    totals: bool,
    formula: Option<String>,
    filter: Option<usize>,
}

/// A sheet of texts with tables.
#[derive(Clone, Debug, PartialEq)]
struct Sheet {
    rows: Vec<Vec<String>>,
    tables: Vec<Table>,
}

fn at(row: usize, col: usize) -> String {
    format!("{}{}", mvdiff_grid::column_name(col as u32), row + 1)
}

impl Table {
    fn area(&self) -> String {
        let [top, left, bottom, right] = self.at;
        format!("{}:{}", at(top, left), at(bottom, right))
    }

    fn xml(&self, id: usize, rows: &[Vec<String>]) -> String {
        let [top, left, _, right] = self.at;
        let mut columns = String::new();
        for col in left..=right {
            let header = rows.get(top).and_then(|row| row.get(col));
            let name = match header {
                Some(name) if self.headers && !name.is_empty() => name.clone(),
                _ => format!("Column{}", col - left + 1),
            };
            let formula = self.formula.as_ref().filter(|_| col == right);
            let formula = formula.map_or(String::new(), |formula| {
                format!("<calculatedColumnFormula>{formula}</calculatedColumnFormula>")
            });
            let number = col - left + 1;
            let style = if col == left { " dataDxfId=\"0\"" } else { "" };
            let _ = write!(
                columns,
                "<tableColumn id=\"{number}\" name=\"{name}\"{style}>{formula}</tableColumn>"
            );
        }
        let filter = self.filter.map_or(String::new(), |col| {
            format!(
                "<filterColumn colId=\"{col}\"><filters><filter val=\"x\"/></filters></filterColumn>"
            )
        });
        let (area, count) = (self.area(), right - left + 1);
        let filter = if self.headers {
            format!("<autoFilter ref=\"{area}\">{filter}</autoFilter>")
        } else {
            String::new()
        };
        let headers = if self.headers {
            ""
        } else {
            " headerRowCount=\"0\""
        };
        let totals = if self.totals {
            " totalsRowCount=\"1\""
        } else {
            ""
        };
        format!(
            "<table xmlns=\"{MAIN}\" id=\"{id}\" name=\"{name}\" displayName=\"{name}\" ref=\"{area}\"{headers}{totals}>{filter}<tableColumns count=\"{count}\">{columns}</tableColumns><tableStyleInfo name=\"TableStyleLight{style}\"/></table>",
            name = self.name,
            style = self.style,
        )
    }
}

impl Sheet {
    fn package(&self) -> Package {
        let mut package = Package::small();
        let (mut data, mut parts, mut rels) = (String::new(), String::new(), String::new());
        for (row, cells) in self.rows.iter().enumerate() {
            let _ = write!(data, "<row r=\"{}\">", row + 1);
            for (col, text) in cells
                .iter()
                .enumerate()
                .filter(|(_, text)| !text.is_empty())
            {
                let at = at(row, col);
                let _ = write!(
                    data,
                    "<c r=\"{at}\" t=\"inlineStr\"><is><t>{text}</t></is></c>"
                );
            }
            data.push_str("</row>");
        }
        for (id, table) in (1..).zip(&self.tables) {
            let _ = write!(parts, "<tablePart r:id=\"rId{id}\"/>");
            let _ = write!(
                rels,
                "<Relationship Id=\"rId{id}\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/table\" Target=\"../tables/table{id}.xml\"/>"
            );
            package.put(
                &format!("xl/tables/table{id}.xml"),
                &table.xml(id, &self.rows),
            );
        }
        if !self.tables.is_empty() {
            let count = self.tables.len();
            parts = format!("<tableParts count=\"{count}\">{parts}</tableParts>");
        }
        package.put(
            "xl/worksheets/sheet1.xml",
            &format!(
                "<worksheet xmlns=\"{MAIN}\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheetData>{data}</sheetData>{parts}</worksheet>"
            ),
        );
        package.put(
            "xl/worksheets/_rels/sheet1.xml.rels",
            &format!("<Relationships>{rels}</Relationships>"),
        );
        package
    }

    /// A line comes before this one, or this one goes; tables follow as in a program.
    fn lines(&mut self, rows: bool, here: usize, comes: bool) {
        let (first, last) = if rows { (0, 2) } else { (1, 3) };
        if rows {
            let width = self.rows.iter().map(Vec::len).max().unwrap_or(0);
            match comes {
                true if here <= self.rows.len() => {
                    let cell = |col| format!("new{here}x{col}");
                    self.rows.insert(here, (0..width).map(cell).collect());
                }
                false if here < self.rows.len() => drop(self.rows.remove(here)),
                _ => return,
            }
        } else {
            for (number, row) in self.rows.iter_mut().enumerate() {
                match comes {
                    true if here <= row.len() => row.insert(here, format!("new{number}y{here}")),
                    false if here < row.len() => drop(row.remove(here)),
                    _ => {}
                }
            }
        }
        for table in &mut self.tables {
            if comes {
                table.at[first] += usize::from(here <= table.at[first]);
                table.at[last] += usize::from(here <= table.at[last]);
            } else if table.at[first] < table.at[last] {
                table.at[first] -= usize::from(here < table.at[first]);
                table.at[last] -= usize::from(here <= table.at[last]);
            }
        }
    }
}

fn sales() -> Sheet {
    let rows = ["Item Qty Price", "a 1 2", "b 3 4", "c 5 6"];
    let rows = rows.map(|row| row.split(' ').map(str::to_owned).collect());
    Sheet {
        rows: rows.to_vec(),
        tables: vec![Table {
            name: "Sales".to_owned(),
            at: [0, 0, 3, 2],
            style: 1,
            headers: true,
            totals: false,
            formula: Some("Sales[[#This Row],[Qty]]*2".to_owned()),
            filter: None,
        }],
    }
}

fn tables(ops: &[DiffOp]) -> Vec<String> {
    let kind = |op: &DiffOp| match op {
        DiffOp::TableAdded(table) => Some(format!("added {}", table.table)),
        DiffOp::TableRemoved(table) => Some(format!("removed {}", table.table)),
        DiffOp::TableChanged(table) => Some(format!("changed {}", table.table)),
        _ => None,
    };
    ops.iter().filter_map(kind).collect()
}

#[test]
fn each_change_of_a_table_is_one_operation() {
    let old = sales();
    let change = |change: &dyn Fn(&mut Table)| {
        let mut new = old.clone();
        change(&mut new.tables[0]);
        new
    };
    let cases = [
        (
            "changed Turnover",
            change(&|table| table.name = "Turnover".to_owned()),
        ),
        ("changed Sales", change(&|table| table.at[2] = 2)),
        ("changed Sales", change(&|table| table.at[3] = 1)),
        ("changed Sales", change(&|table| table.style = 9)),
        ("changed Sales", change(&|table| table.totals = true)),
        ("changed Sales", change(&|table| table.headers = false)),
        ("changed Sales", change(&|table| table.formula = None)),
        ("changed Sales", change(&|table| table.filter = Some(1))),
    ];
    for (expected, new) in cases {
        let report = replays(&old.package(), &new.package(), expected);
        assert_eq!(tables(&report.ops), [expected], "{new:?}");
        assert_eq!(report.ops.len(), 1, "{:?}", report.ops);
    }
    let mut none = old.clone();
    none.tables.clear();
    let report = replays(&old.package(), &none.package(), "removed");
    assert_eq!(tables(&report.ops), ["removed Sales"]);
    let report = replays(&none.package(), &old.package(), "added");
    assert_eq!(tables(&report.ops), ["added Sales"]);
}

#[test]
fn a_table_that_only_followed_is_no_change() {
    for (rows, here, comes) in [
        (true, 0, true),
        (true, 2, true),
        (true, 2, false),
        (false, 0, true),
        (false, 1, true),
        (false, 1, false),
    ] {
        for filter in [None, Some(2)] {
            let mut old = sales();
            old.tables[0].filter = filter;
            // A formula that nothing is removed from.
            old.tables[0].formula = None;
            let mut new = old.clone();
            new.lines(rows, here, comes);
            if !rows && comes && here == 1 {
                new.tables[0].filter = filter.map(|_| 3);
            } else if !rows && !comes {
                new.tables[0].filter = filter.map(|_| 1);
            }
            let report = replays(&old.package(), &new.package(), "lines");
            assert!(
                tables(&report.ops).is_empty(),
                "{rows} {here}: {:?}",
                report.ops
            );
        }
    }
}

#[test]
fn an_edited_header_names_the_column_in_the_table_too() {
    let (old, mut new) = (sales(), sales());
    new.rows[0][1] = "Pieces".to_owned();
    let report = replays(&old.package(), &new.package(), "header");
    assert!(tables(&report.ops).is_empty(), "{:?}", report.ops);
    assert_eq!(report.ops.len(), 1);
}

fn table(name: &'static str) -> impl Strategy<Value = Table> {
    let at = (0..4usize, 0..4usize, 1..4usize, 0..3usize);
    let formula = prop::option::of(prop_oneof![
        Just("Data!A1*2".to_owned()),
        Just("SUM(B2:B3)".to_owned())
    ]);
    (
        at,
        1..3u8,
        any::<[bool; 2]>(),
        formula,
        prop::option::of(0..3usize),
    )
        .prop_map(
            move |((top, left, height, width), style, [headers, totals], formula, filter)| Table {
                name: name.to_owned(),
                at: [top, left, top + height, left + width],
                style,
                headers,
                totals,
                formula,
                filter: filter.filter(|col| *col <= width),
            },
        )
}

fn sheet() -> impl Strategy<Value = Sheet> {
    let text = prop_oneof![
        4 => (0..400u32).prop_map(|n| format!("t{n}")),
        1 => Just(String::new())
    ];
    let rows = (2..7usize).prop_flat_map(move |cols| {
        prop::collection::vec(prop::collection::vec(text.clone(), cols), 3..8usize)
    });
    let tables = (
        prop::option::weighted(0.8, table("Sales")),
        prop::option::weighted(0.4, table("Costs")),
    );
    (rows, tables).prop_map(|(rows, (a, b))| Sheet {
        rows,
        tables: a.into_iter().chain(b).collect(),
    })
}

#[derive(Clone, Debug)]
enum Step {
    Lines(bool, usize, bool),
    Edit(usize, usize),
    Rename,
    Replace(Table),
    Drop,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (any::<bool>(), 0..7usize, any::<bool>()).prop_map(|(a, b, c)| Step::Lines(a, b, c)),
        2 => (0..7usize, 0..6usize).prop_map(|(row, col)| Step::Edit(row, col)),
        1 => Just(Step::Rename),
        1 => table("Sales").prop_map(Step::Replace),
        1 => Just(Step::Drop),
    ]
}

proptest! {
    #![proptest_config(crate::config(192))]

    #[test]
    fn a_report_makes_the_new_tables_and_the_way_back_the_old_ones(
        old in sheet(),
        steps in prop::collection::vec(step(), 0..5),
    ) {
        let mut new = old.clone();
        for step in steps {
            match step {
                Step::Lines(rows, here, comes) => new.lines(rows, here, comes),
                Step::Edit(row, col) => {
                    if let Some(cell) = new.rows.get_mut(row).and_then(|row| row.get_mut(col)) {
                        "edited".clone_into(cell);
                    }
                }
                Step::Rename => {
                    if let Some(table) = new.tables.first_mut() {
                        "Renamed".clone_into(&mut table.name);
                    }
                }
                Step::Replace(table) => match new.tables.first_mut() {
                    Some(old) => *old = table,
                    None => new.tables.push(table),
                },
                Step::Drop => drop(new.tables.pop()),
            }
        }
        let (old, new) = (old.package().bytes(), new.package().bytes());
        let report = compared(&old, &new);
        prop_assert!(report.notes.iter().all(|note| note.kind != "part"), "{:?}", report.notes);
        is_same(&patched(&old, &report), &new, "there");
        is_same(&patched(&new, &invert(&report)), &old, "back");
    }
}
