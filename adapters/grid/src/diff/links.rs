//! Other workbooks that formulas name: known by the file, not by the number.

use crate::report::DiffReport;
use crate::workbook_map::WorkbookMap;
use crate::{Aspect, Note, Options};
use std::collections::HashSet;

/// Which link of the old workbook is which of the new one.
pub(crate) struct Links<'w> {
    old: &'w [String],
    new: &'w [String],
    /// Indices, old and new.
    pairs: Vec<(usize, usize)>,
}

impl<'w> Links<'w> {
    /// Links are one if they name the same path, else the same file, else if they
    /// have the same number.
    pub fn new(old: &'w [String], new: &'w [String]) -> Self {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let file = |path: &str| {
            let end = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
            path[end..].to_lowercase()
        };
        let rules: [&dyn Fn(usize, usize) -> bool; 3] = [
            &|o, n| old[o] == new[n],
            &|o, n| file(&old[o]) == file(&new[n]),
            &|o, n| o == n,
        ];
        let (mut used, mut taken) = (HashSet::new(), HashSet::new());
        for same in rules {
            for o in (0..old.len())
                .filter(|o| !used.contains(o))
                .collect::<Vec<_>>()
            {
                let free = (0..new.len()).find(|n| !taken.contains(n) && same(o, *n));
                if let Some(n) = free {
                    used.insert(o);
                    taken.insert(n);
                    pairs.push((o, n));
                }
            }
        }
        pairs.sort_unstable();
        Self { old, new, pairs }
    }

    /// Lets formulas know.
    pub fn renumber(&self, workbook_map: &mut WorkbookMap, back: &mut WorkbookMap) {
        let (there, here) = (self.numbers(), self.numbers_back());
        workbook_map.renumber(there.into_iter().map(|[old, new]| (old, new)));
        back.renumber(here.into_iter().map(|[new, old]| (new, old)));
    }

    /// New numbers where they are not the old ones; 0 for a link that is gone and
    /// whose number another has.
    fn numbers(&self) -> Vec<[u32; 2]> {
        let pair = |o: usize| {
            self.pairs
                .iter()
                .find(|pair| pair.0 == o)
                .map(|pair| pair.1)
        };
        changed(self.old.len(), self.new.len(), pair)
    }

    fn numbers_back(&self) -> Vec<[u32; 2]> {
        let pair = |n: usize| {
            self.pairs
                .iter()
                .find(|pair| pair.1 == n)
                .map(|pair| pair.0)
        };
        changed(self.new.len(), self.old.len(), pair)
    }

    /// Puts into the report what formulas need and people want to know.
    pub fn tell(&self, options: &Options, report: &mut DiffReport) {
        report.links = self.numbers();
        if options.ignore.contains(&Aspect::Links) {
            return;
        }
        for &(o, n) in &self.pairs {
            if self.old[o] != self.new[n] {
                let message = format!(
                    "formulas with [{}] name the workbook {:?} instead of {:?}",
                    n + 1,
                    self.new[n],
                    self.old[o]
                );
                report.notes.push(Note {
                    what: Some(Aspect::Links.as_str().to_owned()),
                    ..Note::new("part", message)
                });
            }
        }
    }
}

fn changed(count: usize, others: usize, pair: impl Fn(usize) -> Option<usize>) -> Vec<[u32; 2]> {
    let number = |at: usize| at as u32 + 1;
    let all = (0..count).filter_map(|at| match pair(at) {
        Some(to) => (to != at).then(|| [number(at), number(to)]),
        None => (at < others).then(|| [number(at), 0]),
    });
    all.collect()
}
