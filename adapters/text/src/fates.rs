//! The fate of every line of both sides, for those who show a report.
//!
//! [`EffectiveReport::fates`](crate::effective::EffectiveReport::fates) and [`of_files`]
//! read a report once and say of each line whether it stayed, was edited, moved, or has no
//! counterpart. Views print them and decide nothing themselves.

use crate::{Change, Lines, MoveKind, MovedBlock};

/// What happened to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It stayed, and so did the next such line of the other side, which is equal.
    Kept,
    /// Like `Kept`, but edited.
    Edited,
    /// It has no counterpart.
    Alone,
    /// It has none, and is white space that does not count.
    LeftOut,
    /// It is in a moved or copied block, given by its index in the list of blocks.
    Moved(usize, State),
    /// It stayed, in a block that was reindented as a whole.
    Indented(usize),
}

/// What happened to a line of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is unchanged, apart from white space that does not count.
    Same,
    /// It is the same line, edited.
    Edited,
    /// It has no counterpart: removed on the old side, added on the new one.
    Alone,
}

/// Consecutive lines of one side of a file, and their fates.
#[derive(Clone, Debug, Default)]
pub struct SideFates<'t> {
    /// The number of the first line, one-based.
    pub first: u32,
    /// The lines, with their newlines.
    pub lines: Vec<&'t [u8]>,
    /// The fate of each line.
    pub fates: Vec<Fate>,
}

impl<'t> SideFates<'t> {
    pub(crate) fn new(first: u32, lines: Vec<&'t [u8]>, fate: Fate) -> Self {
        let fates = vec![fate; lines.len()];
        Self {
            first,
            lines,
            fates,
        }
    }

    /// The fate of the line with a number, if it is here.
    #[must_use]
    pub fn fate(&self, number: u32) -> Option<Fate> {
        let index = number.checked_sub(self.first)? as usize;
        self.fates.get(index).copied()
    }

    /// The text of the line with a number, if it is here.
    #[must_use]
    pub fn text(&self, number: u32) -> Option<&'t [u8]> {
        let index = number.checked_sub(self.first)? as usize;
        self.lines.get(index).copied()
    }

    /// Decides the fate of a line, if it is here.
    pub(crate) fn set(&mut self, number: u32, fate: Fate) {
        let index = number.checked_sub(self.first).map(|at| at as usize);
        if let Some(slot) = index.and_then(|at| self.fates.get_mut(at)) {
            *slot = fate;
        }
    }
}

/// A file of a line report: its lines, and what changed in it in place.
#[derive(Clone, Copy)]
pub struct FileChanges<'v, 't> {
    /// Its old and new lines; none where it did not or does not exist.
    pub lines: (&'v Lines<'t>, &'v Lines<'t>),
    /// The changes outside of moves.
    pub changes: &'v [Change],
    /// The changes outside of moves that do not count.
    pub ignored: &'v [Change],
}

/// A block of a line report, and the indices of the files of its ends.
#[derive(Clone, Copy)]
pub struct PlacedBlock<'v> {
    /// The block.
    pub block: &'v MovedBlock,
    /// The files of the old and of the new end.
    pub files: (usize, usize),
    /// Whether it is still in its old place.
    pub is_copy: bool,
}

/// The fates of the lines of files, old and new.
#[must_use]
pub fn of_files<'t>(
    files: &[FileChanges<'_, 't>],
    blocks: &[PlacedBlock<'_>],
) -> Vec<[SideFates<'t>; 2]> {
    let mut fates: Vec<[SideFates<'t>; 2]> = files.iter().map(in_place).collect();
    for index in by_size(blocks, |b| {
        b.block
            .original_line_end
            .saturating_sub(b.block.original_line_start)
    }) {
        place(&mut fates, index, &blocks[index]);
    }
    fates
}

/// The indices of blocks, the largest first: where one lies within another, its lines are
/// its own.
#[must_use]
pub fn by_size<B>(blocks: &[B], size: impl Fn(&B) -> u32) -> Vec<usize> {
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(size(&blocks[index])));
    order
}

