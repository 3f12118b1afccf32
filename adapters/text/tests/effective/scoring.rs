//! The score of a move.

use crate::{AROUND, Change, GREET, TOTAL, each_line, only, with};
use mvdiff_text::effective::MoveDetail;

fn across(old: &str, new: &str) -> Change {
    Change::file("a.rs", [AROUND, old].concat(), AROUND).and_file(
        "b.rs",
        "mod b;\n",
        ["mod b;\n", new].concat(),
    )
}

#[track_caller]
fn moved(change: &Change) -> MoveDetail {
    only(&change.report()).clone()
}

/// Equally informative lines.
fn alike(count: usize) -> String {
    let names = [
        "alpha", "gamma", "delta", "theta", "kappa", "sigma", "omega",
    ];
    each_line(&names[..count].join("\n"), |name| {
        format!("let {name} = measure_of({name});")
    })
}

#[test]
fn longer_is_surer() {
    let sizes: Vec<MoveDetail> = (1..=7)
        .map(|count| moved(&across(&alike(count), &alike(count))))
        .collect();
    for pair in sizes.windows(2) {
        assert!(pair[0].evidence.weight < pair[1].evidence.weight);
        assert!(pair[0].evidence.size < pair[1].evidence.size);
        assert!(pair[0].score < pair[1].score);
    }
}

#[test]
fn one_more_line_never_makes_a_block_less_sure() {
    let lines: Vec<&str> = TOTAL.split_inclusive('\n').collect();
    let five = moved(&across(&lines[..5].concat(), &lines[..5].concat()));
    let six = moved(&across(TOTAL, TOTAL));
    assert!(five.score <= six.score, "{} {}", five.score, six.score);
}

#[test]
fn lines_that_recur_lower_the_score() {
    let block = alike(4);
    let plain = moved(&across(&block, &block));
    assert_eq!(plain.evidence.uniqueness.to_bits(), 1f32.to_bits());
    let recurring = "between_the_two_of_them();\n".repeat(5) + "let gamma = measure_of(gamma);\n";
    let recurring = moved(&across(&block, &[&block, &recurring[..]].concat()));
    assert!(recurring.evidence.uniqueness < 1.0, "{recurring:?}");
    assert!(recurring.score < plain.score);
}

#[test]
fn lines_that_drift_lower_the_score() {
    let plain = moved(&across(TOTAL, TOTAL));
    let lines: Vec<&str> = TOTAL.split_inclusive('\n').collect();
    let drifted = [
        &lines[..2].concat(),
        "inserted_here(1);\nand_here(2);\n",
        &lines[2..].concat(),
    ];
    let drifted = moved(&across(TOTAL, &drifted.concat()));
    assert_eq!(plain.evidence.consistency.to_bits(), 1f32.to_bits());
    assert!(drifted.evidence.consistency < 1.0);
    assert!(drifted.score < plain.score);
}

#[test]
fn a_move_within_one_hunk_is_found() {
    let old = "fn method_a() {\n    return \"apples\";\n}\n\nfn method_b() {\n    return \"bananas\";\n}\n";
    let new = "fn method_b() {\n    return \"bananas\";\n}\n\nfn method_a() {\n    return \"apples\";\n}\n";
    let change = Change::file("a.js", old, new);
    for report in [change.report(), change.hunks_alone()] {
        assert_eq!(report.input.hunks, 1);
        assert_eq!(report.moves_detected, 1);
        assert_eq!(report.total_lines_effectively_changed, 0);
    }
}

#[test]
fn another_file_is_as_far_as_can_be() {
    let near = Change::file(
        "a.rs",
        [TOTAL, GREET, AROUND].concat(),
        [GREET, TOTAL, AROUND].concat(),
    );
    let near = moved(&near);
    let far = moved(&across(TOTAL, TOTAL));
    assert_eq!(far.evidence.distance.to_bits(), 1f32.to_bits());
    assert!(near.evidence.distance <= far.evidence.distance);
}

#[test]
fn the_least_score_can_be_set() {
    let change = across(TOTAL, TOTAL);
    let score = moved(&change).score;
    let ask = |min_score: f32| change.ask(&with(|o| o.min_score = min_score));
    assert_eq!(ask(score).moves_detected, 1);
    let none = ask(score + 0.01);
    assert_eq!(none.moves_detected, 0);
    assert_eq!(none.total_lines_effectively_changed, 12);
}

#[test]
fn a_rival_is_told_by_its_share() {
    // All of its lines were removed elsewhere, too, but not in one piece.
    let pieces = [&alike(3), GREET, "let theta = measure_of(theta);\n"].concat();
    let change = Change::file("a.rs", [AROUND, &alike(4)].concat(), AROUND)
        .and_file("b.rs", pieces, GREET)
        .and_file("c.rs", "mod c;\n", ["mod c;\n", &alike(4)].concat());
    let report = change.report();
    let found = only(&report);
    assert_eq!(found.source_file.0, b"a.rs");
    let share = found.evidence.runner_up.unwrap();
    assert!(share > 0.0 && share < 0.95, "{share}");
    assert!(found.score < moved(&across(&alike(4), &alike(4))).score);
}
