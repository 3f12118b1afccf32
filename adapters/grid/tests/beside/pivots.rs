//! Pivot tables that change, come or go are operations.

use super::package::Package;
use super::whole::{compared, is_same, part_bytes, patched, replays};
use mvdiff_grid::{DiffOp, invert};

const RELS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PIVOT: &str = "xl/pivotTables/pivotTable1.xml";
const CACHE: &str = "xl/pivotCache/pivotCacheDefinition1.xml";

/// A workbook with a pivot table that begins in this row.
fn pivoted(base: &Package, row: u32, source: &str) -> Package {
    let relation = |id: &str, kind: &str, target: &str| {
        format!(
            "<Relationship Id=\"{id}\" Type=\"{RELS}/{kind}\" Target=\"{target}\"/></Relationships>"
        )
    };
    let mut package = base
        .with(
            "xl/worksheets/_rels/sheet1.xml.rels",
            "</Relationships>",
            &relation("rId30", "pivotTable", "../pivotTables/pivotTable1.xml"),
        )
        .with(
            "xl/_rels/workbook.xml.rels",
            "</Relationships>",
            &relation(
                "rId30",
                "pivotCacheDefinition",
                "pivotCache/pivotCacheDefinition1.xml",
            ),
        )
        .with(
            "xl/workbook.xml",
            "</sheets>",
            "</sheets><pivotCaches><pivotCache cacheId=\"7\" r:id=\"rId30\"/></pivotCaches>",
        );
    package.put(
        PIVOT,
        &format!("<pivotTableDefinition name=\"Totals\" cacheId=\"7\"><location ref=\"E{row}:F{}\" firstHeaderRow=\"1\"/><rowFields count=\"1\"><field x=\"0\"/></rowFields><dataFields count=\"1\"><dataField name=\"Sum of price\" fld=\"1\"/></dataFields></pivotTableDefinition>", row + 4),
    );
    package.put(
        "xl/pivotTables/_rels/pivotTable1.xml.rels",
        &format!("<Relationships><Relationship Id=\"rId1\" Type=\"{RELS}/pivotCacheDefinition\" Target=\"../pivotCache/pivotCacheDefinition1.xml\"/></Relationships>"),
    );
    package.put(
        CACHE,
        &format!("<pivotCacheDefinition><cacheSource type=\"worksheet\"><worksheetSource ref=\"{source}\" sheet=\"Data\"/></cacheSource><cacheFields count=\"2\"><cacheField name=\"id\"/><cacheField name=\"price\"/></cacheFields></pivotCacheDefinition>"),
    );
    package
}

#[test]
fn changes_of_a_pivot_table_replay() {
    let base = pivoted(&Package::new(), 2, "A1:B3");
    let cases = [
        ("Totals", "Sums"),
        ("<field x=\"0\"/>", "<field x=\"1\"/>"),
        ("Sum of price", "Prices"),
        ("E2:F6", "E5:F9"),
    ];
    for (from, to) in cases {
        let new = base.with(PIVOT, from, to);
        let report = replays(&base, &new, to);
        let [DiffOp::PartChanged(part)] = &report.ops[..] else {
            panic!("{to}: {:?}", report.ops);
        };
        assert_eq!(part.what, "pivots");
        let said = part.change.from.as_ref().unwrap();
        assert_eq!(said.get("source"), Some("'Data'!A1:B3"));
        let fields: Vec<(&str, &str)> = said
            .children
            .iter()
            .map(|field| (&field.name[..], &field.text[..]))
            .collect();
        assert_eq!(fields, [("rows", "id"), ("values", "Sum of price")]);
    }
}

#[test]
fn the_number_of_a_cache_is_the_one_of_the_file() {
    let base = pivoted(&Package::new(), 2, "A1:B3");
    let new = base
        .with(PIVOT, "cacheId=\"7\"", "cacheId=\"9\"")
        .with("xl/workbook.xml", "cacheId=\"7\"", "cacheId=\"9\"")
        .with(PIVOT, "Totals", "Sums");
    let report = replays(&base, &new, "renumbered");
    let made = patched(&base.bytes(), &report);
    let text = String::from_utf8(part_bytes(&made, PIVOT).unwrap()).unwrap();
    assert!(
        text.contains("cacheId=\"7\"") && text.contains("Sums"),
        "{text}"
    );
}

