//! Nothing that may mean something changes without a word: every attribute, every element
//! and every text of a rich workbook is changed or taken out, one at a time.

use mvdiff_grid::{DiffReport, Options, ReadOptions, diff_workbooks, read_pair};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Write as _};
use std::ops::Range;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const RICH: &str = include_str!("rich.parts");

/// What may change without a word: part, element, attribute, and why. `*` is any of them; an
/// attribute `-` is the element itself, and `text` what is in it.
const MEANINGLESS: &[(&str, &str, &str, &str)] = &[
    // Prefixes, numbers and hints.
    ("*", "*", "xmlns", "a prefix"),
    ("*", "*", "xr:uid", "a number that programs give anew"),
    ("*", "*", "x14ac:dyDescent", "a hint on drawing"),
    (
        "*",
        "*",
        "xml:space",
        "how white space is written down; texts are compared",
    ),
    ("*", "*", "count", "follows from what is counted"),
    ("*", "*", "uniqueCount", "follows from what is counted"),
    (
        "[Content_Types]",
        "*",
        "*",
        "relationships say what a part is",
    ),
    (
        ".rels",
        "Relationship",
        "Id",
        "a number that programs give anew",
    ),
    (
        "externalLink1.xml.rels",
        "Relationship",
        "Type",
        "the file that it names is compared",
    ),
    (
        "sheet1.xml.rels",
        "Relationship",
        "Type",
        "an address is one, whatever leads to it",
    ),
    (
        "workbook",
        "workbook",
        "conformance",
        "the dialect of the format",
    ),
    (
        "workbook",
        "sheet",
        "sheetId",
        "a number that programs give anew",
    ),
    ("workbook", "calcPr", "calcId", "the version of a program"),
    (
        "connections",
        "connection",
        "refreshedVersion",
        "the version of a program",
    ),
    ("table", "table", "id", "a number that programs give anew"),
    (
        "table",
        "tableColumn",
        "id",
        "a number that programs give anew",
    ),
    // Texts.
    (
        "sharedStrings",
        "phoneticPr",
        "fontId",
        "a font that hardly any program shows",
    ),
    (
        "comments",
        "comment",
        "guid",
        "a number that programs give anew",
    ),
    (
        "comments",
        "comment",
        "shapeId",
        "a number that programs give anew",
    ),
    ("threaded", "threadedComment", "dT", "a time"),
    (
        "threaded",
        "threadedComment",
        "id",
        "a number that programs give anew",
    ),
    // Boxes of notes.
    ("vml", "v:shape", "id", "a number that programs give anew"),
    ("vml", "v:shape", "style", "where a box is"),
    ("vml", "x:Anchor", "-", "where a box is"),
    ("vml", "x:Anchor", "text", "where a box is"),
    // Rows and cells.
    ("sheet", "dimension", "*", "follows from the cells"),
    ("sheet", "row", "spans", "a hint for readers"),
    ("sheet", "row", "thickTop", "follows from the borders"),
    ("sheet", "row", "thickBot", "follows from the borders"),
    ("sheet", "row", "ph", "cells say it themselves"),
    ("sheet", "f", "ca", "a hint on when to calculate"),
    ("sheet", "f", "aca", "a hint on when to calculate"),
    ("sheet", "f", "bx", "a hint for macros"),
    (
        "sheet",
        "v",
        "-",
        "what a formula came to; the formula is compared",
    ),
    (
        "sheet",
        "v",
        "text",
        "what a formula came to; the formula is compared",
    ),
    // Columns and defaults.
    ("sheet", "col", "bestFit", "how a width came about"),
    ("sheet", "col", "customWidth", "how a width came about"),
    (
        "sheet",
        "col",
        "width",
        "one that nobody chose, behind the last cell",
    ),
    (
        "sheet2",
        "sheetFormatPr",
        "*",
        "a height that nobody chose follows from the font",
    ),
    (
        "sheet",
        "sheetFormatPr",
        "outlineLevelRow",
        "follows from the rows",
    ),
    (
        "sheet",
        "sheetFormatPr",
        "outlineLevelCol",
        "follows from the columns",
    ),
    (
        "sheet",
        "sheetFormatPr",
        "thickTop",
        "follows from the borders",
    ),
    (
        "sheet",
        "sheetFormatPr",
        "thickBottom",
        "follows from the borders",
    ),
    (
        "sheet1",
        "sheetFormatPr",
        "baseColWidth",
        "counts only where no width is given",
    ),
    ("sheet", "dataValidations", "xWindow", "where a window was"),
    ("sheet", "dataValidations", "yWindow", "where a window was"),
    (
        "sheet",
        "ext",
        "uri",
        "says what kind its child is, and that is compared",
    ),
    (
        "sheet",
        "phoneticPr",
        "fontId",
        "a font that hardly any program shows",
    ),
];

