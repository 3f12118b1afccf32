//! Inverts reports: new texts + inverse = old texts.
//!
//! A report contains inserted text but not deleted text, so the old texts are
//! needed.

use crate::line::without_newline;
use crate::report::{Change, Inner, LineReport, MoveKind, MovedBlock, Stats, Text, TwinSide};
use crate::{Error, Indent, Lines};
use std::ops::Range;

impl LineReport {
    /// Inverts the report, from the new text to the old one.
    ///
    /// ```
    /// let (old, new) = (b"one\ntwo\nthree\n", b"zero\none\nthree\n");
    /// let report = mvdiff_text::diff_lines(old, new, &mvdiff_text::options())?;
    /// assert_eq!(report.invert(old)?.replay(new)?, old);
    /// # Ok::<(), mvdiff_text::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotReplayable`] if `old` is not the text of the report.
    pub fn invert(&self, old: &[u8]) -> Result<Self, Error> {
        let new = self.replay(old)?;
        let (old, new) = (Lines::new(old)?, Lines::new(&new)?);
        let blocks = |blocks: &[MovedBlock]| {
            let turned = blocks.iter().map(|block| invert_block(block, &old, &new));
            let mut blocks: Vec<MovedBlock> = turned.collect::<Result<_, _>>()?;
            blocks.sort_by_key(|block| block.original_line_start);
            Ok::<_, Error>(blocks)
        };
        let moves = blocks(&self.moves)?;
        Ok(Self {
            schema: self.schema.clone(),
            complete: self.complete,
            notes: self.notes.clone(),
            hit_timeout: self.hit_timeout,
            ignore: self.ignore,
            lines: [self.lines[1], self.lines[0]],
            no_eol: old.lacks_newline(),
            stats: invert_stats(&self.stats, &moves.iter()),
            changes: invert_changes(&self.changes, &old)?,
            ignored: invert_changes(&self.ignored, &old)?,
            copies: blocks(&self.merges)?,
            merges: blocks(&self.copies)?,
            moves,
        })
    }
}

/// Inverts the counts. `blocks` are the inverted blocks.
pub(crate) fn invert_stats<'b>(
    stats: &Stats,
    blocks: &(impl Iterator<Item = &'b MovedBlock> + Clone),
) -> Stats {
    let lines = |kind| {
        let of_kind = blocks.clone().filter(|block| block.kind == kind);
        of_kind.map(MovedBlock::old_len).sum()
    };
    Stats {
        additions: stats.deletions,
        deletions: stats.additions,
        modified: stats.modified,
        moved: lines(MoveKind::Move),
        reindented: lines(MoveKind::Indent),
    }
}

/// Inverts the changes of one old text.
pub(crate) fn invert_changes(changes: &[Change], old: &Lines<'_>) -> Result<Vec<Change>, Error> {
    let one = |change: &Change| {
        let [start, end] = change.original.map(|line| line.wrapping_sub(1) as usize);
        if start > end || end > old.len() {
            return Err(OUTSIDE);
        }
        let turn = |inner: &Inner| Inner {
            original: inner.modified,
            modified: inner.original,
        };
        Ok(Change {
            original: change.modified,
            modified: change.original,
            inner: change.inner.iter().map(turn).collect(),
            text: (start..end).map(|line| text(old, line)).collect(),
            pairs: change.pairs.iter().map(|&(old, new)| (new, old)).collect(),
        })
    };
    changes.iter().map(one).collect()
}

/// Inverts a block: from a file among the new ones to one among the old ones.
pub(crate) fn invert_block(
    block: &MovedBlock,
    old: &Lines<'_>,
    new: &Lines<'_>,
) -> Result<MovedBlock, Error> {
    let mut twins = block.twins.clone();
    for twin in &mut twins {
        twin.side = match twin.side {
            TwinSide::Old => TwinSide::New,
            TwinSide::New => TwinSide::Old,
        };
    }
    let indent = block.indent.as_ref().map(|indent| Indent {
        from: indent.to.clone(),
        to: indent.from.clone(),
    });
    let mut changes = invert_changes(&block.changes, old)?;
    if let Some(indent) = &indent {
        changes.extend(misled(block, indent, old, new)?);
        changes.sort_by_key(|change| change.original);
    }
    Ok(MovedBlock {
        id: block.id,
        kind: match block.kind {
            MoveKind::Copy => MoveKind::Merge,
            MoveKind::Merge => MoveKind::Copy,
            kind => kind,
        },
        original_line_start: block.modified_line_start,
        original_line_end: block.modified_line_end,
        modified_line_start: block.original_line_start,
        modified_line_end: block.original_line_end,
        similarity: block.similarity,
        confidence: block.confidence,
        indent,
        twins,
        changes,
        ignored: invert_changes(&block.ignored, old)?,
    })
}

/// Lines that the inverted indentation would not restore. A line without the
/// removed prefix stayed unchanged, and may start with the prefix that was added.
fn misled(
    block: &MovedBlock,
    back: &Indent,
    old: &Lines<'_>,
    new: &Lines<'_>,
) -> Result<Vec<Change>, Error> {
    let known = || block.changes.iter().chain(&block.ignored);
    let within = |line: u32, [start, end]: [u32; 2]| (start..end).contains(&line);
    let left = |lines: Range<u32>, side: fn(&Change) -> [u32; 2]| {
        lines.filter(move |&line| !known().any(|change| within(line, side(change))))
    };
    let from = block.original_line_start..block.original_line_end.saturating_add(1);
    let to = block.modified_line_start..block.modified_line_end.saturating_add(1);
    let old_left = left(from, |change| change.original);
    let mut changes = Vec::new();
    for (before, after) in old_left.zip(left(to, |change| change.modified)) {
        if before == 0 || after == 0 || before as usize > old.len() || after as usize > new.len() {
            return Err(OUTSIDE);
        }
        let was = without_newline(old.get(before as usize - 1));
        if back.apply(without_newline(new.get(after as usize - 1))) != was {
            changes.push(Change {
                original: [after, after + 1],
                modified: [before, before + 1],
                inner: Vec::new(),
                text: vec![Text(was.to_vec())],
                pairs: vec![(after, before)],
            });
        }
    }
    Ok(changes)
}

const OUTSIDE: Error = Error::NotReplayable("a change lies outside the text");

fn text(lines: &Lines<'_>, line: usize) -> Text {
    Text(without_newline(lines.get(line)).to_vec())
}
