//! The variants of Text-IoU.

use mvdiff_metrics::{Edits, Options, Scorer, Variant, Variants};
use proptest::prelude::*;

fn variants(base: &str, a: &str, b: &str, similarity: bool) -> (f64, Variants) {
    let edits = Edits { base, a, b };
    let (score, variants) = Scorer::default()
        .score_with(&edits, &Options { similarity }, &Variant::ALL)
        .unwrap();
    (score.score, variants)
}

fn move_aware(base: &str, a: &str, b: &str) -> f64 {
    variants(base, a, b, false).1.move_aware.unwrap().score
}

/// Lines that hardly occur twice.
fn lines(range: std::ops::Range<usize>) -> Vec<String> {
    let line = |i: usize| {
        format!(
            "let value_{i} = compute_the_{}(argument {});",
            i * 7919 % 1009,
            i * i
        )
    };
    range.map(line).collect()
}

/// `text` with the lines of `block` moved so that `before` other lines come
/// before them.
fn with_block_at(text: &[String], block: std::ops::Range<usize>, before: usize) -> String {
    let mut rest = text.to_vec();
    let moved: Vec<String> = rest.drain(block).collect();
    rest.splice(before..before, moved);
    rest.join("\n")
}

fn without_block(text: &[String], block: std::ops::Range<usize>) -> String {
    let mut rest = text.to_vec();
    rest.drain(block);
    rest.join("\n")
}

#[test]
fn both_orders_are_shown_and_their_mean() {
    // Text-IoU finds "a" or "c" in common, depending on the order of the edits.
    let (score, found) = variants("x\n", "a\nb\nc\nd\n", "c\na\n", false);
    let symmetric = found.symmetric.unwrap();
    assert_eq!(symmetric.a_b, score);
    let (swapped, other) = variants("x\n", "c\na\n", "a\nb\nc\nd\n", false);
    assert_eq!(symmetric.b_a, swapped);
    assert_eq!(symmetric.score, other.symmetric.unwrap().score);
    assert_eq!(symmetric.score, f64::midpoint(score, swapped));
}

#[test]
fn the_reference_is_not_symmetric_and_the_mean_is() {
    let (base, a, b) = ("q\n", "t\ni\nd\ne\n", "d\ni\ne\nt\n");
    let (one, found) = variants(base, a, b, false);
    let (other, _) = variants(base, b, a, false);
    assert_ne!(one, other);
    assert_eq!(found.symmetric.unwrap().score, f64::midpoint(one, other));
}

#[test]
fn changing_nothing_is_worth_nothing() {
    let (base, a) = (
        "let total = 0;\nprint(total);\n",
        "let total = 10;\nprint(total);\n",
    );
    let (score, found) = variants(base, a, base, true);
    let adjusted = found.noop_adjusted.unwrap();
    assert!(score > 0.9);
    assert_eq!((adjusted.score, adjusted.noop), (0.0, score));
    let adjusted = variants(base, a, a, true).1.noop_adjusted.unwrap();
    assert_eq!(adjusted.score, 1.0);
    // A score below that of doing nothing becomes 0.
    let adjusted = variants(base, a, "something else altogether\n", true)
        .1
        .noop_adjusted
        .unwrap();
    assert_eq!(adjusted.score, 0.0);
    // If no change is expected, doing nothing is right.
    assert_eq!(
        variants(base, base, base, true)
            .1
            .noop_adjusted
            .unwrap()
            .score,
        1.0
    );
}

#[test]
fn a_near_miss_beats_a_deletion_and_a_deletion_beats_nothing() {
    let base = lines(0..40);
    let (text, block) = (base.join("\n"), 5..10);
    let right = with_block_at(&base, block.clone(), 25);
    let at = |before| move_aware(&text, &right, &with_block_at(&base, block.clone(), before));
    let deleted = move_aware(&text, &right, &without_block(&base, block.clone()));
    let nothing = move_aware(&text, &right, &text);
    assert_eq!(at(25), 1.0);
    assert!(
        at(25) > at(26) && at(26) > at(28) && at(28) > at(33),
        "{} {} {}",
        at(26),
        at(28),
        at(33)
    );
    assert!(at(26) == at(24) && at(33) > 0.75);
    assert!(at(33) > deleted && deleted > nothing, "{deleted} {nothing}");
    assert_eq!((deleted, nothing), (0.5, 0.0));
    // In the reference, the near miss has the lowest score of the three moves.
    let (reference, _) = variants(
        &text,
        &right,
        &with_block_at(&base, block.clone(), 26),
        false,
    );
    assert!(reference < deleted);
}

#[test]
fn content_counts_as_well_as_place() {
    let base = lines(0..40);
    let (text, block) = (base.join("\n"), 5..10);
    let right = with_block_at(&base, block.clone(), 25);
    let edited = right.replace("value_7", "worth_7");
    let there = move_aware(&text, &right, &edited);
    assert_eq!(there, 0.9); // one of ten units: five lines that left, five that came
    let beside = with_block_at(&base, block, 26).replace("value_7", "worth_7");
    assert!(move_aware(&text, &right, &beside) < there);
}

#[test]
fn two_blocks_in_another_order_are_not_the_same() {
    let base = lines(0..60);
    let text = base.join("\n");
    let both = |first: std::ops::Range<usize>, second: std::ops::Range<usize>| {
        let mut rest = base.clone();
        let blocks = [base[first].to_vec(), base[second].to_vec()].concat();
        rest.drain(20..24);
        rest.drain(5..9);
        rest.splice(40..40, blocks);
        rest.join("\n")
    };
    let (one, other) = (both(5..9, 20..24), both(20..24, 5..9));
    assert_eq!(move_aware(&text, &one, &one), 1.0);
    let found = move_aware(&text, &one, &other);
    assert!((0.75..1.0).contains(&found), "{found}");
}

proptest! {
    #![proptest_config(crate::laws::config())]

    #[test]
    fn variants_are_between_0_and_1_and_keep_to_the_reference(
        base in crate::laws::text(), a in crate::laws::text(), b in crate::laws::text(), similarity: bool,
    ) {
        let (score, found) = variants(&base, &a, &b, similarity);
        let moved = found.move_aware.unwrap();
        let all = [found.symmetric.unwrap().score, found.noop_adjusted.unwrap().score, moved.score];
        prop_assert!(all.iter().all(|score| (0.0..=1.0).contains(score)), "{all:?}");
        if moved.moves == 0 {
            prop_assert_eq!(moved.score, score);
        }
    }

    #[test]
    fn a_block_that_both_moved_is_never_worth_less_than_its_deletion(
        len in 3..6usize, from in 0..20usize, to in 0..30usize, miss in 0..30usize,
    ) {
        prop_assume!(to.abs_diff(from) > len && miss.abs_diff(from) > len);
        let base = lines(0..36);
        let (text, block) = (base.join("\n"), from..from + len);
        let right = with_block_at(&base, block.clone(), to);
        let missed = move_aware(&text, &right, &with_block_at(&base, block.clone(), miss));
        let deleted = move_aware(&text, &right, &without_block(&base, block));
        let nothing = move_aware(&text, &right, &text);
        prop_assert!(missed > deleted && deleted > nothing, "{missed} {deleted} {nothing}");
        prop_assert_eq!(missed == 1.0, to == miss);
    }
}
