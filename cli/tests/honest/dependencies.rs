//! Every dependency is there for something, and the book says for what.

use std::collections::BTreeSet;

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
