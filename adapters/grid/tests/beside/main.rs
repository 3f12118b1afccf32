//! What is beside the cells: every difference has a word, and saving a workbook
//! again has none.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod chart_sheets;
mod code;
mod drawings;
mod formats;
mod left;
mod links;
mod package;
mod pivots;
mod silence;
mod tables;
mod whole;

use mvdiff_grid::{Aspect, DiffReport, Options, ReadOptions, diff_workbooks, read_pair};
use package::Package;
use proptest::test_runner::Config;

/// How many random cases a law is held to.
fn config(usual: u32) -> Config {
    let asked = std::env::var("MVDIFF_CASES").ok();
    Config {
        cases: asked.and_then(|cases| cases.parse().ok()).unwrap_or(usual),
        failure_persistence: None,
        ..Config::default()
    }
}

fn diff(old: &Package, new: &Package, options: &Options) -> DiffReport {
    let (old, new) = (old.bytes(), new.bytes());
    let (old, new) = read_pair((&old, None), (&new, None), &ReadOptions::default());
    diff_workbooks(&old.unwrap(), &new.unwrap(), options).unwrap()
}

/// The kinds of things that differ, loud ones, and the quiet ones.
fn told(old: &Package, new: &Package) -> (Vec<String>, Vec<String>) {
    let report = diff(old, new, &Options::default());
    let of_kind = |kind: &str| {
        let notes = report.notes.iter().filter(|note| note.kind == kind);
        notes.filter_map(|note| note.what.clone()).collect()
    };
    let mut loud: Vec<String> = of_kind("part");
    loud.extend(report.ops.iter().map(|op| {
        let aspect = op.aspect().unwrap_or_else(|| panic!("{op:?}"));
        aspect.as_str().to_owned()
    }));
    (loud, of_kind("properties"))
}

