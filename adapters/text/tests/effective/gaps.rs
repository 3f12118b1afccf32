//! Blocks with lines inside that did not survive.

use crate::{AROUND, Change, EffectiveOptions, GREET, TOTAL, changes, only, with};

/// Two halves of a block, each certain on its own, with lines between them.
fn halves(old_between: &str, new_between: &str) -> Change {
    let old = [AROUND, TOTAL, old_between, GREET].concat();
    let new = ["mod b;\n", TOTAL, new_between, GREET].concat();
    Change::file("a.rs", old, AROUND).and_file("b.rs", "mod b;\n", new)
}

/// Lines with little information: a block full of new text counts as two.
fn unlike(count: usize) -> String {
    let words = ["z;", "q;", "j;", "v;", "x;", "p;", "w;"];
    let lines = words.iter().cycle().take(count);
    lines.flat_map(|word| [word, "\n"]).collect()
}

#[test]
fn up_to_three_lines_are_taken_into_the_block() {
    for count in 1..=3 {
        let change = halves("", &unlike(count));
        for report in [change.report(), change.hunks_alone()] {
            let found = only(&report);
            let after = 8 + count as u32;
            assert_eq!(found.pairs, [[11, 2, 6], [17, after, 5]]);
            assert_eq!(found.effective_diff_lines as usize, count);
            assert_eq!(changes(&report).len(), count);
        }
    }
}

#[test]
fn a_larger_gap_is_the_end_of_the_block() {
    for (old, new) in [(0, 21), (21, 0), (21, 22)] {
        let report = halves(&unlike(old), &unlike(new).to_uppercase()).report();
        assert_eq!(report.moves_detected, 2, "{old} {new}");
        assert_eq!(report.total_lines_moved, 11);
        assert_eq!(report.total_lines_effectively_changed as usize, old + new);
    }
}

#[test]
fn the_limit_can_be_moved() {
    let moves = |between: usize, gap: u32| {
        let options = with(|o| (o.engine.gap, o.engine.reach) = (gap, gap));
        halves("", &unlike(between)).ask(&options).moves_detected
    };
    for gap in 0..6 {
        assert_eq!(moves(gap as usize, gap), 1, "{gap}");
        assert_eq!(moves(gap as usize + 1, gap), 2, "{gap}");
    }
}

#[test]
fn several_gaps_in_one_block_are_counted_one_by_one() {
    let old = "\
fn process(data) {
    step1(data);
    let x = transform(data);
    validate(x);
    let y = compute(x);
    log(y);
    let z = finalize(y);
    emit(z);
    cleanup();
}
";
    let new = old
        .replace("transform(", "transform_v2(")
        .replace("emit(", "emit_async(");
    let report = Change::file("a.rs", [AROUND, old].concat(), AROUND)
        .and_file("b.rs", GREET, [GREET, &new].concat())
        .report();
    assert_eq!(only(&report).source_lines, [11, 20]);
    assert_eq!(only(&report).matched_lines, 8);
    assert_eq!(
        changes(&report),
        [
            "-    let x = transform(data);",
            "+    let x = transform_v2(data);",
            "-    emit(z);",
            "+    emit_async(z);"
        ]
    );
}

#[test]
fn blank_lines_in_a_gap_are_not_shown() {
    let report = halves("", "\n\n").report();
    assert_eq!(only(&report).whitespace_lines, 2);
    assert_eq!(changes(&report), [""; 0]);
    let shown = halves("", "\n\n").ask(&EffectiveOptions {
        show_whitespace: true,
        ..EffectiveOptions::default()
    });
    assert_eq!(changes(&shown), ["+", "+"]);
}

#[test]
fn equal_lines_of_brackets_in_a_gap_survive() {
    let old = "\
fn process(data) {
    let y = compute(data);
    let z = finalize(y);
    if z.ready {
        emit(z);
    }
    cleanup();
}
";
    let new = old.replace("emit(", "emit_async(");
    let report = Change::file("a.rs", [AROUND, old].concat(), AROUND)
        .and_file("b.rs", GREET, [GREET, &new].concat())
        .report();
    assert_eq!(
        changes(&report),
        ["-        emit(z);", "+        emit_async(z);"]
    );
}
