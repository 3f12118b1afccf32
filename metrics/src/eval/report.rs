//! An evaluation as the JSON of `mvdiff eval` has it.

use super::baseline::{check_names, compare};
use super::{CaseResult, Comparison, Difference, Error, Gate, Recorded, Verdict};
use serde::Serialize;

/// What `mvdiff eval --format json` prints: see docs/schemas/eval.json.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// `mvdiff.eval/1`
    pub schema: &'static str,
    /// Whether every case could be run.
    pub complete: bool,
    /// What was counted, and how; [`UNKNOWN`] for scores that were made elsewhere.
    pub signature: String,
    /// All cases together.
    pub total: Summary,
    /// The families, in the order of the cases.
    pub families: Vec<Summary>,
    /// What must hold, and whether it does.
    pub gate: Verdict,
    /// What changed since the baseline, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// The cases, in order.
    pub cases: Vec<CaseResult>,
    /// The cases that are known not to be answered well yet. They are in none of
    /// the figures above.
    pub known_gaps: Vec<CaseResult>,
}

/// The signature of scores that do not say how they were made.
pub const UNKNOWN: &str = "unknown";

/// Some cases together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Their family; `total` for all of them.
    pub family: String,
    /// How many there are.
    pub cases: usize,
    /// The mean of their scores; none without cases.
    pub mean: Option<f64>,
    /// The case with the least score, if that is below 1.
    pub worst: Option<Worst>,
    /// How far they differ from the baseline, if they are in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Difference>,
}

/// The case with the least score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worst {
    /// The family it belongs to.
    pub family: String,
    /// Its name.
    pub name: String,
    /// Its score.
    pub score: f64,
}

impl Report {
    /// Sums up results, beside a baseline if there is one.
    ///
    /// # Errors
    /// [`Error::Empty`] without a case, [`Error::Twice`] if two have one name, and
    /// [`Error::Signature`] if the baseline was scored otherwise.
    pub fn new(
        mut results: Vec<CaseResult>,
        signature: String,
        baseline: Option<&Recorded>,
        gate: &Gate,
    ) -> Result<Self, Error> {
        if results.is_empty() {
            return Err(Error::Empty);
        }
        check_names(&results)?;
        let comparison = match baseline {
            Some(baseline) => Some(compare(&mut results, &signature, baseline)?),
            None => None,
        };
        let (known_gaps, cases): (Vec<_>, Vec<_>) =
            results.into_iter().partition(|case| case.known_gap);
        let total = Summary::new("total", cases.iter());
        let mut names: Vec<&str> = Vec::new();
        for case in cases.iter().chain(&known_gaps) {
            if !names.contains(&&case.family[..]) {
                names.push(&case.family);
            }
        }
        let of = |name: &&str| Summary::new(name, cases.iter().filter(|c| c.family == **name));
        Ok(Self {
            schema: "mvdiff.eval/1",
            complete: cases
                .iter()
                .chain(&known_gaps)
                .all(|case| case.error.is_none()),
            signature,
            families: names.iter().map(of).collect(),
            gate: gate.judge(&cases, total.mean, comparison.as_ref()),
            total,
            comparison,
            cases,
            known_gaps,
        })
    }

    /// The cases, the worst first, and of equal ones in order.
    #[must_use]
    pub fn worst_first(&self) -> Vec<&CaseResult> {
        let mut cases: Vec<&CaseResult> = self.cases.iter().collect();
        cases.sort_by(|a, b| a.score.total_cmp(&b.score));
        cases
    }
}

impl Summary {
    fn new<'c>(family: &str, cases: impl Iterator<Item = &'c CaseResult> + Clone) -> Self {
        let count = cases.clone().count();
        let sum: f64 = cases.clone().map(|case| case.score).sum();
        let worst = cases.clone().min_by(|a, b| a.score.total_cmp(&b.score));
        let worst = worst.filter(|case| case.score < 1.0);
        Self {
            family: family.into(),
            cases: count,
            mean: (count > 0).then(|| sum / count as f64),
            worst: worst.map(|case| Worst {
                family: case.family.clone(),
                name: case.name.clone(),
                score: case.score,
            }),
            baseline: Difference::of(cases),
        }
    }
}
