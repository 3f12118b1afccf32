//! Options: what counts as a move, and how much work the search may do.

use crate::Error;

/// Plain data: start from a preset and change fields.
///
/// Weights are in units of [`Problem::weight`](crate::Problem::weight), where
/// 1.0 is an ordinary element.
///
/// ```
/// use mvdiff_core::Options;
///
/// let exact = Options::text().with(|o| o.threshold = 1.0);
/// assert!(exact.moves && exact.twins);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own, named where it is set"
)]
pub struct Options {
    /// Look for moves at all. Default true.
    pub moves: bool,
    /// Pair edited elements where they are. Not needed for the plain view.
    /// Default true.
    pub edits: bool,
    /// Look for copies of blocks that are still in old, and for equal blocks that
    /// were merged into one. Default false.
    pub copies: bool,
    /// Least similarity of a move: the share of its weight that survives in
    /// place. At 1.0 only exact moves are left. Default 0.80.
    pub threshold: f32,
    /// Least similarity of a move that unedited elements hold at both ends.
    /// Applies if it is less than `threshold` and `threshold` is not 1.0. At 1.0
    /// a block of rows rewritten in place is not a move either. Default 1.0.
    pub held: f32,
    /// How many unmatched elements in a row the edge of a move may pass over, on
    /// each side; 64 at most. Default 3.
    pub gap: u32,
    /// How many may lie between two unedited parts of a move, on each side; 64
    /// at most, and never less than `gap`. Default 3.
    pub reach: u32,
    /// Cost of reporting a move: a less informative block is shown as deleted and
    /// inserted. Default 0.75 (git's `--color-moved` requires 20 letters or
    /// digits, VS Code 15).
    pub announce: f32,
    /// Additional cost if the block lies among other changes at both places: new
    /// text shares elements with any old text by chance. Half of it within one
    /// file. Default 0.
    pub embedded: f32,
    /// How much the elements of an edited block count against the elements it
    /// would have to pass: of two blocks, an edited one is more likely to have
    /// moved. At 1.0 the larger block always stays. Default 1.0.
    pub edited_pull: f32,
    /// Least similarity of two elements paired as an edit. Default 0.55.
    pub edit_similarity: f32,
    /// Guard: an element that occurs more often than this among the unmatched
    /// elements of a side does not start a move. Default 8.
    pub max_repeat: u32,
    /// If several equal blocks could be the other end of a move, pick one and
    /// list the others, instead of refusing to guess. Default false.
    pub twins: bool,
    /// Work budgets, all of them counts.
    pub budget: Budget,
}

/// Limits on the work, in counts that do not depend on the machine.
///
/// An exhausted budget makes the answer coarser, never wrong, and the
/// [`Outcome`](crate::Outcome) names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Largest area (old elements x new elements) of a gap without anchors that
    /// is diffed as a whole; larger ones are cut into tiles. Default 2^24.
    pub gap_area: u64,
    /// Largest area of a gap in which every pair is tried as an edit in place;
    /// in larger ones only the pairs near the diagonal are. Default 4,096.
    pub edit_area: u64,
    /// Most candidate pairs that features may propose. Default 2^21.
    pub feature_pairs: u64,
    /// Most candidate blocks that repeated elements may propose. Default 2^20.
    pub candidates: u64,
    /// Most elements whose features are examined. Default 2^20.
    pub featured: u64,
}

/// Parts that lie farther apart are two moves.
pub(crate) const MOST_GAP: u32 = 64;

impl Default for Options {
    fn default() -> Self {
        Self {
            moves: true,
            edits: true,
            copies: false,
            threshold: 0.80,
            held: 1.0,
            gap: 3,
            reach: 3,
            announce: 0.75,
            embedded: 0.0,
            edited_pull: 1.0,
            edit_similarity: 0.55,
            max_repeat: 8,
            twins: false,
            budget: Budget::default(),
        }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            gap_area: 1 << 24,
            edit_area: 4096,
            feature_pairs: 1 << 21,
            candidates: 1 << 20,
            featured: 1 << 20,
        }
    }
}

impl Options {
    /// For lines of text. A block with half of its lines rewritten is still a move if the
    /// other lines are informative enough, and of two blocks that changed places the
    /// edited one moved (of moves in public commits, 43 % contain an edited line). A
    /// single line that passes its neighbours needs nine letters or digits, as in
    /// `function a() {}`.
    #[must_use]
    pub fn text() -> Self {
        Self {
            twins: true,
            reach: 20,
            held: 0.5,
            embedded: 1.5,
            edited_pull: 0.25,
            ..Self::default()
        }
    }

    /// For rows and columns of cells. Half of a row's cells are enough to call it the same
    /// row where it is: two cells are a row, too, and one of them may be edited. A row that
    /// occurs once on both sides is hardly there by chance, so less weight is enough for it
    /// to have moved than for a line of text.
    #[must_use]
    pub fn grid() -> Self {
        Self {
            edit_similarity: 0.5,
            announce: 0.25,
            budget: Budget {
                edit_area: 1 << 18,
                ..Budget::default()
            },
            ..Self::default()
        }
    }

    /// These options, changed.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Least similarity of a move that unedited elements hold at both ends.
    #[must_use]
    pub fn least_held(&self) -> f32 {
        if self.threshold >= 1.0 {
            return self.threshold;
        }
        self.threshold.min(self.held)
    }

    /// Rejects shares outside 0..=1 and weights that are negative or not finite.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let shares = [
            ("threshold", self.threshold),
            ("held", self.held),
            ("edit_similarity", self.edit_similarity),
            ("edited_pull", self.edited_pull),
        ];
        for (name, value) in shares {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::OptionOutOfRange {
                    name,
                    range: "0..=1",
                });
            }
        }
        let weights = [("announce", self.announce), ("embedded", self.embedded)];
        for (name, value) in weights {
            if !(0.0..=f32::MAX).contains(&value) {
                return Err(Error::OptionOutOfRange { name, range: "0.." });
            }
        }
        Ok(())
    }
}
