//! Steps taken, candidates refused and why, and budgets exhausted.

use std::ops::Range;

/// A step of the search that contributed to the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Strategy {
    /// Elements unique on both sides anchored the alignment.
    UniqueAnchors,
    /// Runs of several elements anchored it where single ones repeat.
    RunAnchors,
    /// A bounded diff finished a gap.
    GapDiff,
    /// Edited elements were paired in place.
    EditsInPlace,
    /// Moves were found on exact identity.
    ExactMoves,
    /// Moves were found on a coarser identity.
    CoarseMoves,
    /// Moves were found among repeated elements.
    RepeatedMoves,
    /// Moves were found by features.
    FuzzyMoves,
    /// The other of two equal neighbours was kept, to complete a move.
    Reseated,
    /// Light kept elements inside a move were released for it.
    Released,
    /// Copies were searched.
    Copies,
}

/// A rule that prevents a candidate from being reported as a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Guard {
    /// It is not informative enough to rule out a coincidence.
    LittleEvidence,
    /// Its elements are repeated too often to start a move; the first such
    /// element is listed.
    Repetition,
    /// Another candidate is as good.
    Ambiguous,
    /// Too much of it was rewritten.
    Rewritten,
}

/// A candidate that was not reported as a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The rule that applied.
    pub guard: Guard,
    /// Old elements of the candidate.
    pub old: Range<u32>,
    /// New elements of the candidate.
    pub new: Range<u32>,
    /// The candidate that is as good, for [`Guard::Ambiguous`].
    pub rival: Option<(Range<u32>, Range<u32>)>,
}

/// A work budget that was exhausted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Limit {
    /// [`Budget::gap_area`](crate::Budget::gap_area)
    GapArea,
    /// [`Budget::edit_area`](crate::Budget::edit_area)
    EditArea,
    /// [`Budget::feature_pairs`](crate::Budget::feature_pairs)
    FeaturePairs,
    /// [`Budget::candidates`](crate::Budget::candidates)
    Candidates,
    /// [`Budget::featured`](crate::Budget::featured)
    Featured,
}

/// How the answer was found. An answer coarser than requested is never silent:
/// see [`is_complete`](Self::is_complete).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    strategies: Vec<Strategy>,
    limits: Vec<Limit>,
    refusals: Vec<Refusal>,
    refused: Vec<(Guard, u64)>,
}

/// Most refusals listed individually; further ones are only counted.
const LISTED: usize = 1000;

impl Outcome {
    /// The steps that contributed, each once.
    #[must_use]
    pub fn strategies(&self) -> &[Strategy] {
        &self.strategies
    }

    /// The exhausted budgets, each once.
    #[must_use]
    pub fn limits(&self) -> &[Limit] {
        &self.limits
    }

    /// Whether no budget was exhausted.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.limits.is_empty()
    }

    /// Candidates that a guard refused; at most 1,000 are listed.
    #[must_use]
    pub fn refusals(&self) -> &[Refusal] {
        &self.refusals
    }

    /// Number of candidates that a guard refused.
    #[must_use]
    pub fn count_refused(&self, guard: Guard) -> u64 {
        let found = self.refused.iter().find(|(g, _)| *g == guard);
        found.map_or(0, |&(_, count)| count)
    }

    pub(crate) fn ran(&mut self, strategy: Strategy) {
        if let Err(at) = self.strategies.binary_search(&strategy) {
            self.strategies.insert(at, strategy);
        }
    }

    pub(crate) fn spent(&mut self, limit: Limit) {
        if let Err(at) = self.limits.binary_search(&limit) {
            self.limits.insert(at, limit);
        }
    }

    pub(crate) fn refuse(
        &mut self,
        guard: Guard,
        (old, new): (Range<u32>, Range<u32>),
        rival: Option<(Range<u32>, Range<u32>)>,
    ) {
        match self.refused.iter_mut().find(|(g, _)| *g == guard) {
            Some((_, count)) => *count += 1,
            None => self.refused.push((guard, 1)),
        }
        let refusal = Refusal {
            guard,
            old,
            new,
            rival,
        };
        // Two searches may find the same candidate; the list is short.
        if self.refusals.len() < LISTED && !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
    }
}

/// Evidence for a move: the components of its confidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// Weight that survived, discounted where it is repeated.
    pub weight: f32,
    /// Grows with the surviving weight `w` as `w / (w + 1)`.
    pub size: f32,
    /// Mean of 1 / (occurrences among the leftovers) over its elements.
    pub uniqueness: f32,
    /// 1 when all its pairs lie on one diagonal, less the more they drift.
    pub consistency: f32,
    /// 1 across segments; within one, less for ends that nearly touch.
    pub distance: f32,
    /// Distance to the next best candidate, 0 to 1; 1 without one.
    pub margin: f32,
    /// The next best candidate for the same elements, if there is one.
    pub runner_up: Option<(Range<u32>, Range<u32>)>,
}

impl Evidence {
    /// A single number in 0..=1, for sorting and display.
    #[must_use]
    pub fn confidence(&self) -> f32 {
        // A rival halves the confidence at most: an ambiguous move is refused.
        self.size
            * self.uniqueness.sqrt()
            * self.consistency
            * self.distance
            * (0.5 + self.margin / 2.0)
    }

    pub(crate) fn invert(&self) -> Self {
        let runner_up = self.runner_up.clone().map(|(old, new)| (new, old));
        Self {
            runner_up,
            ..self.clone()
        }
    }
}