#[test]
fn a_pivot_table_and_its_source_follow_their_cells() {
    let base = pivoted(&Package::new(), 2, "A1:B3");
    let mut moved = Package::new();
    moved.insert_row_above();
    let followed = pivoted(&moved, 3, "A2:B4");
    let report = compared(&base.bytes(), &followed.bytes());
    let on_sheet = report.ops.iter().filter(|op| op.sheet().is_some());
    assert_eq!(on_sheet.count(), 1, "{:?}", report.ops);
    is_same(&patched(&base.bytes(), &report), &followed.bytes(), "there");
    let back = patched(&followed.bytes(), &invert(&report));
    is_same(&back, &base.bytes(), "back");
    replays(&base, &pivoted(&moved, 2, "A1:B3"), "did not follow");
}

#[test]
fn one_that_comes_or_goes_is_an_operation_with_its_cache() {
    let (without, with) = (Package::new(), pivoted(&Package::new(), 2, "A1:B3"));
    let report = replays(&without, &with, "comes");
    let on_sheet = report.ops.iter().filter(|op| op.sheet().is_some());
    assert_eq!(on_sheet.count(), 1, "{:?}", report.ops);
    replays(&with, &without, "goes");
    // The list of caches is where programs look for it.
    let made = patched(&without.bytes(), &report);
    let book = part_bytes(&made, "xl/workbook.xml").unwrap();
    let book = String::from_utf8(book).unwrap();
    assert!(book.contains("</sheets><pivotCaches><pivotCache"), "{book}");
    let back = patched(&with.bytes(), &invert(&report));
    let book = part_bytes(&back, "xl/workbook.xml").unwrap();
    assert!(!String::from_utf8(book).unwrap().contains("pivotCache"));
    assert!(part_bytes(&back, CACHE).is_none() && part_bytes(&back, PIVOT).is_none());
}

#[test]
fn one_more_on_the_same_cache_shares_it() {
    let one = pivoted(&Package::new(), 2, "A1:B3");
    let mut two = one.with(
        "xl/worksheets/_rels/sheet1.xml.rels",
        "</Relationships>",
        &format!("<Relationship Id=\"rId31\" Type=\"{RELS}/pivotTable\" Target=\"../pivotTables/pivotTable2.xml\"/></Relationships>"),
    );
    let text = String::from_utf8(part_bytes(&one.bytes(), PIVOT).unwrap()).unwrap();
    let text = text.replace("Totals", "More").replace("E2:F6", "E12:F16");
    two.put("xl/pivotTables/pivotTable2.xml", &text);
    two.put(
        "xl/pivotTables/_rels/pivotTable2.xml.rels",
        &format!("<Relationships><Relationship Id=\"rId1\" Type=\"{RELS}/pivotCacheDefinition\" Target=\"../pivotCache/pivotCacheDefinition1.xml\"/></Relationships>"),
    );
    let report = replays(&one, &two, "one more");
    let made = patched(&one.bytes(), &report);
    assert!(part_bytes(&made, "xl/pivotCache/pivotCacheDefinition2.xml").is_none());
}

#[test]
fn damaged_pivot_tables_have_a_word() {
    let base = pivoted(&Package::new(), 2, "A1:B3");
    let cases = [
        (PIVOT, "</pivotTableDefinition>", ""),
        (PIVOT, "E2:F6", "nowhere"),
        (PIVOT, "<field x=\"0\"/>", "<field x=\"4000000000\"/>"),
        (CACHE, "</cacheFields>", ""),
    ];
    for (part, from, to) in cases {
        let new = base.with(part, from, to);
        for (old, new) in [(&base, &new), (&new, &base)] {
            let report = compared(&old.bytes(), &new.bytes());
            let notes = report.notes.iter().filter(|note| note.kind == "part");
            assert!(report.ops.len() + notes.count() > 0, "{from} -> {to}");
            patched(&old.bytes(), &report);
            patched(&new.bytes(), &invert(&report));
        }
    }
}
