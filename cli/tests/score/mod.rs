//! `mvdiff score` as a user meets it: one score, many, and trouble.

#![allow(
    clippy::float_cmp,
    clippy::format_collect,
    clippy::naive_bytecount,
    reason = "exact numbers are meant, and texts are small"
)]

use crate::support::{Ran, Repo};
use serde_json::{Value, json};

const BASE: &str = "def total(order):\n    return sum(order)\n";
const A: &str = "def total(order):\n    return sum(order.items)\n";
const B: &str = "def total(order):\n    return sum(order.lines)\n";

fn score(args: &[&str], input: &[u8]) -> Ran {
    let dir = Repo::none();
    for (name, text) in [("base", BASE), ("a", A), ("b", B)] {
        dir.write(name, text);
    }
    dir.run(&dir.path(""), &[&["score"], args].concat(), input, &[])
}

fn one(args: &[&str]) -> Ran {
    score(
        &[&["--base", "base", "--a", "a", "--b", "b"], args].concat(),
        b"",
    )
}

#[test]
fn the_json_says_what_was_counted_and_how() {
    let found = one(&["--format", "json"]).json();
    assert_eq!(found["schema"], "mvdiff.score/1");
    assert_eq!(
        found["signature"],
        "text-iou|lev:yes|tok:splitlines-nonblank|version:1"
    );
    assert_eq!(found["parts"]["u_base"], 1);
    let similarity = found["score"].as_f64().unwrap();
    assert!(similarity > 0.8 && similarity < 1.0);
    assert!(found.get("blocks").is_none() && found.get("symmetric").is_none());
    let exact = one(&["--format", "json", "--exact"]).json();
    assert_eq!(
        (&exact["score"], &exact["noop"]),
        (&json!(0.0), &json!(0.0))
    );
    assert!(exact["signature"].as_str().unwrap().contains("lev:no"));
}

#[test]
fn an_explanation_adds_up() {
    let found = one(&["--format", "json", "--explain"]).json();
    let sum = |key: &str| -> f64 {
        let shares = found[key].as_array().unwrap().iter();
        shares.map(|part| part["share"].as_f64().unwrap()).sum()
    };
    let score = found["score"].as_f64().unwrap();
    assert!((sum("blocks") + sum("slots") - score).abs() < 1e-12);
    assert!((sum("pairs") - score).abs() < 1e-12);
    assert_eq!(found["pairs"][0]["a"], 2);
    let told = one(&["--explain"]);
    assert_eq!(told.code, 0);
    assert!(
        told.text().contains("line 2 of the base"),
        "{}",
        told.text()
    );
    assert!(told.text().contains("return sum(order.items)"));
}

#[test]
fn variants_stand_beside_the_score() {
    let plain = one(&["--format", "json"]).json();
    let found = one(&[
        "--format",
        "json",
        "--variant",
        "symmetric,move-aware",
        "--variant",
        "noop-adjusted",
    ])
    .json();
    assert_eq!(found["score"], plain["score"]);
    for key in ["symmetric", "noop_adjusted", "move_aware"] {
        assert!(found[key]["score"].is_number(), "{key}");
    }
    one(&["--variant", "best"]).is_trouble("no variant best");
}

#[test]
fn a_gate_on_one_score() {
    assert_eq!(one(&["--fail-under", "0.5"]).code, 0);
    let missed = one(&["--fail-under", "0.99"]);
    assert_eq!(missed.code, 1);
    assert!(missed.err.contains("is less than 0.99"), "{}", missed.err);
    one(&["--fail-under", "2"]).is_trouble("from 0 to 1");
}

#[test]
fn rows_are_answered_in_order_and_bad_ones_named() {
    let row = |name: &str| json!({"name": name, "base": BASE, "a": A, "b": A}).to_string();
    let rows = format!("{}\n{{\"name\": \"bad\"}}\n{}\n", row("one"), row("two"));
    for threads in ["1", "3"] {
        let ran = score(&["--jsonl", "-", "--threads", threads], rows.as_bytes());
        assert_eq!(ran.code, 1);
        let found: Vec<Value> = ran
            .text()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let names: Vec<&str> = found
            .iter()
            .map(|row| row["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["one", "bad", "two"]);
        assert_eq!(found[0]["score"], 1.0);
        assert!(found[0].get("schema").is_none());
        assert!(found[1]["error"].as_str().unwrap().starts_with("row 2: "));
        assert!(ran.err.starts_with("mvdiff: -:2: "), "{}", ran.err);
    }
    let good = score(&["--jsonl", "-"], row("one").as_bytes());
    assert_eq!((good.code, &good.err[..]), (0, ""));
    let none = score(&["--jsonl", "-"], b"");
    assert_eq!((none.code, none.text()), (0, ""));
    let missed = score(
        &["--jsonl", "-", "--exact", "--fail-under", "1"],
        row("one").as_bytes(),
    );
    assert_eq!(missed.code, 0);
}

#[test]
fn rows_go_to_a_file_whole_or_not_at_all() {
    let dir = Repo::none();
    let row = json!({"name": "x", "base": BASE, "a": A, "b": B}).to_string();
    dir.write("rows.jsonl", &row);
    let ran = dir.run(
        &dir.path(""),
        &["score", "--jsonl", "rows.jsonl", "-o", "out.jsonl"],
        b"",
        &[],
    );
    assert_eq!((ran.code, ran.text()), (0, ""));
    let written = std::fs::read_to_string(dir.path("out.jsonl")).unwrap();
    assert_eq!(written.lines().count(), 1);
}

#[test]
fn bytes_that_are_no_text_are_told_apart() {
    let dir = Repo::none();
    for (name, bytes) in [
        ("base", &b"x\n"[..]),
        ("a", b"caf\xe9\n"),
        ("b", b"caf\xe8\n"),
    ] {
        dir.write(name, bytes);
    }
    let args = [
        "score", "--base", "base", "--a", "a", "--b", "b", "--exact", "--format", "json",
    ];
    let ran = dir.run(&dir.path(""), &args, b"", &[]);
    assert_eq!(ran.json()["score"], 0.0);
}

#[test]
fn trouble_is_one_line() {
    score(&[], b"").is_trouble("--base");
    score(&["--base", "base"], b"").is_trouble("--a");
    score(&["--base", "base", "--a", "a", "--b", "missing"], b"")
        .is_trouble("missing: cannot read");
    score(&["--base", "-", "--a", "-", "--b", "b"], b"").is_trouble("only one of the three");
    score(&["--jsonl", "missing"], b"").is_trouble("missing: cannot read");
    score(&["--jsonl", "."], b"").is_trouble("is a directory");
    score(&["--jsonl", "-", "--base", "base"], b"").is_trouble("cannot be used with");
}
