//! Rows that were sorted: one thing that happened, however many rows it moved.

use crate::diff::sheet::Aligned;
use crate::{Address, Grid, Value, column_name};
use std::cmp::Ordering;

/// Fewest rows of which it can be said that they are in order.
const FEWEST: usize = 6;
/// Most columns that an order is explained by.
const MOST_KEYS: usize = 4;

/// The columns that the rows are sorted by now and were not before, as in
/// `["E", "B"]`, `-` before those that count down; none if rows did not move, or
/// moved otherwise.
pub(crate) fn sorted_by(old: &Grid, new: &Grid, aligned: &Aligned) -> Option<Vec<String>> {
    if aligned.rows.moves.len() < 3 {
        return None;
    }
    // From the first row that moved to the last, in new order: what is above
    // and below (titles, totals) was not sorted along.
    let moves = aligned.rows.moves.iter();
    let first = moves.clone().map(|m| m.dst.min(m.src)).min()?;
    let last = moves.map(|m| m.dst + m.len).max()?;
    let back = aligned.map.rows.inverse();
    let rows: Vec<(u32, u32)> = (first..last.min(new.row_count()))
        .filter_map(|row| Some((back.get(row)?, row)))
        .filter(|(was, _)| *was < old.row_count())
        .collect();
    if rows.len() < FEWEST {
        return None;
    }
    let mut left: Vec<(usize, usize)> = vec![(0, rows.len())];
    let mut keys: Vec<String> = Vec::new();
    while keys.len() < MOST_KEYS {
        let columns = 0..new.col_count();
        let step = |down: bool| columns.clone().map(move |col| (col, down));
        // A column that puts all that is still tied in order, and ties not all of
        // it again.
        let found = step(false).chain(step(true)).find_map(|(col, down)| {
            let value = |row: u32| new.value(Address::new(row, col));
            let order = |a: u32, b: u32| {
                let order = compare(&value(a), &value(b));
                if down { order.reverse() } else { order }
            };
            let in_order = left.iter().all(|&(from, to)| {
                rows[from..to]
                    .windows(2)
                    .all(|two| order(two[0].1, two[1].1) != Ordering::Greater)
            });
            if !in_order {
                return None;
            }
            let ties = ties(&rows, &left, &order);
            let parts = ties.iter().map(|(from, to)| to - from).sum::<usize>();
            let before = left.iter().map(|(from, to)| to - from).sum::<usize>();
            let says = parts < before || ties.len() > left.len();
            says.then_some((col, down, ties))
        });
        let Some((col, down, ties)) = found else {
            break;
        };
        let mark = if down { "-" } else { "" };
        keys.push(format!("{mark}{}", column_name(col)));
        left = ties;
        // Rows that are still tied keep the order they had: a sort is stable.
        let stable =
            |&(from, to): &(usize, usize)| rows[from..to].windows(2).all(|two| two[0].0 < two[1].0);
        if left.iter().all(stable) {
            return was_not(old, &rows, &keys).then_some(keys);
        }
    }
    None
}

/// Stretches of rows that compare as equal.
fn ties(
    rows: &[(u32, u32)],
    within: &[(usize, usize)],
    order: &impl Fn(u32, u32) -> Ordering,
) -> Vec<(usize, usize)> {
    let mut ties = Vec::new();
    for &(from, to) in within {
        let mut start = from;
        for at in from + 1..=to {
            if at == to || order(rows[at - 1].1, rows[at].1) != Ordering::Equal {
                if at - start > 1 {
                    ties.push((start, at));
                }
                start = at;
            }
        }
    }
    ties
}

/// Whether the old rows were not in the order of the first column already.
fn was_not(old: &Grid, rows: &[(u32, u32)], keys: &[String]) -> bool {
    let Some(first) = keys.first() else {
        return false;
    };
    let down = first.starts_with('-');
    let Some(col) = crate::column_index(first.trim_start_matches('-')) else {
        return false;
    };
    let mut was: Vec<u32> = rows.iter().map(|pair| pair.0).collect();
    was.sort_unstable();
    was.windows(2).any(|two| {
        let value = |row: u32| old.value(Address::new(row, col));
        let order = compare(&value(two[0]), &value(two[1]));
        let order = if down { order.reverse() } else { order };
        order == Ordering::Greater
    })
}

/// The order of spreadsheet programs: numbers, texts without case, no and yes,
/// errors, and what is empty last.
fn compare(a: &Value<&str>, b: &Value<&str>) -> Ordering {
    let rank = |value: &Value<&str>| match value {
        Value::Number(_) | Value::Date(_) | Value::Duration(_) => 0,
        Value::Text(_) => 1,
        Value::Bool(_) => 2,
        Value::Error(_) => 3,
        Value::Empty => 4,
    };
    let number = |value: &Value<&str>| match value {
        Value::Number(n) | Value::Date(n) | Value::Duration(n) => *n,
        _ => 0.0,
    };
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => a.to_lowercase().cmp(&b.to_lowercase()),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        _ => rank(a).cmp(&rank(b)).then(number(a).total_cmp(&number(b))),
    }
}
