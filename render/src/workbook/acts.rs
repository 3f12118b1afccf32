//! Describes changes of many cells in the same way.

use super::counts::some;
use super::lines::rows;
use super::value::{escaped, pair, readable, shorten};
use crate::styles::visible_name;
use mvdiff_grid::{Across, AcrossAct, Area, CellChange, DiffOp, FilterAct, RangeAct};

/// The description of an act, in parts.
pub(super) struct DescribedAct {
    /// `filled`, `scaled`.
    pub verb: &'static str,
    /// Which cells.
    pub what: String,
    /// The change, and how many cells it is about.
    pub more: String,
}

/// How wide a formula, a text or a list of places is shown.
const WIDE: usize = 60;

/// Says what an act is, on the page of this sheet; none for plain operations, and for
/// what the head of a page says.
pub(super) fn told(act: &DiffOp, page: &str) -> Option<DescribedAct> {
    if let Some(range) = act.range_act() {
        return Some(cells(act, range));
    }
    Some(match act {
        DiffOp::RowsFiltered(act) => filtered(act),
        DiffOp::BlockMovedAcross(act) => across(act, page),
        DiffOp::RangeTransposed(act) => DescribedAct {
            verb: "turned",
            what: format!("{} → {}", escaped(&act.from_range), escaped(&act.range)),
            more: "rows became columns".to_owned(),
        },
        _ => return None,
    })
}

fn cells(act: &DiffOp, range: &RangeAct) -> DescribedAct {
    let count = range.cells.len();
    let first = range.cells.first();
    let formulas = format!("({})", some(count, "formula", "formulas"));
    let count = some(count, "cell", "cells");
    let from_to = |range: &RangeAct| {
        let side = |text: &Option<String>| shorten(&escaped(text.as_deref().unwrap_or("")), WIDE);
        match (&range.from, &range.to) {
            (None, _) => side(&range.to),
            _ => format!("{} → {}", side(&range.from), side(&range.to)),
        }
    };
    let example = first.map(shown).unwrap_or_default();
    let (verb, more) = match act {
        DiffOp::FormulaFilled(_) => ("filled", format!("{} {formulas}", from_to(range))),
        DiffOp::RangesExtended(_) => ("extended", format!("{} {formulas}", from_to(range))),
        DiffOp::ValuesPasted(_) => ("pasted", format!("values over formulas ({count})")),
        DiffOp::RangeScaled(_) => {
            let factor = range.factor.unwrap_or(1.0);
            let by = match factor {
                -1.0 => "negated".to_owned(),
                by => format!("× {by}"),
            };
            ("scaled", format!("{by} ({count}, {example})"))
        }
        DiffOp::Renumbered(_) => {
            let by = range.offset.map(|by| format!("{by:+} "));
            let by = by.unwrap_or_default();
            ("numbered", format!("{by}({count}, {example})"))
        }
        DiffOp::ValuesReplaced(_) => {
            let side = |text: &Option<String>| {
                let text = shorten(&escaped(text.as_deref().unwrap_or("")), WIDE);
                if text.is_empty() || text.trim() != text {
                    format!("\"{text}\"")
                } else {
                    text
                }
            };
            let what = format!("{} → {}", side(&range.from), side(&range.to));
            ("replaced", format!("{what} ({count})"))
        }
        DiffOp::ValuesConverted(_) => ("retyped", format!("{} ({count})", from_to(range))),
        DiffOp::RangeCleared(_) => ("cleared", format!("({count}, {})", held(range, false))),
        _ => ("entered", format!("({count}, {})", held(range, true))),
    };
    DescribedAct {
        verb,
        what: named(&range.range, range.header.as_deref()),
        more,
    }
}

/// A range, and the name of its column.
fn named(range: &str, header: Option<&str>) -> String {
    let areas = range.split(' ').count();
    let range = escaped(range);
    let range = if range.chars().count() > WIDE && areas > 1 {
        let begin: Vec<&str> = range.split(' ').take(3).collect();
        format!("{} and {} more ranges", begin.join(" "), areas - 3)
    } else {
        range
    };
    match header {
        Some(header) => format!("{range} {}", visible_name(header)),
        None => range,
    }
}

/// Both versions of a cell.
fn shown(cell: &CellChange) -> String {
    let (was, is) = pair(&cell.from, &cell.to, 24);
    format!("{was} → {is}")
}

/// The first values of cells.
fn held(range: &RangeAct, now: bool) -> String {
    let cells = range.cells.iter().take(3);
    let shown = cells.map(|cell| readable(if now { &cell.to } else { &cell.from }));
    let shown: Vec<String> = shown.map(|text| shorten(&text, 20)).collect();
    let more = if range.cells.len() > 3 { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn filtered(act: &FilterAct) -> DescribedAct {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for row in &act.rows {
        match runs.last_mut() {
            Some((start, count)) if start.saturating_add(*count) == row.row_idx => *count += 1,
            _ => runs.push((row.row_idx, 1)),
        }
    }
    let places: Vec<String> = runs
        .iter()
        .map(|(start, count)| rows(*start, *count))
        .collect();
    let column = match &act.header {
        Some(header) => visible_name(header),
        None => format!("column {}", escaped(&act.column)),
    };
    let condition = shorten(&escaped(&act.condition), WIDE);
    DescribedAct {
        verb: "removed",
        what: format!("rows {}", shorten(&places.join(", "), WIDE)),
        more: format!(
            "({}: all with {column} {condition})",
            some(act.rows.len(), "row", "rows")
        ),
    }
}

fn across(act: &AcrossAct, page: &str) -> DescribedAct {
    let verb = match act.how {
        Across::Moved => "moved",
        Across::Copied => "copied",
        Across::Split => "split",
        Across::Joined => "joined",
    };
    let (from, to) = (named(&act.from_range, None), named(&act.range, None));
    let (from_sheet, sheet) = (visible_name(&act.from_sheet), visible_name(&act.sheet));
    let what = if act.sheet == page {
        format!("{from_sheet}!{from} → {to}")
    } else {
        format!("{from} → {sheet}!{to}")
    };
    let areas = act
        .range
        .split(' ')
        .filter_map(|area| area.parse::<Area>().ok());
    let cells: u64 = areas
        .map(|area| {
            let high = u64::from(area.last.row - area.first.row) + 1;
            high * (u64::from(area.last.col - area.first.col) + 1)
        })
        .sum();
    let size = some(
        usize::try_from(cells).unwrap_or(usize::MAX),
        "cell",
        "cells",
    );
    let more = match (act.how, act.sheet == page) {
        (Across::Split, false) => format!("({size}, a sheet of its own)"),
        (Across::Joined, true) => format!("({size}, all of that sheet)"),
        (_, true) => format!("({size}, from another sheet)"),
        (_, false) => format!("({size}, to another sheet)"),
    };
    DescribedAct { verb, what, more }
}
