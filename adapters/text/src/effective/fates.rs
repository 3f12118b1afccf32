//! The fates of the lines of a patch, read from its report.

use super::{
    Contents, EffectiveReport, FileContents, KeptRun, MoveDetail, MoveKind, ShownLines, TwinSide,
};
use crate::Lines;
use crate::fates::{Fate, SideFates, State, by_size};
use crate::patch::{Changeset, FilePatch, Hunk, LineKind};
use std::collections::{HashMap, HashSet};

/// A file of a patch: in one stretch where its contents are known, else hunk by hunk.
#[derive(Clone, Debug)]
pub struct FileFates<'t> {
    /// Whether it is in one stretch.
    pub is_whole: bool,
    /// The stretches, old and new.
    pub stretches: Vec<[SideFates<'t>; 2]>,
    paths: [Option<&'t [u8]>; 2],
}

impl EffectiveReport {
    /// The fates of the lines of every file of the patch that the report is about. Indices
    /// of blocks are those of [`blocks`](Self::blocks).
    #[must_use]
    pub fn fates<'t>(
        &self,
        changeset: &'t Changeset<'t>,
        contents: &Contents<'t>,
    ) -> Vec<FileFates<'t>> {
        let files = changeset.files.iter().enumerate();
        let mut files: Vec<FileFates<'t>> = files
            .map(|(index, file)| FileFates::new(file, contents.files.get(index)))
            .collect();
        let mut kept: HashMap<[&[u8]; 2], Vec<&KeptRun>> = HashMap::new();
        for run in &self.kept {
            kept.entry([&run.0.0, &run.2.0]).or_default().push(run);
        }
        let blocks = self.blocks();
        for file in &mut files {
            if let [Some(old), Some(new)] = file.paths {
                let has_blocks = blocks
                    .iter()
                    .any(|m| m.source_file.0 == old || m.target_file.0 == new);
                let runs = kept.get(&[old, new]).map_or(&[][..], |runs| &runs[..]);
                file.keep(runs, has_blocks);
            }
        }
        for index in self.blocks_by_size() {
            place(&mut files, index, &blocks[index]);
        }
        if self.shown.are_known() {
            for file in &mut files {
                file.hold_to(&self.shown);
            }
        }
        files
    }

    /// The indices of the blocks in the order in which they claim lines.
    #[must_use]
    pub fn blocks_by_size(&self) -> Vec<usize> {
        by_size(self.blocks(), |m| {
            m.source_lines[1].saturating_sub(m.source_lines[0])
        })
    }
}

impl MoveDetail {
    /// The pairs of lines that are the same line, unchanged or edited, one-based.
    pub fn line_pairs(&self) -> impl Iterator<Item = (u32, u32, State)> {
        let runs = self.pairs.iter();
        let same = runs.flat_map(|&[old, new, len]| (old..old + len).zip(new..));
        let edited = self.edited_pairs.iter();
        same.map(|(old, new)| (old, new, State::Same))
            .chain(edited.map(|&[old, new]| (old, new, State::Edited)))
    }

    /// Whether the lines of a side are this block's own. The old lines of a copy and the
    /// new lines of a merge have fates of their own.
    #[must_use]
    pub fn owns(&self, side: TwinSide) -> bool {
        match self.kind {
            MoveKind::Copy => side == TwinSide::New,
            MoveKind::Merge => side == TwinSide::Old,
            MoveKind::Move | MoveKind::Indent | MoveKind::Stay => true,
        }
    }
}

const SIDES: [TwinSide; 2] = [TwinSide::Old, TwinSide::New];

impl<'t> FileFates<'t> {
    fn new(file: &'t FilePatch<'t>, contents: Option<&FileContents<'t>>) -> Self {
        let whole = contents.and_then(|contents| whole(file, *contents));
        Self {
            is_whole: whole.is_some(),
            stretches: match whole {
                _ if file.is_binary() => Vec::new(),
                Some(sides) => vec![sides],
                None => file.hunks().iter().map(piece).collect(),
            },
            paths: [file.old_path.as_deref(), file.new_path.as_deref()],
        }
    }