fn in_place<'t>(file: &FileChanges<'_, 't>) -> [SideFates<'t>; 2] {
    let side = |lines: &Lines<'t>| SideFates::new(1, lines.iter().collect(), Fate::Kept);
    let mut sides = [side(file.lines.0), side(file.lines.1)];
    for change in file.changes {
        for (side, [start, end]) in sides.iter_mut().zip([change.original, change.modified]) {
            (start..end).for_each(|line| side.set(line, Fate::Alone));
        }
        for &(old, new) in &change.pairs {
            sides[0].set(old, Fate::Edited);
            sides[1].set(new, Fate::Edited);
        }
    }
    // Where there are as many lines on both sides, they are the same lines.
    for change in file.ignored.iter().filter(|change| is_uneven(change)) {
        for (side, [start, end]) in sides.iter_mut().zip([change.original, change.modified]) {
            (start..end).for_each(|line| side.set(line, Fate::LeftOut));
        }
    }
    sides
}

fn is_uneven(change: &Change) -> bool {
    let length = |[start, end]: [u32; 2]| end.saturating_sub(start);
    length(change.original) != length(change.modified)
}

/// Decides the lines of a block in the files of its ends.
fn place(fates: &mut [[SideFates<'_>; 2]], index: usize, placed: &PlacedBlock<'_>) {
    let block = placed.block;
    let (old, new) = placed.files;
    let is_indent = block.kind == MoveKind::Indent;
    // A copy does not change its original.
    let sides = || {
        [(old, 0), (new, 1)]
            .into_iter()
            .filter(|end| end.1 == 1 || !placed.is_copy)
    };
    let inside = if is_indent {
        Fate::Alone
    } else {
        Fate::Moved(index, State::Alone)
    };
    for (file, side) in sides() {
        let lines = [
            block.original_line_start..=block.original_line_end,
            block.modified_line_start..=block.modified_line_end,
        ];
        let stretch = &mut fates[file][side];
        lines[side]
            .clone()
            .for_each(|line| stretch.set(line, inside));
        for change in block.ignored.iter().filter(|change| is_uneven(change)) {
            let [start, end] = [change.original, change.modified][side];
            (start..end).for_each(|line| stretch.set(line, Fate::Moved(index, State::Same)));
        }
    }
    for (o, n, state) in block.pairs() {
        // What changed inside a block that stayed is shown where it is.
        let fate = match state {
            State::Same if is_indent => Fate::Indented(index),
            State::Edited if is_indent => Fate::Edited,
            state => Fate::Moved(index, state),
        };
        for (file, side) in sides() {
            fates[file][side].set([o, n][side], fate);
        }
    }
}

impl MovedBlock {
    /// The pairs of lines that are the same line, unchanged or edited, one-based.
    #[must_use]
    pub fn pairs(&self) -> Vec<(u32, u32, State)> {
        let mut pairs = Vec::new();
        let mut at = (self.original_line_start, self.modified_line_start);
        // What does not count and has no counterpart is alone, too.
        let ignored = self.ignored.iter().filter(|change| is_uneven(change));
        let mut changes: Vec<&Change> = self.changes.iter().chain(ignored).collect();
        changes.sort_by_key(|change| (change.modified, change.original));
        for change in changes {
            let same = (at.0..change.original[0]).zip(at.1..change.modified[0]);
            pairs.extend(same.map(|(o, n)| (o, n, State::Same)));
            pairs.extend(change.pairs.iter().map(|&(o, n)| (o, n, State::Edited)));
            at = (change.original[1], change.modified[1]);
        }
        let same = (at.0..=self.original_line_end).zip(at.1..=self.modified_line_end);
        pairs.extend(same.map(|(o, n)| (o, n, State::Same)));
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff_lines;

    #[test]
    fn every_line_has_its_fate() {
        let old = b"fn first_function() {}\nfn second_function() {}\nfn third_function() {}\nx\n";
        let new = b"fn third_function() {}\nfn first_function() {}\nfn second_function() {}\ny\n";
        let report = diff_lines(old, new, &crate::options()).unwrap();
        let lines = (Lines::new(old).unwrap(), Lines::new(new).unwrap());
        let file = FileChanges {
            lines: (&lines.0, &lines.1),
            changes: &report.changes,
            ignored: &report.ignored,
        };
        let placed = |block| PlacedBlock {
            block,
            files: (0, 0),
            is_copy: false,
        };
        let blocks: Vec<PlacedBlock<'_>> = report.moves.iter().map(placed).collect();
        let [before, after] = &of_files(&[file], &blocks)[0];
        let moved = Fate::Moved(0, State::Same);
        assert_eq!(before.fates, [Fate::Kept, Fate::Kept, moved, Fate::Alone]);
        assert_eq!(after.fates, [moved, Fate::Kept, Fate::Kept, Fate::Alone]);
        assert_eq!(after.text(4), Some(&b"y\n"[..]));
        assert_eq!((after.fate(0), after.fate(5)), (None, None));
    }
}
