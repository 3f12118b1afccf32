//! Writes and checks the files of fixtures/grid.

use crate::case::Case;
use crate::expect::{Expectation, patterns};
use crate::make::make;
use crate::truth::{Matching, operations};
use crate::unambiguous::is_plain;
use crate::xlsx;
use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The part of the manifest that is about workbooks.
#[derive(Deserialize)]
struct Manifest {
    grid: Vec<Case>,
}

/// Files by their path below the root.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// The cases of fixtures/manifest.yaml below this root.
///
/// # Errors
/// If the manifest cannot be read.
pub fn cases(root: &Path) -> Result<Vec<Case>> {
    let path = root.join("fixtures/manifest.yaml");
    let text = std::fs::read_to_string(&path).with_context(|| {
        format!(
            "{}: cannot be read; is --root the repository?",
            path.display()
        )
    })?;
    let manifest: Manifest =
        serde_yaml::from_str(&text).with_context(|| format!("{}", path.display()))?;
    Ok(manifest.grid)
}

/// The files that a case consists of, by name.
///
/// # Errors
/// If a step cannot be done, or the truth of a case that has to be met exactly is
/// not the only one.
pub fn files(case: &Case) -> Result<Vec<(String, Vec<u8>)>> {
    let editor = make(case)?;
    let [old, new] = case.files.clone();
    let mut files = vec![
        (old, xlsx::bytes(&editor.old, &editor.old)?),
        (new, xlsx::bytes(&editor.new, &editor.old)?),
    ];
    if case.expect.is_none() {
        let keyed = !case.key.is_empty();
        if !keyed && !is_plain(&editor) {
            bail!(
                "other rows or columns could have moved as well; say what is expected in `expect`"
            );
        }
        let matching = if keyed {
            Matching::Keys
        } else {
            Matching::Positions
        };
        let ops = patterns(&operations(&editor, matching))?;
        files.push(("expect.json".to_owned(), one_line_each(&ops).into_bytes()));
    }
    Ok(files)
}

/// `{"ops": […]}` with a line for each operation.
fn one_line_each(ops: &[serde_json::Value]) -> String {
    let mut text = String::from("{\"ops\": [");
    for (at, op) in ops.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let _ = write!(text, "{comma}\n  {}", kind_first(op));
    }
    text + if ops.is_empty() { "]}\n" } else { "\n]}\n" }
}

/// The operation on a line that begins with what it is and where.
fn kind_first(op: &serde_json::Value) -> String {
    let Some(fields) = op.as_object() else {
        return op.to_string();
    };
    let first = ["kind", "sheet", "addr", "row_idx", "col_idx"];
    let rank = |name: &str| first.iter().position(|f| *f == name).unwrap_or(first.len());
    let mut names: Vec<&String> = fields.keys().collect();
    names.sort_by_key(|name| rank(name));
    let fields = names
        .iter()
        .map(|name| format!("\"{name}\":{}", fields[*name]));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

/// Every file of fixtures/grid.
///
/// # Errors
/// As [`files`] does.
pub fn all(root: &Path) -> Result<Files> {
    let mut all = Files::new();
    for case in cases(root)? {
        let folder = Path::new("fixtures/grid").join(&case.name);
        let made =
            files(&case).with_context(|| format!("fixtures/manifest.yaml: {}", case.name))?;
        for (name, bytes) in made {
            if all.insert(folder.join(&name), bytes).is_some() {
                bail!(
                    "fixtures/manifest.yaml: {}: {name} is there twice",
                    case.name
                );
            }
        }
    }
    Ok(all)
}

/// Writes every file of fixtures/grid that is not there yet as it should be; how
/// many there were.
///
/// # Errors
/// If one cannot be made or written, or if there are others that no case makes.
pub fn write(root: &Path) -> Result<usize> {
    let all = all(root)?;
    let mut written = 0;
    for (path, bytes) in &all {
        let path = root.join(path);
        if std::fs::read(&path).is_ok_and(|there| there == *bytes) {
            continue;
        }
        let failed = || format!("{}: cannot be written", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).with_context(failed)?;
        }
        std::fs::write(&path, bytes).with_context(failed)?;
        written += 1;
    }
    no_others(root, &all)?;
    Ok(written)
}

