//! Scores and evaluations follow their schemas.

use crate::{root, schema};
use mvdiff_metrics::eval::{
    Case, Gate, Manifest, Report, RunError, Runner, Texts, read_results, run,
};
use mvdiff_metrics::{Edits, Options, ScoreReport, Variant};
use serde_json::{Value, json};

/// The triples that come with the definition of the metric.
fn vectors() -> Vec<Value> {
    let path = root().join("fixtures/scores/text-iou.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn scores_follow_the_schema() {
    let validator = schema::validator("score.json");
    let mut last = Value::Null;
    for vector in vectors() {
        let text = |key: &str| vector[key].as_str().unwrap();
        let edits = Edits {
            base: text("base"),
            a: text("a"),
            b: text("b"),
        };
        for (variants, explain) in [(&[][..], false), (&Variant::ALL[..], true)] {
            let report = ScoreReport::new(&edits, &Options::default(), variants, explain).unwrap();
            assert_eq!(
                schema::complaints(&validator, &report),
                [""; 0],
                "{}",
                vector["name"]
            );
            last = serde_json::to_value(&report).unwrap();
        }
    }
    last["pairs"][0]["unheard_of"] = json!(1);
    assert!(!validator.is_valid(&last));
}

/// Answers with the truth, with less of it, or not at all.
struct Some3;

impl Runner for Some3 {
    fn run(&self, family: &str, case: &Case) -> Result<Texts, RunError> {
        if family == "unknown" {
            return Err(RunError::UnknownFamily);
        }
        let expected = "one\ntwo\nthree\n".to_owned();
        let ours = match &case.name[..] {
            "right" => expected.clone(),
            "wrong" => "one\ntwo\n".to_owned(),
            _ => return Err(RunError::Failed("no such file".into())),
        };
        Ok(Texts {
            base: "zero\n".into(),
            expected,
            ours,
        })
    }
}

const MANIFEST: &str = "\
first:
  - name: right
    why: it is
  - name: wrong
    more: 1
second:
  - name: failing
  - name: wrong
    known_gap: true
";

fn report(baseline: Option<&str>) -> Report {
    let options = Options::default();
    let manifest = Manifest::parse(MANIFEST).unwrap();
    let results = run(&manifest, &Some3, &options, &|_| ()).unwrap();
    let baseline = baseline.map(|text| read_results(text, &options).unwrap());
    let gate = Gate {
        mean: Some(0.9),
        case: Some(0.5),
        no_regression: baseline.is_some(),
    };
    Report::new(results, options.signature(), baseline.as_ref(), &gate).unwrap()
}

#[test]
fn evaluations_follow_the_schema() {
    let validator = schema::validator("eval.json");
    let alone = report(None);
    assert_eq!(schema::complaints(&validator, &alone), [""; 0]);
    let before = r#"{"family":"first","name":"right","score":1.0}
        {"family":"first","name":"wrong","score":1.0}
        {"family":"third","name":"gone","score":0.5}"#;
    let compared = report(Some(before));
    assert_eq!(schema::complaints(&validator, &compared), [""; 0]);
    assert!(compared.comparison.is_some());
    // What is printed is what --baseline reads.
    let printed = serde_json::to_string(&alone).unwrap();
    let again = report(Some(&printed));
    let found = again.comparison.unwrap();
    assert_eq!(
        (found.regressed.len(), found.missing.len(), found.new),
        (0, 0, 0)
    );
    let mut spoilt = serde_json::to_value(&compared).unwrap();
    spoilt["gate"]["unheard_of"] = json!(1);
    assert!(!validator.is_valid(&spoilt));
}

#[test]
fn the_checked_in_baseline_follows_the_schema() {
    let path = root().join("fixtures/baseline.json");
    let baseline: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let validator = schema::validator("eval.json");
    assert_eq!(schema::complaints(&validator, &baseline), [""; 0]);
}

#[test]
fn a_family_that_nothing_runs_ends_the_evaluation() {
    let manifest = Manifest::parse("unknown:\n  - name: x\n").unwrap();
    let error = run(&manifest, &Some3, &Options::default(), &|_| ()).unwrap_err();
    assert!(error.to_string().contains("family unknown"), "{error}");
}
