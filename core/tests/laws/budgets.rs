//! Budgets are counts, and an exhausted one is reported.

use crate::judge::judged;
use crate::{Law, broken, over_all};
use mvdiff_core::{Budget, Limit, Options, Problem};

const UNBOUNDED: Budget = Budget {
    gap_area: u64::MAX,
    edit_area: u64::MAX,
    feature_pairs: u64::MAX,
    candidates: u64::MAX,
    featured: u64::MAX,
};

over_all! {
    a_spent_budget_is_named();
}

fn a_spent_budget_is_named<P: Problem>(problem: &P) -> Law {
    let with = |budget: Budget| {
        let options = Options::default().with(|o| {
            o.budget = budget;
            o.copies = true;
        });
        judged(problem, &options).map_err(broken)
    };
    let unbounded = with(UNBOUNDED)?;
    if !unbounded.outcome.is_complete() {
        return Err(broken(format!(
            "{:?} without bounds",
            unbounded.outcome.limits()
        )));
    }
    for least in [0, 1] {
        let bounded = [
            (
                Limit::GapArea,
                Budget {
                    gap_area: least,
                    ..UNBOUNDED
                },
            ),
            (
                Limit::EditArea,
                Budget {
                    edit_area: least,
                    ..UNBOUNDED
                },
            ),
            (
                Limit::FeaturePairs,
                Budget {
                    feature_pairs: least,
                    ..UNBOUNDED
                },
            ),
            (
                Limit::Candidates,
                Budget {
                    candidates: least,
                    ..UNBOUNDED
                },
            ),
            (
                Limit::Featured,
                Budget {
                    featured: least,
                    ..UNBOUNDED
                },
            ),
        ];
        for (limit, budget) in bounded {
            let answer = with(budget)?;
            let named = answer.outcome.limits() == [limit];
            let whole = answer.outcome.is_complete() && answer.script == unbounded.script;
            if !named && !whole {
                let limits = answer.outcome.limits();
                return Err(broken(format!(
                    "{limit:?} at {least}: another script, limits {limits:?}"
                )));
            }
        }
    }
    Ok(())
}
