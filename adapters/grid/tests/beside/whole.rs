//! A report carried out on the file itself: what it says changes, and nothing else.

use super::package::Package;
use mvdiff_grid::{
    DiffReport, Options, PackageKind, ReadOptions, diff_workbooks, invert, patch_package,
    read_pair, read_workbook,
};
use std::io::{Cursor, Read as _};

pub fn compared(old: &[u8], new: &[u8]) -> DiffReport {
    let (old, new) = read_pair((old, None), (new, None), &ReadOptions::default());
    diff_workbooks(&old.unwrap(), &new.unwrap(), &Options::default()).unwrap()
}

pub fn patched(old: &[u8], report: &DiffReport) -> Vec<u8> {
    let options = ReadOptions::default();
    let book = read_workbook(old, None, &options).unwrap();
    let mut out = Cursor::new(Vec::new());
    patch_package(
        old,
        &book,
        report,
        &options,
        (PackageKind::WithMacros, &mut out),
    )
    .unwrap();
    out.into_inner()
}

/// Nothing differs but what every save changes.
pub fn is_same(made: &[u8], wanted: &[u8], case: &str) {
    let left = compared(made, wanted);
    assert!(left.ops.is_empty(), "{case}: {:?}", left.ops);
    let loud: Vec<_> = left.notes.iter().filter(|n| n.kind == "part").collect();
    assert!(loud.is_empty(), "{case}: {loud:?}");
}

/// The old file and the report make the new one, and the way back the old one.
pub fn replays(old: &Package, new: &Package, case: &str) -> DiffReport {
    let (old, new) = (old.bytes(), new.bytes());
    let report = compared(&old, &new);
    assert!(!report.ops.is_empty(), "{case}");
    is_same(&patched(&old, &report), &new, case);
    is_same(&patched(&new, &invert(&report)), &old, case);
    report
}

pub fn part_bytes(file: &[u8], name: &str) -> Option<Vec<u8>> {
    let mut zip = zip::ZipArchive::new(Cursor::new(file)).unwrap();
    let mut bytes = Vec::new();
    zip.by_name(name).ok()?.read_to_end(&mut bytes).unwrap();
    Some(bytes)
}

fn part(file: &[u8], name: &str) -> Option<String> {
    let mut zip = zip::ZipArchive::new(Cursor::new(file)).unwrap();
    let mut text = String::new();
    zip.by_name(name).ok()?.read_to_string(&mut text).unwrap();
    Some(text)
}

fn names(file: &[u8]) -> Vec<String> {
    let zip = zip::ZipArchive::new(Cursor::new(file)).unwrap();
    let names = zip.file_names();
    names.map(|name| name.unwrap().into_owned()).collect()
}

const SHEET: &str = "xl/worksheets/sheet1.xml";

#[test]
fn what_a_report_says_beside_the_cells_is_written() {
    let base = Package::new();
    let cases: &[(&str, &str, &str)] = &[
        ("xl/comments1.xml", "please check", "checked"),
        ("xl/comments1.xml", "Ann", "Bob"),
        ("xl/comments1.xml", "ref=\"A2\"", "ref=\"B3\""),
        (
            "xl/worksheets/_rels/sheet1.xml.rels",
            "example.org/a",
            "example.org/b",
        ),
        (SHEET, "<hyperlink ref=\"A2\"", "<hyperlink ref=\"A3\""),
        (SHEET, "<formula1>9</formula1>", "<formula1>8</formula1>"),
        (
            SHEET,
            "type=\"whole\" sqref=\"B2:B3\"",
            "type=\"decimal\" sqref=\"B2:B4 D1\"",
        ),
        ("xl/styles.xml", "0.000", "0.0"),
        (SHEET, "<c r=\"B1\" s=\"1\">", "<c r=\"B1\" s=\"2\">"),
        (SHEET, "<c r=\"A1\">", "<c r=\"A1\" s=\"2\">"),
        (SHEET, "<row r=\"3\">", "<row r=\"3\" hidden=\"1\">"),
        (
            SHEET,
            "<row r=\"3\">",
            "<row r=\"3\" outlineLevel=\"2\" ht=\"30\" customHeight=\"1\">",
        ),
        ("xl/styles.xml", "<b/>", "<i/>"),
        ("xl/styles.xml", "<b/>", "<b/><color rgb=\"FF112233\"/>"),
        (
            SHEET,
            "<formula>B2&gt;5</formula>",
            "<formula>B2&gt;6</formula>",
        ),
        (SHEET, "width=\"20\"", "width=\"31\""),
        (SHEET, "max=\"1\"", "max=\"2\""),
        (SHEET, "width=\"20\"", "width=\"20\" hidden=\"1\""),
        (SHEET, "ySplit=\"1\"", "ySplit=\"2\""),
        (SHEET, "<pane ySplit=\"1\" state=\"frozen\"/>", ""),
        (
            SHEET,
            "sheetProtection sheet=\"1\"",
            "sheetProtection sheet=\"0\"",
        ),
        (SHEET, "<sheetProtection sheet=\"1\"/>", ""),
        (
            SHEET,
            "orientation=\"portrait\"",
            "orientation=\"landscape\"",
        ),
        (
            SHEET,
            "<sheetViews>",
            "<sheetPr><tabColor rgb=\"FFFF0000\"/></sheetPr><sheetViews>",
        ),
    ];
    for (part, from, to) in cases {
        let new = base.with(part, from, to);
        replays(&base, &new, &format!("{from} -> {to}"));
    }
}

