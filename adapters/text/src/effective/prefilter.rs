//! Selects the parts of a very large patch that may contain a move.
//!
//! A move is anchored by lines that were removed and added a few times each; what
//! is far from such a line can be skipped. Lines are counted by hash, without
//! white space at their ends, in a table that does not hold the lines themselves.
//! If two lines have one hash, a part may be examined in vain. It is missed only if
//! both lines are rare and their sum is not.

use crate::patch::{Changeset, FilePatch, Hunk, HunkLine, LineKind};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// Up to this many lines, every hunk is examined. Fewer in tests, so that those of
/// what is skipped are small.
const ALL: usize = if cfg!(test) { 1 << 10 } else { 1 << 16 };
/// Lines that occur more often do not anchor a move; see
/// [`Options::max_repeat`](mvdiff_core::Options::max_repeat). Higher, because lines
/// that differ in white space at their ends are counted together.
const MOST: u8 = 12;
/// Lines of at least this length are informative on their own.
const LONG: usize = 48;
/// Shorter lines are not informative.
const SHORTEST: usize = 4;

/// Lines around an anchor that its block may extend to.
const NEAR: usize = 64;
/// Fewer lines than this are not worth a cut.
const WORTH: usize = 32;

/// Lines that are looked up together: the memory of the table, which fits in no
/// cache, is then fetched for all of them at once.
const TOGETHER: usize = 32;

/// Whether a line was both removed and added, and rarely.
#[derive(Clone, Copy, Default)]
struct Met {
    both: bool,
    rarely: bool,
    is_long: bool,
}

/// How often lines were removed and added.
pub(super) struct Rare {
    /// By the low bits of the hash, or behind where that is taken.
    slots: Vec<Slot>,
}

/// The counts of one line. A table of counts alone would be smaller, but in a patch
/// of millions of lines every long hunk has one that shares a slot with another.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// The high bits of the hash; 0 if free.
    tag: u32,
    /// Removed, added, context.
    counts: [u8; 3],
}

impl Rare {
    /// Counts the lines, if there are enough to be worth it.
    pub fn of(changeset: &Changeset<'_>) -> Option<Self> {
        let hunks = || changeset.files.iter().flat_map(FilePatch::hunks);
        let lines: usize = hunks().map(|hunk| hunk.lines.len()).sum();
        if lines <= ALL {
            return None;
        }
        let mut rare = Self {
            // Some are free at least, so that a search ends.
            slots: vec![Slot::default(); (lines + lines / 8 + 1).next_power_of_two()],
        };
        let mut places = Vec::with_capacity(TOGETHER);
        for few in hunks().flat_map(|hunk| hunk.lines.chunks(TOGETHER)) {
            places.clear();
            for line in few {
                let text = line.text.trim_ascii();
                if text.len() >= SHORTEST {
                    places.push((rare.place(text), line.kind));
                }
            }
            rare.fetch(places.iter().map(|(place, _)| *place));
            for &(place, kind) in &places {
                let at = rare.find(place);
                let slot = &mut rare.slots[at];
                slot.tag = place.1;
                let count = &mut slot.counts[match kind {
                    LineKind::Removed => 0,
                    LineKind::Added => 1,
                    LineKind::Context => 2,
                }];
                *count = count.saturating_add(1);
            }
        }
        Some(rare)
    }

    /// Whether some line of the hunk may anchor a move.
    pub fn may_move(&self, hunk: &Hunk<'_>) -> bool {
        self.anchors(&hunk.lines).next().is_some()
    }

    /// Divides the lines of a hunk into parts that may move and parts that do not,
    /// in turn; with each, whether it may.
    pub fn parts(&self, hunk: &Hunk<'_>) -> Vec<(Range<usize>, bool)> {
        let len = hunk.lines.len();
        let mut anchors = self.anchors(&hunk.lines).peekable();
        if anchors.peek().is_none() || len <= NEAR {
            return vec![(0..len, anchors.peek().is_some())];
        }
        let cuts = self.cuts(&hunk.lines);
        let mut parts = Parts::default();
        for anchor in anchors {
            let near = anchor.saturating_sub(NEAR)..(anchor + 1 + NEAR).min(len);
            // Those of a part that reaches as far are in it already.
            if near.end <= parts.end() {
                continue;
            }
            let start = cuts[..=near.start].iter().rposition(|cut| *cut);
            let end = cuts[near.end..].iter().position(|cut| *cut);
            parts.add(start.unwrap_or(0)..near.end + end.unwrap_or(0));
        }
        parts.finish(len)
    }

