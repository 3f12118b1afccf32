//! Pairs removed and added lines of the same place, side by side if they
//! are the same lines, edited: a patch does not say it.

use super::{Line, Row, State};
use crate::styles::{decode, quiet};
use mvdiff_text::{Stretches, changed_words, pair_lines};

/// What differs between two versions of a line, unless it is nearly all.
pub(super) fn words(old: &[u8], new: &[u8]) -> (Stretches, Stretches) {
    calm(changed_words(old, new), old, new)
}

fn calm((left, right): (Stretches, Stretches), old: &[u8], new: &[u8]) -> (Stretches, Stretches) {
    let calm = |spans, text: &[u8]| quiet(spans, decode(text).chars().count());
    (calm(left, old), calm(right, new))
}

/// Lays runs of changed lines out anew, so that edited lines are next to their other
/// versions.
pub(super) fn pair_up(rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    let mut paired = Vec::with_capacity(rows.len());
    let mut run = Run::default();
    for row in rows {
        match row {
            Row::Lines { old, new } if is_changed(old.as_ref()) || is_changed(new.as_ref()) => {
                run.old.extend(old);
                run.new.extend(new);
            }
            row => {
                run.end(&mut paired);
                paired.push(row);
            }
        }
    }
    run.end(&mut paired);
    paired
}

fn is_changed(line: Option<&Line<'_>>) -> bool {
    let alone = |line: &Line<'_>| line.state == State::Alone && line.block.is_none();
    line.is_some_and(alone)
}

/// Changed lines in a row, of either side.
#[derive(Default)]
struct Run<'t> {
    old: Vec<Line<'t>>,
    new: Vec<Line<'t>>,
}

impl<'t> Run<'t> {
    fn end(&mut self, rows: &mut Vec<Row<'t>>) {
        let Self { old, new } = std::mem::take(self);
        let pairs = if old.is_empty() || new.is_empty() {
            Vec::new()
        } else {
            pairs(&old, &new)
        };
        let (mut old, mut new) = (old.into_iter(), new.into_iter());
        let (mut o, mut n) = (0, 0);
        for (left, right) in pairs {
            beside(
                rows,
                old.by_ref().take(left - o),
                new.by_ref().take(right - n),
            );
            if let (Some(left), Some(right)) = (old.next(), new.next()) {
                rows.push(edited(left, right));
            }
            (o, n) = (left + 1, right + 1);
        }
        beside(rows, old, new);
    }
}

fn texts<'t>(lines: &[Line<'t>]) -> Vec<&'t [u8]> {
    lines.iter().map(|line| line.text).collect()
}

/// The lines that are the same ones, edited. Where as many came as went, and none is
/// clearly another one, they are taken in order.
fn pairs(old: &[Line<'_>], new: &[Line<'_>]) -> Vec<(usize, usize)> {
    let in_order = old.len() == new.len();
    if in_order && old.len() == 1 {
        return vec![(0, 0)];
    }
    let pairs = pair_lines(&texts(old), &texts(new));
    if in_order && pairs.iter().all(|(old, new)| old == new) {
        return (0..old.len()).zip(0..new.len()).collect();
    }
    pairs
}

/// Lines without a counterpart, side by side as far as both sides have some.
fn beside<'t>(
    rows: &mut Vec<Row<'t>>,
    mut old: impl Iterator<Item = Line<'t>>,
    mut new: impl Iterator<Item = Line<'t>>,
) {
    loop {
        let (old, new) = (old.next(), new.next());
        if old.is_none() && new.is_none() {
            return;
        }
        rows.push(Row::Lines { old, new });
    }
}

fn edited<'t>(mut old: Line<'t>, mut new: Line<'t>) -> Row<'t> {
    let spans = changed_words(old.text, new.text);
    if !spans.0.is_empty() || !spans.1.is_empty() {
        (old.spans, new.spans) = calm(spans, old.text, new.text);
        (old.state, new.state) = (State::Edited, State::Edited);
    }
    Row::Lines {
        old: Some(old),
        new: Some(new),
    }
}
