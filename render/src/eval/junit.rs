//! The cases as `JUnit` tests, which CI servers show.

use crate::page::escaped;
use mvdiff_metrics::eval::{CaseResult, Report};
use std::io::{self, Write};

/// Prints a suite of tests for each family and one for the gate. A case below 1 fails
/// only if a check names it: its score is reported, and gates are what fails. Known
/// gaps are skipped tests.
///
/// # Errors
/// What the writer returns.
pub fn junit(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"mvdiff eval\">")?;
    for family in &report.families {
        let of = |case: &&CaseResult| case.family == family.family;
        let cases: Vec<&CaseResult> = report.cases.iter().filter(of).collect();
        let gaps: Vec<&CaseResult> = report.known_gaps.iter().filter(of).collect();
        let failures = cases.iter().filter(|case| is_worse(case)).count();
        let errors = cases.iter().filter(|case| case.error.is_some()).count();
        writeln!(
            out,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{}\">",
            escaped(&family.family),
            cases.len() + gaps.len(),
            gaps.len()
        )?;
        for case in cases {
            test(out, case, &told(case))?;
        }
        for case in gaps {
            let score = case.score;
            test(
                out,
                case,
                &format!("<skipped message=\"known gap, score {score}\"/>"),
            )?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    let checks = &report.gate.checks;
    let failures = checks.iter().filter(|check| !check.passed).count();
    let tests = checks.len();
    writeln!(
        out,
        "  <testsuite name=\"gate\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">"
    )?;
    for check in checks {
        let (name, message) = (check.name, escaped(&check.message));
        let inside = if check.passed {
            format!("<system-out>{message}</system-out>")
        } else {
            format!("<failure message=\"{message}\"/>")
        };
        writeln!(
            out,
            "    <testcase classname=\"gate\" name=\"{name}\">{inside}</testcase>"
        )?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn test(out: &mut dyn Write, case: &CaseResult, inside: &str) -> io::Result<()> {
    let (family, name) = (escaped(&case.family), escaped(&case.name));
    writeln!(
        out,
        "    <testcase classname=\"{family}\" name=\"{name}\">{inside}</testcase>"
    )
}

fn is_worse(case: &CaseResult) -> bool {
    case.error.is_none() && case.baseline.is_some_and(|then| case.score < then - 1e-9)
}

fn told(case: &CaseResult) -> String {
    let score = case.score;
    match (&case.error, case.baseline) {
        (Some(error), _) => format!("<error message=\"{}\"/>", escaped(error)),
        (None, Some(then)) if is_worse(case) => {
            format!("<failure message=\"score {score} was {then}\"/>")
        }
        _ => format!("<system-out>score {score}</system-out>"),
    }
}
