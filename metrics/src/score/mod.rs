//! The score: the lines that either edit changed, and the share that both changed
//! alike.

mod explain;
mod report;
mod similarity;
mod union;

pub use explain::{BlockShare, Explanation, PairShare, SlotShare};
pub use report::{ScoreReport, Shares};
pub(crate) use similarity::ratio;

use crate::difflib::{Matcher, Opcode, Tag};
use crate::lines::{Lines, Triple};
use crate::{Edits, Error};
use mvdiff_core::Token;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How lines are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether two opposite lines earn their similarity. Otherwise they earn 1 if
    /// they are equal, else 0. Default true.
    pub similarity: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { similarity: true }
    }
}

/// Version of the metric, incremented only when a score would change.
const VERSION: u32 = 1;

impl Options {
    /// Identifies the metric, the comparison of lines, the splitting into lines,
    /// and the version. Scores are comparable only if their signatures are equal.
    ///
    /// ```
    /// let signature = mvdiff_metrics::Options::default().signature();
    /// assert_eq!(signature, "text-iou|lev:yes|tok:splitlines-nonblank|version:1");
    /// ```
    #[must_use]
    pub fn signature(&self) -> String {
        let lev = if self.similarity { "yes" } else { "no" };
        format!("text-iou|lev:{lev}|tok:splitlines-nonblank|version:{VERSION}")
    }
}

/// A score and its parts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// From 0, nothing in common, to 1, the same edit.
    pub score: f64,
    /// The counts behind it.
    pub parts: Parts,
}

/// The five counts. The first two form the union, the others the intersection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Parts {
    /// Lines of the base that either edit changed, or the lines that replace
    /// them, if there are more.
    pub u_base: u64,
    /// Lines that either edit inserted.
    pub u_inserts: u64,
    /// Lines of the base that both deleted.
    pub i_base_delete: u64,
    /// Amount earned by lines that replace changed lines of the base.
    pub a_blocks: f64,
    /// Amount earned by inserted lines.
    pub a_inserts: f64,
}

impl Parts {
    /// The union: everything that either edit changed.
    #[must_use]
    pub fn union(&self) -> u64 {
        self.u_base + self.u_inserts
    }

    /// The intersection: everything that both changed alike.
    #[must_use]
    pub fn earned(&self) -> f64 {
        self.i_base_delete as f64 + self.a_blocks + self.a_inserts
    }
}

/// Scores edits, reusing its memory between calls.
///
/// ```
/// use mvdiff_metrics::{Edits, Options, Scorer};
///
/// let edits = Edits { base: "a\nb\nc\n", a: "a\nx\nc\n", b: "a\nx\nd\n" };
/// let score = Scorer::default().score(&edits, &Options { similarity: false })?;
/// assert_eq!(score.score, 0.5); // two lines changed, one of them alike
/// # Ok::<(), mvdiff_metrics::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Scorer {
    pub(crate) matcher: Matcher,
    sides: [Facing; 2],
}

/// Lines of one edit and the opposite lines of the other.
#[derive(Debug, Default)]
struct Facing {
    index: Vec<u32>,
    token: Vec<Token>,
}

impl Facing {
    fn clear(&mut self) {
        self.index.clear();
        self.token.clear();
    }

    fn push(&mut self, lines: &Lines<'_>, range: Range<u32>) {
        self.token
            .extend_from_slice(&lines.token[range.start as usize..range.end as usize]);
        self.index.extend(range);
    }
}

/// Receives the contributions to a score.
pub(crate) trait Ledger {
    /// The following calls refer to these lines of the base.
    fn block(&mut self, _base: Range<u32>, _union: u64) {}
    /// The following calls refer to lines inserted before this line of the base.
    fn slot(&mut self, _before: u32, _union: u64) {}
    /// Both edits deleted this line.
    fn deleted(&mut self, _base: u32) {}
    /// These two lines earned something.
    fn pair(&mut self, _a: u32, _b: u32, _earned: f64) {}
}

/// Ignores the contributions.
impl Ledger for () {}

