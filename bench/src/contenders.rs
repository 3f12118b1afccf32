//! What is measured: the limit, the peers, and ours.

use crate::measure::{self, Sample, Who};
use anyhow::{Context, bail};
use clap::ValueEnum;
use mvdiff_core::{Options, Problem, Role, Side};
use mvdiff_text::LineProblem;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use xxhash_rust::xxh3::xxh3_64;

/// Something that is given two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Contender {
    /// Does nothing: what starting the process costs
    Idle,
    /// Reads both files, finds the lines and hashes each with xxh3
    Limit,
    /// `similar`'s histogram diff over the same tokens as ours
    Similar,
    /// From the files to the finished script with moves
    Ours,
    /// The same with `Options::moves` off
    OursPlain,
    /// `git diff --no-index`
    Git,
    /// `git diff --no-index --color-moved=zebra`
    GitMoved,
    /// `mvdiff diff --format unified`, needs `--bin`
    Mvdiff,
}

impl Contender {
    /// The name the command line knows.
    ///
    /// # Panics
    /// Never: no variant is hidden from the command line.
    #[must_use]
    pub fn name(self) -> String {
        let value = self
            .to_possible_value()
            .expect("every contender has a name");
        value.get_name().to_owned()
    }
}

/// The two files a contender is given.
#[derive(Clone, Debug)]
pub struct Files {
    /// The old version.
    pub old: PathBuf,
    /// The new version.
    pub new: PathBuf,
}

/// Runs `contender` once in this process (or as its child) and says what it
/// cost.
///
/// # Errors
/// If a file cannot be read or a program cannot be run.
pub fn run(contender: Contender, files: &Files, program: Option<&Path>) -> anyhow::Result<Sample> {
    match contender {
        Contender::Idle => measure::time(Who::Me, || Ok(Sample::default())),
        Contender::Limit => measure::time(Who::Me, || limit(files)),
        Contender::Similar => measure::time(Who::Me, || histogram(files)),
        Contender::Ours => ours(files, &mvdiff_text::options()),
        Contender::OursPlain => {
            let options = mvdiff_text::options().with(|o| {
                o.moves = false;
                o.edits = false;
            });
            ours(files, &options)
        }
        Contender::Git => spawn(git(&["--no-color"]), files),
        Contender::GitMoved => spawn(git(&["--color=always", "--color-moved=zebra"]), files),
        Contender::Mvdiff => {
            let program = program.context("this contender needs --bin")?;
            let mut command = Command::new(program);
            command.args(["diff", "--format", "unified"]);
            spawn(command, files)
        }
    }
}

fn read(files: &Files) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
    let read = |path: &Path| {
        std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
    };
    Ok((read(&files.old)?, read(&files.new)?))
}

fn limit(files: &Files) -> anyhow::Result<Sample> {
    let (old, new) = read(files)?;
    for text in [&old, &new] {
        let mut start = 0;
        for at in memchr::memchr_iter(b'\n', text) {
            black_box(xxh3_64(&text[start..=at]));
            start = at + 1;
        }
        black_box(xxh3_64(&text[start..]));
    }
    Ok(Sample::default())
}

fn histogram(files: &Files) -> anyhow::Result<Sample> {
    let (old, new) = read(files)?;
    let problem = LineProblem::of_texts(&old, &new)?;
    let (old, new) = (problem.tokens(Side::Old), problem.tokens(Side::New));
    black_box(similar::capture_diff_slices(
        similar::Algorithm::Histogram,
        old,
        new,
    ));
    Ok(Sample::default())
}

fn ours(files: &Files, options: &Options) -> anyhow::Result<Sample> {
    measure::time(Who::Me, || {
        let (old, new) = read(files)?;
        let problem = LineProblem::of_texts(&old, &new)?;
        let diff = mvdiff_core::diff(&problem, options)?;
        let kept = diff
            .script
            .runs()
            .iter()
            .filter(|run| run.role == Role::Kept);
        Ok(Sample {
            moves: diff.script.moves().len(),
            kept: kept.map(|run| run.len as usize).sum(),
            limits: diff
                .outcome
                .limits()
                .iter()
                .map(|limit| format!("{limit:?}"))
                .collect(),
            ..Sample::default()
        })
    })
}

fn git(arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    measure::without_git_config(&mut command);
    command
        .args([
            "-c",
            "core.pager=cat",
            "diff",
            "--no-index",
            "--no-ext-diff",
        ])
        .args(arguments)
        .arg("--");
    command
}

fn spawn(mut command: Command, files: &Files) -> anyhow::Result<Sample> {
    command
        .args([&files.old, &files.new])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    measure::time(Who::MyChildren, || {
        let status = command
            .status()
            .with_context(|| format!("cannot run {}", command.get_program().display()))?;
        // 0 and 1 say equal and different.
        if !matches!(status.code(), Some(0 | 1)) {
            bail!("{} ended with {status}", command.get_program().display());
        }
        Ok(Sample::default())
    })
}
