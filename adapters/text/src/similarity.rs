//! Similarity of two lines.

use mvdiff_lines::{common_ends, is_word, letters_in_common};
use rapidfuzz::distance::levenshtein;

/// Less similar lines are never the same line, so their similarity is not
/// measured.
const LEAST: f32 = 0.55;
/// From this similarity on, renamed words make no difference.
const WORTH_A_LOOK: f32 = 0.9;
/// Most distinct words renamed in one line; with more it is a different line.
const MOST_RENAMED: usize = 3;
/// The similarity of longer lines is their edit distance alone.
const LONGEST_RENAMED: usize = 200;
/// Largest product of lengths for which the plain table beats the bit-parallel
/// one.
const SHORT_AREA: usize = 128;
/// Largest product of lengths for which the edit distance is computed.
const DISTANCE_AREA: usize = 1 << 16;

/// 1 - edit distance / longer length, in bytes, or the similarity after renaming
/// words, if that is higher; 0 below [`LEAST`].
pub(crate) fn similarity(old: &[u8], new: &[u8]) -> f32 {
    let alike = by_distance(old, new);
    if alike >= WORTH_A_LOOK || old.len().max(new.len()) > LONGEST_RENAMED {
        return alike;
    }
    let alike = alike.max(by_words(old, new));
    if alike < LEAST { 0.0 } else { alike }
}

/// Whether two lines between the same neighbours are the same line, edited:
/// similar, or with different words in the same places.
pub(crate) fn is_same_line(old: &[u8], new: &[u8]) -> bool {
    let (old, new) = (old.trim_ascii(), new.trim_ascii());
    similarity(old, new) > 0.0 || by_words(old, new) > 0.0
}

/// 1 - edit distance / longer length; 0 below [`LEAST`].
fn by_distance(old: &[u8], new: &[u8]) -> f32 {
    let longer = old.len().max(new.len());
    if longer == 0 {
        return 1.0;
    }
    if old.len().min(new.len()) * 2 < longer {
        return 0.0;
    }
    let (prefix, suffix) = common_ends(old, new);
    let (old, new) = (
        &old[prefix..old.len() - suffix],
        &new[prefix..new.len() - suffix],
    );
    let common = letters_in_common(old, new);
    let edged = prefix + suffix;
    let bound = (edged + common) as f32 / longer as f32;
    if bound < LEAST {
        return 0.0;
    }
    if old.len() * new.len() > DISTANCE_AREA {
        // Too long to measure: use the upper bound, discounted.
        return bound * 0.9;
    }
    let distance = if old.len() * new.len() <= SHORT_AREA {
        strsim::generic_levenshtein(&Bytes(old), &Bytes(new))
    } else {
        let worst = (longer as f32 * (1.0 - LEAST)) as usize;
        let bounded = levenshtein::Args::default().score_cutoff(worst);
        let (old, new) = (old.iter().copied(), new.iter().copied());
        let Some(distance) = levenshtein::distance_with_args(old, new, &bounded) else {
            return 0.0;
        };
        distance
    };
    let similarity = 1.0 - distance as f32 / longer as f32;
    if similarity < LEAST { 0.0 } else { similarity }
}

/// Similarity of two lines that differ only in renamed words. Each word must
/// always map to the same new word, and counts once, with the length of the
/// shorter of the two. 0 if the lines differ otherwise.
fn by_words(old: &[u8], new: &[u8]) -> f32 {
    let is_word = |byte: &u8| is_word(*byte);
    let mut renamed: Vec<(&[u8], &[u8])> = Vec::new();
    let (mut a, mut b) = (old, new);
    while !a.is_empty() || !b.is_empty() {
        let words = [a, b].map(|text| text.iter().take_while(|b| is_word(b)).count());
        let pair = (&a[..words[0]], &b[..words[1]]);
        (a, b) = (&a[words[0]..], &b[words[1]..]);
        if pair.0.is_empty() != pair.1.is_empty() {
            return 0.0;
        }
        let known = renamed
            .iter()
            .find(|known| known.0 == pair.0 || known.1 == pair.1);
        match known {
            Some(known) if *known != pair => return 0.0,
            None if pair.0 != pair.1 => renamed.push(pair),
            _ => {}
        }
        let gaps = [a, b].map(|text| text.iter().take_while(|b| !is_word(b)).count());
        if renamed.len() > MOST_RENAMED || a[..gaps[0]] != b[..gaps[1]] {
            return 0.0;
        }
        (a, b) = (&a[gaps[0]..], &b[gaps[1]..]);
    }
    let lost: usize = renamed.iter().map(|(a, b)| a.len().min(b.len())).sum();
    1.0 - lost as f32 / old.len().min(new.len()).max(1) as f32
}

/// Adapts a slice to strsim, which needs a sized type whose reference iterates.
struct Bytes<'b>(&'b [u8]);

impl<'i> IntoIterator for &'i Bytes<'_> {
    type Item = &'i u8;
    type IntoIter = std::slice::Iter<'i, u8>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_word_leaves_most_of_a_line() {
        let similarity = similarity(
            b"total = sum(order.items)",
            b"total = sum(order.line_items)",
        );
        assert!((0.8..1.0).contains(&similarity), "{similarity}");
    }

    #[test]
    fn the_same_rename_counts_once() {
        let once = similarity(b"options = options || {}", b"settings = settings || {}");
        let twice = similarity(b"options = options || {}", b"settings = choices || {}");
        assert!(once > 0.65 && twice < once - 0.1, "{once} {twice}");
        let longer = similarity(b"this.slurp(data);", b"this.slurp(data_renamed);");
        assert!(longer > 0.75, "{longer}");
    }

    #[test]
    fn different_lines_are_not_alike() {
        assert!(similarity(b"return None", b"import os, sys") < 0.5);
        assert!(similarity(b"", b"x") < 0.5);
    }

    #[test]
    fn it_is_symmetric_and_whole_for_equals() {
        let (a, b) = (&b"let x = foo(1);"[..], &b"let xy = fo(12);"[..]);
        assert!((similarity(a, b) - similarity(b, a)).abs() < 1e-6);
        assert!((similarity(a, a) - 1.0).abs() < 1e-6);
        let long = vec![b'a'; 1 << 20];
        assert!(similarity(&long, &long[1..]) > 0.9);
    }
}
