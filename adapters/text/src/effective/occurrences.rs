//! How often the lines of the windows occur in everything that is known.
//!
//! A line that also occurs far from every change is no less common for that, so
//! whole files are counted where they are known. White space at the ends of a line
//! does not count.

use super::windows::{View, Window, Windows};
use crate::line::features;
use crate::patch::{Changeset, LineKind};
use mvdiff_core::{Interner, Occurrences, Token};
use std::iter;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// Counts of the lines of all windows.
pub(super) struct Counts {
    /// For each token of the windows, the number of its line without its ends, or
    /// [`UNSEEN`].
    of_token: Vec<u32>,
    /// For each numbered line, its occurrences on both sides of all files.
    anywhere: Vec<[u32; 2]>,
    /// For each numbered line, the first file it occurs in, with its occurrences on
    /// both sides.
    first: Vec<InFile>,
    /// For each numbered line, the further files it occurs in, in order. Most
    /// lines have none.
    further: Vec<Vec<InFile>>,
}

/// A file, and the occurrences of a line on its two sides.
type InFile = (u32, [u32; 2]);

const UNSEEN: u32 = u32::MAX;

impl Counts {
    pub fn new(changeset: &Changeset<'_>, windows: &Windows<'_>) -> Self {
        let mut numbers = Numbers::default();
        let of_token = numbers.of_windows(windows);
        let count = numbers.lines.len();
        let mut counts = Self {
            of_token,
            anywhere: vec![[0; 2]; count],
            first: vec![(NOWHERE, [0; 2]); count],
            further: vec![Vec::new(); count],
        };
        for (file, view) in windows.files.iter().enumerate() {
            for window in &windows.list[view.windows.clone()] {
                for side in [0, 1] {
                    for element in window.elements[side].clone() {
                        let token = windows.tokens[side][element as usize];
                        let mut times = [0; 2];
                        times[side] = 1;
                        counts.add(counts.of_token[token.0 as usize], file, times);
                    }
                }
            }
            for (text, times) in passed_over(changeset, windows, file) {
                if let Some(number) = numbers.find(text) {
                    counts.add(number, file, times);
                }
            }
            let known = view.contents.as_ref().filter(|_| !windows.sifted);
            let Some([_, new]) = known.filter(|_| !view.windows.is_empty()) else {
                continue;
            };
            // Outside windows both sides are equal.
            for lines in windows.outside(view, new.len()) {
                for number in lines.filter_map(|i| numbers.find(new.get(i))) {
                    counts.add(number, file, [1; 2]);
                }
            }
        }
        counts
    }

    fn add(&mut self, number: u32, file: usize, times: [u32; 2]) {
        let (number, file) = (number as usize, file as u32);
        let further = &mut self.further[number];
        let last = further.last_mut().unwrap_or(&mut self.first[number]);
        if last.0 == NOWHERE {
            last.0 = file;
        }
        if last.0 == file {
            for side in [0, 1] {
                last.1[side] += times[side];
            }
        } else {
            further.push((file, times));
        }
        for side in [0, 1] {
            self.anywhere[number][side] += times[side];
        }
    }

    /// The occurrences of a line that belongs to a file.
    pub fn of(&self, token: Token, file: usize) -> Occurrences {
        let number = self.of_token[token.0 as usize] as usize;
        let (first, further) = (self.first[number], &self.further[number]);
        let in_file = if first.0 == file as u32 {
            first.1
        } else {
            let at = further.binary_search_by_key(&(file as u32), |(file, _)| *file);
            at.map_or([0; 2], |at| further[at].1)
        };
        Occurrences {
            in_file,
            anywhere: self.anywhere[number],
        }
    }
}

/// The lines of a file's hunks that are not examined, and how often they occur on each
/// side. A line is no rarer for being looked at in few places.
fn passed_over<'h, 'p>(
    changeset: &'h Changeset<'p>,
    windows: &'h Windows<'p>,
    file: usize,
) -> impl Iterator<Item = (&'p [u8], [u32; 2])> {
    let inert = windows.list[windows.files[file].windows.clone()].iter();
    let inert = inert.filter(|window| window.inert);
    inert.flat_map(move |window| {
        let hunks = changeset.files[file].hunks()[window.hunks.clone()].iter();
        let lines = hunks.flat_map(|hunk| window.lines_of(hunk));
        lines.map(|line| match line.kind {
            LineKind::Context => (line.text, [1, 1]),
            LineKind::Removed => (line.text, [1, 0]),
            LineKind::Added => (line.text, [0, 1]),
        })
    })
}

impl<'p> Windows<'p> {
    /// The lines of the new side of a file that lie in no window.
    fn outside(&self, view: &View<'p>, len: usize) -> impl Iterator<Item = Range<usize>> {
        let windows = &self.list[view.windows.clone()];
        let starts = windows.iter().map(|window| window.first[1] as usize);
        let ends = windows.iter().map(|window| window.end[1] as usize);
        let starts = starts.chain([len]);
        iter::once(0)
            .chain(ends)
            .zip(starts)
            .map(|(end, start)| end..start)
    }

