//! Finds the exact or approximate occurrences of a pattern in a text.

use crate::align::{Block, gap};
use crate::work::{NEW, OLD, SIDES, Work};
use crate::{Error, Options, Problem, Side};
use std::ops::Range;

/// A place in the text that matches the pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// The elements of the text.
    pub new: Range<u32>,
    /// Pairs (pattern element, text element), increasing on both sides.
    pub pairs: Vec<(u32, u32)>,
    /// The share of pattern and place that survives in the other, 0 to 1; 1 only
    /// when they are equal.
    pub similarity: f32,
}

/// Occurrences of one element that may each propose a site.
const OCCURRENCES: u32 = 256;
/// The share of the best place's votes that another place needs to be considered.
const LEAST_VOTES: f32 = 0.25;
/// Minimum number of pattern elements whose features are examined.
const SAMPLED: u32 = 10;
/// Largest area (pattern elements x text elements) in which every pair is measured;
/// measuring one may cost as much as reading hundreds.
const AREA: u64 = 1 << 17;
/// A place this similar makes coarser tiers unnecessary.
const GOOD: f32 = 0.9;

/// Finds where the old side, a pattern, occurs in the new side, a text. Returns
/// at most `count` places, best first, ties in text order. Repeats are all
/// listed, so that the caller can see that a match is ambiguous.
///
/// Elements that are rare in the text propose places: exactly, then at the
/// coarsest level, then by features. An alignment in which either side may have
/// additional elements then rates each place. Places below
/// [`Options::edit_similarity`] are omitted.
///
/// ```
/// use mvdiff_core::{Options, Slices, locate};
///
/// let problem = Slices::new(&["b", "c"], &["a", "b", "c", "d", "b", "c"])?;
/// let sites = locate(&problem, &Options::default(), 10)?;
/// assert_eq!(sites.len(), 2);
/// assert_eq!((sites[0].new.clone(), sites[1].new.clone()), (1..3, 4..6));
/// # Ok::<(), mvdiff_core::Error>(())
/// ```
///
/// # Errors
/// As [`diff`](crate::diff).
pub fn locate<P: Problem + ?Sized>(
    problem: &P,
    options: &Options,
    count: usize,
) -> Result<Vec<Site>, Error> {
    let work = Work::new(problem, options)?;
    let mut sites: Vec<Site> = Vec::new();
    if work.tokens[OLD].is_empty() || count == 0 {
        return Ok(sites);
    }
    for tier in [Tier::Exact, Tier::Coarse, Tier::Features] {
        for start in proposals(&work, tier, count) {
            if let Some(site) = fit(&work, start)
                && !sites.iter().any(|known| known.new == site.new)
            {
                sites.push(site);
            }
        }
        // A coarser tier can only add worse places.
        if sites.iter().any(|site| site.similarity >= GOOD) {
            break;
        }
    }
    sites.sort_by(|a, b| {
        b.similarity
            .total_cmp(&a.similarity)
            .then(a.new.start.cmp(&b.new.start))
    });
    sites.truncate(count);
    Ok(sites)
}

#[derive(Clone, Copy, PartialEq)]
enum Tier {
    Exact,
    Coarse,
    Features,
}

/// Keys of an element at a tier.
fn keys<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    tier: Tier,
    side: usize,
    index: u32,
    out: &mut Vec<u64>,
) {
    out.clear();
    match tier {
        Tier::Exact => out.push(u64::from(work.tokens[side][index as usize].0)),
        Tier::Coarse => match work.problem.coarser_levels() {
            0 => {}
            level => out.push(work.problem.key(level, SIDES[side], index)),
        },
        Tier::Features => {
            work.problem.features(SIDES[side], index, out);
            // A text element may vote twice for a feature it has twice.
            if side == OLD {
                out.sort_unstable();
                out.dedup();
            }
        }
    }
}

/// Keys of the pattern, indexed for a lookup per text element.
struct Wanted {
    /// Keys and their elements, sorted by key.
    keys: Vec<(u64, u32)>,
    /// Start of a key's entries + 1, hashed by some bits of the key; 0 means
    /// free.
    slots: Vec<u32>,
}

