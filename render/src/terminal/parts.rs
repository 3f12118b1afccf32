//! What is shown of a file, in order, whatever the layout: changes with what is
//! around them, blocks that left, blocks that came with what changed inside.

use super::{Place, Screen, Side};
use crate::enclosing::Rule;
use crate::styles::{decode, visible_name};
use crate::view::{Line, MoveView, Row, State, View};
use std::ops::Range;

/// A part of a file, and what lies between it and the one before.
pub(super) struct Section<'v, 't> {
    pub gap: Gap,
    pub part: Part<'v, 't>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing.
    None,
    /// The end of a block, to which what follows does not belong.
    End,
    /// Lines that are not shown.
    Lines,
}

pub(super) enum Part<'v, 't> {
    /// Lines that changed in place, and some around them, from this row on.
    Rows(usize, &'v [Row<'t>]),
    /// A block was here; how it begins, if it is a definition.
    Went(&'v MoveView, Option<String>),
    /// A block is here now.
    Came(&'v MoveView, Vec<Inner<'v>>),
}

impl<'v> Section<'v, '_> {
    /// The lines that are shown, in the order of a patch.
    pub(super) fn lines(&self) -> Vec<(Side, &'v [u8])> {
        let mut lines = Vec::new();
        let place = |side: Side, place: &Place<'v>| (side, place.text);
        match &self.part {
            Part::Rows(_, rows) => {
                for run in rows.chunk_by(|a, b| a.is_quiet() == b.is_quiet()) {
                    let quiet = run[0].is_quiet();
                    let both = run.iter().filter_map(|row| match row {
                        Row::Lines { old, new } => Some((old.as_ref(), new.as_ref())),
                        Row::Unknown { .. } => None,
                    });
                    let old = both.clone().filter_map(|(old, _)| old.filter(|_| !quiet));
                    lines.extend(old.map(|line| (Side::Old, line.text)));
                    let new = both.filter_map(|(old, new)| new.or(old.filter(|_| quiet)));
                    lines.extend(new.map(|line| (Side::New, line.text)));
                }
            }
            Part::Went(..) => {}
            Part::Came(_, inner) => {
                for inner in inner {
                    match inner {
                        Inner::Same(line) | Inner::Folded(line, 1) => {
                            lines.push(place(Side::New, line));
                        }
                        Inner::Folded(..) => {}
                        Inner::Changed(steps) => {
                            let old = steps.iter().filter_map(|step| step.old.as_ref());
                            lines.extend(old.map(|line| place(Side::Old, line)));
                            let new = steps.iter().filter_map(|step| step.new.as_ref());
                            lines.extend(new.map(|line| place(Side::New, line)));
                        }
                    }
                }
            }
        }
        lines
    }
}

impl<'v> Section<'v, '_> {
    /// Lines that did not change, old and new, which lie in two files.
    pub(super) fn unchanged(&self) -> impl Iterator<Item = (&'v [u8], &'v [u8])> {
        let rows = match self.part {
            Part::Rows(_, rows) => rows,
            Part::Went(..) | Part::Came(..) => &[],
        };
        rows.iter().filter_map(|row| match row {
            Row::Lines {
                old: Some(old),
                new: Some(new),
            } if old.text.as_ptr() != new.text.as_ptr() => Some((old.text, new.text)),
            _ => None,
        })
    }
}

