//! What must be refused, each with the part, what is wrong and what to do; and what
//! looks wrong and is right.

use crate::parts::{Parts, sheet};
use mvdiff_grid::{Limit, Limits, ReadError, ReadOptions, read_workbook};
use proptest::prelude::*;
use std::path::Path;

const SHEET: &str = "xl/worksheets/sheet1.xml";
const ONE: &str = "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row>";

fn refused(parts: &Parts, says: &[&str]) {
    let error = parts.error();
    for word in says {
        assert!(error.contains(word), "{word:?} is not in {error:?}");
    }
}

/// The same sheet so that the scanner leaves it to calamine.
fn unusual(rows: &str) -> Parts {
    Parts::with_sheet(&sheet(rows).replace("<sheetData>", "<sheetData><?calamine?>"))
}

#[test]
fn addresses_outside_a_sheet_are_refused_by_both_readers() {
    for (rows, says) in [
        (
            "<row r=\"2000000\"><c r=\"A2000000\"><v>1</v></c></row>",
            "row 2000000",
        ),
        (
            "<row r=\"4294967295\"><c><v>1</v></c></row><row><c><v>2</v></c></row>",
            "row 4294967295",
        ),
        ("<row r=\"0\"><c r=\"A0\"><v>1</v></c></row>", "row 0"),
        (
            "<row r=\"1\"><c r=\"ZZZZZZZZZZ1\"><v>1</v></c></row>",
            "ZZZZZZZZZZ1",
        ),
        ("<row r=\"1\"><c r=\"XFE1\"><v>1</v></c></row>", "XFE1"),
        ("<row r=\"1\"><c r=\"$A$1\"><v>1</v></c></row>", "$A$1"),
        ("<row><c r=\"A1048577\"><v>1</v></c></row>", "A1048577"),
        ("<row r=\"1048576\"/><row><c><v>1</v></c></row>", "A1048577"),
        ("<row r=\"1\"><c r=\"XFD1\"/><c><v>1</v></c></row>", "XFE1"),
    ] {
        refused(&Parts::with_rows(rows), &[SHEET, says, "XFD1048576"]);
        refused(&unusual(rows), &[SHEET, says, "XFD1048576"]);
    }
    let elsewhere = "<row r=\"5\"><c r=\"A7\"><v>1</v></c></row>";
    refused(&Parts::with_rows(elsewhere), &["cell A7", "row 5"]);
    refused(&unusual(elsewhere), &["cell A7", "row 5"]);
}

#[test]
fn a_cell_that_is_there_twice_is_refused_by_both_readers() {
    let rows =
        "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"1\"><c r=\"A1\"><v>2</v></c></row>";
    refused(&Parts::with_rows(rows), &[SHEET, "cell A1", "twice"]);
    refused(&unusual(rows), &[SHEET, "cell A1", "twice"]);
}

#[test]
fn shared_texts_that_are_not_there_are_refused_by_both_readers() {
    for index in ["1", "-1", "99999999999999999999999", "x"] {
        let rows = format!("<row r=\"1\"><c r=\"A1\" t=\"s\"><v>{index}</v></c></row>");
        for parts in [Parts::with_rows(&rows), unusual(&rows)] {
            refused(
                &parts.strings("<si><t>a</t></si>"),
                &[SHEET, "cell A1", index],
            );
        }
        refused(&Parts::with_rows(&rows), &[SHEET, "cell A1", index]);
    }
}

#[test]
fn values_that_their_type_cannot_hold_are_refused() {
    for (cell, says) in [
        ("t=\"b\"><v>maybe</v>", "maybe"),
        ("t=\"n\"><v>abc</v>", "abc"),
        ("t=\"e\"><v>#WAT!</v>", "#WAT!"),
        ("t=\"zzz\"><v>1</v>", "zzz"),
        ("t=\"d\"><v>2020-99-99</v>", "2020-99-99"),
    ] {
        let rows = format!("<row r=\"1\"><c r=\"A1\" {cell}</c></row>");
        refused(&Parts::with_rows(&rows), &[SHEET, "cell A1", says]);
    }
}

#[test]
fn what_calamine_would_read_as_nothing_is_refused() {
    for value in [
        "<v><![CDATA[1]]></v>",
        "<v>1<!-- -->2</v>",
        "<v>&#49;</v>",
        "<f>1<?x?>+1</f><v>2</v>",
    ] {
        let rows = format!("<row r=\"1\"><c r=\"A1\">{value}</c></row>");
        refused(&unusual(&rows), &[SHEET, "cell A1"]);
    }
}

