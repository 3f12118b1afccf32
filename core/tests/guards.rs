//! Every guard and every budget applies when it should, and the standard cases of
//! move detection work: a block moved and edited, rewritten, repeated, and edited
//! in place.

#[allow(dead_code, reason = "shared with the laws, which use all of it")]
#[path = "laws/judge.rs"]
mod judge;
#[allow(dead_code, reason = "shared with the laws, which use all of it")]
#[path = "laws/rows.rs"]
mod rows;

use judge::{judged, shown};
use mvdiff_core::{Budget, Diff, Guard, Limit, Options, Problem, Role, Slices};
use rows::{Row, Rows};

const COLUMNS: u32 = 8;
const HEIGHT: usize = 4;

/// Rows that share no cell.
fn table(rows: std::ops::Range<u32>) -> Vec<Row> {
    rows.map(|r| (0..COLUMNS).map(|c| 1000 * (c + 1) + r).collect())
        .collect()
}

/// Moves the `HEIGHT` rows at `from` so that they start at `to`.
fn relocate(rows: &[Row], from: usize, to: usize) -> Vec<Row> {
    let mut rows = rows.to_vec();
    let block: Vec<Row> = rows.drain(from..from + HEIGHT).collect();
    rows.splice(to..to, block);
    rows
}

fn rewrite(rows: &mut [Row], row: usize, column: usize) {
    rows[row][column] = 100_000 + (row * 100 + column) as u32;
}

/// The defaults with some options changed.
fn with(set: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::default();
    set(&mut options);
    options
}

fn run<P: Problem>(problem: &P, options: &Options) -> Diff {
    judged(problem, options).expect("every law")
}

fn moves(diff: &Diff) -> Vec<(std::ops::Range<u32>, std::ops::Range<u32>)> {
    diff.script
        .moves()
        .iter()
        .map(|m| (m.old.clone(), m.new.clone()))
        .collect()
}

fn paired(diff: &Diff) -> u32 {
    diff.script.runs().iter().map(|run| run.len).sum()
}

/// Example A, for every cell of the block.
#[test]
fn a_moved_block_with_one_edited_cell_is_one_move() {
    let old = table(0..20);
    for (row, column) in (0..HEIGHT).flat_map(|r| (0..COLUMNS as usize).map(move |c| (r, c))) {
        let mut new = relocate(&old, 4, 12);
        rewrite(&mut new, 12 + row, column);
        let diff = run(&Rows::new(&old, &new), &Options::default());
        assert_eq!(moves(&diff), [(4..8, 12..16)], "cell {row}, {column}");
        assert_eq!(
            paired(&diff),
            20,
            "cell {row}, {column}: {}",
            shown(&diff.script)
        );
    }
}

/// Example B: the cells of the block that are rewritten.
fn is_no_move(cells: &[(usize, usize)], options: &Options) {
    let old = table(0..20);
    let mut new = relocate(&old, 4, 12);
    for &(row, column) in cells {
        rewrite(&mut new, 12 + row, column);
    }
    let diff = run(&Rows::new(&old, &new), options);
    assert_eq!(moves(&diff), [], "{cells:?}: {}", shown(&diff.script));
}

fn whole(row: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..COLUMNS as usize).map(move |column| (row, column))
}

#[test]
fn a_block_rewritten_in_every_row_is_no_move() {
    for edits in [
        [3, 3, 3, 3],
        [3, 2, 2, 2],
        [2, 2, 2, 3],
        [2, 3, 3, 2],
        [4, 1, 1, 4],
    ] {
        let cells: Vec<_> = (0..HEIGHT)
            .flat_map(|r| (0..edits[r]).map(move |c| (r, c + r)))
            .collect();
        is_no_move(&cells, &Options::default());
    }
}

#[test]
fn a_block_with_half_its_rows_rewritten_is_no_move() {
    for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
        let cells: Vec<_> = whole(a).chain(whole(b)).collect();
        is_no_move(&cells, &Options::default());
    }
}

#[test]
fn a_block_with_a_row_and_some_cells_rewritten_is_no_move() {
    for row in 0..HEIGHT {
        let others = (0..HEIGHT).filter(|&r| r != row).map(|r| (r, r + 1));
        let cells: Vec<_> = whole(row).chain(others).collect();
        is_no_move(&cells, &Options::default());
        let one = (row + 1) % HEIGHT;
        let cells: Vec<_> = whole(row).chain([(one, 2), (one, 5)]).collect();
        is_no_move(&cells, &Options::default());
    }
}

/// Context rows with a block inserted before each of the given rows.
fn blocks_at(places: &[usize], blocks: &[Vec<Row>]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (r, row) in table(0..24).into_iter().enumerate() {
        let here = places.iter().position(|&p| p == r);
        if let Some(b) = here {
            rows.extend_from_slice(&blocks[b]);
        }
        rows.push(row);
    }
    rows
}

