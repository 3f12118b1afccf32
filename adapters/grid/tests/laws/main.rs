//! Laws that hold for every pair of workbooks, not examples.

mod books;
mod merge;

use books::{Pair, pair};
use mvdiff_grid::{DiffOp, Mode, Options, apply, diff_workbooks, invert};
use proptest::prelude::*;

fn cases() -> u32 {
    let asked = std::env::var("MVDIFF_CASES").ok();
    asked.and_then(|count| count.parse().ok()).unwrap_or(400)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn old_and_report_make_new(Pair { old, new } in pair()) {
        let report = diff_workbooks(&old, &new, &Options::default()).unwrap();
        let made = apply(&old, &report).unwrap();
        prop_assert!(made.same(&new), "{}", books::difference(&made, &new, &report));
    }

    #[test]
    fn new_and_the_report_turned_round_make_old(Pair { old, new } in pair()) {
        let report = diff_workbooks(&old, &new, &Options::default()).unwrap();
        let back = invert(&report);
        let made = apply(&new, &back).unwrap();
        prop_assert!(made.same(&old), "{}", books::difference(&made, &old, &back));
    }

    #[test]
    fn rows_matched_by_key_make_the_same_tables(Pair { old, new } in pair(), cols in 1..3usize) {
        let key = ["A", "B"][..cols].iter().map(|&col| col.to_owned()).collect();
        let options = Options::default().with(|o| o.mode = Mode::Keyed(key));
        let Ok(report) = diff_workbooks(&old, &new, &options) else {
            // No sheet reaches so far.
            return Ok(());
        };
        let made = apply(&old, &report).unwrap();
        prop_assert!(made.same(&new), "{}", books::difference(&made, &new, &report));
        prop_assert!(apply(&new, &invert(&report)).unwrap().same(&old));
        let nothing = diff_workbooks(&old, &old, &options);
        prop_assert!(nothing.is_ok_and(|report| report.ops.is_empty()));
    }

    #[test]
    fn a_report_as_json_says_the_same(Pair { old, new } in pair()) {
        let report = diff_workbooks(&old, &new, &Options::default()).unwrap();
        let json = serde_json::to_string(&report).unwrap();
        let read: mvdiff_grid::DiffReport = serde_json::from_str(&json).unwrap();
        prop_assert!(apply(&old, &read).unwrap().same(&new));
        prop_assert_eq!(serde_json::to_string(&read).unwrap(), json);
    }

    #[test]
    fn acts_unfold_to_what_they_stand_for(Pair { old, new } in pair()) {
        let plain = diff_workbooks(&old, &new, &Options::default()).unwrap();
        let options = Options::default().with(|o| {
o.acts = true;
o.labels = true;
o.hints = true;
});
        let report = diff_workbooks(&old, &new, &options).unwrap();
        let sorted = |ops: &[DiffOp]| {
            let mut ops: Vec<String> = ops.iter().map(|op| format!("{op:?}")).collect();
            ops.sort();
            ops
        };
        prop_assert_eq!(sorted(&report.unfolded().ops), sorted(&plain.ops));
        prop_assert!(apply(&old, &report).unwrap().same(&new));
        prop_assert!(apply(&new, &invert(&report)).unwrap().same(&old));
        let json = serde_json::to_string(&report).unwrap();
        let read: mvdiff_grid::DiffReport = serde_json::from_str(&json).unwrap();
        prop_assert!(apply(&old, &read).unwrap().same(&new));
    }

    #[test]
    fn nothing_happened_between_a_workbook_and_itself(Pair { old, .. } in pair()) {
        let report = diff_workbooks(&old, &old, &Options::default()).unwrap();
        prop_assert_eq!(&report.ops, &Vec::<DiffOp>::new());
    }
}
