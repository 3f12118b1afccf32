//! What no reader knows: where it is said, and where not.

use super::diff;
use super::package::Package;
use mvdiff_grid::Options;

const SHEET: &str = "xl/worksheets/sheet1.xml";

/// The messages of all loud notes; there may be no operations.
fn said(old: &Package, new: &Package) -> Vec<String> {
    let report = diff(old, new, &Options::default());
    assert!(report.ops.is_empty(), "{:?}", report.ops);
    let loud = report.notes.into_iter().filter(|note| note.kind == "part");
    loud.map(|note| note.message).collect()
}

/// A workbook whose sheet has these rows.
fn book(rows: &str) -> Package {
    let mut small = Package::small();
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    small.put(SHEET, &sheet);
    small
}

#[test]
fn notes_say_which_cell_name_or_element_it_is() {
    let run = |look: &str| {
        format!(
            r#"<row r="1"><c r="A1"><v>7</v></c><c r="B1" t="inlineStr"><is><r><rPr>{look}</rPr><t>in</t></r><r><t>line</t></r></is></c></row>"#
        )
    };
    let notes = said(&book(&run("<b/>")), &book(&run("<i/>")));
    assert_eq!(
        notes,
        ["sheet \"Data\": cell styles changed at B1 (fonts within texts)"]
    );

    let base = Package::new();
    let text = "<t>please check</t>";
    let font = |font: &str| {
        let runs = format!("<r><rPr>{font}</rPr><t>please check</t></r>");
        base.with("xl/comments1.xml", text, &runs)
    };
    let notes = said(&font("<b/>"), &font("<b/><i/>"));
    let wanted = "sheet \"Data\": comments changed at A2 (font of its text)";
    assert_eq!(notes, [wanted]);

    let named = |more: &str| {
        let names = format!(
            "</sheets><definedNames><definedName name=\"total\"{more}>Data!$A$1</definedName></definedNames>"
        );
        base.with("xl/workbook.xml", "</sheets>", &names)
    };
    let notes = said(&named(""), &named(" hidden=\"1\" comment=\"sum\""));
    let wanted = "the name \"total\" changed beside what it refers to (comment, hidden)";
    assert_eq!(notes, [wanted]);
    assert!(said(&named(" hidden=\"0\""), &named("")).is_empty());

    let invented = |text: &str| base.with(SHEET, "<cols>", text);
    let notes = said(&invented("<cols>"), &invented("<invented a=\"1\"/><cols>"));
    assert_eq!(notes, ["sheet \"Data\": other content changed (invented)"]);
}

#[test]
fn a_name_that_came_is_not_said_twice() {
    let base = Package::new();
    let names = "</sheets><definedNames><definedName name=\"total\" hidden=\"1\">Data!$A$1</definedName></definedNames>";
    let new = base.with("xl/workbook.xml", "</sheets>", names);
    let report = diff(&base, &new, &Options::default());
    assert_eq!(report.ops.len(), 1);
    assert!(report.notes.is_empty(), "{:?}", report.notes);
}

#[test]
fn a_comment_that_was_edited_is_not_said_twice() {
    let base = Package::new();
    let font = |font: &str, text: &str| {
        let runs = format!("<r><rPr>{font}</rPr><t>{text}</t></r>");
        let was = "<t>please check</t>";
        base.with("xl/comments1.xml", was, &runs)
    };
    let (old, new) = (font("<b/>", "please"), font("<i/>", "do check"));
    let report = diff(&old, &new, &Options::default());
    assert_eq!(report.ops.len(), 1);
    assert!(report.notes.is_empty(), "{:?}", report.notes);
}

#[test]
fn a_data_table_and_its_cells_follow_inserted_rows() {
    let rows = |first: u32, input: u32| {
        let [a, b, c] = [first, first + 1, first + 2];
        format!(
            r#"<row r="{a}"><c r="A{a}"><v>1001</v></c><c r="B{a}"><v>5</v></c></row><row r="{b}"><c r="A{b}"><v>1002</v></c><c r="B{b}"><f t="dataTable" ref="B{b}:B{c}" dt2D="0" dtr="0" r1="A{input}"/><v>3</v></c></row><row r="{c}"><c r="A{c}"><v>1003</v></c><c r="B{c}"><v>4</v></c></row>"#
        )
    };
    let top = r#"<row r="1"><c r="A1"><v>2001</v></c><c r="B1"><v>77</v></c></row>"#;
    let old = book(&rows(1, 1));
    let moved = book(&format!("{top}{}", rows(2, 2)));
    let report = diff(&old, &moved, &Options::default());
    assert_eq!(report.ops.len(), 1, "{:?}", report.ops);
    assert!(report.notes.is_empty(), "{:?}", report.notes);
    let notes = said(&old, &book(&rows(1, 3)));
    let wanted = "sheet \"Data\": other content changed at B2:B3 (data table)";
    assert_eq!(notes, [wanted]);
}

