//! Merges two sides against the base: changes of one side, identical changes of
//! both, and conflicting changes.

use super::order::Layout;
use super::sides::Aligned;
use super::torn::Torn;
use super::{ConflictStyle, MergeOptions};
use crate::{Error, Lines};
use mvdiff_core::{Options, Slices, diff, plain};
use std::ops::Range;

/// Base lines, by their positions in the order, and the lines of a side that
/// replace them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    pub place: Range<usize>,
    pub lines: Vec<u32>,
}

/// Lines that both sides changed differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clash {
    pub place: Range<usize>,
    pub ours: Vec<u32>,
    pub theirs: Vec<u32>,
}

/// A stretch of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Chunk {
    /// Unchanged on both sides.
    Same(Range<usize>),
    /// Changed by ours only.
    Ours(Hunk),
    /// Changed by theirs only.
    Theirs(Hunk),
    /// Changed identically by both; the lines are those of ours.
    Both(Hunk),
    /// Lines common to both sides between two conflicts: of ours, and of theirs.
    Common(Vec<u32>, Vec<u32>),
    /// Changed differently by both.
    Conflict(Clash),
}

/// The changes of a side along the order.
pub(super) fn hunks(order: &[u32], side: &Aligned, layout: Layout) -> Vec<Hunk> {
    let Layout { inserted, kept } = layout;
    let mut hunks: Vec<Hunk> = Vec::new();
    for place in 0..=order.len() {
        let lines = inserted.get(&place);
        let gone = kept.get(place) == Some(&false);
        if lines.is_none() && !gone {
            continue;
        }
        let touches = |hunk: &&mut Hunk| hunk.place.end == place;
        if hunks.last_mut().as_ref().is_none_or(|x| !touches(x)) {
            hunks.push(Hunk {
                place: place..place,
                lines: Vec::new(),
            });
        }
        if let Some(hunk) = hunks.last_mut() {
            hunk.lines.extend(lines.into_iter().flatten());
            hunk.place.end += usize::from(gone);
        }
    }
    debug_assert!(side.to.len() == order.len());
    hunks
}

