//! Our scanner and calamine read the same.

use crate::parts::{Parts, sheet, shown, styles};
use calamine::{DataRef, Reader, Xlsx};
use mvdiff_grid::{ReadOptions, Value, read_workbook};
use proptest::prelude::*;
use rust_xlsxwriter::{Format, Formula, Workbook as Writer};
use std::io::Cursor;

/// A cell as XML, one of many ways to write it.
fn cell() -> impl Strategy<Value = String> {
    let text = "[ a-c&<\u{e4}_]{0,6}".prop_map(|text| {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace("__", "_x0041_")
    });
    prop_oneof![
        Just(String::from("<c/>")),
        (-1e6..1e6).prop_map(|n: f64| format!("<c><v>{n}</v></c>")),
        (0u32..50_000).prop_map(|n| format!("<c s=\"1\"><v>{n}.25</v></c>")),
        (0u32..9).prop_map(|n| format!("<c s=\"2\" t=\"n\"><v>{n}</v></c>")),
        (0u32..3).prop_map(|n| format!("<c t=\"s\"><v>{n}</v></c>")),
        any::<bool>().prop_map(|is| format!("<c t=\"b\"><v>{}</v></c>", u8::from(is))),
        Just(String::from("<c t=\"e\"><v>#N/A</v></c>")),
        text.clone().prop_map(|text| format!(
            "<c t=\"str\"><f>A{}&amp;1</f><v>{text}</v></c>",
            text.len() + 1
        )),
        text.clone()
            .prop_map(|text| format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>")),
        text.prop_map(|text| {
            format!("<c t=\"inlineStr\">\n<is><t xml:space=\"preserve\">{text}</t> </is></c>")
        }),
        Just(String::from("<c><f>NOW()</f></c>")),
        Just(String::from("<c><f t=\"shared\" si=\"0\"/><v>1</v></c>")),
        Just(String::from("<c><v>abc</v></c>")),
        Just(String::from("<c t=\"s\"><v></v></c>")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn the_scanner_reads_what_calamine_reads(rows in prop::collection::vec(prop::collection::vec(cell(), 0..6), 0..8)) {
        let first = "<row><c><f t=\"shared\" si=\"0\" ref=\"A1:Z99\">B2+$A$1+SUM(C:C)</f><v>1</v></c></row>";
        let rows: String = rows.iter().map(|cells| format!("<row>{}</row>", cells.concat())).collect();
        let plain = sheet(&format!("{first}{rows}"));
        let unusual = plain.replace("<sheetData>", "<sheetData><?calamine?>");
        let strings = "<si><t>zero</t></si><si><t> o&amp;n\ne </t></si><si><r><t>t</t></r><r><t>wo</t></r></si>";
        let read = |sheet: &str| {
            Parts::with_sheet(sheet).strings(strings).set("xl/styles.xml", styles(&[0, 22, 46])).cells()
        };
        prop_assert_eq!(read(&plain), read(&unusual));
    }
}

#[test]
fn what_another_library_writes_is_read_as_calamine_reads_it() {
    let mut writer = Writer::new();
    let date = Format::new().set_num_format("yyyy-mm-dd hh:mm");
    let hours = Format::new().set_num_format("[h]:mm");
    for s in 0..3u32 {
        let sheet = writer.add_worksheet();
        for row in 0..200u32 {
            let number = f64::from(row * 7 + s) / 3.0;
            sheet.write_number(row, 0, number).unwrap();
            sheet
                .write_string(row, 1, format!("text {} <&> \u{e4}", row % 17))
                .unwrap();
            sheet
                .write_number_with_format(row, 2, 40_000.0 + number, &date)
                .unwrap();
            sheet
                .write_number_with_format(row, 3, number, &hours)
                .unwrap();
            sheet.write_boolean(row, 4, row % 2 == 0).unwrap();
            let formula = Formula::new(format!("=A{}*2&\"<\"", row + 1)).set_result("12<");
            sheet.write_formula(row, 5, formula).unwrap();
            sheet
                .write_formula(row, 6, Formula::new("=1/0").set_result("#DIV/0!"))
                .unwrap();
            sheet.write_blank(row, 7, &date).unwrap();
        }
    }
    let bytes = writer.save_to_buffer().unwrap();
    let ours = read_workbook(&bytes, None, &ReadOptions::default()).unwrap();
    let mut theirs = Xlsx::new(Cursor::new(&bytes)).unwrap();
    for sheet in &ours.sheets {
        let grid = sheet.grid().unwrap();
        let mut seen = 0;
        let mut cells = theirs.worksheet_cells_reader(&sheet.name).unwrap();
        while let Some(cell) = cells.next_cell_with_formula().unwrap() {
            let at = mvdiff_grid::Address::new(cell.pos.0, cell.pos.1);
            let Some(own) = grid.cell(at) else {
                assert_eq!((&cell.value, &cell.formula), (&DataRef::Empty, &None));
                continue;
            };
            seen += 1;
            let same = match (own.value, &cell.value) {
                (Value::Number(a), DataRef::Float(b)) => a == *b,
                (Value::Text(a), DataRef::SharedString(b)) => a == *b,
                (Value::Text(a), DataRef::String(b)) => a == b,
                (Value::Bool(a), DataRef::Bool(b)) => a == *b,
                (Value::Date(a), DataRef::DateTime(b)) => b.is_datetime() && a == b.as_f64(),
                (Value::Duration(a), DataRef::DateTime(b)) => b.is_duration() && a == b.as_f64(),
                (Value::Error(a), DataRef::Error(b)) => a.as_str() == b.to_string(),
                _ => false,
            };
            assert!(same, "{own:?} {cell:?}");
            let formula = cell.formula.map(|formula| format!("={formula}"));
            assert_eq!(own.formula, formula.as_deref());
        }
        assert_eq!(seen, grid.cell_count());
        assert_eq!(seen, 7 * 200, "{}", shown(grid)[0]);
    }
}
