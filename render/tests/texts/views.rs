//! Laws of views: every line is in one row, at its place.

use crate::support::patch;
use mvdiff_render::Names;
use mvdiff_render::view::{Line, Row, State, View};
use mvdiff_text::effective::{Contents, EffectiveOptions, FileContents, Source, effective};
use mvdiff_text::{LineReport, Lines, diff_lines};
use proptest::prelude::*;

fn names() -> Names {
    Names {
        old: "old.py".into(),
        new: "new.py".into(),
    }
}

/// Paragraphs in some order, some lines edited: moves are common.
fn text() -> impl Strategy<Value = String> {
    let paragraph = (0..6_usize, prop::option::of(0..4_usize)).prop_map(|(which, edit)| {
        let line = |at: usize| {
            let word = if edit == Some(at) { "edited" } else { "stays" };
            format!("the {which} paragraph {word} in line {at}\n")
        };
        (0..4).map(line).collect::<String>()
    });
    let small = "[ab]\n".prop_map(String::from);
    prop::collection::vec(prop_oneof![2 => paragraph, 1 => small], 0..8).prop_map(|p| p.concat())
}

fn lines_of<'v, 't>(view: &'v View<'t>, side: usize) -> Vec<&'v Line<'t>> {
    let rows = view.files.iter().flat_map(|file| &file.rows);
    rows.filter_map(|row| match row {
        Row::Lines { old, new } => [old, new][side].as_ref(),
        Row::Unknown { .. } => None,
    })
    .collect()
}

/// Holds a view of whole files against the two texts.
fn check(view: &View<'_>, texts: [&str; 2]) -> Result<(), TestCaseError> {
    for side in [0, 1] {
        let shown = lines_of(view, side);
        let whole: Vec<u8> = shown.iter().flat_map(|line| line.text).copied().collect();
        prop_assert_eq!(whole, texts[side].as_bytes(), "side {}", side);
        for (line, number) in shown.iter().zip(1..) {
            prop_assert_eq!(line.number, number);
            let Some(block) = line.block else { continue };
            let end = [&view.moves[block].old, &view.moves[block].new][side];
            prop_assert!((end.first..=end.last).contains(&number));
            prop_assert_eq!(line.other.is_none(), line.state == State::Alone);
            if let Some(other) = &line.other {
                let lines: Vec<&str> = texts[1 - side].split_inclusive('\n').collect();
                prop_assert_eq!(other.text, lines[other.number as usize - 1].as_bytes());
            }
        }
    }
    for row in view.files.iter().flat_map(|file| &file.rows) {
        if let Row::Lines { old, new } = row
            && row.is_quiet()
        {
            prop_assert_eq!(old.as_ref().map(|l| l.text), new.as_ref().map(|l| l.text));
        }
    }
    Ok(())
}

fn report(old: &str, new: &str) -> LineReport {
    diff_lines(old.as_bytes(), new.as_bytes(), &mvdiff_text::options()).expect("small texts")
}

#[test]
fn a_view_of_two_equal_files_holds_every_line() {
    let text = "one\ntwo\nthree\nfour\n";
    let lines = || Lines::new(text.as_bytes()).expect("small");
    let view = View::of_lines(&names(), (&lines(), &lines()), &report(text, text));
    check(&view, [text, text]).expect("all of it");
}

proptest! {
    #[test]
    fn a_view_of_two_files_holds_every_line_once(old in text(), new in text()) {
        let lines = (
            Lines::new(old.as_bytes()).expect("small"),
            Lines::new(new.as_bytes()).expect("small"),
        );
        let view = View::of_lines(&names(), (&lines.0, &lines.1), &report(&old, &new));
        check(&view, [&old, &new])?;
    }

    #[test]
    fn a_view_of_a_patch_with_its_files_holds_every_line_once(old in text(), new in text()) {
        prop_assume!(old != new);
        let patch = patch(&old, &new, 3);
        let sets = mvdiff_text::patch::parse(&patch).expect("our own patch");
        let contents = Contents {
            source: Source::Dirs,
            files: vec![FileContents { old: Some(old.as_bytes()), new: Some(new.as_bytes()) }],
            others: Vec::new(),
        };
        let report = effective(&sets[0], &contents, &EffectiveOptions::default()).expect("small");
        check(&View::of_effective(&sets[0], &contents, &report), [&old, &new])?;
    }

    #[test]
    fn a_view_of_a_patch_alone_holds_its_lines_and_gaps(old in text(), new in text(), context in 0..3_u32) {
        prop_assume!(old != new);
        let patch = patch(&old, &new, context);
        let sets = mvdiff_text::patch::parse(&patch).expect("our own patch");
        let contents = Contents::default();
        let report = effective(&sets[0], &contents, &EffectiveOptions::default()).expect("small");
        let view = View::of_effective(&sets[0], &contents, &report);
        for (side, text) in [&old, &new].into_iter().enumerate() {
            let all: Vec<&str> = text.split_inclusive('\n').collect();
            let mut next = 1;
            for row in &view.files[0].rows {
                match row {
                    Row::Unknown { old, new } => {
                        let gap = [old, new][side];
                        prop_assert!(gap.is_empty() || gap.start == next);
                        next = next.max(gap.end);
                    }
                    Row::Lines { old, new } => {
                        let Some(line) = [old, new][side].as_ref() else { continue };
                        prop_assert_eq!(line.number, next);
                        prop_assert_eq!(line.text, all[next as usize - 1].as_bytes());
                        next += 1;
                    }
                }
            }
        }
    }
}
