//! Results of other tools and other days, and trouble.

use super::fixtures;
use crate::support::Repo;

fn dir(files: &[(&str, &str)]) -> Repo {
    let dir = Repo::none();
    for (name, text) in files {
        dir.write(name, text);
    }
    dir
}

#[test]
fn two_runs_are_compared_case_by_case() {
    let row = |i: usize, score: f64| {
        format!("{{\"family\":\"f\",\"name\":\"c{i}\",\"score\":{score}}}\n")
    };
    let then: String = (0..40).map(|i| row(i, 0.5)).collect();
    let now: String = (0..40)
        .map(|i| row(i, if i % 4 == 0 { 0.4 } else { 0.9 }))
        .collect();
    let dir = dir(&[("then.jsonl", &then), ("now.jsonl", &now)]);
    let json = || dir.eval(&["now.jsonl", "--baseline", "then.jsonl", "--format", "json"]);
    let found = json().json();
    let total = &found["total"]["baseline"];
    assert!((total["difference"].as_f64().unwrap() - 0.275).abs() < 1e-9);
    let [low, high] = [0, 1].map(|end| total["interval"][end].as_f64().unwrap());
    assert!(
        0.15 < low && low < 0.275 && 0.275 < high && high < 0.4,
        "{low} {high}"
    );
    assert_eq!(
        found["comparison"]["regressed"].as_array().unwrap().len(),
        10
    );
    assert_eq!(found["comparison"]["improved"], 30);
    assert_eq!(json().out, json().out);
    let told = dir.eval(&["now.jsonl", "--baseline", "then.jsonl"]);
    assert_eq!(told.code, 0);
    assert!(told.text().contains("+0.275  ["), "{}", told.text());
    assert!(told.text().contains("worse    f/c0  0.400 was 0.500"));
}

#[test]
fn a_report_can_be_gated_again() {
    let dir = Repo::none();
    let out = dir.path("run.json");
    let ran = fixtures(&["--format", "json", "-o", out.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let again = dir.eval(&[
        "run.json",
        "--baseline",
        "run.json",
        "--fail-on-regression",
        "--fail-under",
        "1",
    ]);
    assert_eq!(again.code, 0, "{}", again.text());
    let exact = fixtures(&["--exact", "--baseline", out.to_str().unwrap()]);
    exact.is_trouble("make a new baseline");
}

#[test]
fn families_can_be_chosen() {
    let ran = fixtures(&["--family", "lines"]);
    assert!(
        ran.text().contains("lines") && !ran.text().contains("text"),
        "{}",
        ran.text()
    );
    fixtures(&["--family", "nothing"]).is_trouble("no family nothing");
}

#[test]
fn a_case_that_cannot_be_run_is_named_and_scores_0() {
    let dir = dir(&[
        ("m.yaml", "text:\n  - name: nowhere\n"),
        ("up.yaml", "text:\n  - name: ../m\n"),
    ]);
    let ran = dir.eval(&["m.yaml"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.text().contains("1 case not run: text/nowhere: "),
        "{}",
        ran.text()
    );
    let ran = dir.eval(&["up.yaml", "--format", "json"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.text().contains("not a valid folder name"),
        "{}",
        ran.text()
    );
    assert!(ran.text().contains("\"complete\": false"));
}

#[test]
fn trouble_is_one_line() {
    let dir = dir(&[
        ("unknown.yaml", "weather:\n  - name: rain\n"),
        ("list.yaml", "- a\n- b\n"),
        ("broken.yaml", "text: [\n"),
        ("twice.yaml", "text:\n  - name: a\n  - name: a\n"),
        ("empty.yaml", "text: []\n"),
        (
            "rows.jsonl",
            "{\"name\":\"x\",\"score\":0.5}\n{\"name\":\"y\"}\n",
        ),
        ("high.jsonl", "{\"name\":\"x\",\"score\":1.5}\n"),
        (
            "other.json",
            "{\"schema\":\"mvdiff.lines/1\",\"signature\":\"\",\"cases\":[]}",
        ),
        (
            "same.jsonl",
            "{\"name\":\"x\",\"score\":0.5}\n{\"name\":\"x\",\"score\":0.5}\n",
        ),
        ("nothing.jsonl", ""),
    ]);
    for (file, says) in [
        ("unknown.yaml", "unknown.yaml: family weather: unknown"),
        ("list.yaml", "list.yaml: "),
        ("broken.yaml", "broken.yaml: "),
        ("twice.yaml", "two cases are called a"),
        ("empty.yaml", "contains no cases"),
        ("rows.jsonl", "rows.jsonl:2: y: neither"),
        ("high.jsonl", "high.jsonl:1: x: a score of 1.5"),
        (
            "other.json",
            "other.json: a document of the form mvdiff.lines/1",
        ),
        ("same.jsonl", "two cases are called x"),
        ("nothing.jsonl", "contains no cases"),
        ("missing.yaml", "missing.yaml: cannot read"),
    ] {
        dir.eval(&[file]).is_trouble(says);
    }
    dir.eval(&["rows.jsonl", "--fail-on-regression"])
        .is_trouble("--baseline");
}
