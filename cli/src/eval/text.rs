//! `text`: a patch and what is left of it to read. The base is the patch as
//! git made it; the truth and the answer are effective diffs.

use super::fixtures::Folder;
use crate::contents::Place;
use crate::effective;
use anyhow::bail;
use mvdiff_metrics::eval::Texts;
use mvdiff_metrics::text_of;
use mvdiff_text::effective::EffectiveOptions;
use serde::Deserialize;

/// What a case needs; the moves in the truth are the tests' business.
#[derive(Deserialize)]
struct Truth {
    #[serde(default)]
    options: Vec<String>,
}

pub(super) fn answer(folder: &Folder) -> anyhow::Result<Texts> {
    let truth: Truth = folder.truth()?;
    let mut options = EffectiveOptions {
        engine: mvdiff_text::options(),
        ..EffectiveOptions::default()
    };
    for option in &truth.options {
        match option.as_str() {
            "--copies" => options.engine.copies = true,
            other => bail!(
                "{}: unknown option for cases: {other}",
                folder.path("expect.json").display()
            ),
        }
    }
    let patch = folder.read("git.diff")?;
    let name = folder.path("git.diff");
    let changesets = effective::parse(&patch, &name.to_string_lossy())?;
    let mut place = Place::dirs(&folder.named("old")?, &folder.named("new")?)?;
    let mut ours = Vec::new();
    for changeset in &changesets {
        let report = effective::look(changeset, &mut place, &options)?;
        ours.extend_from_slice(&report.effective_diff.0);
    }
    Ok(Texts {
        base: text_of(&patch).into_owned(),
        expected: text_of(&folder.read("expected.diff")?).into_owned(),
        ours: text_of(&ours).into_owned(),
    })
}
