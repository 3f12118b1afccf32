//! A report on two directories as a view.

use super::remarks::remarks;
use super::summary::{sum, summary};
use super::{FileInput, MoveInput, View};
use crate::Names;
use crate::styles::decode;
use mvdiff_text::tree::{Entry, FileReport, FileStats, FileStatus, TreeReport, Trees};
use mvdiff_text::{Lines, MovedBlock, Text};
use std::collections::HashMap;

impl<'t> View<'t> {
    /// Two trees. Whether a report that somebody else made is about them, its
    /// [`replay`](TreeReport::replay) says.
    #[must_use]
    pub fn of_tree(names: &Names, trees: &Trees<'t>, report: &TreeReport) -> View<'t> {
        let texts: Vec<(Lines<'t>, Lines<'t>)> =
            report.files.iter().map(|file| lines(trees, file)).collect();
        let files = report.files.iter().zip(&texts);
        let inputs: Vec<FileInput<'_, 't>> = files
            .map(|(file, texts)| FileInput {
                old: file.path_before().map(|path| decode(&path.0)),
                new: file.path_after().map(|path| decode(&path.0)),
                facts: facts(file, is_link(trees, file)),
                lines: (&texts.0, &texts.1),
                changes: &file.changes,
                ignored: &file.ignored,
            })
            .collect();
        let by_path = |path: fn(&FileReport) -> Option<&Text>| {
            let files = report.files.iter().enumerate();
            let there = files.filter_map(|(at, file)| Some((path(file)?, at)));
            there.collect::<HashMap<&Text, usize>>()
        };
        let (before, after) = (
            by_path(FileReport::path_before),
            by_path(FileReport::path_after),
        );
        let moves = report.moves.iter().map(|moved| (moved, false));
        let copies = report.copies.iter().map(|copy| (copy, true));
        let ends = moves.chain(copies).filter_map(|(moved, is_copy)| {
            let old = before.get(&moved.original_path)?;
            let new = after.get(&moved.modified_path)?;
            Some(MoveInput {
                block: &moved.block,
                files: (*old, *new),
                is_copy,
            })
        });
        let moves: Vec<MoveInput<'_>> = ends.collect();
        let blocks: Vec<&MovedBlock> = report.moves.iter().map(|m| &m.block).collect();
        let changes = report.files.iter().flat_map(|file| &file.changes);
        let sum = sum(changes, &blocks);
        View {
            title: format!("{} → {}", names.old, names.new),
            summary: format!(
                "{} {}",
                counts(&report.stats.files),
                summary(&report.stats.lines, sum, &blocks)
            ),
            sum,
            notes: remarks(report.ignore, &report.notes),
            ..View::of_files(&inputs, &moves)
        }
    }
}

/// The lines of a file that are worth a look: none of a binary file, nor of
/// one that only has another name or mode.
fn lines<'t>(trees: &Trees<'t>, file: &FileReport) -> (Lines<'t>, Lines<'t>) {
    let (old, new) = file.entries;
    let entry = |entries: &[Entry<'t>], at: Option<usize>| -> &'t [u8] {
        let entry = at.and_then(|at| entries.get(at));
        entry.map_or(&[], |entry| entry.bytes)
    };
    let (old, new) = (entry(&trees.old, old), entry(&trees.new, new));
    let split = |bytes: &'t [u8]| {
        let bytes = if file.binary || old == new {
            &[]
        } else {
            bytes
        };
        Lines::new(bytes).unwrap_or_default()
    };
    (split(old), split(new))
}

/// Whether a file is a link, or was one if it is gone.
fn is_link(trees: &Trees<'_>, file: &FileReport) -> bool {
    let (old, new) = file.entries;
    let new = new.and_then(|at| trees.new.get(at));
    let entry = new.or(old.and_then(|at| trees.old.get(at)));
    entry.is_some_and(|entry| entry.mode == 0o120_000)
}

/// What else happened to a file.
fn facts(file: &FileReport, is_link: bool) -> Vec<String> {
    let mut facts = Vec::new();
    match file.status {
        FileStatus::Added => facts.push("new".to_owned()),
        FileStatus::Removed => facts.push("deleted".to_owned()),
        FileStatus::Renamed => facts.push("renamed".to_owned()),
        FileStatus::Modified => {}
    }
    let is_kept = !matches!(file.status, FileStatus::Added | FileStatus::Removed);
    if let (Some(old), Some(new)) = (&file.old_mode, &file.mode) {
        facts.push(format!("mode {old} → {new}"));
    } else if is_link {
        facts.push("link".to_owned());
    }
    if file.binary {
        facts.push("binary".to_owned());
    }
    let is_same = file.binary && is_kept && file.content.is_none() && !file.content_omitted;
    if is_same || file.similarity == Some(1.0) {
        facts.push("unchanged".to_owned());
    }
    facts
}

/// How many files there are of each kind: `4 files: 3 modified, 1 renamed.`
fn counts(files: &FileStats) -> String {
    let kinds = [
        (files.modified, "modified"),
        (files.renamed, "renamed"),
        (files.added, "new"),
        (files.removed, "deleted"),
    ];
    let counted: Vec<String> = kinds
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let all: u32 = kinds.iter().map(|(count, _)| count).sum();
    let noun = if all == 1 { "file" } else { "files" };
    format!("{all} {noun}: {}.", counted.join(", "))
}
