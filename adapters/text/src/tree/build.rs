//! Builds the report of two trees.

use super::pairs::{Pair, Pairs};
use super::report::{FileReport, FileStatus, MovedBetween, SCHEMA, TreeReport, TreeStats};
use super::texts::{Comparison, Texts};
use super::{Entry, TreeOptions, Trees};
use crate::changes::{Carried, Found, InPlace};
use crate::{Error, LineProblem, Lines, MoveKind, Note, Text, TwinSide};

impl TreeReport {
    /// Compares two trees.
    ///
    /// # Errors
    /// [`Error`] if a text is too large or an option is out of range.
    pub fn new(trees: &Trees<'_>, options: &TreeOptions) -> Result<Self, Error> {
        let pairs = Pairs::new(trees, options);
        let texts = Texts::new(trees, &pairs.list);
        let problem = texts.problem(trees, options)?;
        let diff = mvdiff_core::diff(&problem, &options.lines)?;
        let found = Found::new(&problem, &diff.script);
        let moves = found.moves();
        let mut report = Self {
            schema: SCHEMA.into(),
            complete: true,
            notes: pairs.notes(),
            hit_timeout: pairs.spent || !diff.outcome.is_complete(),
            ignore: options.ignore,
            stats: TreeStats::default(),
            files: Vec::with_capacity(pairs.list.len()),
            ignored_files: Vec::new(),
            moves: Vec::new(),
            copies: between(trees, &texts, found.copies()),
            merges: between(trees, &texts, found.merges()),
        };
        report
            .notes
            .extend(texts.notes(trees, &problem, &diff.outcome));
        report.stats.files.unchanged = pairs.unchanged;
        let ends = Ends::new(&texts, &moves);
        report.moves = between(trees, &texts, moves);
        let mut room = options.binary_bytes;
        for (pair, kind) in pairs.list.iter().zip(&texts.kinds) {
            let changed = match *kind {
                Comparison::Lines { old, new } => found.in_place(old, new),
                Comparison::Link => alone(trees, *pair, options)?,
                Comparison::Whole | Comparison::Same => InPlace::default(),
            };
            let mut file = file_report(trees, *pair, *kind, changed)?;
            (file.stats.moved, file.stats.reindented) = ends.lines(*kind);
            if file.is_spotless() && !ends.touch(*kind) && *kind != Comparison::Whole {
                report.stats.files.unchanged += 1;
                report.ignored_files.push(file);
                continue;
            }
            if *kind == Comparison::Whole {
                report.hold(trees, *pair, &mut file, &mut room);
            }
            report.stats.count(&file);
            report.files.push(file);
        }
        let omitted = report.files.iter().any(|file| file.content_omitted);
        report.complete = !report.hit_timeout && !omitted;
        Ok(report)
    }

    /// Adds the bytes of a binary file to the report, while there is room.
    fn hold(&mut self, trees: &Trees<'_>, pair: Pair, file: &mut FileReport, room: &mut u64) {
        let Some(new) = pair.entries(trees).1 else {
            return;
        };
        if let Some(left) = room.checked_sub(new.bytes.len() as u64) {
            *room = left;
            file.content = Some(Text(new.bytes.to_vec()));
            return;
        }
        file.content_omitted = true;
        self.notes.push(Note {
            kind: "contents".into(),
            message: format!(
                "{}: a binary file of {} bytes is too large for the report (binary_bytes), which does not replay without it",
                String::from_utf8_lossy(&new.path),
                new.bytes.len(),
            ),
        });
    }
}

/// Changes in a file that no move starts or ends in.
fn alone(trees: &Trees<'_>, pair: Pair, options: &TreeOptions) -> Result<InPlace, Error> {
    let (old, new) = pair.entries(trees);
    let bytes = |entry: Option<&Entry<'_>>| -> Vec<u8> {
        entry.map_or_else(Vec::new, |entry| entry.bytes.to_vec())
    };
    let (old, new) = (bytes(old), bytes(new));
    // White space is significant in the target of a symbolic link.
    let problem = LineProblem::of_texts(&old, &new)?;
    let options = options.lines.clone().with(|o| {
        o.moves = false;
        o.copies = false;
    });
    let diff = mvdiff_core::diff(&problem, &options)?;
    Ok(Found::new(&problem, &diff.script).in_place(Some(0), Some(0)))
}

/// Line counts of moves, by file.
struct Ends {
    /// For every old text, its number of moved lines.
    moved: Vec<u32>,
    /// For every old text, its number of lines reindented in place.
    reindented: Vec<u32>,
    /// For every new text, whether a move ends there.
    reached: Vec<bool>,
}

