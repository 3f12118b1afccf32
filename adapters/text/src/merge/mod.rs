//! Three-way merge by line, with moves.
//!
//! Where nothing moved, the result is that of `git merge-file`. Where one side
//! moved a block, the base and the other side are put into that order first, so
//! that an edit of the other side lands in the block at its new place. A move for
//! which this is ambiguous is treated as a deletion and an insertion, as git
//! does.

mod chunks;
mod markers;
mod order;
mod sides;
mod torn;

pub use markers::{ConflictStyle, MarkerOptions};

use crate::{Error, Lines, Text};
use chunks::{Chunk, Hunk};
use mvdiff_core::Options;
#[cfg(feature = "serde")]
use serde::Serialize;
use sides::Aligned;
use torn::Torn;

/// Name and version of the JSON schema of merges.
pub const SCHEMA: &str = "mvdiff.merge/1";

/// Options of a merge.
#[derive(Clone, Debug)]
pub struct MergeOptions {
    /// How to write conflicts.
    pub markers: MarkerOptions,
    /// Which side to take where both changed the same lines.
    pub favor: Option<Favor>,
    /// Options for comparing texts.
    pub engine: Options,
}

impl Default for MergeOptions {
    fn default() -> Self {
        Self {
            markers: MarkerOptions::default(),
            favor: None,
            engine: crate::options(),
        }
    }
}

/// What to take where both sides changed the same lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Favor {
    /// The lines of ours.
    Ours,
    /// The lines of theirs.
    Theirs,
    /// The lines of both, ours first.
    Union,
}

/// The side that made a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MergeSide {
    /// The current side, which the result starts from.
    Ours,
    /// The side being merged in.
    Theirs,
    /// Both sides, identically.
    Both,
}

/// A change of one side that is part of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct MergedChange {
    /// The side that made it.
    pub side: MergeSide,
    /// `change`, or `move` for moved lines.
    pub kind: &'static str,
    /// Base lines, one-based, half open.
    pub base: [u32; 2],
    /// The new lines; for a move, their place on its side.
    pub to: MergedLines,
}

/// The result of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
pub enum MergedLines {
    /// The lines themselves, without their newlines.
    Text(Vec<Text>),
    /// Their place, one-based, half open.
    Place([u32; 2]),
}

/// Lines that both sides changed differently.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct TextConflict {
    /// The line of the result where the conflict starts, one-based.
    pub line: u32,
    /// Lines of the base.
    pub base: Vec<Text>,
    /// Lines of ours.
    pub ours: Vec<Text>,
    /// Lines of theirs.
    pub theirs: Vec<Text>,
}

/// The result of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedText {
    /// The result, with markers around conflicts.
    pub bytes: Vec<u8>,
    /// Changes of both sides that are part of the result, in order of the base.
    pub applied: Vec<MergedChange>,
    /// Lines that both sides changed differently.
    pub conflicts: Vec<TextConflict>,
    /// Whether no work budget was exhausted.
    pub complete: bool,
}

/// Merges two versions of a text that have a common base.
///
/// ```
/// use mvdiff_text::merge::{MergeOptions, merge_texts};
///
/// let base = "fn total(order) {\n    sum(order.items)\n}\n\nfn title(page) {\n    page.name\n}\n";
/// // Ours puts the second function first, and theirs edits it where it was.
/// let ours = "fn title(page) {\n    page.name\n}\n\nfn total(order) {\n    sum(order.items)\n}\n";
/// let theirs = base.replace("page.name", "page.title");
/// let texts = [base, ours, &theirs].map(str::as_bytes);
/// let merged = merge_texts(texts[0], texts[1], texts[2], &MergeOptions::default())?;
/// assert!(merged.conflicts.is_empty());
/// assert_eq!(merged.bytes, ours.replace("page.name", "page.title").as_bytes());
/// # Ok::<(), mvdiff_text::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if a text is too large, or an option is out of range.
pub fn merge_texts(
    base: &[u8],
    ours: &[u8],
    theirs: &[u8],
    options: &MergeOptions,
) -> Result<MergedText, Error> {
    let lines = [Lines::new(base)?, Lines::new(ours)?, Lines::new(theirs)?];
    let mut sides = [
        Aligned::new(base, ours, &options.engine)?,
        Aligned::new(base, theirs, &options.engine)?,
    ];
    let order = order::settle(lines[0].len(), &mut sides);
    let hunks: [Vec<Hunk>; 2] = [0, 1].map(|at| {
        let side = &sides[at];
        let all = order::laid_out(&order, side).unwrap_or_default();
        chunks::hunks(&order, side, all)
    });
    let torn = Torn::new(&lines, &sides);
    let chunks = chunks::merge(&lines, (&order, &sides), &hunks, (&torn, options))?;
    let mut applied = moves(&sides);
    applied.extend(changes(&lines, &order, &chunks));
    applied.sort_by_key(|change| (change.base, change.kind, change.side));
    let (bytes, conflicts) = markers::write(&lines, &order, &chunks, options);
    Ok(MergedText {
        bytes,
        applied,
        conflicts,
        complete: sides.iter().all(|side| side.complete),
    })
}

/// The moves that are part of the result.
fn moves(sides: &[Aligned; 2]) -> Vec<MergedChange> {
    let names = [MergeSide::Ours, MergeSide::Theirs];
    let mut all: Vec<MergedChange> = Vec::new();
    for (side, name) in sides.iter().zip(names) {
        for step in &side.moves {
            let place = |range: &std::ops::Range<u32>| [range.start + 1, range.end + 1];
            let base = place(&step.old);
            let twin = |other: &&mut MergedChange| other.base == base && other.side != name;
            match all.iter_mut().find(twin) {
                Some(other) => other.side = MergeSide::Both,
                None => all.push(MergedChange {
                    side: name,
                    kind: "move",
                    base,
                    to: MergedLines::Place(place(&step.new)),
                }),
            }
        }
    }
    all
}

/// The replaced lines.
fn changes(lines: &[Lines<'_>; 3], order: &[u32], chunks: &[Chunk]) -> Vec<MergedChange> {
    let mut all = Vec::new();
    for chunk in chunks {
        let (side, kept, from) = match chunk {
            Chunk::Ours(hunk) => (MergeSide::Ours, hunk, &lines[1]),
            Chunk::Both(hunk) => (MergeSide::Both, hunk, &lines[1]),
            Chunk::Theirs(hunk) => (MergeSide::Theirs, hunk, &lines[2]),
            Chunk::Same(_) | Chunk::Common(..) | Chunk::Conflict(_) => continue,
        };
        // Adjacent lines of the result may not be adjacent in the base.
        let ids = &order[kept.place.clone()];
        let first = ids.first().copied();
        let first = first.unwrap_or_else(|| {
            let before = kept.place.start.checked_sub(1);
            before.map_or(0, |before| order[before] + 1)
        });
        let end = first + ids.len() as u32;
        all.push(MergedChange {
            side,
            kind: "change",
            base: [first + 1, end + 1],
            to: MergedLines::Text(kept.lines.iter().map(|line| text(from, *line)).collect()),
        });
    }
    all
}

/// A line without its newline, as in reports.
fn text(lines: &Lines<'_>, line: u32) -> Text {
    let line = lines.get(line as usize);
    Text(line.strip_suffix(b"\n").unwrap_or(line).to_vec())
}
