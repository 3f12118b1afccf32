//! Texts, patches and scores.

use crate::input::{Text, refuse};
use mvdiff_core::Side;
use mvdiff_metrics::{Edits, Options as ScoreOptions, ScoreReport, Variant, text_of};
use mvdiff_render::view::View;
use mvdiff_render::{Names, PageOptions, page};
use mvdiff_text::effective::{
    Contents, EffectiveOptions, EffectiveReport, Sides, Source, effective, is_submodule, settle,
};
use mvdiff_text::patch::{self, Changeset};
use mvdiff_text::{Ignore, LineProblem, LineReport, Note, Space};
use pyo3::prelude::*;
use std::collections::HashMap;

/// How lines are compared, as keywords.
fn engine(moves: bool, copies: bool, threshold: f32) -> mvdiff_core::Options {
    mvdiff_text::options().with(|o| {
        o.moves = moves;
        o.copies = copies && moves;
        o.threshold = threshold;
    })
}

fn ignore(space: &str, blank_lines: bool) -> PyResult<Ignore> {
    let space = match space {
        "none" => Space::Counts,
        "change" => Space::Change,
        "all" => Space::All,
        other => {
            return Err(refuse(format!(
                "ignore_space={other:?}: there are none, change and all"
            )));
        }
    };
    Ok(Ignore {
        space,
        blank_lines,
        ..Ignore::default()
    })
}

/// The JSON of `mvdiff diff` on two texts.
#[pyfunction]
#[pyo3(signature = (old, new, *, moves, copies, threshold, ignore_space, ignore_blank_lines))]
#[allow(clippy::too_many_arguments)] // keywords, called by one function
pub(crate) fn diff_json(
    py: Python<'_>,
    old: Text,
    new: Text,
    moves: bool,
    copies: bool,
    threshold: f32,
    ignore_space: &str,
    ignore_blank_lines: bool,
) -> PyResult<String> {
    let ignore = ignore(ignore_space, ignore_blank_lines)?;
    py.detach(|| {
        let problem = LineProblem::ignoring(old.bytes(), new.bytes(), ignore).map_err(refuse)?;
        let diff =
            mvdiff_core::diff(&problem, &engine(moves, copies, threshold)).map_err(refuse)?;
        serde_json::to_string(&LineReport::new(&problem, &diff)).map_err(refuse)
    })
}

/// The page of a report on two texts.
#[pyfunction]
pub(crate) fn diff_page(
    py: Python<'_>,
    report: &str,
    old: Text,
    new: Text,
    names: (String, String),
) -> PyResult<String> {
    py.detach(|| {
        let report: LineReport = serde_json::from_str(report).map_err(refuse)?;
        let problem = LineProblem::ignoring(old.bytes(), new.bytes(), report.ignore);
        let problem = problem.map_err(refuse)?;
        let files = (problem.file(Side::Old, 0), problem.file(Side::New, 0));
        let names = Names {
            old: names.0,
            new: names.1,
        };
        written(&[View::of_lines(&names, files, &report)])
    })
}

fn written(views: &[View<'_>]) -> PyResult<String> {
    let mut out = Vec::new();
    page(&mut out, views, &PageOptions::default()).map_err(refuse)?;
    String::from_utf8(out).map_err(refuse)
}

/// The new text, from the old one and a report alone.
#[pyfunction]
pub(crate) fn replay_lines(py: Python<'_>, report: &str, old: Text) -> PyResult<Vec<u8>> {
    py.detach(|| {
        let report: LineReport = serde_json::from_str(report).map_err(refuse)?;
        report.replay(old.bytes()).map_err(refuse)
    })
}

/// Whole files by path.
type Files = HashMap<String, Text>;

/// The contents of a changeset's files, where they fit the patch, and what did not.
pub(crate) fn contents<'f>(
    changeset: &Changeset<'_>,
    file: impl Fn(Side, &[u8]) -> Option<&'f [u8]>,
) -> (Vec<Sides>, Vec<Note>) {
    let mut notes = Vec::new();
    let sides = changeset.files.iter().map(|patch| {
        let side = |side: Side, path: Option<&[u8]>| {
            let found = path.and_then(|path| file(side, path));
            found.map(<[u8]>::to_vec)
        };
        let read = Sides {
            old: side(Side::Old, patch.old_path.as_deref()),
            new: side(Side::New, patch.new_path.as_deref()),
        };
        if is_submodule(patch) || patch.is_binary() {
            return read;
        }
        let given = read != Sides::default();
        settle(patch, read).unwrap_or_else(|| {
            let path = String::from_utf8_lossy(patch.path());
            let why = if given {
                "the files that were given hold something else"
            } else {
                "is not among the files that were given"
            };
            notes.push(Note {
                kind: "contents".into(),
                message: format!("{path}: {why}; its hunks are all there is"),
            });
            Sides::default()
        })
    });
    (sides.collect(), notes)
}

/// The report of one changeset, with the contents that fit it.
pub(crate) fn report(
    changeset: &Changeset<'_>,
    sides: &[Sides],
    mut notes: Vec<Note>,
    options: &EffectiveOptions,
) -> Result<EffectiveReport, mvdiff_text::Error> {
    let mut report = effective(changeset, &borrowed(sides), options)?;
    report.complete &= notes.is_empty();
    report.notes.append(&mut notes);
    Ok(report)
}

