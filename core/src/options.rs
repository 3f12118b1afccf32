//! What counts as a move, and how much work may be spent on finding out.

use crate::Error;

/// Plain data: public fields, a `Default`, no builder.
///
/// Weights are in units of [`Problem::weight`](crate::Problem::weight), where
/// 1.0 is an ordinary element.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Look for moves at all. Default true.
    pub moves: bool,
    /// Pair edited elements where they stand. The plain view needs it not.
    /// Default true.
    pub edits: bool,
    /// Look for copies of what still stands in old. Default false.
    pub copies: bool,
    /// Least likeness of a move: the share of its weight that survives in
    /// place. At 1.0 only exact moves are left. Default 0.80.
    pub threshold: f32,
    /// Least likeness of a move that unedited elements hold, if that is less
    /// than `threshold` and that is not 1.0: half of a function may be rewritten
    /// while it moves. Default 1.0.
    pub held_threshold: f32,
    /// How many unmatched elements in a row a move may contain, on each side; 64
    /// at most. Default 3.
    pub gap: u32,
    /// Guard: least weight of a move of several elements. Default 0.75 (git's
    /// `--color-moved` wants 20 letters or digits, VS Code 15).
    pub min_weight: f32,
    /// Guard: least weight of a move of one element. Default 1.0.
    pub min_lone_weight: f32,
    /// Guard: least weight of a move of one element that went no farther than
    /// `near`: lines are swapped with their neighbours more often than they
    /// recur there by chance. Default 0.5.
    pub min_near_weight: f32,
    /// Guard: least weight of a move that stands among other elements that went
    /// or came, on at least two of its four ends. Default 0.
    pub min_embedded_weight: f32,
    /// How many elements away is near. Default 8.
    pub near: u32,
    /// Guard: an element that occurs more often than this among what is left
    /// of a side seeds no move. Default 8.
    pub max_repeat: u32,
    /// Guard: a move whose runner-up scores at least this share of its own
    /// score is ambiguous and not guessed. Default 0.95.
    pub ambiguity: f32,
    /// Guard: where a whole deleted run and a whole inserted run of the same
    /// length face each other, less surviving weight than this share makes
    /// them rewritten, not moved. Default 0.80.
    pub min_survival: f32,
    /// Least likeness of two elements called one element, edited. Default 0.55.
    pub edit_likeness: f32,
    /// How many times `min_weight` a copy needs. Default 3.0: new text that
    /// resembles old text is common.
    pub copy_factor: f32,
    /// A kept run lighter than this inside a moved region may be given up for
    /// the move. Default 0.5.
    pub light: f32,
    /// What leaving the spine costs, in elements: of two ways to explain an
    /// order, fewer moves win unless this many more elements stay. Default 2.
    pub leave_price: u32,
    /// How much the elements of an edited block count when it is weighed
    /// against what it would have to pass: a block that was edited is likelier
    /// to be the one that was moved. At 1.0 the larger block always stays.
    /// Default 1.0.
    pub edited_pull: f32,
    /// Budgets, all of them counts.
    pub budget: Budget,
}

/// How much work may be spent, in counts that do not depend on the machine.
///
/// A spent budget makes the answer coarser, never wrong, and the
/// [`Outcome`](crate::Outcome) names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Largest area (old elements x new elements) of a gap without anchors that
    /// is diffed as a whole; larger ones are cut into tiles. Default 2^20.
    pub gap_area: u64,
    /// Largest area of a gap in which every pair is tried as an edit in place;
    /// in larger ones only the pairs near the diagonal are. Default 4,096.
    pub edit_area: u64,
    /// Candidate pairs that features may propose in all. Default 2^21.
    pub feature_pairs: u64,
    /// Candidate blocks that repeated elements may seed in all. Default 2^20.
    pub candidates: u64,
    /// Elements whose features are looked at. Default 2^20.
    pub featured: u64,
}

/// What lies farther apart is two moves.
pub(crate) const MOST_GAP: u32 = 64;

impl Default for Options {
    fn default() -> Self {
        Self {
            moves: true,
            edits: true,
            copies: false,
            threshold: 0.80,
            held_threshold: 1.0,
            gap: 3,
            min_weight: 0.75,
            min_lone_weight: 1.0,
            min_near_weight: 0.5,
            min_embedded_weight: 0.0,
            near: 8,
            max_repeat: 8,
            ambiguity: 0.95,
            min_survival: 0.80,
            edit_likeness: 0.55,
            copy_factor: 3.0,
            light: 0.5,
            leave_price: 2,
            edited_pull: 1.0,
            budget: Budget::default(),
        }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            gap_area: 1 << 20,
            edit_area: 4096,
            feature_pairs: 1 << 21,
            candidates: 1 << 20,
            featured: 1 << 20,
        }
    }
}

impl Options {
    /// Least likeness of a move that unedited elements hold.
    #[must_use]
    pub fn least_held(&self) -> f32 {
        if self.threshold >= 1.0 {
            return self.threshold;
        }
        self.threshold.min(self.held_threshold)
    }

    /// Refuses shares outside 0..=1 and weights that are no numbers.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let shares = [
            ("threshold", self.threshold),
            ("held_threshold", self.held_threshold),
            ("ambiguity", self.ambiguity),
            ("min_survival", self.min_survival),
            ("edit_likeness", self.edit_likeness),
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
        let weights = [
            ("min_weight", self.min_weight),
            ("min_lone_weight", self.min_lone_weight),
            ("min_near_weight", self.min_near_weight),
            ("min_embedded_weight", self.min_embedded_weight),
            ("copy_factor", self.copy_factor),
            ("light", self.light),
        ];
        for (name, value) in weights {
            if !(0.0..=f32::MAX).contains(&value) {
                return Err(Error::OptionOutOfRange { name, range: "0.." });
            }
        }
        Ok(())
    }
}
