//! The gate: requirements on an evaluation.

use super::{CaseResult, Comparison};
use serde::Serialize;

/// Requirements. By default, only that every case can be run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gate {
    /// The least mean.
    pub mean: Option<f64>,
    /// The least score of every case.
    pub case: Option<f64>,
    /// Whether no case may score less than in the baseline, or be missing.
    pub no_regression: bool,
}

/// The result of a gate.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Verdict {
    /// Whether all checks passed.
    pub passed: bool,
    /// The checks, in order.
    pub checks: Vec<Check>,
}

/// One requirement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// `mean`, `case`, `regression` or `run`.
    pub name: &'static str,
    /// Whether it is met.
    pub passed: bool,
    /// The requirement and what was found.
    pub message: String,
}

impl Gate {
    /// Judges the cases that are not known gaps.
    pub(super) fn judge(
        &self,
        cases: &[CaseResult],
        mean: Option<f64>,
        comparison: Option<&Comparison>,
    ) -> Verdict {
        let mut checks = Vec::new();
        let mut check = |name, passed, message| {
            checks.push(Check {
                name,
                passed,
                message,
            });
        };
        if let (Some(least), Some(mean)) = (self.mean, mean) {
            let passed = mean >= least;
            check(
                "mean",
                passed,
                format!("mean {} {} {least}", shown(mean), sign(passed)),
            );
        }
        if let Some(least) = self.case {
            let below: Vec<&CaseResult> = cases.iter().filter(|case| case.score < least).collect();
            let message = match below.first() {
                None => format!("every case ≥ {least}"),
                Some(first) => format!(
                    "{} below {least}: {}/{} {}",
                    counted(below.len(), "case"),
                    first.family,
                    first.name,
                    shown(first.score)
                ),
            };
            check("case", below.is_empty(), message);
        }
        if let Some(found) = comparison.filter(|_| self.no_regression) {
            let message = match (found.regressed.first(), found.missing.first()) {
                (None, None) => "no regression".to_owned(),
                (Some(worst), _) => format!(
                    "{} worse than in the baseline: {}/{} {} was {}",
                    counted(found.regressed.len(), "case"),
                    worst.family,
                    worst.name,
                    shown(worst.score),
                    shown(worst.baseline)
                ),
                (None, Some(missing)) => format!(
                    "{} of the baseline not run: {missing}",
                    counted(found.missing.len(), "case")
                ),
            };
            let passed = found.regressed.is_empty() && found.missing.is_empty();
            check("regression", passed, message);
        }
        let failed: Vec<&CaseResult> = cases.iter().filter(|case| case.error.is_some()).collect();
        if let Some(first) = failed.first() {
            let count = counted(failed.len(), "case");
            let what = first.error.as_deref().unwrap_or_default();
            let message = format!("{count} not run: {}/{}: {what}", first.family, first.name);
            check("run", false, message);
        }
        Verdict {
            passed: checks.iter().all(|check| check.passed),
            checks,
        }
    }
}

fn sign(passed: bool) -> char {
    if passed { '≥' } else { '<' }
}

/// Formats a score with three digits, but never rounds up to 1.
fn shown(score: f64) -> String {
    let short = format!("{score:.3}");
    if short == "1.000" && score < 1.0 {
        format!("{score}")
    } else {
        short
    }
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
