//! Numbers that all changed in one way: by a factor, by an amount, to a series.

use crate::{CellChange, CellData, Value};
use std::collections::BTreeSet;

/// Fewer numbers than these may agree by chance.
const LEAST: usize = 4;

/// Edits of numbers in one column or row.
pub(super) struct Lane {
    /// Which edits, and the numbers before and after.
    numbers: Vec<(usize, f64, f64)>,
    /// How many edits the lane has, of numbers or not.
    all: usize,
}

impl Lane {
    pub fn new(which: &[usize], edits: &[CellChange]) -> Self {
        let numbers = which.iter().filter_map(|&i| {
            let CellChange { from, to, .. } = &edits[i];
            match (number(from)?, number(to)?) {
                ((from, a), (to, b)) if a == b => Some((i, from, to)),
                _ => None,
            }
        });
        Self {
            numbers: numbers.collect(),
            all: which.len(),
        }
    }

    /// The factor that most of the lane was multiplied by, and which edits that are.
    pub fn scaled(&self) -> Option<(f64, Vec<usize>)> {
        let factor =
            |(_, from, to): &(usize, f64, f64)| (*from != 0.0 && to.is_finite()).then(|| to / from);
        let exact = self.agree(factor, |factor, from, to| {
            (to - factor * from).abs() <= 1e-9 * to.abs().max((factor * from).abs())
        });
        let found = exact.or_else(|| self.rounded());
        // What differs by less than is shown was calculated in another order.
        found.filter(|(factor, _)| (factor - 1.0).abs() > f64::EPSILON)
    }

    /// The same for numbers that were rounded afterwards.
    fn rounded(&self) -> Option<(f64, Vec<usize>)> {
        if self.numbers.len() < LEAST + 2 {
            return None;
        }
        // The largest number tells the factor best.
        let (_, from, to) = self
            .numbers
            .iter()
            .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
        let digits = self.numbers.iter().map(|(_, _, to)| decimals(*to)).max()?;
        if *from == 0.0 || digits > 3 {
            return None;
        }
        let half = 0.5 * 10_f64.powi(-digits) + 1e-9;
        let low = (to - half) / from;
        let high = (to + half) / from;
        let factor = shortest_between(low.min(high), low.max(high))?;
        self.with(factor, |from, to| (to - factor * from).abs() <= half)
    }

    /// The amount that most of the lane was raised by.
    pub fn shifted(&self) -> Option<(f64, Vec<usize>)> {
        self.agree(
            |(_, from, to)| Some(to - from),
            |amount, from, to| {
                (to - from - amount).abs() <= 1e-9 * to.abs().max(from.abs()).max(1e-300)
            },
        )
    }

    /// What most numbers agree on, if that is more than chance.
    fn agree(
        &self,
        what: impl Fn(&(usize, f64, f64)) -> Option<f64>,
        fits: impl Fn(f64, f64, f64) -> bool,
    ) -> Option<(f64, Vec<usize>)> {
        if self.numbers.len() < LEAST {
            return None;
        }
        // The one in the middle is among those that agree, if most do.
        let mut all: Vec<f64> = self.numbers.iter().filter_map(what).collect();
        all.sort_by(f64::total_cmp);
        let by = short(*all.get(all.len() / 2)?);
        self.with(by, |from, to| fits(by, from, to))
    }

    fn with(&self, by: f64, fits: impl Fn(f64, f64) -> bool) -> Option<(f64, Vec<usize>)> {
        let agree = self.numbers.iter().filter(|(_, from, to)| fits(*from, *to));
        let agree: Vec<&(usize, f64, f64)> = agree.collect();
        let different: BTreeSet<u64> = agree.iter().map(|(_, from, _)| from.to_bits()).collect();
        let most = agree.len() * 5 >= self.all * 3;
        (agree.len() >= LEAST && different.len() > 1 && most && by != 0.0 && by.is_finite())
            .then(|| (by, agree.iter().map(|(i, _, _)| *i).collect()))
    }
}

/// A number without a formula, and whether it is a date.
fn number(cell: &CellData) -> Option<(f64, bool)> {
    match (&cell.formula, &cell.value) {
        (None, Value::Number(number)) => Some((*number, false)),
        (None, Value::Date(days)) => Some((*days, true)),
        _ => None,
    }
}

/// At ten digits, so that what is the same is one factor.
fn short(number: f64) -> f64 {
    format!("{number:.9e}").parse().unwrap_or(number)
}