impl Wanted {
    fn new(mut keys: Vec<(u64, u32)>) -> Self {
        keys.sort_unstable();
        let mut slots = vec![0; (keys.len() * 8).next_power_of_two().max(64)];
        let mut at = 0;
        for same in keys.chunk_by(|a, b| a.0 == b.0) {
            let mut slot = Self::slot(same[0].0, slots.len());
            while slots[slot] != 0 {
                slot = (slot + 1) % slots.len();
            }
            slots[slot] = at as u32 + 1;
            at += same.len();
        }
        Self { keys, slots }
    }

    #[inline]
    fn slot(key: u64, slots: usize) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (slots - 1)
    }

    /// The first pattern element with a key, as an index into `keys`.
    #[inline]
    fn find(&self, key: u64) -> Option<usize> {
        let mut slot = Self::slot(key, self.slots.len());
        loop {
            let at = (self.slots[slot] as usize).checked_sub(1)?;
            if self.keys[at].0 == key {
                return Some(at);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }
}

/// Proposed starts of the pattern in the text (possibly before it), by the votes
/// of shared elements; most votes first, `count` and a few more.
fn proposals<P: Problem + ?Sized>(work: &Work<'_, P>, tier: Tier, count: usize) -> Vec<i64> {
    let pattern = work.tokens[OLD].len() as u32;
    let mut buffer = Vec::new();
    let mut wanted = Vec::new();
    for p in (0..pattern).filter(|&p| work.weight(OLD, p) > 0.0) {
        keys(work, tier, OLD, p, &mut buffer);
        wanted.extend(buffer.iter().map(|key| (*key, p)));
    }
    if wanted.is_empty() {
        return Vec::new();
    }
    let wanted = Wanted::new(wanted);
    // An element has many features: for a long pattern, a sample of the elements
    // is enough.
    let stride = match tier {
        Tier::Features => (pattern / SAMPLED).max(1),
        _ => 1,
    };
    let mut counts = vec![0u32; wanted.keys.len()];
    let mut found = occurrences(work, tier, &wanted, stride, (OCCURRENCES, &mut counts));
    // The rarest elements vote first; common ones only if there are no rare ones.
    let rarest = counts.iter().copied().filter(|count| *count > 0).min();
    let rarest = rarest.unwrap_or(0);
    let mut most = OCCURRENCES;
    if rarest > OCCURRENCES {
        most = work.options.budget.candidates.min(u64::from(rarest)) as u32;
        counts.fill(0);
        found = occurrences(work, tier, &wanted, stride, (most, &mut counts));
    }
    let mut votes: Vec<(i64, f32)> = Vec::new();
    for (at, t) in found {
        if counts[at] > most {
            continue;
        }
        let key = wanted.keys[at].0;
        let same = wanted.keys[at..].iter();
        for &(_, p) in same.take_while(|(known, _)| *known == key) {
            let vote = work.weight(OLD, p) / counts[at] as f32;
            votes.push((i64::from(t) - i64::from(p), vote));
        }
        if votes.len() as u64 > work.options.budget.candidates {
            break;
        }
    }
    // A single shared feature is a coincidence; a shared element is not.
    let least = if tier == Tier::Features && pattern >= SAMPLED {
        2
    } else {
        1
    };
    rank(votes, least, work, count)
}

/// Text elements that have a key of the pattern, at most `most` per key, with the
/// total counts.
fn occurrences<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    tier: Tier,
    wanted: &Wanted,
    stride: u32,
    (most, counts): (u32, &mut [u32]),
) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    let mut buffer = Vec::new();
    for t in (0..work.tokens[NEW].len() as u32).step_by(stride as usize) {
        keys(work, tier, NEW, t, &mut buffer);
        for at in buffer.iter().filter_map(|key| wanted.find(*key)) {
            counts[at] += 1;
            if counts[at] <= most {
                found.push((at, t));
            }
        }
    }
    found
}

