//! Replays reports: old texts + report = new texts.
//!
//! A report may come from anywhere, so nothing in it is trusted, neither its line
//! numbers nor its line counts.

use crate::line::without_newline;
use crate::report::{Change, LineReport, MovedBlock};
use crate::{Error, Lines};
use std::borrow::Cow;
use std::ops::Range;

/// Most bytes that any report may produce from old lines.
const MOST: usize = 1 << 30;

/// How many bytes may still be produced from old lines: [`MOST`], or four times
/// the old texts if that is more.
pub(crate) struct Room(usize);

impl Room {
    pub(crate) fn of(old: usize) -> Self {
        Self(MOST.max(old.saturating_mul(4)))
    }

    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), Error> {
        match self.0.checked_sub(bytes) {
            Some(left) => self.0 = left,
            None => return Err(Error::NotReplayable(TOO_MUCH)),
        }
        Ok(())
    }
}

const TOO_MUCH: &str = "it takes the old lines so often that more than 1 GiB, and four times the old text, would come out";

/// The part of a report about one file.
pub(crate) struct Part<'r> {
    /// Its old text; empty if it is new.
    pub old: Lines<'r>,
    /// Its stated number of old and new lines.
    pub lines: [u32; 2],
    pub no_eol: bool,
    pub changes: &'r [Change],
    pub ignored: &'r [Change],
}

/// A moved block, and the parts of its old and new place.
pub(crate) struct Carry<'r> {
    pub block: &'r MovedBlock,
    pub from: usize,
    pub to: usize,
}

/// Rebuilds the new text of a report on two texts.
pub(crate) fn replay_lines(report: &LineReport, old: &[u8]) -> Result<Vec<u8>, Error> {
    let part = Part {
        old: Lines::new(old)?,
        lines: report.lines,
        no_eol: report.no_eol,
        changes: &report.changes,
        ignored: &report.ignored,
    };
    let carry = |block| Carry {
        block,
        from: 0,
        to: 0,
    };
    let moves: Vec<Carry<'_>> = report.moves.iter().map(carry).collect();
    Ok(replay(&[part], &moves)?.remove(0))
}

/// Rebuilds the new text of every part: the lines of changes and moves, and for
/// every other line the remaining old lines, in order.
pub(crate) fn replay(parts: &[Part<'_>], moves: &[Carry<'_>]) -> Result<Vec<Vec<u8>>, Error> {
    if parts.iter().any(|p| p.old.len() != p.lines[0] as usize) {
        return Err(Error::NotReplayable(
            "the old text has another number of lines",
        ));
    }
    check_size(parts, moves)?;
    let mut room = Room::of(parts.iter().map(|part| part.old.bytes.len()).sum());
    let mut stays: Vec<Vec<bool>> = parts.iter().map(|p| vec![true; p.old.len()]).collect();
    let empty = |p: &Part<'_>| vec![None; p.lines[1] as usize];
    let mut new: Vec<Vec<Option<Cow<'_, [u8]>>>> = parts.iter().map(empty).collect();
    for carry in moves {
        let old = &parts.get(carry.from).ok_or(OUTSIDE)?.old;
        let target = new.get_mut(carry.to).ok_or(OUTSIDE)?;
        let from = carry_over(carry.block, old, target, &mut room)?;
        stays[carry.from].get_mut(from).ok_or(OUTSIDE)?.fill(false);
    }
    let mut texts = Vec::with_capacity(parts.len());
    for ((part, mut stays), mut new) in parts.iter().zip(stays).zip(new) {
        for change in part.changes.iter().chain(part.ignored) {
            put(change, &mut new)?;
            let old = stays.get_mut(half_open(change.original)?).ok_or(OUTSIDE)?;
            old.fill(false);
        }
        texts.push(text(part, &stays, new)?);
    }
    Ok(texts)
}

