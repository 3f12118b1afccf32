mod following;
mod forms;
mod judge;
mod laws;
mod libreoffice;
mod made;
mod sameness;
mod second_opinion;

use super::{Places, Where};
use crate::cell_map::{AxisMap, CellMap};

/// A workbook of which some sheets are known, the first being the formula's own.
#[derive(Default)]
struct Book {
    sheets: Vec<(&'static str, Option<&'static str>, CellMap)>,
}

impl Book {
    /// A single sheet whose cells went by these maps.
    fn of(rows: AxisMap, cols: AxisMap) -> Self {
        let rects = Vec::new();
        let map = CellMap { rows, cols, rects };
        Self {
            sheets: vec![("Own", Some("Own"), map)],
        }
    }

    /// And another sheet, with its new name; none if it was removed.
    fn with(mut self, name: &'static str, now: Option<&'static str>, map: CellMap) -> Self {
        self.sheets.push((name, now, map));
        self
    }
}

impl Places for Book {
    fn place(&self, sheet: Option<&str>) -> Where<'_> {
        let named = |name: &str| sheet.is_none_or(|sheet| sheet.eq_ignore_ascii_case(name));
        match self.sheets.iter().find(|(name, ..)| named(name)) {
            Some((_, Some(name), map)) => Where::Mapped { map, name },
            Some((_, None, _)) => Where::Gone,
            None => Where::Unknown,
        }
    }
}

/// Lines of which some were removed, and some inserted before others.
fn axis(len: u32, removed: &[u32], inserted_before: &[u32]) -> AxisMap {
    let mut pairs = Vec::new();
    let mut next = 0;
    for line in 0..len {
        next += inserted_before
            .iter()
            .filter(|&&before| before == line)
            .count() as u32;
        if !removed.contains(&line) {
            pairs.push((line, next));
            next += 1;
        }
    }
    AxisMap::new(len, next, pairs)
}