/// Diagonals by number of votes, above a minimum; neighbouring diagonals count as
/// one place.
fn rank<P: Problem + ?Sized>(
    mut votes: Vec<(i64, f32)>,
    least: usize,
    work: &Work<'_, P>,
    count: usize,
) -> Vec<i64> {
    votes.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut ranked: Vec<(i64, f32)> = votes
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|same| same.len() >= least)
        .map(|same| (same[0].0, same.iter().map(|(_, vote)| vote).sum()))
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let worth = ranked.first().map_or(0.0, |best| best.1 * LEAST_VOTES);
    let slack = i64::from(work.options.gap).min(work.tokens[OLD].len() as i64 / 4);
    let mut starts: Vec<i64> = Vec::new();
    for (start, _) in ranked.into_iter().take_while(|(_, votes)| *votes >= worth) {
        // Neighbouring diagonals are one place with an insertion.
        if !starts.iter().any(|s| (s - start).abs() <= slack) {
            starts.push(start);
        }
        if starts.len() >= count.saturating_mul(2).saturating_add(8) {
            break;
        }
    }
    starts
}

/// Aligns the pattern with the text around a proposed start.
fn fit<P: Problem + ?Sized>(work: &Work<'_, P>, start: i64) -> Option<Site> {
    let pattern = work.tokens[OLD].len();
    let text = work.tokens[NEW].len() as i64;
    let slack = i64::from(work.options.gap) + pattern as i64 / 8;
    let from = (start - slack).clamp(0, text) as u32;
    let to = (start + pattern as i64 + slack).clamp(0, text) as u32;
    let pairs = exact_at(work, start).unwrap_or_else(|| align(work, from..to));
    let (first, last) = (pairs.first()?, pairs.last()?);
    // Extend the place over the unmatched ends of the pattern as far as the text
    // allows, where they were replaced rather than dropped.
    let new = first.1..last.1 + 1;
    let similarity = similarity(work, &pairs, &new);
    (similarity >= work.options.edit_similarity).then_some(Site {
        new,
        pairs,
        similarity,
    })
}

/// The pairs of an exact occurrence at this start.
fn exact_at<P: Problem + ?Sized>(work: &Work<'_, P>, start: i64) -> Option<Vec<(u32, u32)>> {
    let at = usize::try_from(start).ok()?;
    let pattern = work.tokens[OLD];
    let here = work.tokens[NEW].get(at..at + pattern.len())?;
    (here == pattern).then(|| {
        (0..pattern.len() as u32)
            .map(|p| (p, p + at as u32))
            .collect()
    })
}

/// The increasing pairs of the highest surviving weight within a window of the
/// text; ties prefer nearby pairs. If that is too expensive, pairs equal
/// elements, and similar neighbours between them.
fn align<P: Problem + ?Sized>(work: &Work<'_, P>, window: Range<u32>) -> Vec<(u32, u32)> {
    let (rows, cols) = (work.tokens[OLD].len(), window.len());
    if rows as u64 * cols as u64 > work.options.budget.gap_area.min(AREA) {
        return coarse_align(work, window);
    }
    let mut above = vec![0.0f32; cols + 1];
    let mut current = above.clone();
    let mut choice = vec![0u8; rows * cols];
    for row in 0..rows {
        for col in 0..cols {
            let (p, t) = (row as u32, window.start + col as u32);
            let similarity = work.similarity(p, t);
            let gain = if similarity >= work.options.edit_similarity {
                similarity * work.weight(OLD, p).max(0.01) + 0.001
            } else {
                0.0
            };
            let (skip_pattern, skip_text) = (above[col + 1], current[col]);
            let with = above[col] + gain;
            (current[col + 1], choice[row * cols + col]) =
                if gain > 0.0 && with > skip_pattern.max(skip_text) {
                    (with, 1)
                } else if skip_pattern >= skip_text {
                    (skip_pattern, 2)
                } else {
                    (skip_text, 3)
                };
        }
        std::mem::swap(&mut above, &mut current);
    }
    let (mut row, mut col) = (rows, cols);
    let mut pairs = Vec::new();
    while row > 0 && col > 0 {
        match choice[(row - 1) * cols + col - 1] {
            1 => {
                pairs.push((row as u32 - 1, window.start + col as u32 - 1));
                (row, col) = (row - 1, col - 1);
            }
            2 => row -= 1,
            _ => col -= 1,
        }
    }
    pairs.reverse();
    pairs
}