impl Scorer {
    /// Scores two edits of one text.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if a text has 4 GiB or more.
    pub fn score(&mut self, edits: &Edits<'_>, options: &Options) -> Result<Score, Error> {
        Ok(self.score_lines(&Triple::new(edits)?, *options))
    }

    pub(crate) fn score_lines(&mut self, lines: &Triple<'_>, options: Options) -> Score {
        let parts = self.measure(lines, options, &mut ());
        Score::of(lines, parts)
    }

    /// Computes the score and reports its contributions to the ledger.
    pub(crate) fn measure(
        &mut self,
        lines: &Triple<'_>,
        options: Options,
        ledger: &mut impl Ledger,
    ) -> Parts {
        let Triple { base, a, b } = lines;
        let edits = [a, b].map(|edit| self.matcher.opcodes(&base.token, &edit.token));
        let mut parts = Parts::default();
        let mut targets = edits
            .each_ref()
            .map(|opcodes| union::Replacements::new(opcodes));
        for block in union::blocks(&edits) {
            let (mut union, mut deleted) = (0, 0);
            let counts = targets
                .each_mut()
                .map(|targets| targets.counts(block.clone()));
            for (a, b) in counts[0].iter().zip(counts[1]) {
                union += u64::from(*a.max(b).max(&1));
                deleted += u64::from(*a == 0 && *b == 0);
            }
            parts.u_base += union;
            parts.i_base_delete += deleted;
            ledger.block(block.clone(), union);
            if deleted > 0 {
                let both = counts[0]
                    .iter()
                    .zip(counts[1])
                    .map(|(a, b)| *a == 0 && *b == 0);
                let gone = block.clone().zip(both).filter(|(_, both)| *both);
                gone.for_each(|(line, _)| ledger.deleted(line));
            }
            for ((targets, lines), facing) in targets.iter().zip([a, b]).zip(&mut self.sides) {
                facing.clear();
                targets.each_range(block.clone(), |range| facing.push(lines, range));
            }
            parts.a_blocks += self.align(lines, options, ledger);
        }
        let inserts = edits.each_ref().map(|opcodes| inserts(opcodes));
        for (slot, ranges) in union::slots(inserts) {
            for ((range, lines), facing) in ranges.iter().zip([a, b]).zip(&mut self.sides) {
                facing.clear();
                facing.push(lines, range.clone());
            }
            let union = self.sides.iter().map(|s| s.index.len()).max().unwrap_or(0) as u64;
            parts.u_inserts += union;
            ledger.slot(slot, union);
            parts.a_inserts += self.align(lines, options, ledger);
        }
        parts
    }

    /// The amount that opposite lines earn.
    fn align(&mut self, lines: &Triple<'_>, options: Options, ledger: &mut impl Ledger) -> f64 {
        let Self {
            matcher,
            sides: [a, b],
        } = self;
        let mut sum = 0.0;
        if a.index.is_empty() || b.index.is_empty() {
            return sum;
        }
        matcher.each_opcode(&a.token, &b.token, |tag, of_a, of_b| match tag {
            Tag::Equal => {
                sum += of_a.len() as f64;
                for (i, j) in of_a.zip(of_b) {
                    ledger.pair(a.index[i as usize], b.index[j as usize], 1.0);
                }
            }
            Tag::Replace if options.similarity => {
                for (i, j) in of_a.zip(of_b) {
                    let (i, j) = (a.index[i as usize], b.index[j as usize]);
                    let earned = ratio(lines.a.text[i as usize], lines.b.text[j as usize]);
                    sum += earned;
                    if earned > 0.0 {
                        ledger.pair(i, j, earned);
                    }
                }
            }
            Tag::Replace | Tag::Delete | Tag::Insert => {}
        });
        sum
    }
}

fn inserts(opcodes: &[Opcode]) -> impl Iterator<Item = &Opcode> {
    opcodes.iter().filter(|opcode| opcode.tag == Tag::Insert)
}

impl Score {
    fn of(lines: &Triple<'_>, parts: Parts) -> Self {
        let score = if lines.a.token == lines.b.token || parts.union() == 0 {
            1.0
        } else {
            parts.earned() / parts.union() as f64
        };
        Self { score, parts }
    }
}
