//! Describes changes of charts, pictures, shapes and pivot tables.

use super::non_cell::Described;
use super::value::escaped;
use mvdiff_grid::{Address, Area, Element, ItemChange, PartChange};

/// Ranges and fields that are named; more are counted.
const NAMED: usize = 4;

/// What happened to one; none if the operation is about something else.
pub(super) fn told(part: &PartChange) -> Option<Described> {
    let change = &part.change;
    let side = change.to.as_ref().or(change.from.as_ref())?;
    let noun = match &side.name[..] {
        "chart" => "chart",
        "picture" => "picture",
        "shape" => "shape",
        "line" => "line",
        "group" => "group of shapes",
        "drawing" => "drawing",
        "pivotTable" => "pivot table",
        _ => return None,
    };
    let is_object = |parts: &mvdiff_grid::Parts| parts.named_by.is_some() || noun == "pivot table";
    let parts = part.to_parts.as_ref().or(part.from_parts.as_ref());
    parts.filter(|parts| is_object(parts))?;
    let range = change.range.as_ref().or(change.from_range.as_ref());
    let (verb, more) = match (&change.from, &change.to) {
        (None, _) => ("added", described(side)),
        (_, None) => ("removed", described(side)),
        (Some(from), Some(to)) => changed(change, from, to),
    };
    Some(Described {
        noun,
        verb,
        place: range.map_or(String::new(), |range| escaped(range)),
        more,
        at: first(change.range.as_ref()),
    })
}

fn area(range: Option<&String>) -> Option<Area> {
    range?.parse().ok()
}

fn first(range: Option<&String>) -> Option<Address> {
    area(range).map(|area| area.first)
}

/// `"Sales" (column chart): Data!B2:B9`.
fn described(side: &Element) -> String {
    let mut words = called(side);
    if let Some(kind) = side.get("type") {
        words = format!("{words} ({})", kind_of(side, kind));
    }
    let more = [ranges(side), fields(side), said(side, "text")];
    let more: Vec<String> = more.into_iter().filter(|more| !more.is_empty()).collect();
    if !more.is_empty() {
        words = format!("{words}: {}", more.join("; "));
    }
    words.trim_start().to_owned()
}

fn kind_of(side: &Element, kind: &str) -> String {
    match side.get("bytes") {
        Some(bytes) => format!("{}, {} bytes", escaped(kind), escaped(bytes)),
        None => escaped(kind),
    }
}

/// Its title, else its name.
fn called(side: &Element) -> String {
    let title = side.get("title").or_else(|| side.get("name"));
    title.map_or(String::new(), |title| format!("\"{}\"", escaped(title)))
}

fn said(side: &Element, what: &str) -> String {
    side.get(what).map_or(String::new(), escaped)
}

fn children(side: &Element, name: &str) -> String {
    let all = side.children.iter().filter(|child| child.name == name);
    let all: Vec<String> = all.map(|child| escaped(&child.text)).collect();
    let mut words: Vec<String> = all.iter().take(NAMED).cloned().collect();
    if all.len() > NAMED {
        words.push(format!("and {} more", all.len() - NAMED));
    }
    words.join(", ")
}

fn ranges(side: &Element) -> String {
    children(side, "f")
}

/// `rows Region, columns Year, values Sum of Sales`.
fn fields(side: &Element) -> String {
    let kinds = ["rows", "columns", "filters", "values"];
    let all = kinds.map(|kind| (kind, children(side, kind)));
    let all = all.into_iter().filter(|(_, names)| !names.is_empty());
    let words: Vec<String> = all.map(|(kind, names)| format!("{kind} {names}")).collect();
    words.join(", ")
}

/// A verb, and what was and is.
fn changed(change: &ItemChange, from: &Element, to: &Element) -> (&'static str, String) {
    let size = |area: Area| {
        let rows = area.last.row.saturating_sub(area.first.row);
        (rows, area.last.col.saturating_sub(area.first.col))
    };
    let (was, is) = (
        area(change.from_range.as_ref()),
        area(change.range.as_ref()),
    );
    let at = change.from_range.as_ref().map_or("", String::as_str);
    let resized = was.map(size) != is.map(size);
    let mut words = Vec::new();
    let mut differ = |what: &str, was: String, is: String| {
        let quoted = |text: String| match &text[..] {
            "" => "none".to_owned(),
            _ => text,
        };
        if was != is {
            words.push(format!("{what}{} -> {}", quoted(was), quoted(is)));
        }
    };
    for what in ["title", "name", "description", "text", "type", "bytes"] {
        let quoted = |side: &Element| match (what, side.get(what)) {
            ("type", Some(kind)) => escaped(kind),
            ("bytes", Some(bytes)) => format!("{} bytes", escaped(bytes)),
            (_, Some(text)) => format!("\"{}\"", escaped(text)),
            (_, None) => String::new(),
        };
        let label = match what {
            "type" | "bytes" => String::new(),
            what => format!("{what} "),
        };
        differ(&label, quoted(from), quoted(to));
    }
    differ("", ranges(from), ranges(to));
    differ("", fields(from), fields(to));
    let is_said = from != to && !words.is_empty();
    let moved = was != is;
    let verb = match (is_said, moved, resized) {
        (false, true, false) => "moved",
        (false, true, true) => "resized",
        _ => "changed",
    };
    if moved {
        words.push(format!("from {}", escaped(at)));
    }
    if words.is_empty() {
        words.push("its look or settings".to_owned());
    }
    let name = called(to);
    let said = words.join("; ");
    let more = if name.is_empty() {
        said
    } else {
        format!("{name}: {said}")
    };
    (verb, more)
}
