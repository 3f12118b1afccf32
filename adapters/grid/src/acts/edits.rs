//! Edited cells of one sheet, grouped by what was done to them.

use super::areas::{areas, range};
use super::numbers::{self, Lane};
use super::replace::{Swap, swap};
use crate::formula::{extended, r1c1};
use crate::{Address, Area, CellChange, CellData, DiffOp, RangeAct, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Fewer cells than these are listed one by one.
pub(super) const LEAST: usize = 3;
/// Fewer cells than these are not a block that was filled in or emptied.
const BLOCK: usize = 4;

/// Edits of a sheet while acts are taken out of them.
struct Grouping<'s> {
    sheet: &'s str,
    edits: Vec<CellChange>,
    taken: Vec<bool>,
    acts: Vec<DiffOp>,
}

/// What an act says besides its cells.
#[derive(Default)]
struct Said {
    from: Option<String>,
    to: Option<String>,
    factor: Option<f64>,
    offset: Option<f64>,
}

/// A rectangle that moved.
pub(super) struct Rect {
    pub from: Area,
    pub to: Area,
}

impl Rect {
    /// Whether the edit only says what the rectangle covered.
    fn covers(&self, edit: &CellChange) -> bool {
        self.to.contains(edit.addr.0) && !self.from.contains(edit.from_addr.0)
    }
}

/// Groups edits by what was done; gives the acts and the edits that are left. What a
/// rectangle covers is left alone.
pub(super) fn fold(
    sheet: &str,
    edits: Vec<CellChange>,
    rects: &[Rect],
) -> (Vec<DiffOp>, Vec<CellChange>) {
    if edits.len() < LEAST {
        return (Vec::new(), edits);
    }
    // What only stays, and what a moved block covers, is reported as it is.
    let (mut rest, edits): (Vec<CellChange>, Vec<CellChange>) =
        edits.into_iter().partition(|edit| {
            let same = edit.from.formula.is_some() && edit.from.formula == edit.to.formula;
            let wide = |array: Option<Area>| array.is_some_and(|area| area.first != area.last);
            let array = wide(edit.from.array) || wide(edit.to.array);
            same || array || rects.iter().any(|rect| rect.covers(edit))
        });
    let mut all = Grouping {
        sheet,
        taken: vec![false; edits.len()],
        edits,
        acts: Vec::new(),
    };
    all.pasted();
    all.extended();
    all.replaced_in_formulas();
    all.filled();
    all.converted();
    all.counted();
    all.replaced();
    all.blocks();
    all.acts.sort_by_key(first_cell);
    let left = all.edits.into_iter().zip(all.taken);
    rest.extend(left.filter(|(_, taken)| !taken).map(|(edit, _)| edit));
    rest.sort_by_key(|edit| (edit.addr, edit.from_addr));
    (all.acts, rest)
}

fn first_cell(act: &DiffOp) -> Option<Address> {
    act.range_act()?.cells.first().map(|cell| cell.addr.0)
}