/// The same, of attributes that are taken out only, with what they say: the format has a
/// default that says the same, or the rest of the element does.
const IMPLIED: &[(&str, &str, &str)] = &[
    ("c", "r", ""),
    ("row", "r", ""),
    // A text that a cell holds itself is one; what a formula came to.
    ("c", "t", "inlineStr"),
    ("c", "t", "str"),
    ("f", "del1", "0"),
    ("f", "del2", "0"),
    ("rPh", "sb", "0"),
    ("phoneticPr", "type", "fullwidthKatakana"),
    ("definedName", "hidden", "0"),
    ("dataValidations", "disablePrompts", "0"),
];

fn parts() -> BTreeMap<String, String> {
    let mut parts = BTreeMap::new();
    for part in RICH.split("==== ").filter(|part| !part.is_empty()) {
        let (name, text) = part.split_once('\n').expect("a name");
        parts.insert(name.to_owned(), text.trim_end().to_owned());
    }
    parts
}

fn file(parts: &BTreeMap<String, String>) -> Vec<u8> {
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(name.as_str(), stored).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The report on two files; none if the new one cannot be read, which is a word, too.
fn compared(old: &[u8], new: &[u8]) -> Option<DiffReport> {
    let (old, new) = read_pair((old, None), (new, None), &ReadOptions::default());
    Some(diff_workbooks(&old.unwrap(), &new.ok()?, &Options::default()).unwrap())
}

/// One thing that can be changed: where, what it is replaced by, and what it is.
#[derive(Debug)]
struct Mutation {
    at: Range<usize>,
    with: String,
    element: String,
    attribute: String,
}

/// Another value of the same kind.
fn other(value: &str) -> String {
    if let Ok(number) = value.parse::<i64>() {
        let now = match number {
            0 => 1,
            1 => 0,
            number => number + 1,
        };
        return now.to_string();
    }
    if let Ok(number) = value.parse::<f64>() {
        return (number + 1.0).to_string();
    }
    match value {
        "true" => "false".to_owned(),
        "false" => "true".to_owned(),
        // An area or a place stays one.
        value if value.ends_with(|c: char| c.is_ascii_digit()) => {
            let (head, last) = value.split_at(value.len() - 1);
            let last: u32 = last.parse().unwrap_or(0);
            format!("{head}{}", if last == 9 { 8 } else { last + 1 })
        }
        value => format!("{value}x"),
    }
}

/// All that can be changed in a part.
fn mutations(text: &str) -> Vec<Mutation> {
    let mut found = Vec::new();
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('<').map(|start| at + start) {
        let end = start + text[start..].find('>').expect("a closed tag") + 1;
        let tag = &text[start..end];
        if let (Some((element, _)), false) = (open.last(), text[at..start].trim().is_empty()) {
            found.push(Mutation {
                at: at..start,
                with: other(&text[at..start]),
                element: element.clone(),
                attribute: "text".to_owned(),
            });
        }
        at = end;
        let whole = |at: Range<usize>, element: &str| Mutation {
            at,
            with: String::new(),
            element: element.to_owned(),
            attribute: "-".to_owned(),
        };
        if tag.starts_with("</") {
            let (element, from) = open.pop().expect("an open element");
            if !open.is_empty() {
                found.push(whole(from..end, &element));
            }
            continue;
        }
        let name_end = tag[1..].find([' ', '/', '>']).expect("an end") + 1;
        let element = tag[1..name_end].to_owned();
        let mut inside = name_end;
        while let Some(equals) = tag[inside..].find("=\"").map(|equals| inside + equals) {
            let name = tag[inside..equals].trim();
            let value = equals + 2;
            let close = value + tag[value..].find('"').expect("a quote");
            let mutation = |at: Range<usize>, with: String| Mutation {
                at: start + at.start..start + at.end,
                with,
                element: element.clone(),
                attribute: name.to_owned(),
            };
            found.push(mutation(value..close, other(&tag[value..close])));
            found.push(mutation(inside..close + 1, String::new()));
            inside = close + 1;
        }
        if tag.ends_with("/>") {
            if !open.is_empty() {
                found.push(whole(start..end, &element));
            }
        } else {
            open.push((element, start));
        }
    }
    found
}

/// What excuses that a change has no word: an entry of the lists above.
fn excuse(part: &str, text: &str, mutation: &Mutation) -> Option<String> {
    let Mutation {
        at, with, element, ..
    } = mutation;
    let attribute = &mutation.attribute;
    let is = |word: &str, own: &str| {
        word == "*" || own == word || (word == "xmlns" && own.starts_with("xmlns"))
    };
    // Only what a formula came to may change.
    let before = text[..at.start].trim_end_matches("<v>");
    if element == "v" && !before.ends_with("</f>") && !before.ends_with("/>") {
        return None;
    }
    let listed = MEANINGLESS.iter().find(|(of, name, what, _)| {
        (*of == "*" || part.contains(of)) && is(name, element) && is(what, attribute)
    });
    if let Some(entry) = listed {
        return Some(format!("{entry:?}"));
    }
    let implied = IMPLIED.iter().find(|(name, what, was)| {
        name == element && what == attribute && text[at.clone()].contains(was)
    });
    if let (Some(entry), true) = (implied, with.is_empty()) {
        return Some(format!("{entry:?}"));
    }
    // Cells that share a formula do not need to know where the others are.
    let shared = (element.as_str(), attribute.as_str(), with.as_str());
    (shared == ("f", "ref", "C2:C5")).then(|| "a shared formula".to_owned())
}

#[test]
fn nothing_changes_without_a_word() {
    let parts = parts();
    let old = file(&parts);
    let mut silent = BTreeSet::new();
    let mut looked = 0;
    let mut used = BTreeSet::new();
    for (name, text) in &parts {
        for mutation in mutations(text) {
            let mut now = parts.clone();
            let mut changed = text.clone();
            changed.replace_range(mutation.at.clone(), &mutation.with);
            now.insert(name.clone(), changed);
            looked += 1;
            let Some(report) = compared(&old, &file(&now)) else {
                continue;
            };
            if report.ops.is_empty() && report.notes.is_empty() {
                if let Some(entry) = excuse(name, text, &mutation) {
                    used.insert(entry);
                    continue;
                }
                let how = if mutation.with.is_empty() {
                    "taken out"
                } else {
                    "changed"
                };
                let (before, behind) = text.split_at(mutation.at.start);
                let before: String = before.chars().rev().take(30).collect();
                let before: String = before.chars().rev().collect();
                let behind: String = behind.chars().take(40).collect();
                silent.insert(format!(
                    "{name} <{}> {} {how}: {before}|{behind}",
                    mutation.element, mutation.attribute
                ));
            }
        }
    }
    assert!(looked > 1800, "{looked}");
    let silent: Vec<String> = silent.into_iter().collect();
    assert!(
        silent.is_empty(),
        "{} of {looked} changes without a word\n{}",
        silent.len(),
        silent.join("\n")
    );
    // What excuses nothing is not an excuse.
    let entries = MEANINGLESS.iter().map(|entry| format!("{entry:?}"));
    let entries = entries.chain(IMPLIED.iter().map(|entry| format!("{entry:?}")));
    let idle: Vec<String> = entries.filter(|entry| !used.contains(entry)).collect();
    assert!(idle.is_empty(), "{}", idle.join("\n"));
}