/// Merges both sides along the order. Adjacent or overlapping changes conflict,
/// unless they are identical.
///
/// # Errors
/// When the core rejects conflicting lines.
pub(super) fn merge(
    lines: &[Lines<'_>; 3],
    (order, sides): (&[u32], &[Aligned; 2]),
    hunks: &[Vec<Hunk>; 2],
    (torn, options): (&Torn, &MergeOptions),
) -> Result<Vec<Chunk>, Error> {
    let mut chunks = Vec::new();
    let (mut at, mut next) = (0, [0, 0]);
    loop {
        let heads = [0, 1].map(|side| hunks[side].get(next[side]));
        let Some(start) = heads.iter().flatten().map(|hunk| hunk.place.start).min() else {
            break;
        };
        // Extend over all changes that touch, transitively.
        let mut end = heads
            .iter()
            .flatten()
            .filter(|hunk| hunk.place.start == start)
            .map(|hunk| hunk.place.end)
            .max()
            .unwrap_or(start);
        let mut group: [Vec<&Hunk>; 2] = Default::default();
        loop {
            let side = [0, 1].into_iter().find(|side| {
                let hunk = hunks[*side].get(next[*side]);
                hunk.is_some_and(|hunk| hunk.place.start <= end)
            });
            let Some(side) = side else { break };
            let hunk = &hunks[side][next[side]];
            end = end.max(hunk.place.end);
            group[side].push(hunk);
            next[side] += 1;
        }
        if at < start {
            chunks.push(Chunk::Same(at..start));
        }
        at = end;
        match (&group[0][..], &group[1][..]) {
            ([ours], []) => chunks.push(Chunk::Ours((*ours).clone())),
            ([], [theirs]) => chunks.push(Chunk::Theirs((*theirs).clone())),
            (ours, theirs) => {
                let whole = |side: usize, group: &[&Hunk]| {
                    all_lines(order, &sides[side], group, start..end)
                };
                let clash = Clash {
                    place: start..end,
                    ours: whole(0, ours),
                    theirs: whole(1, theirs),
                };
                settle(lines, clash, options, &mut chunks)?;
            }
        }
    }
    if at < order.len() {
        chunks.push(Chunk::Same(at..order.len()));
    }
    chunks = torn.part(order, sides, chunks);
    if options.markers.style == ConflictStyle::Merge {
        chunks = joined(lines, (order, sides), chunks);
    }
    Ok(chunks)
}

/// Joins conflicts with few lines in between, as git does.
fn joined(
    lines: &[Lines<'_>; 3],
    (order, sides): (&[u32], &[Aligned; 2]),
    chunks: Vec<Chunk>,
) -> Vec<Chunk> {
    let mut out: Vec<Chunk> = Vec::new();
    for chunk in chunks {
        let Chunk::Conflict(clash) = chunk else {
            out.push(chunk);
            continue;
        };
        let since = out.iter().rposition(|c| matches!(c, Chunk::Conflict(_)));
        let mut gap: [Vec<u32>; 2] = Default::default();
        let mut end = clash.place.start;
        let mut little = since.is_some();
        for between in since.map_or(&[][..], |since| &out[since + 1..]) {
            match between {
                Chunk::Same(places) => {
                    end = end.max(places.end);
                    for (lines, side) in gap.iter_mut().zip(sides) {
                        let ids = order[places.clone()].iter();
                        lines.extend(ids.filter_map(|line| side.to[*line as usize]));
                    }
                }
                Chunk::Common(ours, theirs) => {
                    gap[0].extend(ours);
                    gap[1].extend(theirs);
                }
                _ => little = false,
            }
        }
        let text: Vec<&[u8]> = gap[0].iter().map(|l| lines[1].get(*l as usize)).collect();
        if let (true, Some(since)) = (little && is_little(&text), since) {
            out.truncate(since + 1);
            if let Some(Chunk::Conflict(last)) = out.last_mut() {
                last.ours.extend(gap[0].iter().chain(&clash.ours));
                last.theirs.extend(gap[1].iter().chain(&clash.theirs));
                last.place.end = clash.place.end.max(end).max(last.place.end);
                continue;
            }
        }
        out.push(Chunk::Conflict(clash));
    }
    out
}

/// The lines of a side in a changed stretch.
fn all_lines(order: &[u32], side: &Aligned, hunks: &[&Hunk], place: Range<usize>) -> Vec<u32> {
    let mut lines = Vec::new();
    let mut at = place.start;
    let kept = |range: Range<usize>| {
        let ids = order[range].iter();
        ids.filter_map(|line| side.to[*line as usize])
    };
    for hunk in hunks {
        lines.extend(kept(at..hunk.place.start));
        lines.extend(&hunk.lines);
        at = hunk.place.end;
    }
    lines.extend(kept(at..place.end));
    lines
}

/// Resolves a change of both sides: identical, or conflicts as small as possible.
fn settle(
    lines: &[Lines<'_>; 3],
    clash: Clash,
    options: &MergeOptions,
    chunks: &mut Vec<Chunk>,
) -> Result<(), Error> {
    let text = |side: usize, all: &[u32]| -> Vec<&[u8]> {
        all.iter()
            .map(|line| lines[side].get(*line as usize))
            .collect()
    };
    let (ours, theirs) = (text(1, &clash.ours), text(2, &clash.theirs));
    if ours == theirs {
        chunks.push(Chunk::Both(Hunk {
            place: clash.place,
            lines: clash.ours,
        }));
        return Ok(());
    }
    let both = |range: Range<usize>, place: usize| {
        Chunk::Both(Hunk {
            place: place..place,
            lines: clash.ours[range].to_vec(),
        })
    };
    match options.markers.style {
        ConflictStyle::Diff3 => chunks.push(Chunk::Conflict(clash)),
        ConflictStyle::Zdiff3 => {
            // A common prefix and suffix are not part of the conflict.
            let same = |pair: &(&&[u8], &&[u8])| pair.0 == pair.1;
            let head = ours.iter().zip(&theirs).take_while(same).count();
            let (a, b) = (&ours[head..], &theirs[head..]);
            let tail = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
            let (start, end) = (clash.place.start, clash.place.end);
            if head > 0 {
                chunks.push(both(0..head, start));
            }
            let len = clash.ours.len();
            chunks.push(Chunk::Conflict(Clash {
                place: clash.place.clone(),
                ours: clash.ours[head..len - tail].to_vec(),
                theirs: clash.theirs[head..clash.theirs.len() - tail].to_vec(),
            }));
            if tail > 0 {
                chunks.push(both(len - tail..len, end));
            }
        }
        ConflictStyle::Merge if ours.is_empty() || theirs.is_empty() => {
            chunks.push(Chunk::Conflict(clash));
        }
        ConflictStyle::Merge => {
            let (start, end) = (clash.place.start, clash.place.end);
            let (mut mine, mut other) = (0, 0);
            for (at, piece) in pieces(&ours, &theirs)?.into_iter().enumerate() {
                let (a, b) = (piece.0.start, piece.1.start);
                if a > mine {
                    let common = (&clash.ours[mine..a], &clash.theirs[other..b]);
                    chunks.push(Chunk::Common(common.0.to_vec(), common.1.to_vec()));
                }
                (mine, other) = (piece.0.end, piece.1.end);
                // List the base lines only once.
                let place = if at == 0 { start..end } else { end..end };
                chunks.push(Chunk::Conflict(Clash {
                    place,
                    ours: clash.ours[piece.0].to_vec(),
                    theirs: clash.theirs[piece.1].to_vec(),
                }));
            }
            if mine < ours.len() {
                let common = (&clash.ours[mine..], &clash.theirs[other..]);
                chunks.push(Chunk::Common(common.0.to_vec(), common.1.to_vec()));
            }
        }
    }
    Ok(())
}

/// A stretch in which two texts differ.
type Piece = (Range<usize>, Range<usize>);

/// Where two texts differ.
fn pieces(ours: &[&[u8]], theirs: &[&[u8]]) -> Result<Vec<Piece>, Error> {
    let problem = Slices::new(ours, theirs)?;
    let options = Options::default().with(|o| o.moves = false);
    let script = diff(&problem, &options)?.script;
    let hunks = plain(&problem, &script, &options).into_iter();
    let pieces = hunks.map(|hunk| {
        (
            hunk.old.start as usize..hunk.old.end as usize,
            hunk.new.start as usize..hunk.new.end as usize,
        )
    });
    Ok(pieces.collect())
}

/// Whether lines are so few or so uninformative that they read better as part of
/// a conflict around them.
fn is_little(lines: &[&[u8]]) -> bool {
    let says = |line: &&[u8]| line.iter().any(u8::is_ascii_alphanumeric);
    lines.len() <= 3 || !lines.iter().any(says)
}