impl Ends {
    fn new(texts: &Texts, moves: &[Carried]) -> Self {
        let mut ends = Self {
            moved: vec![0; texts.old.len()],
            reindented: vec![0; texts.old.len()],
            reached: vec![false; texts.new.len()],
        };
        for carried in moves {
            let lines = match carried.block.kind {
                MoveKind::Indent => &mut ends.reindented,
                _ => &mut ends.moved,
            };
            lines[carried.files.0] += carried.block.old_len();
            ends.reached[carried.files.1] = true;
        }
        ends
    }

    /// Numbers of moved and of reindented old lines of a file.
    fn lines(&self, kind: Comparison) -> (u32, u32) {
        match kind {
            Comparison::Lines { old: Some(old), .. } => (self.moved[old], self.reindented[old]),
            _ => (0, 0),
        }
    }

    fn touch(&self, kind: Comparison) -> bool {
        let reached = match kind {
            Comparison::Lines { new: Some(new), .. } => self.reached[new],
            _ => false,
        };
        reached || self.lines(kind) != (0, 0)
    }
}

/// Adds file names to blocks.
fn between(trees: &Trees<'_>, texts: &Texts, carried: Vec<Carried>) -> Vec<MovedBetween> {
    let named = carried.into_iter().map(|Carried { mut block, files }| {
        let path = |entry: &Entry<'_>| Text(entry.path.clone());
        for twin in &mut block.twins {
            twin.path = Some(match twin.side {
                TwinSide::Old => path(&trees.old[texts.old[twin.file]]),
                TwinSide::New => path(&trees.new[texts.new[twin.file]]),
            });
        }
        MovedBetween {
            original_path: path(&trees.old[texts.old[files.0]]),
            modified_path: path(&trees.new[texts.new[files.1]]),
            block,
        }
    });
    named.collect()
}

fn file_report(
    trees: &Trees<'_>,
    pair: Pair,
    kind: Comparison,
    changed: InPlace,
) -> Result<FileReport, Error> {
    let (old, new) = pair.entries(trees);
    let status = match (old, new) {
        (None, _) => FileStatus::Added,
        (_, None) => FileStatus::Removed,
        _ if pair.renamed.is_some() => FileStatus::Renamed,
        _ => FileStatus::Modified,
    };
    let path = |entry: &Entry<'_>| Text(entry.path.clone());
    let modes = [old, new].map(|entry| entry.map(|entry| entry.mode));
    let mode = |mode: Option<u32>| {
        let told = mode.filter(|_| modes[0] != modes[1]);
        told.map(|mode| format!("{mode:06o}"))
    };
    let lines = |entry: Option<&Entry<'_>>| -> Result<(u32, bool), Error> {
        match entry.filter(|_| kind != Comparison::Whole) {
            Some(entry) if !entry.binary => {
                let lines = Lines::new(entry.bytes)?;
                Ok((lines.len() as u32, lines.lacks_newline()))
            }
            _ => Ok((0, false)),
        }
    };
    let (old_lines, new_lines) = (lines(old)?, lines(new)?);
    let is_binary = |entry: Option<&Entry<'_>>| entry.is_some_and(|entry| entry.binary);
    Ok(FileReport {
        path: new.or(old).map(path).unwrap_or_default(),
        old_path: old.filter(|_| status == FileStatus::Renamed).map(path),
        status,
        similarity: pair.renamed.map(|share| share.percent() as f32 / 100.0),
        mode: mode(modes[1]),
        old_mode: mode(modes[0]),
        binary: is_binary(old) || is_binary(new),
        lines: [old_lines.0, new_lines.0],
        no_eol: new_lines.1,
        stats: changed.stats,
        changes: changed.changes,
        ignored: changed.ignored,
        content: None,
        content_omitted: false,
        entries: (pair.old, pair.new),
    })
}

impl FileReport {
    /// Whether a file at the same path has nothing to report.
    fn is_spotless(&self) -> bool {
        self.status == FileStatus::Modified && self.mode.is_none() && self.changes.is_empty()
    }
}

impl TreeStats {
    fn count(&mut self, file: &FileReport) {
        *match file.status {
            FileStatus::Added => &mut self.files.added,
            FileStatus::Removed => &mut self.files.removed,
            FileStatus::Modified => &mut self.files.modified,
            FileStatus::Renamed => &mut self.files.renamed,
        } += 1;
        self.lines.additions += file.stats.additions;
        self.lines.deletions += file.stats.deletions;
        self.lines.modified += file.stats.modified;
        self.lines.moved += file.stats.moved;
        self.lines.reindented += file.stats.reindented;
    }
}
