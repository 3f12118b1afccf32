//! Number formats as programs write them: numbers that a file defines anew, empty codes,
//! numbers that nothing defines, prefixes.

use super::package::Package;
use super::whole::{compared, is_same, patched, replays};

const STYLES: &str = "xl/styles.xml";
const SHEET: &str = "xl/worksheets/sheet1.xml";

fn base() -> Package {
    let mut base = Package::small();
    base.put(
        SHEET,
        r#"<worksheet><sheetData><row r="1"><c r="A1" s="1"><v>45000</v></c><c r="B1" s="2"><v>45001</v></c><c r="C1"><v>7</v></c></row></sheetData></worksheet>"#,
    );
    base
}

/// A workbook with these formats, and styles that refer to these numbers.
fn formats(defined: &str, ids: [u32; 3]) -> Package {
    let mut book = base();
    let [a, b, c] = ids;
    book.put(
        STYLES,
        &format!(
            r#"<styleSheet><numFmts count="9">{defined}</numFmts><fonts count="2"><font><sz val="11"/></font><font><b/><sz val="11"/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="{a}"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="{a}" fontId="0"/><xf numFmtId="{b}" fontId="0"/><xf numFmtId="{c}" fontId="1"/></cellXfs></styleSheet>"#
        ),
    );
    book
}

fn format(id: u32, code: &str) -> String {
    format!("<numFmt numFmtId=\"{id}\" formatCode=\"{code}\"/>")
}

#[test]
fn formats_survive_whatever_their_numbers_mean() {
    let books = [
        ("plain", formats("", [0, 14, 2])),
        ("14 is defined", formats(&format(14, "0.0"), [0, 14, 14])),
        (
            "14 and 15 are other dates",
            formats(&(format(14, "dd.mm.") + &format(15, "mm/yy")), [0, 15, 14]),
        ),
        ("0 is defined", formats(&format(0, "0.0%"), [0, 14, 0])),
        ("0 is a date", formats(&format(0, "yyyy"), [1, 0, 15])),
        (
            "defined twice",
            formats(&(format(170, "yyyy") + &format(170, "0.0")), [0, 170, 14]),
        ),
        (
            "the last number",
            formats(&format(u32::MAX, "yy"), [0, u32::MAX, 16]),
        ),
        ("local ones", formats("", [5, 27, 44])),
    ];
    for (name, old) in &books {
        for (other, new) in &books {
            if name != other {
                replays(old, new, &format!("{name} -> {other}"));
            }
        }
    }
}

#[test]
fn an_empty_code_and_a_number_that_nothing_defines_are_general() {
    let plain = formats("", [0, 0, 0]).bytes();
    for other in [
        formats(&format(0, ""), [0, 0, 0]),
        formats("", [0, 200, 0]),
        formats(&format(180, ""), [0, 180, 0]),
    ] {
        let report = compared(&plain, &other.bytes());
        assert!(report.ops.is_empty(), "{:?}", report.ops);
    }
}

#[test]
fn styles_are_added_to_a_part_with_prefixes() {
    let old = formats(&format(170, "0.000"), [0, 170, 0]);
    let mut prefixed = old.clone();
    prefixed.put(
        STYLES,
        r#"<x:styleSheet xmlns:x="urn:x"><x:numFmts count="1"><x:numFmt numFmtId="170" formatCode="0.000"/></x:numFmts><x:fonts count="2"><x:font><x:sz val="11"/></x:font><x:font><x:b/><x:sz val="11"/></x:font></x:fonts><x:fills count="1"><x:fill/></x:fills><x:borders count="1"><x:border/></x:borders><x:cellXfs count="3"><x:xf numFmtId="0" fontId="0"/><x:xf numFmtId="170" fontId="0"/><x:xf numFmtId="0" fontId="1"/></x:cellXfs></x:styleSheet>"#,
    );
    let new = formats(&format(170, "0.000"), [0, 14, 22]);
    replays(&prefixed, &new, "prefixes");
    let styles = super::whole::part_bytes(
        &patched(
            &prefixed.bytes(),
            &compared(&prefixed.bytes(), &new.bytes()),
        ),
        STYLES,
    );
    let styles = String::from_utf8(styles.unwrap()).unwrap();
    assert!(!styles.contains("x:x:"), "{styles}");
}

