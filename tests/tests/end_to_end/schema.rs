//! Reports are what docs/schemas says they are, and nothing more.

use crate::root;
use jsonschema::Validator;
use mvdiff_text::{diff_lines, options};
use serde::Serialize;
use serde_json::{Value, json};

/// The published schema, closed: what is not written in it is an error here,
/// though readers of a report have to put up with it.
fn closed_schema(name: &str) -> Value {
    let path = root().join("docs/schemas").join(name);
    let mut schema = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    close(&mut schema);
    schema
}

fn close(value: &mut Value) {
    if let Value::Array(values) = value {
        values.iter_mut().for_each(close);
    }
    let Value::Object(object) = value else { return };
    object.values_mut().for_each(close);
    if object.get("properties").is_some_and(Value::is_object) && object.contains_key("type") {
        object.insert("additionalProperties".into(), json!(false));
    }
}

/// Checks against a schema of docs/schemas.
pub fn validator(name: &str) -> Validator {
    jsonschema::validator_for(&closed_schema(name)).expect("a schema")
}

/// Complaints about a report.
pub fn complaints(validator: &Validator, report: &impl Serialize) -> Vec<String> {
    let json = serde_json::to_value(report).expect("serialisable");
    validator
        .iter_errors(&json)
        .map(|e| format!("{} at {}", e, e.instance_path()))
        .collect()
}

#[test]
fn the_schemas_are_schemas() {
    for name in [
        "apply.json",
        "effective.json",
        "eval.json",
        "lines.json",
        "merge.json",
        "score.json",
        "tree.json",
        "workbook.json",
    ] {
        assert!(jsonschema::meta::is_valid(&closed_schema(name)), "{name}");
    }
}

#[test]
fn corner_cases_are_reported_by_the_schema() {
    let validator = validator("lines.json");
    let block = "alpha beta gamma delta\nepsilon zeta eta theta\niota kappa lambda mu\n";
    let rest =
        "one two three four\nfive six seven eight\nnine ten eleven twelve\nthirteen fourteen\n";
    let texts: [(&[u8], &[u8]); 9] = [
        (b"", b""),
        (b"", b"a\n"),
        (b"a\n", b""),
        (b"a", b"a\n"),
        (b"a\r\nb\r\n", b"a\nb\n"),
        (b"\xff\xfe\n", b"\xff\xfd\n"),
        (b"a\0b\n", b"a\0c\n"),
        (
            &[block, rest].concat().into_bytes(),
            &[rest, block].concat().into_bytes(),
        ),
        (
            &[rest, block].concat().into_bytes(),
            &[rest, block, rest, block].concat().into_bytes(),
        ),
    ];
    for (old, new) in texts {
        for copies in [false, true] {
            let options = options().with(|o| o.copies = copies);
            let report = diff_lines(old, new, &options).unwrap();
            assert_eq!(
                complaints(&validator, &report),
                [""; 0],
                "{}",
                String::from_utf8_lossy(new)
            );
        }
    }
}

#[test]
fn what_is_not_in_the_schema_is_seen() {
    let mut json = serde_json::to_value(diff_lines(b"a\n", b"b\n", &options()).unwrap()).unwrap();
    let validator = validator("lines.json");
    assert!(validator.is_valid(&json));
    json["stats"]["unheard_of"] = json!(1);
    assert!(!validator.is_valid(&json));
}
