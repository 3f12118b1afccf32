//! Turns the fates of lines into rows.

use super::{Line, Other, Row, State};
use mvdiff_text::fates::{Fate, SideFates};
use std::collections::HashMap;
use std::ops::Range;

/// What is known about single lines of one side of a file.
#[derive(Default)]
pub(super) struct Details<'t> {
    /// What changed inside them.
    pub spans: HashMap<u32, Vec<(usize, usize)>>,
    /// The other ends of lines that moved.
    pub others: HashMap<u32, Other<'t>>,
}

/// Lays a stretch out: lines that stayed beside each other, lines without a
/// counterpart beside each other as far as both sides have some, moved lines in rows
/// of their own. Of lines that stayed, at most so many `around` the others have rows.
pub(super) fn layout<'t>(
    (old, new): (&SideFates<'t>, &SideFates<'t>),
    (old_details, new_details): (&Details<'t>, &Details<'t>),
    around: usize,
) -> Vec<Row<'t>> {
    let mut rows = Vec::new();
    let (mut o, mut n) = (0, 0);
    loop {
        let stayed = kept(&old.fates[o..], &new.fates[n..]);
        let is_last = (o + stayed, n + stayed) == (old.lines.len(), new.lines.len());
        let far = far(stayed, [rows.is_empty(), is_last], around);
        for at in (0..stayed).filter(|at| *at == far.start || !far.contains(at)) {
            let (left, right) = (o + at, n + at);
            rows.push(if far.contains(&at) {
                let skipped = far.len() as u32;
                let [old, new] = [old.first + left as u32, new.first + right as u32];
                Row::Unknown {
                    old: old..old + skipped,
                    new: new..new + skipped,
                }
            } else {
                Row::Lines {
                    old: Some(line(old, left, old_details)),
                    new: Some(line(new, right, new_details)),
                }
            });
        }
        (o, n) = (o + stayed, n + stayed);
        let (left, right) = (old.fates.get(o), new.fates.get(n));
        let (take_old, take_new) = match (left, right) {
            (None, None) => return rows,
            (Some(Fate::Moved(..)), _) | (Some(_), None) => (true, false),
            (_, Some(Fate::Moved(..))) | (None, Some(_)) => (false, true),
            (Some(Fate::LeftOut), _) => (true, false),
            (_, Some(Fate::LeftOut)) => (false, true),
            (Some(Fate::Alone), Some(Fate::Alone)) => (true, true),
            (Some(Fate::Alone), _) => (true, false),
            (_, Some(Fate::Alone)) => (false, true),
            (Some(_), Some(_)) => (true, true),
        };
        rows.push(Row::Lines {
            old: take_old.then(|| line(old, o, old_details)),
            new: take_new.then(|| line(new, n, new_details)),
        });
        o += usize::from(take_old);
        n += usize::from(take_new);
    }
}

/// How many lines stayed from here on.
fn kept(old: &[Fate], new: &[Fate]) -> usize {
    let both = old.iter().zip(new);
    both.take_while(|both| *both == (&Fate::Kept, &Fate::Kept))
        .count()
}

/// Which of so many lines that stayed are more than `around` lines from a change before or
/// behind them. None if it would be a single one.
fn far(length: usize, [is_first, is_last]: [bool; 2], around: usize) -> Range<usize> {
    let start = if is_first { 0 } else { around };
    let end = length.saturating_sub(if is_last { 0 } else { around });
    if around < length && end.saturating_sub(start) > 1 {
        start..end
    } else {
        length..length
    }
}

fn line<'t>(stretch: &SideFates<'t>, index: usize, details: &Details<'t>) -> Line<'t> {
    let number = stretch.first + index as u32;
    let (state, block) = match stretch.fates[index] {
        Fate::Kept | Fate::LeftOut => (State::Same, None),
        Fate::Edited => (State::Edited, None),
        Fate::Alone => (State::Alone, None),
        Fate::Moved(block, state) => (state, Some(block)),
        Fate::Indented(block) => (State::Same, Some(block)),
    };
    let spans = details.spans.get(&number).cloned().unwrap_or_default();
    Line {
        number,
        text: stretch.lines[index],
        state,
        spans,
        block,
        other: details.others.get(&number).cloned().map(Box::new),
    }
}
