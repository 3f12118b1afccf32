//! What a workbook says, as it is read.

use crate::parts::{Parts, at, sheet, styles};
use mvdiff_grid::{Area, Content, OtherSheet, Visibility};

#[test]
fn every_type_of_cell_is_read() {
    let rows = "<row r=\"1\" spans=\"1:3\"><c r=\"A1\"><v>1.5</v></c><c r=\"B1\" t=\"s\"><v>1</v></c>\
        <c r=\"C1\" t=\"b\"><v>1</v></c><c r=\"D1\" t=\"e\"><v>#SPILL!</v></c>\
        <c r=\"E1\" t=\"str\"><f>\"a\"&amp;B1</f><v>a&amp;b_x000D_</v></c>\
        <c r=\"F1\" t=\"inlineStr\"><is><t xml:space=\"preserve\"> in </t></is></c>\
        <c r=\"G1\" t=\"d\"><v>2026-11-16T09:30:00Z</v></c><c r=\"H1\"><f>NOW()</f></c>\
        <c r=\"I1\" s=\"1\"><v>45943.5</v></c><c r=\"J1\" s=\"2\"><v>1.25</v></c><c r=\"K1\" s=\"1\"/>\
        <c r=\"L1\" s=\"99\"><v>7</v></c><c r=\"M1\"><v>1e999</v></c><c r=\"N1\"><v/></c></row>";
    let parts = Parts::with_rows(rows)
        .strings("<si><t>zero</t></si><si><r><t>o</t></r><r><t>ne</t></r></si>")
        .set("xl/styles.xml", styles(&[0, 14, 46]));
    let workbook = parts.read().unwrap();
    let expected = [
        "A1 1.5",
        "B1 \"one\"",
        "C1 true",
        "D1 #SPILL!",
        "E1 \"a&b\\r\" =\"a\"&B1",
        "F1 \" in \"",
        "G1 2026-11-16T09:30:00",
        "H1 - =NOW()",
        "I1 2025-10-13T12:00:00",
        "J1 1.25d",
        "L1 7",
        "M1 #NUM!",
    ];
    assert_eq!(
        crate::parts::shown(workbook.sheets[0].grid().unwrap()),
        expected
    );
    assert_eq!(workbook.notes.len(), 1, "{:?}", workbook.notes);
}

#[test]
fn both_date_systems_give_the_same_days() {
    let rows = |days: [f64; 4]| {
        let cells = days
            .map(|day| format!("<c s=\"1\"><v>{day}</v></c>"))
            .concat();
        format!("<row>{cells}</row>")
    };
    let plain = Parts::with_rows(&rows([45_943.5, 60.0, 0.25, 3_000_000.0]));
    let plain = plain.set("xl/styles.xml", styles(&[0, 14]));
    let shifted = Parts::with_rows(&rows([44_481.5, 1.0, 0.25, -1.0]));
    let shifted = shifted
        .set("xl/styles.xml", styles(&[0, 14]))
        .book("<sheets>", "<workbookPr date1904=\"1\"/><sheets>");
    let expected = [
        "A1 2025-10-13T12:00:00",
        "B1 1900-02-29",
        "C1 06:00:00",
        "D1 3000000",
    ];
    assert_eq!(plain.cells(), expected);
    let expected = [
        "A1 2025-10-13T12:00:00",
        "B1 1904-01-02",
        "C1 06:00:00",
        "D1 -1",
    ];
    assert_eq!(shifted.cells(), expected);
}

