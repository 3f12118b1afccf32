//! Selects the files to compare line by line, and states them as a problem.

use super::pairs::{Pair, Pairs};
use super::{Entry, TreeOptions, Trees};
use crate::{Error, LineProblem, Note};
use mvdiff_core::{Guard, Outcome, Side};
use std::ops::Range;

/// Most ambiguous blocks listed individually; further ones are only counted.
const TOLD: usize = 100;

/// How a pair is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    /// Line by line, together with all others: indices among the texts.
    Lines {
        old: Option<usize>,
        new: Option<usize>,
    },
    /// Line by line, on its own.
    Link,
    /// As a whole, with a difference.
    Whole,
    /// Not at all: the bytes are equal.
    Same,
}

impl Comparison {
    /// How to compare a pair. The caller assigns the indices.
    pub(super) fn of(trees: &Trees<'_>, pair: Pair) -> Self {
        let (old, new) = pair.entries(trees);
        let mut either = old.into_iter().chain(new);
        match (old, new) {
            (Some(old), Some(new)) if old.bytes == new.bytes => Self::Same,
            _ if either.clone().any(|entry| entry.binary) => Self::Whole,
            _ if either.any(Entry::is_link) => Self::Link,
            _ => Self::Lines {
                old: None,
                new: None,
            },
        }
    }
}

/// The files to compare line by line, sorted by path.
pub(super) struct Texts {
    /// How each pair is compared.
    pub kinds: Vec<Comparison>,
    /// Entries of the old tree.
    pub old: Vec<usize>,
    /// Entries of the new tree.
    pub new: Vec<usize>,
}

impl Texts {
    pub(super) fn new(trees: &Trees<'_>, pairs: &[Pair]) -> Self {
        let mut kinds: Vec<Comparison> = pairs
            .iter()
            .map(|pair| Comparison::of(trees, *pair))
            .collect();
        let texts = |end: fn(&Pair) -> Option<usize>| {
            let lines = pairs.iter().zip(&kinds);
            let lines = lines.filter(|(_, kind)| matches!(kind, Comparison::Lines { .. }));
            let mut texts: Vec<usize> = lines.filter_map(|(pair, _)| end(pair)).collect();
            texts.sort_unstable();
            texts
        };
        let (old, new) = (texts(|pair| pair.old), texts(|pair| pair.new));
        for (pair, kind) in pairs.iter().zip(&mut kinds) {
            let number = |texts: &[usize], entry: Option<usize>| {
                entry.and_then(|entry| texts.binary_search(&entry).ok())
            };
            if let Comparison::Lines { .. } = kind {
                *kind = Comparison::Lines {
                    old: number(&old, pair.old),
                    new: number(&new, pair.new),
                };
            }
        }
        Self { kinds, old, new }
    }

    /// All texts as one problem, in which lines can move between texts.
    pub(super) fn problem<'t>(
        &self,
        trees: &Trees<'t>,
        options: &TreeOptions,
    ) -> Result<LineProblem<'t>, Error> {
        let bytes = |entries: &[Entry<'t>], texts: &[usize]| -> Vec<&'t [u8]> {
            texts.iter().map(|text| entries[*text].bytes).collect()
        };
        let (old, new) = (bytes(&trees.old, &self.old), bytes(&trees.new, &self.new));
        let partners = self.kinds.iter().filter_map(|kind| match *kind {
            Comparison::Lines {
                old: Some(old),
                new: Some(new),
            } => Some((old as u32, new as u32)),
            _ => None,
        });
        let mut partners: Vec<(u32, u32)> = partners.collect();
        partners.sort_unstable();
        LineProblem::of_files_ignoring(&old, &new, partners, options.ignore)
    }

    /// Notes on the engine's result.
    pub(super) fn notes(
        &self,
        trees: &Trees<'_>,
        problem: &LineProblem<'_>,
        outcome: &Outcome,
    ) -> Vec<Note> {
        let place = |side: Side, range: &Range<u32>| {
            let (file, line) = problem.place(side, range.start);
            let entry = match side {
                Side::Old => &trees.old[self.old[file]],
                Side::New => &trees.new[self.new[file]],
            };
            let (path, first) = (String::from_utf8_lossy(&entry.path), line + 1);
            match range.len() {
                0 | 1 => format!("{path}:{first}"),
                len => format!("{path}:{first}-{}", first + len - 1),
            }
        };
        let move_of = |(old, new): (&Range<u32>, &Range<u32>)| {
            format!("{} -> {}", place(Side::Old, old), place(Side::New, new))
        };
        let mut notes = crate::report::budget_notes(outcome);
        let refusals = outcome.refusals().iter();
        let ambiguous: Vec<_> = refusals.filter(|r| r.guard == Guard::Ambiguous).collect();
        for refusal in ambiguous.iter().take(TOLD) {
            let rival = refusal.rival.as_ref();
            let rival = rival.map_or_else(String::new, |(old, new)| {
                format!(" and {}", move_of((old, new)))
            });
            let one = move_of((&refusal.old, &refusal.new));
            notes.push(Note {
                kind: "ambiguous".into(),
                message: format!("{one}{rival} are as good as each other: not called a move"),
            });
        }
        if let Some(more) = ambiguous.len().checked_sub(TOLD).filter(|more| *more > 0) {
            notes.push(Note {
                kind: "ambiguous".into(),
                message: format!("{more} more blocks could have come from several places"),
            });
        }
        notes
    }
}

impl Pairs {
    /// Notes on the pairing of files.
    pub(super) fn notes(&self) -> Vec<Note> {
        let spent = self.spent.then(|| Note {
            kind: "budget".into(),
            message: "too many files went and came to compare them all (rename_steps): \
                      some renamed ones may be shown as removed and added"
                .into(),
        });
        spent.into_iter().collect()
    }
}
