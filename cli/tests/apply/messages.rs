//! What is said, and how runs end.

use super::{Dir, block};

const CODE: &str = "def total(items, tax):\n    return sum(items)\n\n\ndef mean(items):\n    return total(items, 0) / len(items)\n";

#[test]
fn a_block_that_does_not_fit_says_where_it_nearly_does() {
    let dir = Dir::new(&[("total.py", CODE)]);
    let blocks = block("def total(items):\n    return sum(items)", "pass");
    let ran = dir.apply(&blocks, "total.py", &[]);
    ran.is(
        1,
        "mvdiff: total.py: block 1 does not fit: the best place is line 1 (87 % alike, needs 100 %)",
    );
    ran.is(
        1,
        "    1 │ def total(items, tax):\n        your block says: def total(items):\n",
    );
    assert!(!ran.err.contains("--threshold"), "{}", ran.err);
    ran.is(1, "nothing was written (0 of 1 blocks fit)");
    assert_eq!(dir.text("total.py"), CODE);
    let ran = dir.apply(&blocks, "total.py", &["--threshold", "0.87"]);
    ran.is(0, "");
    assert_eq!(
        ran.text(),
        "total.py: 1 block applied (line 1, 87 % alike)\n"
    );
}

#[test]
fn more_is_shown_when_asked_for() {
    let dir = Dir::new(&[("total.py", CODE)]);
    let blocks = block("def total(items):", "pass");
    let short = dir.apply(&blocks, "total.py", &[]);
    let long = dir.apply(&blocks, "total.py", &["--verbose"]);
    assert!(!short.err.contains("the file has"));
    long.is(
        1,
        ">    1 │ def total(items, tax):\n     2 │     return sum(items)\n",
    );
}

#[test]
fn several_places_are_told_by_their_lines() {
    let dir = Dir::new(&[("a.txt", "hit\na\nhit\nb\nhit\n")]);
    let blocks = block("hit", "miss");
    let ran = dir.apply(&blocks, "a.txt", &[]);
    ran.is(1, "block 1 fits 3 places equally well (lines 1, 3, 5)");
    let report = dir.apply(&blocks, "a.txt", &["--format", "json"]).json();
    assert_eq!(report["error_kind"], "ambiguous");
    let lines = report["files"][0]["blocks"][0]["candidates"]
        .as_array()
        .unwrap();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[2]["line"], 5);
    dir.apply(&blocks, "a.txt", &["--start-line", "4"])
        .is(1, "3 places");
    dir.apply(&blocks, "a.txt", &["--start-line", "3"])
        .is(0, "");
    assert_eq!(dir.text("a.txt"), "hit\na\nmiss\nb\nhit\n");
}

#[test]
fn blocks_that_cannot_be_read_are_trouble() {
    let dir = Dir::new(&[("a.txt", "x\n")]);
    let ran = dir.apply("<<<<<<< SEARCH\nx\n", "a.txt", &[]);
    assert_eq!(ran.text(), "");
    ran.is(2, "mvdiff: -:3: block 1 (line 1) ends before its =======");
    let second = format!("{}<<<<<<< SEARCH\ny\n>>>>>>> REPLACE\n", block("x", "z"));
    let ran = dir.apply(&second, "a.txt", &["--format", "json"]);
    ran.is(
        2,
        "-:8: found >>>>>>> REPLACE in block 2 (line 6) where ======= was due",
    );
    assert_eq!(ran.json()["error_kind"], "malformed_sequence");
    let marker = "<<<<<<< SEARCH\n<<<<<<< HEAD\n=======\n>>>>>>> REPLACE\n";
    dir.apply(marker, "a.txt", &[])
        .is(2, "put a backslash before it: \\<<<<<<< HEAD");
    dir.apply("prose", "a.txt", &[]).is(2, "-: has no blocks");
    assert_eq!(dir.text("a.txt"), "x\n");
}

#[test]
fn overlapping_blocks_are_told() {
    let dir = Dir::new(&[("a.txt", "a\nb\nc\nd\n")]);
    let blocks = [block("a\nb", "A\nB"), block("b\nc", "bb\nc")].concat();
    dir.apply(&blocks, "a.txt", &[])
        .is(1, "block 2 changes lines that block 1 changes, too");
    let apart = [block("a\nb\nc", "A\nb\nc"), block("b\nc\nd", "b\nc\nD")].concat();
    dir.apply(&apart, "a.txt", &[]).is(0, "");
    assert_eq!(dir.text("a.txt"), "A\nb\nc\nD\n");
}

#[test]
fn control_characters_reach_no_terminal() {
    let dir = Dir::new(&[("a.txt", "say \u{1b}[31mred\n")]);
    let ran = dir.apply(&block("say \u{1b}[31mblue", "x"), "a.txt", &["--verbose"]);
    assert_eq!(ran.code, 1);
    assert!(!ran.err.contains('\u{1b}'), "{:?}", ran.err);
}

#[test]
fn misuse_is_one_line() {
    let dir = Dir::new(&[("a.txt", "x\n")]);
    dir.run(&[]).is(2, "BLOCKS");
    dir.run(&["nowhere", "a.txt"]).is(2, "nowhere: cannot read");
    dir.apply(&block("x", "y"), "none.txt", &[])
        .is(2, "none.txt: there is no such file");
    dir.apply(&block("x", "y"), ".", &[])
        .is(2, "is a directory");
    dir.apply(&block("x", "y"), "a.txt", &["--threshold", "2"])
        .is(2, "from 0 to 1");
}
