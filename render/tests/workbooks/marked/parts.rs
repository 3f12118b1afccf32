//! What the file holds beside values: links, notes, colours; and its bytes.

use super::{fixtures, highlighted, texts, uncalculated};
use mvdiff_grid::{Address, Area};
use std::io::{Cursor, Read as _};

/// All parts of the archive that are XML, with their names.
fn parts(bytes: &[u8]) -> Vec<(String, String)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    (0..archive.len())
        .map(|i| {
            let mut file = archive.by_index(i).unwrap();
            let mut text = String::new();
            file.read_to_string(&mut text).unwrap();
            (file.name().unwrap().into_owned(), text)
        })
        .collect()
}

fn all(bytes: &[u8], what: &str) -> String {
    let parts = parts(bytes).into_iter();
    let mine = parts.filter(|(name, _)| name.contains(what));
    mine.map(|(_, text)| text).collect()
}

fn fixture(name: &str) -> Vec<u8> {
    let (_, old, new) = fixtures().into_iter().find(|case| case.0 == name).unwrap();
    highlighted(&old, &new)
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    assert_eq!(fixture("many_changes"), fixture("many_changes"));
}

#[test]
fn nothing_leads_out_of_the_file() {
    let names = ["It's <b> & co", "http___x", "plain"];
    for name in names {
        let rows: [&[&str]; 3] = [&["id", "link"], &["1", "http://example.com"], &["2", "x"]];
        let (old, new) = (texts(name, &rows[..2]), texts(name, &rows));
        let bytes = highlighted(&old, &new);
        assert!(!all(&bytes, ".rels").contains("TargetMode"));
        let links = all(&bytes, "worksheets/sheet1.xml");
        let quoted = name.replace('\'', "''").replace('&', "&amp;");
        let quoted = quoted.replace('<', "&lt;").replace('>', "&gt;");
        let link = format!("location=\"'{quoted}'!D4\"");
        assert!(links.contains(&link), "{link} in {links}");
        assert!(!all(&bytes, "worksheets/sheet2.xml").contains("<hyperlink"));
    }
}

#[test]
fn colours_notes_and_marks_tell_what_happened() {
    let bytes = fixture("many_changes");
    let styles = all(&bytes, "styles.xml");
    for colour in ["FFD5F5DC", "FFFFE3E0", "FFFFF3B0", "FFE3E9FF"] {
        assert!(styles.contains(colour), "{colour}");
    }
    assert!(styles.contains("<strike"));
    let notes = all(&bytes, "comments");
    for note in [
        "was name",
        "was 1085\nwas at A13",
        "M2: moved from rows 6-9",
    ] {
        assert!(notes.contains(note), "{note:?} in {notes}");
    }
    let strings = all(&bytes, "sharedStrings");
    for mark in [
        "M2 from 6-9",
        "M2 to 26-29",
        "- H",
        "+ E",
        "M1 H (was C)",
        "M1 to H",
    ] {
        assert!(strings.contains(&format!(">{mark}<")), "{mark}");
    }
    let rect = fixture("rect_moved");
    assert!(all(&rect, "comments").contains("M1: moved from "));
}

#[test]
fn a_formula_without_a_value_gets_no_number() {
    let (old, new) = (uncalculated(&[3, 4], 2), uncalculated(&[3, 5], 2));
    let bytes = highlighted(&old, &new);
    let sheet = all(&bytes, "worksheets/sheet2.xml");
    assert!(sheet.contains("<f>D3*2</f><v></v>"), "{sheet}");
    assert!(sheet.contains("<f>SUM(E3:E4)</f><v></v>"), "{sheet}");
    // A removed row among those that are added up: nothing that is calculated then
    // could be relied on, so the formulas are shown.
    let numbers = [3, 40, 500, 6_000, 70_000];
    let (old, new) = (
        uncalculated(&numbers, 2),
        uncalculated(&[3, 40, 6_000, 70_000], 2),
    );
    let bytes = highlighted(&old, &new);
    let sheet = all(&bytes, "worksheets/sheet2.xml");
    assert!(!sheet.contains("<f>"), "{sheet}");
    let strings = all(&bytes, "sharedStrings");
    for text in ["=A2*2", "=A4*2", "=SUM(B2:B5)"] {
        assert!(
            strings.contains(&format!(">{text}<")),
            "{text} in {strings}"
        );
    }
    assert!(strings.contains("the formulas stand as texts"));
}

#[test]
fn merged_regions_may_reach_beyond_the_last_cell_and_empty_rows_are_numbered() {
    let mut old = texts("Data", &[&["a"], &[], &["foot"]]);
    let mut new = texts("Data", &[&["b"], &[], &["foot"]]);
    let merged = Area {
        first: Address::new(2, 0),
        last: Address::new(2, 4),
    };
    for book in [&mut old, &mut new] {
        book.sheets[0].merges.push(merged);
    }
    let bytes = highlighted(&old, &new);
    let sheet = all(&bytes, "worksheets/sheet2.xml");
    assert!(sheet.contains("<mergeCell ref=\"D4:H4\"/>"), "{sheet}");
    assert!(!all(&bytes, "sharedStrings").contains("unmerged"));
    let empty = sheet.split("<row r=\"3\"").nth(1).unwrap();
    let empty = empty.split("</row>").next().unwrap();
    assert_eq!(empty.matches("<v>2</v>").count(), 2, "{sheet}");
}

#[test]
fn sheets_that_went_are_there_and_marked() {
    let (old, new) = (
        texts("Gone", &[&["a"], &["b"]]),
        texts("Other", &[&["x"], &["y"]]),
    );
    let bytes = highlighted(&old, &new);
    let book = all(&bytes, "xl/workbook.xml");
    let order: Vec<_> = ["\"Changes\"", "\"Other\"", "\"Gone\""]
        .iter()
        .map(|name| book.find(name).unwrap())
        .collect();
    assert!(order.is_sorted(), "{book}");
    let sheet = all(&bytes, "worksheets/sheet3.xml");
    assert!(sheet.contains("<tabColor rgb=\"FFFFE3E0\"/>"), "{sheet}");
}
