//! The hunks of a file that remain without moved lines.
//!
//! Each line is decided on its own; the remaining lines are then grouped into
//! hunks. A hunk without moved lines is kept verbatim.

use super::line_fates::{LineFates, NONE};
use super::windows::{Window, Windows, place};
use crate::patch::{Hunk, HunkLine, LineKind};
use std::ops::Range;

/// The remaining hunks of one file.
pub(super) fn left<'p>(
    windows: &Windows<'p>,
    fates: &LineFates,
    file: usize,
    hunks: &[Hunk<'p>],
) -> Vec<Hunk<'p>> {
    let mut writer = Writer {
        windows,
        fates,
        context: hunks.iter().map(widest_context).max().unwrap_or(0),
        left: Vec::new(),
        draft: HunkDraft::default(),
    };
    let of_file = &windows.list[windows.files[file].windows.clone()];
    for window in of_file {
        let own = &hunks[window.hunks.clone()];
        if window.part.is_none() {
            writer.window(window, own);
        } else {
            let lines = window.lines_of(&own[0]).to_vec();
            writer.window(window, &[hunk(window.first, lines, own[0].heading)]);
        }
    }
    if of_file.iter().any(|window| window.part.is_some()) {
        return joined(&writer.left, hunks, writer.context);
    }
    writer.left
}

/// Joins hunks where one was divided into windows. What is whole again is as it came.
fn joined<'p>(parts: &[Hunk<'p>], hunks: &[Hunk<'p>], context: usize) -> Vec<Hunk<'p>> {
    let start = |hunk: &Hunk<'p>| place(hunk).map(|lines| lines.start);
    let end = |hunk: &Hunk<'p>| place(hunk).map(|lines| lines.end);
    let touch = |a: &Hunk<'p>, b: &Hunk<'p>| end(a) == start(b);
    let mut left: Vec<Hunk<'p>> = Vec::new();
    for run in parts.chunk_by(touch) {
        let at = start(&run[0]);
        let lines: Vec<_> = run.iter().flat_map(|part| &part.lines).copied().collect();
        let first = hunks.partition_point(|hunk| start(hunk) < at);
        let as_it_came = hunks.get(first).filter(|hunk| hunk.lines == lines);
        match as_it_came {
            Some(hunk) => left.push(hunk.clone()),
            None => left.extend(trimmed(at, &lines, run[0].heading, context)),
        }
    }
    left
}

/// Number of context lines at the wider end of a hunk.
fn widest_context(hunk: &Hunk<'_>) -> usize {
    let is_context = |line: &&HunkLine<'_>| line.kind == LineKind::Context;
    let before = hunk.lines.iter().take_while(is_context).count();
    let behind = hunk.lines.iter().rev().take_while(is_context).count();
    before.max(behind)
}

/// The elements at which a hunk starts.
fn start(window: &Window, hunk: &Hunk<'_>) -> [u32; 2] {
    let place = place(hunk);
    [0, 1].map(|side| window.elements[side].start + (place[side].start - window.first[side]))
}

/// Whether a hunk starts before a position, or ends there.
fn is_behind(window: &Window, hunk: &Hunk<'_>, at: [u32; 2]) -> bool {
    let [old, new] = start(window, hunk);
    at[0] >= old + hunk.old_count && at[1] >= new + hunk.new_count
}

/// A hunk under construction: its zero-based start and its lines.
#[derive(Default)]
struct HunkDraft<'p> {
    start: [u32; 2],
    lines: Vec<HunkLine<'p>>,
    heading: &'p [u8],
}

struct Writer<'w, 'p> {
    windows: &'w Windows<'p>,
    fates: &'w LineFates,
    context: usize,
    left: Vec<Hunk<'p>>,
    draft: HunkDraft<'p>,
}

