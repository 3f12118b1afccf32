//! One row and its answer.

use super::Batch;
use crate::{Edits, Options, Score, Scorer, Variants};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

#[derive(Deserialize)]
struct Row<'r> {
    #[serde(default)]
    name: Value,
    #[serde(borrow)]
    base: Cow<'r, str>,
    #[serde(borrow)]
    a: Cow<'r, str>,
    #[serde(borrow)]
    b: Cow<'r, str>,
    levenshtein: Option<bool>,
}

#[derive(Serialize)]
struct Answer<'r> {
    name: &'r Value,
    #[serde(flatten)]
    score: Score,
    #[serde(flatten)]
    variants: Variants,
}

#[derive(Serialize)]
struct Complaint<'r> {
    name: Value,
    error: &'r str,
}

/// The name of a row, if it can be read.
#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    name: Value,
}

/// Scores a row and writes its answer.
pub(super) fn answer(
    row: &[u8],
    scorer: &mut Scorer,
    batch: &Batch,
    out: &mut Vec<u8>,
) -> Result<f64, String> {
    let row = row.trim_ascii();
    let read = std::str::from_utf8(row).map_err(|error| {
        format!(
            "byte {} is not UTF-8; write rows as UTF-8",
            error.valid_up_to() + 1
        )
    })?;
    let row: Row<'_> = serde_json::from_str(read).map_err(|error| wrong(&error))?;
    let options = row
        .levenshtein
        .map_or(batch.options, |similarity| Options { similarity });
    let edits = Edits {
        base: &row.base,
        a: &row.a,
        b: &row.b,
    };
    let (score, variants) = scorer
        .score_with(&edits, &options, &batch.variants)
        .map_err(|e| e.to_string())?;
    write(
        out,
        &Answer {
            name: &row.name,
            score,
            variants,
        },
    );
    Ok(score.score)
}

/// Describes what is wrong with a row.
fn wrong(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or(&text);
    format!(
        "column {}: {what}; a row is {{\"name\", \"base\", \"a\", \"b\"}}",
        error.column()
    )
}

/// Writes the answer to a row that could not be scored.
pub(super) fn complain(row: &[u8], number: u64, wrong: &str, out: &mut Vec<u8>) {
    let named = serde_json::from_slice(row);
    let Named { name } = named.unwrap_or(Named { name: Value::Null });
    write(
        out,
        &Complaint {
            name,
            error: &format!("row {number}: {wrong}"),
        },
    );
}

fn write(out: &mut Vec<u8>, answer: &impl Serialize) {
    let start = out.len();
    // Serialising numbers and strings to memory cannot fail; if it did, no
    // partial answer may remain.
    if serde_json::to_writer(&mut *out, answer).is_err() {
        out.truncate(start);
    }
    out.push(b'\n');
}
