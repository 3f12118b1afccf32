//! Describes changes of a table.

use super::value::escaped;
use mvdiff_grid::{Element, ItemChange};

/// Columns that are named; more are counted.
const NAMED: usize = 8;

/// `Sales: A1:C9 -> A1:D9; column Tax added; style TableStyleLight1 -> TableStyleDark2`.
pub(super) fn words(name: &str, change: &ItemChange) -> String {
    let said = match (&change.from, &change.to) {
        (Some(from), Some(to)) => differences(change, from, to).join("; "),
        (Some(table), None) | (None, Some(table)) => named(&columns(table)),
        (None, None) => String::new(),
    };
    let name = escaped(name);
    match &said[..] {
        "" => name,
        said => format!("{name}: {said}"),
    }
}

fn differences(change: &ItemChange, from: &Element, to: &Element) -> Vec<String> {
    let mut said = Vec::new();
    let mut differ = |what: &str, was: &str, is: &str| {
        if was != is {
            let quoted = |text: &str| match text {
                "" => "none".to_owned(),
                text => escaped(text),
            };
            said.push(format!("{what}{} -> {}", quoted(was), quoted(is)));
        }
    };
    let name = |table: &Element| table.get("displayName").unwrap_or_default().to_owned();
    differ("name ", &name(from), &name(to));
    let range = |range: &Option<String>| range.clone().unwrap_or_default();
    differ("", &range(&change.from_range), &range(&change.range));
    let style = |table: &Element| {
        let style = table.child("tableStyleInfo");
        style
            .and_then(|style| style.get("name"))
            .unwrap_or_default()
            .to_owned()
    };
    differ("style ", &style(from), &style(to));
    let (old, new) = (columns(from), columns(to));
    let only = |mine: &[String], others: &[String]| -> Vec<String> {
        let mine = mine.iter().filter(|name| !others.contains(name));
        mine.cloned().collect()
    };
    for (names, verb) in [(only(&old, &new), "removed"), (only(&new, &old), "added")] {
        match names.len() {
            0 => {}
            1 => said.push(format!("column {} {verb}", named(&names))),
            _ => said.push(format!("columns {} {verb}", named(&names))),
        }
    }
    formulas(from, to, &mut said);
    for (attribute, what, usual) in [
        ("headerRowCount", "header row", "1"),
        ("totalsRowCount", "totals row", "0"),
    ] {
        let has = |table: &Element| table.get(attribute).unwrap_or(usual) != "0";
        match (has(from), has(to)) {
            (false, true) => said.push(format!("{what} added")),
            (true, false) => said.push(format!("{what} removed")),
            _ => {}
        }
    }
    if from.child("autoFilter") != to.child("autoFilter") && said.is_empty() {
        said.push("filter changed".to_owned());
    }
    if said.is_empty() {
        said.push("settings changed".to_owned());
    }
    said
}

/// Formulas of columns that have the same name.
fn formulas(from: &Element, to: &Element, said: &mut Vec<String>) {
    for column in column_elements(to) {
        let name = column.get("name");
        let old = column_elements(from).find(|old| old.get("name") == name);
        let Some(old) = old else { continue };
        for (kind, what) in [
            ("calculatedColumnFormula", ""),
            ("totalsRowFormula", " total"),
        ] {
            let text = |column: &Element| column.child(kind).map(|f| f.text.clone());
            let (was, is) = (text(old), text(column));
            if was == is {
                continue;
            }
            let print = |text: Option<String>| {
                text.map_or("no formula".to_owned(), |text| {
                    format!("={}", escaped(&text))
                })
            };
            let name = escaped(name.unwrap_or_default());
            said.push(format!("{name}{what} {} -> {}", print(was), print(is)));
        }
    }
}

fn column_elements(table: &Element) -> impl Iterator<Item = &Element> {
    let lists = table.children.iter();
    lists
        .filter(|child| child.name == "tableColumns")
        .flat_map(|list| &list.children)
}

fn columns(table: &Element) -> Vec<String> {
    let names = column_elements(table).map(|column| column.get("name").unwrap_or_default());
    names.map(str::to_owned).collect()
}

fn named(names: &[String]) -> String {
    let mut words: Vec<String> = names.iter().take(NAMED).map(|name| escaped(name)).collect();
    if names.len() > NAMED {
        words.push(format!("and {} more", names.len() - NAMED));
    }
    words.join(", ")
}