#[test]
fn broken_parts_are_refused_by_name() {
    let good = Parts::with_rows(ONE);
    refused(
        &good.clone().without("xl/workbook.xml"),
        &["xl/workbook.xml", "missing"],
    );
    refused(&good.clone().without(SHEET), &[SHEET, "missing"]);
    refused(
        &good
            .clone()
            .book("<sheet name=\"S\" sheetId=\"1\" r:id=\"rId1\"/>", ""),
        &["no sheet"],
    );
    let twice = "<sheets><sheet name=\"S\" sheetId=\"2\" r:id=\"rId2\"/>";
    refused(
        &good.clone().book("<sheets>", twice),
        &["xl/workbook.xml", "\"S\""],
    );
    refused(
        &good.clone().book("rId1", "rId9"),
        &["xl/workbook.xml", "rId9"],
    );
    refused(&good.clone().set(SHEET, ""), &[SHEET]);
    refused(
        &good
            .clone()
            .set(SHEET, "<worksheet><sheetData><row r=\"1\"><c r=\"A1\"><v>1"),
        &[SHEET],
    );
    refused(
        &good.clone().set(SHEET, b"<worksheet>\xff\xfe</worksheet>"),
        &[SHEET, "UTF-8"],
    );
    let out = "../../../../etc/passwd";
    let rels = "xl/_rels/workbook.xml.rels";
    refused(
        &good.clone().edit(rels, "worksheets/sheet1.xml", out),
        &["missing"],
    );
    let cycle = good
        .clone()
        .edit(rels, "worksheets/sheet1.xml", "workbook.xml");
    refused(&cycle, &["xl/workbook.xml", "worksheet"]);
    refused(
        &good.set("xl/workbook.xml", "<workbook><sheets>"),
        &["xl/workbook.xml"],
    );
}

#[test]
fn texts_may_not_bring_entities_of_their_own() {
    let rows = "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c></row>";
    let laughs =
        "<!DOCTYPE s [<!ENTITY a \"&b;&b;\"><!ENTITY b \"&a;\">]><sst><si><t>&a;</t></si></sst>";
    let file =
        "<!DOCTYPE s [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><sst><si><t>&a;</t></si></sst>";
    for strings in [laughs, file] {
        let parts = Parts::with_rows(rows).set("xl/sharedStrings.xml", strings);
        refused(&parts, &["xl/sharedStrings.xml", "&a;"]);
    }
}

#[test]
fn what_is_announced_is_not_believed() {
    let rows = "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c></row>";
    for count in ["4000000000", "18446744073709551615"] {
        let strings = format!("<sst uniqueCount=\"{count}\"><si><t>a</t></si></sst>");
        let parts = Parts::with_rows(rows).set("xl/sharedStrings.xml", strings);
        refused(&parts, &["xl/sharedStrings.xml", count]);
    }
    // A sheet's extent and a formula's number cost nothing.
    let lies = sheet(ONE).replace(
        "<sheetData>",
        "<dimension ref=\"A1:XFD1048576\"/><sheetData>",
    );
    assert_eq!(Parts::with_sheet(&lies).cells(), ["A1 1"]);
    let shared = "<row r=\"1\"><c r=\"A1\"><f t=\"shared\" si=\"4000000000\" ref=\"A1:A2\">B1</f><v>1</v></c></row>";
    assert_eq!(Parts::with_rows(shared).cells(), ["A1 1 =B1"]);
    assert_eq!(unusual(shared).cells(), ["A1 1 =B1"]);
}

#[test]
fn two_cells_in_far_corners_are_two_cells() {
    let rows = "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row>\
        <row r=\"1048576\"><c r=\"XFD1048576\"><v>2</v></c></row>";
    assert_eq!(Parts::with_rows(rows).cells(), ["A1 1", "XFD1048576 2"]);
    assert_eq!(unusual(rows).cells(), ["A1 1", "XFD1048576 2"]);
}

#[test]
fn every_limit_is_named_with_its_option() {
    let text = "x".repeat(40_000);
    let rows = format!(
        "<row r=\"1\"><c r=\"A1\" t=\"str\"><f t=\"shared\" si=\"0\" ref=\"A1:A2\">B1&amp;\"{text}\"</f><v>{text}</v></c></row>\
         <row r=\"2\"><c r=\"A2\"><f t=\"shared\" si=\"0\"/><v>1</v></c></row>"
    );
    let zip = Parts::with_rows(&rows).zip();
    let least = |limit: Limit, limits: Limits| {
        let options = ReadOptions {
            limits,
            ..ReadOptions::default()
        };
        let error = read_workbook(&zip, None, &options).unwrap_err();
        assert!(
            matches!(&error, ReadError::Limit { limit: of, .. } if *of == limit),
            "{error}"
        );
        assert!(error.to_string().contains(limit.flag()), "{error}");
    };
    let all = Limits::default();
    for limit in Limit::ALL {
        let limits = match limit {
            Limit::Entries => Limits {
                entries: 4,
                ..all.clone()
            },
            Limit::Inflated => Limits {
                inflated: 1_000,
                ..all.clone()
            },
            Limit::Part => Limits {
                part: 1_000,
                ..all.clone()
            },
            Limit::Cells => Limits {
                cells: 1,
                ..all.clone()
            },
            Limit::Text => Limits {
                text: 70_000,
                ..all.clone()
            },
            Limit::SharedFormulas => Limits {
                shared_formulas: 1_000,
                ..all.clone()
            },
            Limit::Ratio => continue,
        };
        least(limit, limits);
    }
    let padded = sheet(&" ".repeat(3 << 20));
    let bomb = Parts::with_sheet(&padded);
    refused(&bomb, &[SHEET, "--max-ratio", "200"]);
    let lifted = ReadOptions {
        limits: Limits {
            ratio: 100_000,
            ..all
        },
        ..ReadOptions::default()
    };
    assert!(read_workbook(&bomb.zip(), None, &lifted).is_ok());
}

