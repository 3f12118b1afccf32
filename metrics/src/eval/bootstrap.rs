//! Paired bootstrap: the significance of a difference between two runs.

/// Number of resamples, each with as many cases as there are.
const DRAWS: usize = 10_000;
/// Most cases drawn in total; with more cases there are fewer resamples.
const MOST: usize = 1 << 27;
/// With fewer resamples the ends of an interval are meaningless.
const LEAST_DRAWS: usize = 1000;

/// The 95 % interval of the mean of `differences`, or of any other values, from
/// deterministic resamples; `None` if there are no values.
#[must_use]
pub fn interval(differences: &[f64]) -> Option<[f64; 2]> {
    let count = differences.len();
    if count == 0 {
        return None;
    }
    let first = differences[0];
    if differences.iter().all(|d| d.to_bits() == first.to_bits()) {
        // Every resample is the same.
        return Some([first, first]);
    }
    let draws = (MOST / count).clamp(LEAST_DRAWS, DRAWS);
    let mut random = Random(0x6d76_6469_6666);
    let mut means: Vec<f64> = (0..draws)
        .map(|_| {
            let some = (0..count).map(|_| differences[random.below(count)]);
            some.sum::<f64>() / count as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means[((draws - 1) as f64 * share).round() as usize];
    Some([at(0.025), at(0.975)])
}

/// `SplitMix64`: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_holds_the_mean_and_narrows_with_more_cases() {
        let few: Vec<f64> = (0..20).map(|i| f64::from(i % 5) / 10.0).collect();
        let many = few.repeat(20);
        let [low, high] = interval(&few).unwrap();
        assert!(low < 0.2 && 0.2 < high, "{low} {high}");
        let [lower, higher] = interval(&many).unwrap();
        assert!(low < lower && lower < 0.2 && 0.2 < higher && higher < high);
        assert_eq!(interval(&few), interval(&few));
    }

    /// For differences of 0 and 1 the ends are those of the binomial distribution.
    #[test]
    fn the_ends_are_where_theory_has_them() {
        let half: Vec<f64> = (0..100).map(|i| f64::from(i % 2)).collect();
        let [low, high] = interval(&half).unwrap();
        assert!(
            (low - 0.40).abs() < 0.011 && (high - 0.60).abs() < 0.011,
            "{low} {high}"
        );
    }

    #[test]
    fn equal_runs_differ_by_nothing() {
        assert_eq!(interval(&[0.0; 7]), Some([0.0, 0.0]));
        assert_eq!(interval(&[0.25]), Some([0.25, 0.25]));
        assert_eq!(interval(&[]), None);
    }
}
