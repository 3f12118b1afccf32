//! The report of an evaluation, in the form of the JSON of `mvdiff eval`.

use super::baseline::{check_names, compare};
use super::{CaseResult, Comparison, Difference, Error, Gate, Recorded, Verdict};
use serde::Serialize;

/// The output of `mvdiff eval --format json`: see docs/schemas/eval.json.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// `mvdiff.eval/1`
    pub schema: &'static str,
    /// Whether every case could be run.
    pub complete: bool,
    /// What was counted, and how; [`UNKNOWN`] for scores computed elsewhere.
    pub signature: String,
    /// All cases together.
    pub total: Summary,
    /// The families, in the order of the cases.
    pub families: Vec<Summary>,
    /// The requirements, and whether they are met.
    pub gate: Verdict,
    /// Changes since the baseline, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// The cases, in order.
    pub cases: Vec<CaseResult>,
    /// The cases known not to be solved yet. The figures above exclude them.
    pub known_gaps: Vec<CaseResult>,
}

/// The signature of scores of unknown origin.
pub const UNKNOWN: &str = "unknown";

/// Summary of several cases.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Their family; `total` for all of them.
    pub family: String,
    /// Number of cases.
    pub cases: usize,
    /// The mean of their scores; `None` if there are no cases.
    pub mean: Option<f64>,
    /// The case with the lowest score, if that is below 1.
    pub worst: Option<Worst>,
    /// The difference from the baseline, if it contains the cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Difference>,
}

/// The case with the lowest score.
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
    /// Summarises results, compared with a baseline if there is one.
    ///
    /// # Errors
    /// [`Error::Empty`] without any case, [`Error::Twice`] if two have the same
    /// name, and [`Error::Signature`] if the baseline was scored differently.
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

    /// The cases, worst first, ties in order.
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
