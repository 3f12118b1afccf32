//! Ours against the rules written down a second time, as simply as they can be: lines
//! are looked up one by one, and a formula is read character by character.

use super::Book;
use super::made::{COLS, ROWS, axis, cell, config};
use crate::cell_map::AxisMap;
use crate::formula::{Formula, Shift};
use crate::{column_index, column_name};
use proptest::prelude::*;

/// One end of a range: column mark, column, row mark, row.
#[derive(Clone, Copy)]
struct End(bool, u32, bool, u32);

impl End {
    fn read(text: &str) -> Self {
        let fixed_col = text.starts_with('$');
        let rest = text.trim_start_matches('$');
        let letters = rest.trim_end_matches(|c: char| c == '$' || c.is_ascii_digit());
        let rest = &rest[letters.len()..];
        let row: u32 = rest.trim_start_matches('$').parse().unwrap();
        End(
            fixed_col,
            column_index(letters).unwrap(),
            rest.starts_with('$'),
            row - 1,
        )
    }

    fn write(self) -> String {
        let mark = |fixed| if fixed { "$" } else { "" };
        let End(fixed_col, col, fixed_row, row) = self;
        format!(
            "{}{}{}{}",
            mark(fixed_col),
            column_name(col),
            mark(fixed_row),
            row + 1
        )
    }
}

struct Judge<'a> {
    rows: &'a AxisMap,
    cols: &'a AxisMap,
    shift: Option<i64>,
}

impl Judge<'_> {
    /// The end, if any line that may stand for its row, and for its column, is there.
    fn place(&self, end: End, rows: &[u32], cols: &[u32]) -> Option<End> {
        let End(fixed_col, _, fixed_row, row) = end;
        let col = cols.iter().find_map(|&col| self.cols.get(col))?;
        let row = match self.shift {
            Some(shift) if !fixed_row => u32::try_from(i64::from(row) + shift).ok()?,
            _ => rows.iter().find_map(|&row| self.rows.get(row))?,
        };
        Some(End(fixed_col, col, fixed_row, row))
    }

    fn single(&self, text: &str) -> String {
        let end = End::read(text);
        let now = self.place(end, &[end.3], &[end.1]);
        now.map_or("#REF!".to_owned(), End::write)
    }

    fn range(&self, first: &str, last: &str) -> String {
        let (a, z) = (End::read(first), End::read(last));
        let (rows, cols): (Vec<u32>, Vec<u32>) = ((a.3..=z.3).collect(), (a.1..=z.1).collect());
        let back = |lines: &[u32]| lines.iter().rev().copied().collect::<Vec<u32>>();
        let p = self.place(a, &rows, &cols);
        let q = self.place(z, &back(&rows), &back(&cols));
        let (Some(mut p), Some(mut q)) = (p, q) else {
            return "#REF!".to_owned();
        };
        if p.3 > q.3 {
            (p, q) = (End(p.0, p.1, q.2, q.3), End(q.0, q.1, p.2, p.3));
        }
        if p.1 > q.1 {
            (p, q) = (End(q.0, q.1, p.2, p.3), End(p.0, p.1, q.2, q.3));
        }
        p.write() + ":" + &q.write()
    }

    /// References are all that has capital letters and digits here.
    fn follow(&self, formula: &str) -> String {
        let is_end = |c: char| c == '$' || c.is_ascii_uppercase() || c.is_ascii_digit();
        let mut out = String::new();
        let mut rest = formula;
        while let Some(start) = rest.find(is_end) {
            out.push_str(&rest[..start]);
            rest = &rest[start..];
            let reference = rest.split(|c| c != ':' && !is_end(c)).next().unwrap();
            rest = &rest[reference.len()..];
            out += &match reference.split_once(':') {
                Some((first, last)) => self.range(first, last),
                None => self.single(reference),
            };
        }
        out + rest
    }
}

/// A cell, or a range from its top left to its bottom right.
fn reference() -> impl Strategy<Value = String> {
    let range = (cell(), cell()).prop_map(|(first, last)| {
        let (a, z) = (End::read(&first), End::read(&last));
        let (left, right) = (a.1.min(z.1), a.1.max(z.1));
        let (top, bottom) = (a.3.min(z.3), a.3.max(z.3));
        End(a.0, left, a.2, top).write() + ":" + &End(z.0, right, z.2, bottom).write()
    });
    prop_oneof![cell(), range]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn references_follow_by_the_rules(
        references in [reference(), reference(), reference()],
        rows in axis(ROWS, true),
        cols in axis(COLS, true),
        shift in proptest::option::of(-5_i64..20),
    ) {
        let [a, b, c] = references;
        let formula = format!("=sum({a},{b})*-{c}");
        let wanted = Judge { rows: &rows, cols: &cols, shift }.follow(&formula);
        let book = Book::of(rows.clone(), cols.clone());
        let shift = Shift { rows: shift, cols: None };
        prop_assert_eq!(Formula::parse(&formula).follow_shifted(&book, shift), wanted);
    }
}
