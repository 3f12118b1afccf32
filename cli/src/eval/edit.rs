//! `edit`: a file, blocks, and what becomes of it. The base is the file; the
//! truth and the answer are the file afterwards, and whether anything applied.

use super::fixtures::Folder;
use crate::apply;
use crate::args::{Args, Command};
use anyhow::bail;
use clap::Parser as _;
use mvdiff_metrics::eval::Texts;
use mvdiff_metrics::text_of;
use serde::Deserialize;

/// What of a case's truth matters here.
#[derive(Deserialize)]
struct Truth {
    #[serde(default)]
    options: Options,
    default: Answer,
}

#[derive(Default, Deserialize)]
struct Options {
    threshold: Option<f64>,
    buffer_lines: Option<u32>,
    #[serde(default)]
    unescape_html: bool,
}

#[derive(Deserialize)]
struct Answer {
    success: Option<bool>,
}

pub(super) fn answer(folder: &Folder) -> anyhow::Result<Texts> {
    let truth: Truth = folder.truth()?;
    let input = folder.read("input.txt")?;
    let expected = if folder.path("expected.txt").exists() {
        folder.read("expected.txt")?
    } else {
        input.clone()
    };
    let mut words: Vec<String> = ["mvdiff", "apply", "--partial"].map(Into::into).to_vec();
    if let Some(threshold) = truth.options.threshold {
        words.extend(["--threshold".into(), threshold.to_string()]);
    }
    if let Some(lines) = truth.options.buffer_lines {
        words.extend(["--buffer-lines".into(), lines.to_string()]);
    }
    if truth.options.unescape_html {
        words.push("--unescape-html".into());
    }
    let path = |name: &str| folder.path(name).to_string_lossy().into_owned();
    for name in ["blocks.json", "blocks.txt"] {
        folder.named(name)?;
    }
    if folder.path("blocks.json").exists() {
        words.extend(["--root".into(), path(""), path("blocks.json")]);
    } else {
        words.extend([path("blocks.txt"), path("input.txt")]);
    }
    let Command::Apply(args) = Args::try_parse_from(words)?.command else {
        bail!("not options of mvdiff apply");
    };
    let (ours, success) = apply::try_on(&args, &input)?;
    let told = |bytes: &[u8], success: bool| {
        let outcome = if success {
            "applied"
        } else {
            "nothing applied"
        };
        format!("{}\n{outcome}\n", text_of(bytes))
    };
    Ok(Texts {
        base: told(&input, false),
        expected: told(&expected, truth.default.success.unwrap_or(success)),
        ours: told(&ours, success),
    })
}
