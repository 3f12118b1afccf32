//! Laws that hold for any three texts.

use mvdiff_metrics::{Edits, Options, Scorer};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// 500 cases per law; `MVDIFF_CASES` runs more.
pub fn config() -> ProptestConfig {
    let cases = std::env::var("MVDIFF_CASES")
        .ok()
        .and_then(|n| n.parse().ok());
    ProptestConfig {
        cases: cases.unwrap_or(500),
        rng_seed: RngSeed::Fixed(0),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Few kinds of lines, some similar, some blank, some with unusual line ends.
pub fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => "[a-c]",
        3 => "call_(one|two)\\(x\\)",
        1 => Just(String::new()),
        1 => Just(" \t".to_owned()),
        1 => Just("\u{e9}\u{2028}\r".to_owned()),
    ];
    prop::collection::vec(line, 0..14).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_score_is_between_0_and_1(base in text(), a in text(), b in text(), similarity: bool) {
        let edits = Edits { base: &base, a: &a, b: &b };
        let found = Scorer::default().score(&edits, &Options { similarity }).unwrap();
        prop_assert!((0.0..=1.0).contains(&found.score), "{found:?}");
        prop_assert!(found.parts.earned() <= found.parts.union() as f64 + 1e-9, "{found:?}");
    }

    #[test]
    fn equal_edits_score_1(base in text(), edit in text(), similarity: bool) {
        let edits = Edits { base: &base, a: &edit, b: &edit };
        let found = Scorer::default().score(&edits, &Options { similarity }).unwrap();
        prop_assert_eq!(found.score, 1.0);
        prop_assert!((found.parts.earned() - found.parts.union() as f64).abs() < 1e-9);
    }

    #[test]
    fn only_edits_with_equal_lines_score_1(base in text(), a in text(), b in text()) {
        let edits = Edits { base: &base, a: &a, b: &b };
        let found = Scorer::default().score(&edits, &Options::default()).unwrap();
        let lines = |text: &str| -> Vec<String> {
            let ends = ['\n', '\r', '\u{2028}'];
            let lines = text.split(ends).filter(|line| !line.trim().is_empty());
            lines.map(str::to_owned).collect()
        };
        prop_assert_eq!(found.score == 1.0, lines(&a) == lines(&b));
    }

    #[test]
    fn similarity_never_takes_anything_away(base in text(), a in text(), b in text()) {
        let edits = Edits { base: &base, a: &a, b: &b };
        let mut scorer = Scorer::default();
        let exact = scorer.score(&edits, &Options { similarity: false }).unwrap();
        let alike = scorer.score(&edits, &Options { similarity: true }).unwrap();
        prop_assert!(exact.score <= alike.score, "{exact:?} {alike:?}");
        prop_assert_eq!(exact.parts.union(), alike.parts.union());
    }

    #[test]
    fn the_shares_sum_to_the_score(base in text(), a in text(), b in text(), similarity: bool) {
        let edits = Edits { base: &base, a: &a, b: &b };
        let mut scorer = Scorer::default();
        let options = Options { similarity };
        let found = scorer.explain(&edits, &options).unwrap();
        prop_assert_eq!(found.score, scorer.score(&edits, &options).unwrap());
        if found.blocks.is_empty() && found.slots.is_empty() {
            prop_assert_eq!(found.score.score, 1.0);
            return Ok(());
        }
        let blocks: f64 = found.blocks.iter().map(|block| block.share).sum();
        let slots: f64 = found.slots.iter().map(|slot| slot.share).sum();
        let pairs: f64 = found.pairs.iter().map(|pair| pair.share).sum();
        prop_assert!((blocks + slots - found.score.score).abs() < 1e-12, "{found:?}");
        prop_assert!((pairs - found.score.score).abs() < 1e-12, "{found:?}");
        let union: u64 = found.blocks.iter().map(|b| b.union).sum();
        prop_assert_eq!(union, found.score.parts.u_base);
    }
}

/// `count` lines that start with `word`, numbered from `first`.
fn lines(word: &str, first: u32, count: u32) -> String {
    (first..first + count)
        .map(|i| format!("{word} {i}\n"))
        .collect()
}

/// The two examples that come with the definition.
#[test]
fn the_worked_examples_come_out() {
    let exact = Options { similarity: false };
    let base = lines("base", 0, 10);
    let (mine, yours) = (
        lines("mine", 0, 5) + &lines("base", 5, 5),
        lines("base", 0, 5) + &lines("your", 5, 5),
    );
    let disjoint = Edits {
        base: &base,
        a: &mine,
        b: &yours,
    };
    let mut scorer = Scorer::default();
    let found = scorer.score(&disjoint, &exact).unwrap();
    assert_eq!((found.score, found.parts.union()), (0.0, 10));

    let (mine, yours) = (
        lines("new", 0, 5) + &lines("base", 5, 5),
        lines("base", 0, 3) + &lines("new", 3, 5) + &lines("base", 8, 2),
    );
    let partly = Edits {
        base: &base,
        a: &mine,
        b: &yours,
    };
    let found = scorer.score(&partly, &exact).unwrap();
    assert_eq!((found.score, found.parts.union()), (0.25, 8));
}