#[test]
fn what_programs_write_differently_says_nothing() {
    let same: &[(&str, &str)] = &[
        (
            "<sheetPr filterMode=\"false\"/><sheetFormatPr defaultRowHeight=\"15\"/>",
            "<sheetFormatPr defaultRowHeight=\"12.8\" outlineLevelRow=\"1\"/>",
        ),
        (
            "<sheetPr published=\"1\"/>",
            "<sheetPr enableFormatConditionsCalculation=\"true\"/>",
        ),
    ];
    for (one, other) in same {
        let book = |text: &str| {
            let text = format!("{text}<sheetViews>");
            Package::new().with(SHEET, "<sheetViews>", &text)
        };
        let report = diff(&book(one), &book(other), &Options::default());
        assert!(
            report.ops.is_empty() && report.notes.is_empty(),
            "{report:?}"
        );
    }
}

#[test]
fn what_extensions_say_of_rows_and_cells_is_compared() {
    let row = |row: &str, cell: &str, inside: &str| {
        book(&format!(
            r#"<row r="1"{row}>{inside}<c r="A1"{cell}><v>7</v></c></row>"#
        ))
    };
    let plain = row("", "", "");
    let other = |new: Package, at: &str| {
        let wanted = format!("sheet \"Data\": other content changed {at}");
        assert_eq!(said(&plain, &new), [wanted]);
    };
    other(row(" p:mark=\"2\"", "", ""), "at A1:XFD1 (row mark)");
    other(row("", " p:mark=\"2\"", ""), "at A1 (c mark)");
    other(row("", "", "<p:mark a=\"1\"/>"), "at A1:XFD1 (row mark)");
    let marked = |inside: &str| row("", "", &format!("<mark>{inside}</mark>"));
    let notes = said(&marked("<w/>"), &marked("<w a=\"1\"><b/></w>"));
    assert_eq!(
        notes,
        ["sheet \"Data\": other content changed at A1:XFD1 (row mark)"]
    );
    for quiet in [
        " xr:uid=\"{1}\"",
        " x14ac:dyDescent=\"0.25\"",
        " xmlns:p=\"x\"",
    ] {
        assert!(said(&plain, &row(quiet, "", "")).is_empty(), "{quiet}");
        assert!(said(&plain, &row("", quiet, "")).is_empty(), "{quiet}");
    }
}

#[test]
fn numbers_of_records_count_by_what_they_refer_to() {
    let part = |blocks: [&str; 2]| {
        let block = |fields| format!("<bk><extLst><ext><p {fields}/></ext></extLst></bk>");
        format!(
            "<metadata><metadataTypes><metadataType name=\"X\"/></metadataTypes>\
             <futureMetadata name=\"X\">{}{}</futureMetadata>\
             <cellMetadata><bk><rc t=\"1\" v=\"0\"/></bk><bk><rc t=\"1\" v=\"1\"/></bk></cellMetadata></metadata>",
            block(blocks[0]),
            block(blocks[1])
        )
    };
    let small = |number: u32, blocks: [&str; 2]| {
        let mut small = book(&format!(
            r#"<row r="1"><c r="A1" cm="{number}"><v>7</v></c></row>"#
        ));
        let rels = "xl/_rels/workbook.xml.rels";
        let one = "<Relationship Id=\"rId99\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/sheetMetadata\" Target=\"metadata.xml\"/></Relationships>";
        small = small.with(rels, "</Relationships>", one);
        small.put("xl/metadata.xml", &part(blocks));
        small
    };
    let (ab, ba) = (["a=\"1\"", "b=\"1\""], ["b=\"1\"", "a=\"1\""]);
    let cell = "sheet \"Data\": other content changed at A1 (dynamic array)";
    let is_said = |notes: Vec<String>| notes.iter().any(|note| note == cell);
    assert_eq!(said(&small(1, ab), &small(2, ab)), [cell]);
    assert!(!is_said(said(&small(1, ab), &small(2, ba))));
    assert!(is_said(said(&small(1, ab), &small(1, ba))));
}
