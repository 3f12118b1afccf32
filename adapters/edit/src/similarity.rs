//! How alike texts are, as Roo Code measures it: one minus the
//! edit distance by the longer length, in UTF-16, white space and typography
//! made plain.

use crate::fold;
use crate::text::Lines;
use rapidfuzz::distance::levenshtein;
use std::ops::Range;

/// A text that many others are held against.
pub(crate) struct Measure {
    units: Vec<u16>,
    comparator: levenshtein::BatchComparator<u16>,
    /// How often each unit occurs, by its low byte.
    counts: [u32; 256],
}

impl Measure {
    pub(crate) fn new(text: &[u8]) -> Self {
        let units = fold::units(text);
        let mut counts = [0; 256];
        for unit in &units {
            counts[bucket(*unit)] += 1;
        }
        Self {
            comparator: levenshtein::BatchComparator::new(units.iter().copied()),
            units,
            counts,
        }
    }

    pub(crate) fn of_lines(lines: &[Vec<u8>]) -> Self {
        Self::new(&lines.join(&b'\n'))
    }

    /// The similarity to other units; nothing if it is not more than `least`.
    fn above(&self, other: &[u16], least: f64) -> Option<f64> {
        let longer = self.units.len().max(other.len());
        if self.units.is_empty() {
            return None;
        }
        if self.units == other {
            return Some(1.0).filter(|one| *one > least);
        }
        let most = ((1.0 - least) * longer as f64).ceil().max(0.0) as usize;
        let bounded = levenshtein::Args::default().score_cutoff(most.min(longer));
        let distance = self
            .comparator
            .distance_with_args(other.iter().copied(), &bounded)?;
        let similarity = 1.0 - distance as f64 / longer as f64;
        (similarity > least).then_some(similarity)
    }

    /// The similarity to a text, 0 to 1.
    pub(crate) fn of(&self, text: &[u8]) -> f64 {
        self.above(&fold::units(text), 0.0).unwrap_or(0.0)
    }

    /// Whether there is nothing but white space to compare with.
    pub(crate) fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// Whether comparing with a text as long takes too long.
    pub(crate) fn is_long(&self) -> bool {
        const LONG: usize = 1 << 13;
        self.units.len() > LONG
    }

    /// What comparing with so many units costs, in steps of the bit-parallel
    /// distance.
    fn cost(&self, units: usize) -> usize {
        units * self.units.len().div_ceil(64).max(1)
    }
}

fn bucket(unit: u16) -> usize {
    usize::from(unit & 0xff)
}

/// All lines of a text as units, so that every window is a slice.
pub(crate) struct Windows {
    units: Vec<u16>,
    /// Where each line starts, and behind the last where it all ends. A line
    /// that says something ends with a space.
    starts: Vec<usize>,
}

impl Windows {
    pub(crate) fn new<'l>(lines: impl Iterator<Item = &'l [u8]>) -> Self {
        let mut units = Vec::new();
        let mut starts = vec![0];
        for line in lines {
            let before = units.len();
            fold::push_units(line, &mut units);
            if units.len() > before {
                units.push(u16::from(b' '));
            }
            starts.push(units.len());
        }
        Self { units, starts }
    }

    /// The windows of a text, its last line counted as Roo Code
    /// does: behind a final newline there is an empty one.
    pub(crate) fn of_text(lines: &Lines<'_>) -> Self {
        let last = (!lines.is_open()).then_some(&b""[..]);
        Self::new(lines.range(0..lines.len()).chain(last))
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether a window is nothing but white space.
    pub(crate) fn is_blank(&self, lines: Range<usize>) -> bool {
        self.get(lines).is_empty()
    }

    /// A window, as far as there are lines.
    fn get(&self, lines: Range<usize>) -> &[u16] {
        let last = self.len();
        let (start, end) = (lines.start.min(last), lines.end.min(last));
        let window = &self.units[self.starts[start]..self.starts[end]];
        window.strip_suffix(&[0x20]).unwrap_or(window)
    }

    /// The similarity of a window, if it is more than `least`.
    pub(crate) fn above(&self, measure: &Measure, lines: Range<usize>, least: f64) -> Option<f64> {
        measure.above(self.get(lines), least)
    }

    /// For every start of a window of `height` lines the similarity that it cannot
    /// exceed, by the letters that it shares; and what measuring it would cost.
    pub(crate) fn bounds(&self, measure: &Measure, height: usize) -> Vec<(f64, usize)> {
        let mut here = [0u32; 256];
        let mut common = 0usize;
        let (mut from, mut to) = (0, 0);
        let mut bounds = Vec::with_capacity(self.len());
        for start in 0..self.len() {
            let end = (start + height).min(self.len());
            for unit in &self.units[to.max(from)..self.starts[end]] {
                let at = bucket(*unit);
                common += usize::from(here[at] < measure.counts[at]);
                here[at] += 1;
            }
            to = self.starts[end];
            for unit in &self.units[from..self.starts[start]] {
                let at = bucket(*unit);
                here[at] -= 1;
                common -= usize::from(here[at] < measure.counts[at]);
            }
            from = self.starts[start];
            let len = self.get(start..end).len();
            let longer = len.max(measure.units.len()).max(1);
            bounds.push(((common as f64 / longer as f64).min(1.0), measure.cost(len)));
        }
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_is_that_of_roo_code() {
        let percent =
            |a: &str, b: &str| (Measure::new(a.as_bytes()).of(b.as_bytes()) * 100.0) as u32;
        assert_eq!(percent("soap", "soup"), 75);
        assert_eq!(percent("b", "a\rb\rc"), 19);
        assert_eq!(percent("ok \u{1f601} done", "ok \u{1f600} done"), 90);
        assert_eq!(percent("a  b", "a b"), 100);
        assert_eq!(percent("", "a"), 0);
        assert_eq!(percent("a", ""), 0);
    }

    #[test]
    fn bounds_are_never_below_the_similarity() {
        let text = b"one two\nthree\n\nfour five six\nseven\none\ntwo two\n";
        let lines = Lines::new(text);
        let windows = Windows::of_text(&lines);
        let measure = Measure::new(b"three four\nfive two");
        for (start, (bound, _)) in windows.bounds(&measure, 2).into_iter().enumerate() {
            let similarity = windows
                .above(&measure, start..start + 2, 0.0)
                .unwrap_or(0.0);
            assert!(bound + 1e-9 >= similarity, "{start}: {bound} {similarity}");
        }
    }
}
