//! The inputs of a table, as files.

use crate::contenders::Files;
use crate::trees;
use crate::workloads::{Pair, WORKLOADS, Workload};
use clap::Args;
use std::path::{Path, PathBuf};

/// Which inputs are wanted.
#[derive(Args, Clone, Debug, Default)]
pub struct Inputs {
    /// Only the workloads of these names
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// Two versions of a package, for T6 (concatenated) and T7 (shuffled)
    #[arg(long, num_args = 2, value_names = ["OLDDIR", "NEWDIR"])]
    pub t6: Vec<PathBuf>,
}

/// An input in files.
#[derive(Clone, Debug)]
pub struct Input {
    /// Short name, such as `T3`.
    pub name: String,
    /// What it is, in a few words.
    pub about: String,
    /// Largest ratio to the limit that is good enough.
    pub goal: Option<f64>,
    /// Where it is.
    pub files: Files,
    /// Bytes of both sides.
    pub bytes: usize,
    /// Lines of the old side.
    pub lines: usize,
}

impl Input {
    fn write(
        dir: &Path,
        name: &str,
        about: &str,
        goal: Option<f64>,
        pair: &Pair,
    ) -> anyhow::Result<Self> {
        let files = Files {
            old: dir.join(format!("{name}.old")),
            new: dir.join(format!("{name}.new")),
        };
        std::fs::write(&files.old, &pair.old)?;
        std::fs::write(&files.new, &pair.new)?;
        let lines = memchr::memchr_iter(b'\n', &pair.old).count();
        let bytes = pair.old.len() + pair.new.len();
        Ok(Self {
            name: name.to_owned(),
            about: about.to_owned(),
            goal,
            files,
            bytes,
            lines,
        })
    }

    /// Makes and writes `workload` with about `lines` lines.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub fn generate(dir: &Path, workload: &Workload, lines: usize) -> anyhow::Result<Self> {
        Self::write(
            dir,
            workload.name,
            workload.about,
            workload.goal,
            &workload.make(lines),
        )
    }
}

impl Inputs {
    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// Writes them all into `dir`.
    ///
    /// # Errors
    /// If a tree cannot be read or a file cannot be written.
    pub fn write(&self, dir: &Path) -> anyhow::Result<Vec<Input>> {
        let mut inputs = Vec::new();
        for workload in WORKLOADS
            .iter()
            .filter(|workload| self.wants(workload.name))
        {
            inputs.push(Input::generate(dir, workload, workload.lines)?);
        }
        if let [old, new] = self.t6.as_slice() {
            let (old, new) = (trees::read(old)?, trees::read(new)?);
            let about = "two versions of a package, files concatenated";
            if self.wants("T6") {
                inputs.push(Input::write(
                    dir,
                    "T6",
                    about,
                    Some(3.0),
                    &trees::concatenated(&old, &new),
                )?);
            }
            let about = "the same, files of the new version shuffled";
            if self.wants("T7") {
                inputs.push(Input::write(
                    dir,
                    "T7",
                    about,
                    Some(3.0),
                    &trees::shuffled(&old, &new),
                )?);
            }
        }
        Ok(inputs)
    }
}