fn says_ambiguous(diff: &Diff) {
    let script = shown(&diff.script);
    let named = diff
        .outcome
        .refusals()
        .iter()
        .filter(|r| r.guard == Guard::Ambiguous);
    let rivals: Vec<_> = named
        .map(|r| ((r.old.clone(), r.new.clone()), r.rival.clone()))
        .collect();
    assert!(!rivals.is_empty(), "nothing ambiguous: {script}");
    for (candidate, rival) in rivals {
        let rival = rival.expect("an ambiguous candidate has a rival");
        assert_ne!(candidate, rival, "{script}");
    }
}

/// Example C.
#[test]
fn a_block_that_stands_three_times_is_ambiguous() {
    let blocks = vec![table(100..104); 3];
    for (from, to) in [
        ([3, 9, 15], [6, 12, 20]),
        ([2, 5, 8], [12, 15, 20]),
        ([4, 10, 16], [4, 13, 22]),
    ] {
        let (old, new) = (blocks_at(&from, &blocks), blocks_at(&to, &blocks));
        let diff = run(&Rows::new(&old, &new), &Options::default());
        assert_eq!(moves(&diff), [], "{from:?} {to:?}: {}", shown(&diff.script));
        says_ambiguous(&diff);
    }
}

#[test]
fn a_block_that_stands_twice_is_ambiguous() {
    let blocks = vec![table(100..104); 2];
    let (old, new) = (blocks_at(&[3, 9], &blocks), blocks_at(&[14, 20], &blocks));
    let diff = run(&Rows::new(&old, &new), &Options::default());
    assert_eq!(moves(&diff), [], "{}", shown(&diff.script));
    says_ambiguous(&diff);
}

/// Example D.
#[test]
fn edits_in_place_are_no_move() {
    let old = table(0..20);
    for step in 1..4 {
        let mut new = old.clone();
        (4..12)
            .step_by(step)
            .for_each(|row| rewrite(&mut new, row, row % 8));
        let diff = run(&Rows::new(&old, &new), &Options::default());
        assert_eq!(
            (moves(&diff), paired(&diff)),
            (vec![], 20),
            "{}",
            shown(&diff.script)
        );
        assert!(
            diff.script
                .runs()
                .iter()
                .all(|r| r.role == Role::Kept && r.old == r.new)
        );
    }
}

/// A moved block in which every row was edited.
fn all_edited() -> Rows {
    let old = table(0..40);
    let mut new = old.clone();
    let block: Vec<Row> = new.drain(5..17).collect();
    new.splice(22..22, block);
    (22..34).for_each(|row| rewrite(&mut new, row, row * 3 % 8));
    Rows::new(&old, &new)
}

#[test]
fn a_block_with_every_row_edited_is_one_move() {
    let diff = run(&all_edited(), &Options::default());
    assert_eq!(
        (moves(&diff), paired(&diff)),
        (vec![(5..17, 22..34)], 40),
        "{}",
        shown(&diff.script)
    );
}

#[test]
fn too_little_evidence_is_no_move() {
    let old = table(0..20);
    let new = relocate(&old, 4, 12);
    let most = with(|o| o.announce = f32::MAX);
    let diff = run(&Rows::new(&old, &new), &most);
    assert_eq!(moves(&diff), []);
    assert!(diff.outcome.count_refused(Guard::LittleEvidence) > 0);
}

/// One of forty elements, moved by this distance.
fn lone(way: usize) -> Slices {
    let old: Vec<usize> = (0..40).collect();
    let mut new = old.clone();
    let element = new.remove(10);
    new.insert(10 + way, element);
    Slices::new(&old, &new).expect("short")
}

#[test]
fn a_lone_element_needs_its_own_weight() {
    // A lone element needs a quarter more weight, and less if it moved only
    // nearby.
    let heavy = with(|o| o.announce = 1.25);
    let near = run(&lone(4), &heavy);
    assert_eq!(moves(&near), [(10..11, 14..15)]);
    let far = run(&lone(20), &heavy);
    assert_eq!(moves(&far), []);
    assert!(far.outcome.count_refused(Guard::LittleEvidence) > 0);
    assert_eq!(
        moves(&run(&lone(20), &Options::default())),
        [(10..11, 30..31)]
    );
    let near = run(&lone(4), &with(|o| o.announce = 1.5));
    assert_eq!(moves(&near), []);
    assert!(near.outcome.count_refused(Guard::LittleEvidence) > 0);
}

/// A moved block without a unique element.
fn repeats() -> Slices {
    let old = [0, 1, 2, 90, 90, 91, 91, 3, 4, 5, 6, 7, 8, 9];
    let new = [0, 1, 2, 3, 4, 5, 6, 7, 90, 90, 91, 91, 8, 9];
    Slices::new(&old, &new).expect("short")
}

#[test]
fn repeated_elements_seed_no_move_beyond_the_limit() {
    assert_eq!(
        moves(&run(&repeats(), &Options::default())),
        [(3..7, 8..12)]
    );
    for max_repeat in [0, 1] {
        let diff = run(&repeats(), &with(|o| o.max_repeat = max_repeat));
        assert_eq!(moves(&diff), []);
        assert!(diff.outcome.count_refused(Guard::Repetition) > 0);
    }
}

