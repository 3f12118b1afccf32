//! Every dependency is there for something, and the book says for what; all come from one
//! place, under licences that deny.toml has.

use std::collections::BTreeSet;
use std::process::Command;

#[test]
fn the_book_says_what_every_dependency_is_for() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let workspace = read("Cargo.toml");
    let (_, table) = workspace.split_once("[workspace.dependencies]").unwrap();
    let named: BTreeSet<String> = table
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| Some(line.split_once('=')?.0.trim().to_owned()))
        .filter(|name| !name.starts_with("mvdiff-") && !name.starts_with('#'))
        .collect();
    let book = read("docs/dependencies.md");
    let rows = book.lines().filter_map(|line| {
        let (name, what) = line.strip_prefix("| ")?.split_once(" | ")?;
        (!what.trim_end_matches(" |").is_empty()).then(|| name.to_owned())
    });
    let told: BTreeSet<String> = rows.skip(1).collect();
    let missing: Vec<_> = named.symmetric_difference(&told).collect();
    assert!(missing.is_empty(), "in one place only: {missing:?}");
}

#[test]
fn every_crate_has_a_licence_that_is_allowed_and_comes_from_the_registry() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let deny = std::fs::read_to_string(root.join("deny.toml")).unwrap();
    let list = |name: &str| -> BTreeSet<String> {
        let (_, list) = deny.split_once(&format!("{name} = [")).unwrap();
        let (list, _) = list.split_once(']').unwrap();
        let quoted = list.split('"').skip(1).step_by(2);
        quoted.map(str::to_owned).collect()
    };
    let (licences, registries) = (list("\nallow"), list("allow-registry"));
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version=1",
            "--locked",
            "--all-features",
        ])
        .current_dir(&root)
        .output()
        .unwrap();
    let told: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let packages = told["packages"].as_array().unwrap();
    assert!(packages.len() > 100);
    for package in packages {
        let name = &package["name"];
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(is_allowed(licence, &licences), "{name}: {licence}");
        if let Some(source) = package["source"].as_str() {
            let registry = source.strip_prefix("registry+").unwrap_or(source);
            assert!(registries.contains(registry), "{name}: {source}");
        }
    }
}

/// Whether an expression of SPDX can be met by these licences.
fn is_allowed(expression: &str, licences: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace(" WITH ", "_WITH_");
    let spaced = spaced.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<String> = spaced
        .split_whitespace()
        .map(|word| word.replace("_WITH_", " WITH "))
        .collect();
    let (met, end) = any(&words, 0, licences);
    met && end == words.len()
}

/// Alternatives from a word on: whether one can be met, and where they end.
fn any(words: &[String], at: usize, licences: &BTreeSet<String>) -> (bool, usize) {
    let (mut met, mut at) = every(words, at, licences);
    while words.get(at).is_some_and(|word| word == "OR") {
        let (other, end) = every(words, at + 1, licences);
        (met, at) = (met || other, end);
    }
    (met, at)
}

/// Licences that hold together.
fn every(words: &[String], at: usize, licences: &BTreeSet<String>) -> (bool, usize) {
    let one = |at: usize| match words.get(at) {
        Some(word) if word == "(" => {
            let (met, end) = any(words, at + 1, licences);
            (met, end + 1)
        }
        Some(word) => (licences.contains(word), at + 1),
        None => (false, at),
    };
    let (mut met, mut at) = one(at);
    while words.get(at).is_some_and(|word| word == "AND") {
        let (other, end) = one(at + 1);
        (met, at) = (met && other, end);
    }
    (met, at)
}

#[test]
fn licences_are_read_as_they_are_meant() {
    let licences: BTreeSet<String> = ["MIT", "ISC"].map(str::to_owned).into();
    for (expression, met) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("(GPL-3.0 OR MIT) AND ISC", true),
        ("(GPL-3.0 OR MIT) AND Zlib", false),
        ("Apache-2.0 WITH LLVM-exception", false),
        ("", false),
    ] {
        assert_eq!(is_allowed(expression, &licences), met, "{expression}");
    }
}
