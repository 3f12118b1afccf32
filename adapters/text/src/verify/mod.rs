//! Checks that a report hides nothing, before it is printed.
//!
//! ```
//! use mvdiff_text::effective::{Contents, EffectiveReport};
//! use mvdiff_text::patch::Changeset;
//! let (changeset, contents) = (Changeset::default(), Contents::default());
//! let report = EffectiveReport::default();
//! mvdiff_text::verify::verify(&changeset, &contents, &report)?;
//! # Ok::<(), mvdiff_text::verify::Hidden>(())
//! ```
//!
//! The check reads the input and the report with its own reader and shares no
//! code with the search for moves, so that a bug there cannot excuse itself here.
//! It covers every line once:
//!
//! 1. The lines of the input (`input`): those of the hunks, or of whole files where
//!    they are given and agree with the hunks.
//! 2. The claims of the report: kept lines are equal, in order, between two versions
//!    of one file (`kept`); moved lines are equal up to the white space that may
//!    change (`claims`).
//! 3. The effective diff (`shown`): every line is a change, at its number, once;
//!    headers are unchanged (`heads`).
//! 4. Text around the files that may be a change is in the effective diff, verbatim.
//! 5. The rest: a line that is neither kept nor moved nor shown is hidden, unless it
//!    is blank and within a moved block.

mod claims;
mod heads;
mod hidden;
mod input;
mod kept;
mod reader;
mod shown;
mod texts;

pub use hidden::{Hidden, Place};

use crate::effective::{Contents, EffectiveReport, InputCounts, MoveKind, Source};
use crate::patch::{Changeset, LineKind};
use claims::{ClaimedBlock, Claims, is_blank};
use input::{Input, Role};
use mvdiff_core::Side;
use texts::SHOWN;

/// Checks a report against its changeset and contents.
///
/// Contents that do not agree with a file's hunks are disregarded, and so are all
/// contents if the report states that it used none.
///
/// # Errors
/// The first hidden change or false statement.
pub fn verify(
    changeset: &Changeset<'_>,
    contents: &Contents<'_>,
    report: &EffectiveReport,
) -> Result<(), Hidden> {
    let none = Contents::default();
    let contents = match report.contents {
        Source::None => &none,
        Source::Repo | Source::Dirs => contents,
    };
    // Files that no move refers to are usually verbatim, which can be checked
    // without examining their lines.
    let others = input::others(contents);
    let input = Input::new(changeset, contents, &others, Some(&report.moves));
    if check(changeset, input, report).is_ok() {
        return Ok(());
    }
    check(
        changeset,
        Input::new(changeset, contents, &others, None),
        report,
    )
}

fn check(
    changeset: &Changeset<'_>,
    mut input: Input<'_>,
    report: &EffectiveReport,
) -> Result<(), Hidden> {
    kept::check(&mut input, report)?;
    let mut claims = claims::moves(&mut input, report)?;
    let diff = &report.effective_diff.0;
    let shown = shown::read(diff, &changeset.remarks(), &mut input, &mut claims)?;
    for side in [Side::Old, Side::New] {
        nothing_left(&input, side, &claims.reaches(side))?;
    }
    for block in &claims.blocks {
        claims::in_place(&input, block)?;
        claims::edited(&input, block)?;
        if shown.pairs {
            claims::shown_whole(&input, block)?;
        }
        block_counts(&input, block)?;
    }
    counts(changeset, report, &claims, shown.lines)
}

/// Checks that every known line of a side is kept, moved, shown, or a blank line
/// that a block absorbed.
fn nothing_left(
    input: &Input<'_>,
    side: Side,
    reaches: &[(usize, u32, u32)],
) -> Result<(), Hidden> {
    for (i, file) in input.files.iter().enumerate() {
        if file.role != Role::Lines {
            continue;
        }
        let known = file.side(side);
        for span in &file.spans {
            let stretch = span.side(side);
            let marks = &known.marks[stretch.at..stretch.at + stretch.count as usize];
            for (offset, _) in marks.iter().enumerate().filter(|(_, mark)| **mark == 0) {
                let line = stretch.first + offset as u32;
                let next = reaches.partition_point(|&(f, first, _)| (f, first) <= (i, line));
                let reach = next.checked_sub(1).map(|before| reaches[before]);
                let taken = reach.is_some_and(|(f, _, last)| f == i && line <= last);
                if !taken || !is_blank(known.text(stretch.at + offset)) {
                    return Err(Hidden::NotShown(input.place(side, i, line)));
                }
            }
        }
    }
    Ok(())
}

