//! Batches in, batches out: scores, effective diffs and moves, row by row.

use crate::columns::{Texts, beside, utf8};
use crate::input::refuse;
use crate::parallel::{each, threads};
use crate::text::{changesets, contents, report};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float32Array, Float64Array, LargeBinaryArray, MapArray,
    RecordBatch, StringArray, UInt32Array, UInt64Array, cast::AsArray as _,
};
use arrow_schema::{DataType, Field};
use mvdiff_core::Side;
use mvdiff_metrics::{Edits, Options, Score, Scorer};
use mvdiff_text::effective::{EffectiveOptions, EffectiveReport, MoveDetail, MoveKind};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;
use std::sync::Arc;

/// A column of the answer; null where `get` gives nothing.
macro_rules! column {
    ($name:expr, $kind:ident, $array:ty, $answers:expr, $get:expr) => {{
        let column: $array = $answers.iter().map($get).collect();
        let field = Field::new($name, DataType::$kind, true);
        (field, Arc::new(column) as ArrayRef)
    }};
}

/// Text-IoU of every row. The columns `base`, `a` and `b` are taken, all others stay.
#[pyfunction]
#[pyo3(signature = (batch, *, threads, levenshtein, max_bytes))]
pub(crate) fn arrow_text_iou(
    py: Python<'_>,
    batch: PyRecordBatch,
    threads: Option<usize>,
    levenshtein: bool,
    max_bytes: usize,
) -> PyResult<Bound<'_, PyAny>> {
    let batch = batch.into_inner();
    let answer = py.detach(|| text_iou(&batch, threads, levenshtein, max_bytes))?;
    PyRecordBatch::new(answer).into_pyarrow(py)
}

fn text_iou(
    batch: &RecordBatch,
    wanted: Option<usize>,
    levenshtein: bool,
    max_bytes: usize,
) -> PyResult<RecordBatch> {
    const NAMES: [&str; 3] = ["base", "a", "b"];
    let [base, a, b] = NAMES.map(|name| Texts::of(batch, name));
    let texts = [base?, a?, b?];
    let options = Options {
        similarity: levenshtein,
    };
    let score = |scorer: &mut Scorer, row: usize| {
        let text = |index: usize| {
            let text = texts[index].text(NAMES[index], row, max_bytes)?;
            utf8(NAMES[index], text)
        };
        let edits = Edits {
            base: text(0)?,
            a: text(1)?,
            b: text(2)?,
        };
        scorer.score(&edits, &options).map_err(|e| e.to_string())
    };
    let answers: Vec<Result<Score, String>> = each(batch.num_rows(), threads(wanted), score);
    let parts = |answer: &Result<Score, String>| answer.as_ref().ok().map(|score| score.parts);
    let columns = vec![
        column!("score", Float64, Float64Array, answers, |r| r
            .as_ref()
            .ok()
            .map(|score| score.score)),
        column!("u_base", UInt64, UInt64Array, answers, |r| parts(r)
            .map(|p| p.u_base)),
        column!("u_inserts", UInt64, UInt64Array, answers, |r| parts(r)
            .map(|p| p.u_inserts)),
        column!("i_base_delete", UInt64, UInt64Array, answers, |r| parts(r)
            .map(|p| p.i_base_delete)),
        column!("a_blocks", Float64, Float64Array, answers, |r| parts(r)
            .map(|p| p.a_blocks)),
        column!("a_inserts", Float64, Float64Array, answers, |r| parts(r)
            .map(|p| p.a_inserts)),
        column!("error", Utf8, StringArray, answers, |r| r.as_ref().err()),
    ];
    beside(batch, &NAMES, None, columns)
}

/// Whole files by path, as a map column has them.
struct Files(Option<(MapArray, Texts, Texts)>);

impl Files {
    fn of(batch: &RecordBatch, name: &str) -> PyResult<Self> {
        let Some(column) = batch.column_by_name(name) else {
            return Ok(Self(None));
        };
        if !matches!(column.data_type(), DataType::Map(..)) {
            let kind = column.data_type();
            return Err(refuse(format!(
                "column {name} is {kind}; it is a map from path to content"
            )));
        }
        let map: MapArray = column.as_map().clone();
        let keys = Texts::from_array(name, map.keys())?;
        let values = Texts::from_array(name, map.values())?;
        Ok(Self(Some((map, keys, values))))
    }

    fn is_given(&self, row: usize) -> bool {
        self.0.as_ref().is_some_and(|(map, ..)| map.is_valid(row))
    }

    fn get(&self, row: usize, path: &[u8]) -> Option<&[u8]> {
        let (map, keys, values) = self.0.as_ref()?;
        let offsets = map.value_offsets();
        let mut entries = offsets[row] as usize..offsets[row + 1] as usize;
        let found = entries.find(|entry| keys.get(*entry) == Some(path))?;
        values.get(found)
    }
}

/// What the commits of a batch did: a row for each, and a row for each of their blocks.
/// The columns `patch`, `old_files` and `new_files` are taken, all others stay.
#[pyfunction]
#[pyo3(signature = (batch, *, threads, max_bytes))]
pub(crate) fn arrow_commits(
    py: Python<'_>,
    batch: PyRecordBatch,
    threads: Option<usize>,
    max_bytes: usize,
) -> PyResult<(Bound<'_, PyAny>, Bound<'_, PyAny>)> {
    let batch = batch.into_inner();
    let (commits, moves) = py.detach(|| commits(&batch, threads, max_bytes))?;
    Ok((
        PyRecordBatch::new(commits).into_pyarrow(py)?,
        PyRecordBatch::new(moves).into_pyarrow(py)?,
    ))
}

