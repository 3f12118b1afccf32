//! `--check` sees whatever is not as the manifest makes it.

use mvdiff_fixture_gen::fixtures::{check, write};
use std::fs;
use std::path::Path;

const MANIFEST: &str = "
lines: [{name: not our business}]
grid:
  - name: one
    why: a row moved
    sheets: [{table: {seed: 1, rows: 12, cols: 3}}]
    steps: [{do: move_rows, from: 2, to: 8}]
  - name: two
    why: several answers are right
    sheets: [{cells: [[1], [2]]}]
    steps: [{do: move_rows, from: 0, to: 1}]
    expect: {max_ops: 1}
";

fn repository(manifest: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("fixtures/grid")).unwrap();
    fs::write(root.path().join("fixtures/manifest.yaml"), manifest).unwrap();
    root
}

fn complaint(root: &Path) -> String {
    format!("{:#}", check(root).unwrap_err())
}

#[test]
fn what_was_written_is_right_and_what_changed_is_named() {
    let root = repository(MANIFEST);
    let root = root.path();
    assert!(complaint(root).contains("one/"), "nothing is there yet");
    assert_eq!(write(root).unwrap(), 5);
    assert_eq!(check(root).unwrap(), 5);
    assert_eq!(write(root).unwrap(), 0, "all of it is right already");

    let file = root.join("fixtures/grid/one/new.xlsx");
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, bytes).unwrap();
    assert!(complaint(root).contains("fixtures/grid/one/new.xlsx: is not what"));
    assert_eq!(write(root).unwrap(), 1);

    fs::write(root.join("fixtures/grid/two/expect.json"), "{}").unwrap();
    assert!(complaint(root).contains("fixtures/grid/two/expect.json: no case makes it"));
}

#[test]
fn a_case_that_cannot_be_made_is_named_with_its_step() {
    for (from, to, says) in [
        (
            "from: 2, to: 8",
            "from: 2, to: 3",
            "could have moved as well",
        ),
        ("from: 2, to: 8", "from: 900, to: 8", "one: steps, number 1"),
        ("do: move_rows, from: 2", "do: fly, from: 2", "fly"),
        ("rows: 12", "rows: 12, legs: 3", "legs"),
    ] {
        let root = repository(&MANIFEST.replace(from, to));
        let error = format!("{:#}", write(root.path()).unwrap_err());
        assert!(error.contains(says), "{error}");
    }
}
