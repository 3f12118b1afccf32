//! Randomly corrupted reports, in which the corruption is certain.

use crate::git;
use crate::laws::{Case, Files, Law, hold};
use crate::trees::{Tree, trees};
use mvdiff_text::Indent;
use mvdiff_text::effective::{Contents, EffectiveOptions, EffectiveReport, effective};
use mvdiff_text::patch::{Body, Changeset, LineKind, parse, write_patch};
use mvdiff_text::verify::verify;

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// A line of a file, without its newline.
fn line(tree: &Tree, path: &[u8], number: u32) -> Option<Vec<u8>> {
    let (_, file) = tree.iter().find(|(known, _)| known.as_bytes() == path)?;
    file.lines.get((number as usize).checked_sub(1)?).cloned()
}

/// The report with any one line of the effective diff removed and the counts
/// adjusted. Blank lines may be white space of a block.
fn with_a_line_less(report: &EffectiveReport) -> Vec<EffectiveReport> {
    let mut spoilt = Vec::new();
    let diff = &report.effective_diff.0;
    let Ok(changesets) = parse(diff) else {
        return spoilt;
    };
    let Some(changeset) = changesets.first() else {
        return spoilt;
    };
    for (f, file) in changeset.files.iter().enumerate() {
        for (h, hunk) in file.hunks().iter().enumerate() {
            for (l, line) in hunk.lines.iter().enumerate() {
                if line.kind == LineKind::Context || is_blank(line.text) {
                    continue;
                }
                let mut less = changeset.clone();
                let Body::Text(hunks) = &mut less.files[f].body else {
                    continue;
                };
                let hunk = &mut hunks[h];
                hunk.lines.remove(l);
                hunk.bytes = b"";
                if line.kind == LineKind::Removed {
                    hunk.old_count -= 1;
                    hunk.old_start -= u32::from(hunk.old_count == 0);
                } else {
                    hunk.new_count -= 1;
                    hunk.new_start -= u32::from(hunk.new_count == 0);
                }
                if hunk.lines.iter().all(|line| line.kind == LineKind::Context) {
                    hunks.remove(h);
                }
                let mut report = report.clone();
                report.effective_diff.0.clear();
                write_patch(&mut report.effective_diff.0, &less).unwrap();
                report.total_lines_effectively_changed -= 1;
                for found in &mut report.moves {
                    found.effective_diff_lines = found.effective_diff_lines.saturating_sub(1);
                }
                spoilt.push(report);
            }
        }
    }
    spoilt
}

/// The report with any one pair of a move off by one line, if the lines then
/// differ.
fn with_a_pair_off(case: &Case<'_>, report: &EffectiveReport) -> Vec<EffectiveReport> {
    let mut spoilt = Vec::new();
    for (m, found) in report.moves.iter().enumerate() {
        for run in 0..found.pairs.len() {
            for (side, tree) in [&case.trees.old, &case.trees.new].into_iter().enumerate() {
                let path = [&found.source_file, &found.target_file][side];
                let [old, new, len] = found.pairs[run];
                let [first, shifted] = [0, 1].map(|by| line(tree, &path.0, [old, new][side] + by));
                let trimmed =
                    |line: &Option<Vec<u8>>| line.as_ref().map(|l| l.trim_ascii().to_vec());
                if trimmed(&first) == trimmed(&shifted) || len != 1 {
                    continue;
                }
                let mut report = report.clone();
                report.moves[m].pairs[run][side] += 1;
                spoilt.push(report);
            }
        }
    }
    spoilt
}

/// The report with any kept run one line longer, if that line changed.
fn with_more_kept(case: &Case<'_>, report: &EffectiveReport) -> Vec<EffectiveReport> {
    let mut spoilt = Vec::new();
    for (k, run) in report.kept.iter().enumerate() {
        let old = line(&case.trees.old, &run.0.0, run.1 + run.4);
        let new = line(&case.trees.new, &run.2.0, run.3 + run.4);
        if old == new {
            continue;
        }
        let mut report = report.clone();
        report.kept[k].4 += 1;
        spoilt.push(report);
    }
    spoilt
}

/// The report with a different indentation for any move.
fn with_another_indent(case: &Case<'_>, report: &EffectiveReport) -> Vec<EffectiveReport> {
    let mut spoilt = Vec::new();
    for (m, found) in report.moves.iter().enumerate() {
        let mut olds = found.pairs.iter().flat_map(|[old, _, len]| *old..old + len);
        let says =
            |n| line(&case.trees.old, &found.source_file.0, n).is_some_and(|l| !is_blank(&l));
        if !olds.any(says) {
            continue;
        }
        let mut report = report.clone();
        let mut indent = found.indent.clone().unwrap_or(Indent {
            from: String::new(),
            to: String::new(),
        });
        indent.to.push('\t');
        report.moves[m].indent = Some(indent);
        spoilt.push(report);
    }
    spoilt
}

