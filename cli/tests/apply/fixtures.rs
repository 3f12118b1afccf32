//! Every case of fixtures/edit, in both modes, through the program, and its
//! report held against the schema.

use super::{Dir, Ran};
use serde::Deserialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    #[serde(default)]
    options: CaseOptions,
    default: Answer,
    /// What the known implementation says, where that is something else.
    compat: Option<Answer>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseOptions {
    threshold: Option<f64>,
    buffer_lines: Option<u32>,
    #[serde(default)]
    unescape_html: bool,
}

/// What must be so; what is not named is free.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    success: Option<bool>,
    error_kind: Option<String>,
    diff_line: Option<u32>,
    found: Option<String>,
    expected_marker: Option<String>,
    status: Option<String>,
    failed_blocks: Option<Vec<Value>>,
}

struct Case {
    name: String,
    folder: PathBuf,
}

fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/edit");
    let mut cases: Vec<Case> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            Case {
                name: entry.file_name().into_string().unwrap(),
                folder: entry.path(),
            }
        })
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(cases.len() >= 150, "{}", cases.len());
    cases
}

impl Case {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(self.folder.join(name)).ok()
    }

    fn expect(&self) -> Expect {
        let text = self.read("expect.json").unwrap();
        serde_json::from_slice(&text).unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }

    fn run(&self, dir: &Dir, options: &CaseOptions, compat: bool) -> Ran {
        dir.write("tree/input.txt", &self.read("input.txt").unwrap());
        let mut args: Vec<String> = ["--partial", "--format", "json", "--stdout"]
            .map(str::to_owned)
            .to_vec();
        if let Some(threshold) = options.threshold {
            args.extend(["--threshold".into(), threshold.to_string()]);
        }
        if let Some(lines) = options.buffer_lines {
            args.extend(["--buffer-lines".into(), lines.to_string()]);
        }
        args.extend(options.unescape_html.then(|| "--unescape-html".into()));
        args.extend(compat.then(|| "--compat".into()));
        args.push("-".into());
        let blocks = match self.read("blocks.txt") {
            Some(blocks) => {
                args.push("input.txt".into());
                blocks
            }
            None => self.read("blocks.json").unwrap(),
        };
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        dir.run_with(&args, &blocks)
    }
}

/// What is wrong with a report, in words.
fn differences(report: &Value, answer: &Answer, content: Option<&[u8]>) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut hold = |what: &str, found: &Value, due: Value| {
        if *found != due {
            wrong.push(format!("{what} is {found}, not {due}"));
        }
    };
    if let Some(success) = answer.success {
        hold("success", &report["success"], success.into());
        hold(
            "error_kind",
            &report["error_kind"],
            answer.error_kind.clone().into(),
        );
    }
    for (name, due) in [
        ("diff_line", answer.diff_line.map(Value::from)),
        ("found", answer.found.clone().map(Value::from)),
        (
            "expected_marker",
            answer.expected_marker.clone().map(Value::from),
        ),
    ] {
        if let Some(due) = due {
            hold(name, &report[name], due);
        }
    }
    let file = &report["files"][0];
    if let Some(content) = content {
        let text = std::str::from_utf8(content).unwrap();
        hold("content", &file["content"], text.into());
    }
    let none = Vec::new();
    let blocks = file["blocks"].as_array().unwrap_or(&none);
    if let Some(status) = &answer.status {
        hold("status", &blocks[0]["status"], status.clone().into());
    }
    if let Some(due) = &answer.failed_blocks {
        let failed: Vec<&Value> = blocks.iter().filter(|b| b["status"] == "failed").collect();
        hold("failed blocks", &failed.len().into(), due.len().into());
        for (found, due) in failed.iter().zip(due) {
            for (name, due) in due.as_object().unwrap() {
                hold(name, &found[name], due.clone());
            }
        }
    }
    wrong
}

/// Runs all cases in a mode and tells what is wrong.
fn judge(compat: bool) {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schemas/apply.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(schema).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&closed(schema)).unwrap();
    let dir = Dir::new(&[]);
    let mut wrong = Vec::new();
    for case in cases() {
        let expect = case.expect();
        let own = compat.then_some(expect.compat).flatten();
        let content = case.read("compat.txt").filter(|_| own.is_some());
        // Where Roo Code refuses, there is no content.
        let refused = own
            .as_ref()
            .is_some_and(|answer| answer.success == Some(false));
        let content = content.or_else(|| case.read("expected.txt").filter(|_| !refused));
        let answer = own.unwrap_or(expect.default);
        let report = case.run(&dir, &expect.options, compat).json();
        let mut found = differences(&report, &answer, content.as_deref());
        found.extend(validator.iter_errors(&report).map(|e| e.to_string()));
        if !found.is_empty() {
            wrong.push(format!("{}: {}", case.name, found.join("; ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The schema, with no room for what it does not name.
fn closed(mut schema: Value) -> Value {
    fn close(value: &mut Value) {
        match value {
            Value::Array(values) => values.iter_mut().for_each(close),
            Value::Object(object) => {
                object.values_mut().for_each(close);
                if object.contains_key("properties") && object.contains_key("type") {
                    object.insert("additionalProperties".into(), false.into());
                }
            }
            _ => {}
        }
    }
    close(&mut schema);
    schema
}

#[test]
fn every_case_is_answered_as_users_want_it() {
    judge(false);
}

#[test]
fn every_case_is_answered_as_the_known_implementation_does() {
    judge(true);
}
