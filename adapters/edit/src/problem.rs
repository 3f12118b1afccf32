//! Lines stated as a problem for the core.

use crate::fold::{self, Sum, Typography};
use crate::text::Lines;
use mvdiff_core::{Problem, Side as CoreSide, Token};
pub(crate) use mvdiff_lines::is_informative;
use mvdiff_lines::{common_ends, letters_in_common};
use rapidfuzz::distance::levenshtein;
use std::ops::Range;

/// Lines of one side.
#[derive(Clone)]
pub(crate) enum Side<'l> {
    /// Of a block.
    Block(&'l [Vec<u8>]),
    /// Of a text.
    Text(&'l Lines<'l>, Range<usize>),
}

impl<'l> Side<'l> {
    fn len(&self) -> usize {
        match self {
            Self::Block(lines) => lines.len(),
            Self::Text(_, range) => range.len(),
        }
    }

    #[inline]
    fn get(&self, index: usize) -> &'l [u8] {
        match self {
            Self::Block(lines) => &lines[index],
            Self::Text(lines, range) => lines.get(range.start + index),
        }
    }
}

/// Two sides of lines.
pub(crate) struct LineProblem<'l> {
    sides: [Side<'l>; 2],
    tokens: [Vec<Token>; 2],
}

/// Lines that are less alike are different lines.
pub(crate) const SAME_LINE: f32 = 0.55;

impl<'l> LineProblem<'l> {
    /// Lines are the same if their bytes are.
    pub(crate) fn of_bytes(old: &'l [Vec<u8>], new: &'l [Vec<u8>]) -> Self {
        let key = |line: &Vec<u8>| xxhash_rust::xxh3::xxh3_64(line);
        let sides = [Side::Block(old), Side::Block(new)];
        let keys = [
            old.iter().map(key).collect::<Vec<_>>(),
            new.iter().map(key).collect(),
        ];
        Self::new(sides, |side, index| keys[side][index], |a, b| a == b)
    }

    /// Lines are the same if they say the same, but for white space and
    /// typography; a sum for each line says what it says.
    pub(crate) fn of_words(old: (Side<'l>, &[Sum]), new: (Side<'l>, &[Sum])) -> Self {
        let sums = [old.1, new.1];
        Self::new(
            [old.0, new.0],
            |side, index| sums[side][index].key(),
            |a, b| a == b || fold::same_words([a].into_iter(), [b].into_iter(), Typography::Folded),
        )
    }

    /// Only what occurs on the old side gets a number of its own there; other
    /// new lines only differ from it.
    fn new(
        sides: [Side<'l>; 2],
        key: impl Fn(usize, usize) -> u64,
        same: impl Fn(&[u8], &[u8]) -> bool,
    ) -> Self {
        let lens = sides.clone().map(|side| side.len());
        let mut known: Vec<(u64, u32)> = (0..lens[0]).map(|i| (key(0, i), i as u32)).collect();
        known.sort_unstable();
        let mut filter = [0u64; 1 << 8];
        let bit = |key: u64| ((key >> 50) as usize >> 6, 1u64 << ((key >> 50) & 63));
        for (key, _) in &known {
            filter[bit(*key).0] |= bit(*key).1;
        }
        let find = |side: usize, index: usize| {
            let key = key(side, index);
            if filter[bit(key).0] & bit(key).1 == 0 {
                return None;
            }
            let line = sides[side].get(index);
            let first = known.partition_point(|(other, _)| *other < key);
            let equal = known[first..].iter().take_while(|(other, _)| *other == key);
            let mut equal = equal.map(|(_, index)| *index);
            equal.find(|index| same(sides[0].get(*index as usize), line))
        };
        let tokens = [0, 1].map(|side| {
            let first = if side == 0 { 0 } else { lens[0] };
            let token = |index| Token(find(side, index).unwrap_or((first + index) as u32));
            (0..lens[side]).map(token).collect()
        });
        Self { sides, tokens }
    }

    fn line(&self, side: CoreSide, index: u32) -> &'l [u8] {
        self.sides[side as usize].get(index as usize)
    }
}

impl Problem for LineProblem<'_> {
    fn tokens(&self, side: CoreSide) -> &[Token] {
        &self.tokens[side as usize]
    }

    fn weight(&self, side: CoreSide, index: u32) -> f32 {
        mvdiff_lines::weight(self.line(side, index))
    }

    fn features(&self, side: CoreSide, index: u32, out: &mut Vec<u64>) {
        mvdiff_lines::features(self.line(side, index), out);
    }

    fn similarity(&self, old: u32, new: u32) -> f32 {
        let line = |side, index| self.line(side, index).trim_ascii();
        similarity(line(CoreSide::Old, old), line(CoreSide::New, new))
    }
}

/// One minus the edit distance by the longer length; 0 below [`SAME_LINE`].
pub(crate) fn similarity(old: &[u8], new: &[u8]) -> f32 {
    let longer = old.len().max(new.len());
    if longer == 0 {
        return 1.0;
    }
    if old.len().min(new.len()) * 2 < longer {
        return 0.0;
    }
    let most = (longer as f32 * (1.0 - SAME_LINE)) as usize;
    if longer - letters_in_common(old, new) > most {
        return 0.0;
    }
    distance(old, new, most).map_or(0.0, |distance| 1.0 - distance as f32 / longer as f32)
}

/// Letters up to which two texts are compared in full.
const LONG: usize = 1 << 14;
/// Letters that are compared at a time in longer ones.
const STRIDE: usize = 1 << 12;

/// How many letters must change to make one text of another, if no more than so
/// many. Of long texts, what they begin and end with alike aside, stretches at the
/// same place are compared: that is never less than the distance, and quick.
fn distance(old: &[u8], new: &[u8], most: usize) -> Option<usize> {
    let (head, tail) = common_ends(old, new);
    let (old, new) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let piece = |old: &[u8], new: &[u8], most: usize| {
        let bounded = levenshtein::Args::default().score_cutoff(most);
        levenshtein::distance_with_args(old.iter().copied(), new.iter().copied(), &bounded)
    };
    if old.len().min(new.len()) <= LONG {
        return piece(old, new, most);
    }
    let strides = old.len().max(new.len()).div_ceil(STRIDE);
    let mut left = most;
    for stride in 0..strides {
        let part = |text: &'_ [u8]| {
            let start = (stride * STRIDE).min(text.len());
            start..(start + STRIDE).min(text.len())
        };
        left = left.checked_sub(piece(&old[part(old)], &new[part(new)], left)?)?;
    }
    Some(most - left)
}
