//! Three versions of a text made one, by line, with moves.
//!
//! Where nothing moved this is what `git merge-file` does. Where one side moved a block,
//! the base and the other side are put into that order first, so that an edit of the other
//! side lands in the block where it is now. A move that this would not be certain for is
//! left alone: then its lines went and came, as they do for git.

mod chunks;
mod markers;
mod order;
mod sides;
mod torn;

pub use markers::{ConflictStyle, MarkerOptions};

use crate::{Error, Lines, Text};
use chunks::{Chunk, Hunk};
use mvdiff_core::Options;
use serde::Serialize;
use sides::Aligned;
use torn::Torn;

/// The name of the JSON of merges.
pub const SCHEMA: &str = "mvdiff.merge/1";

/// How to merge.
#[derive(Clone, Debug)]
pub struct MergeOptions {
    /// How conflicts are written.
    pub markers: MarkerOptions,
    /// Which side is taken where both changed the same lines.
    pub favor: Option<Favor>,
    /// How texts are compared.
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

/// What is taken where both sides changed the same lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Favor {
    /// What ours has.
    Ours,
    /// What theirs has.
    Theirs,
    /// What both have, ours first.
    Union,
}

/// Who did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MergeSide {
    /// The side that the result starts from.
    Ours,
    /// The side that is brought in.
    Theirs,
    /// Both did the same.
    Both,
}

/// Something that one side did and that is in the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MergedChange {
    /// Who did it.
    pub side: MergeSide,
    /// `change`, or `move` for lines that went elsewhere.
    pub kind: &'static str,
    /// Lines of the base, counted from one, half open.
    pub base: [u32; 2],
    /// The lines that came; of a move, where they are on its side.
    pub to: MergedLines,
}

/// What lines became.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum MergedLines {
    /// The lines themselves, without their newlines.
    Text(Vec<Text>),
    /// Their place, counted from one, half open.
    Place([u32; 2]),
}

/// Lines that both sides changed in different ways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TextConflict {
    /// The line of the result that the conflict starts in, counted from one.
    pub line: u32,
    /// What the base has.
    pub base: Vec<Text>,
    /// What ours has.
    pub ours: Vec<Text>,
    /// What theirs has.
    pub theirs: Vec<Text>,
}

/// Three texts made one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedText {
    /// The result, with markers around conflicts.
    pub bytes: Vec<u8>,
    /// What both sides did and is in the result, in order of the base.
    pub applied: Vec<MergedChange>,
    /// What both sides did in different ways.
    pub conflicts: Vec<TextConflict>,
    /// Whether no work budget ran out.
    pub complete: bool,
}

/// Merges two versions of a text that come from one.
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

/// Blocks that went elsewhere and are there in the result.
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

/// Lines that were replaced.
fn changes(lines: &[Lines<'_>; 3], order: &[u32], chunks: &[Chunk]) -> Vec<MergedChange> {
    let mut all = Vec::new();
    for chunk in chunks {
        let (side, kept, from) = match chunk {
            Chunk::Ours(hunk) => (MergeSide::Ours, hunk, &lines[1]),
            Chunk::Both(hunk) => (MergeSide::Both, hunk, &lines[1]),
            Chunk::Theirs(hunk) => (MergeSide::Theirs, hunk, &lines[2]),
            Chunk::Same(_) | Chunk::Common(..) | Chunk::Conflict(_) => continue,
        };
        // Lines that stand side by side in the result may not in the base.
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

/// A line without its newline, as reports carry it.
fn text(lines: &Lines<'_>, line: u32) -> Text {
    let line = lines.get(line as usize);
    Text(line.strip_suffix(b"\n").unwrap_or(line).to_vec())
}
