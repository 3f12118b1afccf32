//! What mutations start from: the fixtures of the repository.

use anyhow::Context as _;
use std::path::Path;

/// Inputs, and the lines that they consist of.
pub(crate) struct Corpus {
    pub(crate) seeds: Vec<Vec<u8>>,
    pub(crate) lines: Vec<Vec<u8>>,
}

/// Larger files make every execution slow and no law stricter.
const LARGEST: u64 = 16 << 10;

impl Corpus {
    /// All small files below a folder with one of these endings, in order of their
    /// paths, and some texts that are written out.
    pub(crate) fn read(root: &Path, (endings, more): (&[&str], &[&str])) -> anyhow::Result<Self> {
        let mut seeds: Vec<Vec<u8>> = more.iter().map(|text| text.as_bytes().to_vec()).collect();
        let mut paths = Vec::new();
        let mut todo = vec![root.to_path_buf()];
        while let Some(folder) = todo.pop() {
            let cannot = || format!("{}: cannot read", folder.display());
            for entry in std::fs::read_dir(&folder).with_context(cannot)? {
                let path = entry?.path();
                if path.is_dir() {
                    todo.push(path);
                } else if endings
                    .iter()
                    .any(|end| path.to_string_lossy().ends_with(end))
                    && path.metadata()?.len() <= LARGEST
                {
                    paths.push(path);
                }
            }
        }
        paths.sort();
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
        Ok(Self { seeds, lines })
    }
}