    /// Lines that were removed and added, rarely, and that are not alone among other
    /// changes: a single line would not be a move (see
    /// [`Options::embedded`](mvdiff_core::Options::embedded)).
    fn anchors(&self, lines: &[HunkLine<'_>]) -> impl Iterator<Item = usize> {
        let met = self.met(lines);
        let mut at = 0;
        let runs = lines.chunk_by(|a, b| a.kind == b.kind).map(move |run| {
            at += run.len();
            (at - run.len(), run)
        });
        let changed = runs.filter(|(_, run)| run[0].kind != LineKind::Context);
        changed.flat_map(move |(first, run)| {
            let mut before = Met::default();
            let mut anchors = Vec::new();
            for at in first..first + run.len() {
                // A brace or a blank line between two does not separate them.
                let Some(met) = met[at] else { continue };
                let moves = (met.rarely && (before.both || met.is_long))
                    || (met.both && before.rarely)
                    || (met.rarely && run.len() == 1);
                before = met;
                if moves {
                    anchors.push(at);
                }
            }
            anchors
        })
    }

    /// For each line and the end, whether a hunk can be cut before it: anywhere if it
    /// only removes or only adds, else beside a line that is nowhere else, since the
    /// patch may have kept others at random.
    fn cuts(&self, lines: &[HunkLine<'_>]) -> Vec<bool> {
        let has = |kind: LineKind| lines.iter().any(|line| line.kind == kind);
        let is_one_sided = !has(LineKind::Removed) || !has(LineKind::Added);
        let mut cuts = vec![is_one_sided; lines.len() + 1];
        (cuts[0], cuts[lines.len()]) = (true, true);
        for (at, line) in lines.iter().enumerate() {
            if line.kind == LineKind::Context && self.is_unique(line.text.trim_ascii()) {
                (cuts[at], cuts[at + 1]) = (true, true);
            }
        }
        cuts
    }

    /// Whether a line of context is no other line of the patch.
    fn is_unique(&self, text: &[u8]) -> bool {
        text.len() >= SHORTEST && self.slots[self.find(self.place(text))].counts == [0, 0, 1]
    }

    /// For each line, how it was met, if it changed and is informative.
    fn met(&self, lines: &[HunkLine<'_>]) -> Vec<Option<Met>> {
        let mut met = Vec::with_capacity(lines.len());
        let mut places = Vec::with_capacity(TOGETHER);
        for few in lines.chunks(TOGETHER) {
            places.clear();
            places.extend(few.iter().map(|line| {
                let text = line.text.trim_ascii();
                let is_met = line.kind != LineKind::Context && text.len() >= SHORTEST;
                is_met.then(|| (self.place(text), text.len() >= LONG))
            }));
            self.fetch(places.iter().flatten().map(|(place, _)| *place));
            met.extend(places.iter().map(|place| {
                let (place, is_long) = (*place)?;
                let [counts @ .., _] = self.slots[self.find(place)].counts;
                let both = counts.iter().all(|count| *count > 0);
                Some(Met {
                    both,
                    rarely: both && counts.iter().all(|count| *count <= MOST),
                    is_long,
                })
            }));
        }
        met
    }

    /// Where a line is in the table, unless that is taken, and its tag.
    fn place(&self, text: &[u8]) -> (usize, u32) {
        let hash = xxh3_64(text);
        (
            hash as usize & (self.slots.len() - 1),
            (hash >> 32) as u32 | 1,
        )
    }

    /// Reads the slots at these places. None of the reads waits for another.
    fn fetch(&self, places: impl Iterator<Item = (usize, u32)>) {
        let tags = places.fold(0, |tags, (at, _)| tags ^ self.slots[at].tag);
        std::hint::black_box(tags);
    }

    /// The slot of a line, or the free one that it would take.
    fn find(&self, (mut at, tag): (usize, u32)) -> usize {
        while self.slots[at].tag != tag && self.slots[at].tag != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }
}

/// The parts of a hunk that may move, in order.
#[derive(Default)]
struct Parts {
    moving: Vec<Range<usize>>,
}

impl Parts {
    fn end(&self) -> usize {
        self.moving.last().map_or(0, |part| part.end)
    }

    fn add(&mut self, part: Range<usize>) {
        match self.moving.last_mut() {
            Some(last) if part.start < last.end + WORTH => last.end = last.end.max(part.end),
            None if part.start < WORTH => self.moving.push(0..part.end),
            _ => self.moving.push(part),
        }
    }

    fn finish(self, len: usize) -> Vec<(Range<usize>, bool)> {
        let mut parts = Vec::new();
        let mut at = 0;
        for part in self.moving {
            if part.start > at {
                parts.push((at..part.start, false));
            }
            let end = if part.end + WORTH > len {
                len
            } else {
                part.end
            };
            parts.push((part.start..end, true));
            at = end;
        }
        if at < len {
            parts.push((at..len, false));
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Contents, EffectiveOptions, EffectiveReport, MoveKind, effective};

    fn report(patch: &str) -> EffectiveReport {
        let sets = crate::patch::parse(patch.as_bytes()).expect("a patch");
        let report = effective(&sets[0], &Contents::default(), &EffectiveOptions::default());
        let report = report.expect("a report");
        assert!(report.notes.iter().all(|note| note.kind != "check"));
        report
    }

    fn lines(mark: &str, of: std::ops::Range<u32>, name: &str) -> String {
        let line = |i: u32| format!("{mark}    {name}_{i} = call_of_{name}({i}, {});\n", i * 7);
        of.map(line).collect()
    }

    fn printed(report: &EffectiveReport) -> String {
        String::from_utf8(report.effective_diff.0.clone()).expect("a text")
    }

    #[test]
    fn a_block_is_found_in_a_long_file_and_the_rest_is_shown_as_it_came() {
        let gone = format!(
            "--- a/b\n+++ b/b\n@@ -5,12 +4,0 @@\n{}",
            lines("-", 0..12, "moved")
        );
        let head = "--- /dev/null\n+++ b/a\n@@ -0,0 +1,1512 @@\n";
        let (before, behind) = (lines("+", 0..900, "new"), lines("+", 900..1500, "new"));
        let came = format!("{head}{before}{}{behind}", lines("+", 0..12, "moved"));
        let other = format!("--- a/c\n+++ b/c\n@@ -1 +1 @@ other\n{}", "-x\n+y\n");
        let report = report(&format!("{gone}{came}{other}"));
        assert_eq!(report.moves_detected, 1);
        let found = &report.moves[0];
        assert_eq!(
            (found.source_lines, found.target_lines),
            ([5, 16], [901, 912])
        );
        let left = format!(
            "--- /dev/null\n+++ b/a\n@@ -0,0 +1,900 @@\n{before}@@ -0,0 +913,600 @@\n{behind}{other}"
        );
        assert!(printed(&report) == left);
    }

    #[test]
    fn a_hunk_is_cut_at_lines_that_are_nowhere_else() {
        let edited = |from: u32| -> String {
            let part = |i: u32| {
                let kept = lines(" ", i..i + 1, "kept");
                format!(
                    "{}{}{kept}",
                    lines("-", i..i + 5, "was"),
                    lines("+", i..i + 5, "is")
                )
            };
            (0..40).map(|at| part(from + at * 5)).collect()
        };
        let block = |mark: &str| lines(mark, 0..8, "moved");
        let kept = [lines(" ", 900..902, "kept"), lines(" ", 902..904, "kept")];
        let rest = [
            &kept[0][..],
            &edited(0),
            &edited(200),
            &edited(400),
            &kept[1],
        ]
        .concat();
        let hunk = [block("-"), rest.clone(), block("+")].concat();
        let patch = format!("--- a/f\n+++ b/f\n@@ -1,732 +1,732 @@ head\n{hunk}");
        let report = report(&patch);
        let moves = report
            .moves
            .iter()
            .filter(|found| found.kind == MoveKind::Move);
        let moves: Vec<_> = moves.map(|m| (m.source_lines, m.target_lines)).collect();
        assert_eq!(moves, [([1, 8], [725, 732])]);
        let found = printed(&report);
        let (head, found) = found.split_once(" @@").expect("a hunk");
        assert_eq!(head, "--- a/f\n+++ b/f\n@@ -11,719 +3,719");
        assert!(rest.contains(found.split_once('\n').expect("lines").1));
        // Nothing moved, so all of it is as it came.
        let still = patch.replace("-    moved", "-    went");
        assert!(printed(&super::tests::report(&still)) == still);
    }
}
