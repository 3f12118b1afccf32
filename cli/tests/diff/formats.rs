//! Terminal and JSON.

use super::{Dir, fixtures};
use serde_json::Value;

const OLD: &str = "\
fn name(shape: &Shape) -> String {
    let kind = shape.kind();
    let size = shape.size();
    format!(\"{kind} of {size}\")
}

fn area(sides: &[u32; 2]) -> u32 {
    let [width, height] = sides;
    assert!(*width > 0, \"no width\");
    width * height
}

fn main() {
    let shape = Shape::from_args();
    println!(\"{}: {}\", name(&shape), area(&shape.sides));
    println!(\"its corners are {:?}\", shape.corners());
}
";

/// `OLD` with its second function at the end, one of its lines edited.
fn moved() -> String {
    let (area, main) = (
        OLD.find("\nfn area").unwrap(),
        OLD.find("\nfn main").unwrap(),
    );
    let moved = OLD[area..main].replace("no width", "a shape without width");
    [&OLD[..area], &OLD[main..], &moved].concat()
}

#[test]
fn reports_follow_the_published_schema() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/schemas/lines.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let dir = Dir::new(&[]);
    for case in std::fs::read_dir(fixtures()).unwrap() {
        let case = case.unwrap().path();
        let [old, new] =
            ["old.txt", "new.txt"].map(|name| case.join(name).to_string_lossy().into_owned());
        for option in ["--threshold=0.5", "--no-moves", "--copies", "--gap=0"] {
            let report = dir.diff(&["--format", "json", option, &old, &new]).json();
            let wrong: Vec<String> = validator
                .iter_errors(&report)
                .map(|e| e.to_string())
                .collect();
            assert!(wrong.is_empty(), "{} {option}: {wrong:?}", case.display());
        }
    }
}

#[test]
fn a_report_starts_with_its_schema_and_ends_with_a_newline() {
    let dir = Dir::of(b"a\n", b"b\n");
    let ran = dir.diff(&["--format", "json", "old", "new"]);
    assert!(
        ran.text().starts_with(r#"{"schema":"mvdiff.lines/1","#),
        "{}",
        ran.text()
    );
    assert!(ran.text().ends_with("}\n"));
    assert_eq!(ran.text().matches('\n').count(), 1);
}

#[test]
fn a_move_is_told_with_what_changed_inside() {
    let dir = Dir::of(OLD.as_bytes(), moved().as_bytes());
    let report = dir.diff(&["--format", "json", "old", "new"]).json();
    assert_eq!(report["moves"].as_array().unwrap().len(), 1, "{report}");
    assert_eq!(report["changes"], serde_json::json!([]));
    let read = dir.diff(&["--format", "terminal", "old", "new"]);
    for said in [
        "M1",
        "moved",
        "\"no width\"",
        "\"a shape without width\"",
        "1 move.",
    ] {
        assert!(read.text().contains(said), "{said} in {}", read.text());
    }
}

#[test]
fn moves_can_be_switched_off() {
    let dir = Dir::of(OLD.as_bytes(), moved().as_bytes());
    let report = dir
        .diff(&["--format", "json", "--no-moves", "old", "new"])
        .json();
    assert_eq!(report["moves"], serde_json::json!([]));
    assert_eq!(report["stats"]["moved"], 0);
    assert_eq!(dir.diff(&["--no-moves", "--copies", "old", "new"]).code, 2);
}

#[test]
fn a_threshold_of_one_leaves_exact_moves_only() {
    let dir = Dir::of(OLD.as_bytes(), moved().as_bytes());
    let report = dir
        .diff(&["--format", "json", "--threshold", "1", "old", "new"])
        .json();
    for found in report["moves"].as_array().unwrap() {
        assert_eq!(found["similarity"], 1.0, "{found}");
    }
}

#[test]
fn colours_are_for_those_who_want_them() {
    let dir = Dir::of(b"a\nb\n", b"a\nc\n");
    let coloured = |args: &[&str], variables: &[(&str, &str)]| {
        let args = [&["--format", "terminal"], args, &["old", "new"]].concat();
        dir.diff_with(&args, b"", variables)
            .text()
            .contains('\u{1b}')
    };
    assert!(!coloured(&[], &[]), "not into a pipe");
    assert!(coloured(&["--color", "always"], &[]));
    assert!(!coloured(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&["--color", "auto"], &[("NO_COLOR", "1")]));
    assert!(
        coloured(&["--color", "always"], &[("NO_COLOR", "1")]),
        "what is said aloud wins"
    );
}

#[test]
fn colour_is_all_that_colour_changes() {
    let dir = Dir::of(OLD.as_bytes(), moved().as_bytes());
    let plain = dir.diff(&["--format", "terminal", "--color", "never", "old", "new"]);
    let colour = dir.diff(&["--format", "terminal", "--color", "always", "old", "new"]);
    let mut stripped = String::new();
    for (i, part) in colour.text().split('\u{1b}').enumerate() {
        let text = if i == 0 {
            part
        } else {
            part.split_once('m').unwrap().1
        };
        stripped.push_str(text);
    }
    // Without colours, a line of ~ is below what changed.
    let is_guide = |line: &&str| line.contains('~') && line.chars().all(|c| " ~│".contains(c));
    let lines: Vec<&str> = plain
        .text()
        .lines()
        .filter(|line| !is_guide(line))
        .collect();
    assert!(lines.len() < plain.text().lines().count());
    assert_eq!(stripped.lines().collect::<Vec<&str>>(), lines);
}

#[test]
fn json_and_patches_have_no_colours() {
    let dir = Dir::of(b"a\nb\n", b"a\nc\n");
    let ran = dir.diff(&["--format", "json", "--color", "always", "old", "new"]);
    assert!(!ran.text().contains('\u{1b}'));
}

#[test]
fn equal_blocks_are_taken_in_order_without_a_remark() {
    let case = fixtures().join("two_equal_blocks");
    let [old, new] =
        ["old.txt", "new.txt"].map(|name| case.join(name).to_string_lossy().into_owned());
    let ran = Dir::new(&[]).diff(&["--format", "terminal", &old, &new]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.err, "");
    let out = String::from_utf8_lossy(&ran.out);
    assert!(out.contains("2 moves"), "{out}");
}
