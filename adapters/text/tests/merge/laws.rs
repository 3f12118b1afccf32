//! Laws that hold for any three texts.

use crate::made::{Triple, repetitive, triple};
use crate::{cases, merge, text};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

fn holds(Triple { base, ours, theirs }: &Triple) -> Result<(), TestCaseError> {
    for (one, other, wanted) in [
        (ours, base, ours),
        (base, theirs, theirs),
        (ours, ours, ours),
        (base, base, base),
    ] {
        let merged = merge(base, one, other);
        prop_assert!(merged.conflicts.is_empty());
        prop_assert_eq!(&text(&merged), wanted);
    }
    Ok(())
}

/// Lines outside conflicts, and all lines inside conflicts.
fn parted(merged: &str) -> (Vec<&str>, HashSet<&str>) {
    let (mut clear, mut clash) = (Vec::new(), HashSet::new());
    let mut inside = false;
    for line in merged.lines() {
        match line {
            line if line.starts_with("<<<<<<< ") => inside = true,
            line if line.starts_with(">>>>>>> ") => inside = false,
            line if inside => _ = clash.insert(line),
            line => clear.push(line),
        }
    }
    (clear, clash)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_one_side_did_is_the_result(triple in triple(true)) {
        holds(&triple)?;
    }

    #[test]
    fn also_where_much_repeats(triple in repetitive()) {
        holds(&triple)?;
    }

    /// Every line is unique, so the texts alone determine what each side did.
    #[test]
    fn no_line_is_lost_and_none_is_there_twice(Triple { base, ours, theirs } in triple(true)) {
        let merged = merge(&base, &ours, &theirs);
        let made = text(&merged);
        let (clear, mut clash) = parted(&made);
        let base_of = merged.conflicts.iter().flat_map(|conflict| &conflict.base);
        clash.extend(base_of.map(|line| std::str::from_utf8(&line.0).unwrap()));
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for line in &clear {
            *counts.entry(line).or_default() += 1;
        }
        let sets = [&base, &ours, &theirs].map(|text| text.lines().collect::<HashSet<_>>());
        let all: HashSet<&str> = sets.iter().flatten().copied().collect();
        for line in all {
            if clash.contains(line) {
                continue;
            }
            let [b, o, t] = sets.each_ref().map(|set| set.contains(line));
            let wanted = usize::from(if b { o && t } else { o || t });
            let found = counts.get(line).copied().unwrap_or(0);
            // A deletion of one side may be part of a conflict.
            prop_assert!(found == wanted || (found == 0 && !merged.conflicts.is_empty() && b && !(o && t)), "{line}: {found} times\n{made}");
        }
    }

    #[test]
    fn the_sides_may_change_places(Triple { base, ours, theirs } in triple(true)) {
        let (one, other) = (merge(&base, &ours, &theirs), merge(&base, &theirs, &ours));
        if one.conflicts.is_empty() && other.conflicts.is_empty() {
            let sorted = |merged| {
                let mut lines: Vec<String> = text(merged).lines().map(str::to_owned).collect();
                lines.sort();
                lines
            };
            prop_assert_eq!(sorted(&one), sorted(&other));
        }
    }
}
