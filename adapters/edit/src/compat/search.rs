//! Looking for lines from the middle outwards.

use crate::similarity::{Measure, Windows};
use std::ops::Range;

/// A place and how alike it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hit {
    /// The first line, counted from zero; below zero it counts from the end.
    pub index: i64,
    pub similarity: f64,
}

/// The lines that are searched.
pub(super) struct Haystack {
    windows: Windows,
}

impl Haystack {
    pub(super) fn new(lines: &[Vec<u8>]) -> Self {
        Self {
            windows: Windows::new(lines.iter().map(Vec::as_slice)),
        }
    }

    /// The similarity of the window at a line.
    pub(super) fn at(&self, search: &[u8], index: i64) -> Hit {
        let height = height(search) as i64;
        let range = slice(self.windows.len(), index, index + height);
        let similarity = similarity(&Measure::new(search), &self.windows, range, 0.0);
        Hit {
            index,
            similarity: similarity.unwrap_or(0.0),
        }
    }

    /// The best window of a range: from its middle outwards, left before right,
    /// and only a better one replaces another.
    pub(super) fn middle_out(&self, search: &[u8], range: Range<i64>) -> Option<Hit> {
        if search.is_empty() {
            return None;
        }
        let height = height(search);
        let measure = Measure::new(search);
        let bounds = self.windows.bounds(&measure, height);
        let middle = (range.start + range.end).div_euclid(2);
        let last = range.end - height as i64;
        let (mut left, mut right) = (middle, middle + 1);
        let mut best: Option<Hit> = None;
        let mut look = |index: i64| {
            let so_far = best.as_ref().map_or(0.0, |hit| hit.similarity);
            let start = index as usize;
            let bound = bounds.get(start).map_or(0.0, |(bound, _)| *bound);
            if !measure.is_empty() && bound < so_far {
                return;
            }
            let end = (start + height).min(self.windows.len());
            let window = start.min(end)..end;
            if let Some(similarity) = similarity(&measure, &self.windows, window, so_far) {
                best = Some(Hit { index, similarity });
            }
        };
        while left >= range.start || right <= last {
            if left >= range.start {
                look(left);
                left -= 1;
            }
            if right <= last {
                look(right);
                right += 1;
            }
        }
        best
    }
}

fn height(search: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', search).count() + 1
}

/// A similarity above `least`. Blank lines that are looked for are blank lines.
fn similarity(
    measure: &Measure,
    windows: &Windows,
    range: Range<usize>,
    least: f64,
) -> Option<f64> {
    if measure.is_empty() {
        return windows
            .is_blank(range)
            .then_some(1.0)
            .filter(|one| *one > least);
    }
    windows.above(measure, range, least)
}

/// A stretch as a negative index counts it: from the end.
pub(super) fn slice(len: usize, start: i64, end: i64) -> Range<usize> {
    let len = len as i64;
    let clamp = |at: i64| {
        let at = if at < 0 { len.saturating_add(at) } else { at };
        at.clamp(0, len) as usize
    };
    let (start, end) = (clamp(start), clamp(end));
    start..end.max(start)
}
