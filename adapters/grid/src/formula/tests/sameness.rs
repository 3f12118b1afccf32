//! When formulas say the same, and when only their shape is the same.

use crate::Address;
use crate::formula::{Formula, same};

fn skeleton(formula: &str, at: &str) -> u64 {
    let at: Address = at.parse().unwrap();
    let id = |sheet: &str| {
        if sheet.eq_ignore_ascii_case("Data") {
            7
        } else {
            8
        }
    };
    Formula::parse(formula).skeleton(at, id)
}

#[test]
fn case_and_blanks_do_not_count() {
    for (a, b) in [
        ("=sum(a1,B2)", "= SUM( A1 ,b2 )"),
        ("=A1 : B2", "=A1:B2"),
        ("=GRÖSSE+data!a1", "=grösse + Data!A1"),
        ("='Data'!A1", "=Data!A1"),
        ("=Sum (A1)", "=SUM(A1)"),
        ("=#REF!+Data!#REF!", "=#REF!A1+#ref!"),
        ("=a1:b2    b1", "=A1:B2 B1"),
    ] {
        assert!(same(a, b), "{a} {b}");
        assert_eq!(skeleton(a, "C9"), skeleton(b, "C9"), "{a} {b}");
    }
    for (a, b) in [
        ("=\"a\"", "=\"A\""),
        ("=\"a b\"", "=\"ab\""),
        ("=A1 B1", "=A1B1"),
        ("=A1 (B1)", "=A1(B1)"),
        ("=T[a b]", "=T[ab]"),
        ("=A1", "=$A1"),
        ("=A1", "=A1+"),
        ("=Data!A1", "=A1"),
        ("='a b'!A1", "='ab'!A1"),
        ("=1", "=1.0"),
    ] {
        assert!(!same(a, b), "{a} {b}");
    }
}

#[test]
fn a_skeleton_knows_own_and_other() {
    let row_5 = skeleton("=C5*D5+1", "F5");
    assert_eq!(row_5, skeleton("=C9*D9+1", "F9"));
    assert_eq!(row_5, skeleton("=D2*C2+1", "A2"));
    for (other, at) in [
        ("=C5*D5+2", "F5"),
        ("=C5*D5-1", "F5"),
        ("=C5*D6+1", "F5"),
        ("=C5*$D5+1", "F5"),
        ("=C5*F5+1", "F5"),
        ("=C5*D5:D6+1", "F5"),
        ("=C5*Data!D5+1", "F5"),
    ] {
        assert_ne!(row_5, skeleton(other, at), "{other}");
    }
}

#[test]
fn another_sheet_has_no_own_lines() {
    assert_eq!(skeleton("=Data!A5", "B5"), skeleton("=DATA!A6", "B5"));
    assert_ne!(skeleton("=Data!A5", "B5"), skeleton("=Other!A5", "B5"));
    assert_ne!(skeleton("=Data!Rate", "B5"), skeleton("=Data!Tax", "B5"));
}

#[test]
fn long_formulas_differ_to_their_end() {
    let long = |end: &str| format!("=SUM({}{end})", "ABCDEFGH,".repeat(50));
    assert_eq!(skeleton(&long("A1"), "A9"), skeleton(&long("A2"), "A9"));
    assert_ne!(skeleton(&long("A1"), "A9"), skeleton(&long("A9"), "A9"));
}