fn count(what: &'static str, says: u32, is: u32) -> Result<(), Hidden> {
    if says == is {
        return Ok(());
    }
    Err(Hidden::Count { what, says, is })
}

fn block_counts(input: &Input<'_>, block: &ClaimedBlock<'_>) -> Result<(), Hidden> {
    let detail = block.detail;
    count("matched_lines", detail.matched_lines, pair_count(block))?;
    // A hunk that may belong to a block or to the file can count as either.
    let says = detail.effective_diff_lines;
    if says == block.shown {
        return Ok(());
    }
    let most = shown_within(input, Side::Old, block.source, detail.source_lines)
        + shown_within(input, Side::New, block.target, detail.target_lines);
    if (block.shown..=most).contains(&says) {
        return Ok(());
    }
    count("effective_diff_lines", says, most)
}

fn shown_within(input: &Input<'_>, side: Side, file: usize, [first, last]: [u32; 2]) -> u32 {
    let known = &input.files[file];
    let lines = (first..=last).filter_map(|line| known.index(side, line));
    lines.filter(|&at| known.side(side).is(at, SHOWN)).count() as u32
}

fn pair_count(block: &ClaimedBlock<'_>) -> u32 {
    block.detail.pairs.iter().map(|run| run[2]).sum()
}

fn counts(
    changeset: &Changeset<'_>,
    report: &EffectiveReport,
    claims: &Claims<'_>,
    shown: u32,
) -> Result<(), Hidden> {
    let of_kind = |kind: MoveKind| {
        let blocks = claims.blocks.iter();
        blocks.filter(move |block| block.detail.kind == kind)
    };
    let lines = |kind: MoveKind| of_kind(kind).map(pair_count).sum();
    let blocks = |kind: MoveKind| of_kind(kind).count() as u32;
    let input = input_counts(changeset);
    let says = &report.input;
    let all = [
        ("input.files", says.files, input.files),
        ("input.hunks", says.hunks, input.hunks),
        ("input.added", says.added, input.added),
        ("input.removed", says.removed, input.removed),
        ("input.binary", says.binary, input.binary),
        ("input.remarks", says.remarks, input.remarks),
        (
            "moves_detected",
            report.moves_detected,
            blocks(MoveKind::Move),
        ),
        (
            "indents_detected",
            report.indents_detected,
            blocks(MoveKind::Indent),
        ),
        (
            "total_lines_moved",
            report.total_lines_moved,
            lines(MoveKind::Move),
        ),
        (
            "total_lines_reindented",
            report.total_lines_reindented,
            lines(MoveKind::Indent),
        ),
        (
            "total_lines_effectively_changed",
            report.total_lines_effectively_changed,
            shown,
        ),
    ];
    all.into_iter()
        .try_for_each(|(what, says, is)| count(what, says, is))
}

fn input_counts(changeset: &Changeset<'_>) -> InputCounts {
    let mut counts = InputCounts {
        remarks: changeset.remarks().len() as u32,
        ..InputCounts::default()
    };
    for file in &changeset.files {
        // GNU diff's message on binary files has no header, and is not a file.
        counts.files += u32::from(!file.header.is_empty());
        counts.binary += u32::from(file.is_binary());
        for hunk in file.hunks() {
            counts.hunks += 1;
            for line in &hunk.lines {
                counts.added += u32::from(line.kind == LineKind::Added);
                counts.removed += u32::from(line.kind == LineKind::Removed);
            }
        }
    }
    counts
}
