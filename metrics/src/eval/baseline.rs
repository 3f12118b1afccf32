//! Compares a run with an earlier one.

use super::bootstrap::interval;
use super::{CaseResult, Error, Recorded, UNKNOWN};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Scores closer than this are equal.
const NEAR: f64 = 1e-9;

/// Changes since the baseline. Known gaps of either run are excluded.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// Cases with a lower score than in the baseline, largest loss first.
    pub regressed: Vec<Regression>,
    /// Number of cases with a higher score than in the baseline.
    pub improved: usize,
    /// Cases of the baseline that were not run, as `family/name`.
    pub missing: Vec<String>,
    /// Number of cases that are not in the baseline.
    pub new: usize,
}

/// A case with a lower score than in the baseline.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Regression {
    /// The family it belongs to.
    pub family: String,
    /// Its name.
    pub name: String,
    /// Its score.
    pub score: f64,
    /// Its score in the baseline.
    pub baseline: f64,
}

/// The difference between the cases that both runs have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Number of cases.
    pub cases: usize,
    /// Their mean in the baseline.
    pub baseline: f64,
    /// The gain of the mean since.
    pub difference: f64,
    /// The 95 % interval of the difference, from a deterministic paired
    /// bootstrap.
    pub interval: [f64; 2],
}

impl Difference {
    /// Computes the difference of the cases with a baseline; `None` if there are
    /// none.
    pub(super) fn of<'c>(cases: impl Iterator<Item = &'c CaseResult>) -> Option<Self> {
        let pairs: Vec<(f64, f64)> = cases
            .filter_map(|case| Some((case.score, case.baseline?)))
            .collect();
        let count = pairs.len();
        let differences: Vec<f64> = pairs.iter().map(|(now, then)| now - then).collect();
        Some(Self {
            cases: count,
            interval: interval(&differences)?,
            baseline: pairs.iter().map(|(_, then)| then).sum::<f64>() / count as f64,
            difference: differences.iter().sum::<f64>() / count as f64,
        })
    }
}

/// Adds each case's baseline score, and finds the changes.
pub(super) fn compare(
    results: &mut [CaseResult],
    signature: &str,
    baseline: &Recorded,
) -> Result<Comparison, Error> {
    let theirs = baseline.signature.as_deref().unwrap_or(UNKNOWN);
    let known = theirs != UNKNOWN && signature != UNKNOWN;
    if known && theirs != signature {
        return Err(Error::Signature {
            theirs: theirs.into(),
            ours: signature.into(),
        });
    }
    let then = baseline.cases.iter();
    let mut then: BTreeMap<(&str, &str), &CaseResult> = then
        .map(|case| ((&case.family[..], &case.name[..]), case))
        .collect();
    let mut found = Comparison::default();
    for case in results {
        let then = then.remove(&(&case.family[..], &case.name[..]));
        if case.known_gap {
            continue;
        }
        let Some(then) = then.filter(|then| !then.known_gap) else {
            found.new += 1;
            continue;
        };
        case.baseline = Some(then.score);
        if case.score < then.score - NEAR {
            found.regressed.push(Regression {
                family: case.family.clone(),
                name: case.name.clone(),
                score: case.score,
                baseline: then.score,
            });
        } else if case.score > then.score + NEAR {
            found.improved += 1;
        }
    }
    let left = then.values().filter(|case| !case.known_gap);
    found.missing = left
        .map(|case| format!("{}/{}", case.family, case.name))
        .collect();
    let loss = |case: &Regression| case.baseline - case.score;
    found.regressed.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
    Ok(found)
}

/// Rejects two cases with the same name.
pub(super) fn check_names(cases: &[CaseResult]) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    match cases
        .iter()
        .find(|case| !seen.insert((&case.family, &case.name)))
    {
        Some(twice) => Err(Error::Twice {
            family: twice.family.clone(),
            name: twice.name.clone(),
        }),
        None => Ok(()),
    }
}
