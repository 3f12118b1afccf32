//! fixtures/scores/text-iou.json: triples and their reference scores.

use mvdiff_metrics::{Edits, Options, Scorer};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Deserialize)]
struct Vector {
    name: String,
    base: String,
    a: String,
    b: String,
    levenshtein: bool,
    expected: f64,
    parts: BTreeMap<String, f64>,
}

const NEAR: f64 = 1e-11;

fn vectors(path: &Path) -> Vec<Vector> {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn check(vectors: &[Vector]) {
    let mut scorer = Scorer::default();
    for vector in vectors {
        let Vector { base, a, b, .. } = vector;
        let options = Options {
            similarity: vector.levenshtein,
        };
        let found = scorer.score(&Edits { base, a, b }, &options).unwrap();
        let off = (found.score - vector.expected).abs();
        assert!(
            off < NEAR,
            "{}: {} is not {}",
            vector.name,
            found.score,
            vector.expected
        );
        let parts = serde_json::to_value(found.parts).unwrap();
        assert_eq!(parts.as_object().unwrap().len(), vector.parts.len());
        for (part, expected) in &vector.parts {
            let found = parts[part].as_f64().unwrap();
            assert!(
                (found - expected).abs() < NEAR,
                "{}: {part} {found}",
                vector.name
            );
        }
    }
}

#[test]
fn every_vector_has_the_score_and_the_parts_of_the_reference() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let ours = vectors(&root.join("fixtures/scores/text-iou.json"));
    assert_eq!(ours.len(), 165);
    check(&ours);
    let shared = root.join("../shared/vectors/text-iou.json");
    if shared.exists() {
        check(&vectors(&shared));
    }
}
