//! Reduces a noisy diff to the effective changes.
//!
//! ```
//! use mvdiff_text::effective::{Contents, EffectiveOptions, effective};
//!
//! let patch = b"\
//! --- a/utils.py
//! +++ b/utils.py
//! @@ -1,3 +0,0 @@
//! -def calculate_total(items):
//! -    subtotal = sum(item.price for item in items)
//! -    return subtotal * TAX
//! --- a/helpers.py
//! +++ b/helpers.py
//! @@ -0,0 +1,3 @@
//! +def calculate_total(items):
//! +    subtotal = sum(item.price for item in items)
//! +    return subtotal * TAX_RATE
//! ";
//! let changesets = mvdiff_text::patch::parse(patch)?;
//! let report = effective(&changesets[0], &Contents::default(), &EffectiveOptions::default())?;
//! assert_eq!(report.moves_detected, 1);
//! assert_eq!(report.total_lines_effectively_changed, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The input is a [`Changeset`] and, where known, the [`Contents`] of its files;
//! the output is an [`EffectiveReport`]. Neither git nor a file system is needed.
//! The pipeline: lines around hunks (`windows`), the core's script for them
//! (`problem`), the fate of every line (`line_fates`, `blocks`), and from that
//! the remaining hunks (`hunks`, `print`), the base alignment (`kept`) and the
//! recipe. Before a report is returned, [`verify`](crate::verify) checks it
//! against the input.

mod blocks;
mod crossing;
mod fates;
mod fit;
mod hunks;
mod indents;
mod kept;
mod line_fates;
mod notes;
mod occurrences;
mod prefilter;
mod print;
mod problem;
mod recipe;
mod replay;
mod report;
mod stayed;
mod windows;

pub use fates::FileFates;
pub use fit::{Sides, is_said_in_full, is_submodule, settle};
pub use replay::{Rebuilt, rebuild};
pub use report::{
    EffectiveReport, EvidenceParts, InputCounts, KeptRun, MoveDetail, MoveKind, RecipeFile,
    RecipePart, ShownLines, Source, Twin, TwinSide,
};

use crate::patch::{Changeset, FilePatch, LineKind};
use crate::verify::verify;
use crate::{Error, Note, Text};
use blocks::LineBlock;
use line_fates::LineFates;
use mvdiff_core::Side;
use notes::{note, notes};
use print::effective_diff;
use problem::PatchProblem;
use std::borrow::Cow;
use std::ops::Range;
use windows::Windows;

/// Name and version of the report's schema.
pub const SCHEMA: &str = "mvdiff.effective/1";

/// Contents of the files in a patch, where known. With contents, blocks may
/// extend beyond the hunks, and the report includes a recipe.
#[derive(Clone, Debug, Default)]
pub struct Contents<'c> {
    /// Their origin.
    pub source: Source,
    /// One for each file of the changeset, in order; empty if none are known.
    pub files: Vec<FileContents<'c>>,
    /// Old files that the patch does not touch, as sources of copies.
    pub others: Vec<OtherFile<'c>>,
}

/// One file before and after; `None` if unknown or nonexistent.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileContents<'c> {
    /// Before.
    pub old: Option<&'c [u8]>,
    /// After.
    pub new: Option<&'c [u8]>,
}

/// A file that a patch does not touch.
#[derive(Clone, Copy, Debug)]
pub struct OtherFile<'c> {
    /// Its path.
    pub path: &'c [u8],
    /// Its content.
    pub text: &'c [u8],
}

/// Options for finding moves in a patch and printing the remaining changes.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectiveOptions {
    /// What counts as a move.
    pub engine: mvdiff_core::Options,
    /// Lines around a hunk that a block may extend into, where contents are
    /// known. Default 20.
    pub extend: u32,
    /// How far a block may extend beyond its unedited lines. Default 3.
    pub trim: u32,
    /// Least score of a move. Default 0.
    pub min_score: f32,
    /// Show white space changes inside moved blocks. Default false.
    pub show_whitespace: bool,
    /// Lines of context around changes inside moved blocks. Default 0.
    pub context: u32,
}

impl Default for EffectiveOptions {
    fn default() -> Self {
        Self {
            engine: crate::options(),
            extend: 20,
            trim: 3,
            min_score: 0.0,
            show_whitespace: false,
            context: 0,
        }
    }
}