#[test]
fn shared_formulas_are_written_out() {
    let rows = "<row r=\"2\"><c r=\"B2\"><f t=\"shared\" ref=\"B2:C3\" si=\"0\">A1+'Q1'!$A1+LOG10(2)</f><v>1</v></c>\
        <c r=\"C2\"><f t=\"shared\" si=\"0\"/><v>1</v></c></row>\
        <row r=\"3\"><c r=\"B3\"><f t=\"shared\" si=\"0\"/></c><c r=\"C3\"><f t=\"shared\" si=\"1\"/><v>5</v></c></row>\
        <row r=\"4\"><c r=\"A4\"><f t=\"array\" ref=\"A4:A5\">SUM(A1:A3*2)</f><v>3</v></c></row>";
    let parts = Parts::with_rows(rows);
    let expected = [
        "B2 1 =A1+'Q1'!$A1+LOG10(2)",
        "C2 1 =B1+'Q1'!$A1+LOG10(2)",
        "B3 - =A2+'Q1'!$A2+LOG10(2)",
        "C3 5",
        "A4 3 =SUM(A1:A3*2)",
    ];
    assert_eq!(parts.cells(), expected);
    let notes = parts.read().unwrap().notes;
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].kind, "shared_formula");
}

#[test]
fn merges_names_and_hidden_sheets_are_read() {
    let regions = sheet("").replace(
        "</sheetData>",
        "</sheetData><mergeCells count=\"2\"><mergeCell ref=\"C3:D4\"/><mergeCell ref=\"B2:A1\"/></mergeCells>",
    );
    let parts = Parts::with_sheet(&regions)
        .set("xl/worksheets/sheet2.xml", sheet(""))
        .book(
            "</sheets>",
            "<sheet name=\"Two &amp; more\" sheetId=\"2\" state=\"veryHidden\" r:id=\"rId2\"/>\
             <sheet name=\"Chart\" sheetId=\"3\" state=\"hidden\" r:id=\"rId3\"/></sheets>\
             <definedNames><definedName name=\"Tax\">S!$A$1&amp;\"x\"</definedName>\
             <definedName name=\"Tax\" localSheetId=\"1\">0.2</definedName>\
             <definedName name=\"_xlnm.Print_Area\" localSheetId=\"0\">S!$A$1</definedName>\
             <definedName name=\"Lost\" localSheetId=\"9\">1</definedName></definedNames>",
        );
    let workbook = parts.read().unwrap();
    let merges = [("A1", "B2"), ("C3", "D4")].map(|(a, b)| Area {
        first: at(a),
        last: at(b),
    });
    assert_eq!(workbook.sheets[0].merges, merges);
    let sheets: Vec<_> = workbook
        .sheets
        .iter()
        .map(|s| (s.name.as_str(), s.visibility))
        .collect();
    let expected = [
        ("S", Visibility::Visible),
        ("Two & more", Visibility::VeryHidden),
        ("Chart", Visibility::Hidden),
    ];
    assert_eq!(sheets, expected);
    assert!(matches!(
        workbook.sheets[2].content,
        Content::Other(OtherSheet::Chart)
    ));
    let names: Vec<_> = workbook
        .names
        .iter()
        .map(|n| (n.name.as_str(), n.sheet.as_deref(), n.refers_to.as_str()))
        .collect();
    let expected = [
        ("Tax", None, "S!$A$1&\"x\""),
        ("Tax", Some("Two & more"), "0.2"),
        ("Lost", None, "1"),
    ];
    assert_eq!(names, expected);
    assert_eq!(workbook.notes[0].kind, "name_scope");
}