    /// The lines of a window that the patch does not keep.
    fn changed(&self, window: &Window, side: usize) -> impl Iterator<Item = &'p [u8]> + Clone {
        let given = self.given[window.given.clone()].iter();
        let start = move |run: &(u32, u32, u32)| [run.0, run.1][side];
        let Range { start: first, end } = window.elements[side];
        let starts = given.clone().map(start).chain([end]);
        let ends = given.map(move |run| start(run) + run.2);
        let ranges = iter::once(first).chain(ends).zip(starts);
        ranges.flat_map(move |(end, start)| {
            let lines = &self.lines[side][end as usize..start as usize];
            lines.iter().copied()
        })
    }

    /// One more than the highest token.
    fn count_tokens(&self) -> usize {
        let tokens = self.tokens.iter().flatten().map(|token| token.0);
        tokens.max().map_or(0, |highest| highest as usize + 1)
    }

    /// Whether more than windows is examined of some file.
    fn has_whole_files(&self) -> bool {
        !self.sifted && self.files.iter().any(|view| view.contents.is_some())
    }

    /// Whether a line was changed, or is near one that was.
    fn is_near_change(&self, side: usize, index: u32) -> bool {
        let start = |run: &(u32, u32, u32)| [run.0, run.1][side];
        let at = self.given.partition_point(|run| start(run) <= index);
        let Some(run) = at.checked_sub(1).map(|at| &self.given[at]) else {
            return true;
        };
        let place = index - start(run);
        place < NEAR || place + NEAR >= run.2
    }
}

/// The numbers of lines without white space at their ends.
struct Numbers<'p> {
    interner: Interner,
    lines: Vec<&'p [u8]>,
}

impl Default for Numbers<'_> {
    fn default() -> Self {
        Self {
            interner: Interner::with_capacity(64),
            lines: Vec::new(),
        }
    }
}

impl<'p> Numbers<'p> {
    /// Numbers the lines of all windows.
    fn of_windows(&mut self, windows: &Windows<'p>) -> Vec<u32> {
        let mut of_token = vec![UNSEEN; windows.count_tokens()];
        for side in [0, 1] {
            for (token, line) in windows.tokens[side].iter().zip(&windows.lines[side]) {
                let number = &mut of_token[token.0 as usize];
                if *number == UNSEEN {
                    *number = self.insert(line.trim_ascii());
                }
            }
        }
        of_token
    }

    fn insert(&mut self, line: &'p [u8]) -> u32 {
        let lines = &self.lines;
        let same = |seen: Token| lines[seen.0 as usize] == line;
        let token = self.interner.intern(xxh3_64(line), same);
        if token.0 as usize == self.lines.len() {
            self.lines.push(line);
        }
        token.0
    }

    fn find(&self, line: &[u8]) -> Option<u32> {
        let line = line.trim_ascii();
        let token = self.interner.find(xxh3_64(line))?;
        (self.lines[token.0 as usize] == line).then_some(token.0)
    }
}

/// In how many files the words of the windows occur.
pub(super) struct Words {
    numbers: Interner,
    /// For each word, the number of files, and the last of them.
    files: Vec<(u32, u32)>,
}

const NOWHERE: u32 = u32::MAX;

/// How many lines beside a change may be part of a block that moved.
const NEAR: u32 = 8;

impl Words {
    /// Whether [`of_changed`](Self::of_changed) counts the words of a line.
    pub fn is_changed(windows: &Windows<'_>, side: usize, index: u32) -> bool {
        !windows.has_whole_files() || windows.is_near_change(side, index)
    }

    /// Counts the words of the lines that the patch does not keep, and of those
    /// beside them.
    pub fn of_changed(windows: &Windows<'_>) -> Self {
        let of = |window| {
            let sides = [0, 1].into_iter();
            sides.flat_map(move |side| windows.changed(window, side))
        };
        let changed = windows.list.iter().flat_map(of);
        let beside = windows.given.iter().flat_map(|&(old, _, len)| {
            let first = old..old + len.min(NEAR);
            let last = (old + len.saturating_sub(NEAR)).max(first.end)..old + len;
            let line = |index: u32| windows.lines[0][index as usize];
            first.chain(last).map(line)
        });
        Self::new(windows, changed.chain(beside))
    }

    /// Counts the words of all lines.
    pub fn of_all(windows: &Windows<'_>) -> Self {
        Self::new(windows, windows.lines.iter().flatten().copied())
    }

