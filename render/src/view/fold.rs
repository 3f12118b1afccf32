//! Which rows are shown, and which runs of unchanged ones are folded.

use super::Row;
use std::ops::Range;

/// Rows of a file that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stretch {
    /// Something happened here, or near by.
    Shown(Range<usize>),
    /// Nothing happened here.
    Folded(Range<usize>),
}

/// Folds what is further than `context` rows from anything that happened. A fold
/// of a single row is none: it would take as much room.
#[must_use]
pub fn fold(rows: &[Row<'_>], context: usize) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut at = 0;
    for run in rows.chunk_by(|a, b| a.is_quiet() == b.is_quiet()) {
        let range = at..at + run.len();
        at = range.end;
        if !run[0].is_quiet() {
            show(&mut stretches, range);
            continue;
        }
        let start = range.start + if range.start == 0 { 0 } else { context };
        let end = range
            .end
            .saturating_sub(if range.end == rows.len() { 0 } else { context });
        let known = |row: &Row<'_>| matches!(row, Row::Lines { .. });
        if end <= start || (end - start == 1 && known(&rows[start])) {
            show(&mut stretches, range);
            continue;
        }
        show(&mut stretches, range.start..start);
        stretches.push(Stretch::Folded(start..end));
        show(&mut stretches, end..range.end);
    }
    stretches
}

fn show(stretches: &mut Vec<Stretch>, range: Range<usize>) {
    match stretches.last_mut() {
        _ if range.is_empty() => {}
        Some(Stretch::Shown(last)) => last.end = range.end,
        _ => stretches.push(Stretch::Shown(range)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Line, State};
    use super::*;

    fn row(state: State) -> Row<'static> {
        let line = Line {
            number: 1,
            text: b"x\n",
            state,
            spans: Vec::new(),
            block: None,
            other: None,
        };
        Row::Lines {
            old: Some(line.clone()),
            new: Some(line),
        }
    }

    fn rows(quiet: &str) -> Vec<Row<'static>> {
        let state = |c| if c == '.' { State::Same } else { State::Edited };
        quiet.chars().map(|c| row(state(c))).collect()
    }

    #[test]
    fn unchanged_runs_fold_but_for_their_context() {
        use Stretch::{Folded, Shown};
        assert_eq!(
            fold(&rows(".....x......x...."), 2),
            [
                Folded(0..3),
                Shown(3..8),
                Folded(8..10),
                Shown(10..15),
                Folded(15..17)
            ]
        );
    }

    #[test]
    fn a_single_row_is_not_folded() {
        assert_eq!(fold(&rows("x...x"), 1), [Stretch::Shown(0..5)]);
        assert_eq!(fold(&rows("..."), 3), [Stretch::Folded(0..3)]);
        assert_eq!(fold(&[], 3), []);
    }
}