impl Grouping<'_> {
    /// Edits that are left, by what `key` says of them.
    fn by<K: Ord>(&self, key: impl Fn(&CellChange) -> Option<K>) -> BTreeMap<K, Vec<usize>> {
        let mut groups: BTreeMap<K, Vec<usize>> = BTreeMap::new();
        for (i, edit) in self.edits.iter().enumerate() {
            if !self.taken[i]
                && let Some(key) = key(edit)
            {
                groups.entry(key).or_default().push(i);
            }
        }
        groups
    }

    fn take(&mut self, kind: fn(RangeAct) -> DiffOp, which: &[usize], said: Said) {
        let mut cells: Vec<CellChange> = which.iter().map(|&i| self.edits[i].clone()).collect();
        cells.sort_by_key(|cell| (cell.addr, cell.from_addr));
        for &i in which {
            self.taken[i] = true;
        }
        self.acts.push(kind(RangeAct {
            sheet: self.sheet.to_owned(),
            range: range(cells.iter().map(|cell| cell.addr.0)),
            from_range: range(cells.iter().map(|cell| cell.from_addr.0)),
            from: said.from,
            to: said.to,
            factor: said.factor,
            offset: said.offset,
            header: None,
            cells,
        }));
    }

    /// Values in the place of formulas. Those that came to something else are part of
    /// it where most of their column did not: they were calculated again before.
    fn pasted(&mut self) {
        let columns = self.by(|edit| {
            let gone = edit.from.formula.is_some() && edit.to.formula.is_none();
            (gone && !edit.to.is_empty()).then_some(edit.addr.0.col)
        });
        let mut which = Vec::new();
        for cells in columns.into_values() {
            let same = |&&i: &&usize| {
                let CellChange { from, to, .. } = &self.edits[i];
                from.value.is_empty() || from.value.same(&to.value)
            };
            let equal: Vec<usize> = cells.iter().filter(same).copied().collect();
            which.extend(if equal.len() * 2 >= cells.len() {
                cells
            } else {
                equal
            });
        }
        if which.len() >= LEAST {
            self.take(DiffOp::ValuesPasted, &which, Said::default());
        }
    }

    /// Ranges that end elsewhere, all by the same lines.
    fn extended(&mut self) {
        let groups = self.by(|edit| {
            let (from, to) = (edit.from.formula.as_deref()?, edit.to.formula.as_deref()?);
            extended(from, to).filter(|_| edit.from.array == edit.to.array)
        });
        for which in groups.into_values() {
            if which.len() >= LEAST {
                let said = self.formulas(&which);
                self.take(DiffOp::RangesExtended, &which, said);
            }
        }
    }

    /// Formulas that are one formula from their own cells, before and after.
    fn filled(&mut self) {
        let groups = self.by(kind_of_formula);
        for which in groups.into_values() {
            if which.len() >= LEAST {
                let said = self.formulas(&which);
                self.take(DiffOp::FormulaFilled, &which, said);
            }
        }
    }

    /// The formulas of the first cell.
    fn formulas(&self, which: &[usize]) -> Said {
        let first = which.iter().min_by_key(|&&i| self.edits[i].addr);
        let first = first.map(|&i| &self.edits[i]);
        Said {
            from: first.and_then(|edit| edit.from.formula.clone()),
            to: first.and_then(|edit| edit.to.formula.clone()),
            ..Said::default()
        }
    }

    /// One text for another in formulas that are not otherwise alike.
    fn replaced_in_formulas(&mut self) {
        let groups = self.by(|edit| {
            let (from, to) = (edit.from.formula.as_deref()?, edit.to.formula.as_deref()?);
            swap(from, to)
        });
        for (swap, which) in groups {
            let kinds: BTreeSet<_> = which
                .iter()
                .filter_map(|&i| kind_of_formula(&self.edits[i]))
                .collect();
            if which.len() >= LEAST && kinds.len() > 1 {
                self.take(DiffOp::ValuesReplaced, &which, swap.into());
            }
        }
    }

    /// Texts that became the numbers that they read as, and the other way.
    fn converted(&mut self) {
        let groups = self.by(|edit| {
            if edit.from.formula.is_some() || edit.to.formula.is_some() {
                return None;
            }
            match (&edit.from.value, &edit.to.value) {
                (Value::Text(text), Value::Number(number)) => {
                    reads_as(text, *number).then_some(("text", "number"))
                }
                (Value::Number(number), Value::Text(text)) => {
                    reads_as(text, *number).then_some(("number", "text"))
                }
                _ => None,
            }
        });
        for ((from, to), which) in groups {
            if which.len() >= LEAST {
                let said = Said {
                    from: Some(from.to_owned()),
                    to: Some(to.to_owned()),
                    ..Said::default()
                };
                self.take(DiffOp::ValuesConverted, &which, said);
            }
        }
    }

    /// Numbers that were scaled, shifted or numbered: down columns, then along rows.
    fn counted(&mut self) {
        let mut scaled: BTreeMap<u64, (f64, Vec<usize>)> = BTreeMap::new();
        let mut shifted: BTreeMap<u64, (f64, Vec<usize>)> = BTreeMap::new();
        for down in [true, false] {
            let lanes = self.by(|edit| {
                let at = edit.addr.0;
                Some(if down { at.col } else { at.row })
            });
            for cells in lanes.into_values() {
                let free = |i: &usize| !self.taken[*i];
                let mut cells: Vec<usize> = cells.into_iter().filter(free).collect();
                cells.sort_by_key(|&i| self.edits[i].addr);
                let lane = Lane::new(&cells, &self.edits);
                let (by_factor, by_amount) = (lane.scaled(), lane.shifted());
                // Large numbers close to each other fit a factor close to one, too.
                let size =
                    |found: Option<&(f64, Vec<usize>)>| found.map_or(0, |found| found.1.len());
                let (found, kind) = if size(by_factor.as_ref()) > size(by_amount.as_ref()) {
                    (by_factor, &mut scaled)
                } else {
                    (by_amount, &mut shifted)
                };
                if let Some((by, which)) = found {
                    for &i in &which {
                        self.taken[i] = true;
                    }
                    let group = kind.entry(by.to_bits()).or_insert((by, Vec::new()));
                    group.1.extend(which);
                }
            }
        }
        for (by, which) in scaled.into_values() {
            let said = Said {
                factor: Some(by),
                ..Said::default()
            };
            self.take(DiffOp::RangeScaled, &which, said);
        }
        for (by, which) in shifted.into_values() {
            let said = Said {
                offset: Some(by),
                ..Said::default()
            };
            self.take(DiffOp::Renumbered, &which, said);
        }
        let lanes = self.by(|edit| Some(edit.addr.0.col));
        for mut cells in lanes.into_values() {
            cells.sort_by_key(|&i| self.edits[i].addr);
            for run in numbers::series(&cells, &self.edits) {
                self.take(DiffOp::Renumbered, &run, Said::default());
            }
        }
    }

    /// One value or text for another.
    fn replaced(&mut self) {
        let whole = self.by(|edit| {
            let CellChange { from, to, .. } = edit;
            let plain = from.formula.is_none() && to.formula.is_none();
            let both = !from.is_empty() && !to.is_empty();
            (plain && both).then(|| (print(from), print(to)))
        });
        for ((from, to), which) in whole {
            if which.len() >= LEAST {
                let swap = Swap { from, to };
                self.take(DiffOp::ValuesReplaced, &which, swap.into());
            }
        }
        let groups = self.by(|edit| {
            let (from, to) = texts(edit)?;
            swap(from, to)
        });
        let by_growth = self.by(|edit| texts(edit).map(|(from, to)| growth(from, to)));
        for (swap, mut which) in groups {
            which.retain(|&i| !self.taken[i]);
            if which.len() < LEAST {
                continue;
            }
            // Cells in which it occurred more than once: they grew by as many times as much.
            if !swap.from.is_empty() {
                let known: BTreeSet<usize> = which.iter().copied().collect();
                let once = growth(&swap.from, &swap.to);
                let times = |grown: isize| match once {
                    0 => grown == 0,
                    once => grown % once == 0 && grown / once > 1,
                };
                let alike = by_growth.iter().filter(|(grown, _)| times(**grown));
                let more = alike.flat_map(|(_, edits)| edits).filter(|i| {
                    let edit = texts(&self.edits[**i]);
                    !self.taken[**i]
                        && !known.contains(*i)
                        && edit.is_some_and(|(from, to)| from.replace(&swap.from, &swap.to) == to)
                });
                which.extend(more);
            }
            self.take(DiffOp::ValuesReplaced, &which, swap.into());
        }
    }

    /// Blocks that were emptied or filled in.
    fn blocks(&mut self) {
        for emptied in [true, false] {
            let is = |edit: &CellChange| if emptied { &edit.to } else { &edit.from }.is_empty();
            let places: BTreeMap<Address, usize> = self
                .by(|edit| is(edit).then_some(edit.addr.0))
                .into_iter()
                .map(|(at, which)| (at, which[0]))
                .collect();
            let kind = if emptied {
                DiffOp::RangeCleared
            } else {
                DiffOp::RangeFilled
            };
            for area in areas(places.keys().copied().collect()) {
                let inside = places.range(area.first..=area.last);
                let inside = inside.filter(|(at, _)| area.contains(**at));
                let which: Vec<usize> = inside.map(|(_, i)| *i).collect();
                if which.len() >= BLOCK {
                    self.take(kind, &which, Said::default());
                }
            }
        }
    }
}

