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

    /// Number of letters and digits: 20 make an ordinary line, and no line counts
    /// more than two. By characters, unlike `mvdiff_lines::weight`: a score keeps its value
    /// as long as its signature stays the same.
    fn weight(&self, side: Side, index: u32) -> f32 {
        let informative = self
            .line(side, index)
            .chars()
            .filter(|c| c.is_alphanumeric());
        informative.take(40).count() as f32 / 20.0
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
        let words = self
            .line(side, index)
            .split(|c: char| !c.is_alphanumeric() && c != '_');
        let informative = words.filter(|word| word.len() > 2).take(24);
        out.extend(informative.map(|word| xxh3_64(word.as_bytes())));
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