    /// Counts words: those of `lines` where whole files are known, since those hold
    /// many more, and all words of the windows otherwise.
    fn new<'l>(windows: &Windows<'_>, lines: impl Iterator<Item = &'l [u8]>) -> Self {
        let mut words = Self {
            numbers: Interner::with_capacity(windows.lines[0].len()),
            files: Vec::new(),
        };
        let mut found = Vec::new();
        let has_whole_files = windows.has_whole_files();
        if has_whole_files {
            for line in lines {
                found.clear();
                features(line, &mut found);
                for word in &found {
                    words.insert(*word);
                }
            }
        }
        // The last file that a line was counted in.
        let mut counted = vec![NOWHERE; windows.count_tokens()];
        for (file, view) in (0..).zip(&windows.files) {
            let mut count = |line: &[u8]| {
                found.clear();
                features(line, &mut found);
                for word in &found {
                    if !has_whole_files {
                        words.insert(*word);
                    }
                    words.count(*word, file);
                }
            };
            let of_file = &windows.list[view.windows.clone()];
            if let Some([_, new]) = view.contents.as_ref().filter(|_| !windows.sifted) {
                // What the patch keeps is equal on both sides.
                let removed = of_file.iter().flat_map(|w| windows.changed(w, 0));
                removed.for_each(&mut count);
                (0..new.len()).for_each(|i| count(new.get(i)));
                continue;
            }
            for window in of_file {
                for (side, elements) in window.elements.iter().enumerate() {
                    for element in elements.clone() {
                        let token = windows.tokens[side][element as usize];
                        let last = &mut counted[token.0 as usize];
                        if std::mem::replace(last, file) != file {
                            count(windows.lines[side][element as usize]);
                        }
                    }
                }
            }
        }
        words
    }

    fn insert(&mut self, word: u64) {
        let number = self.numbers.intern(word, |_| true);
        if number.0 as usize == self.files.len() {
            self.files.push((0, NOWHERE));
        }
    }

    fn count(&mut self, word: u64, file: u32) {
        let Some(number) = self.numbers.find(word) else {
            return;
        };
        let (count, last) = &mut self.files[number.0 as usize];
        if *last != file {
            *last = file;
            *count += 1;
        }
    }

    /// The number of files that contain the rarest word of a line; `None` if it
    /// has no words.
    pub fn spread(&self, line: &[u8]) -> Option<u32> {
        let mut words = Vec::new();
        features(line, &mut words);
        let known = words.iter().filter_map(|word| self.numbers.find(*word));
        known.map(|number| self.files[number.0 as usize].0).min()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Contents, FileContents, Source};
    use super::*;

    /// Three files of which two lost a line to the third.
    fn patch() -> (Vec<u8>, Vec<[String; 2]>) {
        let body = |name: &str| -> Vec<String> {
            let line = |i: usize| format!("    call_{name}_{}(shared_{}, word);\n", i % 7, i % 3);
            (0..60).map(line).collect()
        };
        let mut patch = String::new();
        let mut files = Vec::new();
        for (name, lost) in [("one", true), ("two", true), ("three", false)] {
            let old = body(name);
            let mut new = old.clone();
            if lost {
                new.remove(30);
            } else {
                new.insert(30, "    call_one_2(shared_0, word);\n".into());
            }
            let (change, counts) = if lost {
                (format!("-{}", old[30]), "31 +30,0")
            } else {
                (format!("+{}", new[30]), "30,0 +31")
            };
            let head = ["--- a/", name, "\n+++ b/", name, "\n@@ -", counts, " @@\n"];
            patch += &(head.concat() + &change);
            files.push([old.concat(), new.concat()]);
        }
        (patch.into_bytes(), files)
    }

    #[test]
    fn counts_are_those_of_the_whole_files_however_little_is_looked_at() {
        let (patch, files) = patch();
        let changesets = crate::patch::parse(&patch).expect("a patch");
        let contents = Contents {
            source: Source::Dirs,
            files: files
                .iter()
                .map(|[old, new]| FileContents {
                    old: Some(old.as_bytes()),
                    new: Some(new.as_bytes()),
                })
                .collect(),
            others: Vec::new(),
        };
        let windows = Windows::new(&changesets[0], &contents, 20, true).expect("windows");
        assert!(windows.files.iter().all(|view| view.contents.is_some()));
        let counts = Counts::new(&changesets[0], &windows);
        let (changed, all) = (Words::of_changed(&windows), Words::of_all(&windows));
        let mut is_far = false;
        for side in [0, 1] {
            for (index, line) in windows.lines[side].iter().enumerate() {
                let file = windows.window_of(side, index as u32).file;
                let times = |text: &String| {
                    text.lines()
                        .filter(|l| l.as_bytes() == line.trim_ascii_end())
                        .count()
                };
                let found = counts.of(windows.tokens[side][index], file);
                for on in [0, 1] {
                    assert_eq!(found.in_file[on] as usize, times(&files[file][on]));
                    let anywhere: usize = files.iter().map(|file| times(&file[on])).sum();
                    assert_eq!(found.anywhere[on] as usize, anywhere);
                }
                if Words::is_changed(&windows, side, index as u32) {
                    assert_eq!(changed.spread(line), all.spread(line));
                } else {
                    is_far = true;
                }
            }
        }
        assert!(is_far, "some lines are not near a change");
    }
}
