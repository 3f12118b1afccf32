//! Compares with `git merge-file`: where nothing moved, the results are equal.

use crate::made::{Triple, repetitive, triple};
use crate::{cases, text, with};
use mvdiff_text::merge::{ConflictStyle, MarkerOptions, MergeOptions};
use proptest::prelude::*;
use std::process::Command;

/// Git's merge of three texts, and its number of conflicts.
fn git(Triple { base, ours, theirs }: &Triple, style: &[&str]) -> (String, i32) {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let mut git = Command::new("git");
    git.current_dir(dir.path())
        .args(["merge-file", "-p"])
        .args(style)
        .args(["ours", "base", "theirs"]);
    let answer = git.output().unwrap();
    let made = String::from_utf8(answer.stdout).unwrap();
    (made, answer.status.code().unwrap())
}

/// Without moves: git treats a move as a deletion and an insertion.
fn options(style: ConflictStyle) -> MergeOptions {
    let mut options = MergeOptions {
        markers: MarkerOptions {
            style,
            ..MarkerOptions::default()
        },
        ..MergeOptions::default()
    };
    options.engine.moves = false;
    options
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(60), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn git_says_the_same(triple in triple(false)) {
        for (style, words) in [(ConflictStyle::Merge, &[][..]), (ConflictStyle::Diff3, &["--diff3"])] {
            let (wanted, code) = git(&triple, words);
            let Triple { base, ours, theirs } = &triple;
            let made = with(base, ours, theirs, &options(style));
            prop_assert_eq!(made.conflicts.len(), code as usize, "{}", wanted);
            prop_assert_eq!(text(&made), wanted);
        }
    }

    /// With repeated lines there is more than one shortest diff, so one tool may
    /// see a conflict where the other sees none. If both merge cleanly, the
    /// results are equal.
    #[test]
    fn also_where_much_repeats(triple in repetitive()) {
        let (wanted, code) = git(&triple, &[]);
        let Triple { base, ours, theirs } = &triple;
        let made = with(base, ours, theirs, &options(ConflictStyle::Merge));
        if code == 0 && made.conflicts.is_empty() && text(&made) != wanted {
            let count = |text: &str| {
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                lines.sort();
                lines
            };
            prop_assert_eq!(count(&text(&made)), count(&wanted), "{:?}\n{}\n{}", triple, text(&made), wanted);
        }
    }
}
