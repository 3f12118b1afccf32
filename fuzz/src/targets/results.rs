//! Results of evaluations are read or refused, and shown in every form.

use mvdiff_metrics::Options;
use mvdiff_metrics::eval::{Gate, Report, read_results};
use mvdiff_render::eval::{junit, page, table};

pub(crate) const SEEDS: &[&str] = &[
    "{\"name\":\"a\",\"score\":0.5}\n{\"name\":\"b\",\"family\":\"f\",\"base\":\"x\\n\",\"a\":\"y\\n\",\"b\":\"x\\n\"}\n{\"name\":\"c\",\"error\":\"no\"}\n",
    "{\"schema\":\"mvdiff.eval/1\",\"signature\":\"s\",\"cases\":[{\"family\":\"f\",\"name\":\"<a>&\",\"score\":1.0,\"why\":\"]]>\"}],\"known_gaps\":[{\"name\":\"g\",\"score\":0}]}",
];

pub(crate) fn law(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let found = match read_results(&text, &Options::default()) {
        Ok(found) => found,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let signature = found.signature.clone().unwrap_or_default();
    let gate = Gate {
        mean: Some(0.5),
        case: Some(0.1),
        no_regression: true,
    };
    let cases = found.cases.clone();
    let Ok(report) = Report::new(cases, signature, Some(&found), &gate) else {
        return;
    };
    let beside = report.comparison.as_ref().expect("a baseline");
    assert!(beside.regressed.is_empty() && beside.missing.is_empty() && beside.new == 0);
    let mut out = Vec::new();
    table(&mut out, &report).expect("memory");
    page(&mut out, &report).expect("memory");
    junit(&mut out, &report).expect("memory");
    serde_json::to_vec(&report).expect("JSON");
}