/// The report with any one move missing or repeated.
fn with_other_moves(case: &Case<'_>, report: &EffectiveReport) -> Vec<EffectiveReport> {
    let mut spoilt = Vec::new();
    for (m, found) in report.moves.iter().enumerate() {
        let mut news = found.pairs.iter().flat_map(|[_, new, len]| *new..new + len);
        let says =
            |n| line(&case.trees.new, &found.target_file.0, n).is_some_and(|l| !is_blank(&l));
        if !news.any(says) {
            continue;
        }
        for twice in [false, true] {
            let mut report = report.clone();
            if twice {
                report.moves.push(found.clone());
            } else {
                report.moves.remove(m);
            }
            let mut id = 0;
            let mut lines = 0;
            for found in &mut report.moves {
                id += 1;
                found.id = id;
                let moved = found.kind == mvdiff_text::effective::MoveKind::Move;
                lines += if moved { found.matched_lines } else { 0 };
            }
            report.moves_detected = id;
            report.total_lines_moved = lines;
            spoilt.push(report);
        }
    }
    spoilt
}

/// Reports with wrong counts.
fn with_other_counts(report: &EffectiveReport) -> Vec<EffectiveReport> {
    let counts: [fn(&mut EffectiveReport) -> &mut u32; 7] = [
        |r| &mut r.input.files,
        |r| &mut r.input.hunks,
        |r| &mut r.input.added,
        |r| &mut r.input.removed,
        |r| &mut r.moves_detected,
        |r| &mut r.total_lines_moved,
        |r| &mut r.total_lines_effectively_changed,
    ];
    let wrong = counts.iter().map(|count| {
        let mut report = report.clone();
        *count(&mut report) += 1;
        report
    });
    wrong.collect()
}

/// Reports with different text in the effective diff.
fn with_other_words(report: &EffectiveReport) -> Vec<EffectiveReport> {
    let mut at = 0;
    let mut spoilt = Vec::new();
    for line in report.effective_diff.0.split_inclusive(|b| *b == b'\n') {
        for (word, other) in [(&b"first"[..], b"third"), (b"call_", b"cell_")] {
            let place = line.windows(5).position(|window| window == word);
            // The text after the second `@@` is not part of the change.
            if let Some(place) = place.filter(|_| line.starts_with(b"+") || line.starts_with(b"-"))
            {
                let mut report = report.clone();
                report.effective_diff.0[at + place..at + place + 5].copy_from_slice(other);
                spoilt.push(report);
            }
        }
        at += line.len();
    }
    spoilt
}

fn refused(
    case: &Case<'_>,
    spoil: impl Fn(&Changeset<'_>, &EffectiveReport) -> Vec<EffectiveReport>,
) -> Law {
    let changesets = parse(case.patch).map_err(|error| error.to_string())?;
    let files = Files::new(case.trees);
    for changeset in &changesets {
        for contents in [files.contents(changeset), Contents::default()] {
            for options in [&EffectiveOptions::default(), case.options] {
                let report = effective(changeset, &contents, options).unwrap();
                for spoilt in spoil(changeset, &report) {
                    if verify(changeset, &contents, &spoilt).is_ok() {
                        return Err(format!(
                            "passed: {spoilt:#?}\n{}",
                            String::from_utf8_lossy(&spoilt.effective_diff.0)
                        ));
                    }
                }
            }
        }
    }
    Ok(())
}

#[test]
fn a_line_dropped_from_the_diff_is_missed() {
    hold(trees(), &git::WAYS, |case| {
        refused(case, |_, report| with_a_line_less(report))
    });
}

#[test]
fn a_pair_of_lines_that_differ_is_refused() {
    hold(trees(), &git::WAYS, |case| {
        refused(case, |_, report| with_a_pair_off(case, report))
    });
}

#[test]
fn a_kept_run_with_a_changed_line_is_refused() {
    hold(trees(), &git::WAYS, |case| {
        refused(case, |_, report| with_more_kept(case, report))
    });
}

#[test]
fn an_indent_that_is_not_the_blocks_is_refused() {
    hold(trees(), &git::WAYS, |case| {
        refused(case, |_, report| with_another_indent(case, report))
    });
}

#[test]
fn a_move_left_out_or_told_twice_is_refused() {
    hold(trees(), &git::WAYS, |case| {
        refused(case, |_, report| with_other_moves(case, report))
    });
}

#[test]
fn wrong_counts_and_other_words_are_refused() {
    hold(trees(), &git::WAYS, |case| {
        refused(case, |_, report| {
            let mut spoilt = with_other_counts(report);
            spoilt.extend(with_other_words(report));
            spoilt
        })
    });
}
