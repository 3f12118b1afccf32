//! The threat model names tests that exist.

#[test]
fn every_threat_has_its_test() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap_or_default();
    let model = read("docs/threats.md");
    let named = model.split('`').skip(1).step_by(2);
    let mut found = 0;
    for name in named.filter(|name| name.contains(".rs")) {
        let (file, test) = name.split_once("::").unwrap_or((name, ""));
        let source = read(file);
        assert!(source.contains("#[test]"), "{file} has no tests");
        assert!(
            source.contains(&format!("fn {test}")),
            "{name} does not exist"
        );
        found += 1;
    }
    assert!(found > 30, "only {found} tests are named");
    let rows = model.lines().filter(|line| line.starts_with('|')).skip(2);
    for row in rows {
        assert!(row.contains(".rs"), "no test for: {row}");
    }
}