/// What is shown of a block that came.
pub(super) enum Inner<'v> {
    /// A line that is as it was.
    Same(Place<'v>),
    /// Such lines in a row: the first of them, and how many there are.
    Folded(Place<'v>, usize),
    /// Lines that changed on the way, in order.
    Changed(Vec<Step<'v>>),
}

/// A changed line of a block: removed, added, or edited.
pub(super) struct Step<'v> {
    pub old: Option<Place<'v>>,
    pub new: Option<Place<'v>>,
}

/// The lines of every block at both its ends.
pub(super) struct Blocks<'v, 't> {
    moves: &'v [MoveView],
    lines: Vec<[Vec<&'v Line<'t>>; 2]>,
}

impl<'v, 't> Blocks<'v, 't> {
    pub(super) fn of(view: &'v View<'t>) -> Self {
        let mut lines: Vec<[Vec<&Line<'_>>; 2]> =
            view.moves.iter().map(|_| Default::default()).collect();
        for row in view.files.iter().flat_map(|file| &file.rows) {
            let Row::Lines { old, new } = row else {
                continue;
            };
            for (side, line) in [old, new].into_iter().enumerate() {
                if let Some(line) = line
                    && let Some(block) = line.block
                {
                    lines[block][side].push(line);
                }
            }
        }
        Self {
            moves: &view.moves,
            lines,
        }
    }

    /// The definition that a block begins with, and how many more there are in it.
    fn name(&self, block: usize) -> Option<String> {
        let rule = Rule::of(&self.moves[block].new.path);
        let lines = self.lines[block][0].iter().map(|line| line.text);
        let mut names = lines.filter(|line| rule.is_known && rule.defines(line));
        let first = decode(names.next()?.trim_ascii());
        let first = visible_name(first.trim_end_matches(['{', ' ', ':']));
        match names.count() {
            0 => Some(first),
            more => Some(format!("{first}, and {more} more")),
        }
    }

    /// The lines of a block, old and new, as they belong together; `None` is for
    /// one that is as it was.
    fn steps(&self, block: usize) -> Vec<(Place<'v>, Option<Step<'v>>)> {
        let [old, new] = &self.lines[block];
        let mut gone = old
            .iter()
            .filter(|line| line.state == State::Alone)
            .peekable();
        let removed = |line: &'v Line<'t>| {
            let step = Step {
                old: Some(Place::of(line, None)),
                new: None,
            };
            (Place::of(line, None), Some(step))
        };
        let mut steps = Vec::new();
        for &line in new {
            if let Some(other) = &line.other {
                while let Some(line) = gone.next_if(|gone| gone.number < other.number) {
                    steps.push(removed(line));
                }
            }
            let other = line.other.as_deref();
            let step = (line.state != State::Same).then(|| Step {
                old: other.map(|other| Place::other(other, line.text)),
                new: Some(Place {
                    remark: self.moves[block].remark(line),
                    ..Place::of(line, other.map(|other| other.text))
                }),
            });
            steps.push((Place::of(line, None), step));
        }
        steps.extend(gone.map(|line| removed(line)));
        steps
    }

    /// The same with the lines between them that are not of the block, where the file has
    /// them: each row of the block is a step.
    fn steps_among(&self, block: usize, rows: &'v [Row<'t>]) -> Vec<(Place<'v>, Option<Step<'v>>)> {
        let mut own = self.steps(block).into_iter();
        let mut steps = Vec::new();
        for row in rows {
            let Row::Lines { old, new } = row else {
                continue;
            };
            let text = |line: &'v Option<Line<'t>>| line.as_ref().map(|line| line.text);
            let was = old.as_ref().map(|old| old.number);
            let [before, after] = [
                old.as_ref().map(|old| Place::of(old, text(new))),
                new.as_ref().map(|new| Place::of(new, text(old))),
            ];
            match (RowKind::of(row), after.or(before)) {
                (RowKind::Indented(_), _) => steps.extend(own.next()),
                (RowKind::Quiet, Some(place)) => steps.push((Place { was, ..place }, None)),
                (_, Some(place)) => {
                    let step = Step {
                        old: before,
                        new: after,
                    };
                    steps.push((place, Some(step)));
                }
                _ => {}
            }
        }
        steps.extend(own);
        steps
    }

    /// What is shown of a block, with what changed among its rows: what changed, its
    /// context as far as it is wanted, and a name for it, its first line that says anything.
    fn inner(&self, block: usize, context: usize, rows: &'v [Row<'t>]) -> Vec<Inner<'v>> {
        /// Lines that may come before the name of a block.
        const LOOKED_AT: usize = 4;
        let steps = self.steps_among(block, rows);
        let changed: Vec<bool> = steps.iter().map(|(_, step)| step.is_some()).collect();
        let mut wanted = if context == usize::MAX {
            vec![true; changed.len()]
        } else {
            near(&changed, context)
        };
        let known = changed.iter().take_while(|changed| !**changed);
        let mut known = steps[..known.count()].iter().take(LOOKED_AT);
        let says = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        if let Some(name) = known.position(|(line, _)| line.text.iter().any(says)) {
            wanted[name] = true;
        }
        // In some languages indentation has a meaning: the edges show it.
        if self.moves[block].is_indent
            && let [first, .., last] = &mut wanted[..]
        {
            (*first, *last) = (true, true);
        }
        let mut inner = Vec::new();
        let mut folded: Option<(Place<'v>, usize)> = None;
        for (at, (line, step)) in steps.into_iter().enumerate() {
            if !wanted[at] {
                folded.get_or_insert((line, 0)).1 += 1;
                continue;
            }
            inner.extend(
                folded
                    .take()
                    .map(|(first, count)| Inner::Folded(first, count)),
            );
            match (step, inner.last_mut()) {
                (None, _) => inner.push(Inner::Same(line)),
                (Some(step), Some(Inner::Changed(steps))) => steps.push(step),
                (Some(step), _) => inner.push(Inner::Changed(vec![step])),
            }
        }
        inner.extend(folded.map(|(first, count)| Inner::Folded(first, count)));
        inner
    }
}

