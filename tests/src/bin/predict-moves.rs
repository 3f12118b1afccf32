//! `predict-moves CASES OUT.json`: predictions for movebench's scorer.

use mvdiff_core::Options;
use mvdiff_tests::movebench::{predict, read_tree};
use std::path::Path;

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(cases), Some(out)) = (args.next(), args.next()) else {
        anyhow::bail!("usage: predict-moves CASES OUT.json");
    };
    let options = Options {
        copies: true,
        ..mvdiff_text::options()
    };
    let mut predictions = serde_json::Map::new();
    for entry in std::fs::read_dir(&cases)? {
        let case = entry?.path();
        if !case.join("truth.json").exists() {
            continue;
        }
        let trees = (read_tree(&case.join("old"))?, read_tree(&case.join("new"))?);
        let name = case
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        predictions.insert(name, predict(&trees.0, &trees.1, &options)?);
    }
    std::fs::write(Path::new(&out), serde_json::to_vec(&predictions)?)?;
    Ok(())
}
