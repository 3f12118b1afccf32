//! Laws of scripts independent of moves: partition, replay, inversion, identity,
//! common prefixes and suffixes, iteration order, determinism.

use crate::cases::{Letters, config, letters};
use crate::judge::{judged, lawful, pairs, shown};
use crate::rows::{Row, Rows};
use crate::swapped::Swapped;
use crate::{Law, broken, over_all};
use mvdiff_core::{Diff, Options, Problem, Relation, Role, Side, Slices, Step, Token, diff};
use proptest::prelude::*;

over_all! {
    is_lawful();
    is_lawful_with_any_options(options in crate::cases::options());
    replays_and_inverts(options in crate::cases::options());
    is_the_same_on_every_run();
    reads_every_element_once();
    has_no_moves_when_asked_for_none();
    copies_consume_nothing();
}

fn is_lawful<P: Problem>(problem: &P) -> Law {
    judged(problem, &Options::default())
        .map(drop)
        .map_err(broken)
}

fn is_lawful_with_any_options<P: Problem>(problem: &P, options: &Options) -> Law {
    judged(problem, options).map(drop).map_err(broken)
}

fn replays_and_inverts<P: Problem>(problem: &P, options: &Options) -> Law {
    let script = diff(problem, options)
        .map_err(|e| broken(e.to_string()))?
        .script;
    let (old, new) = (problem.tokens(Side::Old), problem.tokens(Side::New));
    let pick = |indices: &mut dyn Iterator<Item = u32>, from: &[Token]| -> Vec<Token> {
        indices.map(|i| from[i as usize]).collect()
    };
    let there = script.replay(old, &pick(&mut script.fresh(), new));
    prop_assert_eq!(there.as_deref(), Ok(new));
    let inverse = script.invert();
    let back = inverse.replay(new, &pick(&mut inverse.fresh(), old));
    prop_assert_eq!(back.as_deref(), Ok(old));
    lawful(&Swapped(problem), options, &inverse).map_err(broken)?;
    prop_assert_eq!(inverse.invert(), script);
    Ok(())
}

/// Every `HashMap` of a process has its own random state, so an answer that
/// depends on iteration order differs within a process, too.
fn is_the_same_on_every_run<P: Problem>(problem: &P) -> Law {
    let options = Options::default().with(|o| o.copies = true);
    prop_assert_eq!(diff(problem, &options), diff(problem, &options));
    Ok(())
}

fn reads_every_element_once<P: Problem>(problem: &P) -> Law {
    let script = diff(problem, &Options::default())
        .map_err(|e| broken(e.to_string()))?
        .script;
    let (mut at, mut met) = (0, Vec::new());
    for step in script.in_old_order() {
        let range = match step {
            Step::Pair(run) => {
                met.push(*run);
                run.old_range()
            }
            Step::Deleted(range) => range,
            Step::Inserted(range) => {
                return Err(broken(format!("{range:?} inserted in old order")));
            }
        };
        prop_assert!(
            range.start == at && range.end > at,
            "{:?} after {}",
            range,
            at
        );
        at = range.end;
    }
    prop_assert_eq!(at, script.old_len());
    prop_assert_eq!(&met[..], script.runs());
    let (mut at, mut met) = (0, Vec::new());
    for step in script.in_new_order() {
        let range = match step {
            Step::Pair(run) => {
                met.push(*run);
                run.new_range()
            }
            Step::Inserted(range) => range,
            Step::Deleted(range) => return Err(broken(format!("{range:?} deleted in new order"))),
        };
        prop_assert!(
            range.start == at && range.end > at,
            "{:?} after {}",
            range,
            at
        );
        at = range.end;
    }
    prop_assert_eq!(at, script.new_len());
    met.sort_by_key(|run| run.old);
    prop_assert_eq!(&met[..], script.runs());
    Ok(())
}

fn has_no_moves_when_asked_for_none<P: Problem>(problem: &P) -> Law {
    let options = Options::default().with(|o| o.moves = false);
    let script = judged(problem, &options).map_err(broken)?.script;
    prop_assert!(script.moves().is_empty());
    prop_assert!(script.runs().iter().all(|run| run.role == Role::Kept));
    Ok(())
}

