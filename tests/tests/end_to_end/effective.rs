//! The cases of fixtures/text, from the diff to what is left of it.

use crate::cases::Folder;
use crate::manifest::{HunksAlone, TextCase, manifest, verdict};
use crate::schema;
use mvdiff_text::effective::{
    Contents, EffectiveOptions, EffectiveReport, FileContents, MoveDetail, MoveKind, Source,
    effective,
};
use mvdiff_text::patch::{FilePatch, parse};
use mvdiff_text::{Indent, Text};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;

/// The truth about a change; see fixtures/README.md.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Truth {
    moves: Option<Vec<Move>>,
    #[serde(default)]
    notes: BTreeSet<String>,
    #[serde(default)]
    options: Vec<String>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Move {
    kind: MoveKind,
    source_file: String,
    target_file: String,
    source_lines: [u32; 2],
    target_lines: [u32; 2],
    edited_pairs: Vec<[u32; 2]>,
    indent: Option<Indent>,
}

impl Truth {
    fn options(&self) -> EffectiveOptions {
        let mut options = EffectiveOptions::default();
        for option in &self.options {
            match option.as_str() {
                "--copies" => options.engine.copies = true,
                other => panic!("unknown option for cases: {other}"),
            }
        }
        options
    }
}

/// A file before and after.
type Sides = [Option<Vec<u8>>; 2];

fn sides(folder: &Folder, file: &FilePatch<'_>) -> Sides {
    let read = |side: &str, path: Option<&[u8]>| {
        let path = std::str::from_utf8(path?).unwrap();
        folder.find(&format!("{side}/{path}"))
    };
    [
        read("old", file.old_path.as_deref()),
        read("new", file.new_path.as_deref()),
    ]
}

/// The answer to a case, from files and diff or from the diff alone.
fn answer(folder: &Folder, options: &EffectiveOptions, source: Source) -> EffectiveReport {
    let patch = folder.read("git.diff");
    let changesets = parse(&patch).unwrap();
    let [changeset] = &changesets[..] else {
        panic!("{} changesets", changesets.len());
    };
    let sides: Vec<Sides> = match source {
        Source::None => Vec::new(),
        _ => changeset.files.iter().map(|f| sides(folder, f)).collect(),
    };
    let files = sides.iter().map(|[old, new]| FileContents {
        old: old.as_deref(),
        new: new.as_deref(),
    });
    let contents = Contents {
        source,
        files: files.collect(),
        ..Contents::default()
    };
    effective(changeset, &contents, options).unwrap()
}

/// The moves as the truth has them: blank lines at their edges left out.
fn moves(folder: &Folder, report: &EffectiveReport) -> Vec<Move> {
    let text = |text: &Text| String::from_utf8(text.0.clone()).unwrap();
    let trimmed = |side: &str, file: &Text, [first, last]: [u32; 2]| {
        let bytes = folder.read(&format!("{side}/{}", text(file)));
        let lines: Vec<&[u8]> = bytes.split(|b| *b == b'\n').collect();
        let mut telling =
            (first..=last).filter(|line| !lines[*line as usize - 1].trim_ascii().is_empty());
        let start = telling.next().expect("a move of something");
        [start, telling.next_back().unwrap_or(start)]
    };
    let reported = |m: &MoveDetail| Move {
        kind: m.kind,
        source_file: text(&m.source_file),
        target_file: text(&m.target_file),
        source_lines: trimmed("old", &m.source_file, m.source_lines),
        target_lines: trimmed("new", &m.target_file, m.target_lines),
        edited_pairs: m.edited_pairs.clone(),
        indent: m.indent.clone(),
    };
    report.moves.iter().map(reported).collect()
}

/// What is wrong with the answer, in words; nothing if it is the truth.
fn differences(folder: &Folder, truth: &Truth, report: &EffectiveReport) -> Vec<String> {
    let mut wrong = Vec::new();
    let expected = folder.read("expected.diff");
    if report.effective_diff.0 != expected {
        let [found, truth] = [&report.effective_diff.0, &expected].map(|d| printable(d));
        wrong.push(format!("left to read:\n{found}in truth:\n{truth}"));
    }
    let found = moves(folder, report);
    if truth.moves.as_ref().is_some_and(|truth| found != *truth) {
        wrong.push(format!("moves {found:?}, in truth {:?}", truth.moves));
    }
    let notes: BTreeSet<String> = report.notes.iter().map(|n| n.kind.to_string()).collect();
    if notes != truth.notes {
        wrong.push(format!("notes {notes:?}, in truth {:?}", truth.notes));
    }
    wrong
}

