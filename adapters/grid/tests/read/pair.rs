//! Two workbooks at once.

use crate::parts::{Parts, sheet};
use mvdiff_grid::{Content, PairError, ReadError, ReadOptions, open_pair, read_pair};

fn rows(count: u32, formula: &str) -> String {
    let cell = |r| {
        format!(
            "<row r=\"{r}\"><c r=\"A{r}\" t=\"s\"><v>0</v></c><c r=\"B{r}\"><f>{formula}</f><v>{r}</v></c></row>"
        )
    };
    (1..=count).map(cell).collect()
}

fn two(first: &str, second: &str) -> Parts {
    Parts::with_rows(first)
        .set("xl/worksheets/sheet2.xml", sheet(second))
        .strings("<si><t>a</t></si>")
        .book(
            "</sheets>",
            "<sheet name=\"T\" sheetId=\"2\" r:id=\"rId2\"/></sheets>",
        )
}

/// Which sheets were left unread, in both.
fn unread(old: &Parts, new: &Parts) -> Vec<String> {
    let (old, new) = (old.zip(), new.zip());
    let (old, new) = read_pair((&old, None), (&new, None), &ReadOptions::default());
    let names = [old.unwrap(), new.unwrap()].map(|workbook| {
        let sheets = workbook.sheets.iter();
        let left = sheets.filter(|sheet| matches!(sheet.content, Content::Unread));
        left.map(|sheet| sheet.name.clone()).collect::<Vec<_>>()
    });
    assert_eq!(names[0], names[1]);
    names[0].clone()
}

#[test]
fn equal_sheets_are_left_unread() {
    let same = rows(3_000, "A1*2");
    let old = two("", &same);
    let new = two("<row r=\"1\"><c r=\"A1\"><v>1</v></c></row>", &same);
    assert_eq!(unread(&old, &new), ["T"]);
    // A condition is not a cell.
    let tail = "</sheetData><conditionalFormatting><cfRule><formula>S!A1</formula></cfRule></conditionalFormatting>";
    let part = "xl/worksheets/sheet2.xml";
    let conditions = [&old, &new].map(|parts| parts.clone().edit(part, "</sheetData>", tail));
    assert_eq!(unread(&conditions[0], &conditions[1]), ["T"]);
    // A sheet put in front gives the others other parts.
    let turned = Parts::with_rows(&same)
        .set("xl/worksheets/sheet2.xml", sheet(""))
        .strings("<si><t>a</t></si>")
        .book("name=\"S\"", "name=\"T\"")
        .book(
            "</sheets>",
            "<sheet name=\"S\" sheetId=\"2\" r:id=\"rId2\"/></sheets>",
        );
    assert_eq!(unread(&old, &turned), ["T"]);
    // Texts added at the end change no number.
    assert_eq!(
        unread(
            &old,
            &new.clone().strings("<si><t>a</t></si><si><t>b</t></si>")
        ),
        ["T"]
    );
}

#[test]
fn sheets_are_read_if_anything_they_mean_may_differ() {
    let same = rows(3_000, "A1*2");
    let old = two("", &same);
    assert!(unread(&old, &old.clone().strings("<si><t>b</t></si>")).is_empty());
    let styles = crate::parts::styles(&[14]);
    assert!(unread(&old, &old.clone().set("xl/styles.xml", styles)).is_empty());
    let moved = old
        .clone()
        .book("<sheets>", "<workbookPr date1904=\"1\"/><sheets>");
    assert!(unread(&old, &moved).is_empty());
    let renamed = old.clone().book("name=\"T\"", "name=\"U\"");
    assert!(unread(&old, &renamed).is_empty());
    // A formula that names a sheet may have to follow what happened there.
    let other = two("", &rows(3_000, "S!A1"));
    assert!(unread(&other, &other).is_empty());
    // Wherever it is.
    let plain = rows(9_000, "A1*2");
    for row in [1, 4_321, 9_000] {
        let at = format!("<c r=\"B{row}\"><f>");
        let one = plain.replace(&format!("{at}A1"), &format!("{at}S!A1"));
        let one = two("", &one);
        assert!(unread(&one, &one).is_empty(), "{row}");
    }
    assert_eq!(unread(&two("", &plain), &two("", &plain)), ["T"]);
    // Small sheets are not worth a look, and what is wrong in them is said.
    let small = two("", &rows(10, "A1"));
    assert!(unread(&small, &small).is_empty());
}

#[test]
fn the_error_says_which_file() {
    let folder = tempfile::tempdir().unwrap();
    let (good, bad) = (
        folder.path().join("good.xlsx"),
        folder.path().join("bad.xlsx"),
    );
    std::fs::write(&good, Parts::with_rows("").zip()).unwrap();
    std::fs::write(&bad, "a,b\n").unwrap();
    let options = ReadOptions::default();
    for (old, new) in [(&good, &bad), (&bad, &good)] {
        let PairError { path, error } = open_pair(old, new, &options).unwrap_err();
        assert_eq!(path, bad);
        assert!(matches!(error, ReadError::NotAWorkbook { .. }));
    }
    let missing = folder.path().join("missing.xlsx");
    let error = open_pair(&good, &missing, &options).unwrap_err();
    assert!(matches!(error.error, ReadError::Io(_)));
    assert!(open_pair(&good, &good, &options).is_ok());
}

#[test]
fn kinds_of_files_may_be_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let (book, text) = (folder.path().join("a.xlsx"), folder.path().join("a.csv"));
    let rows = "<row><c><v>1</v></c></row>";
    std::fs::write(&book, Parts::with_rows(rows).zip()).unwrap();
    std::fs::write(&text, "1\n").unwrap();
    let (old, new) = open_pair(&book, &text, &ReadOptions::default()).unwrap();
    let cells = [old, new].map(|w| crate::parts::shown(w.sheets[0].grid().unwrap()));
    assert_eq!(cells[0], cells[1]);
}
