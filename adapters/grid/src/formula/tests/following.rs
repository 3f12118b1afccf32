//! Formulas after the cells that they name went elsewhere.

use super::{Book, axis};
use crate::cell_map::{AxisMap, CellMap, RectMove};
use crate::formula::{Formula, Shift};
use crate::{Address, Area};

fn follow(formula: &str, book: &Book) -> String {
    Formula::parse(formula).follow(book).into_owned()
}

fn each(book: &Book, cases: &[(&str, &str)]) {
    for (formula, now) in cases {
        assert_eq!(follow(formula, book), *now, "{formula}");
    }
}

#[test]
fn references_follow_inserted_and_removed_lines() {
    // Row 3 is gone, a row came before row 6; column B is gone.
    let book = Book::of(axis(20, &[2], &[5]), axis(10, &[1], &[]));
    each(
        &book,
        &[
            ("=A1+C4*$C$4", "=A1+B3*$B$3"),
            ("=c10", "=B10"),
            ("=A3", "=#REF!"),
            ("=B1", "=#REF!"),
            ("=SUM(A3:A10)", "=SUM(A3:A10)"),
            ("=SUM(A1:A3)", "=SUM(A1:A2)"),
            ("=SUM(A3:A5)", "=SUM(A3:A4)"),
            ("=SUM(B3:B3)", "=SUM(#REF!)"),
            ("=SUM(A3:C3)", "=SUM(#REF!)"),
            ("=SUM(B1:D1)", "=SUM(B1:C1)"),
            ("=SUM(3:3)", "=SUM(#REF!)"),
            ("=SUM($2:4)", "=SUM($2:3)"),
            ("=SUM(B:D)", "=SUM(B:C)"),
            ("=SUM($A:B)", "=SUM($A:A)"),
            ("=SUM(A1:A1048576)", "=SUM(A1:A1048576)"),
            ("=SUM(A2:A1048576)", "=SUM(A2:A1048576)"),
            ("=SUM(A5:A4)", "=SUM(A4:A3)"),
            ("=A4:INDEX(C:C,4)", "=A3:INDEX(B:B,4)"),
            ("=C4#", "=B3#"),
            ("=@C4:C9", "=@B3:B9"),
            ("=\"C4\"&C4", "=\"C4\"&B3"),
        ],
    );
}

#[test]
fn what_is_no_reference_stays() {
    let book = Book::of(axis(4000, &[1], &[0, 0, 0]), axis(100, &[], &[0]));
    for text in [
        "",
        "=",
        "=\"A5\"",
        "=\"say \"\"A5\"\"\"",
        "=LOG10(5)",
        "=ATAN2(1,2)",
        "=_xlfn.BITAND(5,3)",
        "=RATE2024+YEAR2024",
        "=XFE1+A1048577+A0",
        "=A1B2+_A1+A1.x+A1_",
        "=R1C1+RC[-1]",
        "=[1]Sheet1!A5+[Book.xlsx]Own!A5:B6",
        "='[Book 1.xlsx]Own'!$A$5+'C:\\x\\[b.xlsx]Own'!A5",
        "=Table1[[#This Row],[A5]]+Table1[A5:B6]+[@A5]",
        "=Table1[it''s ']A5]",
        "=Unknown!A5+'Not There'!A5:B6",
        "={1,2;3,4}+1E5+1.5E+10+#N/A+#DIV/0!+#REF!",
        "=#REF!A5+#REF!$A$5:$B$6",
        "=Own:Other!A5",
        "=\"A5",
        "='A5",
        "=[A5",
        "=Own!",
        "=$+$$A+A$",
    ] {
        assert_eq!(follow(text, &book), text);
    }
}

#[test]
fn sheets_are_followed_by_name() {
    let down = || CellMap {
        rows: axis(9, &[], &[0]),
        cols: axis(9, &[0], &[]),
        rects: Vec::new(),
    };
    let book = Book::of(axis(9, &[], &[]), axis(9, &[], &[]))
        .with("Data", Some("Data 2026"), down())
        .with("My 'S'", Some("Mine"), CellMap::default())
        .with("Old", None, CellMap::default())
        .with("Kept", Some("Kept"), down());
    each(
        &book,
        &[
            ("=Data!B1", "='Data 2026'!A2"),
            ("='data'!$B$1:C3", "='Data 2026'!$A$2:B4"),
            (
                "=Data!A1+Data!A1:A9",
                "='Data 2026'!#REF!+'Data 2026'!#REF!",
            ),
            (
                "=Data!Rate*Data!#REF!",
                "='Data 2026'!Rate*'Data 2026'!#REF!",
            ),
            ("=Kept!#REF!+Kept!A1", "=Kept!#REF!+Kept!#REF!"),
            ("=Old!#REF!+[1]Data!#REF!", "=#REF!+[1]Data!#REF!"),
            ("='My ''S'''!A1+A1", "=Mine!A1+A1"),
            ("=Old!A1+SUM(Old!A:A)+Old!x", "=#REF!+SUM(#REF!)+#REF!"),
            ("=kept!b1", "=kept!A2"),
            ("='Kept'!B1:'Kept'!C2", "='Kept'!A2:'Kept'!B3"),
            ("=SUM(Data:Kept!B1)", "=SUM('Data 2026:Kept'!B1)"),
            ("=SUM('My ''S'':Kept'!B1)", "=SUM(Mine:Kept!B1)"),
            ("=SUM('My ''S''':Data!B1)", "=SUM('Mine:Data 2026'!B1)"),
            ("=SUM(Data:'My ''S'''!B1)", "=SUM('Data 2026:Mine'!B1)"),
            ("=SUM(Old:Data!B1)", "=SUM(Old:Data!B1)"),
            ("=Own!A1", "=Own!A1"),
        ],
    );
}