fn printable(diff: &[u8]) -> String {
    String::from_utf8_lossy(diff).replace('\r', "\\r")
}

/// The lines of a diff that are changes.
fn changes(diff: &[u8]) -> Vec<&[u8]> {
    let mut in_hunk = false;
    let lines = diff.split_inclusive(|b| *b == b'\n').filter(|line| {
        in_hunk = line.starts_with(b"@@ ") || in_hunk && !line.starts_with(b"diff --git ");
        in_hunk && (line.starts_with(b"+") || line.starts_with(b"-"))
    });
    lines.collect()
}

/// Asks about every case and tells what is wrong.
fn judge(ask: impl Fn(&TextCase, &Folder, &Truth) -> Vec<String>) {
    let mut wrong = Vec::new();
    for case in manifest().text {
        let folder = Folder::new(&case.name);
        let found = ask(&case, &folder, &folder.truth());
        wrong.extend(verdict(&case.name, &case.why, case.known_gap, &found));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_case_is_answered_with_the_truth() {
    judge(|_, folder, truth| {
        let report = answer(folder, &truth.options(), Source::Dirs);
        differences(folder, truth, &report)
    });
}

#[test]
fn hunks_alone_leave_the_same_to_read_where_they_show_enough() {
    let mut wrong = Vec::new();
    for case in manifest().text {
        if case.hunks_alone != Some(HunksAlone::Same) || case.known_gap {
            continue;
        }
        let folder = Folder::new(&case.name);
        let truth: Truth = folder.truth();
        let report = answer(&folder, &truth.options(), Source::None);
        let expected = folder.read("expected.diff");
        let [found, truth] = [&report.effective_diff.0, &expected].map(|d| changes(d).concat());
        if found != truth {
            let [found, truth] = [found, truth].map(|d| printable(&d));
            wrong.push(format!("{}:\n{found}in truth:\n{truth}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_report_counts_right() {
    for case in manifest().text {
        let folder = Folder::new(&case.name);
        let truth: Truth = folder.truth();
        let report = answer(&folder, &truth.options(), Source::Dirs);
        let sum = |of: fn(&MoveDetail) -> u32, kind: MoveKind| -> u32 {
            report.moves.iter().filter(|m| m.kind == kind).map(of).sum()
        };
        let count = |kind: MoveKind| report.moves.iter().filter(|m| m.kind == kind).count();
        assert_eq!(report.moves_detected as usize, count(MoveKind::Move));
        assert_eq!(report.indents_detected as usize, count(MoveKind::Indent));
        assert_eq!(
            report.total_lines_moved,
            sum(
                |m| m.pairs.iter().map(|[_, _, len]| len).sum(),
                MoveKind::Move
            ),
            "{}",
            case.name
        );
        assert_eq!(
            report.total_lines_effectively_changed as usize,
            changes(&report.effective_diff.0).len(),
            "{}",
            case.name
        );
    }
}

#[test]
fn every_report_follows_the_schema() {
    let validator = schema::validator("effective.json");
    let mut reports = Vec::new();
    for case in manifest().text {
        let folder = Folder::new(&case.name);
        for source in [Source::Dirs, Source::None] {
            for copies in [false, true] {
                let mut options = EffectiveOptions::default();
                options.engine.copies = copies;
                let report = answer(&folder, &options, source);
                let complaints = schema::complaints(&validator, &report);
                assert_eq!(complaints, [""; 0], "{}", case.name);
                reports.push(report);
            }
        }
    }
    let stream = json!({ "schema": "mvdiff.effective/1", "changesets": reports });
    assert_eq!(schema::complaints(&validator, &stream), [""; 0]);
    let mut spoilt = serde_json::to_value(&reports[0]).unwrap();
    spoilt["moves"][0]["unheard_of"] = json!(1);
    assert!(!validator.is_valid(&spoilt));
}
