//! The cases of fixtures/grid, answered by the program itself.

use crate::manifest::{manifest, verdict};
use crate::root;
use mvdiff_fixture_gen::case::Case;
use mvdiff_fixture_gen::expect::Expectation;
use mvdiff_fixture_gen::fixtures::options;
use serde_json::Value as Json;
use std::path::PathBuf;
use std::process::Command;

/// The program, which lies where this test does. Cargo builds it for
/// `cargo test --workspace`; alone it has to be asked for.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let target = test.ancestors().nth(2).unwrap();
    let program = target.join(format!("mvdiff{}", std::env::consts::EXE_SUFFIX));
    let there = program.is_file();
    assert!(
        there,
        "{} is missing; run cargo build -p mvdiff",
        program.display()
    );
    program
}

fn folder(case: &Case) -> PathBuf {
    root().join("fixtures/grid").join(&case.name)
}

/// What the manifest or expect.json says about a case.
fn expectation(case: &Case) -> Expectation {
    let mut expectation = case.expect.clone().unwrap_or_else(|| {
        let path = folder(case).join("expect.json");
        let json = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        serde_json::from_slice(&json).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    });
    expectation.notes.extend(case.notes.clone());
    expectation
}

/// The report on a case, or why there is none.
fn report(case: &Case) -> Result<Json, String> {
    let ran = Command::new(program())
        .args(["diff", "--format", "json"])
        .args(options(case))
        .args(case.files.iter().map(|file| folder(case).join(file)))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&ran.stderr);
    let json: Json = match ran.status.code() {
        Some(0 | 1) => serde_json::from_slice(&ran.stdout).map_err(|e| e.to_string())?,
        code => return Err(format!("exit {code:?}: {}", errors.trim())),
    };
    // What differs and is not compared is a difference, too.
    let is_part = |note: &Json| note["kind"] == "part";
    let named = json["notes"]
        .as_array()
        .is_some_and(|notes| notes.iter().any(is_part));
    let same = json["ops"].as_array().is_some_and(Vec::is_empty) && !named;
    if same != ran.status.success() {
        return Err(format!("exit {:?} for {}", ran.status.code(), json["ops"]));
    }
    if json["schema"] != "mvdiff.workbook/1" || json["complete"] != true {
        return Err(format!("{} complete {}", json["schema"], json["complete"]));
    }
    Ok(json)
}

#[test]
fn every_case_is_answered_with_the_truth() {
    let mut wrong = Vec::new();
    for case in manifest().grid {
        let found = match report(&case) {
            Ok(report) => expectation(&case).complaints(&report),
            Err(why) => vec![why],
        };
        wrong.extend(verdict(&case.name, &case.why, case.known_gap, &found));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
