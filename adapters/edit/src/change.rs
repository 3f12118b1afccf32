//! What a block changes: which of its lines stay, and which became which.

use crate::problem::{LineProblem, SAME_LINE};
use mvdiff_core::{Options, Relation, Script};
use std::ops::Range;

/// The two sides of a block, line by line.
pub(crate) struct Change {
    /// For each line to look for the new line that it is, unchanged.
    pub kept: Vec<Option<usize>>,
    /// For each line to look for the new line that is an edit of it.
    pub became: Vec<Option<usize>>,
    /// For each new line the line that it was, if it is an edit of one or is
    /// where one went.
    pub was: Vec<Option<usize>>,
}

/// Lines that go and lines that come, between two that stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

impl Change {
    pub(crate) fn new(search: &[Vec<u8>], replace: &[Vec<u8>]) -> Self {
        let mut change = Self {
            kept: vec![None; search.len()],
            became: vec![None; search.len()],
            was: vec![None; replace.len()],
        };
        // Most blocks begin and end with lines that stay.
        let head = search.iter().zip(replace).take_while(|(a, b)| a == b);
        let head = head.count();
        let rest = search.len().min(replace.len()) - head;
        let tail = search.iter().rev().zip(replace.iter().rev()).take(rest);
        let tail = tail.take_while(|(a, b)| a == b).count();
        for old in 0..head {
            change.kept[old] = Some(old);
        }
        for behind in 1..=tail {
            change.kept[search.len() - behind] = Some(replace.len() - behind);
        }
        let (old, new) = (head..search.len() - tail, head..replace.len() - tail);
        if !old.is_empty() && !new.is_empty() {
            change.compare((search, old), (replace, new));
        }
        change.pair_equals();
        change
    }

    /// The same, where it is known which lines stay.
    pub(crate) fn with_kept(
        search: &[Vec<u8>],
        replace: &[Vec<u8>],
        kept: &[(usize, usize)],
    ) -> Self {
        let mut change = Self {
            kept: vec![None; search.len()],
            became: vec![None; search.len()],
            was: vec![None; replace.len()],
        };
        for (old, new) in kept.iter().copied() {
            if search.get(old) == replace.get(new) && old < search.len() {
                change.kept[old] = Some(new);
            }
        }
        for Hunk { old, new } in change.hunks() {
            if !old.is_empty() && !new.is_empty() {
                change.compare((search, old), (replace, new));
            }
        }
        change.pair_equals();
        change
    }

    /// Compares what lies between lines that stay.
    fn compare(
        &mut self,
        (search, own): (&[Vec<u8>], Range<usize>),
        (replace, coming): (&[Vec<u8>], Range<usize>),
    ) {
        let (first_old, first_new) = (own.start, coming.start);
        let problem = LineProblem::of_bytes(&search[own], &replace[coming]);
        let options = Options::default().with(|o| {
            o.moves = false;
            o.edit_similarity = SAME_LINE;
        });
        let script = mvdiff_core::diff(&problem, &options).map(|diff| diff.script);
        for run in script.iter().flat_map(Script::runs) {
            for i in 0..run.len as usize {
                let old = first_old + run.old as usize + i;
                let new = first_new + run.new as usize + i;
                match run.relation {
                    Relation::Same { .. } => self.kept[old] = Some(new),
                    Relation::Edited { .. } => {
                        self.became[old] = Some(new);
                        self.was[new] = Some(old);
                    }
                }
            }
        }
    }

    /// Where as many lines went as came, they correspond one by one.
    fn pair_equals(&mut self) {
        for Hunk { old, new } in self.hunks() {
            if old.len() == new.len() {
                for (old, new) in old.zip(new) {
                    self.was[new].get_or_insert(old);
                }
            }
        }
    }

    /// For each new line whether it is an old one, unchanged.
    pub(crate) fn stays(&self) -> Vec<bool> {
        let mut stays = vec![false; self.was.len()];
        for new in self.kept.iter().flatten() {
            stays[*new] = true;
        }
        stays
    }

    /// What changes, in order.
    pub(crate) fn hunks(&self) -> Vec<Hunk> {
        let mut hunks = Vec::new();
        let (mut old, mut new) = (0, 0);
        let kept = self.kept.iter().enumerate();
        let kept = kept.filter_map(|(old, new)| Some((old, (*new)?)));
        for (to_old, to_new) in kept.chain([(self.kept.len(), self.was.len())]) {
            if to_old > old || to_new > new {
                hunks.push(Hunk {
                    old: old..to_old,
                    new: new..to_new,
                });
            }
            (old, new) = (to_old + 1, to_new + 1);
        }
        hunks
    }
}