/// What is true, and as many places on both sides of it.
fn near(changed: &[bool], context: usize) -> Vec<bool> {
    let mut near = changed.to_vec();
    for (at, _) in changed.iter().enumerate().filter(|(_, changed)| **changed) {
        let end = at.saturating_add(context).saturating_add(1);
        near[at.saturating_sub(context)..end.min(changed.len())].fill(true);
    }
    near
}

/// What a row is to a reader.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowKind {
    Quiet,
    /// White space that does not count came or went.
    Silent,
    /// The lines are unknown.
    Unknown,
    Changed,
    /// Lines of a block at its old or its new end.
    Moved(usize, usize),
    /// Lines of a block that was indented where it is.
    Indented(usize),
}

impl RowKind {
    fn of(row: &Row<'_>) -> Self {
        let Row::Lines { old, new } = row else {
            return Self::Unknown;
        };
        let block = |line: &Option<Line<'_>>| line.as_ref().and_then(|line| line.block);
        match (block(old), block(new)) {
            (Some(block), Some(_)) => return Self::Indented(block),
            (Some(block), None) => return Self::Moved(block, 0),
            (None, Some(block)) => return Self::Moved(block, 1),
            (None, None) => {}
        }
        let same = |line: &Option<Line<'_>>| line.as_ref().is_none_or(|l| l.state == State::Same);
        match (same(old) && same(new), old.is_some() && new.is_some()) {
            (true, true) => Self::Quiet,
            (true, false) => Self::Silent,
            (false, _) => Self::Changed,
        }
    }
}

/// The parts of a file.
pub(super) fn sections<'v, 't>(
    view: &'v View<'t>,
    blocks: &Blocks<'v, 't>,
    file: usize,
    screen: &Screen,
) -> Vec<Section<'v, 't>> {
    let rows = &view.files[file].rows[..];
    let mut writer = Writer {
        view,
        blocks,
        inner_context: if screen.show_moved {
            usize::MAX
        } else {
            screen.inner_context as usize
        },
        rows,
        told: vec![[false; 2]; view.moves.len()],
        among: 0..0,
        sections: Vec::new(),
        pending: 0..0,
        gap: false,
    };
    let mut runs: Vec<(RowKind, Range<usize>)> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let kind = RowKind::of(row);
        match runs.last_mut() {
            Some((last, range)) if *last == kind => range.end = at + 1,
            _ => runs.push((kind, at..at + 1)),
        }
    }
    let context = screen.context as usize;
    for (at, (kind, range)) in runs.iter().enumerate() {
        if writer.among.contains(&range.start) {
            continue;
        }
        let is_change =
            |run: Option<&(RowKind, _)>| run.is_some_and(|run| run.0 == RowKind::Changed);
        match *kind {
            RowKind::Changed => writer.show(range.clone()),
            RowKind::Moved(block, side) => writer.block(block, side),
            RowKind::Indented(block) => writer.indented(block, range.start),
            RowKind::Silent => writer.flush(),
            RowKind::Unknown => writer.skip(),
            RowKind::Quiet => {
                let before = at.checked_sub(1).and_then(|at| runs.get(at));
                let head = if is_change(before) { context } else { 0 };
                let tail = if is_change(runs.get(at + 1)) {
                    context
                } else {
                    0
                };
                let left_out = range.len().saturating_sub(head.saturating_add(tail));
                // A fold of a single line would take as much room as the line.
                if left_out == 0 || (left_out == 1 && head > 0 && tail > 0) {
                    writer.show(range.clone());
                    continue;
                }
                writer.show(range.start..range.start + head);
                writer.skip();
                writer.show(range.end - tail..range.end);
            }
        }
    }
    writer.flush();
    writer.sections
}

