//! Line reports as views: two files, or many with moves between them.

use super::layout::{Details, Fate, Half, layout};
use super::remarks::remarks;
use super::shift::without_shift;
use super::words::{sum, summary, survived};
use super::{End, FileView, Inside, MoveView, Other, State, View};
use crate::Names;
use crate::paint::{decode, quiet, unlike};
use mvdiff_text::{Change, LineReport, Lines, MoveKind, MovedBlock};

/// A file of a comparison and what changed in it in place.
pub struct FileInput<'v, 't> {
    /// What it was called; `None` if it was not there.
    pub old: Option<String>,
    /// Its name; `None` if it is no longer there.
    pub new: Option<String>,
    /// What else happened to it, in words such as `renamed`.
    pub facts: Vec<String>,
    /// Its lines before and after; none where it was or is not there.
    pub lines: (&'v Lines<'t>, &'v Lines<'t>),
    /// What changed outside of moves.
    pub changes: &'v [Change],
    /// What changed outside of moves and does not count.
    pub ignored: &'v [Change],
}

/// A block and the files of its ends, as indices.
pub struct MoveInput<'v> {
    /// The block.
    pub block: &'v MovedBlock,
    /// The files of the old and of the new end.
    pub files: (usize, usize),
    /// Whether it is still in its old place.
    pub is_copy: bool,
}