/// Pairs equal elements, and similar ones at the same position between them.
fn coarse_align<P: Problem + ?Sized>(work: &Work<'_, P>, window: Range<u32>) -> Vec<(u32, u32)> {
    let text = &work.tokens[NEW][window.start as usize..window.end as usize];
    let mut equal = Vec::new();
    gap::diff(
        work.tokens[OLD],
        text,
        work.options.budget.gap_area,
        &mut equal,
    );
    let mut pairs = Vec::new();
    let (mut p, mut t) = (0, window.start);
    let ends = Block {
        old: work.tokens[OLD].len() as u32,
        new: window.len() as u32,
        len: 0,
    };
    for block in equal.into_iter().chain([ends]) {
        let between = (p..block.old).zip(t..window.start + block.new);
        pairs.extend(
            between.filter(|&(p, t)| work.similarity(p, t) >= work.options.edit_similarity),
        );
        (p, t) = (block.old, window.start + block.new);
        pairs.extend((0..block.len).map(|i| (p + i, t + i)));
        (p, t) = (p + block.len, t + block.len);
    }
    pairs
}

/// The surviving share of the weight of pattern and place.
fn similarity<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    pairs: &[(u32, u32)],
    new: &Range<u32>,
) -> f32 {
    let weight = |side: usize, index: u32| work.weight(side, index).max(0.01);
    let survived: f32 = pairs
        .iter()
        .map(|&(p, t)| (weight(OLD, p) + weight(NEW, t)) * work.similarity(p, t))
        .sum();
    let pattern = 0..work.problem.tokens(Side::Old).len() as u32;
    let whole: f32 = pattern.map(|p| weight(OLD, p)).sum::<f32>()
        + new.clone().map(|t| weight(NEW, t)).sum::<f32>();
    (survived / whole).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Slices;

    fn sites(pattern: &str, text: &str) -> Vec<(Range<u32>, f32)> {
        let letters = |s: &str| s.chars().collect::<Vec<_>>();
        let problem = Slices::new(&letters(pattern), &letters(text)).unwrap();
        let found = locate(&problem, &Options::default(), 8).unwrap();
        found
            .into_iter()
            .map(|site| (site.new, site.similarity))
            .collect()
    }

    #[test]
    fn an_exact_place_is_wholly_alike() {
        assert_eq!(sites("cde", "abcdefg"), [(2..5, 1.0)]);
    }

    #[test]
    fn every_repeat_is_listed_in_order() {
        assert_eq!(
            sites("ab", "abxabyab"),
            [(0..2, 1.0), (3..5, 1.0), (6..8, 1.0)]
        );
    }

    #[test]
    fn a_place_with_more_and_with_less_is_found() {
        let found = sites("abcdef", "xxabcQdefxx");
        assert_eq!(found[0].0, 2..9);
        assert!(found[0].1 > 0.9 && found[0].1 < 1.0);
        let found = sites("abcdef", "xxabdefxx");
        assert_eq!(found[0].0, 2..7);
    }

    #[test]
    fn a_long_pattern_with_changes_in_it_is_found() {
        let text: Vec<u32> = (0..20_000).collect();
        let mut pattern = text[7000..10_000].to_vec();
        pattern.splice(1000..1003, [90_001, 90_002]);
        pattern[2000] = 90_003;
        let problem = Slices::new(&pattern, &text).unwrap();
        let found = locate(&problem, &Options::default(), 2).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].new, 7000..10_000);
        assert!((0.99..1.0).contains(&found[0].similarity));
        assert!(found[0].pairs.is_sorted());
    }

    #[test]
    fn common_elements_speak_where_there_are_no_others() {
        let text = "ab".repeat(400);
        assert_eq!(sites("ab", &text).len(), 8);
        assert_eq!(sites("ab", &text)[0], (0..2, 1.0));
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        assert!(sites("abc", "xyz").is_empty());
        assert!(sites("", "xyz").is_empty());
        assert!(sites("abc", "").is_empty());
    }
}