/// Proves that fixtures/grid is what the manifest makes; how many files that are.
///
/// # Errors
/// If one is missing, or differs, or is made by no case.
pub fn check(root: &Path) -> Result<usize> {
    let all = all(root)?;
    for (path, bytes) in &all {
        let there = std::fs::read(root.join(path))
            .with_context(|| format!("{}: cannot be read; {MAKE}", path.display()))?;
        if there != *bytes {
            bail!("{}: is not what the manifest makes; {MAKE}", path.display());
        }
    }
    no_others(root, &all)?;
    Ok(all.len())
}

const MAKE: &str = "run cargo run -p mvdiff-fixture-gen, and look at what changed";

fn no_others(root: &Path, all: &Files) -> Result<()> {
    let mut there = BTreeSet::new();
    let below = root.join("fixtures/grid");
    let failed = || format!("{}: cannot be read", below.display());
    for folder in std::fs::read_dir(&below).with_context(failed)? {
        let folder = folder.with_context(failed)?;
        for file in std::fs::read_dir(folder.path()).with_context(failed)? {
            let name = Path::new("fixtures/grid").join(folder.file_name());
            there.insert(name.join(file.with_context(failed)?.file_name()));
        }
    }
    match there.into_iter().find(|path| !all.contains_key(path)) {
        Some(path) => bail!("{}: no case makes it; remove it", path.display()),
        None => Ok(()),
    }
}

/// The large pairs, too large to be checked in.
const PAIRS: &str = include_str!("../pairs.yaml");

/// Writes the pairs that workbook diffs are measured on, a folder each, with the
/// operations of a right answer counted in `ideal.json`.
///
/// # Errors
/// If one cannot be made or written.
pub fn write_pairs(root: &Path, dir: &Path) -> Result<usize> {
    let large: Manifest = serde_yaml::from_str(PAIRS).context("fixture-gen/pairs.yaml")?;
    let named = |case: &Case| case.name.starts_with("pair_");
    let mut pairs: Vec<Case> = cases(root)?.into_iter().filter(named).collect();
    pairs.extend(large.grid);
    pairs.sort_by(|a, b| a.name.cmp(&b.name));
    let mut ideal = serde_json::Map::new();
    for case in &pairs {
        let folder = dir.join(&case.name);
        let failed = || format!("{}: cannot be written", folder.display());
        std::fs::create_dir_all(&folder).with_context(failed)?;
        let editor = make(case).with_context(|| case.name.clone())?;
        let sides = [&editor.old, &editor.new];
        for (file, book) in case.files.iter().zip(sides) {
            std::fs::write(folder.join(file), xlsx::bytes(book, &editor.old)?)
                .with_context(failed)?;
        }
        let keyed = !case.key.is_empty();
        let matching = if keyed {
            Matching::Keys
        } else {
            Matching::Positions
        };
        let ops = operations(&editor, matching);
        let expectation = Expectation {
            ops: Some(patterns(&ops)?),
            ..Expectation::default()
        };
        let json = serde_json::to_vec(&expectation)?;
        std::fs::write(folder.join("expect.json"), json).with_context(failed)?;
        let entry = serde_json::json!({
            "why": case.why,
            "files": case.files,
            "options": options(case),
            "ops": ops.len(),
        });
        ideal.insert(case.name.clone(), entry);
    }
    let path = dir.join("ideal.json");
    let mut json = serde_json::to_vec_pretty(&ideal)?;
    json.push(b'\n');
    std::fs::write(&path, json)
        .with_context(|| format!("{}: cannot be written", path.display()))?;
    Ok(pairs.len())
}

/// The options of `mvdiff diff` that a case needs.
#[must_use]
pub fn options(case: &Case) -> Vec<String> {
    let mut options = case.options.clone();
    if !case.key.is_empty() {
        options.extend(["--key".to_owned(), case.key.join(",")]);
    }
    options
}