/// Digits behind the point, as people see them.
fn decimals(number: f64) -> i32 {
    let shown = short(number).to_string();
    shown
        .split_once('.')
        .map_or(0, |(_, digits)| digits.len() as i32)
}

/// The number with the fewest digits between two others.
fn shortest_between(low: f64, high: f64) -> Option<f64> {
    let middle = f64::midpoint(low, high);
    (0..6)
        .filter_map(|digits| format!("{middle:.digits$e}").parse::<f64>().ok())
        .find(|number| (low..=high).contains(number))
}

/// Runs of edits, in order, whose new values count on: `7, 8, 9` or `ID-07, ID-08`.
pub(super) fn series(which: &[usize], edits: &[CellChange]) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let mut run: Vec<(usize, (&str, i64))> = Vec::new();
    let mut close = |run: &mut Vec<(usize, (&str, i64))>| {
        if run.len() >= LEAST {
            runs.push(run.iter().map(|(i, _)| *i).collect());
        }
    };
    for &i in which {
        let CellChange { from, to, .. } = &edits[i];
        let next = counted(from, to).or_else(|| serial(to));
        let Some(next) = next.filter(|_| !from.is_empty()) else {
            close(&mut run);
            run.clear();
            continue;
        };
        let goes_on = match &run[..] {
            [] => true,
            [(_, one)] => one.0 == next.0 && (next.1 - one.1).abs() == 1,
            [.., (_, one), (_, two)] => two.0 == next.0 && next.1 - two.1 == two.1 - one.1,
        };
        if !goes_on {
            close(&mut run);
            run.clear();
        }
        run.push((i, next));
    }
    close(&mut run);
    runs
}

/// The one number in a text that changed, and what is before it: `2` in `lib_2||seq_7`, if
/// that was `lib_1||seq_7`.
fn counted<'c>(from: &CellData, to: &'c CellData) -> Option<(&'c str, i64)> {
    let (None, None) = (&from.formula, &to.formula) else {
        return None;
    };
    let (Value::Text(was), Value::Text(is)) = (&from.value, &to.value) else {
        return None;
    };
    let (was, is): (&str, &str) = (was.as_ref(), is.as_ref());
    let digit = |c: char| c.is_ascii_digit();
    let both = was.chars().zip(is.chars()).take_while(|(a, b)| a == b);
    let head: usize = both.map(|(c, _)| c.len_utf8()).sum();
    let head = is[..head].trim_end_matches(digit).len();
    let both = was[head..].chars().rev().zip(is[head..].chars().rev());
    let tail = both.take_while(|(a, b)| a == b);
    let tail: usize = tail.map(|(c, _)| c.len_utf8()).sum();
    let rest = is[is.len() - tail..].trim_start_matches(digit).len();
    let number = |text: &str| text[head..text.len() - rest].parse::<u32>().ok();
    number(was)?;
    Some((&is[..head], i64::from(number(is)?)))
}

/// A whole number, or what is before the number at the end of a text.
fn serial(cell: &CellData) -> Option<(&str, i64)> {
    match (&cell.formula, &cell.value) {
        (None, Value::Number(number)) if number.fract() == 0.0 && number.abs() < 1e15 => {
            Some(("", *number as i64))
        }
        (None, Value::Text(text)) => {
            let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
            let (before, number) = text.split_at(text.len() - digits);
            number.parse().ok().map(|number| (before, number))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::counted;
    use crate::{CellData, Value};

    #[test]
    fn the_number_that_changed_counts_wherever_it_is() {
        let cell = |text: &str| CellData {
            value: Value::Text(text.into()),
            ..CellData::default()
        };
        for (was, is, found) in [
            ("lib_1||seq_2", "lib_2||seq_2", Some(("lib_", 2))),
            ("lib_1||seq_2", "lib_12||seq_2", Some(("lib_", 12))),
            ("ID-07", "ID-08", Some(("ID-", 8))),
            ("1", "21", Some(("", 21))),
            ("é9é", "é10é", Some(("é", 10))),
            ("lib_a", "lib_2", None),
            ("lib_1", "lib_1", Some(("lib_", 1))),
            ("5 of 6", "7 of 9", None),
            ("x", "", None),
        ] {
            assert_eq!(counted(&cell(was), &cell(is)), found, "{was} -> {is}");
        }
    }
}
