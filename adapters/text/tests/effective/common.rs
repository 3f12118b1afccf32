//! Lines that recur: what occurs everywhere did not move.

use crate::{AROUND, Change, only};
use mvdiff_text::effective::MoveKind;

/// Lines that occur nowhere else, to keep others out of the hunks.
fn filler(name: &str) -> String {
    constants(name, 60)
}

fn constants(name: &str, count: usize) -> String {
    let lines = (0..count).map(|n| format!("const {name}_{n}: u32 = {n};\n"));
    lines.collect::<Vec<_>>().concat()
}

fn moves(change: &Change) -> usize {
    let report = change.report();
    let moves = report.moves.iter();
    moves.filter(|found| found.kind == MoveKind::Move).count()
}

/// Two lines go from one file to another, and further files use their words.
fn tail_of_a_request(users: usize) -> Change {
    const TAIL: &str =
        "    let snippet = writer.finish_snippet();\n    request.set_content(snippet.bytes());\n";
    let mut change = Change::file("a.rs", [AROUND, TAIL].concat(), AROUND).and_file(
        "b.rs",
        "mod b;\n",
        ["mod b;\n", TAIL].concat(),
    );
    for user in 0..users {
        let rest = [
            filler(&format!("U{user}")),
            format!(
                "let sent{user} = request.set_content(writer.finish_snippet(), snippet.bytes());\n"
            ),
        ];
        let [old, new] = ["old", "new"].map(|name| format!("mod {name}{user};\n{}", rest.concat()));
        change = change.and_file(&format!("user{user}.rs"), old, new);
    }
    change
}

#[test]
fn lines_of_words_that_every_file_uses_did_not_move() {
    assert_eq!(moves(&tail_of_a_request(0)), 1);
    assert_eq!(moves(&tail_of_a_request(2)), 1);
    assert_eq!(moves(&tail_of_a_request(20)), 0);
}

/// A line goes down in its file, which has it in other places, too.
fn refreshed(elsewhere: usize) -> Change {
    const LINE: &str = "    refresh_session(AccessToken::current());\n";
    let gap = filler("GAP");
    let far = (0..elsewhere).map(|n| format!("fn far{n}() {{\n{LINE}}}\n"));
    let far = far.collect::<Vec<_>>().concat();
    let rest = [&gap[..], &far].concat();
    let passed = constants("FIRST", 15);
    let old = [LINE, &passed, &rest].concat();
    let new = [&passed, LINE, &rest].concat();
    Change::file("a.rs", old, new)
}

#[test]
fn a_line_that_recurs_far_from_the_change_did_not_move() {
    assert_eq!(moves(&refreshed(0)), 1);
    assert_eq!(moves(&refreshed(30)), 0);
}

#[test]
fn a_line_of_two_files_that_became_one_is_not_common_for_that() {
    const FIELD: &str = "    protected OrderIndex ordersByCustomerName;\n";
    let within = |name: &str| format!("    {name}First();\n{FIELD}    {name}Last();\n");
    let gone = |name: &str| [AROUND, &within(name)].concat();
    let change = Change::file("a.java", gone("alpha"), AROUND)
        .and_file("b.java", gone("beta"), AROUND)
        .and_file("base.java", AROUND, gone("base"));
    let report = change.report();
    let found = only(&report);
    assert_eq!(found.pairs, [[12, 12, 1]]);
    assert_eq!(found.twins.len(), 1);
}
