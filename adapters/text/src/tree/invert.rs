//! Inverts tree reports: new tree + inverse = old tree.

use super::report::{FileReport, FileStats, FileStatus, MovedBetween, TreeReport, TreeStats};
use crate::invert::{invert_block, invert_changes, invert_stats};
use crate::{Error, Lines, Stats, Text};
use std::collections::HashMap;

impl TreeReport {
    /// Inverts the report, from the new tree to the old one. `old` looks up the
    /// bytes of an old file by its path, as for [`replay`](Self::replay).
    ///
    /// # Errors
    /// [`Error::NotReplayable`] or [`Error::BadRecipe`] if the report does not
    /// match the files, or any error of `old`.
    pub fn invert<E: From<Error>>(
        &self,
        mut old: impl FnMut(&[u8]) -> Result<Vec<u8>, E>,
    ) -> Result<Self, E> {
        let mut before = HashMap::new();
        let after = self.replay(|path| {
            let bytes = old(path)?;
            before.insert(path.to_vec(), bytes.clone());
            Ok::<_, E>(bytes)
        })?;
        let there = after.into_iter();
        let there = there.filter_map(|file| Some((file.path, file.bytes?)));
        Ok(self.turned(&before, &there.collect())?)
    }

    fn turned(
        &self,
        before: &HashMap<Vec<u8>, Vec<u8>>,
        after: &HashMap<Vec<u8>, Vec<u8>>,
    ) -> Result<Self, Error> {
        let blocks = |blocks: &[MovedBetween]| {
            let turn = |moved: &MovedBetween| {
                let old = lines(before, &moved.original_path)?;
                let new = lines(after, &moved.modified_path)?;
                Ok(MovedBetween {
                    original_path: moved.modified_path.clone(),
                    modified_path: moved.original_path.clone(),
                    block: invert_block(&moved.block, &old, &new)?,
                })
            };
            let mut turned = blocks.iter().map(turn).collect::<Result<Vec<_>, Error>>()?;
            turned.sort_by(|a, b| {
                let place = |m: &MovedBetween| m.block.original_line_start;
                (&a.original_path, place(a)).cmp(&(&b.original_path, place(b)))
            });
            Ok::<_, Error>(turned)
        };
        let moves = blocks(&self.moves)?;
        let files = |files: &[FileReport]| {
            let turned = files.iter().map(|file| invert_file(file, before, &moves));
            let mut turned = turned.collect::<Result<Vec<_>, Error>>()?;
            turned.sort_by(|a, b| a.path.cmp(&b.path));
            Ok::<_, Error>(turned)
        };
        let (listed, ignored) = (files(&self.files)?, files(&self.ignored_files)?);
        let lines = listed.iter().fold(Stats::default(), |all, file| Stats {
            additions: all.additions.saturating_add(file.stats.additions),
            deletions: all.deletions.saturating_add(file.stats.deletions),
            modified: all.modified.saturating_add(file.stats.modified),
            moved: all.moved.saturating_add(file.stats.moved),
            reindented: all.reindented.saturating_add(file.stats.reindented),
        });
        let stats = self.stats.files;
        Ok(Self {
            schema: self.schema.clone(),
            complete: self.complete,
            notes: self.notes.clone(),
            hit_timeout: self.hit_timeout,
            ignore: self.ignore,
            stats: TreeStats {
                files: FileStats {
                    added: stats.removed,
                    removed: stats.added,
                    ..stats
                },
                lines,
            },
            files: listed,
            ignored_files: ignored,
            copies: blocks(&self.merges)?,
            merges: blocks(&self.copies)?,
            moves,
        })
    }
}

fn lines<'t>(files: &'t HashMap<Vec<u8>, Vec<u8>>, path: &Text) -> Result<Lines<'t>, Error> {
    Lines::new(files.get(&path.0).map_or(&[][..], |bytes| bytes))
}

/// Inverts the report of a file, with these inverted moves.
fn invert_file(
    file: &FileReport,
    before: &HashMap<Vec<u8>, Vec<u8>>,
    moves: &[MovedBetween],
) -> Result<FileReport, Error> {
    let was = file.path_before();
    let old = match was {
        Some(path) if !file.binary => lines(before, path)?,
        _ => Lines::new(&[])?,
    };
    let gone = moves
        .iter()
        .filter(|moved| Some(&moved.original_path) == file.path_after());
    let status = match file.status {
        FileStatus::Added => FileStatus::Removed,
        FileStatus::Removed => FileStatus::Added,
        status => status,
    };
    // Bytes of a file without lines are included as a whole, unless unchanged.
    let is_whole =
        file.status == FileStatus::Removed || file.content.is_some() || file.content_omitted;
    let content = was.filter(|_| file.binary && is_whole);
    let content = content.and_then(|path| before.get(&path.0));
    Ok(FileReport {
        path: file.old_path.clone().unwrap_or_else(|| file.path.clone()),
        old_path: file.old_path.is_some().then(|| file.path.clone()),
        status,
        similarity: file.similarity,
        mode: file.old_mode.clone(),
        old_mode: file.mode.clone(),
        binary: file.binary,
        lines: [file.lines[1], file.lines[0]],
        no_eol: old.lacks_newline() && status != FileStatus::Removed,
        stats: invert_stats(&file.stats, &gone.map(|moved| &moved.block)),
        changes: invert_changes(&file.changes, &old)?,
        ignored: invert_changes(&file.ignored, &old)?,
        content: content.map(|bytes| Text(bytes.clone())),
        content_omitted: false,
        entries: (file.entries.1, file.entries.0),
    })
}
