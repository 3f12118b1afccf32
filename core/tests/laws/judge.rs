//! The laws of a script, implemented a second time: shares nothing with
//! `Script::check`, and is stricter.

use mvdiff_core::{Diff, Move, Options, Problem, Relation, Role, Run, Script, Side, diff};
use std::ops::Range;

/// A description of a broken law.
pub type Broken = String;

/// Diffs a problem and checks every law of the script.
pub fn judged<P: Problem + ?Sized>(problem: &P, options: &Options) -> Result<Diff, Broken> {
    let answer = diff(problem, options).map_err(|e| format!("refused: {e}"))?;
    lawful(problem, options, &answer.script)?;
    Ok(answer)
}

/// Checks every law of a script, by the engine's own check and by this one.
pub fn lawful<P: Problem + ?Sized>(
    problem: &P,
    options: &Options,
    script: &Script,
) -> Result<(), Broken> {
    let own = script.check(problem);
    partition(problem, script)?;
    for run in script.runs() {
        let mut pairs = run.old_range().zip(run.new_range());
        let untrue = pairs.find(|&(o, n)| relation(problem, o, n) != run.relation);
        if let Some((o, n)) = untrue {
            return Err(format!(
                "{run:?}: {o} and {n} are {:?}",
                relation(problem, o, n)
            ));
        }
        match run.relation {
            Relation::Edited { similarity } if similarity < options.edit_similarity => {
                return Err(format!("{run:?} is less alike than an edit may be"));
            }
            _ => {}
        }
    }
    kept(problem, script)?;
    for id in 0..script.moves().len() as u32 {
        moved(problem, options, script, id)
            .map_err(|e| format!("move {id}: {e}: {}", shown(script)))?;
    }
    own.map_err(|e| format!("only the engine's check says: {e}"))
}

/// A script in one line.
pub fn shown(script: &Script) -> String {
    let run = |run: &Run| {
        let relation = match run.relation {
            Relation::EXACT => "=".to_owned(),
            Relation::Same { level } => format!("={level}"),
            Relation::Edited { similarity } => format!("~{similarity:.2}"),
        };
        let role = match run.role {
            Role::Kept => "kept".to_owned(),
            Role::Moved(id) => format!("move {id}"),
        };
        format!(
            "{role} {:?}{relation}{:?}",
            run.old_range(),
            run.new_range()
        )
    };
    let runs: Vec<String> = script.runs().iter().map(run).collect();
    format!(
        "{} old, {} new: {}",
        script.old_len(),
        script.new_len(),
        runs.join("; ")
    )
}

/// Pairs `(old, new)` of a run.
pub fn pairs(run: &Run) -> impl Iterator<Item = (u32, u32)> {
    run.old_range().zip(run.new_range())
}

fn ensure(law: bool, broken: impl FnOnce() -> Broken) -> Result<(), Broken> {
    if law { Ok(()) } else { Err(broken()) }
}

fn relation<P: Problem + ?Sized>(problem: &P, old: u32, new: u32) -> Relation {
    let token = |side: Side, i: u32| problem.tokens(side)[i as usize];
    if token(Side::Old, old) == token(Side::New, new) {
        return Relation::EXACT;
    }
    let mut levels = 1..=problem.coarser_levels();
    match levels.find(|&level| problem.same(level, (Side::Old, old), (Side::New, new))) {
        Some(level) => Relation::Same { level },
        None => Relation::Edited {
            similarity: problem.similarity(old, new),
        },
    }
}

/// Every element of both sides is in at most one run, runs are in old order, and
/// both iterators yield every element exactly once.
fn partition<P: Problem + ?Sized>(problem: &P, script: &Script) -> Result<(), Broken> {
    for (side, len) in [(Side::Old, script.old_len()), (Side::New, script.new_len())] {
        ensure(problem.tokens(side).len() == len as usize, || {
            format!("{side:?}: wrong length")
        })?;
        let mut seen = vec![0u32; len as usize];
        for run in script.runs() {
            ensure(run.len > 0, || "an empty run".into())?;
            for (o, n) in pairs(run) {
                let index = if side == Side::Old { o } else { n };
                let slot = seen
                    .get_mut(index as usize)
                    .ok_or(format!("{run:?} leaves {side:?}"))?;
                *slot += 1;
                ensure(*slot == 1, || format!("{side:?} {index} is in two runs"))?;
            }
        }
    }
    let in_order = script.runs().is_sorted_by_key(|run| run.old);
    ensure(in_order, || "runs are not in old order".into())
}

/// Kept pairs are strictly increasing and only between partners.
fn kept<P: Problem + ?Sized>(problem: &P, script: &Script) -> Result<(), Broken> {
    let partners = problem.partners();
    let mut last: Vec<Option<(u32, u32)>> = vec![None; partners.len()];
    for run in script.runs().iter().filter(|run| run.role == Role::Kept) {
        let (s, t) = (
            segment(problem, Side::Old, run.old)?,
            segment(problem, Side::New, run.new)?,
        );
        let Some(p) = partners.iter().position(|&pair| pair == (s.0, t.0)) else {
            return Err(format!("{run:?} is kept between strangers"));
        };
        for (o, n) in pairs(run) {
            let stays = s.1.contains(&o) && t.1.contains(&n);
            ensure(stays, || format!("{run:?} leaves its segment"))?;
            let increasing = last[p].is_none_or(|(a, b)| a < o && b < n);
            ensure(increasing, || format!("{run:?} crosses what is kept"))?;
            last[p] = Some((o, n));
        }
    }
    Ok(())
}

