//! What cannot be done is said in one line, and nothing is written.

use super::{Dir, lines};
use serde_json::json;

#[test]
fn a_report_that_is_none() {
    let dir = Dir::new(&[]);
    for report in ["", "{", "[1", "nonsense", "{\"recipe\": 5}", "\u{0}"] {
        dir.replay_report(report)
            .is_trouble("report.json: is not a report");
    }
    dir.replay_report("{}").is_trouble("is not a report");
    dir.replay_report(r#"{"schema": "mvdiff.lines/1"}"#)
        .is_trouble("is a report on two files");
    dir.replay_report(r#"{"schema": "mvdiff.score/1"}"#)
        .is_trouble("is a report of schema mvdiff.score/1");
    let part = json!([{"file": "f", "parts": [{"stolen": 1}]}]);
    dir.replay(&part).is_trouble("is not a report");
    dir.run(&["--old", "old", "--out", "out", "nowhere.json"])
        .is_trouble("nowhere.json: cannot read");
    dir.run(&["--old", "old", "--out", "out", "old"])
        .is_trouble("is a directory");
    assert!(!dir.path("out").exists());
}

#[test]
fn a_report_without_a_recipe() {
    let dir = Dir::new(&[]);
    dir.replay_report(r#"{"schema": "mvdiff.effective/1", "moves": []}"#)
        .is_trouble("has no recipe; make the report with whole files");
}

#[test]
fn a_report_on_several_changesets() {
    let dir = Dir::new(&[]);
    let one = json!({"schema": "mvdiff.effective/1", "recipe": []});
    let two = json!({"schema": "mvdiff.effective/1", "changesets": [one, one]});
    dir.replay_report(&two.to_string())
        .is_trouble("has 2 changesets, and replay takes one");
}

#[test]
fn another_old_tree() {
    let dir = Dir::new(&[("short", b"one\n")]);
    let kept = |file: &str, first: u32, count: u32| json!([lines("fine", &["1"]), {"file": "f", "parts": [{"kept": [file, first, count]}]}]);
    dir.replay(&kept("missing", 1, 1))
        .is_trouble("missing: cannot read the old file: there is no such file in old");
    for (first, count) in [(1, 2), (2, 1), (0, 1), (1, 0), (u32::MAX, u32::MAX)] {
        dir.replay(&kept("short", first, count))
            .is_trouble("of short, which has 1");
    }
    assert!(!dir.path("out").exists());
    dir.write(
        "report.json",
        br#"{"schema": "mvdiff.effective/1", "recipe": []}"#,
    );
    dir.run(&["--old", "nowhere", "--out", "out", "report.json"])
        .is_trouble("nowhere: is not a directory");
}

#[test]
fn a_recipe_that_makes_no_sense() {
    let dir = Dir::new(&[("f", b"one\n")]);
    let refused = |recipe, says: &str| {
        dir.replay(&recipe).is_trouble(says);
        assert!(!dir.path("out").exists());
    };
    let part = json!([{"lines": ["a"]}]);
    refused(
        json!([{"file": "f", "deleted": true, "parts": part}]),
        "makes and deletes",
    );
    refused(
        json!([lines("f", &["a"]), lines("f", &["b"])]),
        "makes the file twice",
    );
    refused(json!([lines("f", &["a\nb"])]), "is several");
    refused(
        json!([{"file": "f", "mode": "rwx", "parts": part}]),
        "not a file mode",
    );
    refused(json!([{"file": "f", "binary": true}]), "not in the report");
    refused(
        json!([{"file": "l", "mode": "120000", "parts": []}]),
        "a link to no path",
    );
}

#[test]
fn something_in_the_way() {
    let dir = Dir::new(&[]);
    dir.write("out/d/x", b"x");
    dir.write("out/file", b"x");
    dir.replay(&json!([lines("fine", &["1"]), lines("d", &["2"])]))
        .is_trouble("is a directory; nothing was written");
    dir.replay(&json!([lines("fine", &["1"]), lines("file/x", &["2"])]))
        .is_trouble("file is not a directory; nothing was written");
    assert_eq!(dir.out(), ["d/x", "file"]);
}

#[test]
fn misuse() {
    let dir = Dir::new(&[]);
    dir.run(&["report.json"]).is_trouble("--old");
    let help = dir.run(&["--help"]);
    assert_eq!(help.code, 0);
    assert!(String::from_utf8(help.out).unwrap().contains("Examples:"));
}
