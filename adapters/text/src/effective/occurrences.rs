//! How often the lines of the windows occur in everything that is known.
//!
//! A line that also occurs far from every change is no less common for that, so
//! whole files are counted where they are known. White space at the ends of a line
//! does not count.

use super::windows::Windows;
use crate::line::features;
use mvdiff_core::{Interner, Occurrences, Token};
use xxhash_rust::xxh3::xxh3_64;

/// Counts of the lines of all windows.
pub(super) struct Counts {
    /// For each token of the windows, the number of its line without its ends, or
    /// [`UNSEEN`].
    of_token: Vec<u32>,
    /// For each numbered line, its occurrences on both sides of all files.
    anywhere: Vec<[u32; 2]>,
    /// For each numbered line, the files it occurs in, with its occurrences on both
    /// sides, in the order of files.
    in_files: Vec<Vec<(u32, [u32; 2])>>,
}

const UNSEEN: u32 = u32::MAX;

impl Counts {
    pub fn new(windows: &Windows<'_>) -> Self {
        let mut numbers = Numbers::default();
        let of_token = numbers.of_windows(windows);
        let mut counts = Self {
            of_token,
            anywhere: vec![[0; 2]; numbers.lines.len()],
            in_files: vec![Vec::new(); numbers.lines.len()],
        };
        for (file, view) in windows.files.iter().enumerate() {
            if view.windows.is_empty() {
                continue;
            }
            let known = view.contents.as_ref().filter(|_| !windows.sifted);
            for side in [0, 1] {
                if let Some(contents) = known {
                    let lines = &contents[side];
                    for number in (0..lines.len()).filter_map(|i| numbers.find(lines.get(i))) {
                        counts.add(number, file, side);
                    }
                    continue;
                }
                for window in &windows.list[view.windows.clone()] {
                    for element in window.elements[side].clone() {
                        let token = windows.tokens[side][element as usize];
                        counts.add(counts.of_token[token.0 as usize], file, side);
                    }
                }
            }
        }
        counts
    }

    fn add(&mut self, number: u32, file: usize, side: usize) {
        let number = number as usize;
        self.anywhere[number][side] += 1;
        let files = &mut self.in_files[number];
        match files.last_mut() {
            Some((last, counts)) if *last == file as u32 => counts[side] += 1,
            _ => {
                let mut counts = [0; 2];
                counts[side] = 1;
                files.push((file as u32, counts));
            }
        }
    }

    /// The occurrences of a line that belongs to a file.
    pub fn of(&self, token: Token, file: usize) -> Occurrences {
        let number = self.of_token[token.0 as usize] as usize;
        let files = &self.in_files[number];
        let at = files.binary_search_by_key(&(file as u32), |(file, _)| *file);
        Occurrences {
            in_file: at.map_or([0; 2], |at| files[at].1),
            anywhere: self.anywhere[number],
        }
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
        let tokens = windows.tokens.iter().flatten().map(|token| token.0);
        let distinct = tokens.max().map_or(0, |highest| highest as usize + 1);
        let mut of_token = vec![UNSEEN; distinct];
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

impl Words {
    pub fn new(windows: &Windows<'_>) -> Self {
        let mut words = Self {
            numbers: Interner::with_capacity(windows.lines[0].len() * 2),
            files: Vec::new(),
        };
        let mut found = Vec::new();
        for line in windows.lines.iter().flatten() {
            found.clear();
            features(line, &mut found);
            words.insert(&found);
        }
        for (file, view) in windows.files.iter().enumerate() {
            // Outside windows both sides are equal.
            let known = view.contents.as_ref().filter(|_| !windows.sifted);
            let sides = if known.is_some() { 0..1 } else { 0..2 };
            let of_windows = windows.list[view.windows.clone()]
                .iter()
                .flat_map(|window| {
                    let of = |side: usize| {
                        let of = &window.elements[side];
                        &windows.lines[side][of.start as usize..of.end as usize]
                    };
                    sides.clone().flat_map(of).copied()
                });
            let of_file = known.iter().flat_map(|[_, new]| {
                let lines = 0..new.len();
                lines.map(|i| new.get(i))
            });
            for line in of_windows.chain(of_file) {
                found.clear();
                features(line, &mut found);
                words.count(&found, file as u32);
            }
        }
        words
    }

    fn insert(&mut self, words: &[u64]) {
        for word in words {
            let number = self.numbers.intern(*word, |_| true);
            if number.0 as usize == self.files.len() {
                self.files.push((0, NOWHERE));
            }
        }
    }

    fn count(&mut self, words: &[u64], file: u32) {
        for word in words {
            let Some(number) = self.numbers.find(*word) else {
                continue;
            };
            let (count, last) = &mut self.files[number.0 as usize];
            if *last != file {
                *last = file;
                *count += 1;
            }
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
