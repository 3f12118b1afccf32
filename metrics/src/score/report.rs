//! The report of a score, in the form of the JSON of `mvdiff score`.

use super::{BlockShare, Options, PairShare, Score, Scorer, SlotShare};
use crate::{Edits, Error, Variant, Variants};
use serde::Serialize;

/// The output of `mvdiff score --format json`: see docs/schemas/score.json.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreReport {
    /// `mvdiff.score/1`
    pub schema: &'static str,
    /// The score and its parts.
    #[serde(flatten)]
    pub score: Score,
    /// What was counted, and how.
    pub signature: String,
    /// The score of a prediction that changes nothing.
    pub noop: f64,
    /// The requested variants.
    #[serde(flatten)]
    pub variants: Variants,
    /// The explanation of the score, if requested.
    #[serde(flatten)]
    pub shares: Option<Shares>,
}

/// The explanation of a score; see [`Explanation`](super::Explanation).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shares {
    /// The stretches of the base that either edit changed.
    pub blocks: Vec<BlockShare>,
    /// The places where either edit inserted lines.
    pub slots: Vec<SlotShare>,
    /// The lines that contributed.
    pub pairs: Vec<PairShare>,
}

impl ScoreReport {
    /// Scores two edits of one text, with the variants `wanted`, and explains the
    /// score if `explain` is set.
    ///
    /// # Errors
    /// As [`Scorer::score_with`].
    pub fn new(
        edits: &Edits<'_>,
        options: &Options,
        wanted: &[Variant],
        explain: bool,
    ) -> Result<Self, Error> {
        let mut scorer = Scorer::default();
        let (score, variants) = scorer.score_with(edits, options, wanted)?;
        let shares = if explain {
            let found = scorer.explain(edits, options)?;
            Some(Shares {
                blocks: found.blocks,
                slots: found.slots,
                pairs: found.pairs,
            })
        } else {
            None
        };
        Ok(Self {
            schema: "mvdiff.score/1",
            score,
            signature: options.signature(),
            noop: scorer.noop(edits, options)?,
            variants,
            shares,
        })
    }
}