impl<'t> View<'t> {
    /// Two files.
    #[must_use]
    pub fn of_lines(
        names: &Names,
        lines: (&Lines<'t>, &Lines<'t>),
        report: &LineReport,
    ) -> View<'t> {
        let file = FileInput {
            old: Some(names.old.clone()),
            new: Some(names.new.clone()),
            facts: Vec::new(),
            lines,
            changes: &report.changes,
            ignored: &report.ignored,
        };
        let input = |block, is_copy| MoveInput {
            block,
            files: (0, 0),
            is_copy,
        };
        let moves = report.moves.iter().map(|block| input(block, false));
        let copies = report.copies.iter().map(|block| input(block, true));
        let moves: Vec<MoveInput<'_>> = moves.chain(copies).collect();
        let told: Vec<&MovedBlock> = report.moves.iter().collect();
        let sum = sum(&report.changes, &told);
        View {
            title: format!("{} → {}", names.old, names.new),
            summary: summary(&report.stats, sum, &told),
            sum,
            notes: remarks(report.ignore, &report.notes),
            ..View::of_files(&[file], &moves)
        }
    }

    /// Many files, without title, summary and notes.
    #[must_use]
    pub fn of_files(files: &[FileInput<'_, 't>], moves: &[MoveInput<'_>]) -> View<'t> {
        let mut sheets: Vec<Sheet<'t>> = files.iter().map(Sheet::new).collect();
        // Where one block lies within another, its lines are its own.
        let mut by_size: Vec<usize> = (0..moves.len()).collect();
        let size = |m: &MoveInput<'_>| m.block.original_line_end - m.block.original_line_start;
        by_size.sort_by_key(|&index| std::cmp::Reverse(size(&moves[index])));
        for index in by_size {
            place(&mut sheets, index, &moves[index]);
        }
        let end = |file: usize, path: &Option<String>, first: u32, last: u32| End {
            file: Some(file),
            path: path.clone().unwrap_or_default(),
            first,
            last,
        };
        let views = moves.iter().map(|m| {
            let (old, new) = m.files;
            let block = m.block;
            MoveView {
                label: format!("{}{}", letter(m), block.id),
                is_copy: m.is_copy,
                is_indent: block.kind == MoveKind::Indent,
                old: end(
                    old,
                    &files[old].old,
                    block.original_line_start,
                    block.original_line_end,
                ),
                new: end(
                    new,
                    &files[new].new,
                    block.modified_line_start,
                    block.modified_line_end,
                ),
                what: survived(block),
                confidence: block.confidence,
                unlike: block.indent.as_ref().map(unlike),
            }
        });
        let files = files.iter().zip(&sheets).map(|(file, sheet)| FileView {
            old: file.old.clone(),
            new: file.new.clone(),
            facts: file.facts.clone(),
            rows: layout(
                (&sheet.halves[0], &sheet.halves[1]),
                (&sheet.details[0], &sheet.details[1]),
                usize::MAX,
            ),
            lines: Vec::new(),
            headings: Vec::new(),
            inside: Inside::Nothing,
        });
        View {
            files: files.collect(),
            moves: views.collect(),
            ..View::default()
        }
    }
}

/// A file while it is laid out, old and new.
struct Sheet<'t> {
    halves: [Half<'t>; 2],
    details: [Details<'t>; 2],
}

impl<'t> Sheet<'t> {
    fn new(file: &FileInput<'_, 't>) -> Self {
        let half = |lines: &Lines<'t>| Half::new(1, lines.iter().collect(), Fate::Kept);
        let mut sheet = Self {
            halves: [half(file.lines.0), half(file.lines.1)],
            details: Default::default(),
        };
        for change in file.changes {
            for (side, [start, end]) in [change.original, change.modified].into_iter().enumerate() {
                for line in start..end {
                    sheet.halves[side].set(line, Fate::Alone);
                }
            }
            for &(old, new) in &change.pairs {
                sheet.halves[0].set(old, Fate::Edited);
                sheet.halves[1].set(new, Fate::Edited);
            }
            for side in [0, 1] {
                sheet.mark(side, change);
            }
        }
        for change in file.ignored {
            sheet.leave_out(change);
        }
        sheet
    }

    /// Marks lines that came or went and do not count; where there are as many on
    /// both sides, they are the same lines.
    fn leave_out(&mut self, change: &Change) {
        let ends = [change.original, change.modified];
        let [old, new] = ends.map(|[start, end]| end - start);
        if old == new {
            return;
        }
        for (side, [start, end]) in ends.into_iter().enumerate() {
            for line in start..end {
                self.halves[side].set(line, Fate::LeftOut);
            }
        }
    }

    /// A line as the other end of a pair.
    fn line(&self, side: usize, number: u32) -> Option<Other<'t>> {
        let spans = self.details[side].spans.get(&number);
        Some(Other {
            number,
            text: self.halves[side].text(number)?,
            spans: spans.cloned().unwrap_or_default(),
        })
    }

    /// Notes what changed inside the lines of a change.
    fn mark(&mut self, side: usize, change: &Change) {
        let places = change
            .inner
            .iter()
            .map(|inner| [inner.original, inner.modified][side]);
        let spans = &mut self.details[side].spans;
        for [line, start, _, end] in places.filter(|p| p[1] < p[3]) {
            let span = (start as usize - 1, end as usize - 1);
            spans.entry(line).or_default().push(span);
        }
        let [start, end] = [change.original, change.modified][side];
        for line in start..end {
            if let (Some(found), Some(text)) = (spans.remove(&line), self.halves[side].text(line)) {
                let calm = quiet(found, decode(text).chars().count());
                spans.insert(line, calm);
            }
        }
    }
}

fn letter(input: &MoveInput<'_>) -> &'static str {
    match (input.is_copy, input.block.kind) {
        (true, _) => "C",
        (false, MoveKind::Indent) => "I",
        (false, _) => "M",
    }
}

/// Puts a block into the files of its ends.
fn place(sheets: &mut [Sheet<'_>], index: usize, input: &MoveInput<'_>) {
    let block = input.block;
    let (old, new) = input.files;
    let at_old = block.original_line_start..=block.original_line_end;
    let at_new = block.modified_line_start..=block.modified_line_end;
    let mut pairs: Vec<(u32, u32, State)> = Vec::new();
    let mut at = (*at_old.start(), *at_new.start());
    for change in &block.changes {
        sheets[new].mark(1, change);
        // The changes of a copy are not changes of its original.
        if !input.is_copy {
            sheets[old].mark(0, change);
        }
    }
    // What does not count and has no counterpart is alone, too.
    let uneven = |c: &&Change| c.original[1] - c.original[0] != c.modified[1] - c.modified[0];
    let ignored = block.ignored.iter().filter(uneven);
    let mut changes: Vec<&Change> = block.changes.iter().chain(ignored).collect();
    changes.sort_by_key(|change| (change.modified, change.original));
    for change in changes {
        let same = (at.0..change.original[0]).zip(at.1..change.modified[0]);
        pairs.extend(same.map(|(o, n)| (o, n, State::Same)));
        let edited = change.pairs.iter();
        pairs.extend(edited.map(|&(o, n)| (o, n, State::Edited)));
        at = (change.original[1], change.modified[1]);
    }
    let same = (at.0..=*at_old.end()).zip(at.1..=*at_new.end());
    pairs.extend(same.map(|(o, n)| (o, n, State::Same)));
    let ends = [(old, 0, at_old), (new, 1, at_new)];
    let is_shown = |side: usize| side == 1 || !input.is_copy;
    // What changed inside a block that stayed is shown where it is.
    let is_indent = block.kind == MoveKind::Indent;
    let fate_of = |state: State| match state {
        State::Same if is_indent => Fate::Indented(index),
        State::Edited if is_indent => Fate::Edited,
        state => Fate::Moved(index, state),
    };
    for (file, side, range) in ends.into_iter().filter(|end| is_shown(end.1)) {
        for line in range {
            let fate = if is_indent {
                Fate::Alone
            } else {
                Fate::Moved(index, State::Alone)
            };
            sheets[file].halves[side].set(line, fate);
        }
    }
    for change in block.ignored.iter().filter(uneven) {
        let ends = [(old, 0, change.original), (new, 1, change.modified)];
        for (file, side, [start, end]) in ends.into_iter().filter(|end| is_shown(end.1)) {
            for line in start..end {
                sheets[file].halves[side].set(line, Fate::Moved(index, State::Same));
            }
        }
    }
    for (o, n, state) in pairs {
        follow(sheets, input, (o, n));
        let (there, here) = (sheets[old].line(0, o), sheets[new].line(1, n));
        for (file, side, line, other) in [(old, 0, o, here), (new, 1, n, there)] {
            if is_shown(side) {
                let sheet = &mut sheets[file];
                sheet.halves[side].set(line, fate_of(state));
                sheet.details[side]
                    .others
                    .extend(other.map(|other| (line, other)));
            }
        }
    }
}

/// Takes the block's own change of indentation out of what changed in a pair.
fn follow(sheets: &mut [Sheet<'_>], input: &MoveInput<'_>, (o, n): (u32, u32)) {
    let (old, new) = input.files;
    let texts = (sheets[old].halves[0].text(o), sheets[new].halves[1].text(n));
    let (Some(before), Some(after)) = texts else {
        return;
    };
    let mut take = |file: usize, side: usize, line: u32| {
        let spans = &mut sheets[file].details[side].spans;
        spans.get_mut(&line).map(std::mem::take).unwrap_or_default()
    };
    let (mut left, mut right) = (take(old, 0, o), take(new, 1, n));
    let both = (&mut left, &mut right);
    without_shift(input.block.indent.as_ref(), (before, after), both);
    for (file, side, line, spans) in [(old, 0, o, left), (new, 1, n, right)] {
        if !spans.is_empty() {
            sheets[file].details[side].spans.insert(line, spans);
        }
    }
}
