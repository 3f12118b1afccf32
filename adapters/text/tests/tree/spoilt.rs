//! Invalid reports are rejected.

use crate::{Files, block, files, replayed, report};
use mvdiff_text::tree::TreeReport;
use mvdiff_text::{LineReport, diff_lines, options};
use serde_json::{Value, json};

fn sample() -> (Files, Value) {
    let (a, b) = (block("a"), block("b"));
    let old = files(&[
        ("x", &[&a[..], &b].concat()),
        ("y", "end\n"),
        ("z", "gone\n"),
    ]);
    let new = files(&[("x", &b), ("y", &[&a[..], "edit\nend\n"].concat())]);
    let report = report(&old, &new);
    assert_eq!(report.moves.len(), 1);
    (old, serde_json::to_value(report).unwrap())
}

#[track_caller]
fn refused(spoil: impl Fn(&mut Value)) {
    let (old, mut json) = sample();
    spoil(&mut json);
    let report: TreeReport = serde_json::from_value(json.clone()).unwrap();
    assert!(replayed(&old, &report).is_err(), "{json}");
}

#[test]
fn numbers_that_lead_out_of_a_text() {
    for number in [json!(0), json!(1000), json!(u32::MAX)] {
        for field in [
            "original_line_start",
            "original_line_end",
            "modified_line_start",
            "modified_line_end",
        ] {
            refused(|json| json["moves"][0][field] = number.clone());
        }
        refused(|json| json["files"][1]["changes"][0]["modified"][0] = number.clone());
        refused(|json| json["files"][1]["changes"][0]["modified"][1] = number.clone());
        refused(|json| json["files"][1]["lines"][1] = number.clone());
        refused(|json| json["files"][1]["lines"][0] = number.clone());
    }
}

#[test]
fn files_that_are_not_there_or_there_twice() {
    refused(|json| json["files"][0]["path"] = json!("nowhere"));
    refused(|json| json["moves"][0]["original_path"] = json!("nowhere"));
    refused(|json| json["moves"][0]["modified_path"] = json!("z"));
    refused(|json| json["files"][0]["path"] = json!("y"));
    refused(|json| json["schema"] = json!("mvdiff.tree/2"));
    refused(|json| json["files"][0]["mode"] = json!("rwx"));
}

#[test]
fn a_line_that_is_several() {
    refused(|json| json["files"][1]["changes"][0]["text"][0] = json!("one\ntwo"));
}

#[test]
fn two_texts_are_no_better() {
    let report = diff_lines(b"a\nb\n", b"a\nc\n", &options()).unwrap();
    let mut json = serde_json::to_value(&report).unwrap();
    let again: LineReport = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(again.replay(b"a\nb\n").unwrap(), b"a\nc\n");
    assert!(again.replay(b"a\n").is_err());
    json["lines"][1] = json!(u32::MAX);
    let spoilt: LineReport = serde_json::from_value(json).unwrap();
    assert!(spoilt.replay(b"a\nb\n").is_err());
}
