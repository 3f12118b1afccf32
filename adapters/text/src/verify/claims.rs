//! Checks the moves in a report: which lines went where.

use super::hidden::Hidden;
use super::input::{Input, Spot};
use super::texts::{KEPT, PAIRED, SHOWN};
use crate::Indent;
use crate::effective::{EffectiveReport, MoveDetail, MoveKind};
use mvdiff_core::Side;

/// The moves of a report, located in the input.
pub(super) struct Claims<'r> {
    /// One for each move, in the report's order.
    pub blocks: Vec<ClaimedBlock<'r>>,
    /// Indices of `blocks`, sorted by files and then by first new line, each with
    /// the largest last new line of these files' blocks so far.
    by_files: Vec<(usize, u32)>,
    /// All pairs as runs, by new file and new line.
    pairs: Vec<PairRun>,
}

/// A move or copy and its files.
pub(super) struct ClaimedBlock<'r> {
    pub detail: &'r MoveDetail,
    pub source: usize,
    pub target: usize,
    /// Number of shown lines in hunks that can only belong to this block.
    pub shown: u32,
}

struct PairRun {
    target: usize,
    new: u32,
    source: usize,
    old: u32,
    len: u32,
}

impl ClaimedBlock<'_> {
    fn key(&self) -> (usize, usize, u32) {
        (self.source, self.target, self.detail.target_lines[0])
    }

    /// Whether a hunk of the block may be at this position: within its lines, and
    /// without a pair that is before it on one side and after it on the other. An
    /// empty side lies between two lines.
    fn fits(&self, old: (u32, u32), new: (u32, u32)) -> bool {
        let within = |(first, count): (u32, u32), [start, end]: [u32; 2]| {
            let last = u64::from(first) + u64::from(count);
            first >= start && last <= u64::from(end) + 1
        };
        within(old, self.detail.source_lines)
            && within(new, self.detail.target_lines)
            && same_position(&self.detail.pairs, old.0, new.0)
    }
}

/// Whether the same number of pairs lies before an old line as before a new one.
pub(super) fn same_position(runs: &[[u32; 3]], old: u32, new: u32) -> bool {
    let position = |side: usize, line: u32| {
        let run = runs.partition_point(|r| r[side] + r[2] <= line);
        let into = runs.get(run).map_or(0, |r| line.saturating_sub(r[side]));
        (run, into)
    };
    position(0, old) == position(1, new)
}

/// Reads and checks the moves.
pub(super) fn moves<'r>(
    input: &mut Input<'_>,
    report: &'r EffectiveReport,
) -> Result<Claims<'r>, Hidden> {
    let mut claims = Claims {
        blocks: Vec::with_capacity(report.moves.len()),
        by_files: Vec::new(),
        pairs: Vec::new(),
    };
    for detail in &report.moves {
        let source = input.lines_of(Side::Old, &detail.source_file.0)?;
        let target = input.lines_of(Side::New, &detail.target_file.0)?;
        let block = ClaimedBlock {
            detail,
            source,
            target,
            shown: 0,
        };
        whole_block(input, &block)?;
        let mut ends = [detail.source_lines[0], detail.target_lines[0]];
        for &run in &detail.pairs {
            in_order(input, &block, run, &mut ends)?;
            pair(input, &block, run)?;
            let [old, new, len] = run;
            // The lines of a merge are not the source of the new lines.
            if detail.kind == MoveKind::Merge {
                continue;
            }
            claims.pairs.push(PairRun {
                target,
                new,
                source,
                old,
                len,
            });
        }
        claims.blocks.push(block);
    }
    claims.pairs.sort_unstable_by_key(|p| (p.target, p.new));
    // Lines that stayed are shown in the hunks of their file.
    let mut order: Vec<usize> = (0..claims.blocks.len())
        .filter(|&i| claims.blocks[i].detail.kind != MoveKind::Stay)
        .collect();
    order.sort_by_key(|&i| claims.blocks[i].key());
    let mut last: Option<(usize, usize, u32)> = None;
    for i in order {
        let (source, target, _) = claims.blocks[i].key();
        let own = claims.blocks[i].detail.target_lines[1];
        let furthest = match last {
            Some((s, t, furthest)) if (s, t) == (source, target) => furthest.max(own),
            _ => own,
        };
        last = Some((source, target, furthest));
        claims.by_files.push((i, furthest));
    }
    Ok(claims)
}

