//! fixtures/manifest.yaml: every case, and why it is there.

use crate::root;
use serde::Deserialize;
use std::collections::BTreeSet;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub lines: Vec<LinesCase>,
    pub text: Vec<TextCase>,
    pub grid: Vec<mvdiff_fixture_gen::case::Case>,
    pub edit: Vec<EditCase>,
}

/// A case of fixtures/lines.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinesCase {
    pub name: String,
    pub why: String,
    #[serde(default)]
    pub known_gap: bool,
}

/// A case of fixtures/text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextCase {
    pub name: String,
    pub why: String,
    #[serde(default)]
    pub known_gap: bool,
    pub hunks_alone: Option<HunksAlone>,
}

/// A case of fixtures/edit, which cli/tests/apply runs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditCase {
    pub name: String,
    pub why: String,
}

/// What is left to read when only the diff is known.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum HunksAlone {
    Same,
}

pub fn manifest() -> Manifest {
    let text = std::fs::read_to_string(root().join("fixtures/manifest.yaml")).unwrap();
    serde_yaml::from_str(&text).unwrap()
}

/// What is wrong with the answer to a case, if something is.
pub fn verdict(name: &str, why: &str, known_gap: bool, wrong: &[String]) -> Option<String> {
    match (wrong, known_gap) {
        ([], true) => Some(format!(
            "{name}: the gap is closed; take known_gap out of the manifest"
        )),
        ([_, ..], false) => Some(format!("{name} ({why}): {}", wrong.join("; "))),
        _ => None,
    }
}

#[test]
fn the_manifest_names_every_folder_once() {
    let Manifest {
        lines,
        text,
        grid,
        edit,
    } = manifest();
    let lines: Vec<String> = lines.into_iter().map(|case| case.name).collect();
    let text = text.into_iter().map(|case| case.name).collect();
    let grid = grid.into_iter().map(|case| case.name).collect();
    assert!(edit.iter().all(|case| !case.why.is_empty()));
    let edit = edit.into_iter().map(|case| case.name).collect();
    let families = [
        ("lines", lines),
        ("text", text),
        ("grid", grid),
        ("edit", edit),
    ];
    for (kind, named) in families {
        let entries = std::fs::read_dir(root().join("fixtures").join(kind))
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap());
        let folders: BTreeSet<String> = entries.collect();
        assert_eq!(named.iter().cloned().collect::<BTreeSet<_>>(), folders);
        assert_eq!(
            named.len(),
            folders.len(),
            "a case of {kind} is named twice"
        );
    }
}
