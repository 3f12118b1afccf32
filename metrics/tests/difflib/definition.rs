//! A direct implementation of the definition.

use crate::pairs::pair;
use crate::{Told, number, ours};
use mvdiff_metrics::difflib::Matcher;

/// `SequenceMatcher.get_opcodes`, without optimisations.
fn opcodes(old: &[u32], new: &[u32]) -> Told {
    let mut blocks = Vec::new();
    let mut todo = vec![(0, old.len(), 0, new.len())];
    while let Some((old_start, old_end, new_start, new_end)) = todo.pop() {
        let (mut i, mut j, mut len) = (0, 0, 0);
        let mut above = vec![0; new.len() + 1];
        #[expect(clippy::needless_range_loop, reason = "both numbers are wanted")]
        for a in old_start..old_end {
            let mut row = vec![0; new.len() + 1];
            for b in new_start..new_end {
                if old[a] == new[b] {
                    row[b + 1] = above[b] + 1;
                    if row[b + 1] > len {
                        len = row[b + 1];
                        (i, j) = (a + 1 - len, b + 1 - len);
                    }
                }
            }
            above = row;
        }
        if len > 0 {
            blocks.push((i, j, len));
            todo.push((old_start, i, new_start, j));
            todo.push((i + len, old_end, j + len, new_end));
        }
    }
    blocks.sort_unstable();
    blocks.push((old.len(), new.len(), 0));
    let mut told: Told = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (a, b, len) in blocks {
        let tag = match (i < a, j < b) {
            (true, true) => "replace",
            (true, false) => "delete",
            (false, true) => "insert",
            (false, false) => "",
        };
        let [i4, a4, j4, b4] = [i, a, j, b].map(|n| n as u32);
        if !tag.is_empty() {
            told.push((tag.into(), i4, a4, j4, b4));
        }
        (i, j) = (a + len, b + len);
        let [i4, j4] = [i, j].map(|n| n as u32);
        match told.last_mut() {
            _ if len == 0 => {}
            Some(last) if last.0 == "equal" => (last.2, last.4) = (i4, j4),
            _ => told.push(("equal".into(), a4, i4, b4, j4)),
        }
    }
    told
}

fn check(matcher: &mut Matcher, seed: u64, longest: usize) {
    let (old, new) = pair(seed, longest);
    assert_eq!(
        ours(matcher, &old, &new),
        opcodes(&old, &new),
        "{seed} {old:?} {new:?}"
    );
}

#[test]
fn small_pairs_follow_the_definition() {
    let mut matcher = Matcher::default();
    for seed in 0..number("MVDIFF_CASES").unwrap_or(5_000) as u64 {
        check(&mut matcher, seed, 40);
    }
}

/// Long enough for every code path of the matcher.
#[test]
fn long_pairs_follow_the_definition() {
    let mut matcher = Matcher::default();
    for seed in 0..number("MVDIFF_CASES").unwrap_or(5_000) as u64 / 50 {
        check(&mut matcher, seed, 900);
    }
}
