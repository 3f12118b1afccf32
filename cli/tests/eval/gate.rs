//! The gate of this repository, and that it fails when it should.

use super::{fixtures, root};
use crate::support::Repo;
use serde_json::{Value, json};

/// The gate that `.ci/run` holds.
const GATE: [&str; 6] = [
    "--fail-under",
    "1",
    "--fail-case-under",
    "1",
    "--fail-on-regression",
    "--baseline",
];

fn baseline() -> String {
    root("fixtures/baseline.json").to_str().unwrap().to_owned()
}

#[test]
fn the_fixtures_pass() {
    let ran = fixtures(&[&GATE[..], &[&baseline()]].concat());
    assert_eq!((ran.code, &ran.err[..]), (0, ""), "{}", ran.text());
    assert!(
        ran.text().contains("no regression: passed"),
        "{}",
        ran.text()
    );
}

/// What the program prints for each case of fixtures/text, as rows to be scored.
fn rows() -> Vec<Value> {
    let baseline: Value = serde_json::from_slice(&std::fs::read(baseline()).unwrap()).unwrap();
    let cases = baseline["cases"].as_array().unwrap().iter();
    let names = cases
        .filter(|case| case["family"] == "text")
        .map(|case| case["name"].as_str().unwrap());
    let dir = Repo::none();
    let rows = names.map(|name| {
        let folder = root("fixtures/text").join(name);
        let read = |file: &str| {
            String::from_utf8_lossy(&std::fs::read(folder.join(file)).unwrap()).into_owned()
        };
        let truth: Value = serde_json::from_str(&read("expect.json")).unwrap();
        let options = truth["options"].as_array().cloned().unwrap_or_default();
        let options = options.iter().map(|option| option.as_str().unwrap());
        let [old, new, patch] =
            ["old", "new", "git.diff"].map(|file| folder.join(file).to_str().unwrap().to_owned());
        let mut args = vec![
            "effective",
            "--format",
            "unified",
            "--old",
            &old,
            "--new",
            &new,
            &patch,
        ];
        args.extend(options);
        let ours = dir.run(&dir.path(""), &args, b"", &[]);
        assert_eq!(ours.code, 0, "{}", ours.err);
        json!({
            "family": "text",
            "name": name,
            "base": read("git.diff"),
            "a": read("expected.diff"),
            "b": String::from_utf8_lossy(&ours.out),
        })
    });
    rows.collect()
}

/// The gate on rows; the lines family is not among them and is left out of it.
fn gate(dir: &Repo, rows: &[Value]) -> super::Ran {
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    dir.write("rows.jsonl", lines);
    let mut before: Value = serde_json::from_slice(&std::fs::read(baseline()).unwrap()).unwrap();
    let cases = before["cases"].as_array_mut().unwrap();
    cases.retain(|case| case["family"] == "text");
    dir.write("baseline.json", before.to_string());
    dir.eval(&[
        "rows.jsonl",
        "--baseline",
        "baseline.json",
        "--fail-on-regression",
    ])
}

#[test]
fn one_line_spoilt_in_the_output_of_one_fixture_fails_the_gate() {
    let dir = Repo::none();
    let rows = rows();
    assert!(rows.len() > 30);
    let ran = gate(&dir, &rows);
    assert_eq!(ran.code, 0, "{}", ran.text());
    for (number, row) in rows.iter().enumerate() {
        let mut lines: Vec<String> = row["b"]
            .as_str()
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect();
        // One line less, or one too many where there is none.
        let changed = lines.iter().rposition(|line| line.len() > 1);
        match changed {
            Some(at) => drop(lines.remove(at)),
            None => lines.push("+    return None".into()),
        }
        let mut spoilt = rows.clone();
        spoilt[number]["b"] = json!(lines.join("\n") + "\n");
        let ran = gate(&dir, &spoilt);
        let name = row["name"].as_str().unwrap();
        assert_eq!(ran.code, 1, "{name}: {}", ran.text());
        assert!(
            ran.text().contains(&format!("worse    text/{name} ")),
            "{}",
            ran.text()
        );
        assert!(ran.text().contains("missed"), "{}", ran.text());
    }
}

#[test]
fn a_case_that_is_no_longer_run_fails_the_gate() {
    let dir = Repo::none();
    let rows = rows();
    let ran = gate(&dir, &rows[1..]);
    assert_eq!(ran.code, 1);
    let name = rows[0]["name"].as_str().unwrap();
    assert!(
        ran.text().contains(&format!("missing  text/{name}")),
        "{}",
        ran.text()
    );
}

#[test]
fn the_mean_and_the_least_are_gates_of_their_own() {
    let dir = Repo::none();
    dir.write(
        "rows.jsonl",
        "{\"name\":\"one\",\"score\":1.0}\n{\"name\":\"two\",\"score\":0.5}\n{\"name\":\"gap\",\"score\":0.0,\"known_gap\":true}\n",
    );
    for (args, code) in [
        (["--fail-under", "0.75"], 0),
        (["--fail-under", "0.76"], 1),
        (["--fail-case-under", "0.5"], 0),
        (["--fail-case-under", "0.51"], 1),
    ] {
        let ran = dir.eval(&[&["rows.jsonl"], &args[..]].concat());
        assert_eq!(ran.code, code, "{args:?} {}", ran.text());
        assert!(ran.text().contains("known gaps, not counted above: 1"));
    }
}

/// The sample in the book is what is printed, except for the counts, which grow with the
/// fixtures.
#[test]
fn the_sample_of_the_book_is_like_what_is_printed() {
    let page = std::fs::read_to_string(root("docs/commands/eval.md")).unwrap();
    let (_, sample) = page.split_once("$ mvdiff eval ").unwrap();
    let (command, rest) = sample.split_once('\n').unwrap();
    let (shown, _) = rest.split_once("```").unwrap();
    let args: Vec<&str> = command.split_whitespace().collect();
    let ran = Repo::none().run(&root(""), &[&["eval"], &args[..]].concat(), b"", &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let last = |text: &str| text.lines().last().map(str::to_owned);
    assert_eq!(last(ran.text()), last(shown));
    for family in shown
        .lines()
        .filter_map(|line| line.split_whitespace().next())
    {
        assert!(ran.text().contains(family), "{family}");
    }
}