#[test]
fn what_is_written_oddly_is_read_as_well() {
    let expected = ["A1 1", "C1 \"x\" =1", "A2 2"];
    let rows = "<row r=\"1\"><c r=\"A1\"><v>1</v></c><c r=\"C1\" t=\"str\"><f>1</f><v>x</v></c></row>\
        <row r=\"2\"><c r=\"A2\"><v>2</v></c></row>";
    let plain = sheet(rows);
    assert_eq!(Parts::with_sheet(&plain).cells(), expected);
    // Other quotes, blanks between, a byte order mark, positions left out.
    let spaced = plain.replace('"', "'").replace("><", ">\r\n  <");
    assert_eq!(Parts::with_sheet(&spaced).cells(), expected);
    assert_eq!(
        Parts::with_sheet(&format!("\u{feff}{plain}")).cells(),
        expected
    );
    let counted =
        "<row><c><v>1</v></c><c/><c t=\"str\"><f>1</f><v>x</v></c></row><row><c><v>2</v></c></row>";
    assert_eq!(Parts::with_rows(counted).cells(), expected);
    // A prefix, a comment, a CDATA section, another encoding.
    let mut prefixed = plain.replace("</", "</x:").replace("xmlns=", "xmlns:x=");
    for name in ["worksheet", "sheetData", "row", "c", "v", "f"] {
        for end in [" ", ">"] {
            prefixed = prefixed.replace(&format!("<{name}{end}"), &format!("<x:{name}{end}"));
        }
    }
    assert_eq!(Parts::with_sheet(&prefixed).cells(), expected);
    let commented = plain.replace("<row r=\"2\">", "<!-- <row> --><row r=\"2\">");
    assert_eq!(Parts::with_sheet(&commented).cells(), expected);
    let hidden = plain.replace(
        "<sheetData>",
        "<!-- <sheetData><row><c><v>9</v></c></row> --><sheetData>",
    );
    assert_eq!(Parts::with_sheet(&hidden).cells(), expected);
    let instructed = plain.replace("<sheetData>", "<sheetData><?who knows?>");
    assert_eq!(Parts::with_sheet(&instructed).cells(), expected);
    let section = plain
        .replace("<v>x</v>", "<v><!-- y --><![CDATA[x]]></v>")
        .replace("<v>1</v>", "<v>&#49;</v>");
    assert_eq!(Parts::with_sheet(&section).cells(), expected);
    let utf16 = plain.replace("UTF-8", "UTF-16");
    let utf16: Vec<u8> = format!("\u{feff}{utf16}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let part = "xl/worksheets/sheet1.xml";
    assert_eq!(Parts::with_sheet(&plain).set(part, utf16).cells(), expected);
    let latin = plain
        .replace("UTF-8", "ISO-8859-1")
        .replace(">x<", ">\u{1}<")
        .into_bytes();
    let latin: Vec<u8> = latin
        .iter()
        .map(|b| if *b == 1 { 0xE4 } else { *b })
        .collect();
    let cells = Parts::with_sheet(&plain).set(part, latin).cells();
    assert_eq!(cells, ["A1 1", "C1 \"\u{e4}\" =1", "A2 2"]);
    // Rows and cells in any order.
    let turned = "<row r=\"2\"><c r=\"A2\"><v>2</v></c></row><row r=\"1\"><c r=\"C1\" t=\"str\"><f>1</f><v>x</v></c><c r=\"A1\"><v>1</v></c></row>";
    assert_eq!(Parts::with_rows(turned).cells(), expected);
}

#[test]
fn long_sheets_are_read_in_pieces() {
    // Rows beyond the size of a piece, and one row larger than a piece.
    let wide: String = (0..16_384)
        .map(|i| format!("<c><v>{i}</v><!--\u{e4}--></c>"))
        .collect();
    let wide = wide.replace("<!--\u{e4}-->", "<f>\"\u{e4}\"&amp;1</f>");
    let long: String = (2..20_001)
        .map(|r| {
            format!(
                "<row r=\"{r}\"><c r=\"A{r}\" t=\"inlineStr\"><is><t>\u{e4}{r}</t></is></c></row>"
            )
        })
        .collect();
    let parts = Parts::with_rows(&format!(
        "<row r=\"1\">{wide}</row>{long}<row r=\"20001\"/>"
    ));
    let workbook = parts.read().unwrap();
    let grid = workbook.sheets[0].grid().unwrap();
    assert_eq!((grid.row_count(), grid.col_count()), (20_000, 16_384));
    assert_eq!(grid.cell_count(), 16_384 + 19_999);
    let last = grid.cell(at("A20000")).unwrap();
    assert_eq!(last.value, mvdiff_grid::Value::Text("\u{e4}20000"));
}