#[test]
fn names_get_quotes_where_they_need_them() {
    for (name, written) in [
        ("Plain_1.x", "Plain_1.x!A1"),
        ("Größe", "Größe!A1"),
        ("a b", "'a b'!A1"),
        ("it's", "'it''s'!A1"),
        ("2026", "'2026'!A1"),
        ("Q1", "'Q1'!A1"),
        ("r1c1", "'r1c1'!A1"),
        ("RC", "'RC'!A1"),
        ("R", "'R'!A1"),
        ("Rc1x", "Rc1x!A1"),
        ("XFE1", "XFE1!A1"),
        ("a-b", "'a-b'!A1"),
        ("true", "'true'!A1"),
    ] {
        let none = || CellMap::default();
        let book = Book::of(AxisMap::default(), AxisMap::default()).with("X", Some(name), none());
        assert_eq!(follow("=X!A1", &book), format!("={written}"));
    }
}

#[test]
fn ends_that_cross_change_places_with_their_marks() {
    // Rows 1 to 3 turned around; so columns A and B.
    let rows = AxisMap::new(3, 3, [(0, 2), (1, 1), (2, 0)]);
    let cols = AxisMap::new(2, 2, [(0, 1), (1, 0)]);
    let book = Book::of(rows, cols);
    each(
        &book,
        &[
            ("=A$1:B3", "=A1:B$3"),
            ("=$A1:B$3", "=A$1:$B3"),
            ("=$1:2", "=2:$3"),
            ("=$A:B", "=A:$B"),
            ("=B3:A1", "=B3:A1"),
        ],
    );
}

#[test]
fn a_rectangle_takes_what_lies_in_it() {
    let from = Area {
        first: Address::new(1, 1),
        last: Address::new(3, 2),
    };
    let to = Address::new(10, 5);
    let mut book = Book::of(axis(20, &[], &[]), axis(20, &[], &[]));
    book.sheets[0].2.rects = vec![RectMove { from, to }];
    each(
        &book,
        &[
            ("=B2+$C$4+A1", "=F11+$G$13+A1"),
            ("=SUM(B2:C4)", "=SUM(F11:G13)"),
            ("=SUM(C$4:B2)", "=SUM(G$13:F11)"),
            ("=SUM(B2:C5)", "=SUM(B2:C5)"),
            ("=SUM(B:C)", "=SUM(B:C)"),
        ],
    );
}

#[test]
fn relative_references_go_with_a_sorted_row() {
    // Row 5 went to row 2; a column came before C.
    let rows = AxisMap::new(6, 6, [(0, 0), (4, 1), (1, 2), (2, 3), (3, 4), (5, 5)]);
    let book = Book::of(rows, axis(6, &[], &[2]));
    let shift = Shift {
        rows: Some(-3),
        cols: None,
    };
    for (formula, now) in [
        ("=C5*D5", "=D2*E2"),
        ("=C$5", "=D$2"),
        ("=C$3", "=D$4"),
        ("=C2", "=#REF!"),
        ("=SUM(C$2:C5)", "=SUM(D2:D$3)"),
        ("=SUM(4:5)", "=SUM(1:2)"),
        ("=SUM(C:C)", "=SUM(D:D)"),
        ("=Own!C5", "=Own!D2"),
        ("=[1]P!C5+[1]P!C$5+Not!C5", "=[1]P!C2+[1]P!C$5+Not!C2"),
        ("=SUM(Own:Own!C5)+[1]!rate", "=SUM(Own:Own!C2)+[1]!rate"),
    ] {
        let formula = Formula::parse(formula);
        assert_eq!(formula.follow_shifted(&book, shift), now, "{formula:?}");
    }
    let sideways = Shift {
        rows: None,
        cols: Some(2),
    };
    let formula = Formula::parse("=A2+$A2+XFD2");
    assert_eq!(formula.follow_shifted(&book, sideways), "=C3+$A3+#REF!");
}
