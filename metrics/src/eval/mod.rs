//! Evaluations: cases with a truth, scored, compared with an earlier run, and held
//! to a gate.
//!
//! What a case is and how it is answered is the business of a [`Runner`], handed
//! in: nothing here knows an adapter. A runner turns a case of a family into three
//! [`Texts`]; Text-IoU says how far the answer did to the input what the truth does.
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
use rayon::prelude::*;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering};

/// Answers cases. It is asked from several threads at once.
pub trait Runner: Sync {
    /// The texts of one case of a family.
    ///
    /// # Errors
    /// [`RunError::UnknownFamily`] ends the evaluation, for nobody should believe that
    /// it covered what it did not; [`RunError::Failed`] scores the case 0.
    fn run(&self, family: &str, case: &Case) -> Result<Texts, RunError>;
}

/// Why there is no answer to a case.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Cases of this family are not known here.
    #[error("nothing runs this family")]
    UnknownFamily,
    /// This case could not be answered; what is wrong, in words.
    #[error("{0}")]
    Failed(String),
}

/// The three texts of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// What was there: the raw diff, the report with nothing recognised.
    pub base: String,
    /// The truth.
    pub expected: String,
    /// The answer.
    pub ours: String,
}

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseResult {
    /// The family it belongs to.
    pub family: String,
    /// Its name, once in a family.
    pub name: String,
    /// Its score; 0 if it could not be run.
    pub score: f64,
    /// The counts behind the score, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Parts>,
    /// Why it could not be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Its score in the baseline, if it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<f64>,
    /// Why the case is there.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Known not to be answered well yet: scored, and listed apart.
    #[serde(skip)]
    pub known_gap: bool,
    /// What was scored, where it is at hand.
    #[serde(skip)]
    pub texts: Option<Texts>,
}

/// What keeps an evaluation from being one.
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
    /// A family that the runner does not know.
    #[error("family {0}: nothing runs it; take it out of the manifest, or teach the runner")]
    UnknownFamily(String),
    /// Two cases of one name.
    #[error("family {family}: {name} is there twice; give each case a name of its own")]
    Twice {
        /// The family.
        family: String,
        /// The name.
        name: String,
    },
    /// There is nothing to evaluate.
    #[error("there are no cases in it")]
    Empty,
    /// The baseline was scored otherwise.
    #[error("the baseline was scored as {theirs} and this run as {ours}; make the baseline anew")]
    Signature {
        /// The signature of the baseline.
        theirs: String,
        /// The signature of the run.
        ours: String,
    },
}

/// Runs and scores every case, on all cores, in the order of the manifest.
/// `progress` is told how many are done.
///
/// # Errors
/// [`Error::UnknownFamily`] if the runner does not know one.
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
    let results = cases
        .into_par_iter()
        .map_init(Scorer::default, |scorer, (family, case)| {
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
        });
    // All of them, so that the first error in order is the one that is told.
    let results: Vec<Result<CaseResult, Error>> = results.collect();
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
