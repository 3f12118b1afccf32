//! `mvdiff replay OLD REPORT.json -o NEW`, of two text files.

use crate::input;
use crate::output::{self, Content};
use anyhow::anyhow;
use mvdiff_text::LineReport;
use std::path::Path;

pub(super) fn run(old: &Path, (path, report): (&Path, &[u8]), out: &Path) -> anyhow::Result<u8> {
    let shown = path.display();
    let report: LineReport = serde_json::from_slice(report).map_err(|error| {
        anyhow!("{shown}: is not a report: {error}; give what --format json printed")
    })?;
    let bytes = input::read(old)?;
    let new = report
        .replay(&bytes)
        .map_err(|error| anyhow!("{}: {error}; give the old file of {shown}", old.display()))?;
    output::to_file(out, Content::Bytes, Box::new(|to| to.write_all(&new)))?;
    Ok(0)
}
