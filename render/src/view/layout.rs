//! From what became of every line to rows.

use super::{Line, Other, Row, State};
use std::collections::HashMap;

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It stayed; so did the next such line of the other side, which is the same.
    Kept,
    /// Like `Kept`, but edited.
    Edited,
    /// It has no counterpart.
    Alone,
    /// It has none, and is white space that does not count.
    LeftOut,
    /// It is in a moved or copied block.
    Moved(usize, State),
    /// It stayed, in a block that was indented as a whole.
    Indented(usize),
}

/// One side of a stretch of a file.
pub(super) struct Half<'t> {
    /// The number of the first line, from one.
    pub first: u32,
    pub lines: Vec<&'t [u8]>,
    pub fates: Vec<Fate>,
}

impl<'t> Half<'t> {
    pub(super) fn new(first: u32, lines: Vec<&'t [u8]>, fate: Fate) -> Self {
        let fates = vec![fate; lines.len()];
        Self {
            first,
            lines,
            fates,
        }
    }

    /// Says what became of a line, if it is here.
    pub(super) fn set(&mut self, number: u32, fate: Fate) {
        let index = number.checked_sub(self.first).map(|at| at as usize);
        if let Some(slot) = index.and_then(|at| self.fates.get_mut(at)) {
            *slot = fate;
        }
    }

    pub(super) fn fate(&self, number: u32) -> Option<Fate> {
        let index = number.checked_sub(self.first)? as usize;
        self.fates.get(index).copied()
    }

    pub(super) fn text(&self, number: u32) -> Option<&'t [u8]> {
        let index = number.checked_sub(self.first)? as usize;
        self.lines.get(index).copied()
    }
}

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
/// of their own.
pub(super) fn layout<'t>(
    (old, new): (&Half<'t>, &Half<'t>),
    (old_details, new_details): (&Details<'t>, &Details<'t>),
) -> Vec<Row<'t>> {
    let mut rows = Vec::with_capacity(old.lines.len().max(new.lines.len()));
    let (mut o, mut n) = (0, 0);
    loop {
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

fn line<'t>(half: &Half<'t>, index: usize, details: &Details<'t>) -> Line<'t> {
    let number = half.first + index as u32;
    let (state, block) = match half.fates[index] {
        Fate::Kept | Fate::LeftOut => (State::Same, None),
        Fate::Edited => (State::Edited, None),
        Fate::Alone => (State::Alone, None),
        Fate::Moved(block, state) => (state, Some(block)),
        Fate::Indented(block) => (State::Same, Some(block)),
    };
    let spans = details.spans.get(&number).cloned().unwrap_or_default();
    Line {
        number,
        text: half.lines[index],
        state,
        spans,
        block,
        other: details.others.get(&number).cloned().map(Box::new),
    }
}
