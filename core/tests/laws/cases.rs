//! Generates inputs: few letters, so that repeats and ties are common, and sides
//! that are usually versions of each other.

use crate::rows::{Row, Rows};
use mvdiff_core::{Budget, Options, Slices};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use std::fmt;

/// 1,000 cases per law; `MVDIFF_CASES` runs more, `MVDIFF_SEED` others.
pub fn config() -> ProptestConfig {
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|value| value.parse().ok())
    };
    ProptestConfig {
        cases: number("MVDIFF_CASES").unwrap_or(1000),
        // A fixed seed: a failure is then due to the change, not to chance.
        rng_seed: RngSeed::Fixed(number("MVDIFF_SEED").unwrap_or(0).into()),
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..ProptestConfig::default()
    }
}

/// Two sequences of letters.
#[derive(Clone)]
pub struct Letters(pub Vec<u32>, pub Vec<u32>);

impl fmt::Debug for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "old {:?} new {:?}", self.0, self.1)
    }
}

impl Letters {
    pub fn problem(&self) -> Slices {
        Slices::new(&self.0, &self.1).expect("short")
    }
}

/// Two sequences of rows, in one segment or several.
#[derive(Clone)]
pub struct Sheets {
    pub old: Vec<Row>,
    pub new: Vec<Row>,
    levels: u8,
    ends: Option<[Vec<u32>; 2]>,
    partners: Vec<(u32, u32)>,
}

impl fmt::Debug for Sheets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = |row: &Row| row.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let rows = |rows: &[Row]| rows.iter().map(cells).collect::<Vec<_>>().join(" ");
        write!(
            f,
            "old [{}] new [{}], {} levels",
            rows(&self.old),
            rows(&self.new),
            self.levels
        )?;
        write!(f, ", ends {:?}, partners {:?}", self.ends, self.partners)
    }
}

impl Sheets {
    pub fn problem(&self) -> Rows {
        let rows = Rows::new(&self.old, &self.new).with_levels(self.levels);
        match &self.ends {
            Some(ends) => rows.with_segments([&ends[0], &ends[1]], &self.partners),
            None => rows,
        }
    }
}

/// A typical change.
#[derive(Clone, Debug)]
struct Change<T> {
    kind: u8,
    at: Index,
    to: Index,
    len: usize,
    fresh: T,
}

fn change<T: std::fmt::Debug + Clone + 'static>(
    element: BoxedStrategy<T>,
) -> impl Strategy<Value = Change<T>> {
    let parts = (0..5u8, any::<Index>(), any::<Index>(), 1..9usize, element);
    parts.prop_map(|(kind, at, to, len, fresh)| Change {
        kind,
        at,
        to,
        len,
        fresh,
    })
}

fn apply<T: Clone>(all: &mut Vec<T>, change: &Change<T>, edit: fn(&T, &T) -> T) {
    let at = change.at.index(all.len() + 1);
    let end = (at + change.len).min(all.len());
    match change.kind {
        0 => all.insert(at, change.fresh.clone()),
        1 => drop(all.drain(at..end)),
        2 => {
            let block: Vec<T> = all.drain(at..end).collect();
            let to = change.to.index(all.len() + 1);
            all.splice(to..to, block);
        }
        3 => {
            let block = all[at..end].to_vec();
            let to = change.to.index(all.len() + 1);
            all.splice(to..to, block);
        }
        _ => {
            if let Some(element) = all.get_mut(at) {
                *element = edit(element, &change.fresh);
            }
        }
    }
}

/// Two sides: one in four pairs are unrelated, the others versions of each other.
fn sides<T: std::fmt::Debug + Clone + 'static>(
    element: BoxedStrategy<T>,
    longest: usize,
    edit: fn(&T, &T) -> T,
) -> impl Strategy<Value = (Vec<T>, Vec<T>)> {
    let side = prop::collection::vec(element.clone(), 0..=longest);
    let strangers = (side.clone(), side.clone());
    let changes = prop::collection::vec(change(element), 0..6);
    let versions = (side, changes).prop_map(move |(old, changes)| {
        let mut new = old.clone();
        for change in &changes {
            apply(&mut new, change, edit);
        }
        (old, new)
    });
    prop_oneof![1 => strangers, 3 => versions]
}

/// 3 to 6 letters, sometimes with some rare ones.
fn letter() -> BoxedStrategy<u32> {
    prop_oneof![3 => 0..3u32, 2 => 0..6u32, 1 => 10..99u32].boxed()
}

pub fn letters() -> impl Strategy<Value = Letters> {
    let lengths = prop_oneof![6 => Just(60usize), 3 => Just(8), 1 => Just(200)];
    lengths
        .prop_flat_map(|longest| sides(letter(), longest, |_, fresh| *fresh))
        .prop_map(|(old, new)| Letters(old, new))
}