/// Finds the moves in a changeset and the changes that remain.
///
/// # Errors
/// [`Error`] if the input is too large or an option is out of range.
pub fn effective(
    changeset: &Changeset<'_>,
    contents: &Contents<'_>,
    options: &EffectiveOptions,
) -> Result<EffectiveReport, Error> {
    // A copy may come from anywhere in the old files.
    let (extend, sift) = if options.engine.copies {
        (u32::MAX, false)
    } else {
        (options.extend, options.engine.moves)
    };
    let windows = Windows::new(changeset, contents, extend, sift)?;
    let input = Input {
        changeset,
        contents,
        windows: &windows,
    };
    // Edits in place are shown as in the patch; pairing all of them would cost
    // more than finding the moves.
    let mut engine = options.engine.clone().with(|o| o.edits = false);
    if windows.sifted {
        engine.budget.featured = 0;
    }
    let diff = mvdiff_core::diff(&PatchProblem::new(changeset, &windows), &engine)?;
    let fates = LineFates::new(&windows, &diff.script, options);
    let notes = notes(&input, &diff.outcome);
    drop(diff);
    let report = input.report(&fates, notes, options);
    let Err(hidden) = verify(changeset, contents, &report) else {
        return Ok(report);
    };
    let mut notes = report.notes;
    notes.push(note(
        "check",
        format!("a change would have been hidden ({hidden}): shown without moves"),
    ));
    Ok(input.report(&LineFates::plain(&windows), notes, options))
}

/// The input of a report.
struct Input<'i, 'p> {
    changeset: &'i Changeset<'p>,
    contents: &'i Contents<'p>,
    windows: &'i Windows<'p>,
}

impl Input<'_, '_> {
    fn report(
        &self,
        fates: &LineFates,
        notes: Vec<Note>,
        options: &EffectiveOptions,
    ) -> EffectiveReport {
        let Self {
            changeset,
            contents,
            windows,
        } = *self;
        let printed = effective_diff(changeset, windows, fates, options.context)
            .expect("memory takes every byte");
        let files = changeset.files.iter().zip(&windows.files);
        let kept: Vec<Vec<kept::Run>> = files
            .map(|(file, view)| kept::runs(file, view, windows, fates))
            .collect();
        let recipe = (contents.source != Source::None)
            .then(|| recipe::recipe(changeset, contents, windows, fates, &kept));
        let moves = details(changeset, contents, windows, fates);
        let of_kind = |kind: MoveKind| moves.iter().filter(move |block| block.kind == kind);
        let lines = |kind: MoveKind| of_kind(kind).map(|block| block.matched_lines).sum();
        let count = |kind: MoveKind| of_kind(kind).count() as u32;
        let (gone, indented) = (MoveKind::Move, MoveKind::Indent);
        let (moves_detected, total_lines_moved) = (count(gone), lines(gone));
        let (indents_detected, total_lines_reindented) = (count(indented), lines(indented));
        EffectiveReport {
            schema: SCHEMA.into(),
            commit: changeset.commit.map(|id| Text(id.to_vec())),
            complete: notes.iter().all(|note| note.kind == "ambiguous"),
            notes,
            contents: contents.source,
            input: input_counts(changeset),
            moves_detected,
            indents_detected,
            total_lines_moved,
            total_lines_reindented,
            total_lines_effectively_changed: printed.changed,
            moves,
            kept: kept_runs(changeset, &kept),
            effective_diff: Text(printed.text),
            recipe,
            shown: printed.shown,
        }
    }
}

/// Counts the contents of a changeset.
#[must_use]
pub fn input_counts(changeset: &Changeset<'_>) -> InputCounts {
    let hunks = || changeset.files.iter().flat_map(FilePatch::hunks);
    let lines = |kind: LineKind| {
        let of_kind = |l: &&crate::patch::HunkLine<'_>| l.kind == kind;
        hunks()
            .map(|h| h.lines.iter().filter(of_kind).count() as u32)
            .sum()
    };
    InputCounts {
        // GNU diff's bare message about two binary files does not count as a
        // file.
        files: changeset
            .files
            .iter()
            .filter(|f| !f.header.is_empty())
            .count() as u32,
        hunks: hunks().count() as u32,
        added: lines(LineKind::Added),
        removed: lines(LineKind::Removed),
        binary: changeset.files.iter().filter(|f| f.is_binary()).count() as u32,
        remarks: changeset.remarks().len() as u32,
    }
}

