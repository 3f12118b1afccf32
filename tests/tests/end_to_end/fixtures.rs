//! The cases of fixtures/lines.

use crate::manifest::{manifest, verdict};
use crate::{root, schema};
use mvdiff_text::{Change, LineReport, diff_lines, options};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The truth about a pair of files; see fixtures/README.md.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Truth {
    moves: Vec<[usize; 4]>,
    changed: Sides,
    blank: Option<Sides>,
    indents: Option<Vec<[String; 2]>>,
    #[serde(default)]
    notes: BTreeSet<String>,
}

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Sides {
    old: BTreeSet<usize>,
    new: BTreeSet<usize>,
}

struct Texts {
    old: Vec<u8>,
    new: Vec<u8>,
}

fn folder() -> PathBuf {
    root().join("fixtures/lines")
}

fn read(folder: &Path) -> (Texts, Truth) {
    let bytes = |name: &str| {
        let path = folder.join(name);
        std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    let texts = Texts {
        old: bytes("old.txt"),
        new: bytes("new.txt"),
    };
    let truth = serde_json::from_slice(&bytes("expect.json"))
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    (texts, truth)
}

fn is_blank(text: &[u8], line: usize) -> bool {
    text.split(|b| *b == b'\n')
        .nth(line - 1)
        .is_none_or(|l| l.trim_ascii().is_empty())
}

/// The moves without the blank lines at their edges, in old order.
fn moves(texts: &Texts, report: &LineReport) -> Vec<[usize; 4]> {
    let trim = |text: &[u8], first: u32, last: u32| {
        let mut lines = (first as usize..=last as usize).filter(|line| !is_blank(text, *line));
        let start = lines.next().expect("a move of something");
        (start, lines.next_back().unwrap_or(start))
    };
    let moves = report.moves.iter().map(|m| {
        let (a, b) = trim(&texts.old, m.original_line_start, m.original_line_end);
        let (c, d) = trim(&texts.new, m.modified_line_start, m.modified_line_end);
        [a, b, c, d]
    });
    moves.collect()
}

/// The lines in changes, those with something on them and the blank ones.
fn changed(texts: &Texts, report: &LineReport) -> (Sides, Sides) {
    let changes: Vec<&Change> = report
        .changes
        .iter()
        .chain(report.moves.iter().flat_map(|m| &m.changes))
        .collect();
    let lines = |range: fn(&Change) -> [u32; 2]| {
        let ranges = changes.iter().map(move |c| range(c));
        ranges
            .flat_map(|[start, end]| start as usize..end as usize)
            .collect::<BTreeSet<usize>>()
    };
    let (old_blank, old) = lines(|c| c.original)
        .into_iter()
        .partition(|line| is_blank(&texts.old, *line));
    let (new_blank, new) = lines(|c| c.modified)
        .into_iter()
        .partition(|line| is_blank(&texts.new, *line));
    (
        Sides { old, new },
        Sides {
            old: old_blank,
            new: new_blank,
        },
    )
}

/// What is wrong with the answer, in words; nothing if it is the truth.
fn differences(texts: &Texts, truth: &Truth, report: &LineReport) -> Vec<String> {
    let mut wrong = Vec::new();
    let found = moves(texts, report);
    if found != truth.moves {
        wrong.push(format!("moves {found:?}, in truth {:?}", truth.moves));
    }
    let (found, blank) = changed(texts, report);
    if found != truth.changed {
        wrong.push(format!("changed {found:?}, in truth {:?}", truth.changed));
    }
    if truth.blank.as_ref().is_some_and(|truth| blank != *truth) {
        wrong.push(format!("blank lines {blank:?}, in truth {:?}", truth.blank));
    }
    if let Some(indents) = &truth.indents {
        let indent = report.moves.iter().map(|m| m.indent.clone());
        let found: Vec<[String; 2]> = indent
            .map(|i| i.map_or_else(Default::default, |i| [i.from, i.to]))
            .collect();
        if found != *indents {
            wrong.push(format!("indents {found:?}, in truth {indents:?}"));
        }
    }
    let notes: BTreeSet<String> = report.notes.iter().map(|n| n.kind.to_string()).collect();
    if notes != truth.notes {
        wrong.push(format!("notes {notes:?}, in truth {:?}", truth.notes));
    }
    wrong
}

#[test]
fn every_case_is_answered_with_the_truth() {
    let mut wrong = Vec::new();
    for case in manifest().lines {
        let (texts, truth) = read(&folder().join(&case.name));
        let report = diff_lines(&texts.old, &texts.new, &options()).unwrap();
        let found = differences(&texts, &truth, &report);
        wrong.extend(verdict(&case.name, &case.why, case.known_gap, &found));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_case_replays_and_follows_the_schema() {
    let validator = schema::validator("lines.json");
    for case in manifest().lines {
        let (texts, _) = read(&folder().join(&case.name));
        for copies in [false, true] {
            let options = options().with(|o| o.copies = copies);
            let report = diff_lines(&texts.old, &texts.new, &options).unwrap();
            assert_eq!(
                report.replay(&texts.old).unwrap(),
                texts.new,
                "{}",
                case.name
            );
            assert_eq!(
                schema::complaints(&validator, &report),
                [""; 0],
                "{}",
                case.name
            );
        }
    }
}