struct Writer<'w, 'v, 't> {
    view: &'v View<'t>,
    blocks: &'w Blocks<'v, 't>,
    inner_context: usize,
    rows: &'v [Row<'t>],
    /// The ends of blocks that are shown already.
    told: Vec<[bool; 2]>,
    /// The rows of the block that was shown last, with all that changed among them.
    among: Range<usize>,
    sections: Vec<Section<'v, 't>>,
    /// Rows that will be shown together.
    pending: Range<usize>,
    gap: bool,
}

impl Writer<'_, '_, '_> {
    fn show(&mut self, rows: Range<usize>) {
        if rows.is_empty() {
            return;
        }
        if self.pending.is_empty() {
            self.pending = rows;
        } else {
            self.pending.end = rows.end;
        }
    }

    fn skip(&mut self) {
        self.flush();
        self.gap = true;
    }

    fn flush(&mut self) {
        let rows = std::mem::take(&mut self.pending);
        if !rows.is_empty() {
            self.push(Part::Rows(rows.start, &self.rows[rows]));
        }
    }

    /// An end of a block, shown where its first line is.
    fn block(&mut self, index: usize, side: usize) {
        self.flush();
        if std::mem::replace(&mut self.told[index][side], true) {
            return;
        }
        let block = &self.view.moves[index];
        self.push(match side {
            0 => Part::Went(block, self.blocks.name(index)),
            _ => Part::Came(block, self.blocks.inner(index, self.inner_context, &[])),
        });
    }

    /// A block that was indented where it is. What else changed among its lines is shown
    /// with it, in order, unless something moved from or to there.
    fn indented(&mut self, index: usize, first: usize) {
        let of_block = |row: &Row<'_>| RowKind::of(row) == RowKind::Indented(index);
        let all = self.rows;
        let last = all.iter().rposition(of_block).unwrap_or(first);
        let rows = &all[first..=last];
        let is_plain = |row: &Row<'_>| {
            of_block(row) || matches!(RowKind::of(row), RowKind::Quiet | RowKind::Changed)
        };
        if self.told[index][1] || !rows.iter().all(is_plain) {
            return self.block(index, 1);
        }
        self.flush();
        self.told[index][1] = true;
        self.among = first..last + 1;
        let inner = self.blocks.inner(index, self.inner_context, rows);
        self.push(Part::Came(&self.view.moves[index], inner));
    }
}

impl<'v, 't> Writer<'_, 'v, 't> {
    fn push(&mut self, part: Part<'v, 't>) {
        let left_out = std::mem::take(&mut self.gap);
        let gap = match (self.sections.last().map(|last| &last.part), &part) {
            (Some(_), _) if left_out => Gap::Lines,
            (Some(Part::Came(..)), Part::Rows(..)) => Gap::End,
            // Before the first part of a file, too.
            (None, Part::Rows(first, _)) if left_out || *first > 0 => Gap::Lines,
            _ => Gap::None,
        };
        self.sections.push(Section { gap, part });
    }
}