fn copies_consume_nothing<P: Problem>(problem: &P) -> Law {
    let with = Options::default().with(|o| o.copies = true);
    let plain = judged(problem, &Options::default()).map_err(broken)?.script;
    let script = judged(problem, &with).map_err(broken)?.script;
    prop_assert_eq!(script.runs(), plain.runs());
    prop_assert_eq!(script.moves(), plain.moves());
    prop_assert!(plain.copies().is_empty() && plain.merged().is_empty());
    let mut merged = vec![false; script.old_len() as usize];
    for &(old, new, len) in script.merged().iter().flat_map(|merge| &merge.runs) {
        for (o, n) in (old..old + len).zip(new..new + len) {
            let taken = script.runs().iter().any(|run| run.old_range().contains(&o));
            prop_assert!(!taken, "old {} is merged and paired", o);
            let there = script.runs().iter().any(|run| run.new_range().contains(&n));
            prop_assert!(there, "new {} is merged into and unpaired", n);
            let twice = std::mem::replace(&mut merged[o as usize], true);
            prop_assert!(!twice, "old {} is merged twice", o);
        }
    }
    let mut copied = vec![false; script.new_len() as usize];
    for copy in script.copies() {
        for &(old, new, len) in &copy.runs {
            for (o, n) in (old..old + len).zip(new..new + len) {
                let inside = copy.old.contains(&o) && copy.new.contains(&n);
                prop_assert!(inside, "{:?} lies outside its copy", (o, n));
                let taken = script.runs().iter().any(|run| run.new_range().contains(&n));
                prop_assert!(!taken, "new {} is a copy and paired", n);
                prop_assert!(
                    !std::mem::replace(&mut copied[n as usize], true),
                    "{} twice",
                    n
                );
                let equal =
                    problem.tokens(Side::Old)[o as usize] == problem.tokens(Side::New)[n as usize];
                let mut levels = 1..=problem.coarser_levels();
                let alike = levels.any(|l| problem.same(l, (Side::Old, o), (Side::New, n)));
                prop_assert!(equal || alike, "{:?} are not equal", (o, n));
            }
        }
    }
    Ok(())
}

type Pair = (u32, u32, Role, Relation);

/// Pairs with role and relation, and the ends of moves: equal for equivalent
/// scripts.
fn said(diff: &Diff, shift: u32) -> (Vec<Pair>, Vec<String>) {
    let place = |(o, n): (u32, u32)| (o + shift, n + shift);
    let all = diff.script.runs().iter().flat_map(|run| {
        pairs(run)
            .map(place)
            .map(|(o, n)| (o, n, run.role, run.relation))
    });
    let moves = diff.script.moves().iter().map(|m| {
        let range = |r: &std::ops::Range<u32>| r.start + shift..r.end + shift;
        format!(
            "{:?} -> {:?}, {}",
            range(&m.old),
            range(&m.new),
            m.similarity
        )
    });
    (all.collect(), moves.collect())
}

/// Checks that the answer for the middle is that for the whole, shifted.
fn only_shifts(inner: &Diff, outer: &Diff, before: u32, after: u32) -> Law {
    let (pairs, moves) = said(inner, before);
    let (mut all, all_moves) = said(outer, 0);
    let lens = (outer.script.old_len(), outer.script.new_len());
    let affix =
        |o: u32, n: u32| o < before && n < before || o >= lens.0 - after && n >= lens.1 - after;
    let kept = all.extract_if(.., |pair| affix(pair.0, pair.1));
    let stayed = kept
        .filter(|pair| (pair.2, pair.3) == (Role::Kept, Relation::EXACT))
        .count();
    prop_assert_eq!(stayed as u32, before + after, "an affix was not kept");
    prop_assert_eq!(all, pairs);
    prop_assert_eq!(all_moves, moves);
    Ok(())
}

/// Surrounds the sides with `before` and `after` unique elements.
fn wrapped<T: Clone>(sides: [&[T]; 2], around: (u32, u32), make: fn(u32) -> T) -> [Vec<T>; 2] {
    sides.map(|side| {
        let before = (0..around.0).map(|i| make(1000 + i));
        let after = (0..around.1).map(|i| make(2000 + i));
        before.chain(side.iter().cloned()).chain(after).collect()
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn equal_letters_are_the_identity(Letters(side, _) in letters()) {
        let problem = Slices::new(&side, &side).unwrap();
        let script = judged(&problem, &Options::default()).map_err(broken)?.script;
        prop_assert!(script.is_identity() && script.moves().is_empty(), "{}", shown(&script));
    }

    #[test]
    fn equal_rows_are_the_identity(sheets in crate::cases::rows(), levels in 0..3u8) {
        let problem = Rows::new(&sheets.old, &sheets.old).with_levels(levels);
        let script = judged(&problem, &Options::default()).map_err(broken)?.script;
        prop_assert!(script.is_identity() && script.moves().is_empty(), "{}", shown(&script));
    }

    #[test]
    fn affixes_only_shift_letters(case in letters(), around in (0..4u32, 0..4u32)) {
        let inner = judged(&case.problem(), &Options::default()).map_err(broken)?;
        let [old, new] = wrapped([&case.0, &case.1], around, |i| i);
        let outer = judged(&Letters(old, new).problem(), &Options::default()).map_err(broken)?;
        only_shifts(&inner, &outer, around.0, around.1)?;
    }

    #[test]
    fn affixes_only_shift_rows(
        case in crate::cases::rows(),
        around in (0..4u32, 0..4u32),
        levels in 0..3u8,
    ) {
        let problem = Rows::new(&case.old, &case.new).with_levels(levels).upright();
        let inner = judged(&problem, &Options::default()).map_err(broken)?;
        let make = |i: u32| -> Row { (0..5).map(|c| i * 10 + c).collect() };
        let [old, new] = wrapped([&case.old, &case.new], around, make);
        let problem = Rows::new(&old, &new).with_levels(levels).upright();
        let outer = judged(&problem, &Options::default()).map_err(broken)?;
        only_shifts(&inner, &outer, around.0, around.1)?;
    }
}
