//! What was written is what another program reads.

use calamine::{Data, Reader as _, SheetVisible, Xlsx};
use clap::ValueEnum as _;
use mvdiff_fixture_gen::editor::Editor;
use mvdiff_fixture_gen::model::{Book, Content, Sheet};
use mvdiff_fixture_gen::positions::Positions;
use mvdiff_fixture_gen::random::RandomKind;
use mvdiff_fixture_gen::{fixtures, make, random, xlsx};
use mvdiff_grid::{Value, Visibility, date};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

/// Cells by row and column: a value in words, or a formula.
type Cells = BTreeMap<(u32, u32), String>;

fn meant(sheet: &Sheet, places: &Positions<'_>) -> Cells {
    let filled = sheet.placed().filter(|(_, content)| !content.is_empty());
    let cells = filled.map(|(at, content)| {
        let text = match content {
            Content::Formula(formula) => formula.render(places, sheet.id),
            Content::Value(value) => match value {
                Value::Number(number) => format!("number {number}"),
                Value::Text(text) => format!("text {text}"),
                Value::Bool(is) => format!("bool {is}"),
                Value::Date(days) => format!("date {}", date::to_iso(*days)),
                Value::Duration(days) => format!("duration {days}"),
                Value::Error(code) => format!("error {}", code.as_str()),
                Value::Empty => unreachable!("only what is filled"),
            },
        };
        ((at.row, at.col), text)
    });
    cells.collect()
}

fn read(book: &mut Xlsx<Cursor<Vec<u8>>>, sheet: &str, from_1904: bool) -> Cells {
    let values = book.worksheet_range(sheet).unwrap();
    let formulas = book.worksheet_formula(sheet).unwrap();
    let offset = if from_1904 { date::DAYS_1904 } else { 0.0 };
    let mut cells = Cells::new();
    let (top, left) = values.start().unwrap_or_default();
    for (row, col, value) in values.used_cells() {
        let text = match value {
            Data::Float(number) => format!("number {number}"),
            Data::Int(number) => format!("number {number}"),
            Data::String(text) if text.is_empty() => continue,
            Data::String(text) => format!("text {text}"),
            Data::Bool(is) => format!("bool {is}"),
            Data::DateTime(time) if time.is_duration() => format!("duration {}", time.as_f64()),
            Data::DateTime(time) => format!("date {}", date::to_iso(time.as_f64() + offset)),
            Data::Error(error) => format!("error {error}"),
            other => panic!("{other:?}"),
        };
        cells.insert((row as u32 + top, col as u32 + left), text);
    }
    let (top, left) = formulas.start().unwrap_or_default();
    for (row, col, formula) in formulas.used_cells() {
        cells.insert((row as u32 + top, col as u32 + left), format!("={formula}"));
    }
    cells
}

fn reads_back(name: &str, book: &Book, base: &Book) {
    let bytes = xlsx::bytes(book, base).unwrap();
    assert_eq!(
        bytes,
        xlsx::bytes(book, base).unwrap(),
        "{name}: other bytes"
    );
    let places = Positions::new(book, base);
    let mut file = Xlsx::new(Cursor::new(bytes)).unwrap();
    let sheets: Vec<(String, SheetVisible)> = file
        .sheets_metadata()
        .iter()
        .map(|sheet| (sheet.name.clone(), sheet.visible))
        .collect();
    assert_eq!(sheets.len(), book.sheets.len(), "{name}");
    for (sheet, (title, visible)) in book.sheets.iter().zip(sheets) {
        let shown = match sheet.visibility {
            Visibility::Visible => SheetVisible::Visible,
            Visibility::Hidden => SheetVisible::Hidden,
            Visibility::VeryHidden => SheetVisible::VeryHidden,
        };
        assert_eq!((&sheet.name, shown), (&title, visible), "{name}");
        let found = read(&mut file, &title, book.date_1904);
        let meant = meant(sheet, &places);
        for key in found.keys().chain(meant.keys()) {
            assert_eq!(found.get(key), meant.get(key), "{name}: {title} {key:?}");
        }
        let merges = file.merge_cells_by_sheet_name(&title).unwrap();
        assert_eq!(merges.len(), sheet.merges.len(), "{name}");
    }
    let first = book.sheets[0].id;
    for defined in &book.names {
        let refers_to = defined.refers_to.render(&places, first);
        let found = file.defined_names().iter().find(|n| n.0 == defined.name);
        assert_eq!(found.map(|n| &n.1[..]), Some(&refers_to[1..]), "{name}");
    }
}

fn both(name: &str, editor: &Editor) {
    reads_back(name, &editor.old, &editor.old);
    reads_back(name, &editor.new, &editor.old);
}

#[test]
fn every_case_of_the_manifest_reads_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let cases = fixtures::cases(&root).unwrap();
    assert!(cases.len() > 50);
    for case in cases {
        both(&case.name, &make::make(&case).unwrap());
    }
}

#[test]
fn every_random_kind_reads_back() {
    for kind in RandomKind::value_variants() {
        both(&format!("{kind:?}"), &random::editor(*kind, 5).unwrap());
    }
}
