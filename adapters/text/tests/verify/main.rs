//! Reports that hide nothing pass the check, and corrupted ones fail.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod alignment;
mod copies;
mod files;
mod input;
mod merges;
mod moves;
mod plain;
mod whitespace;

use input::{changeset, place};
use mvdiff_core::Side;
use mvdiff_text::effective::{
    Contents, EffectiveReport, EvidenceParts, FileContents, InputCounts, KeptRun, MoveDetail,
    MoveKind, Source,
};
use mvdiff_text::patch::LineKind;
use mvdiff_text::verify::{Hidden, verify};
use mvdiff_text::{Indent, Text};

/// A patch, whole files where known, and a report on them.
#[derive(Clone, Default)]
struct Case {
    patch: Vec<u8>,
    contents: Vec<(Option<&'static str>, Option<&'static str>)>,
    report: EffectiveReport,
}

impl Case {
    /// A patch and a report without moves.
    fn plain(patch: impl Into<Vec<u8>>) -> Self {
        let patch = patch.into();
        let changeset = changeset(&patch);
        let mut report = EffectiveReport {
            effective_diff: Text(patch.clone()),
            complete: true,
            ..EffectiveReport::default()
        };
        for file in &changeset.files {
            report.input.files += 1;
            report.input.binary += u32::from(file.is_binary());
            for hunk in file.hunks() {
                report.input.hunks += 1;
                let mut old = hunk.old_start + u32::from(hunk.old_count == 0);
                let mut new = hunk.new_start + u32::from(hunk.new_count == 0);
                for line in &hunk.lines {
                    let kept = line.kind == LineKind::Context;
                    report.input.removed += u32::from(line.kind == LineKind::Removed);
                    report.input.added += u32::from(line.kind == LineKind::Added);
                    if kept {
                        let named = |p: &Option<std::borrow::Cow<'_, [u8]>>| {
                            Text(p.as_deref().unwrap().to_vec()).into()
                        };
                        let (old_path, new_path) = (named(&file.old_path), named(&file.new_path));
                        report.kept.push(KeptRun(old_path, old, new_path, new, 1));
                    }
                    old += u32::from(line.kind != LineKind::Added);
                    new += u32::from(line.kind != LineKind::Removed);
                }
            }
        }
        let InputCounts { added, removed, .. } = report.input;
        report.total_lines_effectively_changed = added + removed;
        Self {
            patch,
            report,
            ..Self::default()
        }
    }

    fn check(&self) -> Result<(), Hidden> {
        let changeset = changeset(&self.patch);
        let contents = Contents {
            source: self.report.contents,
            files: self
                .contents
                .iter()
                .map(|(old, new)| FileContents {
                    old: old.map(str::as_bytes),
                    new: new.map(str::as_bytes),
                })
                .collect(),
            others: Vec::new(),
        };
        verify(&changeset, &contents, &self.report)
    }

    #[track_caller]
    fn passes(&self) {
        assert_eq!(self.check(), Ok(()));
    }

    /// The case with a modified report.
    fn but(&self, spoil: impl FnOnce(&mut EffectiveReport)) -> Self {
        let mut spoilt = self.clone();
        spoil(&mut spoilt.report);
        spoilt
    }

    /// The case with `old` replaced in its effective diff, and the counts
    /// adjusted.
    #[track_caller]
    fn with_diff(&self, old: &str, new: &str) -> Self {
        let diff = String::from_utf8(self.report.effective_diff.0.clone()).unwrap();
        assert!(diff.contains(old), "{old:?} is not in {diff}");
        self.but(|report| {
            let diff = diff.replacen(old, new, 1);
            let changed = diff.lines().filter(|l| {
                let head = l.starts_with("--- ") || l.starts_with("+++ ");
                !head && (l.starts_with('-') || l.starts_with('+'))
            });
            report.total_lines_effectively_changed = changed.count() as u32;
            report.effective_diff = text(&diff);
        })
    }

    #[track_caller]
    fn is_refused(&self, hidden: Hidden) {
        assert_eq!(self.check(), Err(hidden));
    }
}

fn text(text: &str) -> Text {
    Text(text.as_bytes().to_vec())
}

/// A move with its pairs as runs, counted.
fn moved(files: [&str; 2], lines: [[u32; 2]; 2], pairs: &[[u32; 3]]) -> MoveDetail {
    MoveDetail {
        id: 1,
        kind: MoveKind::Move,
        of: None,
        source_file: text(files[0]),
        target_file: text(files[1]),
        source_lines: lines[0],
        target_lines: lines[1],
        matched_lines: pairs.iter().map(|run| run[2]).sum(),
        score: 1.0,
        effective_diff_lines: 0,
        indent: None,
        whitespace_lines: 0,
        pairs: pairs.to_vec(),
        edited_pairs: Vec::new(),
        twins: Vec::new(),
        evidence: EvidenceParts {
            size: 1.0,
            uniqueness: 1.0,
            consistency: 1.0,
            distance: 1.0,
            weight: 1.0,
            runner_up: None,
        },
    }
}

fn kept(old: &str, old_line: u32, new: &str, new_line: u32, len: u32) -> KeptRun {
    KeptRun(text(old).into(), old_line, text(new).into(), new_line, len)
}

fn old(file: &str, line: u32) -> mvdiff_text::verify::Place {
    place(Side::Old, file, line)
}

fn new(file: &str, line: u32) -> mvdiff_text::verify::Place {
    place(Side::New, file, line)
}

/// Sets the indent of the first move.
fn shifted(from: &str, to: &str) -> impl FnOnce(&mut EffectiveReport) {
    let (from, to) = (from.to_owned(), to.to_owned());
    |report| report.moves[0].indent = Some(Indent { from, to })
}

/// Marks the contents as known.
fn with_contents(
    mut case: Case,
    contents: &[(Option<&'static str>, Option<&'static str>)],
) -> Case {
    case.contents = contents.to_vec();
    case.report.contents = Source::Dirs;
    case
}