impl<'p> Writer<'_, 'p> {
    fn window(&mut self, window: &Window, hunks: &[Hunk<'p>]) {
        if window.inert {
            self.left.extend_from_slice(hunks);
            return;
        }
        let ends = window.elements.clone().map(|range| range.end);
        let mut at = window.elements.clone().map(|range| range.start);
        let mut hunks = hunks.iter().peekable();
        while at != ends {
            // Skip hunks that lie behind: the alignment may have been repaired
            // across their edges.
            while hunks.next_if(|h| is_behind(window, h, at)).is_some() {}
            let here = hunks.peek().filter(|h| start(window, h) == at);
            if let Some(hunk) = here.filter(|h| self.is_as_it_came(h, at)) {
                self.flush();
                self.left.push((*hunk).clone());
                at = [at[0] + hunk.old_count, at[1] + hunk.new_count];
                continue;
            }
            let [old, new] = at;
            if old < ends[0] && self.fates.counterpart[0][old as usize] == new {
                let shown = hunks.peek().filter(|h| start(window, h)[0] <= old);
                if let Some(hunk) = shown {
                    let text = self.windows.lines[0][old as usize];
                    self.push(window, at, LineKind::Context, text, hunk.heading);
                } else {
                    self.flush();
                }
                at = [old + 1, new + 1];
                continue;
            }
            let changed = |side: usize| {
                let counterpart = &self.fates.counterpart[side];
                let unpaired = |i: &u32| counterpart[*i as usize] == NONE;
                let count = (at[side]..ends[side]).take_while(unpaired).count();
                at[side] + count as u32
            };
            let group = [old..changed(0), new..changed(1)];
            let heading = hunks.peek().map_or(&b""[..], |hunk| hunk.heading);
            at = [group[0].end, group[1].end];
            self.group(window, &group, heading);
        }
        self.flush();
    }

    /// Whether nothing in a hunk moved, and its context is still kept.
    fn is_as_it_came(&self, hunk: &Hunk<'_>, mut at: [u32; 2]) -> bool {
        hunk.lines.iter().all(|line| {
            let (holds, step) = match line.kind {
                LineKind::Context => (self.fates.counterpart[0][at[0] as usize] == at[1], [1, 1]),
                LineKind::Removed => (self.fates.is_unmatched(0, at[0]), [1, 0]),
                LineKind::Added => (self.fates.is_unmatched(1, at[1]), [0, 1]),
            };
            at = [at[0] + step[0], at[1] + step[1]];
            holds
        })
    }

    /// Handles a group of changed lines, old and new, between two kept lines.
    fn group(&mut self, window: &Window, group: &[Range<u32>; 2], heading: &'p [u8]) {
        let mut at = [group[0].start, group[1].start];
        let mut runs = [0, 1].map(|side| {
            self.unmatched_runs(side, &group[side])
                .into_iter()
                .peekable()
        });
        // Lines adjacent to the line before the group can share a hunk with it;
        // lines after a moved line need a hunk of their own.
        let mut next = [0, 1].map(|side| runs[side].next_if(|run| run.start == at[side]));
        loop {
            let changes = [0, 1].map(|side| {
                let run = next[side].take();
                run.unwrap_or(at[side]..at[side])
            });
            at = [changes[0].end, changes[1].end];
            self.changes(window, changes, heading);
            next = [runs[0].next(), runs[1].next()];
            if at != [group[0].end, group[1].end] {
                self.flush();
            }
            if next == [None, None] {
                return;
            }
        }
    }

    fn changes(&mut self, window: &Window, changes: [Range<u32>; 2], heading: &'p [u8]) {
        let mut at = [changes[0].start, changes[1].start];
        let kinds = [LineKind::Removed, LineKind::Added];
        for (side, range) in changes.into_iter().enumerate() {
            for element in range {
                let text = self.windows.lines[side][element as usize];
                self.push(window, at, kinds[side], text, heading);
                at[side] += 1;
            }
        }
    }

    /// Maximal runs of remaining lines.
    fn unmatched_runs(&self, side: usize, range: &Range<u32>) -> Vec<Range<u32>> {
        let mut runs: Vec<Range<u32>> = Vec::new();
        for element in range.clone() {
            if !self.fates.is_unmatched(side, element) {
                continue;
            }
            match runs.last_mut() {
                Some(run) if run.end == element => run.end += 1,
                _ => runs.push(element..element + 1),
            }
        }
        runs
    }

    fn push(
        &mut self,
        window: &Window,
        at: [u32; 2],
        kind: LineKind,
        text: &'p [u8],
        heading: &'p [u8],
    ) {
        if self.draft.lines.is_empty() {
            self.draft.heading = heading;
            self.draft.start = [window.line(0, at[0]), window.line(1, at[1])];
        }
        self.draft.lines.push(HunkLine { kind, text });
    }

    /// Ends the current hunk, discarding it if it has no changes.
    fn flush(&mut self) {
        let lines = std::mem::take(&mut self.draft.lines);
        let heading = self.draft.heading;
        let hunk = trimmed(self.draft.start, &lines, heading, self.context);
        self.left.extend(hunk);
    }
}

/// A hunk of lines, with so much context at its ends at most; none without changes.
fn trimmed<'p>(
    start: [u32; 2],
    lines: &[HunkLine<'p>],
    heading: &'p [u8],
    context: usize,
) -> Option<Hunk<'p>> {
    let is_change = |line: &HunkLine<'_>| line.kind != LineKind::Context;
    let first = lines.iter().position(is_change)?;
    let last = lines.iter().rposition(is_change)?;
    let from = first.saturating_sub(context);
    let to = (last + 1 + context).min(lines.len());
    let start = start.map(|start| start + from as u32);
    Some(hunk(start, lines[from..to].to_vec(), heading))
}

/// Builds a hunk from its zero-based start and its lines.
pub(super) fn hunk<'p>(start: [u32; 2], lines: Vec<HunkLine<'p>>, heading: &'p [u8]) -> Hunk<'p> {
    let count = |other: LineKind| lines.iter().filter(|line| line.kind != other).count() as u32;
    let (old_count, new_count) = (count(LineKind::Added), count(LineKind::Removed));
    // An empty side has the number of the line before.
    let number = |start: u32, count: u32| start + u32::from(count > 0);
    Hunk {
        old_start: number(start[0], old_count),
        old_count,
        new_start: number(start[1], new_count),
        new_count,
        heading,
        lines,
        bytes: &[],
    }
}
