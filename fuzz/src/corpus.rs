//! What mutations start from: the fixtures of the repository.

use crate::Target;
use anyhow::Context as _;
use std::path::Path;

/// Inputs, and the lines that they consist of.
pub struct Corpus {
    /// What inputs are made from.
    pub seeds: Vec<Vec<u8>>,
    /// Their lines, each once.
    pub lines: Vec<Vec<u8>>,
    /// How long most inputs may be.
    pub longest: usize,
}

/// Larger files make every execution slow and no law stricter.
const LARGEST: u64 = 16 << 10;

/// Where fixtures are, from the root of the repository.
const ROOTS: &[&str] = &["fixtures", "examples", "adapters/grid/tests/files"];

impl Corpus {
    /// The seeds of a target: all small fixtures with one of its endings, in order of
    /// their paths, and what it makes itself.
    ///
    /// # Errors
    /// If a fixture cannot be read.
    pub fn new(target: &Target) -> anyhow::Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut paths = Vec::new();
        let mut todo: Vec<_> = ROOTS.iter().map(|place| root.join(place)).collect();
        while let Some(folder) = todo.pop() {
            let cannot = || format!("{}: cannot read", folder.display());
            for entry in std::fs::read_dir(&folder).with_context(cannot)? {
                let path = entry?.path();
                let named = |end: &&str| path.to_string_lossy().ends_with(end);
                if path.is_dir() {
                    todo.push(path);
                } else if target.endings.iter().any(named) && path.metadata()?.len() <= LARGEST {
                    paths.push(path);
                }
            }
        }
        paths.sort();
        let mut seeds = (target.made)();
        for path in paths {
            seeds.push(std::fs::read(path)?);
        }
        let mut lines: Vec<Vec<u8>> = seeds
            .iter()
            .flat_map(|seed| seed.split_inclusive(|byte| *byte == b'\n'))
            .map(<[u8]>::to_vec)
            .collect();
        lines.sort();
        lines.dedup();
        let longest = target.longest;
        Ok(Self {
            seeds,
            lines,
            longest,
        })
    }
}