/// Checks that a block starts and ends at existing lines, and that its indent is
/// white space.
fn whole_block(input: &Input<'_>, block: &ClaimedBlock<'_>) -> Result<(), Hidden> {
    let detail = block.detail;
    let bad = Hidden::BadBlock { id: detail.id };
    let blank = |text: &str| text.bytes().all(|b| b.is_ascii_whitespace() && b != b'\n');
    let indent = detail.indent.as_ref();
    if !indent.is_none_or(|shift| blank(&shift.from) && blank(&shift.to)) {
        return Err(bad);
    }
    let ends = [
        (Side::Old, block.source, detail.source_lines),
        (Side::New, block.target, detail.target_lines),
    ];
    for (side, file, [first, last]) in ends {
        if first > last || last == u32::MAX {
            return Err(bad);
        }
        for line in [first, last] {
            if input.files[file].index(side, line).is_none() {
                return Err(Hidden::NoSuchLine(input.place(side, file, line)));
            }
        }
    }
    Ok(())
}

/// Checks that a run of pairs follows the previous one and lies within its block.
fn in_order(
    input: &Input<'_>,
    block: &ClaimedBlock<'_>,
    [old, new, len]: [u32; 3],
    ends: &mut [u32; 2],
) -> Result<(), Hidden> {
    let sides = [
        (Side::Old, block.source, old, block.detail.source_lines[1]),
        (Side::New, block.target, new, block.detail.target_lines[1]),
    ];
    for ((side, file, first, last), end) in sides.into_iter().zip(ends) {
        match first.checked_add(len) {
            Some(next) if len > 0 && first >= *end && next - 1 <= last => *end = next,
            _ => return Err(Hidden::PairOutOfOrder(input.place(side, file, first))),
        }
    }
    Ok(())
}

/// Checks a run of pairs line by line, and marks both ends.
fn pair(
    input: &mut Input<'_>,
    block: &ClaimedBlock<'_>,
    [old, new, len]: [u32; 3],
) -> Result<(), Hidden> {
    let ClaimedBlock { source, target, .. } = *block;
    let kind = block.detail.kind;
    let indent = block.detail.indent.as_ref();
    let mut done = 0;
    while done < len {
        let (o, n) = (old + done, new + done);
        let Spot::Known(_, old_at, old_left) = input.files[source].spot(Side::Old, o) else {
            return Err(Hidden::NoSuchLine(input.place(Side::Old, source, o)));
        };
        let Spot::Known(_, new_at, new_left) = input.files[target].spot(Side::New, n) else {
            return Err(Hidden::NoSuchLine(input.place(Side::New, target, n)));
        };
        let count = (len - done).min(old_left).min(new_left);
        for i in 0..count {
            let (old_at, new_at) = (old_at + i as usize, new_at + i as usize);
            let old_text = input.files[source].side(Side::Old).text(old_at);
            let new_text = input.files[target].side(Side::New).text(new_at);
            if !survives(old_text, new_text, indent) {
                return Err(Hidden::Unequal {
                    old: input.place(Side::Old, source, o + i),
                    new: input.place(Side::New, target, n + i),
                });
            }
            // A copy leaves its old lines where they are, a merge the new ones.
            if kind != MoveKind::Copy {
                claim(input, Side::Old, source, old_at, o + i)?;
            }
            if kind != MoveKind::Merge {
                claim(input, Side::New, target, new_at, n + i)?;
            }
        }
        done += count;
    }
    Ok(())
}

fn claim(
    input: &mut Input<'_>,
    side: Side,
    file: usize,
    at: usize,
    line: u32,
) -> Result<(), Hidden> {
    let mark = &mut input.files[file].sides[side as usize].marks[at];
    if *mark & KEPT != 0 {
        return Err(Hidden::MovedButKept(input.place(side, file, line)));
    }
    if *mark & PAIRED != 0 {
        return Err(Hidden::ClaimedTwice(input.place(side, file, line)));
    }
    *mark |= PAIRED;
    Ok(())
}

/// Whether a line is equal except for its block's indent and trailing white
/// space.
fn survives(old: &[u8], new: &[u8], indent: Option<&Indent>) -> bool {
    let (old, new) = (without_end(old), without_end(new));
    if is_blank(old) || is_blank(new) {
        return is_blank(old) && is_blank(new);
    }
    match indent {
        None => old == new,
        Some(shift) => {
            let old = old.strip_prefix(shift.from.as_bytes());
            old.is_some() && old == new.strip_prefix(shift.to.as_bytes())
        }
    }
}

