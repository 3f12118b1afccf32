//! Describes changes besides cells: comments, links, rules, formats, sizes.

use super::counts::some;
use super::lines::{columns, rows};
use super::value::escaped;
use mvdiff_grid::{
    Address, Area, Comment, DiffOp, Element, ItemChange, LineState, PartChange, StyleProps,
    TableChange,
};

/// The description of a change, in parts.
pub(super) struct Described {
    /// `comment`, `number format`.
    pub noun: &'static str,
    /// `added`, `removed`, `changed`.
    pub verb: &'static str,
    /// The cells, rows or columns; empty if it is the whole sheet.
    pub place: String,
    /// What it was and is.
    pub more: String,
    /// A cell of the new sheet to show it at.
    pub at: Option<Address>,
}

/// Says what an operation beside the cells is; none for all others.
pub(super) fn told(op: &DiffOp) -> Option<Described> {
    if repeats_a_thread(op) {
        return None;
    }
    Some(match op {
        DiffOp::CommentAdded { addr, comment, .. } => Described {
            noun: "comment",
            verb: "added",
            place: addr.0.to_string(),
            more: remark(comment),
            at: Some(addr.0),
        },
        DiffOp::CommentRemoved { addr, comment, .. } => Described {
            noun: "comment",
            verb: "removed",
            place: addr.0.to_string(),
            more: remark(comment),
            at: None,
        },
        DiffOp::CommentEdited { addr, from, to, .. } => Described {
            noun: "comment",
            verb: "changed",
            place: addr.0.to_string(),
            more: format!("{} -> {}", remark(from), remark(to)),
            at: Some(addr.0),
        },
        DiffOp::HyperlinkChanged(change) => item("link", change, link),
        DiffOp::ValidationChanged(change) => item("validation", change, rule),
        DiffOp::ConditionalFormatChanged(change) => item("conditional format", change, condition),
        DiffOp::ProtectionChanged(change) => item("protection", change, attributes),
        DiffOp::TableAdded(TableChange { table, change })
        | DiffOp::TableRemoved(TableChange { table, change })
        | DiffOp::TableChanged(TableChange { table, change }) => Described {
            more: super::table::words(table, change),
            ..item("table", change, attributes)
        },
        // Its modules or queries say what happened.
        DiffOp::PartChanged(part) if part.listed => return None,
        DiffOp::PartChanged(part) if super::drawings::told(part).is_some() => {
            return super::drawings::told(part);
        }
        DiffOp::PartChanged(part) if op.sheet().is_none() => Described {
            more: whole_part(part),
            ..item(noun_of(&part.what), &part.change, attributes)
        },
        DiffOp::PartChanged(part) => item(noun_of(&part.what), &part.change, attributes),
        DiffOp::ModuleChanged(code) | DiffOp::QueryChanged(code) => Described {
            noun: super::macros::of(op)?.0,
            verb: match (&code.from, &code.to) {
                (None, _) => "added",
                (_, None) => "removed",
                _ => "changed",
            },
            place: escaped(&code.name),
            more: super::macros::Code::new(code).summary,
            at: None,
        },
        DiffOp::NumberFormatChanged {
            range, from, to, ..
        } => Described {
            noun: "number format",
            verb: "changed",
            place: place(Some(range)),
            more: format!("{} -> {}", escaped(from), escaped(to)),
            at: first(range),
        },
        DiffOp::StyleChanged {
            range, from, to, ..
        } => Described {
            noun: "style",
            verb: "changed",
            place: place(Some(range)),
            more: style_words(from, to),
            at: first(range),
        },
        DiffOp::RowsHidden { .. }
        | DiffOp::ColumnsHidden { .. }
        | DiffOp::RowHeight { .. }
        | DiffOp::ColumnWidth { .. } => return line(op),
        _ => return None,
    })
}

/// Whether it is the note that programs keep beside a thread, for others that know none.
pub(super) fn repeats_a_thread(op: &DiffOp) -> bool {
    let is_copy = |comment: &Comment| comment.author.starts_with("tc={");
    match op {
        DiffOp::CommentAdded { comment, .. } | DiffOp::CommentRemoved { comment, .. } => {
            is_copy(comment)
        }
        DiffOp::CommentEdited { from, to, .. } => is_copy(from) && is_copy(to),
        _ => false,
    }
}

