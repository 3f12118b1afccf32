//! The order of the base lines after the moves of both sides.

use super::sides::Aligned;
use std::collections::BTreeMap;

/// A side laid out along an order of the base.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// Lines of the side that come before a position of the order.
    pub inserted: BTreeMap<usize, Vec<u32>>,
    /// Whether the base line at each position is kept.
    pub kept: Vec<bool>,
}

/// Decides the order of the base lines, and drops moves that are ambiguous.
pub(super) fn settle(count: usize, sides: &mut [Aligned; 2]) -> Vec<u32> {
    loop {
        if drop_overlaps(sides) {
            continue;
        }
        let mut order: Vec<u32> = (0..count as u32).collect();
        apply(&mut order, &sides[0], &[]);
        let mut there = Vec::new();
        let mut torn = None;
        for (at, block) in sides[1].moves.iter().enumerate() {
            let twin = sides[0].moves.iter().position(|own| own.old == block.old);
            let Some(twin) = twin else { continue };
            if in_place(&order, &sides[1], at) {
                there.push(at);
            } else {
                torn = Some((twin, at));
            }
        }
        if let Some((ours, theirs)) = torn {
            sides[0].drop_move(ours);
            sides[1].drop_move(theirs);
            continue;
        }
        if let Some((ours, theirs)) = split(&order, sides, &there) {
            sides[0].drop_move(ours);
            sides[1].drop_move(theirs);
            continue;
        }
        apply(&mut order, &sides[1], &there);
        if let Some((ours, theirs)) = inside(&order, sides, &there) {
            sides[0].drop_move(ours);
            sides[1].drop_move(theirs);
            continue;
        }
        if let Some((ours, theirs)) = side_by_side(&order, sides, &there) {
            sides[0].drop_move(ours);
            sides[1].drop_move(theirs);
            continue;
        }
        let troubles = [0, 1].map(|side| laid_out(&order, &sides[side]).err());
        let mut again = false;
        for (side, trouble) in troubles.into_iter().enumerate() {
            let Some(lines) = trouble else { continue };
            again = true;
            let other = &mut sides[1 - side];
            let touched = |block: &super::sides::MovedRange| {
                lines.iter().any(|line| block.old.contains(line))
            };
            let found: Vec<usize> = (0..other.moves.len())
                .filter(|at| touched(&other.moves[*at]))
                .collect();
            for at in found.iter().rev() {
                other.drop_move(*at);
            }
            if found.is_empty() {
                sides.iter_mut().for_each(Aligned::drop_moves);
            }
        }
        if !again {
            return order;
        }
    }
}

/// A block of theirs that now contains a block of ours.
fn split(order: &[u32], sides: &[Aligned; 2], there: &[usize]) -> Option<(usize, usize)> {
    for (theirs, block) in sides[1].moves.iter().enumerate() {
        if there.contains(&theirs) {
            continue;
        }
        let is_in = |line: &u32| block.old.contains(line);
        let (first, last) = (
            order.iter().position(is_in)?,
            order.iter().rposition(is_in)?,
        );
        let foreign = order[first..=last].iter().find(|line| !is_in(line));
        let ours = foreign.and_then(|line| {
            let mut moves = sides[0].moves.iter();
            moves.position(|own| own.old.contains(line))
        });
        if let Some(ours) = ours {
            return Some((ours, theirs));
        }
    }
    None
}

/// A block of theirs that is now inside a block of ours.
fn inside(order: &[u32], sides: &[Aligned; 2], there: &[usize]) -> Option<(usize, usize)> {
    let of = |line: Option<&u32>| {
        let line = line?;
        let mut moves = sides[0].moves.iter();
        moves.position(|own| own.old.contains(line))
    };
    let moves = sides[1].moves.iter().enumerate();
    let mut moves = moves.filter(|(theirs, _)| !there.contains(theirs));
    moves.find_map(|(theirs, block)| {
        let first = order.iter().position(|line| *line == block.old.start)?;
        let before = of(first.checked_sub(1).and_then(|at| order.get(at)))?;
        let behind = of(order.get(first + block.old.len()))?;
        (before == behind).then_some((before, theirs))
    })
}

/// A block of ours and one of theirs that moved to adjacent places, so that their
/// order is unknown.
fn side_by_side(order: &[u32], sides: &[Aligned; 2], there: &[usize]) -> Option<(usize, usize)> {
    let of = |side: usize, line: u32| {
        let mut moves = sides[side].moves.iter();
        moves.position(|block| block.old.contains(&line))
    };
    if sides.iter().any(|side| side.moves.is_empty()) {
        return None;
    }
    order.windows(2).find_map(|pair| {
        let (a, b) = (pair[0], pair[1]);
        if a + 1 == b {
            return None;
        }
        let found = match (of(0, a), of(1, b)) {
            (Some(ours), Some(theirs)) => Some((ours, theirs)),
            _ => of(0, b).zip(of(1, a)),
        };
        found.filter(|(_, theirs)| !there.contains(theirs))
    })
}