/// A line without trailing white space.
fn without_end(line: &[u8]) -> &[u8] {
    let end = line
        .iter()
        .rposition(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n'));
    &line[..end.map_or(0, |at| at + 1)]
}

/// Whether a line contains only white space.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

impl Claims<'_> {
    /// The old file and line that are paired with a new line.
    pub(super) fn origin(&self, target: usize, new: u32) -> Option<(usize, u32)> {
        let next = self
            .pairs
            .partition_point(|p| (p.target, p.new) <= (target, new));
        let run = &self.pairs[next.checked_sub(1)?];
        let inside = run.target == target && new - run.new < run.len;
        inside.then(|| (run.source, run.old + (new - run.new)))
    }

    /// The block that a hunk may belong to, and whether it is the only one.
    /// Positions are first line and count.
    pub(super) fn block_at(
        &self,
        files: (usize, usize),
        old: (u32, u32),
        new: (u32, u32),
    ) -> Option<(usize, bool)> {
        let key = (files.0, files.1, new.0);
        let end = self
            .by_files
            .partition_point(|&(i, _)| self.blocks[i].key() <= key);
        // Past the last line of all earlier blocks of these files there is
        // nothing more to find. An empty side may be one line past it.
        let near = self.by_files[..end]
            .iter()
            .rev()
            .take_while(|&&(i, furthest)| {
                let block = &self.blocks[i];
                (block.source, block.target) == files && furthest + 1 >= new.0
            });
        let mut fitting = near
            .map(|&(i, _)| i)
            .filter(|&i| self.blocks[i].fits(old, new));
        let first = fitting.next()?;
        Some((first, fitting.next().is_none()))
    }

    /// The ranges in which a block may absorb blank lines: file, first and last
    /// line, sorted and disjoint.
    pub(super) fn reaches(&self, side: Side) -> Vec<(usize, u32, u32)> {
        let mut reaches: Vec<(usize, u32, u32)> = self
            .blocks
            .iter()
            .filter(|b| match b.detail.kind {
                MoveKind::Move => true,
                MoveKind::Copy | MoveKind::Indent => side == Side::New,
                MoveKind::Merge | MoveKind::Stay => false,
            })
            .map(|b| match side {
                Side::Old => (b.source, b.detail.source_lines),
                Side::New => (b.target, b.detail.target_lines),
            })
            .map(|(file, [first, last])| (file, first, last))
            .collect();
        reaches.sort_unstable();
        reaches.dedup_by(|next, before| {
            let joins = next.0 == before.0 && next.1 <= before.2;
            if joins {
                before.2 = before.2.max(next.2);
            }
            joins
        });
        reaches
    }
}

/// Checks that a block reindented in place is in one file, with as many kept
/// lines before its old lines as before its new ones. Lines that stayed but
/// remain in the diff must be in one file, too.
pub(super) fn in_place(input: &Input<'_>, block: &ClaimedBlock<'_>) -> Result<(), Hidden> {
    let detail = block.detail;
    if detail.kind == MoveKind::Stay && (block.source != block.target || !detail.pairs.is_empty()) {
        return Err(Hidden::BadBlock { id: detail.id });
    }
    if detail.kind != MoveKind::Indent {
        return Ok(());
    }
    for &[old, new, _] in &detail.pairs {
        let kept = &input.files[block.source].kept;
        if block.source != block.target || !same_position(kept, old, new) {
            let place = input.place(Side::New, block.target, new);
            return Err(Hidden::PairOutOfOrder(place));
        }
    }
    Ok(())
}

/// Checks that every edited line of a block is in the effective diff; for a copy
/// only the new line, since the old one is not a change.
pub(super) fn edited(input: &Input<'_>, block: &ClaimedBlock<'_>) -> Result<(), Hidden> {
    let detail = block.detail;
    for &[old, new] in &detail.edited_pairs {
        let ends = [
            (Side::Old, block.source, old, detail.source_lines),
            (Side::New, block.target, new, detail.target_lines),
        ];
        for (side, file, line, [first, last]) in ends {
            let place = || input.place(side, file, line);
            let known = &input.files[file];
            let Some(at) = known.index(side, line) else {
                return Err(Hidden::NoSuchLine(place()));
            };
            if !(first..=last).contains(&line) {
                return Err(Hidden::PairOutOfOrder(place()));
            }
            let must = side == Side::New || detail.kind != MoveKind::Copy;
            if must && !known.side(side).is(at, SHOWN) {
                return Err(Hidden::EditNotShown(place()));
            }
        }
    }
    Ok(())
}

/// Checks that pairs shown for their white space are shown on both sides.
pub(super) fn shown_whole(input: &Input<'_>, block: &ClaimedBlock<'_>) -> Result<(), Hidden> {
    if matches!(block.detail.kind, MoveKind::Copy | MoveKind::Merge) {
        return Ok(());
    }
    let pairs = block.detail.pairs.iter();
    for (old, new) in pairs.flat_map(|&[old, new, len]| (old..old + len).zip(new..)) {
        let is_shown = |side, file: usize, line| {
            let known = &input.files[file];
            let at = known.index(side, line);
            at.is_some_and(|at| known.side(side).is(at, SHOWN))
        };
        if is_shown(Side::Old, block.source, old) != is_shown(Side::New, block.target, new) {
            return Err(Hidden::HalfShown {
                old: input.place(Side::Old, block.source, old),
                new: input.place(Side::New, block.target, new),
            });
        }
    }
    Ok(())
}