fn line(op: &DiffOp) -> Option<Described> {
    Some(match op {
        DiffOp::RowsHidden {
            start_row,
            row_count,
            from,
            to,
            ..
        } => Described {
            noun: if *row_count == 1 { "row" } else { "rows" },
            verb: state_verb(*from, *to),
            place: rows(*start_row, *row_count),
            more: state_words(*from, *to),
            at: Some(Address::new(*start_row, 0)),
        },
        DiffOp::ColumnsHidden {
            start_col,
            col_count,
            from,
            to,
            ..
        } => Described {
            noun: if *col_count == 1 { "column" } else { "columns" },
            verb: state_verb(*from, *to),
            place: columns(*start_col, *col_count),
            more: state_words(*from, *to),
            at: Some(Address::new(0, *start_col)),
        },
        DiffOp::RowHeight {
            start_row,
            row_count,
            from,
            to,
            ..
        } => Described {
            noun: "height",
            verb: "changed",
            place: format!("row {}", rows(*start_row, *row_count)),
            more: format!("{} -> {}", size(*from), size(*to)),
            at: Some(Address::new(*start_row, 0)),
        },
        DiffOp::ColumnWidth {
            start_col,
            col_count,
            from,
            to,
            ..
        } => Described {
            noun: "width",
            verb: "changed",
            place: format!("column {}", columns(*start_col, *col_count)),
            more: format!("{} -> {}", size(*from), size(*to)),
            at: Some(Address::new(0, *start_col)),
        },
        _ => return None,
    })
}

fn remark(comment: &Comment) -> String {
    let text = format!("\"{}\"", escaped(&comment.text));
    let mut said = match comment.author.trim() {
        "" => text,
        author => format!("{}: {text}", escaped(author)),
    };
    if comment.thread.as_ref().is_some_and(|thread| thread.done) {
        said.push_str(" (resolved)");
    }
    said
}

fn item(noun: &'static str, change: &ItemChange, words: fn(&Element) -> String) -> Described {
    let verb = match (&change.from, &change.to) {
        (None, _) => "added",
        (_, None) => "removed",
        _ => "changed",
    };
    let said = |element: &Option<Element>| element.as_ref().map(words);
    let more = match (said(&change.from), said(&change.to)) {
        (Some(from), Some(to)) if from == to => from,
        (Some(from), Some(to)) => format!("{from} -> {to}"),
        (from, to) => from.or(to).unwrap_or_default(),
    };
    let range = change.range.as_ref().or(change.from_range.as_ref());
    Described {
        noun,
        verb,
        place: range.map_or(String::new(), |range| place(Some(range))),
        more,
        at: change.range.as_deref().and_then(first),
    }
}

/// `xl/vbaProject.bin (compiled code or settings; no module differs)`.
fn whole_part(part: &PartChange) -> String {
    let side = part.change.to.as_ref().or(part.change.from.as_ref());
    let name = side.and_then(|side| side.get("part")).unwrap_or_default();
    // Those that could be taken apart say how many are in them.
    let is_known = |what: &str| {
        let known =
            |side: &Option<Element>| side.as_ref().is_some_and(|side| side.get(what).is_some());
        known(&part.change.from) && known(&part.change.to)
    };
    let why = if is_known("modules") {
        " (compiled code or settings; no module differs)"
    } else if is_known("queries") {
        " (settings; no query differs)"
    } else {
        ""
    };
    format!("{}{why}", escaped(name))
}

/// What `--ignore` calls it, as a noun.
fn noun_of(what: &str) -> &'static str {
    match what {
        "filters" => "filter",
        "views" => "view",
        "page-setup" => "page setup",
        "hidden" => "grouping",
        "protection" => "protection",
        "sizes" => "default size",
        "macros" => "macros",
        "queries" => "queries",
        "connections" => "connection",
        "drawings" => "drawing",
        "pivots" => "pivot table",
        "controls" => "control",
        "tables" => "slicer",
        "links" => "link to another workbook",
        "other" => "part",
        _ => "setting",
    }
}

fn link(element: &Element) -> String {
    let target = element.get("target").unwrap_or_default();
    match element.get("location") {
        Some(place) => escaped(&format!("{target}#{place}")),
        None => escaped(target),
    }
}

