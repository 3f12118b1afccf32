//! Laws that hold for any two texts.

use crate::patch::apply;
use crate::schema;
use crate::texts::{Texts, config, texts};
use mvdiff_core::{Options, Side, plain};
use mvdiff_text::tree::{Entry, TreeOptions, TreeReport, Trees};
use mvdiff_text::{
    Change, Ignore, LineProblem, LineReport, Space, UnifiedOptions, diff_lines, options,
    write_unified,
};
use proptest::prelude::*;
use std::sync::LazyLock;

type Law = Result<(), TestCaseError>;

fn report(texts: &Texts) -> LineReport {
    diff_lines(&texts.old, &texts.new, &options()).expect("small texts")
}

fn patch(texts: &Texts, options: &Options, context: u32) -> Vec<u8> {
    let problem = LineProblem::of_texts(&texts.old, &texts.new).expect("small texts");
    let script = mvdiff_core::diff(&problem, options)
        .expect("good options")
        .script;
    let hunks = plain(&problem, &script, options);
    let printing = UnifiedOptions {
        context,
        old_name: b"a/x".to_vec(),
        new_name: b"b/x".to_vec(),
        ignore: mvdiff_text::Ignore::default(),
    };
    let mut out = Vec::new();
    let files = (problem.file(Side::Old, 0), problem.file(Side::New, 0));
    write_unified(&mut out, files, &hunks, &printing).expect("memory");
    out
}

/// How often each line of a side is in a change or a move.
fn claims(count: u32, ranges: impl Iterator<Item = [u32; 2]>) -> Vec<u32> {
    let mut claims = vec![0; count as usize];
    for [start, end] in ranges {
        claims[start as usize - 1..end as usize - 1]
            .iter_mut()
            .for_each(|c| *c += 1);
    }
    claims
}

fn lengths(changes: &[Change]) -> (u32, u32) {
    changes.iter().fold((0, 0), |(old, new), c| {
        (
            old + c.original[1] - c.original[0],
            new + c.modified[1] - c.modified[0],
        )
    })
}

/// No line is in two changes, in two moves, or in a move and a change outside.
fn claimed_once(report: &LineReport) -> Law {
    let moves = report.moves.iter();
    let old = moves
        .clone()
        .map(|m| [m.original_line_start, m.original_line_end + 1]);
    let new = moves
        .clone()
        .map(|m| [m.modified_line_start, m.modified_line_end + 1]);
    let changes = report.changes.iter();
    let old = claims(
        report.lines[0],
        old.chain(changes.clone().map(|c| c.original)),
    );
    let new = claims(report.lines[1], new.chain(changes.map(|c| c.modified)));
    prop_assert!(old.iter().all(|c| *c <= 1), "old lines claimed {old:?}");
    prop_assert!(new.iter().all(|c| *c <= 1), "new lines claimed {new:?}");
    for m in moves {
        let within =
            |[start, end]: [u32; 2], first, last| first <= start && start <= end && end <= last + 1;
        for c in &m.changes {
            prop_assert!(
                within(c.original, m.original_line_start, m.original_line_end),
                "{c:?} in {m:?}"
            );
            prop_assert!(
                within(c.modified, m.modified_line_start, m.modified_line_end),
                "{c:?} in {m:?}"
            );
        }
    }
    Ok(())
}

/// The counts are those of the changes and moves listed.
fn counted(report: &LineReport) -> Law {
    let stats = &report.stats;
    let (old, new) = lengths(&report.changes);
    prop_assert_eq!(stats.deletions + stats.modified, old);
    prop_assert_eq!(stats.additions + stats.modified, new);
    let moved: u32 = report
        .moves
        .iter()
        .map(|m| m.original_line_end - m.original_line_start + 1)
        .sum();
    prop_assert_eq!(stats.moved + stats.reindented, moved);
    for change in report
        .changes
        .iter()
        .chain(report.moves.iter().flat_map(|m| &m.changes))
    {
        prop_assert_eq!(
            change.text.len() as u32,
            change.modified[1] - change.modified[0]
        );
    }
    Ok(())
}

/// Changes are in order on both sides, moves in old order, numbered from one.
fn ordered(report: &LineReport) -> Law {
    let sorted = |changes: &[Change]| {
        changes
            .windows(2)
            .all(|w| w[0].modified[1] <= w[1].modified[0] && w[0].original[1] <= w[1].original[0])
    };
    prop_assert!(sorted(&report.changes), "{:?}", report.changes);
    for (m, id) in report.moves.iter().zip(1..) {
        prop_assert_eq!(m.id, id);
        prop_assert!(sorted(&m.changes), "{:?}", m);
    }
    let starts: Vec<u32> = report.moves.iter().map(|m| m.original_line_start).collect();
    prop_assert!(starts.is_sorted(), "{starts:?}");
    Ok(())
}

