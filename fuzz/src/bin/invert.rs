//! Turns a report of `mvdiff diff --format json` round and prints it: `invert REPORT [OLD]`.
//!
//! OLD is the old file or tree: a report on texts does not hold what went, and one on
//! workbooks does. For `bench/pairs.py`, which has the way back judged by others.

use anyhow::{Context as _, bail};
use mvdiff_text::tree::{self, TreeReport};
use mvdiff_text::{Error, LineReport};
use std::io::Write as _;
use std::path::PathBuf;

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let report = args.next().context("give a report")?;
    let old = args.next();
    let bytes = std::fs::read(&report).with_context(|| report.display().to_string())?;
    let value: serde_json::Value = serde_json::from_slice(&bytes)?;
    let old = || old.clone().context("give the old file or tree, too");
    let inverse = match value["schema"].as_str() {
        Some(mvdiff_grid::SCHEMA) => {
            serde_json::to_vec(&mvdiff_grid::invert(&serde_json::from_slice(&bytes)?))?
        }
        Some(mvdiff_text::SCHEMA) => {
            let report: LineReport = serde_json::from_slice(&bytes)?;
            serde_json::to_vec(&report.invert(&std::fs::read(old()?)?)?)?
        }
        Some(tree::SCHEMA) => {
            let (report, root) = (serde_json::from_slice::<TreeReport>(&bytes)?, old()?);
            let look_up = |path: &[u8]| {
                let path = root.join(String::from_utf8_lossy(path).as_ref());
                let read = if path.is_symlink() {
                    let to = std::fs::read_link(&path);
                    to.map(|to| to.to_string_lossy().as_bytes().to_vec())
                } else {
                    std::fs::read(&path)
                };
                read.map_err(|_| Error::NotReplayable("an old file is not there"))
            };
            serde_json::to_vec(&report.invert(look_up)?)?
        }
        other => bail!("{}: a report {other:?}", report.display()),
    };
    std::io::stdout().write_all(&inverse)?;
    Ok(())
}