/// `list "yes,no"`, `whole number between 1 and 10`.
fn rule(element: &Element) -> String {
    let kind = match element.get("type") {
        None | Some("none") => "any value",
        Some("whole") => "whole number",
        Some("textLength") => "text length",
        Some(kind) => kind,
    };
    let formula = |name: &str| element.child(name).map(|f| escaped(&f.text));
    let operator = match element.get("operator") {
        _ if matches!(kind, "list" | "custom" | "any value") => "",
        None | Some("between") => "between",
        Some("notBetween") => "not between",
        Some("equal") => "=",
        Some("notEqual") => "<>",
        Some("lessThan") => "<",
        Some("lessThanOrEqual") => "<=",
        Some("greaterThan") => ">",
        Some("greaterThanOrEqual") => ">=",
        Some(other) => other,
    };
    let mut words = vec![kind.to_owned(), escaped(operator)];
    words.extend(formula("formula1"));
    if let Some(second) = formula("formula2") {
        words.extend(["and".to_owned(), second]);
    }
    if let Some(prompt) = element.get("prompt") {
        words.push(format!("(prompt \"{}\")", escaped(prompt)));
    }
    if let Some(error) = element.get("error") {
        words.push(format!("(error \"{}\")", escaped(error)));
    }
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

/// `expression $A1>5: fill FFFF0000`.
fn condition(element: &Element) -> String {
    let rules = element.children.iter().map(|rule| {
        let kind = rule.get("type").unwrap_or("rule");
        let operator = rule.get("operator").unwrap_or_default();
        let formulas = rule.children.iter().filter(|child| child.name == "formula");
        let formulas: Vec<String> = formulas.map(|f| escaped(&f.text)).collect();
        let mut words = vec![escaped(kind), escaped(operator), formulas.join(", ")];
        words.retain(|word| !word.is_empty());
        words.join(" ")
    });
    rules.collect::<Vec<_>>().join("; ")
}

fn attributes(element: &Element) -> String {
    let own = element.attributes.iter();
    let own = own.map(|(name, value)| format!("{}={}", escaped(name), escaped(value)));
    let mut words: Vec<String> = own.collect();
    if !element.text.is_empty() {
        words.push(escaped(&element.text));
    }
    words.extend(element.children.iter().map(attributes));
    words.retain(|word| !word.is_empty());
    let said = words.join(" ");
    if said.is_empty() {
        escaped(&element.name)
    } else {
        said
    }
}

fn state_verb(from: LineState, to: LineState) -> &'static str {
    match (from.hidden, to.hidden) {
        (false, true) => "hidden",
        (true, false) => "shown",
        _ if to.level > from.level => "grouped",
        _ if to.level < from.level => "ungrouped",
        _ => "folded",
    }
}

fn state_words(from: LineState, to: LineState) -> String {
    if from.level == to.level {
        return String::new();
    }
    format!("level {} -> {}", from.level, to.level)
}

fn size(size: Option<f64>) -> String {
    size.map_or("automatic".to_owned(), |size| size.to_string())
}

/// Areas that are named; more are counted.
const AREAS: usize = 6;

/// `A1:L1`, and how many cells those are if they are several.
fn place(range: Option<&str>) -> String {
    let range = range.unwrap_or_default();
    let areas: Vec<Area> = range
        .split(' ')
        .filter_map(|area| area.parse().ok())
        .collect();
    let size = |area: &Area| {
        let line = |first: u32, last: u32| u64::from(last - first) + 1;
        line(area.first.row, area.last.row) * line(area.first.col, area.last.col)
    };
    let cells: u64 = areas.iter().map(size).sum();
    let mut words: Vec<String> = areas.iter().take(AREAS).map(|a| a.shortest()).collect();
    if areas.len() > AREAS {
        words.push(format!("and {} more places", areas.len() - AREAS));
    }
    let place = words.join(" ");
    match cells {
        0 => escaped(range),
        1 => place,
        cells => format!("{place} ({})", some(cells as usize, "cell", "cells")),
    }
}

fn first(range: &str) -> Option<Address> {
    let area: Area = range.split(' ').next()?.parse().ok()?;
    Some(area.first)
}

/// `bold, fill FFFF00, no italic`.
fn style_words(from: &StyleProps, to: &StyleProps) -> String {
    let mut words: Vec<String> = to.iter().map(|(key, value)| property(key, value)).collect();
    let gone = from.keys().filter(|key| !to.contains_key(*key));
    words.extend(gone.map(|key| format!("no {}", property(key, ""))));
    words.dedup();
    words.join(", ")
}

fn property(key: &str, value: &str) -> String {
    let name = match key.split('#').next().unwrap_or(key) {
        "font.b" | "font.b@val" => "bold",
        "font.i" | "font.i@val" => "italic",
        "font.u" | "font.u@val" => "underlined",
        "font.strike" | "font.strike@val" => "struck out",
        "font.sz@val" => "size",
        "font.name@val" => "font",
        "alignment@horizontal" | "alignment@vertical" => "align",
        "alignment@wrapText" => "wrap",
        "alignment@indent" => "indent",
        key if key.starts_with("font.color") => "colour",
        key if key.starts_with("fill.") => "fill",
        key if key.starts_with("border.") => "border",
        key if key.starts_with("protection@") => &key["protection@".len()..],
        key => key,
    };
    let said = match value {
        "" | "1" | "solid" | "true" => "",
        value => value,
    };
    let words = format!("{} {}", escaped(name), escaped(said));
    words.trim_end().to_owned()
}
