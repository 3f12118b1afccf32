//! What holds for every formula and every map.

use super::Book;
use super::made::{COLS, ROWS, axis, config, formula, rubbish};
use crate::Address;
use crate::cell_map::{AxisMap, CellMap};
use crate::formula::scan::{Scanner, TokenKind};
use crate::formula::{Formula, Shift, same};
use proptest::prelude::*;

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![formula(), rubbish()]
}

/// A map without removals of each sheet, one of which gets another name.
fn moved() -> impl Strategy<Value = [CellMap; 3]> {
    let map = || {
        (axis(ROWS, false), axis(COLS, false)).prop_map(|(rows, cols)| {
            let rects = Vec::new();
            CellMap { rows, cols, rects }
        })
    };
    [map(), map(), map()]
}

fn book([own, data, mine]: [CellMap; 3], names: [(&'static str, &'static str); 2]) -> Book {
    let [(data_name, data_now), (mine_name, mine_now)] = names;
    Book::default()
        .with("Own", Some("Own"), own)
        .with(data_name, Some(data_now), data)
        .with(mine_name, Some(mine_now), mine)
}

fn same_names() -> [(&'static str, &'static str); 2] {
    [("Data", "Data"), ("My 'S'", "My 'S'")]
}

/// One map after the other.
fn both(first: &AxisMap, then: &AxisMap) -> AxisMap {
    let len = ROWS + 20;
    AxisMap::new(
        len,
        len + 40,
        (0..len).filter_map(|line| Some((line, then.get(first.get(line)?)?))),
    )
}

/// Stands for a sheet before and after it got its new name.
fn id(sheet: &str) -> u64 {
    match sheet.to_lowercase().as_str() {
        "own" => 1,
        "data" | "figures 2026" => 2,
        "my 's'" | "q1" => 3,
        _ => 4,
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn tokens_and_the_blanks_between_them_are_the_formula(text in any_text()) {
        let mut at = 0;
        for token in Scanner::new(&text) {
            prop_assert!(text[at..token.start].chars().all(|c| " \t\r\n".contains(c)));
            prop_assert!(!token.text.is_empty());
            at = token.start + token.text.len();
            prop_assert_eq!(&text[token.start..at], token.text);
        }
        prop_assert!(text[at..].trim_matches([' ', '\t', '\r', '\n']).is_empty());
    }

    #[test]
    fn where_nothing_went_nothing_changes(text in any_text(), extent in 0..ROWS) {
        let still = || AxisMap::new(extent, extent, (0..extent).map(|line| (line, line)));
        let map = || CellMap { rows: still(), cols: still(), rects: Vec::new() };
        let book = book([map(), map(), map()], same_names());
        let formula = Formula::parse(&text);
        prop_assert_eq!(&*formula.follow(&book), &*text);
        let nowhere = Shift { rows: Some(0), cols: Some(0) };
        prop_assert_eq!(&*formula.follow_shifted(&book, nowhere), &*text);
    }

    #[test]
    fn nothing_panics(text in any_text(), other in any_text(), rows in axis(5, true), down in any::<i64>()) {
        let book = Book::of(rows.clone(), rows).with("Data", None, CellMap::default());
        let formula = Formula::parse(&text);
        formula.follow(&book);
        formula.follow_shifted(&book, Shift { rows: Some(down), cols: Some(down >> 50) });
        formula.skeleton(Address::new(0, 0), id);
        formula.has_text_references();
        prop_assert_eq!(same(&text, &other), same(&other, &text));
    }

    #[test]
    fn two_changes_are_as_good_as_one(text in formula(), one in moved(), two in moved()) {
        let mut all = one.clone();
        for (all, then) in all.iter_mut().zip(&two) {
            all.rows = both(&all.rows, &then.rows);
            all.cols = both(&all.cols, &then.cols);
        }
        let first = [("Data", "Figures 2026"), ("My 'S'", "Mine")];
        let then = [("Figures 2026", "Data"), ("Mine", "Q1")];
        let between = Formula::parse(&text).follow(&book(one, first)).into_owned();
        let apart = Formula::parse(&between).follow(&book(two, then)).into_owned();
        let names = [("Data", "Data"), ("My 'S'", "Q1")];
        let together = Formula::parse(&text).follow(&book(all, names)).into_owned();
        prop_assert!(same(&apart, &together), "{apart} {together}");
    }

    #[test]
    fn a_skeleton_survives_every_move(text in formula(), maps in moved(), row in 0..ROWS, col in 0..COLS) {
        let at = Address::new(row, col);
        let now_at = maps[0].get(at).unwrap();
        let names = [("Data", "Figures 2026"), ("My 'S'", "Q1")];
        let now = Formula::parse(&text).follow(&book(maps, names)).into_owned();
        let (before, after) = (Formula::parse(&text), Formula::parse(&now));
        prop_assert_eq!(before.skeleton(at, id), after.skeleton(now_at, id), "{}", now);
    }

    #[test]
    fn a_sorted_row_keeps_its_skeleton(text in formula(), down in 0..50_u32, row in 0..ROWS, col in 0..COLS) {
        let text = text.replace('$', "");
        let book = book(Default::default(), same_names());
        let shift = Shift { rows: Some(down.into()), cols: None };
        let now = Formula::parse(&text).follow_shifted(&book, shift).into_owned();
        let before = Formula::parse(&text).skeleton(Address::new(row, col), id);
        let after = Formula::parse(&now).skeleton(Address::new(row + down, col), id);
        prop_assert_eq!(before, after, "{}", now);
    }

    #[test]
    fn case_and_blanks_change_nothing(text in formula(), how in prop::collection::vec(0..4_usize, 30)) {
        let mut other = String::new();
        for (token, how) in Scanner::new(&text).zip(how.iter().cycle()) {
            match token.kind {
                TokenKind::Verbatim => other.push_str(token.text),
                TokenKind::Intersection => other.push_str("  "),
                _ if how % 2 == 0 => other.push_str(&token.text.to_uppercase()),
                _ => other.push_str(&token.text.to_lowercase()),
            }
            if token.text.starts_with(['+', ',', '=']) {
                other.extend([' ', '\n', '\t'].iter().take(*how));
            }
        }
        prop_assert!(same(&text, &other), "{other}");
        let at = Address::new(3, 3);
        let (before, after) = (Formula::parse(&text), Formula::parse(&other));
        prop_assert_eq!(before.skeleton(at, id), after.skeleton(at, id), "{}", other);
    }

    #[test]
    fn more_blanks_say_no_more(text in rubbish(), count in 1..4_usize) {
        let mut other = String::new();
        let mut at = 0;
        for token in Scanner::new(&text) {
            other.extend(text[at..token.start].chars().flat_map(|blank| std::iter::repeat_n(blank, count)));
            other.push_str(token.text);
            at = token.start + token.text.len();
        }
        prop_assert!(same(&text, &other), "{other:?}");
    }

    #[test]
    fn formulas_that_say_the_same_have_one_skeleton(a in rubbish(), b in rubbish()) {
        if same(&a, &b) {
            let at = Address::new(0, 0);
            let (a, b) = (Formula::parse(&a), Formula::parse(&b));
            prop_assert_eq!(a.skeleton(at, id), b.skeleton(at, id));
        }
    }
}