#[test]
fn the_first_and_the_last_of_a_kind_come_and_go() {
    let with = Package::new();
    let hyperlinks = "<hyperlinks><hyperlink ref=\"A2\" r:id=\"rId7\"/></hyperlinks>";
    let rule = "<dataValidations count=\"1\"><dataValidation type=\"whole\" sqref=\"B2:B3\"><formula1>9</formula1></dataValidation></dataValidations>";
    let comment = "<comment ref=\"A2\" authorId=\"0\"><text><t>please check</t></text></comment>";
    replays(&with, &with.with(SHEET, hyperlinks, ""), "links");
    replays(&with, &with.with(SHEET, rule, ""), "rules");
    replays(
        &with,
        &with.with("xl/comments1.xml", comment, ""),
        "comments",
    );
    let mut without = with.with(
        "xl/worksheets/_rels/sheet1.xml.rels",
        "<Relationship Id=\"rId3\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments\" Target=\"../comments1.xml\"/>",
        "",
    );
    without.remove("xl/comments1.xml");
    replays(&without, &with, "a sheet without any comment");
}

#[test]
fn a_relationship_to_a_part_that_is_missing_does_not_stop_replay() {
    let rels = "xl/worksheets/_rels/sheet1.xml.rels";
    let missing = "<Relationship Id=\"rId99\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/drawing\" Target=\"../drawings/drawing9.xml\"/></Relationships>";
    let old = Package::new().with(rels, "</Relationships>", missing);
    let mut new = old.with(rels, "rId99", "rId99");
    new.insert_row_above();
    replays(&old, &new, "a drawing that is not there");
}

#[test]
fn what_no_operation_names_keeps_its_bytes() {
    let base = Package::new();
    let new = base.with(SHEET, "<v>2.5</v>", "<v>2.75</v>");
    let (old_bytes, new_bytes) = (base.bytes(), new.bytes());
    let report = compared(&old_bytes, &new_bytes);
    assert_eq!(report.ops.len(), 1);
    let made = patched(&old_bytes, &report);
    is_same(&made, &new_bytes, "an edit");
    let all = names(&made);
    assert!(all.len() > 15);
    for name in all {
        if name != SHEET && name != "xl/workbook.xml" {
            assert_eq!(part(&made, &name), part(&old_bytes, &name), "{name}");
        }
    }
    let sheet = part(&made, SHEET).unwrap();
    assert!(
        sheet.contains("<c r=\"B1\" s=\"1\"><v>2.75</v></c>"),
        "{sheet}"
    );
    assert!(
        sheet.contains("<c r=\"B2\" s=\"2\"><v>3.5</v></c>"),
        "{sheet}"
    );
    // A report that says nothing changes nothing at all.
    let none = compared(&old_bytes, &old_bytes);
    let made = patched(&old_bytes, &none);
    for name in names(&made) {
        assert_eq!(part(&made, &name), part(&old_bytes, &name), "{name}");
    }
}

#[test]
fn all_that_names_cells_follows_inserted_rows() {
    let base = Package::new();
    let mut moved = Package::new();
    moved.insert_row_above();
    replays(&base, &moved, "a row above");
}

#[test]
fn a_width_beyond_the_last_used_column_is_said_and_replayed() {
    let base = Package::new();
    let cols = "<col min=\"1\" max=\"1\" width=\"20\" customWidth=\"1\"/>";
    for more in [
        "<col min=\"9\" max=\"9\" width=\"33\" customWidth=\"1\"/>",
        "<col min=\"9\" max=\"16384\" hidden=\"1\"/>",
    ] {
        let new = base.with(SHEET, cols, &format!("{cols}{more}"));
        replays(&base, &new, more);
    }
    let unchosen = "<col min=\"9\" max=\"16384\" width=\"9.14\"/>";
    let new = base.with(SHEET, cols, &format!("{cols}{unchosen}"));
    assert!(compared(&base.bytes(), &new.bytes()).ops.is_empty());
}