fn kept_runs(changeset: &Changeset<'_>, kept: &[Vec<kept::Run>]) -> Vec<KeptRun> {
    let mut runs = Vec::with_capacity(kept.iter().map(Vec::len).sum());
    for (file, kept) in changeset.files.iter().zip(kept) {
        let text =
            |path: &Option<Cow<'_, [u8]>>| Text(path.as_deref().unwrap_or_default().to_vec());
        for &(old, new, len) in kept {
            runs.push(KeptRun(
                text(&file.old_path),
                old + 1,
                text(&file.new_path),
                new + 1,
                len,
            ));
        }
    }
    runs
}

/// Lists the blocks in the form of the report.
fn details(
    changeset: &Changeset<'_>,
    contents: &Contents<'_>,
    windows: &Windows<'_>,
    fates: &LineFates,
) -> Vec<MoveDetail> {
    let twin = |(side, lines): &(Side, Range<u32>)| {
        let number = *side as usize;
        let window = windows.window_of(number, lines.start);
        let file = &changeset.files[window.file];
        let path = [&file.old_path, &file.new_path][number].as_deref();
        Twin {
            side: TwinSide::from(*side),
            file: Text(path.unwrap_or_default().to_vec()),
            lines: [
                window.line(number, lines.start) + 1,
                window.line(number, lines.end - 1) + 1,
            ],
        }
    };
    // The block that a copy or merge shares lines with.
    let of = |block: &LineBlock| {
        let &(old, new) = block.pairs.first()?;
        let id = match block.kind {
            MoveKind::Copy => fates.moved[0][old as usize],
            MoveKind::Merge => fates.moved[1][new as usize],
            MoveKind::Move | MoveKind::Indent | MoveKind::Stay => line_fates::NONE,
        };
        (id != line_fates::NONE).then(|| id + 1)
    };
    let blocks = fates.blocks().chain(&fates.stayed);
    let details = blocks.zip(1..).map(|(block, id)| {
        let (source, target) = (
            windows.window_of(0, block.old.start),
            windows.window_of(1, block.new.start),
        );
        let other = || contents.others[source.file - changeset.files.len()].path;
        let source_file = match changeset.files.get(source.file) {
            Some(file) => file.old_path.as_deref().unwrap_or_default(),
            None => other(),
        };
        let target_file = changeset.files[target.file].new_path.as_deref();
        let line = |(old, new): (u32, u32)| [source.line(0, old) + 1, target.line(1, new) + 1];
        MoveDetail {
            id,
            kind: block.kind,
            of: of(block),
            source_file: Text(source_file.to_vec()),
            target_file: Text(target_file.unwrap_or_default().to_vec()),
            source_lines: [
                source.line(0, block.old.start) + 1,
                source.line(0, block.old.end),
            ],
            target_lines: [
                target.line(1, block.new.start) + 1,
                target.line(1, block.new.end),
            ],
            matched_lines: block.pairs.len() as u32,
            score: block.score,
            effective_diff_lines: block
                .changes
                .iter()
                .map(|(old, new)| (old.len() + new.len()) as u32)
                .sum(),
            indent: block.indent.clone(),
            whitespace_lines: block.whitespace,
            pairs: runs_of(block.pairs.iter().map(|pair| line(*pair))),
            edited_pairs: block.edited.iter().map(|pair| line(*pair)).collect(),
            twins: block.twins.iter().map(&twin).collect(),
            evidence: evidence(block),
        }
    });
    details.collect()
}

/// Joins pairs into runs.
fn runs_of(pairs: impl Iterator<Item = [u32; 2]>) -> Vec<[u32; 3]> {
    let mut runs: Vec<[u32; 3]> = Vec::new();
    for [old, new] in pairs {
        match runs.last_mut() {
            Some([o, n, len]) if *o + *len == old && *n + *len == new => *len += 1,
            _ => runs.push([old, new, 1]),
        }
    }
    runs
}

fn evidence(block: &LineBlock) -> EvidenceParts {
    match &block.evidence {
        Some(evidence) => EvidenceParts {
            size: evidence.size,
            uniqueness: evidence.uniqueness,
            consistency: evidence.consistency,
            distance: evidence.distance,
            weight: evidence.weight,
            runner_up: evidence.runner_up.as_ref().map(|_| 1.0 - evidence.margin),
        },
        // A copy is judged by its similarity alone.
        None => EvidenceParts {
            size: block.score,
            uniqueness: 1.0,
            consistency: 1.0,
            distance: 1.0,
            weight: block.pairs.len() as f32,
            runner_up: None,
        },
    }
}
