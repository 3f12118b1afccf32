//! Kept lines that are shown nevertheless.
//!
//! A line that was reindented alone, re-spaced, or got a different modifier is a
//! change, and so is one that the patch did not keep because it kept a blank line
//! instead. The report states that both ends are the same line, so that a program
//! need not work it out again.

use super::blocks::LineBlock;
use super::line_fates::{LineFates, NONE};
use super::windows::Windows;
use super::{EffectiveOptions, MoveKind};
use crate::line::{companion, weight};
use mvdiff_core::{Companion, Relation, Role, Script};

impl LineBlock {
    /// Kept lines that are shown and state the same; adjacent ones form one
    /// block.
    pub fn stayed(
        windows: &Windows<'_>,
        script: &Script,
        fates: &LineFates,
        options: &EffectiveOptions,
    ) -> Vec<Self> {
        if options.show_whitespace || !options.engine.moves {
            return Vec::new();
        }
        let runs = script.runs().iter();
        let runs = runs
            .filter(|run| run.role == Role::Kept && matches!(run.relation, Relation::Same { .. }));
        let pairs = runs.flat_map(|run| run.old_range().zip(run.new_range()));
        let shown =
            pairs.filter(|&(old, new)| fates.is_unmatched(0, old) && fates.is_unmatched(1, new));
        let mut found: Vec<Self> = Vec::new();
        for (old, new) in shown {
            let line = windows.lines[0][old as usize];
            let is_code = weight(line) > 0.0 && companion(line) == Companion::Never;
            if !is_code || !fates.crosses_nothing(windows, old, new) {
                continue;
            }
            let goes_on = |block: &&mut Self| {
                let one = windows.number_of(0, block.old.start) == windows.number_of(0, old);
                one && block.old.end == old && block.new.end == new
            };
            let last = found.last_mut().filter(goes_on);
            match last {
                Some(block) => block.take_stayed(old, new),
                None => found.push(Self::of_stayed(old, new)),
            }
        }
        found
    }

    fn of_stayed(old: u32, new: u32) -> Self {
        let mut block = Self {
            kind: MoveKind::Stay,
            parts: Vec::new(),
            old: old..old,
            new: new..new,
            indent: None,
            whitespace: 0,
            pairs: Vec::new(),
            edited: Vec::new(),
            changes: Vec::new(),
            score: 1.0,
            evidence: None,
            twins: Vec::new(),
        };
        block.take_stayed(old, new);
        block
    }

    fn take_stayed(&mut self, old: u32, new: u32) {
        self.old.end = old + 1;
        self.new.end = new + 1;
        self.edited.push((old, new));
        self.changes.push((old..old + 1, new..new + 1));
    }
}

impl LineFates {
    /// Whether two lines lie between the same informative kept lines in the final
    /// alignment, which may differ from the engine's.
    fn crosses_nothing(&self, windows: &Windows<'_>, old: u32, new: u32) -> bool {
        let window = windows.window_of(0, old);
        let before = |side: usize, line: u32| {
            let lines = window.elements[side].start..line;
            lines.rev().find(|&line| {
                self.counterpart[side][line as usize] != NONE
                    && weight(windows.lines[side][line as usize]) > 0.0
            })
        };
        let (old, new) = (before(0, old), before(1, new));
        old.map(|old| self.counterpart[0][old as usize]) == new
    }
}