#[test]
fn a_longer_candidate_is_not_ambiguous() {
    // The block occurs twice in new, the second time with two more neighbours.
    let old = [0, 1, 90, 90, 91, 91, 92, 92, 2, 3, 4, 5, 6, 7, 8];
    let new = [
        0, 1, 2, 3, 90, 90, 91, 91, 4, 5, 6, 90, 90, 91, 91, 92, 92, 7, 8,
    ];
    let problem = Slices::new(&old, &new).unwrap();
    let diff = run(&problem, &Options::default());
    assert_eq!(moves(&diff), [(2..8, 11..17)], "{}", shown(&diff.script));
    assert!(diff.script.moves()[0].evidence.runner_up.is_some());
}

#[test]
fn what_is_rewritten_can_be_set() {
    let old = table(0..20);
    let mut new = relocate(&old, 4, 12);
    whole(2)
        .chain(whole(3))
        .for_each(|(row, column)| rewrite(&mut new, 12 + row, column));
    let problem = Rows::new(&old, &new);
    let diff = run(&problem, &with(|o| o.held = 0.0));
    assert_eq!(moves(&diff), [(4..6, 12..14)], "{}", shown(&diff.script));
    let diff = run(&problem, &Options::default());
    assert!(diff.outcome.count_refused(Guard::Rewritten) > 0);
}

/// Sets one budget to its minimum and expects it to be reported.
fn spends<P: Problem>(problem: &P, limit: Limit, set: fn(&mut Budget)) {
    let mut budget = Budget::default();
    set(&mut budget);
    let diff = run(problem, &with(|o| o.budget = budget));
    assert_eq!(diff.outcome.limits(), [limit], "{}", shown(&diff.script));
    assert!(!diff.outcome.is_complete());
    assert!(run(problem, &Options::default()).outcome.is_complete());
}

#[test]
fn a_gap_larger_than_its_area_is_cut_and_named() {
    let old: Vec<u32> = (0..60).map(|i| i * i % 3).collect();
    let new: Vec<u32> = (0..60).map(|i| i * i * i % 4 % 3).collect();
    let problem = Slices::new(&old, &new).unwrap();
    spends(&problem, Limit::GapArea, |b| b.gap_area = 0);
}

#[test]
fn edits_beyond_their_area_are_named() {
    let old = table(0..20);
    let mut new = old.clone();
    (4..12).for_each(|row| rewrite(&mut new, row, row % 8));
    spends(&Rows::new(&old, &new), Limit::EditArea, |b| b.edit_area = 0);
}

#[test]
fn features_beyond_their_budgets_are_named() {
    spends(&all_edited(), Limit::FeaturePairs, |b| b.feature_pairs = 0);
    spends(&all_edited(), Limit::Featured, |b| b.featured = 0);
}

#[test]
fn candidates_beyond_their_budget_are_named() {
    spends(&repeats(), Limit::Candidates, |b| b.candidates = 0);
}

#[test]
fn values_outside_their_ranges_are_refused() {
    let problem = Slices::new(&[1, 2], &[2, 1]).unwrap();
    let bad = [f32::NAN, -0.1, 1.1].map(|threshold| with(|o| o.threshold = threshold));
    assert!(
        bad.iter()
            .all(|options| mvdiff_core::diff(&problem, options).is_err())
    );
    let bad = [f32::NAN, -1.0].map(|announce| with(|o| o.announce = announce));
    assert!(
        bad.iter()
            .all(|options| mvdiff_core::diff(&problem, options).is_err())
    );
}

/// The largest gap must not overflow.
#[test]
fn the_largest_gap_is_a_gap() {
    let problem = Slices::new(
        &[1, 2, 3, 7, 4, 5, 8, 6, 8],
        &[4, 5, 9, 6, 8, 1, 2, 7, 3, 7],
    )
    .unwrap();
    for gap in [0, 1, 1000, u32::MAX] {
        run(&problem, &with(|o| o.gap = gap));
    }
}

/// Letters, of which `}` is hardly informative.
struct Braces {
    slices: Slices,
    old: &'static str,
}

impl Problem for Braces {
    fn tokens(&self, side: mvdiff_core::Side) -> &[mvdiff_core::Token] {
        self.slices.tokens(side)
    }

    fn weight(&self, side: mvdiff_core::Side, index: u32) -> f32 {
        let brace =
            side == mvdiff_core::Side::Old && &self.old[index as usize..=index as usize] == "}";
        if brace { 0.0 } else { 1.0 }
    }
}

#[test]
fn a_light_kept_element_inside_a_move_is_released() {
    let (old, new) = ("x}yKx}y", "}Kx}yx}y");
    let letters = |text: &str| text.chars().collect::<Vec<_>>();
    let case = Braces {
        slices: Slices::new(&letters(old), &letters(new)).expect("short"),
        old,
    };
    let released = run(&case, &Options::default());
    assert_eq!(
        moves(&released),
        [(0..3, 5..8)],
        "{}",
        shown(&released.script)
    );
    assert!(
        released
            .outcome
            .strategies()
            .contains(&mvdiff_core::Strategy::Released)
    );
}
