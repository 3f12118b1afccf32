//! Line reports as views: two files, or many with moves between them.

use super::layout::{Details, layout};
use super::reindent::without_shift;
use super::remarks::remarks;
use super::summary::{sum, summary, survived};
use super::{End, FileView, MoveView, NonTextChange, Other, View};
use crate::Names;
use crate::styles::{decode, quiet, unlike};
use mvdiff_text::fates::{self, FileChanges, SideFates};
use mvdiff_text::{Change, LineReport, Lines, MoveKind, MovedBlock};

/// A block and the files of its ends, as indices.
pub use mvdiff_text::fates::PlacedBlock as MoveInput;

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
        let blocks: Vec<&MovedBlock> = report.moves.iter().collect();
        let sum = sum(&report.changes, &blocks);
        View {
            title: format!("{} → {}", names.old, names.new),
            summary: summary(&report.stats, sum, &blocks),
            sum,
            notes: remarks(report.ignore, &report.notes),
            ..View::of_files(&[file], &moves)
        }
    }

    /// Many files, without title, summary and notes.
    #[must_use]
    pub fn of_files(files: &[FileInput<'_, 't>], moves: &[MoveInput<'_>]) -> View<'t> {
        let changes: Vec<FileChanges<'_, 't>> = files
            .iter()
            .map(|file| FileChanges {
                lines: file.lines,
                changes: file.changes,
                ignored: file.ignored,
            })
            .collect();
        let fates = fates::of_files(&changes, moves);
        let mut sheets: Vec<Sheet<'t>> = files.iter().zip(fates).map(Sheet::new).collect();
        let size = |m: &MoveInput<'_>| {
            let block = m.block;
            block
                .original_line_end
                .saturating_sub(block.original_line_start)
        };
        for index in fates::by_size(moves, size) {
            note_pairs(&mut sheets, &moves[index]);
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
            non_text: NonTextChange::Nothing,
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
    halves: [SideFates<'t>; 2],
    details: [Details<'t>; 2],
}

impl<'t> Sheet<'t> {
    fn new((file, halves): (&FileInput<'_, 't>, [SideFates<'t>; 2])) -> Self {
        let mut sheet = Self {
            halves,
            details: Default::default(),
        };
        for change in file.changes {
            for side in [0, 1] {
                sheet.mark(side, change);
            }
        }
        sheet
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

/// Notes what changed inside the lines of a block, and the other end of each.
fn note_pairs(sheets: &mut [Sheet<'_>], input: &MoveInput<'_>) {
    let block = input.block;
    let (old, new) = input.files;
    for change in &block.changes {
        sheets[new].mark(1, change);
        // The changes of a copy are not changes of its original.
        if !input.is_copy {
            sheets[old].mark(0, change);
        }
    }
    for (o, n, _) in block.pairs() {
        follow(sheets, input, (o, n));
        let (there, here) = (sheets[old].line(0, o), sheets[new].line(1, n));
        for (file, side, line, other) in [(old, 0, o, here), (new, 1, n, there)] {
            if side == 1 || !input.is_copy {
                let others = &mut sheets[file].details[side].others;
                others.extend(other.map(|other| (line, other)));
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
