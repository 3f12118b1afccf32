//! The start and end of a block.

use crate::{AROUND, Change, GREET, TOTAL, changes, left, only, with};

fn with_signature(signature: &str) -> Change {
    let new = TOTAL.replace("fn total(order: &Order) -> Money {", signature);
    Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND).and_file(
        "b.rs",
        GREET,
        [GREET, &new].concat(),
    )
}

#[test]
fn a_changed_signature_belongs_to_the_block() {
    let change = with_signature("pub fn total_of(order: &Order) -> Money {");
    for report in [change.report(), change.hunks_alone()] {
        assert_eq!(only(&report).edited_pairs, [[11, 6]]);
        assert_eq!(only(&report).source_lines, [11, 16]);
        assert_eq!(
            left(&report),
            "diff --git a/a.rs b/b.rs\n--- a/a.rs\n+++ b/b.rs\n@@ -11 +6 @@\n\
             -fn total(order: &Order) -> Money {\n\
             +pub fn total_of(order: &Order) -> Money {\n"
        );
    }
}

#[test]
fn without_trim_a_block_ends_with_its_unedited_lines() {
    let change = with_signature("pub fn total_of(order: &Order) -> Money {");
    let report = change.ask(&with(|o| o.trim = 0));
    assert_eq!(only(&report).edited_pairs, [[0; 2]; 0]);
    assert_eq!(only(&report).source_lines, [12, 16]);
    assert_eq!(only(&report).target_lines, [7, 11]);
    assert_eq!(changes(&report).len(), 2);
}

#[test]
fn trim_says_how_far_a_block_reaches_beyond_its_unedited_lines() {
    // Four edited lines before the first unedited one.
    let old = "\
let first_price = read_price(&first_row)?;
let second_price = read_price(&second_row)?;
let third_price = read_price(&third_row)?;
let fourth_price = read_price(&fourth_row)?;
";
    let new = old.replace("read_price", "parse_price");
    let change = Change::file("a.rs", [AROUND, old, TOTAL].concat(), AROUND).and_file(
        "b.rs",
        GREET,
        [GREET, &new, TOTAL].concat(),
    );
    let edited = |trim: u32| {
        let report = change.ask(&with(|o| o.trim = trim));
        assert_eq!(changes(&report).len(), 8);
        only(&report).edited_pairs.len()
    };
    assert_eq!([0, 1, 2, 3].map(edited), [0, 1, 2, 3]);
    assert!(edited(10) >= 3);
}

#[test]
fn new_neighbours_are_not_taken_in() {
    let above = "fn brand_new() {\n    do_new_stuff();\n}\n\n";
    let below = "\nfn another() {\n    do_other_stuff();\n}\n";
    let change = Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND).and_file(
        "b.rs",
        GREET,
        [GREET, above, TOTAL, below].concat(),
    );
    for report in [change.report(), change.hunks_alone()] {
        assert_eq!(only(&report).pairs, [[11, 10, 6]]);
        let shown = [above.trim_end(), below.trim()];
        let shown = shown.iter().flat_map(|text| text.lines());
        let shown: Vec<String> = shown.map(|line| format!("+{line}")).collect();
        assert_eq!(changes(&report), shown);
    }
}

#[test]
fn unrelated_changes_next_to_a_block_stay_where_they_are() {
    let old = AROUND.replace("mod archive;\n", "mod archive;\nmod gone_for_good;\n");
    let change = Change::file("a.rs", [&old, TOTAL].concat(), AROUND).and_file(
        "b.rs",
        GREET,
        [GREET, TOTAL].concat(),
    );
    let report = change.report();
    assert_eq!(only(&report).source_lines, [12, 17]);
    assert_eq!(changes(&report), ["-mod gone_for_good;"]);
    assert!(left(&report).contains("--- a/a.rs\n+++ b/a.rs\n"));
}

/// A bracket that stays by chance splits a moved block into two hunks; if the
/// lines between them are known, it is one block.
#[test]
fn with_the_files_a_block_reaches_beyond_the_hunk() {
    let block = "\
fn settle(ledger: &mut Ledger) {
    while let Some(entry) = ledger.next_open() {
        entry.close(Utc::now());
        }
    ledger.sort_by_date_of_entry();
    ledger.write_to_archive();
}
";
    let other = "mod reports;\n        }\nmod statements;\n";
    let (old, new) = ([AROUND, block].concat(), [AROUND, other].concat());
    let change = Change::default()
        .and("a.rs", Some(old.as_bytes()), Some(new.as_bytes()), 0)
        .and_file("b.rs", GREET, [GREET, block].concat());
    let near = change.ask(&with(|o| o.extend = 0));
    let far = change.ask(&with(|o| o.extend = 20));
    assert_eq!(only(&far).pairs, [[11, 6, 7]]);
    assert_eq!(far.total_lines_effectively_changed, 3);
    assert!(near.moves.iter().all(|m| m.matched_lines < 7));
    assert!(near.total_lines_moved < far.total_lines_moved);
}
