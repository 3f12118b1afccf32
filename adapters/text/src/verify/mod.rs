//! Nothing hidden: a report is held against the input before it is printed.
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
//! The check reads the input and the report, with a reader of its own, and
//! shares no code with what found the moves: an error there must not excuse
//! itself here. It goes over every line once:
//!
//! 1. which lines the input knows (`input`): those of the hunks, or of whole
//!    files where they are given and agree with the hunks;
//! 2. what the report claims: lines that stayed are the same, in order, between
//!    two versions of one file (`kept`); lines that moved are the same but for
//!    the white space that may change (`claims`);
//! 3. what the effective diff shows (`shown`): every line of it is a change,
//!    at its number, once; heads say what they said (`heads`);
//! 4. text around the files that may be a change stands in the effective diff as
//!    it came;
//! 5. what is left: a line that neither stayed nor moved nor is shown is hidden,
//!    unless it is blank and within a block that moved.

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
use claims::{Block, Claims, is_blank};
use input::{Input, Role};
use mvdiff_core::Side;
use texts::SHOWN;

/// Holds a report against the changeset and the contents that it is about.
///
/// Contents that do not agree with a file's hunks are as good as none, and so
/// are all of them if the report says that it used none.
///
/// # Errors
/// The first thing found that is hidden or not true.
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
    // Files that no move names stand as they came, as a rule, and that is seen
    // without looking at their lines.
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

/// Every known line of a side stayed, moved, is shown, or is a blank line that
/// a block took along.
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

fn block_counts(input: &Input<'_>, block: &Block<'_>) -> Result<(), Hidden> {
    let detail = block.detail;
    count("matched_lines", detail.matched_lines, pair_count(block))?;
    // A hunk that may be a block's or the file's own counts as it pleases.
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

fn pair_count(block: &Block<'_>) -> u32 {
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
        // GNU diff's remark on binary files has no head, and is no file.
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