#[test]
fn the_format_of_a_value_that_becomes_a_date_is_the_one_of_the_file() {
    let format = |code: &str| Package::new().with("xl/styles.xml", "0.000", code);
    let old = Package::new().with(SHEET, "<c r=\"B1\" s=\"1\">", "<c r=\"B1\">");
    for value in ["<v>45000</v>", "<v>-1.5</v>"] {
        let new = format("dd/mm/yyyy").with(SHEET, "<v>2.5</v>", value);
        let (old, new) = (old.bytes(), new.bytes());
        let report = compared(&old, &new);
        let styles = part(&patched(&old, &report), "xl/styles.xml").unwrap();
        assert!(styles.contains("dd/mm/yyyy"), "{value}: {styles}");
        is_same(&patched(&old, &report), &new, value);
        is_same(&patched(&new, &invert(&report)), &old, value);
    }
}

#[test]
fn a_column_that_came_does_not_look_like_the_one_beside_it() {
    let old = Package::new().with(SHEET, "max=\"1\" width", "max=\"2\" width");
    let more = |row: u32| format!("<v>{row}.5</v></c><c r=\"C{row}\"><v>{row}77</v></c></row>");
    let new = old.with(
        SHEET,
        "<v>2.5</v></c></row>",
        &more(1).replace("1.5", "2.5"),
    );
    let new = new.with(
        SHEET,
        "<v>3.5</v></c></row>",
        &more(2).replace("2.5", "3.5"),
    );
    let new = new.with(
        SHEET,
        "<v>4.5</v></c></row>",
        &more(3).replace("3.5", "4.5"),
    );
    replays(&old, &new, "a third column");
}

#[test]
fn page_breaks_are_operations_and_follow_their_rows() {
    let broken = |package: &Package, ids: &[u32]| {
        let all = ids
            .iter()
            .map(|id| format!("<brk id=\"{id}\" max=\"16383\" man=\"1\"/>"));
        let all: String = all.collect();
        let breaks = format!("<rowBreaks count=\"1\">{all}</rowBreaks><drawing");
        package.with(SHEET, "<drawing", &breaks)
    };
    let base = Package::new();
    let [one, two] = [&[2][..], &[1, 3]].map(|ids| broken(&base, ids));
    replays(&base, &one, "came");
    replays(&one, &base, "went");
    let report = replays(&one, &two, "changed");
    assert_eq!(report.ops.len(), 1, "{:?}", report.ops);
    let mut moved = Package::new();
    moved.insert_row_above();
    let report = replays(&two, &broken(&moved, &[2, 4]), "followed");
    assert_eq!(report.ops.len(), 1, "{:?}", report.ops);
    replays(&two, &broken(&moved, &[1, 3]), "did not follow");
    // The row that the break is behind goes.
    let last = "<row r=\"3\"><c r=\"A3\"><v>1003</v></c><c r=\"B3\"><v>4.5</v></c></row>";
    replays(
        &broken(&base, &[3]),
        &base.with(SHEET, last, ""),
        "gone with its row",
    );
}

#[test]
fn a_sheet_that_came_has_its_print_titles_and_page_breaks() {
    let base = Package::new();
    let mut more = base
        .with(
            "xl/workbook.xml",
            "</sheets>",
            "<sheet name=\"More\" sheetId=\"2\" r:id=\"rId9\"/></sheets><definedNames><definedName name=\"_xlnm.Print_Titles\" localSheetId=\"1\">More!$1:$1</definedName></definedNames>",
        )
        .with(
            "xl/_rels/workbook.xml.rels",
            "</Relationships>",
            "<Relationship Id=\"rId9\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet9.xml\"/></Relationships>",
        );
    more.put(
        "xl/worksheets/sheet9.xml",
        "<worksheet><sheetData><row r=\"1\"><c r=\"A1\"><v>7</v></c></row></sheetData><rowBreaks count=\"1\"><brk id=\"1\" man=\"1\"/></rowBreaks></worksheet>",
    );
    replays(&base, &more, "came");
    replays(&more, &base, "went");
}

#[test]
fn a_name_in_other_letters_is_a_change_and_comes_back() {
    let named = |name: &str, to: &str| {
        let names = format!(
            "</sheets><definedNames><definedName name=\"{name}\">{to}</definedName></definedNames>"
        );
        Package::new().with("xl/workbook.xml", "</sheets>", &names)
    };
    let old = named("Rate", "Data!$A$1");
    replays(&old, &named("RATE", "Data!$A$1"), "letters");
    let report = replays(&old, &named("RATE", "Data!$A$2"), "letters and cells");
    assert_eq!(report.ops.len(), 1, "{:?}", report.ops);
}

#[test]
fn merged_cells_among_the_rows_are_read_and_written_over() {
    let old = Package::new();
    let new = old.with(
        SHEET,
        "</sheetData>",
        "<mergeCells count=\"1\"><mergeCell ref=\"D5:E6\"/></mergeCells></sheetData>",
    );
    let report = compared(&old.bytes(), &new.bytes());
    assert!(!report.ops.is_empty());
    let back = patched(&new.bytes(), &invert(&report));
    assert!(!part(&back, SHEET).unwrap().contains("mergeCell"));
    patched(&old.bytes(), &report);
}