#[test]
fn every_part_that_differs_has_a_word() {
    let sheet = "xl/worksheets/sheet1.xml";
    let cases: &[(&str, &str, &str, &str)] = &[
        ("comments", "xl/comments1.xml", "please check", "checked"),
        (
            "hyperlinks",
            "xl/worksheets/_rels/sheet1.xml.rels",
            "example.org/a",
            "example.org/b",
        ),
        (
            "validation",
            sheet,
            "<formula1>9</formula1>",
            "<formula1>8</formula1>",
        ),
        ("number-formats", "xl/styles.xml", "0.000", "0.0"),
        (
            "hidden",
            sheet,
            r#"<row r="3">"#,
            r#"<row r="3" hidden="1">"#,
        ),
        ("styles", "xl/styles.xml", "<b/>", "<i/>"),
        (
            "conditional-formats",
            sheet,
            "<formula>B2&gt;5</formula>",
            "<formula>B2&gt;6</formula>",
        ),
        ("sizes", sheet, r#"width="20""#, r#"width="31""#),
        ("tables", "xl/tables/table1.xml", "Prices", "Costs"),
        ("views", sheet, r#"ySplit="1""#, r#"ySplit="2""#),
        (
            "protection",
            sheet,
            r#"sheetProtection sheet="1""#,
            r#"sheetProtection sheet="0""#,
        ),
        (
            "page-setup",
            sheet,
            r#"orientation="portrait""#,
            r#"orientation="landscape""#,
        ),
        ("drawings", "xl/charts/chart1.xml", "Sales", "Costs"),
        ("macros", "xl/vbaProject.bin", "Sub One", "Sub Two"),
        ("queries", "customXml/item1.xml", "AAAA", "BBBB"),
        ("connections", "xl/connections.xml", "one.db", "two.db"),
        ("other", "xl/unheard-of.bin", "1", "2"),
    ];
    let base = Package::new();
    for (what, part, from, to) in cases {
        let changed = base.with(part, from, to);
        let (loud, _) = told(&base, &changed);
        assert_eq!(loud, [*what], "{part}: {from} -> {to}");
        let aspect = Aspect::parse(what).unwrap();
        let options = Options::default().with(|o| o.ignore = vec![aspect]);
        let report = diff(&base, &changed, &options);
        assert!(report.ops.is_empty(), "{what}: {:?}", report.ops);
        assert!(
            report.notes.iter().all(|note| note.kind != "part"),
            "{what}"
        );
    }
}

#[test]
fn a_print_area_has_a_word() {
    let names = |area: &str| {
        format!(
            "</sheets><definedNames><definedName name=\"_xlnm.Print_Area\" localSheetId=\"0\">Data!{area}</definedName></definedNames>"
        )
    };
    let base = Package::new();
    let [old, new] = ["$A$1:$B$2", "$A$1:$B$3"]
        .map(|area| base.with("xl/workbook.xml", "</sheets>", &names(area)));
    assert_eq!(told(&old, &new).0, ["page-setup"]);
    assert!(told(&old, &old).0.is_empty());
}

#[test]
fn looks_inside_a_text_have_a_word() {
    let mut plain = Package::new();
    plain.put(
        "xl/sharedStrings.xml",
        "<sst uniqueCount=\"1\"><si><r><rPr><b/></rPr><t>bold</t></r><r><t> or not</t></r></si></sst>",
    );
    let plain = plain
        .with("xl/_rels/workbook.xml.rels", "</Relationships>", TEXTS)
        .with(
            "xl/worksheets/sheet1.xml",
            "<c r=\"A3\"><v>1003</v>",
            "<c r=\"A3\" t=\"s\"><v>0</v>",
        );
    let slanted = plain.with("xl/sharedStrings.xml", "<b/>", "<i/>");
    assert_eq!(told(&plain, &slanted).0, ["styles"]);
    assert!(told(&plain, &plain).0.is_empty());
}

const TEXTS: &str = "<Relationship Id=\"texts\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>";

#[test]
fn a_part_that_came_or_went_has_a_word() {
    let base = Package::new();
    let mut without = Package::new();
    without.remove("xl/unheard-of.bin");
    for (old, new) in [(&base, &without), (&without, &base)] {
        assert_eq!(told(old, new).0, ["other"]);
    }
}

#[test]
fn what_every_save_changes_is_one_quiet_line() {
    let base = Package::new();
    let saved = base
        .with("docProps/core.xml", "2026-01-01", "2026-02-02")
        .with(
            "xl/worksheets/sheet1.xml",
            r#"activeCell="A1""#,
            r#"activeCell="B2""#,
        )
        .with("xl/theme/theme1.xml", "4472C4", "112233");
    let (loud, quiet) = told(&base, &saved);
    assert!(loud.is_empty(), "{loud:?}");
    assert_eq!(quiet, ["properties,selection,theme"]);
}

#[test]
fn names_numbers_and_order_that_a_save_changes_say_nothing() {
    let base = Package::new();
    let saved = base
        // Relationships numbered anew, and a part renamed.
        .with(
            "xl/worksheets/_rels/sheet1.xml.rels",
            r#"Id="rId7""#,
            r#"Id="rId1""#,
        )
        .with(
            "xl/worksheets/sheet1.xml",
            r#"r:id="rId7""#,
            r#"r:id="rId1""#,
        )
        .renamed("xl/charts/chart1.xml", "xl/charts/chart9.xml")
        .with(
            "xl/drawings/_rels/drawing1.xml.rels",
            "chart1.xml",
            "chart9.xml",
        )
        // Attributes in another order.
        .with(
            "xl/worksheets/sheet1.xml",
            r#"type="whole" sqref="B2:B3""#,
            r#"sqref="B2:B3" type="whole""#,
        );
    let (loud, quiet) = told(&base, &saved);
    assert!(loud.is_empty() && quiet.is_empty(), "{loud:?} {quiet:?}");
}

#[test]
fn what_belongs_to_cells_goes_where_they_go() {
    let base = Package::new();
    let mut moved = Package::new();
    moved.insert_row_above();
    let report = diff(&base, &moved, &Options::default());
    assert_eq!(report.ops.len(), 1, "{:?}", report.ops);
    let loud: Vec<_> = report
        .notes
        .iter()
        .filter(|note| note.kind == "part")
        .collect();
    assert!(loud.is_empty(), "{loud:?}");
}
