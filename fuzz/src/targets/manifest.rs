//! A manifest is read or refused in one line.

use mvdiff_metrics::eval::Manifest;

pub(crate) const SEEDS: &[&str] = &[
    "lines:\n  - name: a\n    why: \"x [ y\"\n    known_gap: true\n  - {name: b, files: [a, b]}\ngrid: []\n",
    "a: &a [x, x]\nb: [*a, *a, {c: *a}]\n",
];

pub(crate) fn law(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match Manifest::parse(&text) {
        Ok(manifest) => {
            let cases = manifest.families.iter().map(|family| family.cases.len());
            assert_eq!(manifest.count(), cases.sum::<usize>());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
