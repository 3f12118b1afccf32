//! Formulas and maps made up for the laws.

use crate::cell_map::AxisMap;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

/// Rows and columns that formulas name; maps are about as many.
pub const ROWS: u32 = 12;
pub const COLS: u32 = 8;

/// 1,000 cases a law; `MVDIFF_CASES` asks for more, `MVDIFF_SEED` for others.
pub fn config() -> ProptestConfig {
    let number = |name| std::env::var(name).ok()?.parse().ok();
    ProptestConfig {
        cases: number("MVDIFF_CASES").unwrap_or(1000),
        rng_seed: RngSeed::Fixed(number("MVDIFF_SEED").unwrap_or(0).into()),
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..ProptestConfig::default()
    }
}

/// Where lines went: some are gone if `removals`, the others stand in any order,
/// with new ones between them.
pub fn axis(len: u32, removals: bool) -> impl Strategy<Value = AxisMap> {
    let places = Just((0..len + 3).collect::<Vec<u32>>()).prop_shuffle();
    let sorted = any::<bool>();
    // Shrinking would remove what must not be.
    let kept = vec(prop::bool::weighted(0.6), len as usize);
    (places, sorted, kept).prop_map(move |(mut places, sorted, kept)| {
        places.truncate(len as usize);
        if sorted {
            places.sort_unstable();
        }
        let pairs = (0..).zip(places).zip(kept);
        let there = pairs.filter_map(|(pair, kept)| (kept || !removals).then_some(pair));
        AxisMap::new(len, len + 3, there)
    })
}

fn mark() -> impl Strategy<Value = &'static str> {
    select(vec!["", "", "$"])
}

fn column() -> impl Strategy<Value = String> {
    (mark(), 0..COLS).prop_map(|(mark, col)| format!("{mark}{}", crate::column_name(col)))
}

fn row() -> impl Strategy<Value = String> {
    (mark(), 0..ROWS).prop_map(|(mark, row)| format!("{mark}{}", row + 1))
}

pub fn cell() -> impl Strategy<Value = String> {
    (column(), row()).prop_map(|(col, row)| col + &row)
}

fn pair<T: Strategy<Value = String>>(end: impl Fn() -> T) -> impl Strategy<Value = String> {
    (end(), end()).prop_map(|(first, last)| format!("{first}:{last}"))
}

/// A reference without a sheet.
fn bare() -> impl Strategy<Value = String> {
    let all = vec!["A1:A1048576", "$A$1:XFD$3", "A1:XFD1048576"];
    prop_oneof![
        4 => cell(),
        2 => pair(cell),
        1 => pair(row),
        1 => pair(column),
        1 => select(all).prop_map(str::to_owned),
    ]
}

fn reference() -> impl Strategy<Value = String> {
    let sheets = vec!["", "", "", "Data!", "'My ''S'''!", "Own!", "Data:Own!"];
    (select(sheets), bare()).prop_map(|(sheet, bare)| sheet.to_owned() + &bare)
}

/// What else stands where a value can stand.
fn constant() -> impl Strategy<Value = String> {
    let all = vec![
        "1",
        "2.5E+10",
        "\"A1 \"\"x\"\"\"",
        "TRUE",
        "Rate",
        "_x.A1",
        "TAXES2024",
        "#N/A",
        "#REF!",
        "Data!Rate",
        "{1,2;\"A1\",4}",
        "Table1[[#This Row],[A1]]",
        "Table1[B2]",
        "[1]P!A1",
        "'[b 1.xlsx]P'!$A$1:B2",
        "Höhe",
        "A1#",
        "@B2",
        "Data!#REF!",
    ];
    select(all).prop_map(str::to_owned)
}

/// A formula as a spreadsheet would take it.
pub fn formula() -> impl Strategy<Value = String> {
    let value = prop_oneof![3 => reference(), 1 => constant()];
    let tree = value.prop_recursive(3, 12, 3, |inner| {
        let operators = vec!["+", "*", " - ", "&", "<>", "^", " >= ", "="];
        let functions = vec!["SUM", "LOG10", "_xlfn.ATAN2", "Vlookup", "INDIRECT"];
        prop_oneof![
            (inner.clone(), select(operators), inner.clone())
                .prop_map(|(a, operator, b)| a + operator + &b),
            (select(functions), vec(inner.clone(), 0..4))
                .prop_map(|(name, of)| format!("{name}({})", of.join(","))),
            inner.clone().prop_map(|inner| format!("-({inner} )%")),
            (bare(), bare()).prop_map(|(a, b)| format!("SUM({a} {b})")),
        ]
    });
    tree.prop_map(|tree| "=".to_owned() + &tree)
}

/// Pieces of formulas in any order, and any text: mostly no formula.
pub fn rubbish() -> impl Strategy<Value = String> {
    let pieces = vec![
        "A1",
        "$",
        "B$2",
        ":",
        "!",
        "'",
        "''",
        "\"",
        "[",
        "]",
        "#",
        "#REF!",
        "(",
        ")",
        "{",
        "}",
        " ",
        "\n",
        ",",
        "+",
        "@",
        "%",
        "Data",
        "My 'S'",
        "3",
        "é",
        "XFD1048576",
        "A",
        "1E5",
        ".",
        "\\",
        "=",
        "INDIRECT",
        "\u{a0}",
        "ǅ",
        "İ",
        "~",
        "|",
    ];
    let text = prop_oneof![
        8 => select(pieces).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    vec(text, 0..14).prop_map(|pieces| pieces.concat())
}
