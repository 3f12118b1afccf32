//! The final base alignment, file by file.

use super::line_fates::LineFates;
use super::windows::{Untouchable, View, Windows, place};
use crate::patch::{FilePatch, HunkLine, LineKind};

/// A run `(old line, new line, length)` of kept lines, zero-based.
pub(super) type Run = (u32, u32, u32);

/// The runs of one file, in order. Without contents, the lines after the last
/// hunk are unknown and not listed.
pub(super) fn runs(
    file: &FilePatch<'_>,
    view: &View<'_>,
    windows: &Windows<'_>,
    fates: &LineFates,
) -> Vec<Run> {
    let mut runs = Runs::default();
    match view.untouchable {
        Some(Untouchable::Unclear) => return Vec::new(),
        Some(Untouchable::ByKind) => {
            for hunk in file.hunks() {
                let [old, new] = place(hunk).map(|range| range.start);
                runs.as_they_came([old, new], &hunk.lines);
            }
        }
        None => {
            for window in &windows.list[view.windows.clone()] {
                if window.inert {
                    for hunk in &file.hunks()[window.hunks.clone()] {
                        let whole = place(hunk).map(|range| range.start);
                        let start = window.part.as_ref().map_or(whole, |_| window.first);
                        runs.as_they_came(start, window.lines_of(hunk));
                    }
                    continue;
                }
                runs.up_to(window.first[0], window.first[1]);
                let [old, new] = &window.elements;
                for element in old.clone() {
                    let counterpart = fates.counterpart[0][element as usize];
                    if new.contains(&counterpart) {
                        runs.push(window.line(0, element), window.line(1, counterpart), 1);
                    }
                }
                runs.at = (window.line(0, old.end), window.line(1, new.end));
            }
        }
    }
    if let Some([old, new]) = &view.contents {
        runs.up_to(old.len() as u32, new.len() as u32);
    }
    runs.runs
}

#[derive(Default)]
struct Runs {
    runs: Vec<Run>,
    at: (u32, u32),
}

impl Runs {
    /// Adds the lines up to a hunk, and its context.
    fn as_they_came(&mut self, [old, new]: [u32; 2], lines: &[HunkLine<'_>]) {
        self.up_to(old, new);
        for line in lines {
            match line.kind {
                LineKind::Context => self.keep(),
                LineKind::Removed => self.at.0 += 1,
                LineKind::Added => self.at.1 += 1,
            }
        }
    }

    /// Marks all lines up to here as kept.
    fn up_to(&mut self, old: u32, new: u32) {
        let len = old.saturating_sub(self.at.0);
        if len > 0 {
            self.push(self.at.0, self.at.1, len);
        }
        self.at = (old, new);
    }

    fn keep(&mut self) {
        self.push(self.at.0, self.at.1, 1);
        self.at = (self.at.0 + 1, self.at.1 + 1);
    }

    fn push(&mut self, old: u32, new: u32, len: u32) {
        match self.runs.last_mut() {
            Some(last) if last.0 + last.2 == old && last.1 + last.2 == new => last.2 += len,
            _ => self.runs.push((old, new, len)),
        }
    }
}
