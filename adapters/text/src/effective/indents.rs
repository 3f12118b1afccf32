//! Blocks that were reindented in place, or changed at their line ends only.

use super::blocks::LineBlock;
use super::windows::Windows;
use super::{EffectiveOptions, MoveKind};
use crate::shifted::{Shifted, Stayed, Together, shifted};
use mvdiff_core::{Role, Script};

impl LineBlock {
    /// Blocks of kept lines with the same change of white space.
    pub fn indents(
        windows: &Windows<'_>,
        script: &Script,
        options: &EffectiveOptions,
    ) -> Vec<Self> {
        if options.show_whitespace {
            return Vec::new();
        }
        let kept = script.runs().iter().filter(|run| run.role == Role::Kept);
        let lines = kept.flat_map(|run| {
            let place = (windows.number_of(0, run.old), 0, 0);
            run.old_range()
                .zip(run.new_range())
                .map(move |pair| Stayed {
                    pair,
                    old: windows.lines[0][pair.0 as usize],
                    new: windows.lines[1][pair.1 as usize],
                    place,
                })
        });
        shifted(lines, Together::ShiftedOrEnded)
            .into_iter()
            .filter_map(Self::indent)
            .collect()
    }

    fn indent(block: Shifted) -> Option<Self> {
        let (first, last) = (*block.pairs.first()?, *block.pairs.last()?);
        Some(Self {
            kind: MoveKind::Indent,
            parts: Vec::new(),
            old: first.0..last.0 + 1,
            new: first.1..last.1 + 1,
            indent: Some(block.shift),
            whitespace: block.pairs.len() as u32,
            pairs: block.pairs,
            edited: Vec::new(),
            changes: Vec::new(),
            score: 1.0,
            evidence: None,
            twins: Vec::new(),
        })
    }
}
