//! Laws that hold for any two trees.
//!
//! `MVDIFF_CASES=10000` runs more cases, `MVDIFF_SEED` others.

use crate::random::{Tree, Trees as Random, trees as texts, trees_with_binaries};
use crate::{Files, PLAIN, SCRIPT, replayed, trees};
use mvdiff_text::tree::{FileReport, FileStatus, TreeOptions, TreeReport};
use mvdiff_text::{Change, Ignore, Space, diff_lines, options};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

type Law = Result<(), TestCaseError>;

pub fn config(cases: u32) -> ProptestConfig {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u32>().ok();
    ProptestConfig {
        cases: number("MVDIFF_CASES").unwrap_or(cases),
        // A fixed seed: a failure is then due to the change, not to chance.
        rng_seed: RngSeed::Fixed(number("MVDIFF_SEED").unwrap_or(0).into()),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

pub fn files(tree: &Tree) -> Files {
    let file = |(path, file): (&&str, &crate::random::File)| {
        let mode = if file.executable { SCRIPT } else { PLAIN };
        (path.as_bytes().to_vec(), (mode, file.bytes()))
    };
    tree.iter().map(file).collect()
}

/// Trees of all kinds.
pub fn any_trees() -> impl Strategy<Value = Random> {
    prop_oneof![3 => texts(), 1 => trees_with_binaries()]
}

fn any_ignore() -> impl Strategy<Value = Ignore> {
    let space = prop_oneof![
        2 => Just(Space::Counts),
        1 => Just(Space::Change),
        1 => Just(Space::All)
    ];
    let flag = || prop::bool::weighted(0.3);
    (space, flag(), flag()).prop_map(|(space, blank_lines, case)| Ignore {
        space,
        blank_lines,
        case,
    })
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn fails(error: impl ToString) -> TestCaseError {
    TestCaseError::fail(error.to_string())
}

/// Normalises a text without using the library.
fn counting(bytes: &[u8], ignore: Ignore) -> Vec<Vec<u8>> {
    let space = |byte: &u8| b" \t\r\n".contains(byte);
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let lines = lines.map(|line| match ignore.space {
        Space::Counts => line.to_vec(),
        Space::All => line.iter().copied().filter(|b| !space(b)).collect(),
        Space::Change => {
            let words = line.split(space).filter(|word| !word.is_empty());
            let folded = words.collect::<Vec<_>>().join(&b' ');
            let indented = line.first().is_some_and(space) && !folded.is_empty();
            [if indented { b" " } else { &b""[..] }, &folded].concat()
        }
    });
    let blank = |line: &Vec<u8>| match ignore.space {
        Space::Counts => line == b"\n",
        _ => line.is_empty(),
    };
    let small = |line: Vec<u8>| match String::from_utf8(line) {
        Ok(text) if ignore.case => text.to_lowercase().into_bytes(),
        Ok(text) => text.into_bytes(),
        Err(error) if ignore.case => error.into_bytes().to_ascii_lowercase(),
        Err(error) => error.into_bytes(),
    };
    lines
        .filter(|line| !ignore.blank_lines || !blank(line))
        .map(small)
        .collect()
}

/// Every line is in at most one change or move, on each side.
fn claimed_once(report: &TreeReport) -> Law {
    for file in &report.files {
        let ends = |path: &dyn Fn(&mvdiff_text::tree::MovedBetween) -> bool,
                    end: fn(&mvdiff_text::MovedBlock) -> [u32; 2]| {
            let moves = report.moves.iter().filter(|m| path(m));
            moves.map(|m| end(&m.block)).collect::<Vec<_>>()
        };
        let sides = [
            (
                file.lines[0],
                ends(&|m| Some(&m.original_path) == file.path_before(), |b| {
                    [b.original_line_start, b.original_line_end + 1]
                }),
                (|c: &Change| c.original) as fn(&Change) -> [u32; 2],
            ),
            (
                file.lines[1],
                ends(&|m| Some(&m.modified_path) == file.path_after(), |b| {
                    [b.modified_line_start, b.modified_line_end + 1]
                }),
                |c| c.modified,
            ),
        ];
        for (count, mut ranges, end) in sides {
            ranges.extend(file.changes.iter().map(end));
            ranges.extend(file.ignored.iter().map(end));
            let mut claims = vec![0; count as usize];
            for [start, end] in ranges {
                for claim in &mut claims[start as usize - 1..end as usize - 1] {
                    *claim += 1;
                }
            }
            prop_assert!(claims.iter().all(|c| *c <= 1), "{:?} {claims:?}", file.path);
        }
    }
    Ok(())
}

/// The counts match the lists.
fn counted(report: &TreeReport, unchanged: u32) -> Law {
    let stats = &report.stats;
    let lens = |file: &FileReport| {
        let changes = file.changes.iter();
        changes.fold([0, 0], |[old, new], c| {
            [
                old + c.original[1] - c.original[0],
                new + c.modified[1] - c.modified[0],
            ]
        })
    };
    for file in &report.files {
        let [old, new] = lens(file);
        prop_assert_eq!(file.stats.deletions + file.stats.modified, old);
        prop_assert_eq!(file.stats.additions + file.stats.modified, new);
    }
    let sum = |count: fn(&FileReport) -> u32| report.files.iter().map(count).sum::<u32>();
    prop_assert_eq!(stats.lines.additions, sum(|f| f.stats.additions));
    prop_assert_eq!(stats.lines.deletions, sum(|f| f.stats.deletions));
    prop_assert_eq!(stats.lines.modified, sum(|f| f.stats.modified));
    prop_assert_eq!(stats.lines.moved, sum(|f| f.stats.moved));
    let blocks = report.moves.iter().map(|m| &m.block);
    let moved: u32 = blocks
        .map(|b| b.original_line_end + 1 - b.original_line_start)
        .sum();
    prop_assert_eq!(stats.lines.moved + stats.lines.reindented, moved);
    let count = |status| report.files.iter().filter(|f| f.status == status).count() as u32;
    prop_assert_eq!(stats.files.added, count(FileStatus::Added));
    prop_assert_eq!(stats.files.removed, count(FileStatus::Removed));
    prop_assert_eq!(stats.files.modified, count(FileStatus::Modified));
    prop_assert_eq!(stats.files.renamed, count(FileStatus::Renamed));
    prop_assert!(stats.files.unchanged >= unchanged);
    Ok(())
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn an_old_tree_and_a_report_are_the_new_tree(random in any_trees(), copies: bool, moves: bool) {
        let (old, new) = (files(&random.old), files(&random.new));
        let lines = options().with(|o| {
o.copies = copies && moves;
o.moves = moves;
});
        let options = TreeOptions { lines, ..TreeOptions::default() };
        let report = TreeReport::new(&trees(&old, &new), &options).map_err(fails)?;
        prop_assert_eq!(&replayed(&old, &report).map_err(fails)?, &new);
        prop_assert_eq!(report.is_empty(), old == new);
        // The report survives a round trip through JSON.
        let json = serde_json::to_string(&report).map_err(fails)?;
        let again: TreeReport = serde_json::from_str(&json).map_err(fails)?;
        prop_assert_eq!(&replayed(&old, &again).map_err(fails)?, &new);
        prop_assert_eq!(serde_json::to_string(&again).map_err(fails)?, json);
        claimed_once(&report)?;
        let same = |(path, file): &(&Vec<u8>, &(u32, Vec<u8>))| new.get(*path) == Some(*file);
        counted(&report, old.iter().filter(same).count() as u32)?;
    }

    #[test]
    fn a_new_tree_and_the_report_turned_round_are_the_old_tree(
        random in any_trees(), ignore in any_ignore(), copies: bool
    ) {
        let (old, new) = (files(&random.old), files(&random.new));
        let lines = options().with(|o| o.copies = copies);
        let options = TreeOptions { lines, ignore, ..TreeOptions::default() };
        let report = TreeReport::new(&trees(&old, &new), &options).map_err(fails)?;
        let json = serde_json::to_string(&report).map_err(fails)?;
        let read: TreeReport = serde_json::from_str(&json).map_err(fails)?;
        let look_up = |path: &[u8]| Ok::<_, mvdiff_text::Error>(old[path].1.clone());
        let back = read.invert(look_up).map_err(fails)?;
        prop_assert_eq!(&replayed(&new, &back).map_err(fails)?, &old);
        claimed_once(&back)?;
        counted(&report.invert(look_up).map_err(fails)?, 0)?;
        let look_up = |path: &[u8]| Ok::<_, mvdiff_text::Error>(new[path].1.clone());
        let again = back.invert(look_up).map_err(fails)?;
        prop_assert_eq!(&replayed(&old, &again).map_err(fails)?, &new);
    }

    #[test]
    fn what_is_ignored_is_all_that_is_lost(random in texts(), ignore in any_ignore()) {
        let (old, new) = (files(&random.old), files(&random.new));
        let options = TreeOptions { ignore, ..TreeOptions::default() };
        let report = TreeReport::new(&trees(&old, &new), &options).map_err(fails)?;
        let made = replayed(&old, &report).map_err(fails)?;
        prop_assert_eq!(made.keys().collect::<Vec<_>>(), new.keys().collect::<Vec<_>>());
        for (path, file) in &made {
            let listed = report.files.iter().any(|f| f.path.0 == *path);
            if listed {
                prop_assert_eq!(file, &new[path], "files that are told replay to the byte");
            } else {
                prop_assert_eq!(counting(&file.1, ignore), counting(&new[path].1, ignore));
            }
        }
        claimed_once(&report)?;
        counted(&report, 0)?;
    }

    #[test]
    fn two_files_and_a_tree_of_one_are_the_same(random in texts(), copies: bool) {
        let Some(((_, old), (_, new))) = random.old.iter().next().zip(random.new.iter().next()) else {
            return Ok(());
        };
        let (old, new) = (old.bytes(), new.bytes());
        let of = |bytes: &[u8]| Files::from([(b"x".to_vec(), (PLAIN, bytes.to_vec()))]);
        let lines = options().with(|o| o.copies = copies);
        let alone = diff_lines(&old, &new, &lines).map_err(fails)?;
        let options = TreeOptions { lines, ..TreeOptions::default() };
        let tree = TreeReport::new(&trees(&of(&old), &of(&new)), &options).map_err(fails)?;
        prop_assert_eq!(tree.is_empty(), alone.is_empty());
        prop_assert_eq!(tree.stats.lines, alone.stats);
        if let Some(file) = tree.files.first() {
            prop_assert_eq!(&file.changes, &alone.changes);
            prop_assert_eq!(file.stats, alone.stats);
            prop_assert_eq!((file.lines, file.no_eol), (alone.lines, alone.no_eol));
        }
        let blocks = |moves: Vec<mvdiff_text::tree::MovedBetween>| -> Vec<_> {
            let mut blocks: Vec<_> = moves.into_iter().map(|m| m.block).collect();
            // A single file needs no name.
            let twins = blocks.iter_mut().flat_map(|block| &mut block.twins);
            twins.for_each(|twin| twin.path = None);
            blocks
        };
        prop_assert_eq!(blocks(tree.moves), alone.moves);
        prop_assert_eq!(blocks(tree.copies), alone.copies);
    }
}
