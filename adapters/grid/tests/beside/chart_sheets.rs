//! Sheets that hold a chart instead of cells.

use super::package::Package;
use super::whole::{compared, part_bytes, patched, replays};
use mvdiff_grid::{DiffOp, OtherSheet};

const RELS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A workbook with charts on sheets of their own: their names and titles.
fn charts(base: &Package, sheets: &[(&str, &str)]) -> Package {
    let mut package = base.clone();
    for (at, (name, title)) in sheets.iter().enumerate() {
        let at = at + 7;
        package = package
            .with(
                "xl/workbook.xml",
                "</sheets>",
                &format!("<sheet name=\"{name}\" sheetId=\"{at}\" r:id=\"rId{at}\"/></sheets>"),
            )
            .with(
                "xl/_rels/workbook.xml.rels",
                "</Relationships>",
                &format!("<Relationship Id=\"rId{at}\" Type=\"{RELS}/chartsheet\" Target=\"chartsheets/sheet{at}.xml\"/></Relationships>"),
            );
        let rels = |kind: &str, target: &str| {
            format!(
                "<Relationships><Relationship Id=\"rId1\" Type=\"{RELS}/{kind}\" Target=\"{target}\"/></Relationships>"
            )
        };
        package.put(
            &format!("xl/chartsheets/sheet{at}.xml"),
            &format!("<chartsheet xmlns:r=\"{RELS}\"><drawing r:id=\"rId1\"/></chartsheet>"),
        );
        package.put(
            &format!("xl/chartsheets/_rels/sheet{at}.xml.rels"),
            &rels("drawing", &format!("../drawings/drawing{at}.xml")),
        );
        package.put(
            &format!("xl/drawings/drawing{at}.xml"),
            &format!("<wsDr xmlns:r=\"{RELS}\"><chart r:id=\"rId1\"/></wsDr>"),
        );
        package.put(
            &format!("xl/drawings/_rels/drawing{at}.xml.rels"),
            &rels("chart", &format!("../charts/chart{at}.xml")),
        );
        package.put(
            &format!("xl/charts/chart{at}.xml"),
            &format!("<chartSpace><chart><title>{title}</title><f>Data!$B$1:$B$3</f></chart></chartSpace>"),
        );
    }
    package
}

#[test]
fn charts_come_and_go_with_their_sheets() {
    let base = Package::new();
    let one = charts(&base, &[("Chart", "Sales")]);
    let report = replays(&base, &one, "comes");
    let [DiffOp::SheetAdded { whole, .. }] = &report.ops[..] else {
        panic!("{:?}", report.ops);
    };
    assert_eq!(whole.as_ref().unwrap().holds, OtherSheet::Chart);
    replays(&one, &base, "goes");
    let back = patched(&one.bytes(), &compared(&one.bytes(), &base.bytes()));
    assert!(part_bytes(&back, "xl/charts/chart7.xml").is_none());
    let two = charts(&base, &[("Chart", "Sales"), ("More", "Costs")]);
    replays(&one, &two, "one more");
    let only = charts(&base, &[("More", "Costs")]);
    replays(&two, &only, "the first goes");
    replays(&one, &charts(&base, &[("Chart", "Costs")]), "another title");
    let renamed = replays(&one, &charts(&base, &[("Picture", "Sales")]), "renamed");
    assert!(matches!(&renamed.ops[..], [DiffOp::SheetRenamed { .. }]));
}

#[test]
fn a_chart_that_does_not_follow_stays_as_it_is() {
    let old = charts(&Package::new(), &[("Chart", "Sales")]);
    let mut moved = Package::new();
    moved.insert_row_above();
    replays(&old, &charts(&moved, &[("Chart", "Sales")]), "still");
}

#[test]
fn a_chart_takes_the_place_of_cells() {
    let chart = charts(&Package::new(), &[("Chart", "Sales")]);
    let mut cells = chart.with("xl/_rels/workbook.xml.rels", "chartsheet\"", "worksheet\"");
    cells.put(
        "xl/chartsheets/sheet7.xml",
        "<worksheet><sheetData><row r=\"1\"><c r=\"A1\"><v>1</v></c></row></sheetData></worksheet>",
    );
    cells.remove("xl/chartsheets/_rels/sheet7.xml.rels");
    for part in [
        "xl/drawings/drawing7.xml",
        "xl/drawings/_rels/drawing7.xml.rels",
        "xl/charts/chart7.xml",
    ] {
        cells.remove(part);
    }
    replays(&chart, &cells, "cells come");
    replays(&cells, &chart, "cells go");
}

#[test]
fn two_tabs_of_one_part_are_written_each_by_itself() {
    let one = Package::small();
    let mut old = one.with(
        "xl/workbook.xml",
        "</sheets>",
        "<sheet name=\"Again\" sheetId=\"2\" r:id=\"rId1\"/></sheets>",
    );
    let sheet = |value: u32| {
        format!(
            "<worksheet><sheetData><row r=\"1\"><c r=\"A1\"><v>{value}</v></c></row></sheetData></worksheet>"
        )
    };
    old.put("xl/worksheets/sheet1.xml", &sheet(1));
    let mut new = old
        .with("xl/workbook.xml", "sheetId=\"2\" r:id=\"rId1\"", "sheetId=\"2\" r:id=\"rId9\"")
        .with(
            "xl/_rels/workbook.xml.rels",
            "</Relationships>",
            &format!("<Relationship Id=\"rId9\" Type=\"{RELS}/worksheet\" Target=\"worksheets/sheet2.xml\"/></Relationships>"),
        );
    new.put("xl/worksheets/sheet2.xml", &sheet(2));
    replays(&old, &new, "two parts");
}
