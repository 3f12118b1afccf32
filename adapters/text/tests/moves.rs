//! What counts as a move between two texts, and what does not: the rules of
//! editors, each with its smallest case.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

use mvdiff_text::{LineReport, diff_lines, options};

fn diff(old: &str, new: &str) -> LineReport {
    let report = diff_lines(old.as_bytes(), new.as_bytes(), &options()).unwrap();
    assert_eq!(report.replay(old.as_bytes()).unwrap(), new.as_bytes());
    report
}

/// Moves as `[old first, old last, new first, new last]`.
fn moves(report: &LineReport) -> Vec<[u32; 4]> {
    let ends = report.moves.iter().map(|m| {
        [
            m.original_line_start,
            m.original_line_end,
            m.modified_line_start,
            m.modified_line_end,
        ]
    });
    ends.collect()
}

/// Changes as `[old from, old to, new from, new to]`, ends exclusive.
fn changes(changes: &[mvdiff_text::Change]) -> Vec<[u32; 4]> {
    let ends = changes.iter().map(|c| (c.original, c.modified));
    ends.map(|([a, b], [c, d])| [a, b, c, d]).collect()
}

#[test]
fn a_simple_function_that_moved() {
    for end in ["", "\n"] {
        let old = format!("function a() {{}}\nfunction b() {{}}\nfunction c() {{}}{end}");
        let new = format!("function b() {{}}\nfunction c() {{}}\nfunction a() {{}}{end}");
        assert_eq!(moves(&diff(&old, &new)), [[1, 1, 3, 3]], "{end:?}");
    }
}

#[test]
fn a_function_that_stays_behind_a_new_one_is_edited_in_place() {
    let old = "function foo() {\n  return 1;\n}";
    let new = "function bar() {}\nfunction foo() {\n  return 2;  // changed\n}";
    let report = diff(old, new);
    assert_eq!(moves(&report), [[0; 4]; 0]);
    assert_eq!(changes(&report.changes), [[1, 1, 1, 2], [2, 3, 3, 4]]);
}

const FOO: &str = "function foo(items) {\n  const total = sum(items);\n  return total + 1;\n}\n";
const BAR: &str = "\
function bar(order) {
  const items = order.items.filter(isOpen);
  const prices = items.map(priceOf);
  const taxes = prices.map(taxOf);
  return prices.concat(taxes);
}
";

#[test]
fn a_function_that_passed_its_neighbour_moved_with_what_was_edited_in_it() {
    let edited = FOO.replace("+ 1;", "+ 2;  // changed");
    let report = diff(&[FOO, BAR].concat(), &[BAR, &edited].concat());
    assert_eq!(moves(&report), [[1, 4, 7, 10]]);
    let inside = &report.moves[0].changes;
    assert_eq!(changes(inside), [[3, 4, 9, 10]]);
    assert!(!inside[0].inner.is_empty());
    assert!(report.changes.is_empty());
}

#[test]
fn a_function_that_is_another_one_now_did_not_move() {
    let old = "function foo() { return 1; }";
    let new = "function foo() { return completelyDifferent(); }";
    let report = diff(old, new);
    assert_eq!(moves(&report), [[0; 4]; 0]);
    assert_eq!(changes(&report.changes), [[1, 2, 1, 2]]);
}

/// Lines that stay, so that a block that passes them has moved.
fn rest() -> String {
    let lines = (1..=8).map(|i| format!("line {i} of what stays where it is\n"));
    lines.collect::<Vec<_>>().concat()
}

fn passing(block: &str) -> Vec<[u32; 4]> {
    let rest = rest();
    moves(&diff(
        &[block, &rest].concat(),
        &[&rest[..], block].concat(),
    ))
}

#[test]
fn a_block_needs_fifteen_letters_or_digits() {
    assert_eq!(passing("if a:\n  go(1)\n"), [[0; 4]; 0]);
    assert_eq!(passing("}\n\n{\n"), [[0; 4]; 0]);
    assert_eq!(passing("if ready:\n    restart(now)\n"), [[1, 2, 9, 10]]);
}

#[test]
fn a_line_of_its_own_must_be_unique_and_say_something() {
    assert_eq!(passing("x = 1\n"), [[0; 4]; 0]);
    assert_eq!(passing("self.ready = True\n"), [[1, 1, 9, 9]]);
    // Inserted twice and deleted once: the source is ambiguous.
    let rest = rest();
    let line = "self.ready = True\n";
    let old = [line, &rest, line].concat();
    let new = [&rest[..], line].concat();
    assert_eq!(moves(&diff(&old, &new)), [[0; 4]; 0]);
}

#[test]
fn blocks_that_went_together_are_one_move() {
    let half = |word: &str| format!("the {word} half of a block\nand more of the {word} half\n");
    let (first, second) = (half("first"), half("second"));
    let old = [&first[..], "edited on the way\n", &second, &rest()].concat();
    let new = [&rest(), &first[..], "another line instead\n", &second].concat();
    let report = diff(&old, &new);
    assert_eq!(moves(&report), [[1, 5, 9, 13]]);
    assert_eq!(changes(&report.moves[0].changes), [[3, 4, 11, 12]]);
}

#[test]
fn a_line_that_recurs_in_what_was_rewritten_did_not_move() {
    let head = "def first(value):\n";
    let tail = "print(first(1))\n";
    let old = [
        head,
        "    check(value)\n    values = [value]\n    return values\n",
        tail,
    ]
    .concat();
    let new = [
        head,
        "    result = []\n    return values\n    while value:\n        check(value)\n",
        "    other = result\n",
        tail,
    ]
    .concat();
    assert_eq!(moves(&diff(&old, &new)), [[0; 4]; 0]);
}

#[test]
fn an_edited_line_does_not_part_a_block_that_was_indented() {
    let body = |indent: &str, seventh: &str| -> String {
        let lines = (0..14).map(|n| match n {
            7 => format!("{indent}{seventh}\n"),
            n => format!("{indent}step_{n}(order, ledger_{n})\n"),
        });
        lines.collect::<Vec<_>>().concat()
    };
    let old = format!(
        "def run(order):\n{}",
        body("    ", "step_7(order, ledger_7)")
    );
    let new = format!(
        "def run(order):\n    if order.ready:\n{}",
        body("        ", "step_7(invoice, ledger_7)")
    );
    let report = diff(&old, &new);
    assert_eq!(report.moves.len(), 1);
    assert_eq!(report.moves[0].kind, mvdiff_text::MoveKind::Indent);
    assert_eq!(report.stats.reindented, 14);
    assert_eq!(report.moves[0].changes.len(), 1);
    assert_eq!(report.replay(old.as_bytes()).unwrap(), new.as_bytes());
}