/// Every new line is an old one or part of the report: a report that claims more
/// is rejected before memory is allocated for it.
fn check_size(parts: &[Part<'_>], moves: &[Carry<'_>]) -> Result<(), Error> {
    let inside = moves.iter().map(|carry| carry.block);
    let inside = inside.flat_map(|block| block.changes.iter().chain(&block.ignored));
    let outside = parts.iter().flat_map(|p| p.changes.iter().chain(p.ignored));
    let written: u64 = inside.chain(outside).map(|c| c.text.len() as u64).sum();
    let count = |side: usize| parts.iter().map(|p| u64::from(p.lines[side])).sum::<u64>();
    if count(1) > count(0) + written {
        return Err(OUTSIDE);
    }
    Ok(())
}

/// Places a moved block. Returns the old lines it consumed.
fn carry_over<'r>(
    block: &'r MovedBlock,
    old: &Lines<'r>,
    new: &mut [Option<Cow<'r, [u8]>>],
    room: &mut Room,
) -> Result<Range<usize>, Error> {
    let from = inclusive(block.original_line_start, block.original_line_end)?;
    let to = inclusive(block.modified_line_start, block.modified_line_end)?;
    if from.end > old.len() {
        return Err(OUTSIDE);
    }
    let mut gone = vec![false; from.len()];
    for change in block.changes.iter().chain(&block.ignored) {
        put(change, new)?;
        let range = half_open(change.original)?;
        let start = range.start.checked_sub(from.start).ok_or(OUTSIDE)?;
        let gone = gone.get_mut(start..start + range.len()).ok_or(OUTSIDE)?;
        gone.fill(true);
    }
    let survivors = from.clone().zip(&gone).filter(|(_, gone)| !**gone);
    let mut survivors = survivors.map(|(line, _)| line);
    let places = new.get_mut(to).ok_or(OUTSIDE)?;
    for place in places.iter_mut().filter(|place| place.is_none()) {
        let line = without_newline(old.get(survivors.next().ok_or(OUTSIDE)?));
        let added = block.indent.as_ref().map_or(0, |indent| indent.to.len());
        room.take(line.len().saturating_add(added))?;
        *place = Some(match &block.indent {
            Some(shift) => shift.apply(line).into(),
            None => line.into(),
        });
    }
    Ok(from)
}

/// The new text of a part whose changes and moves are in place.
fn text(
    part: &Part<'_>,
    stays: &[bool],
    new: Vec<Option<Cow<'_, [u8]>>>,
) -> Result<Vec<u8>, Error> {
    let mut kept = (0..stays.len()).filter(|&line| stays[line]);
    let mut text = Vec::new();
    for line in new {
        if let Some(line) = line {
            text.extend_from_slice(&line);
        } else {
            let line = part.old.get(kept.next().ok_or(OUTSIDE)?);
            text.extend_from_slice(without_newline(line));
        }
        text.push(b'\n');
    }
    if part.no_eol {
        text.pop();
    }
    match kept.next() {
        None => Ok(text),
        Some(_) => Err(OUTSIDE),
    }
}

const OUTSIDE: Error = Error::NotReplayable("a change lies outside the text");

/// Converts a one-based half-open range of lines to indices.
fn half_open([start, end]: [u32; 2]) -> Result<Range<usize>, Error> {
    match (start.checked_sub(1), end.checked_sub(1)) {
        (Some(start), Some(end)) if start <= end => Ok(start as usize..end as usize),
        _ => Err(OUTSIDE),
    }
}

/// Converts a one-based inclusive range of lines to indices.
fn inclusive(first: u32, last: u32) -> Result<Range<usize>, Error> {
    half_open([first, last.checked_add(1).ok_or(OUTSIDE)?])
}

fn put<'r>(change: &'r Change, new: &mut [Option<Cow<'r, [u8]>>]) -> Result<(), Error> {
    let places = new.get_mut(half_open(change.modified)?).ok_or(OUTSIDE)?;
    if places.len() != change.text.len() {
        return Err(OUTSIDE);
    }
    for (place, text) in places.iter_mut().zip(&change.text) {
        if text.0.contains(&b'\n') {
            return Err(Error::NotReplayable("a line of it is several"));
        }
        *place = Some(Cow::Borrowed(&text.0));
    }
    Ok(())
}
