//! Evaluations: scores cases with a known truth, compares them with an earlier
//! run, and applies a gate.
//!
//! A [`Runner`] supplied by the caller defines the cases and answers them; this
//! module knows no adapter. A runner turns a case of a family into three
//! [`Texts`]; Text-IoU measures how far the answer changes the input as the truth
//! does.
//!
//! ```
//! use mvdiff_metrics::eval::{Case, Gate, Manifest, Report, RunError, Runner, Texts, run};
//! use mvdiff_metrics::Options;
//!
//! struct Upper;
//! impl Runner for Upper {
//!     fn run(&self, family: &str, case: &Case) -> Result<Texts, RunError> {
//!         match family {
//!             "words" => Ok(Texts {
//!                 base: case.name.clone(),
//!                 expected: case.name.to_uppercase(),
//!                 ours: case.name.to_uppercase(),
//!             }),
//!             _ => Err(RunError::UnknownFamily),
//!         }
//!     }
//! }
//!
//! let manifest = Manifest::parse("words:\n  - name: hello\n    why: it is short\n")?;
//! let options = Options::default();
//! let results = run(&manifest, &Upper, &options, &|_| ())?;
//! let report = Report::new(results, options.signature(), None, &Gate::default())?;
//! assert!(report.gate.passed);
//! assert_eq!(report.total.mean, Some(1.0));
//! # Ok::<(), mvdiff_metrics::eval::Error>(())
//! ```

mod baseline;
mod bootstrap;
mod gate;
mod manifest;
mod report;
mod results;

pub use baseline::{Comparison, Difference, Regression};
pub use bootstrap::interval;
pub use gate::{Check, Gate, Verdict};
pub use manifest::{Case, Family, Manifest};
pub use report::{Report, Summary, UNKNOWN, Worst};
pub use results::{Recorded, read_results};

use crate::{Edits, Options, Parts, Scorer};
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering};

/// Answers cases. It is called from several threads at once.
pub trait Runner: Sync {
    /// The texts of one case of a family.
    ///
    /// # Errors
    /// [`RunError::UnknownFamily`] ends the evaluation, so that it never claims
    /// to cover a family that it skipped; [`RunError::Failed`] scores the case 0.
    fn run(&self, family: &str, case: &Case) -> Result<Texts, RunError>;
}

/// Why a case has no answer.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The runner does not know this family.
    #[error("nothing runs this family")]
    UnknownFamily,
    /// The runner cannot answer this case, for the given reason.
    #[error("{0}")]
    Failed(String),
}

/// The three texts of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// The input: the raw diff, or the report without any moves.
    pub base: String,
    /// The expected output.
    pub expected: String,
    /// The actual output.
    pub ours: String,
}

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseResult {
    /// The family it belongs to.
    pub family: String,
    /// Its name, unique within the family.
    pub name: String,
    /// Its score; 0 if it could not be run.
    pub score: f64,
    /// The counts behind the score, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Parts>,
    /// Why it could not be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Its score in the baseline, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<f64>,
    /// The reason for the case.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Known not to be solved yet: scored, but listed separately.
    #[serde(skip)]
    pub known_gap: bool,
    /// The scored texts, where available.
    #[serde(skip)]
    pub texts: Option<Texts>,
}

/// Errors of an evaluation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The manifest cannot be read.
    #[error("{0}")]
    Manifest(String),
    /// Results cannot be read.
    #[error("{place}{what}")]
    Results {
        /// `ROW: `, or empty.
        place: String,
        /// What is wrong.
        what: String,
    },
    /// The runner does not know a family.
    #[error("family {0}: unknown; remove it from the manifest, or add it to the runner")]
    UnknownFamily(String),
    /// Two cases have the same name.
    #[error("family {family}: two cases are called {name}; rename one")]
    Twice {
        /// The family.
        family: String,
        /// The name.
        name: String,
    },
    /// There is nothing to evaluate.
    #[error("contains no cases")]
    Empty,
    /// The baseline was scored differently.
    #[error("the baseline was scored as {theirs} and this run as {ours}; make a new baseline")]
    Signature {
        /// The signature of the baseline.
        theirs: String,
        /// The signature of the run.
        ours: String,
    },
}

/// Runs and scores every case, in the order of the manifest; with the feature `parallel`
/// on all cores.
/// `progress` is called with the number of finished cases.
///
/// # Errors
/// [`Error::UnknownFamily`] if the runner does not know a family.
pub fn run(
    manifest: &Manifest,
    runner: &impl Runner,
    options: &Options,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<CaseResult>, Error> {
    let families = manifest.families.iter();
    let cases: Vec<(&str, &Case)> = families
        .flat_map(|family| family.cases.iter().map(|case| (&family.name[..], case)))
        .collect();
    let done = AtomicU64::new(0);
    let answer = |scorer: &mut Scorer, (family, case): (&str, &Case)| {
        let result = match runner.run(family, case) {
            Ok(texts) => score(scorer, texts, *options),
            Err(RunError::UnknownFamily) => return Err(Error::UnknownFamily(family.into())),
            Err(RunError::Failed(what)) => failed(what),
        };
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        Ok(CaseResult {
            family: family.into(),
            name: case.name.clone(),
            why: case.why.clone(),
            known_gap: case.known_gap,
            ..result
        })
    };
    // Collect all results first, so that the first error in order is reported.
    #[cfg(feature = "parallel")]
    let results: Vec<Result<CaseResult, Error>> = cases
        .into_par_iter()
        .map_init(Scorer::default, answer)
        .collect();
    #[cfg(not(feature = "parallel"))]
    let results: Vec<Result<CaseResult, Error>> = {
        let mut scorer = Scorer::default();
        let answers = cases.into_iter().map(|case| answer(&mut scorer, case));
        answers.collect()
    };
    results.into_iter().collect()
}

fn nameless() -> CaseResult {
    CaseResult {
        family: String::new(),
        name: String::new(),
        score: 0.0,
        parts: None,
        error: None,
        baseline: None,
        why: String::new(),
        known_gap: false,
        texts: None,
    }
}

fn score(scorer: &mut Scorer, texts: Texts, options: Options) -> CaseResult {
    let edits = Edits {
        base: &texts.base,
        a: &texts.expected,
        b: &texts.ours,
    };
    match scorer.score(&edits, &options) {
        Ok(found) => CaseResult {
            score: found.score,
            parts: Some(found.parts),
            texts: Some(texts),
            ..nameless()
        },
        Err(error) => failed(error.to_string()),
    }
}

fn failed(what: String) -> CaseResult {
    CaseResult {
        error: Some(what),
        ..nameless()
    }
}