/// One row's report; recipes and kept runs are dropped, for many are held at once.
type Answer = Result<EffectiveReport, String>;

const TAKEN: [&str; 3] = ["patch", "old_files", "new_files"];

fn commits(
    batch: &RecordBatch,
    wanted: Option<usize>,
    max_bytes: usize,
) -> PyResult<(RecordBatch, RecordBatch)> {
    let patches = Texts::of(batch, "patch")?;
    let (old, new) = (
        Files::of(batch, "old_files")?,
        Files::of(batch, "new_files")?,
    );
    let options = EffectiveOptions::default();
    let answer = |(): &mut (), row: usize| {
        let patch = patches.text("patch", row, max_bytes)?;
        let changesets = changesets(patch)?;
        let [changeset] = &changesets[..] else {
            let count = changesets.len();
            return Err(format!("the patch holds {count} commits; give one a row"));
        };
        let (sides, notes) = if old.is_given(row) || new.is_given(row) {
            contents(changeset, |side, path| match side {
                Side::Old => old.get(row, path),
                Side::New => new.get(row, path),
            })
        } else {
            (Vec::new(), Vec::new())
        };
        let found = report(changeset, &sides, notes, &options).map_err(|e| e.to_string())?;
        Ok(EffectiveReport {
            recipe: None,
            kept: Vec::new(),
            ..found
        })
    };
    let answers = each(batch.num_rows(), threads(wanted), answer);
    let counts = beside(batch, &TAKEN, None, counts(&answers))?;
    let (rows, blocks) = blocks(&answers);
    Ok((counts, beside(batch, &TAKEN, Some(&rows), blocks)?))
}

fn counts(answers: &[Answer]) -> Vec<(Field, ArrayRef)> {
    macro_rules! count {
        ($name:expr, $get:expr) => {
            column!($name, UInt32, UInt32Array, answers, |answer| {
                let get: fn(&EffectiveReport) -> u32 = $get;
                answer.as_ref().ok().map(get)
            })
        };
    }
    let lines = |answer: &Answer| {
        let report = answer.as_ref().ok()?;
        Some(report.effective_diff.0.clone())
    };
    let diffs: Vec<Option<Vec<u8>>> = answers.iter().map(lines).collect();
    let diffs = LargeBinaryArray::from_iter(diffs);
    vec![
        count!("files", |r| r.input.files),
        count!("added", |r| r.input.added),
        count!("removed", |r| r.input.removed),
        count!("moves", |r| r.moves_detected),
        count!("indents", |r| r.indents_detected),
        count!("lines_moved", |r| r.total_lines_moved),
        count!("lines_indented", |r| r.total_lines_reindented),
        count!("lines_left", |r| r.total_lines_effectively_changed),
        column!("complete", Boolean, BooleanArray, answers, |r| r
            .as_ref()
            .ok()
            .map(|report| report.complete)),
        (
            Field::new("effective_diff", DataType::LargeBinary, true),
            Arc::new(diffs) as ArrayRef,
        ),
        column!("error", Utf8, StringArray, answers, |r| r.as_ref().err()),
    ]
}

/// Rows that a block belongs to, and the blocks; a row without an answer has one with
/// its error.
fn blocks(answers: &[Answer]) -> (UInt32Array, Vec<(Field, ArrayRef)>) {
    type Block<'a> = (u32, Result<&'a MoveDetail, &'a String>);
    let found: Vec<Block<'_>> = (0..)
        .zip(answers)
        .flat_map(|(row, answer)| -> Vec<Block<'_>> {
            match answer {
                Ok(report) => report
                    .blocks()
                    .iter()
                    .map(|block| (row, Ok(block)))
                    .collect(),
                Err(error) => vec![(row, Err(error))],
            }
        })
        .collect();
    macro_rules! of_block {
        ($name:expr, $kind:ident, $array:ty, $get:expr) => {
            column!($name, $kind, $array, found, |(_, block)| block
                .ok()
                .map($get))
        };
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let columns = vec![
        of_block!("kind", Utf8, StringArray, |m| match m.kind {
            MoveKind::Move => "move",
            MoveKind::Copy => "copy",
            MoveKind::Merge => "merge",
            MoveKind::Indent => "indent",
            MoveKind::Stay => "stay",
        }),
        of_block!("old_file", Utf8, StringArray, |m| text(&m.source_file.0)),
        of_block!("old_start", UInt32, UInt32Array, |m| m.source_lines[0]),
        of_block!("old_end", UInt32, UInt32Array, |m| m.source_lines[1]),
        of_block!("new_file", Utf8, StringArray, |m| text(&m.target_file.0)),
        of_block!("new_start", UInt32, UInt32Array, |m| m.target_lines[0]),
        of_block!("new_end", UInt32, UInt32Array, |m| m.target_lines[1]),
        of_block!("lines", UInt32, UInt32Array, |m| m.matched_lines),
        of_block!("lines_left", UInt32, UInt32Array, |m| m
            .effective_diff_lines),
        of_block!("score", Float32, Float32Array, |m| m.score),
        column!("error", Utf8, StringArray, found, |(_, block)| block.err()),
    ];
    (found.iter().map(|(row, _)| Some(*row)).collect(), columns)
}