/// The segment that contains an element: its index and its range.
fn segment<P: Problem + ?Sized>(
    problem: &P,
    side: Side,
    index: u32,
) -> Result<(u32, Range<u32>), Broken> {
    let segments = problem.segments(side);
    let at = segments.iter().position(|s| s.contains(&index));
    let at = at.ok_or(format!("{side:?} {index} is in no segment"))?;
    Ok((at as u32, segments[at].clone()))
}

/// A move is the hull of its runs, in one segment on each side, increasing,
/// similar enough, with no gap larger than allowed.
fn moved<P: Problem + ?Sized>(
    problem: &P,
    options: &Options,
    script: &Script,
    id: u32,
) -> Result<(), Broken> {
    let it = &script.moves()[id as usize];
    let runs: Vec<&Run> = script
        .runs()
        .iter()
        .filter(|r| r.role == Role::Moved(id))
        .collect();
    ensure(script.runs_of(id).eq(runs.iter().copied()), || {
        "runs_of disagrees with runs".into()
    })?;
    let (Some(first), Some(last)) = (runs.first(), runs.last()) else {
        return Err("it has no pairs".into());
    };
    let hull = (
        first.old..last.old_range().end,
        first.new..last.new_range().end,
    );
    ensure(hull == (it.old.clone(), it.new.clone()), || {
        format!("its pairs span {hull:?}")
    })?;
    for (side, range) in [(Side::Old, &it.old), (Side::New, &it.new)] {
        let (_, within) = segment(problem, side, range.start)?;
        ensure(range.end <= within.end, || {
            format!("{range:?} leaves its segment on {side:?}")
        })?;
    }
    for two in runs.windows(2) {
        let (a, b) = (two[0], two[1]);
        let increasing = a.old_range().end <= b.old && a.new_range().end <= b.new;
        ensure(increasing, || "its pairs cross".into())?;
        let gap = unmatched(script, Side::Old, a.old_range().end..b.old).max(unmatched(
            script,
            Side::New,
            a.new_range().end..b.new,
        ));
        ensure(gap <= options.gap.max(options.reach) as usize, || {
            format!("a gap of {gap}")
        })?;
    }
    for run in script
        .runs()
        .iter()
        .filter(|run| run.role != Role::Moved(id))
    {
        let mut inside = pairs(run).filter(|(o, n)| it.old.contains(o) || it.new.contains(n));
        ensure(inside.next().is_none(), || {
            format!("{run:?} lies inside it")
        })?;
    }
    let before = id == 0 || script.moves()[id as usize - 1].old.end <= it.old.start;
    ensure(before, || {
        "it overlaps another, or moves are not in old order".into()
    })?;
    let mut others = script.moves().iter().filter(|other| **other != *it);
    let apart = |other: &Move| other.new.end <= it.new.start || it.new.end <= other.new.start;
    ensure(others.all(apart), || "it overlaps another".into())?;
    crosses(problem, script, it)?;
    similarity(problem, options, script, it, &runs)
}

/// Between partners a move crosses something.
fn crosses<P: Problem + ?Sized>(problem: &P, script: &Script, it: &Move) -> Result<(), Broken> {
    let place = |old: u32, new: u32| -> Result<(u32, u32), Broken> {
        let old = segment(problem, Side::Old, old)?;
        Ok((old.0, segment(problem, Side::New, new)?.0))
    };
    let here = place(it.old.start, it.new.start)?;
    if !problem.partners().contains(&here) {
        return Ok(());
    }
    for run in script.runs() {
        let crossing = (run.old < it.old.start) != (run.new < it.new.start);
        if crossing && place(run.old, run.new)? == here {
            return Ok(());
        }
    }
    Err("it is in its place".into())
}

/// The similarity of a move is the share of its weight that survives.
fn similarity<P: Problem + ?Sized>(
    problem: &P,
    options: &Options,
    script: &Script,
    it: &Move,
    runs: &[&Run],
) -> Result<(), Broken> {
    let stated = it.similarity;
    let in_range = (options.least_held()..=1.0).contains(&stated);
    ensure(in_range, || {
        format!("similarity {stated}, least {}", options.least_held())
    })?;
    let whole = |run: &&Run| run.len == it.old.len() as u32 && run.relation == Relation::EXACT;
    let exact = it.old.len() == it.new.len() && runs.iter().any(whole);
    ensure(exact == (stated >= 1.0), || {
        format!("similarity {stated}, and exact is {exact}")
    })?;
    if options.threshold >= 1.0 {
        ensure(exact, || "inexact at threshold 1".into())?;
    }
    let weight = |o: u32, n: u32| problem.weight(Side::Old, o) + problem.weight(Side::New, n);
    let (mut survived, mut total) = (0.0, 0.0);
    for run in runs {
        for (o, n) in pairs(run) {
            survived += weight(o, n) * run.relation.similarity();
            total += weight(o, n);
        }
    }
    total += unmatched(script, Side::Old, it.old.clone()) as f32;
    total += unmatched(script, Side::New, it.new.clone()) as f32;
    let share = survived / total;
    ensure((share - stated).abs() < 1e-3, || {
        format!("similarity {stated}, but {share} survives")
    })?;
    let parts = &it.evidence;
    let shares = [
        parts.size,
        parts.uniqueness,
        parts.consistency,
        parts.distance,
        parts.margin,
    ];
    let sane = shares
        .iter()
        .chain([&parts.confidence()])
        .all(|s| (0.0..=1.0).contains(s));
    ensure(sane && parts.weight >= 0.0, || {
        format!("{parts:?} is out of range")
    })
}

/// Number of elements of a range without a counterpart.
fn unmatched(script: &Script, side: Side, range: Range<u32>) -> usize {
    let paired = |i: u32| {
        script.runs().iter().any(|run| match side {
            Side::Old => run.old_range().contains(&i),
            Side::New => run.new_range().contains(&i),
        })
    };
    range.filter(|&i| !paired(i)).count()
}
