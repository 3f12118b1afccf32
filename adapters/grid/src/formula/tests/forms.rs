//! Which stretches of a formula are what.

use crate::formula::Formula;
use crate::formula::scan::{Scanner, TokenKind};

/// The tokens, references in angles, strings as they are, intersections as `_`.
fn forms(formula: &str) -> String {
    let token = |token: crate::formula::scan::Token| match token.kind {
        TokenKind::Here(_) | TokenKind::There(..) => format!("<{}>", token.text),
        TokenKind::Intersection => "_".to_owned(),
        TokenKind::Verbatim | TokenKind::Word | TokenKind::Lost | TokenKind::Away(..) => {
            token.text.to_owned()
        }
    };
    Scanner::new(formula).map(token).collect()
}

#[test]
fn references_are_found_as_people_write_them() {
    for (formula, found) in [
        ("=C5*D5+1", "=<C5>*<D5>+1"),
        ("=SUM($A$1:B2, 3:5,A:$C)", "=SUM(<$A$1:B2>,<3:5>,<A:$C>)"),
        ("=A1 : B2", "=<A1 : B2>"),
        ("=XFD1048576+XFE1", "=<XFD1048576>+XFE1"),
        ("=TAX2024", "=<TAX2024>"),
        ("=Sheet1!A1:Sheet1!B2", "=<Sheet1!A1>:<Sheet1!B2>"),
        ("=A1:Sheet1!B2", "=<A1>:<Sheet1!B2>"),
        ("=Q1!A1", "=<Q1!A1>"),
        ("=A:B!C1", "=<A:B!C1>"),
        ("=A1:LOG10(B1)", "=<A1>:LOG10(<B1>)"),
        ("=A1:B2:C3", "=<A1:B2>:<C3>"),
        ("=A1:C", "=<A1>:C"),
        ("=-A1%^2", "=-<A1>%^2"),
        ("=A1#+@B1", "=<A1>#+@<B1>"),
        ("=A1,B1;C1", "=<A1>,<B1>;<C1>"),
        ("=IF(A1=\"\",#N/A/B1,1)", "=IF(<A1>=\"\",#N/A/<B1>,1)"),
        ("=[1]Sheet1!A1+A1", "=[1]Sheet1!A1+<A1>"),
        ("=[1]!Name+A1", "=[1]!Name+<A1>"),
        ("=Größe+A1", "=Größe+<A1>"),
        ("=Größe!A1", "=<Größe!A1>"),
        ("=T[[#This Row],[A1]]*A1", "=T[[#This Row],[A1]]*<A1>"),
    ] {
        assert_eq!(forms(formula), found);
    }
}

#[test]
fn blanks_between_operands_are_an_intersection() {
    for (formula, found) in [
        ("= SUM ( A1 , B1 ) + 2 ", "=SUM(<A1>,<B1>)+2"),
        ("=A1:B2  B1:B3", "=<A1:B2>_<B1:B3>"),
        ("=Rows Cols", "=Rows_Cols"),
        ("=(A1:B2) (B1:C2)", "=(<A1:B2>)_(<B1:C2>)"),
        ("=A1 (B1)", "=<A1>_(<B1>)"),
        ("=A1 -B1", "=<A1>-<B1>"),
        ("=A1\n+B1", "=<A1>+<B1>"),
        ("=T[a] T[b]", "=T[a]_T[b]"),
        ("=Sheet1! A1", "=Sheet1!_<A1>"),
    ] {
        assert_eq!(forms(formula), found);
    }
}

#[test]
fn references_made_up_while_calculating_are_told() {
    for formula in ["=INDIRECT(\"A1\")", "=1+offset (A1,1,1)"] {
        assert!(Formula::parse(formula).has_text_references(), "{formula}");
    }
    for formula in [
        "=\"INDIRECT(\"",
        "=INDIRECT",
        "=MYOFFSET(A1)",
        "=T[OFFSET(]",
    ] {
        assert!(!Formula::parse(formula).has_text_references(), "{formula}");
    }
}
