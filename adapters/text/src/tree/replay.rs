//! Old tree + report = new tree, byte for byte.

use super::report::{FileReport, FileStatus, SCHEMA, TreeReport};
use crate::effective::Rebuilt;
use crate::replay::{Carry, Part, replay};
use crate::{Error, Lines, Text};
use std::collections::HashMap;

impl TreeReport {
    /// Rebuilds the files in the report: present files with their bytes, deleted
    /// ones without. `old` looks up the bytes of an old file by its path, once
    /// per file (for a symbolic link, its target); its errors are passed on.
    ///
    /// # Errors
    /// [`Error::NotReplayable`] or [`Error::BadRecipe`] if the report is
    /// inconsistent or does not match the files, or any error of `old`.
    pub fn replay<E: From<Error>>(
        &self,
        mut old: impl FnMut(&[u8]) -> Result<Vec<u8>, E>,
    ) -> Result<Vec<Rebuilt>, E> {
        if self.schema != SCHEMA {
            return Err(Error::NotReplayable("it is not a report on two directories").into());
        }
        let mut texts = Vec::with_capacity(self.files.len());
        for file in self.all_files() {
            texts.push(match file.path_before() {
                Some(path) => old(&path.0)?,
                None => Vec::new(),
            });
        }
        Ok(self.rebuild(&texts)?)
    }

    /// All files that differ between the trees.
    fn all_files(&self) -> impl Iterator<Item = &FileReport> {
        self.files.iter().chain(&self.ignored_files)
    }

    fn rebuild(&self, old: &[Vec<u8>]) -> Result<Vec<Rebuilt>, Error> {
        let mut parts = Vec::with_capacity(old.len());
        for (file, old) in self.all_files().zip(old) {
            parts.push(Part {
                old: Lines::new(if file.binary { &[] } else { old })?,
                lines: file.lines,
                no_eol: file.no_eol,
                changes: &file.changes,
                ignored: &file.ignored,
            });
        }
        let by_path = |path: fn(&FileReport) -> Option<&Text>| {
            let numbered = self.all_files().enumerate();
            let named = numbered.filter_map(|(at, file)| Some((path(file)?, at)));
            named.collect::<HashMap<&Text, usize>>()
        };
        let (before, after) = (
            by_path(FileReport::path_before),
            by_path(FileReport::path_after),
        );
        let mut moves = Vec::with_capacity(self.moves.len());
        for m in &self.moves {
            let end = |files: &HashMap<&Text, usize>, path: &Text| {
                let what = "something moved from or to it, and the report does not list it";
                files.get(path).copied().ok_or_else(|| bad(path, what))
            };
            moves.push(Carry {
                block: &m.block,
                from: end(&before, &m.original_path)?,
                to: end(&after, &m.modified_path)?,
            });
        }
        let new = replay(&parts, &moves)?;
        let mut rebuilt = Vec::with_capacity(self.files.len());
        for ((file, text), old) in self.all_files().zip(new).zip(old) {
            if let Some(path) = &file.old_path {
                rebuilt.push(gone(path));
            }
            if file.status == FileStatus::Removed {
                rebuilt.push(gone(&file.path));
                continue;
            }
            rebuilt.push(Rebuilt {
                path: file.path.0.clone(),
                mode: mode(file)?,
                origin: file.path_before().map(|path| path.0.clone()),
                bytes: Some(match &file.content {
                    Some(content) => content.0.clone(),
                    None if file.content_omitted => {
                        let what = "it is a binary file whose bytes are not in the report";
                        return Err(bad(&file.path, what));
                    }
                    None if file.binary => old.clone(),
                    None => text,
                }),
            });
        }
        let mut made: Vec<&[u8]> = rebuilt
            .iter()
            .filter(|file| file.bytes.is_some())
            .map(|file| &file.path[..])
            .collect();
        made.sort_unstable();
        match made.windows(2).find(|twins| twins[0] == twins[1]) {
            Some(twins) => Err(bad(
                &Text(twins[0].to_vec()),
                "the report makes the file twice",
            )),
            None => Ok(rebuilt),
        }
    }
}

fn gone(path: &Text) -> Rebuilt {
    Rebuilt {
        path: path.0.clone(),
        mode: None,
        origin: None,
        bytes: None,
    }
}

fn mode(file: &FileReport) -> Result<Option<u32>, Error> {
    let Some(mode) = &file.mode else {
        return Ok(None);
    };
    match u32::from_str_radix(mode, 8) {
        Ok(mode) if matches!(mode & 0o170_000, 0o100_000 | 0o120_000) => Ok(Some(mode)),
        _ => {
            let what = format!("{mode:?} is not the mode of a file or link in octal");
            Err(bad(&file.path, &what))
        }
    }
}

fn bad(file: &Text, what: &str) -> Error {
    Error::BadRecipe {
        file: String::from_utf8_lossy(&file.0).into_owned(),
        what: what.to_owned(),
    }
}
