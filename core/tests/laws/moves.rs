//! When something counts as moved, and how similar it must be.

use crate::cases::config;
use crate::judge::{judged, shown};
use crate::rows::{Row, Rows};
use crate::{Law, broken, over_all};
use mvdiff_core::{Options, Problem, Relation, Slices};
use proptest::prelude::*;

const THRESHOLDS: [f32; 4] = [0.5, 0.8, 0.9, 1.0];

over_all! {
    moves_are_as_alike_as_asked();
}

/// The judge compares each move with the threshold; at 1.0 moves are exact.
fn moves_are_as_alike_as_asked<P: Problem>(problem: &P) -> Law {
    for threshold in THRESHOLDS {
        let options = Options::default().with(|o| o.threshold = threshold);
        let script = judged(problem, &options).map_err(broken)?.script;
        for (id, it) in script.moves().iter().enumerate() {
            prop_assert!(it.similarity >= threshold);
            if threshold >= 1.0 {
                let runs: Vec<_> = script.runs_of(id as u32).collect();
                prop_assert_eq!(runs.len(), 1);
                prop_assert_eq!(runs[0].relation, Relation::EXACT);
                prop_assert_eq!(
                    (runs[0].old_range(), runs[0].new_range()),
                    (it.old.clone(), it.new.clone())
                );
            }
        }
    }
    Ok(())
}

/// Noise, and two blocks of elements that occur nowhere else.
#[derive(Clone, Debug)]
struct Swap {
    noise: [Vec<u32>; 3],
    lens: (u32, u32),
    forward: bool,
}

fn swap(shortest: u32) -> impl Strategy<Value = Swap> {
    let noise = || prop::collection::vec(0..4u32, 0..20);
    let lens = (shortest..8, shortest..8);
    (noise(), noise(), noise(), lens, any::<bool>()).prop_map(|(a, b, c, lens, forward)| Swap {
        noise: [a, b, c],
        lens,
        forward,
    })
}

impl Swap {
    /// Moves the first block past the noise behind it and the second block, or
    /// back.
    fn sides(&self) -> (Vec<u32>, Vec<u32>) {
        let [before, between, after] = &self.noise;
        let first: Vec<u32> = (100..100 + self.lens.0).collect();
        let second: Vec<u32> = (200..200 + self.lens.1).collect();
        let one = [before, &first, between, &second, after]
            .map(Vec::clone)
            .concat();
        let two = [before, between, &second, &first, after]
            .map(Vec::clone)
            .concat();
        if self.forward { (one, two) } else { (two, one) }
    }
}

/// Exactly one move and no other change.
fn one_move<P: Problem>(problem: &P) -> Law {
    let script = judged(problem, &Options::default()).map_err(broken)?.script;
    let paired: u32 = script.runs().iter().map(|run| run.len).sum();
    let all = (script.old_len(), script.new_len()) == (paired, paired);
    prop_assert!(all, "{} paired: {}", paired, shown(&script));
    prop_assert_eq!(script.moves().len(), 1, "{}", shown(&script));
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_block_of_letters_that_passes_another_is_one_move(swap in swap(1)) {
        let (old, new) = swap.sides();
        one_move(&Slices::new(&old, &new).unwrap())?;
    }

    #[test]
    fn a_block_of_rows_that_passes_another_is_one_move(swap in swap(1), levels in 0..3u8) {
        let (old, new) = swap.sides();
        let rows = |side: &[u32]| -> Vec<Row> {
            side.iter().map(|&e| (0..5).map(|c| e * (c + 1) + c).collect()).collect()
        };
        one_move(&Rows::new(&rows(&old), &rows(&new)).with_levels(levels))?;
    }

    /// In any order, nothing is inserted or deleted, and at least one block
    /// stays.
    #[test]
    fn shuffled_blocks_are_moves_and_nothing_else(
        lens in prop::collection::vec(2..6u32, 1..9),
        order in Just((0..8usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let block = |b: usize| (100 * b as u32..100 * b as u32 + lens[b]).collect::<Vec<_>>();
        let old: Vec<u32> = (0..lens.len()).flat_map(block).collect();
        let new: Vec<u32> = order.into_iter().filter(|&b| b < lens.len()).flat_map(block).collect();
        let problem = Slices::new(&old, &new).unwrap();
        let script = judged(&problem, &Options::default()).map_err(broken)?.script;
        let paired: u32 = script.runs().iter().map(|run| run.len).sum();
        prop_assert_eq!(paired as usize, old.len(), "{}", shown(&script));
        prop_assert!(script.moves().len() < lens.len(), "{}", shown(&script));
        prop_assert!(script.moves().iter().all(|m| m.similarity >= 1.0), "{}", shown(&script));
    }
}
