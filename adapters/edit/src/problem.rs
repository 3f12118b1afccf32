//! Lines stated as a problem for the core.

use crate::fold::{self, Sum, Typography};
use mvdiff_core::{Problem, Side, Token};
use rapidfuzz::distance::levenshtein;

/// Two sides of lines.
pub(crate) struct LineProblem<'l> {
    sides: [Vec<&'l [u8]>; 2],
    tokens: [Vec<Token>; 2],
}

/// Lines that are less alike are different lines.
pub(crate) const SAME_LINE: f32 = 0.55;

impl<'l> LineProblem<'l> {
    /// Lines are the same if their bytes are.
    pub(crate) fn of_bytes(old: Vec<&'l [u8]>, new: Vec<&'l [u8]>) -> Self {
        let key = |line: &&[u8]| xxhash_rust::xxh3::xxh3_64(line);
        let keys = [old.iter().map(key).collect(), new.iter().map(key).collect()];
        Self::new(old, new, &keys, |a, b| a == b)
    }

    /// Lines are the same if they say the same, but for white space and
    /// typography.
    pub(crate) fn of_words(
        (old, old_sums): (Vec<&'l [u8]>, &[Sum]),
        (new, new_sums): (Vec<&'l [u8]>, &[Sum]),
    ) -> Self {
        let keys = [old_sums, new_sums].map(|sums| sums.iter().map(|sum| sum.key()).collect());
        Self::new(old, new, &keys, |a, b| {
            a == b || fold::same_words([a].into_iter(), [b].into_iter(), Typography::Folded)
        })
    }

    /// Only what occurs on the old side gets a number of its own there; other
    /// new lines are merely different from it.
    fn new(
        old: Vec<&'l [u8]>,
        new: Vec<&'l [u8]>,
        keys: &[Vec<u64>; 2],
        same: impl Fn(&[u8], &[u8]) -> bool,
    ) -> Self {
        let mut known: Vec<(u64, u32)> = keys[0].iter().copied().zip(0..).collect();
        known.sort_unstable();
        let mut filter = [0u64; 1 << 8];
        let bit = |key: u64| ((key >> 50) as usize >> 6, 1u64 << ((key >> 50) & 63));
        for (key, _) in &known {
            filter[bit(*key).0] |= bit(*key).1;
        }
        let find = |key: u64, line: &[u8]| {
            if filter[bit(key).0] & bit(key).1 == 0 {
                return None;
            }
            let first = known.partition_point(|(other, _)| *other < key);
            let equal = known[first..].iter().take_while(|(other, _)| *other == key);
            let mut equal = equal.map(|(_, index)| *index);
            equal.find(|index| same(old[*index as usize], line))
        };
        let old_tokens = old.iter().zip(&keys[0]).zip(0..);
        let old_tokens = old_tokens.map(|((line, key), i)| Token(find(*key, line).unwrap_or(i)));
        let own = old.len() as u32;
        let new_tokens = new.iter().zip(&keys[1]).zip(own..);
        let new_tokens = new_tokens.map(|((line, key), i)| Token(find(*key, line).unwrap_or(i)));
        let tokens = [old_tokens.collect(), new_tokens.collect()];
        Self {
            sides: [old, new],
            tokens,
        }
    }

    fn line(&self, side: Side, index: u32) -> &'l [u8] {
        self.sides[side as usize][index as usize]
    }
}

impl Problem for LineProblem<'_> {
    fn tokens(&self, side: Side) -> &[Token] {
        &self.tokens[side as usize]
    }

    fn weight(&self, side: Side, index: u32) -> f32 {
        let line = self.line(side, index);
        let telling = line.iter().filter(|b| is_telling(**b)).take(40).count();
        telling as f32 / 20.0
    }

    fn features(&self, side: Side, index: u32, out: &mut Vec<u64>) {
        features(self.line(side, index), out);
    }

    fn likeness(&self, old: u32, new: u32) -> f32 {
        let line = |side, index| self.line(side, index).trim_ascii();
        likeness(line(Side::Old, old), line(Side::New, new))
    }
}

/// Whether a byte says something: letters, digits, and whatever is no ASCII.
pub(crate) fn is_telling(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

/// Bytes of words, by value.
const WORD: [bool; 256] = {
    let mut word = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        word[byte] = b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
        byte += 1;
    }
    word
};

/// Hashes of the words of a line, the first of them.
fn features(line: &[u8], out: &mut Vec<u64>) {
    const MOST: usize = 24;
    let most = out.len() + MOST;
    let mut at = 0;
    while at < line.len() {
        if !WORD[usize::from(line[at])] {
            at += 1;
            continue;
        }
        let start = at;
        while at < line.len() && WORD[usize::from(line[at])] {
            at += 1;
        }
        if at - start > 2 {
            out.push(word_hash(&line[start..at]));
            if out.len() == most {
                return;
            }
        }
    }
}

/// Both ends of a word and its length tell most words apart.
fn word_hash(word: &[u8]) -> u64 {
    let eight = |bytes: &[u8]| {
        let mut padded = [0; 8];
        padded[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(padded)
    };
    let head = eight(&word[..word.len().min(8)]);
    let tail = eight(&word[word.len().saturating_sub(8)..]);
    let mixed =
        (head ^ tail.rotate_left(29) ^ word.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 32)
}

/// One minus the edit distance by the longer length; 0 below [`SAME_LINE`].
fn likeness(old: &[u8], new: &[u8]) -> f32 {
    let longer = old.len().max(new.len());
    if longer == 0 {
        return 1.0;
    }
    if old.len().min(new.len()) * 2 < longer {
        return 0.0;
    }
    let most = (longer as f32 * (1.0 - SAME_LINE)) as usize;
    // No script keeps more letters than both have, order aside.
    let mut counts = [0i32; 256];
    old.iter().for_each(|b| counts[usize::from(*b)] += 1);
    let mut common = 0;
    for byte in new {
        let count = &mut counts[usize::from(*byte)];
        common += usize::from(*count > 0);
        *count -= 1;
    }
    if longer - common > most {
        return 0.0;
    }
    let bounded = levenshtein::Args::default().score_cutoff(most);
    let (old, new) = (old.iter().copied(), new.iter().copied());
    levenshtein::distance_with_args(old, new, &bounded)
        .map_or(0.0, |distance| 1.0 - distance as f32 / longer as f32)
}
