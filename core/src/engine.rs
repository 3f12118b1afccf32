//! The pipeline from a problem to its script.

use crate::align::{Aligner, Block, NONE, Weigh};
use crate::moves::{self, MoveCandidates, Pool, Verdict};
use crate::positions::order_by;
use crate::work::{KEPT, NEW, OLD, Work};
use crate::{Error, Move, Options, Outcome, Problem, Relation, Role, Run, Script};

/// A script and how it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// The fate of every element.
    pub script: Script,
    /// Steps taken, candidates refused and budgets exhausted.
    pub outcome: Outcome,
}

/// Diffs the two sides of a problem.
///
/// # Errors
/// [`Error`] if a side is too long, the problem contradicts itself, or an option
/// is out of range.
pub fn diff<P: Problem + ?Sized>(problem: &P, options: &Options) -> Result<Diff, Error> {
    let mut work = Work::new(problem, options)?;
    let left = align(&mut work);
    work.open_gaps();
    let drafts = moves::find(&mut work, left);
    let [merged, copies] = [OLD, NEW].map(|side| {
        if options.copies {
            moves::find_copies(&mut work, side)
        } else {
            Vec::new()
        }
    });
    let script = script(&work, &drafts).with_copies(copies, merged);
    Ok(Diff {
        script,
        outcome: work.outcome,
    })
}

/// Aligns partners. Returns the blocks that moved away, in the problem's
/// coordinates.
fn align<P: Problem + ?Sized>(work: &mut Work<'_, P>) -> Vec<Block> {
    let mut aligner = Aligner::new(work.options, work.distinct);
    let mut left = Vec::new();
    for s in 0..work.partner.len() {
        if work.partner[s] == NONE {
            continue;
        }
        let old = work.segments[OLD][s].clone();
        let new = work.segments[NEW][work.partner[s] as usize].clone();
        let place = |block: Block| Block {
            old: block.old + old.start,
            new: block.new + new.start,
            len: block.len,
        };
        let mut outcome = std::mem::take(&mut work.outcome);
        let weigh = |chain: &[Block]| moves::strength(work, chain.iter().map(|&b| place(b)));
        let weigh: Option<&Weigh<'_>> = work.options.moves.then_some(&weigh);
        let alignment = aligner.align(
            &work.tokens[OLD][old.start as usize..old.end as usize],
            &work.tokens[NEW][new.start as usize..new.end as usize],
            weigh,
            &mut outcome,
        );
        work.outcome = outcome;
        for block in alignment.kept {
            work.pair(place(block), KEPT);
        }
        left.extend(alignment.left.into_iter().map(place));
    }
    left
}

/// Builds the script once all elements are decided.
fn script<P: Problem + ?Sized>(work: &Work<'_, P>, drafts: &MoveCandidates) -> Script {
    // No two start with the same element.
    let standing: Vec<(u32, &moves::MoveCandidate)> = drafts.standing().collect();
    let order = order_by(standing.len(), |at| standing[at].1.old().start);
    let standing: Vec<_> = order.into_iter().map(|at| standing[at as usize]).collect();
    let mut number = vec![0; drafts.count()];
    for (n, (id, _)) in standing.iter().enumerate() {
        number[*id as usize] = n as u32;
    }
    let moves: Vec<Move> = if standing.is_empty() {
        Vec::new()
    } else {
        let pool = Pool::new(work, drafts);
        let verdicts = standing
            .iter()
            .map(|(_, draft)| Verdict::new(work, draft, &pool));
        let drafts = standing.iter().map(|(_, draft)| draft);
        drafts
            .zip(verdicts)
            .map(|(draft, verdict)| Move {
                old: draft.old(),
                new: draft.new_range(),
                similarity: verdict.similarity,
                evidence: verdict.evidence,
                twins: draft.twins.clone(),
            })
            .collect()
    };
    let mut runs: Vec<Run> = Vec::new();
    for segment in &work.segments[OLD] {
        let mut at = segment.start;
        while at < segment.end {
            if work.is_unpaired(OLD, at) {
                at += 1;
                continue;
            }
            let run = run_from(work, at, segment.end, &number);
            at += run.len;
            runs.push(run);
        }
    }
    let lens = (
        work.counterpart[OLD].len() as u32,
        work.counterpart[NEW].len() as u32,
    );
    Script::new(lens, runs, moves)
}

/// The longest run of pairs that starts with this old element.
fn run_from<P: Problem + ?Sized>(work: &Work<'_, P>, old: u32, end: u32, number: &[u32]) -> Run {
    let new = work.counterpart[OLD][old as usize];
    let role = work.role[old as usize];
    let relation = relation(work, old, new);
    let new_end = work.segments[NEW][work.segment(NEW, new)].end;
    let room = (end - old).min(new_end - new);
    let continues = |i: &u32| {
        let (o, n) = (old + i, new + i);
        work.counterpart[OLD][o as usize] == n
            && work.role[o as usize] == role
            && match relation {
                Relation::EXACT => work.exact(o, n),
                _ => self::relation(work, o, n) == relation,
            }
    };
    Run {
        old,
        new,
        len: 1 + (1..room).take_while(continues).count() as u32,
        role: match role {
            KEPT => Role::Kept,
            id => Role::Moved(number[id as usize]),
        },
        relation,
    }
}

fn relation<P: Problem + ?Sized>(work: &Work<'_, P>, old: u32, new: u32) -> Relation {
    match work.level(old, new) {
        Some(level) => Relation::Same { level },
        None => Relation::Edited {
            similarity: measured(work, old, new)
                .unwrap_or_else(|| work.edited_similarity(old, new)),
        },
    }
}

/// The similarity of two elements that were paired as edited in place, as measured
/// then. The highest ones were capped.
fn measured<P: Problem + ?Sized>(work: &Work<'_, P>, old: u32, new: u32) -> Option<f32> {
    let at = work
        .edited
        .binary_search_by_key(&old, |pair| pair.old)
        .ok()?;
    let pair = work.edited[at];
    (pair.new == new && pair.similarity < 0.99).then_some(pair.similarity)
}