    /// The text of a line.
    #[must_use]
    pub fn text(&self, side: TwinSide, number: u32) -> Option<&'t [u8]> {
        let mut sides = self.stretches.iter().map(|sides| &sides[side as usize]);
        sides.find_map(|stretch| stretch.text(number))
    }

    fn fate(&self, side: usize, number: u32) -> Option<Fate> {
        let mut sides = self.stretches.iter().map(|sides| &sides[side]);
        sides.find_map(|stretch| stretch.fate(number))
    }

    fn set(&mut self, side: usize, number: u32, fate: Fate) {
        for sides in &mut self.stretches {
            sides[side].set(number, fate);
        }
    }

    /// Marks what stayed, by the report's alignment.
    fn keep(&mut self, runs: &[&KeptRun], has_blocks: bool) {
        if runs.is_empty() && !has_blocks {
            return; // The patch's own alignment holds.
        }
        for sides in &mut self.stretches {
            for stretch in sides.iter_mut() {
                stretch.fates.fill(Fate::Alone);
            }
            for run in runs {
                for (stretch, first) in sides.iter_mut().zip([run.1, run.3]) {
                    let here = stretch.first..stretch.first + stretch.lines.len() as u32;
                    let end = (first + run.4).min(here.end);
                    for line in first.max(here.start)..end {
                        stretch.set(line, Fate::Kept);
                    }
                }
            }
        }
    }

    /// Shows what the report shows and nothing else: white space that it leaves out
    /// did not happen, and white space that it was asked to show did.
    fn hold_to(&mut self, shown: &ShownLines) {
        for side in SIDES {
            let Some(path) = self.paths[side as usize] else {
                continue;
            };
            let numbers: HashSet<u32> = shown.numbers(side, path).collect();
            for stretch in self
                .stretches
                .iter_mut()
                .map(|sides| &mut sides[side as usize])
            {
                for (fate, number) in stretch.fates.iter_mut().zip(stretch.first..) {
                    let is_shown = || numbers.contains(&number);
                    *fate = match *fate {
                        Fate::Alone if !is_shown() => Fate::LeftOut,
                        Fate::Moved(block, State::Alone) if !is_shown() => {
                            Fate::Moved(block, State::Same)
                        }
                        Fate::Moved(block, State::Same) if is_shown() => {
                            Fate::Moved(block, State::Edited)
                        }
                        fate => fate,
                    };
                }
            }
        }
    }
}

/// A whole file, if each of its sides is known or does not exist.
fn whole<'t>(file: &FilePatch<'t>, contents: FileContents<'t>) -> Option<[SideFates<'t>; 2]> {
    let known = |bytes: Option<&'t [u8]>, exists: bool| match bytes {
        Some(bytes) => Lines::new(bytes).ok().map(|lines| lines.iter().collect()),
        None => (!exists).then(Vec::new),
    };
    let old = known(contents.old, file.old_path.is_some())?;
    let new = known(contents.new, file.new_path.is_some())?;
    let mut sides = [old, new].map(|lines| SideFates::new(1, lines, Fate::Kept));
    for hunk in file.hunks() {
        let [mut old, mut new] = hunk.first_lines();
        for line in &hunk.lines {
            match line.kind {
                LineKind::Context => [old, new] = [old, new].map(|at| at.saturating_add(1)),
                LineKind::Removed => {
                    sides[0].set(old, Fate::Alone);
                    old = old.saturating_add(1);
                }
                LineKind::Added => {
                    sides[1].set(new, Fate::Alone);
                    new = new.saturating_add(1);
                }
            }
        }
    }
    Some(sides)
}

/// A hunk by itself.
fn piece<'t>(hunk: &Hunk<'t>) -> [SideFates<'t>; 2] {
    let [old, new] = hunk.first_lines();
    let side = |first: u32, own: LineKind| {
        let lines = hunk.lines.iter();
        let here = lines.filter(|line| [LineKind::Context, own].contains(&line.kind));
        let fates = here.clone().map(|line| match line.kind {
            LineKind::Context => Fate::Kept,
            _ => Fate::Alone,
        });
        SideFates {
            first,
            fates: fates.collect(),
            lines: here.map(|line| line.text).collect(),
        }
    };
    [side(old, LineKind::Removed), side(new, LineKind::Added)]
}

/// Decides the lines of a block in the files of its ends.
fn place(files: &mut [FileFates<'_>], index: usize, block: &MoveDetail) {
    let paths = [&block.source_file.0[..], &block.target_file.0[..]];
    let ends = SIDES.map(|side| {
        let at = side as usize;
        let file = files.iter().position(|f| f.paths[at] == Some(paths[at]));
        file.filter(|_| block.owns(side))
    });
    // What lies between the lines of a block that stayed is not part of it.
    if block.kind != MoveKind::Indent {
        let ranges = [block.source_lines, block.target_lines];
        for (side, [first, last]) in ranges.into_iter().enumerate() {
            let Some(file) = ends[side].map(|at| &mut files[at]) else {
                continue;
            };
            for line in first..=last {
                // Lines that stayed within the block's reach did not move with it.
                if file.fate(side, line) == Some(Fate::Alone) {
                    file.set(side, line, Fate::Moved(index, State::Alone));
                }
            }
        }
    }
    for (old, new, state) in block.line_pairs() {
        let fate = match block.kind {
            MoveKind::Indent => Fate::Indented(index),
            _ => Fate::Moved(index, state),
        };
        for (side, line) in [old, new].into_iter().enumerate() {
            if let Some(file) = ends[side] {
                files[file].set(side, line, fate);
            }
        }
    }
}
