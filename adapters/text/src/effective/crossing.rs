//! Lines that a block passed.

use super::blocks::LineBlock;
use super::windows::Windows;
use crate::line;
use mvdiff_core::{Role, Script};

/// A line that passes less than this was only reindented.
const LEAST: f32 = 0.2;

/// All kept lines, as runs of old, new and length. Windows are in the same order
/// on both sides, so the runs increase on both.
pub(super) struct Crossing {
    kept: Vec<(u32, u32, u32)>,
}

impl Crossing {
    pub fn new(script: &Script) -> Self {
        let kept = script.runs().iter().filter(|run| run.role == Role::Kept);
        Self {
            kept: kept.map(|run| (run.old, run.new, run.len)).collect(),
        }
    }

    /// Whether a block passed anything informative. A line that left its loop
    /// across a blank line did not move, and its indentation is a change.
    pub fn tells(&self, windows: &Windows<'_>, block: &LineBlock) -> bool {
        let source = windows.window_of(0, block.old.start);
        let target = windows.window_of(1, block.new.start);
        if !std::ptr::eq(source, target) {
            return true;
        }
        let by_old = self.kept.partition_point(|run| run.0 < block.old.start);
        let by_new = self.kept.partition_point(|run| run.1 < block.new.start);
        let passed = &self.kept[by_old.min(by_new)..by_old.max(by_new)];
        let lines = passed.iter().flat_map(|run| run.0..run.0 + run.2);
        let mut weight = 0.0;
        for old in lines {
            weight += line::weight(windows.lines[0][old as usize]);
            if weight >= LEAST {
                return true;
            }
        }
        false
    }
}
