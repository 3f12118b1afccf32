//! Formulas follow by the rules of the report.

use mvdiff_fixture_gen::editor::Editor;
use mvdiff_fixture_gen::formula::Formula;
use mvdiff_fixture_gen::model::{Book, SheetId};
use mvdiff_fixture_gen::positions::Positions;

/// What became of a formula after something was done to its sheet.
fn after(formula: &str, act: impl FnOnce(&mut Editor, SheetId)) -> String {
    let mut book = Book::default();
    let id = book.add_sheet("My data", 10, 10);
    let parsed = Formula::parse(formula, &book, id).unwrap();
    let mut editor = Editor::new(book);
    let unchanged = parsed.render(&Positions::new(&editor.old, &editor.old), id);
    assert_eq!(unchanged, formula, "it is printed as it was read");
    act(&mut editor, id);
    parsed.render(&Positions::new(&editor.new, &editor.old), id)
}

#[test]
fn references_go_where_their_cells_go() {
    let inserted = |e: &mut Editor, id| drop(e.insert_rows(id, 2, 3).unwrap());
    assert_eq!(after("=A1+B3", inserted), "=A1+B6");
    assert_eq!(after("=$B$3*B$3-$B3", inserted), "=$B$6*B$6-$B6");
    assert_eq!(after("=SUM(A1:A5)", inserted), "=SUM(A1:A8)");
    assert_eq!(after("=SUM(A:C,2:4)", inserted), "=SUM(A:C,2:7)");
    let moved = |e: &mut Editor, id| e.move_cols(id, 1, 1, 4).unwrap();
    assert_eq!(after("=B2+C2+F2", moved), "=E2+B2+F2");
    assert_eq!(after("=SUM($B:$B)", moved), "=SUM($E:$E)");
}

#[test]
fn what_was_removed_is_lost_and_ranges_shrink() {
    let removed = |e: &mut Editor, id| e.remove_rows(id, 2, 2).unwrap();
    assert_eq!(after("=A3", removed), "=#REF!");
    assert_eq!(after("=SUM(A3:A6)", removed), "=SUM(A3:A4)");
    assert_eq!(after("=SUM(A1:A4)", removed), "=SUM(A1:A2)");
    assert_eq!(after("=SUM(A3:A4)", removed), "=SUM(#REF!)");
    assert_eq!(after("=SUM(3:5)", removed), "=SUM(3:3)");
}

#[test]
fn ends_that_would_cross_change_places() {
    let moved = |e: &mut Editor, id| e.move_rows(id, 1, 1, 7).unwrap();
    assert_eq!(after("=SUM(A$2:A5)", moved), "=SUM(A4:A$8)");
}

#[test]
fn renamed_sheets_are_named_anew() {
    let renamed = |e: &mut Editor, id| e.rename_sheet(id, "Plain");
    assert_eq!(after("='My data'!A1:B2", renamed), "=Plain!A1:B2");
    let renamed = |e: &mut Editor, id| e.rename_sheet(id, "It's");
    assert_eq!(after("='My data'!A1", renamed), "='It''s'!A1");
}

#[test]
fn texts_functions_and_names_are_no_references() {
    let inserted = |e: &mut Editor, id| drop(e.insert_rows(id, 0, 1).unwrap());
    for formula in [
        "=\"A1\"&\"say \"\"B2\"\"\"",
        "=LOG10(100)",
        "=Rate_1*2",
        "=TRUE",
        "=1.5E3",
    ] {
        assert_eq!(after(formula, inserted), formula);
    }
}

#[test]
fn references_into_a_rectangle_go_with_it_as_a_whole() {
    let area = |text: &str| {
        let (first, last) = text.split_once(':').unwrap();
        mvdiff_grid::Area {
            first: first.parse().unwrap(),
            last: last.parse().unwrap(),
        }
    };
    let mut book = Book::default();
    let id = book.add_sheet("Data", 10, 10);
    let formula = Formula::parse("=B2+SUM(B2:C3)+SUM(A1:C3)", &book, id).unwrap();
    let key = book.sheet(id).key("J10".parse().unwrap()).unwrap();
    let content = mvdiff_fixture_gen::model::Content::Formula(formula);
    book.sheet_mut(id).cells.insert(key, content);
    let mut editor = Editor::new(book);
    editor
        .move_rect(id, area("B2:C3"), "F6".parse().unwrap())
        .unwrap();
    let places = Positions::new(&editor.new, &editor.old);
    let cell = editor.new.sheet(id).cells[&key].render(&places, id);
    assert_eq!(cell.formula.as_deref(), Some("=F6+SUM(F6:G7)+SUM(A1:C3)"));
}

#[test]
fn a_rectangle_with_rows_that_were_added_is_refused() {
    let mut book = Book::default();
    let id = book.add_sheet("Data", 10, 10);
    let mut editor = Editor::new(book);
    drop(editor.insert_rows(id, 2, 2).unwrap());
    let rect = |area: &str| area.parse().unwrap();
    let to = |at: &str| at.parse().unwrap();
    assert!(editor.move_rect(id, rect("A2:B4"), to("E6")).is_err());
    assert!(editor.move_rect(id, rect("A6:B7"), to("E3")).is_err());
    assert!(editor.move_rect(id, rect("A6:B7"), to("E6")).is_ok());
}