impl From<Swap> for Said {
    fn from(swap: Swap) -> Self {
        Self {
            from: Some(swap.from),
            to: Some(swap.to),
            ..Self::default()
        }
    }
}

/// What a formula was and is, from its own cell; none without a new formula.
fn kind_of_formula(edit: &CellChange) -> Option<(Option<String>, String)> {
    let kind = |cell: &CellData, at: Address| {
        let formula = r1c1(cell.formula.as_deref()?, at);
        Some(match cell.array {
            Some(_) => format!("{{{formula}}}"),
            None => formula,
        })
    };
    Some((
        kind(&edit.from, edit.from_addr.0),
        kind(&edit.to, edit.addr.0)?,
    ))
}

/// Both texts of an edit, if it holds text before and after.
fn texts(edit: &CellChange) -> Option<(&str, &str)> {
    match (&edit.from, &edit.to) {
        (
            CellData {
                value: Value::Text(from),
                formula: None,
                ..
            },
            CellData {
                value: Value::Text(to),
                formula: None,
                ..
            },
        ) => Some((from, to)),
        _ => None,
    }
}

/// By how many bytes a text became longer.
fn growth(from: &str, to: &str) -> isize {
    to.len() as isize - from.len() as isize
}

fn reads_as(text: &str, number: f64) -> bool {
    let read = text.trim().replace(',', "").parse::<f64>();
    read.is_ok_and(|read| Value::<&str>::Number(read).same(&Value::<&str>::Number(number)))
}

/// A value as text, so that values can be grouped.
fn print(cell: &CellData) -> String {
    match &cell.value {
        Value::Text(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(is) => if *is { "TRUE" } else { "FALSE" }.to_owned(),
        Value::Date(days) => crate::date::to_iso(*days),
        Value::Duration(days) => format!("{} s", crate::date::millis(*days) as f64 / 1e3),
        Value::Error(code) => code.as_str().to_owned(),
        Value::Empty => String::new(),
    }
}
