//! A score as the JSON of `mvdiff score` has it.

use super::{BlockShare, Options, PairShare, Score, Scorer, SlotShare};
use crate::{Edits, Error, Variant, Variants};
use serde::Serialize;

/// What `mvdiff score --format json` prints: see docs/schemas/score.json.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreReport {
    /// `mvdiff.score/1`
    pub schema: &'static str,
    /// The score and its parts.
    #[serde(flatten)]
    pub score: Score,
    /// What was counted, and how.
    pub signature: String,
    /// What a prediction that changes nothing would earn.
    pub noop: f64,
    /// The scores beside it that were asked for.
    #[serde(flatten)]
    pub variants: Variants,
    /// Where the score comes from, if that was asked for.
    #[serde(flatten)]
    pub shares: Option<Shares>,
}

/// Where a score comes from; see [`Explanation`](super::Explanation).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shares {
    /// The stretches of the base that either edit changed.
    pub blocks: Vec<BlockShare>,
    /// The places where either edit inserted lines.
    pub slots: Vec<SlotShare>,
    /// The lines that earned something.
    pub pairs: Vec<PairShare>,
}

impl ScoreReport {
    /// Scores two edits of one text, with the variants `wanted`, and explains it
    /// if `explain` is set.
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
