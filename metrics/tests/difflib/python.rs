//! Compares the matcher with the `difflib` of the installed Python.
//!
//! `MVDIFF_CASES=100000` runs more random pairs, `MVDIFF_TREES=OLD:NEW` pairs of
//! files that changed between two trees.

use crate::pairs::pair;
use crate::{Told, number, ours};
use mvdiff_metrics::difflib::Matcher;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

type Pair = (Vec<u32>, Vec<u32>);

/// Python's opcodes for the pairs; `None` without Python.
fn python(pairs: impl Iterator<Item = Pair> + Send) -> Option<Vec<Told>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/difflib/opcodes.py");
    let started = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = started else {
        #[expect(clippy::print_stderr, reason = "a test that did not run says so")]
        {
            eprintln!("python3 is not installed: nothing was compared with difflib");
        }
        return None;
    };
    let mut input = child.stdin.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let told = std::thread::scope(|scope| {
        scope.spawn(move || {
            for pair in pairs {
                writeln!(input, "{}", serde_json::to_string(&pair).unwrap()).unwrap();
            }
        });
        let lines = output.lines().map(|line| line.unwrap());
        lines
            .map(|line| serde_json::from_str(&line).unwrap())
            .collect()
    });
    assert!(child.wait().unwrap().success());
    Some(told)
}

fn compare(pairs: impl Iterator<Item = Pair> + Clone + Send) {
    let Some(truth) = python(pairs.clone()) else {
        return;
    };
    let mut matcher = Matcher::default();
    assert_eq!(pairs.clone().count(), truth.len());
    for ((old, new), truth) in pairs.zip(&truth) {
        assert_eq!(ours(&mut matcher, &old, &new), *truth, "{old:?} {new:?}");
    }
}

#[test]
fn random_pairs_have_the_opcodes_of_cpython() {
    let cases = number("MVDIFF_CASES").unwrap_or(2_000) as u64;
    // One in fifty is long enough for every code path of the matcher.
    let longest = |seed| if seed % 50 == 0 { 300 } else { 40 };
    compare((0..cases).map(|seed| pair(1_000_000 + seed, longest(seed))));
}

/// Files below a folder, as relative paths, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(dir) = todo.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                todo.push(path);
            } else if path.is_file() {
                found.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// Lines as numbers.
fn tokens(texts: [&str; 2]) -> Pair {
    let mut known: HashMap<String, u32> = HashMap::new();
    let mut tokens = texts.map(|text| {
        let lines = text.split('\n').map(|line| {
            let next = known.len() as u32;
            *known.entry(line.to_owned()).or_insert(next)
        });
        lines.collect()
    });
    (
        std::mem::take(&mut tokens[0]),
        std::mem::take(&mut tokens[1]),
    )
}

#[test]
fn real_files_have_the_opcodes_of_cpython() {
    let mut texts: Vec<[String; 2]> = Vec::new();
    if let Ok(trees) = std::env::var("MVDIFF_TREES") {
        let (old, new) = trees
            .split_once(':')
            .expect("two folders with a colon between them");
        let changed = files(Path::new(old)).into_iter().filter_map(|path| {
            let [old, new] =
                [old, new].map(|tree| std::fs::read_to_string(Path::new(tree).join(&path)));
            Some([old.ok()?, new.ok()?]).filter(|[old, new]| old != new)
        });
        let wanted = number("MVDIFF_FILES").unwrap_or(300);
        texts.extend(changed.take(wanted));
        assert_eq!(texts.len(), wanted, "files changed between {trees}");
    } else {
        // The sources of this project, each compared with the next one.
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let sources = files(&root)
            .into_iter()
            .filter(|path| path.extension().is_some_and(|e| e == "rs"));
        let sources: Vec<String> = sources
            .filter_map(|path| std::fs::read_to_string(root.join(path)).ok())
            .collect();
        let beside = sources.windows(2).step_by(4);
        texts.extend(beside.map(|pair| [pair[0].clone(), pair[1].clone()]));
        assert!(!texts.is_empty());
    }
    let pairs: Vec<Pair> = texts.iter().map(|[old, new]| tokens([old, new])).collect();
    compare(pairs.into_iter());
}