/// A move that says it is exact is, byte for byte.
fn exact_moves_are(texts: &Texts, report: &LineReport) -> Law {
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        text.split_inclusive(|b| *b == b'\n')
            .map(<[u8]>::to_vec)
            .collect()
    };
    let (old, new) = (lines(&texts.old), lines(&texts.new));
    for m in &report.moves {
        let old = &old[m.original_line_start as usize - 1..m.original_line_end as usize];
        let new = &new[m.modified_line_start as usize - 1..m.modified_line_end as usize];
        prop_assert_eq!(m.similarity >= 1.0, old == new, "{:?}", m);
        prop_assert_eq!(
            m.changes.is_empty() && m.indent.is_none(),
            old == new,
            "{:?}",
            m
        );
    }
    Ok(())
}

static VALIDATOR: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| schema::validator("lines.json"));

static TREES: LazyLock<jsonschema::Validator> = LazyLock::new(|| schema::validator("tree.json"));

/// What may be ignored.
fn ignore() -> impl Strategy<Value = Ignore> {
    let space = prop_oneof![Just(Space::Counts), Just(Space::Change), Just(Space::All)];
    (space, any::<bool>(), any::<bool>()).prop_map(|(space, blank_lines, case)| Ignore {
        space,
        blank_lines,
        case,
    })
}

fn ignoring(texts: &Texts, ignore: Ignore) -> LineReport {
    let problem = LineProblem::ignoring(&texts.old, &texts.new, ignore).expect("small texts");
    let diff = mvdiff_core::diff(&problem, &options()).expect("good options");
    LineReport::new(&problem, &diff)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_report_replays(texts in texts()) {
        let report = report(&texts);
        let replayed = report.replay(&texts.old).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(String::from_utf8_lossy(&replayed), String::from_utf8_lossy(&texts.new));
        prop_assert_eq!(report.is_empty(), texts.old == texts.new);
    }

    #[test]
    fn no_line_is_claimed_twice(texts in texts()) {
        claimed_once(&report(&texts))?;
    }

    #[test]
    fn the_counts_are_those_of_the_lists(texts in texts()) {
        counted(&report(&texts))?;
    }

    #[test]
    fn lists_are_in_order(texts in texts()) {
        ordered(&report(&texts))?;
    }

    #[test]
    fn exact_moves_are_exact(texts in texts()) {
        exact_moves_are(&texts, &report(&texts))?;
    }

    #[test]
    fn reports_follow_the_schema(texts in texts(), copies in any::<bool>()) {
        let options = options().with(|o| o.copies = copies);
        let report = diff_lines(&texts.old, &texts.new, &options).expect("small texts");
        prop_assert_eq!(schema::complaints(&VALIDATOR, &report), Vec::<String>::new());
    }

    #[test]
    fn what_is_ignored_is_in_the_report_and_does_not_count(texts in texts(), ignore in ignore()) {
        let report = ignoring(&texts, ignore);
        prop_assert_eq!(schema::complaints(&VALIDATOR, &report), Vec::<String>::new());
        let replayed = report.replay(&texts.old).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(String::from_utf8_lossy(&replayed), String::from_utf8_lossy(&texts.new));
        claimed_once(&report)?;
        counted(&report)?;
        ordered(&report)?;
    }

    #[test]
    fn trees_follow_the_schema(texts in texts(), ignore in ignore(), kind in 0..5u32) {
        let (old, new) = ([&texts.old, &texts.new], [&texts.new, &texts.old]);
        let entry = |path: &str, mode, binary, bytes| Entry { path: path.into(), mode, binary, bytes };
        let file = |path, bytes| entry(path, 0o100_644, false, bytes);
        let last = match kind {
            0 => entry("c", 0o120_000, false, new[1]),
            1 => entry("c", 0o100_755, true, new[1]),
            2 => entry("d", 0o100_644, true, b"\xff\0"),
            3 => entry("d\u{e9}", 0o100_755, false, b""),
            _ => Entry { path: b"d\xff".to_vec(), ..file("", old[1]) },
        };
        let trees = Trees::new(
            vec![file("a", old[0]), file("b", b""), file("c", old[1])],
            vec![file("a", new[0]), file("moved/b", b""), last],
        );
        let options = TreeOptions { ignore, binary_bytes: 1, ..TreeOptions::default() };
        let report = TreeReport::new(&trees, &options).expect("small texts");
        prop_assert_eq!(schema::complaints(&TREES, &report), Vec::<String>::new());
    }

    #[test]
    fn patches_apply(texts in texts(), moves in any::<bool>(), context in 0..4u32) {
        let options = options().with(|o| {
o.moves = moves;
o.edits = moves;
});
        let patch = patch(&texts, &options, context);
        let applied = apply(&texts.old, &patch).map_err(TestCaseError::fail)?;
        prop_assert_eq!(String::from_utf8_lossy(&applied), String::from_utf8_lossy(&texts.new));
        prop_assert_eq!(patch.is_empty(), texts.old == texts.new);
    }
}
