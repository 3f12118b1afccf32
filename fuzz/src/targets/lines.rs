//! Old text and report are the new text; a patch leads there and back.

use super::two_texts;
use mvdiff_text::patch::{apply, parse, unapply};
use mvdiff_text::tree::{Entry, TreeOptions, TreePatch, Trees};
use mvdiff_text::{Ignore, LineProblem, LineReport, Space, diff_lines, options};

pub(crate) fn law(input: &[u8]) {
    let (old, new) = two_texts(input);
    for (old, new) in [(&old, &new), (&new, &old)] {
        let report = diff_lines(old, new, &options()).expect("a report");
        assert_eq!(report.replay(old).as_deref(), Ok(&new[..]));
        assert_eq!(report.is_empty(), old == new);
        let back = report.invert(old).expect("a report of ours");
        assert_eq!(back.replay(new).as_deref(), Ok(&old[..]));
        for ignore in [Space::Counts, Space::Change, Space::All] {
            let ignore = Ignore {
                space: ignore,
                blank_lines: input.len().is_multiple_of(2),
                case: input.len().is_multiple_of(5),
            };
            let problem = LineProblem::ignoring(old, new, ignore).expect("a problem");
            let diff = mvdiff_core::diff(&problem, &options()).expect("a diff");
            let report = LineReport::new(&problem, &diff);
            let json = serde_json::to_vec(&report).expect("JSON");
            let again: LineReport = serde_json::from_slice(&json).expect("its own JSON");
            assert_eq!(again.replay(old).as_deref(), Ok(&new[..]));
            let back = again.invert(old).expect("a report of ours");
            assert_eq!(back.replay(new).as_deref(), Ok(&old[..]));
            assert_eq!(
                back.invert(new)
                    .expect("there and back")
                    .replay(old)
                    .as_deref(),
                Ok(&new[..])
            );
        }
        there_and_back(old, new);
    }
}

fn there_and_back(old: &[u8], new: &[u8]) {
    let entry = |bytes| Entry {
        path: b"f".to_vec(),
        mode: 0o100_644,
        binary: false,
        bytes,
    };
    let trees = Trees::new(vec![entry(old)], vec![entry(new)]);
    let mut patch = Vec::new();
    let written = TreePatch::new(&trees, &TreeOptions::default()).expect("a patch");
    written.write(&mut patch, 3).expect("memory");
    let sets = parse(&patch).expect("our own patch");
    let Some(file) = sets.first().and_then(|set| set.files.first()) else {
        assert_eq!(old, new);
        return;
    };
    assert_eq!(apply(file, old).as_deref(), Some(new));
    assert_eq!(unapply(file, new).as_deref(), Some(old));
}