#[test]
fn another_default_font_is_a_change_of_cells_that_say_nothing() {
    let old = formats("", [0, 0, 0]);
    let new = old.with(
        STYLES,
        "<font><sz val=\"11\"/></font>",
        "<font><sz val=\"11\"/><name val=\"Arial\"/></font>",
    );
    let report = replays(&old, &new, "font");
    let said = format!("{:?}", report.ops);
    assert!(said.contains("C1"), "a cell without a style: {said}");
}

/// A workbook whose sheet is this.
fn sheet(xml: &str) -> Package {
    let mut package = Package::small();
    package.put(SHEET, &format!("<worksheet>{xml}</worksheet>"));
    package
}

#[test]
fn what_nobody_can_see_is_not_a_change() {
    let base = sheet(
        r#"<sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr defaultColWidth="8.6640625" defaultRowHeight="15"/><cols><col min="1" max="1" width="20.03" customWidth="1"/></cols><sheetData><row r="1" ht="79.125" customHeight="1"><c r="A1" s="2"><v>1</v></c></row></sheetData>"#,
    );
    for (part, from, to) in [
        // A second window, closed since; sizes in whole pixels of another screen; hints.
        (
            SHEET,
            "</sheetViews>",
            "<sheetView workbookViewId=\"1\"/></sheetViews>",
        ),
        (SHEET, "8.6640625", "8.7109375"),
        (SHEET, "20.03", "20.04"),
        (SHEET, "79.125", "79.1875"),
        (
            STYLES,
            "<font><b/><sz",
            "<font><b/><family val=\"2\"/><charset val=\"1\"/><sz",
        ),
    ] {
        let other = base.clone().with(part, from, to);
        is_same(&base.bytes(), &other.bytes(), to);
        is_same(&other.bytes(), &base.bytes(), from);
    }
}

#[test]
fn columns_that_come_in_at_the_edge_are_as_the_last_one() {
    let rows = |cells: &[&str]| -> String {
        let row = |at: usize| -> String {
            let cell = |(col, text): (usize, &&str)| {
                let letter = char::from(b'A' + u8::try_from(col).unwrap());
                format!("<c r=\"{letter}{at}\" t=\"str\"><v>{text}{at}</v></c>")
            };
            cells.iter().enumerate().map(cell).collect()
        };
        let rows = (1..7).map(|at| format!("<row r=\"{at}\">{}</row>", row(at)));
        rows.collect::<Vec<_>>().concat()
    };
    let book = |first: u32, cells: &[&str]| {
        let cols = format!("<col min=\"{first}\" max=\"16384\" width=\"8.85546875\"/>");
        sheet(&format!(
            "<cols><col min=\"1\" max=\"{}\" width=\"36\" customWidth=\"1\"/>{cols}</cols><sheetData>{}</sheetData>",
            first - 1,
            rows(cells)
        ))
    };
    let old = book(4, &["id", "name", "gone", "rest"]);
    let report = replays(&old, &book(3, &["id", "name", "rest"]), "a column went");
    assert_eq!(report.ops.len(), 1, "{:?}", report.ops);
}

#[test]
fn cells_of_a_row_with_a_style_lose_it() {
    let book = |style: &str, cell: &str| {
        sheet(&format!(
            "<sheetData><row r=\"1\" s=\"2\" customFormat=\"1\"><c r=\"A1\" s=\"{style}\"><v>1</v></c>{cell}<c r=\"C1\" s=\"{style}\"><v>2</v></c></row></sheetData>"
        ))
    };
    replays(&book("2", ""), &book("0", "<c r=\"B1\"/>"), "a row's style");
}