/// A row of five cells; repeats and near repeats are common.
fn row() -> BoxedStrategy<Row> {
    let few = letter().prop_map(|l| vec![l, l / 2, l % 3, 7, l]);
    let any = prop::collection::vec(0..3u32, 5);
    prop_oneof![3 => few, 1 => any].boxed()
}

/// Changes one or two cells to those of another row.
fn edit_row(row: &Row, fresh: &Row) -> Row {
    let column = fresh.iter().sum::<u32>() as usize % row.len();
    let mut edited = row.clone();
    for c in column..(column + 1 + fresh[0] as usize % 2).min(row.len()) {
        edited[c] = fresh[c] + 1;
    }
    edited
}

/// One segment on each side.
pub fn rows() -> impl Strategy<Value = Sheets> {
    let lengths = prop_oneof![6 => Just(40usize), 3 => Just(8), 1 => Just(120)];
    let both = lengths.prop_flat_map(|longest| sides(row(), longest, edit_row));
    (both, 0..3u8).prop_map(|((old, new), levels)| Sheets {
        old,
        new,
        levels,
        ends: None,
        partners: Vec::new(),
    })
}

/// One to three segments on each side, some of them partners in any order.
pub fn files() -> impl Strategy<Value = Sheets> {
    let cuts = || prop::collection::vec(any::<Index>(), 0..3);
    let matching = Just([0u32, 1, 2]).prop_shuffle();
    let parts = (rows(), cuts(), cuts(), matching, 0..8u32);
    parts.prop_map(|(sheets, old_cuts, new_cuts, matching, mask)| {
        let ends = |cuts: &[Index], len: usize| -> Vec<u32> {
            let mut ends: Vec<u32> = cuts.iter().map(|c| c.index(len + 1) as u32).collect();
            ends.sort_unstable();
            ends
        };
        let fits = |o: u32, n: u32| o as usize <= old_cuts.len() && n as usize <= new_cuts.len();
        let pairs = (0..3u32).zip(matching);
        let partners = pairs.filter(|&(o, n)| fits(o, n) && (mask == 0 || mask >> o & 1 == 1));
        Sheets {
            ends: Some([
                ends(&old_cuts, sheets.old.len()),
                ends(&new_cuts, sheets.new.len()),
            ]),
            partners: partners.collect(),
            ..sheets
        }
    })
}

/// Any values within their ranges, for every option.
pub fn options() -> impl Strategy<Value = Options> {
    let d = Options::default();
    let share =
        |d: f32| prop_oneof![4 => Just(d), 1 => Just(0.0f32), 1 => Just(1.0), 2 => 0.0..=1.0f32];
    let weight = |d: f32| prop_oneof![4 => Just(d), 2 => Just(0.0f32), 2 => 0.0..4.0f32, 1 => Just(f32::MAX)];
    let count =
        |d: u32| prop_oneof![3 => Just(d), 1 => Just(0u32), 2 => 0..9u32, 1 => Just(u32::MAX)];
    let work = || prop_oneof![3 => Just(u64::MAX), 1 => Just(0u64), 1 => Just(1), 2 => 0..200u64];
    let shares = (
        share(d.threshold),
        share(d.edit_similarity),
        share(d.edited_pull),
        share(d.held),
    );
    let weights = (weight(d.announce), weight(d.embedded));
    let counts = (
        prop_oneof![Just(d.gap), 0..9u32],
        count(d.max_repeat),
        prop_oneof![Just(d.reach), 0..30u32],
    );
    let works = (work(), work(), work(), work(), work());
    let flags = (
        prop::bool::weighted(0.9),
        any::<bool>(),
        prop::bool::weighted(0.9),
        any::<bool>(),
    );
    (shares, weights, counts, works, flags).prop_map(|(shares, weights, counts, works, flags)| {
        Options::default().with(|o| {
            o.moves = flags.0;
            o.copies = flags.1;
            o.edits = flags.2;
            o.threshold = shares.0;
            o.edit_similarity = shares.1;
            o.edited_pull = shares.2;
            o.held = shares.3;
            o.announce = weights.0;
            o.embedded = weights.1;
            o.gap = counts.0;
            o.max_repeat = counts.1;
            o.reach = counts.2;
            o.twins = flags.3;
            o.budget = Budget {
                gap_area: works.0,
                edit_area: works.1,
                feature_pairs: works.2,
                candidates: works.3,
                featured: works.4,
            };
        })
    })
}

/// A new option must be drawn above and counted here.
#[test]
fn every_option_is_drawn() {
    let shown = format!("{:#?}", Options::default());
    let is_field = |line: &&str| line.starts_with("    ") && !line.starts_with("     ");
    let fields = shown
        .lines()
        .filter(is_field)
        .filter(|line| line.contains(": "));
    assert_eq!(fields.count(), 14, "{shown}");
}
