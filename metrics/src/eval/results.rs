//! Recorded results: of an earlier run, or of another tool.

use super::{CaseResult, Error, Texts, nameless, score};
use crate::{Options, Parts, Scorer};
use serde::Deserialize;

/// Cases and their scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// What was counted, and how, if known.
    pub signature: Option<String>,
    /// The cases, in order.
    pub cases: Vec<CaseResult>,
}

/// The family of cases without one.
const NO_FAMILY: &str = "results";

/// The parts of a `mvdiff eval` report that are read back.
#[derive(Deserialize)]
struct Document {
    schema: String,
    signature: String,
    cases: Vec<Row>,
    #[serde(default)]
    known_gaps: Vec<Row>,
}

/// A case: a score, an error, or three texts to score.
#[derive(Deserialize)]
struct Row {
    family: Option<String>,
    name: String,
    score: Option<f64>,
    parts: Option<Parts>,
    error: Option<String>,
    base: Option<String>,
    a: Option<String>,
    b: Option<String>,
    levenshtein: Option<bool>,
    #[serde(default)]
    why: String,
    #[serde(default)]
    known_gap: bool,
}

/// Reads results: a report of `mvdiff eval`, or JSON lines as in
/// `mvdiff score --jsonl`, either answered (`{"name", "score"}`) or not
/// (`{"name", "base", "a", "b"}`, which are scored here with `options`). A row
/// may set its `"family"`.
///
/// # Errors
/// [`Error::Results`], with the row, for any other input.
pub fn read_results(text: &str, options: &Options) -> Result<Recorded, Error> {
    let document: Result<serde_json::Value, _> = serde_json::from_str(text);
    match document {
        Ok(found) if found.get("schema").is_some() => read_report(found),
        _ => read_rows(text, *options),
    }
}

fn read_report(found: serde_json::Value) -> Result<Recorded, Error> {
    let wrong = |what: String| Error::Results {
        place: String::new(),
        what,
    };
    let found: Document = serde_json::from_value(found)
        .map_err(|error| wrong(format!("no report of mvdiff eval: {error}")))?;
    if found.schema != "mvdiff.eval/1" {
        return Err(wrong(format!(
            "a document of the form {}; one of mvdiff.eval/1 is needed",
            found.schema
        )));
    }
    let gaps = found.known_gaps.into_iter().map(|row| Row {
        known_gap: true,
        ..row
    });
    let rows = found.cases.into_iter().chain(gaps);
    let cases: Result<Vec<CaseResult>, String> = rows.map(recorded).collect();
    Ok(Recorded {
        signature: Some(found.signature),
        cases: cases.map_err(wrong)?,
    })
}

fn read_rows(text: &str, asked: Options) -> Result<Recorded, Error> {
    let mut scorer = Scorer::default();
    let mut cases = Vec::new();
    // Scores computed elsewhere, or with different options, have no signature.
    let mut uniform = true;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let wrong = |what: String| Error::Results {
            place: format!("{number}: "),
            what,
        };
        let row: Row = serde_json::from_str(line).map_err(|error| {
            wrong(format!(
                "{error}; a row is {{\"name\", \"score\"}} or {{\"name\", \"base\", \"a\", \"b\"}}"
            ))
        })?;
        if let Row {
            base: Some(base),
            a: Some(expected),
            b: Some(ours),
            ..
        } = row
        {
            let options = row
                .levenshtein
                .map_or(asked, |similarity| Options { similarity });
            let found = score(
                &mut scorer,
                Texts {
                    base,
                    expected,
                    ours,
                },
                options,
            );
            uniform &= options == asked;
            cases.push(CaseResult {
                family: row.family.unwrap_or_else(|| NO_FAMILY.into()),
                name: row.name,
                why: row.why,
                known_gap: row.known_gap,
                ..found
            });
        } else {
            uniform = false;
            cases.push(recorded(row).map_err(wrong)?);
        }
    }
    Ok(Recorded {
        signature: uniform.then(|| asked.signature()),
        cases,
    })
}

/// A case with a score or an error.
fn recorded(row: Row) -> Result<CaseResult, String> {
    let score = match (row.score, &row.error) {
        (Some(score), _) if (0.0..=1.0).contains(&score) => score,
        (Some(score), _) => {
            return Err(format!(
                "{}: a score of {score}; it must lie between 0 and 1",
                row.name
            ));
        }
        (None, Some(_)) => 0.0,
        (None, None) => {
            return Err(format!(
                "{}: neither \"score\" nor \"base\", \"a\" and \"b\"",
                row.name
            ));
        }
    };
    Ok(CaseResult {
        family: row.family.unwrap_or_else(|| NO_FAMILY.into()),
        name: row.name,
        score,
        parts: row.parts,
        error: row.error,
        why: row.why,
        known_gap: row.known_gap,
        ..nameless()
    })
}
