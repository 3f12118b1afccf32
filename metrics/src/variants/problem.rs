//! Two texts as a problem for the core, to find moves.

use crate::lines::Lines;
use crate::score::ratio;
use mvdiff_core::{Options, Problem, Side, Token};
use xxhash_rust::xxh3::xxh3_64;

/// Old and new lines.
pub(super) struct LineProblem<'l, 't>(pub [&'l Lines<'t>; 2]);

/// Half of a block may be rewritten in a move, if the rest is informative enough;
/// of two blocks that changed places, the edited one moved.
pub(super) fn options() -> Options {
    Options::default().with(|o| {
        o.held = 0.5;
        o.embedded = 1.5;
        o.edited_pull = 0.25;
    })
}

impl<'t> LineProblem<'_, 't> {
    fn line(&self, side: Side, index: u32) -> &'t str {
        self.0[side as usize].text[index as usize]
    }
}

impl Problem for LineProblem<'_, '_> {
    fn tokens(&self, side: Side) -> &[Token] {
        &self.0[side as usize].token
    }

    fn weight(&self, side: Side, index: u32) -> f32 {
        mvdiff_lines::weight(self.line(side, index).as_bytes())
    }

    fn coarser_levels(&self) -> u8 {
        1
    }

    /// Ignores indentation and trailing white space.
    fn key(&self, _level: u8, side: Side, index: u32) -> u64 {
        xxh3_64(self.line(side, index).trim().as_bytes())
    }

    fn same(&self, _level: u8, a: (Side, u32), b: (Side, u32)) -> bool {
        self.line(a.0, a.1).trim() == self.line(b.0, b.1).trim()
    }

    fn features(&self, side: Side, index: u32, out: &mut Vec<u64>) {
        mvdiff_lines::features(self.line(side, index).as_bytes(), out);
    }

    fn similarity(&self, old: u32, new: u32) -> f32 {
        let [old, new] = [self.line(Side::Old, old), self.line(Side::New, new)].map(str::trim);
        // Too different in length to be similar.
        if old.len().min(new.len()) * 3 < old.len().max(new.len()) {
            return 0.0;
        }
        ratio(old, new) as f32
    }
}