#[test]
fn deep_and_wide_elements_neither_break_nor_take_long() {
    let lifted = ReadOptions {
        limits: Limits {
            ratio: u64::MAX,
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    let deep = format!(
        "<row r=\"1\"><c r=\"A1\">{}{}</c></row>",
        "<a>".repeat(300_000),
        "</a>".repeat(300_000)
    );
    let zip = Parts::with_rows(&deep).zip();
    assert!(read_workbook(&zip, None, &lifted).is_err());
    let attributes: String = (0..100_000).map(|i| format!(" a{i}=\"1\"")).collect();
    let wide = format!("<row r=\"1\"><c r=\"A1\"{attributes}><v>1</v></c></row>");
    for parts in [Parts::with_rows(&wide), unusual(&wide)] {
        assert!(read_workbook(&parts.zip(), None, &lifted).is_ok());
    }
}

#[test]
fn archives_that_lie_are_refused() {
    let good = Parts::with_rows(ONE).zip();
    let read =
        |bytes: &[u8]| read_workbook(bytes, Some(Path::new("a.xlsx")), &ReadOptions::default());
    // Cut off anywhere, or changed anywhere: an error or the same answer, no panic.
    for end in 0..good.len() {
        assert!(read(&good[..end]).is_err(), "cut at {end}");
    }
    for i in 0..good.len() {
        let mut bytes = good.clone();
        bytes[i] ^= 0x55;
        let _ = read(&bytes);
    }
    let mut twice = good.clone();
    let directory = twice.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    let extra = twice[directory..].to_vec();
    let last = extra.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap();
    let end = extra.windows(4).rposition(|w| w == b"PK\x05\x06").unwrap();
    let entry = extra[last..end].to_vec();
    let tail = twice.split_off(directory + end);
    twice.extend_from_slice(&entry);
    let mut tail = tail;
    let count = u16::from_le_bytes([tail[10], tail[11]]) + 1;
    tail[8..10].copy_from_slice(&count.to_le_bytes());
    tail[10..12].copy_from_slice(&count.to_le_bytes());
    let size = u32::from_le_bytes([tail[12], tail[13], tail[14], tail[15]]) + entry.len() as u32;
    tail[12..16].copy_from_slice(&size.to_le_bytes());
    twice.extend_from_slice(&tail);
    let error = read(&twice).unwrap_err();
    assert!(
        matches!(&error, ReadError::DuplicatePart { part } if part == SHEET),
        "{error}"
    );
}

/// What may be put anywhere into a sheet.
const PIECES: [&str; 24] = [
    "<",
    ">",
    "\"",
    "'",
    "&",
    "&amp;",
    "&#0;",
    "&#x110000;",
    "<c",
    "</c>",
    "<row",
    "</row>",
    "<v>",
    "</v>",
    "<f",
    "</f>",
    "<is>",
    "<t>",
    "<!--",
    "]]>",
    "</sheetData>",
    "\u{e4}",
    "\u{0}",
    "r=\"A1\"",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]
    #[test]
    fn no_sheet_breaks_the_reader(changes in prop::collection::vec((0usize..400, 0usize..8, 0usize..PIECES.len()), 1..5)) {
        let rows = "<row r=\"1\"><c r=\"A1\" s=\"1\"><f t=\"shared\" si=\"0\" ref=\"A1:A2\">B1</f><v>1</v></c>\
            <c r=\"B1\" t=\"inlineStr\"><is><t xml:space=\"preserve\"> a&amp;</t></is></c></row>\
            <row r=\"2\"><c r=\"A2\" t=\"str\"><f t=\"shared\" si=\"0\"/><v>\u{e4}</v></c><c r=\"C2\" t=\"s\"><v>0</v></c></row>";
        let mut sheet = sheet(rows).replace("</worksheet>", "<mergeCells><mergeCell ref=\"A1:B2\"/></mergeCells></worksheet>").into_bytes();
        for (at, remove, piece) in changes {
            let at = at.min(sheet.len());
            let end = (at + remove).min(sheet.len());
            sheet.splice(at..end, PIECES[piece].bytes());
        }
        let parts = Parts::with_rows("").strings("<si><t>a</t></si>").set(SHEET, sheet.clone());
        let _ = parts.read();
        // The same as texts, as styles and as a workbook.
        for part in ["xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml", "_rels/.rels"] {
            let _ = Parts::with_rows(rows).set(part, sheet.clone()).read();
        }
    }
}