fn borrowed(sides: &[Sides]) -> Contents<'_> {
    let none = sides.iter().all(|sides| *sides == Sides::default());
    Contents {
        source: if none { Source::None } else { Source::Dirs },
        files: if none {
            Vec::new()
        } else {
            sides.iter().map(Sides::as_contents).collect()
        },
        others: Vec::new(),
    }
}

/// The changesets of a patch; no difference is a changeset, too.
pub(crate) fn changesets(patch: &[u8]) -> Result<Vec<Changeset<'_>>, String> {
    let mut changesets = patch::parse(patch).map_err(|error| error.to_string())?;
    if changesets.is_empty() {
        changesets.push(Changeset::default());
    }
    Ok(changesets)
}

/// What contents there are for each changeset, in the order of the patch.
fn looked_up(
    changesets: &[Changeset<'_>],
    old: Option<&Files>,
    new: Option<&Files>,
) -> Vec<(Vec<Sides>, Vec<Note>)> {
    let look = |changeset: &Changeset<'_>| {
        if old.is_none() && new.is_none() {
            return (Vec::new(), Vec::new());
        }
        contents(changeset, |side, path| {
            let files = if side == Side::Old { old } else { new };
            let path = std::str::from_utf8(path).ok()?;
            files?.get(path).map(Text::bytes)
        })
    };
    changesets.iter().map(look).collect()
}

/// The JSON of `mvdiff effective`, one for each commit of a patch.
#[pyfunction]
#[pyo3(signature = (patch, old_files, new_files, *, moves, copies, threshold, context))]
#[allow(clippy::too_many_arguments)] // keywords, called by one function
pub(crate) fn effective_json(
    py: Python<'_>,
    patch: Text,
    old_files: Option<Files>,
    new_files: Option<Files>,
    moves: bool,
    copies: bool,
    threshold: f32,
    context: u32,
) -> PyResult<Vec<String>> {
    let options = EffectiveOptions {
        engine: engine(moves, copies, threshold),
        context,
        ..EffectiveOptions::default()
    };
    py.detach(|| {
        let changesets = changesets(patch.bytes()).map_err(refuse)?;
        let found = looked_up(&changesets, old_files.as_ref(), new_files.as_ref());
        let reports = changesets.iter().zip(found).map(|(changeset, found)| {
            let report = report(changeset, &found.0, found.1, &options).map_err(refuse)?;
            serde_json::to_string(&report).map_err(refuse)
        });
        reports.collect()
    })
}

/// The page of the reports on a patch.
#[pyfunction]
pub(crate) fn effective_page(
    py: Python<'_>,
    reports: Vec<String>,
    patch: Text,
    old_files: Option<Files>,
    new_files: Option<Files>,
) -> PyResult<String> {
    py.detach(|| {
        let changesets = changesets(patch.bytes()).map_err(refuse)?;
        let found = looked_up(&changesets, old_files.as_ref(), new_files.as_ref());
        let reports: Result<Vec<EffectiveReport>, _> = reports
            .iter()
            .map(|json| serde_json::from_str(json))
            .collect();
        let reports = reports.map_err(refuse)?;
        let views = changesets.iter().zip(&found).zip(&reports);
        let views: Vec<View<'_>> = views
            .map(|((changeset, (sides, _)), report)| {
                View::of_effective(changeset, &borrowed(sides), report)
            })
            .collect();
        written(&views)
    })
}

/// The old blobs that the files of a patch name: `(path, id)`, as far as the patch says
/// it and the file is not said in full.
#[pyfunction]
pub(crate) fn patch_blobs(py: Python<'_>, patch: Text) -> PyResult<Vec<(Vec<u8>, Vec<u8>)>> {
    py.detach(|| {
        let changesets = changesets(patch.bytes()).map_err(refuse)?;
        let files = changesets.iter().flat_map(|changeset| &changeset.files);
        let wanted = files.filter(|file| !is_submodule(file) && !file.is_binary());
        let named = wanted.filter_map(|file| {
            let (old, _) = file.ids?;
            let stored = old.iter().any(|digit| *digit != b'0');
            let name = file.old_path.as_deref().filter(|_| stored)?;
            Some((name.to_vec(), old.to_vec()))
        });
        Ok(named.collect())
    })
}

/// The JSON of `mvdiff score`.
#[pyfunction]
pub(crate) fn text_iou_json(
    py: Python<'_>,
    base: Text,
    a: Text,
    b: Text,
    levenshtein: bool,
    variants: Vec<String>,
    explain: bool,
) -> PyResult<String> {
    let variants: Result<Vec<Variant>, String> = variants.iter().map(|name| name.parse()).collect();
    let variants = variants.map_err(refuse)?;
    let options = ScoreOptions {
        similarity: levenshtein,
    };
    py.detach(|| {
        let texts = [&base, &a, &b].map(|text| text_of(text.bytes()));
        let edits = Edits {
            base: &texts[0],
            a: &texts[1],
            b: &texts[2],
        };
        let report = ScoreReport::new(&edits, &options, &variants, explain).map_err(refuse)?;
        serde_json::to_string(&report).map_err(refuse)
    })
}

/// The interval that holds the mean of 95 of 100 draws, the same draws every time.
#[pyfunction]
pub(crate) fn bootstrap(py: Python<'_>, values: Vec<f64>) -> Option<[f64; 2]> {
    py.detach(|| mvdiff_metrics::eval::interval(&values))
}
