//! Variants of Text-IoU, reported under names of their own, never in its place.

mod moved;
mod place;
mod problem;

pub use moved::MoveAware;

use crate::lines::Triple;
use crate::{Edits, Error, Options, Score, Scorer};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A variant of Text-IoU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variant {
    /// The mean over both orders of the edits, on which Text-IoU depends.
    Symmetric,
    /// The score relative to a prediction that changes nothing.
    NoopAdjusted,
    /// Treats a block that both edits moved as a unit, with credit for content
    /// and place.
    MoveAware,
}

impl Variant {
    /// All variants.
    pub const ALL: [Self; 3] = [Self::Symmetric, Self::NoopAdjusted, Self::MoveAware];
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Symmetric => "symmetric",
            Self::NoopAdjusted => "noop-adjusted",
            Self::MoveAware => "move-aware",
        })
    }
}

impl FromStr for Variant {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL
            .into_iter()
            .find(|variant| variant.to_string() == name);
        found.ok_or_else(|| {
            format!("no variant {name}; there are symmetric, noop-adjusted and move-aware")
        })
    }
}

/// The requested variants.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Variants {
    /// The mean over both orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetric: Option<Symmetric>,
    /// The score relative to a prediction that changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noop_adjusted: Option<NoopAdjusted>,
    /// The score with blocks that both moved as units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_aware: Option<MoveAware>,
}

/// The mean over both orders.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Symmetric {
    /// The mean.
    pub score: f64,
    /// Text-IoU as given.
    pub a_b: f64,
    /// Text-IoU with the two edits swapped.
    pub b_a: f64,
}

/// The score relative to a prediction that changes nothing.
///
/// With similarity on, untouched lines are often similar to the expected ones. If
/// the base itself scores `n` as `b`, the score `s` becomes `(s - n) / (1 - n)`,
/// but at least 0: changing nothing scores 0, the right edit 1. If changing
/// nothing is right (`n` = 1), it stays `s`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoopAdjusted {
    /// The adjusted score.
    pub score: f64,
    /// The score of a prediction that changes nothing.
    pub noop: f64,
}

impl NoopAdjusted {
    fn new(score: f64, noop: f64) -> Self {
        let adjusted = if noop >= 1.0 {
            score
        } else {
            (score - noop) / (1.0 - noop)
        };
        Self {
            score: adjusted.max(0.0),
            noop,
        }
    }
}

impl Scorer {
    /// The score of a prediction that changes nothing.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if a text has 4 GiB or more.
    pub fn noop(&mut self, edits: &Edits<'_>, options: &Options) -> Result<f64, Error> {
        let nothing = Edits {
            b: edits.base,
            ..*edits
        };
        Ok(self.score(&nothing, options)?.score)
    }

    /// The score of two edits, and the requested variants.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if a text has 4 GiB or more, [`Error::Core`] if it has too
    /// many lines to look for moves.
    pub fn score_with(
        &mut self,
        edits: &Edits<'_>,
        options: &Options,
        wanted: &[Variant],
    ) -> Result<(Score, Variants), Error> {
        let lines = Triple::new(edits)?;
        let score = self.score_lines(&lines, *options);
        let mut variants = Variants::default();
        if wanted.contains(&Variant::MoveAware) {
            variants.move_aware = Some(self.move_aware(&lines, *options)?);
        }
        if wanted.contains(&Variant::NoopAdjusted) {
            let noop = self.noop(edits, options)?;
            variants.noop_adjusted = Some(NoopAdjusted::new(score.score, noop));
        }
        if wanted.contains(&Variant::Symmetric) {
            let b_a = self.score_lines(&lines.swapped(), *options).score;
            let a_b = score.score;
            let score = f64::midpoint(a_b, b_a);
            variants.symmetric = Some(Symmetric { score, a_b, b_a });
        }
        Ok((score, variants))
    }
}
