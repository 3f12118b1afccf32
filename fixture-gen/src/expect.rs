//! Compares answers with expectations: patterns of operations.

use mvdiff_grid::DiffOp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

/// What is expected of an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// Exactly these operations, in any order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ops: Option<Vec<Json>>,
    /// Operations that must be among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub must: Vec<Json>,
    /// Operations that must not be among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub must_not: Vec<Json>,
    /// More than these would be too many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_ops: Option<usize>,
    /// Remarks that must be there; of `message` a part is enough.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Remark>,
}

/// A remark that the answer has to make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// Its kind, if it matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What its message contains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Operations as patterns: what the engine alone can say is left open.
///
/// # Errors
/// If an operation cannot be printed as JSON.
pub fn patterns(ops: &[DiffOp]) -> serde_json::Result<Vec<Json>> {
    ops.iter().map(pattern).collect()
}

fn pattern(op: &DiffOp) -> serde_json::Result<Json> {
    let mut json = serde_json::to_value(op)?;
    if let Json::Object(fields) = &mut json {
        for open in ["similarity", "block_hash", "cell_count"] {
            fields.remove(open);
        }
    }
    open_cached(&mut json);
    Ok(json)
}

/// Beside a formula, the value computed last does not count.
fn open_cached(json: &mut Json) {
    match json {
        Json::Array(items) => items.iter_mut().for_each(open_cached),
        Json::Object(fields) => {
            if fields.contains_key("formula") && fields.contains_key("type") {
                fields.remove("type");
                fields.remove("value");
            }
            fields.values_mut().for_each(open_cached);
        }
        _ => {}
    }
}

/// Whether an operation fits a pattern: every field of the pattern that is not null
/// is there and fits; lists fit item by item.
#[must_use]
pub fn fits(pattern: &Json, found: &Json) -> bool {
    match (pattern, found) {
        (Json::Null, _) => true,
        (Json::Object(pattern), Json::Object(found)) => pattern
            .iter()
            .all(|(name, field)| fits(field, found.get(name).unwrap_or(&Json::Null))),
        (Json::Array(pattern), Json::Array(found)) => {
            pattern.len() == found.len() && pattern.iter().zip(found).all(|(p, f)| fits(p, f))
        }
        (Json::Number(pattern), Json::Number(found)) => pattern.as_f64() == found.as_f64(),
        _ => pattern == found,
    }
}

impl Expectation {
    /// What is wrong with a report, in words; nothing if all is as expected.
    #[must_use]
    pub fn complaints(&self, report: &Json) -> Vec<String> {
        let empty = Vec::new();
        let list = |name: &str| {
            report
                .get(name)
                .and_then(Json::as_array)
                .unwrap_or(&empty)
                .clone()
        };
        let (ops, notes) = (list("ops"), list("notes"));
        let mut wrong = Vec::new();
        if let Some(expected) = &self.ops {
            let (missing, extra) = unmatched(expected, &ops);
            wrong.extend(missing.iter().map(|op| format!("missing {}", short(op))));
            wrong.extend(extra.iter().map(|op| format!("not in truth {}", short(op))));
        }
        for must in &self.must {
            if !ops.iter().any(|op| fits(must, op)) {
                wrong.push(format!("missing {}", short(must)));
            }
        }
        for must_not in &self.must_not {
            let bad = ops.iter().filter(|op| fits(must_not, op));
            wrong.extend(bad.map(|op| format!("must not be there: {}", short(op))));
        }
        if self.max_ops.is_some_and(|max| ops.len() > max) {
            let max = self.max_ops.unwrap_or(0);
            wrong.push(format!("{} operations, at most {max}", ops.len()));
        }
        for remark in &self.notes {
            let says = |note: &&Json| {
                let field = |name: &str| note[name].as_str().unwrap_or_default().to_owned();
                remark
                    .kind
                    .as_ref()
                    .is_none_or(|kind| *kind == field("kind"))
                    && remark
                        .message
                        .as_ref()
                        .is_none_or(|part| field("message").contains(part))
            };
            if !notes.iter().any(|note| says(&note)) {
                wrong.push(format!("no note {}", json!(remark)));
            }
        }
        wrong
    }
}

/// Patterns that nothing fits, and operations that fit no pattern; each is used once.
#[must_use]
pub fn unmatched(expected: &[Json], found: &[Json]) -> (Vec<Json>, Vec<Json>) {
    let mut rest: Vec<&Json> = found.iter().collect();
    let mut missing = Vec::new();
    for pattern in expected {
        match rest.iter().position(|op| fits(pattern, op)) {
            Some(at) => drop(rest.swap_remove(at)),
            None => missing.push(pattern.clone()),
        }
    }
    (missing, rest.into_iter().cloned().collect())
}

/// An operation on one line, without long lists of cells.
fn short(op: &Json) -> String {
    let Json::Object(fields) = op else {
        return op.to_string();
    };
    let field = |(name, value): (&String, &Json)| {
        let value = match value {
            Json::Array(items) if items.len() > 4 => json!(format!("{} items", items.len())),
            _ => value.clone(),
        };
        (name.clone(), value)
    };
    let fields: Map<String, Json> = fields
        .iter()
        .map(field)
        .filter(|f| !f.1.is_null())
        .collect();
    Json::Object(fields).to_string()
}

#[cfg(test)]
mod tests {
    use super::{Expectation, fits};
    use serde_json::json;

    #[test]
    fn what_is_null_or_left_out_is_not_compared() {
        let found =
            json!({"kind": "CellEdited", "addr": "C3", "similarity": 0.9, "cells": [{"a": 1}]});
        assert!(fits(
            &json!({"kind": "CellEdited", "similarity": null}),
            &found
        ));
        assert!(fits(&json!({"cells": [{}]}), &found));
        assert!(!fits(&json!({"cells": []}), &found));
        assert!(!fits(&json!({"addr": "C4"}), &found));
        assert!(!fits(&json!({"missing": 1}), &found));
    }

    #[test]
    fn every_operation_is_used_once() {
        let op = json!({"kind": "RowAdded", "row_idx": 3});
        let report = json!({"ops": [op, op], "notes": []});
        let expect = |ops| Expectation {
            ops: Some(ops),
            ..Expectation::default()
        };
        assert_eq!(
            expect(vec![op.clone(), op.clone()]).complaints(&report),
            [""; 0]
        );
        assert_eq!(expect(vec![op.clone()]).complaints(&report).len(), 1);
        assert_eq!(expect(vec![op.clone(); 3]).complaints(&report).len(), 1);
    }

    #[test]
    fn must_and_must_not_and_notes_are_held() {
        let report = json!({
            "ops": [{"kind": "RowAdded"}, {"kind": "CellEdited"}],
            "notes": [{"kind": "sorted", "message": "sorted by C"}],
        });
        let expect = |json| serde_json::from_value::<Expectation>(json).unwrap();
        let fine = json!({"must": [{"kind": "RowAdded"}], "must_not": [{"kind": "RowRemoved"}],
            "max_ops": 2, "notes": [{"message": "by C"}]});
        assert_eq!(expect(fine).complaints(&report), [""; 0]);
        for bad in [
            json!({"must": [{"kind": "RowRemoved"}]}),
            json!({"must_not": [{"kind": "RowAdded"}]}),
            json!({"max_ops": 1}),
            json!({"notes": [{"kind": "other"}]}),
        ] {
            assert_eq!(expect(bad).complaints(&report).len(), 1);
        }
    }
}