/// Drops moves that overlap a different move of the other side. Returns whether
/// there were any.
fn drop_overlaps(sides: &mut [Aligned; 2]) -> bool {
    for ours in 0..sides[0].moves.len() {
        for theirs in 0..sides[1].moves.len() {
            let (a, b) = (&sides[0].moves[ours].old, &sides[1].moves[theirs].old);
            if a != b && a.start < b.end && b.start < a.end {
                sides[0].drop_move(ours);
                sides[1].drop_move(theirs);
                return true;
            }
        }
    }
    false
}

/// The base line that a block now follows: that line itself, and the last line of
/// the block that contains it.
fn anchor(side: &Aligned, at: usize) -> (Option<u32>, Option<u32>) {
    let before = &side.from[..side.moves[at].new.start as usize];
    let line = before.iter().rev().find_map(|line| *line);
    let block = line.and_then(|line| side.moves.iter().find(|own| own.old.contains(&line)));
    (line, block.map(|block| block.old.end - 1).or(line))
}

/// Whether a block is already where this side has it.
fn in_place(order: &[u32], side: &Aligned, at: usize) -> bool {
    let first = side.moves[at].old.start;
    let Some(place) = order.iter().position(|line| *line == first) else {
        return false;
    };
    let before = order[..place].iter().rev();
    let mut before = before.filter(|line| side.to[**line as usize].is_some());
    before.next().copied() == anchor(side, at).0
}

/// Applies the moves of a side, except those already in place.
fn apply(order: &mut Vec<u32>, side: &Aligned, there: &[usize]) {
    let mut moves: Vec<usize> = (0..side.moves.len())
        .filter(|at| !there.contains(at))
        .collect();
    if moves.is_empty() {
        return;
    }
    moves.sort_by_key(|at| side.moves[*at].new.start);
    let goes = |line: &u32| moves.iter().any(|at| side.moves[*at].old.contains(line));
    order.retain(|line| !goes(line));
    for at in moves {
        let place = match anchor(side, at).1 {
            None => 0,
            Some(line) => {
                let found = order.iter().position(|other| *other == line);
                found.map_or(order.len(), |found| found + 1)
            }
        };
        order.splice(place..place, side.moves[at].old.clone());
    }
}

/// Lays out a side in this order.
///
/// # Errors
/// The base lines around which the position of the side's lines is ambiguous.
pub(super) fn laid_out(order: &[u32], side: &Aligned) -> Result<Layout, Vec<u32>> {
    let mut own: Vec<u32> = (0..order.len() as u32).collect();
    apply(&mut own, side, &[]);
    let places = |order: &[u32]| {
        let mut places = vec![0; order.len()];
        for (place, line) in order.iter().enumerate() {
            places[*line as usize] = place;
        }
        places
    };
    let (mine, now) = (places(&own), places(order));
    let mut layout = Layout {
        inserted: BTreeMap::new(),
        kept: order
            .iter()
            .map(|line| side.to[*line as usize].is_some())
            .collect(),
    };
    let mut at = 0;
    while at < side.from.len() {
        if side.from[at].is_some() {
            at += 1;
            continue;
        }
        let end = side.from[at..].iter().position(Option::is_some);
        let end = end.map_or(side.from.len(), |len| at + len);
        let before = at.checked_sub(1).and_then(|before| side.from[before]);
        let behind = side.from.get(end).copied().flatten();
        let first = before.map_or(0, |line| mine[line as usize] + 1);
        let last = behind.map_or(own.len(), |line| mine[line as usize]);
        if first > last {
            return Err(before.into_iter().chain(behind).collect());
        }
        let replaced = &own[first..last];
        let place = match replaced {
            [] => {
                let left = before.map_or(0, |line| now[line as usize] + 1);
                let right = behind.map_or(order.len(), |line| now[line as usize]);
                if left != right {
                    let between = order.get(left..right).unwrap_or_default();
                    let ends = before.into_iter().chain(behind);
                    return Err(ends.chain(between.iter().copied()).collect());
                }
                left
            }
            [start, ..] => {
                let start = now[*start as usize];
                let whole = order.get(start..start + replaced.len());
                if whole != Some(replaced) {
                    let all = replaced.iter().map(|line| now[*line as usize]);
                    let span = all.clone().min().zip(all.max());
                    let (low, high) = span.unwrap_or_default();
                    return Err(order[low..=high].to_vec());
                }
                start
            }
        };
        let lines = at as u32..end as u32;
        layout.inserted.entry(place).or_default().extend(lines);
        at = end;
    }
    Ok(layout)
}
