//! What is left of an element when the readers have taken what they compare. It is compared
//! as well, so that nothing differs without a word; only [`MEANINGLESS`] is left out.
//!
//! Declarations of namespaces and the ids of revisions (`xr:uid`) are left out before, with
//! all attributes of those prefixes: see `attributes` in `dom`.

use super::dom::{Attribute, Node};
use crate::Area;
use crate::extras::{Aspect, Extra};
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// What says nothing to a person: element, attribute or child, and why. `*` is any element.
const MEANINGLESS: &[(&str, &str, &str)] = &[
    ("*", "count", "follows from what is counted"),
    ("*", "uniqueCount", "follows from what is counted"),
    (
        "*",
        "space",
        "how white space is written down; texts are compared",
    ),
    ("worksheet", "dimension", "follows from the cells"),
    ("workbook", "conformance", "the dialect of the format"),
    ("sheet", "sheetId", "a number that programs give anew"),
    ("pivotCache", "cacheId", "a number that programs give anew"),
    ("comment", "shapeId", "a number that programs give anew"),
    ("comment", "guid", "a number that programs give anew"),
    ("threadedComment", "id", "a number that programs give anew"),
    ("threadedComment", "dT", "a time"),
    ("phoneticPr", "fontId", "the number of a font"),
    ("font", "family", "a hint for where the font is missing"),
    ("font", "charset", "a hint for where the font is missing"),
    (
        "ext",
        "uri",
        "says what kind its child is, and that is compared",
    ),
    ("sheetFormatPr", "outlineLevelRow", "follows from the rows"),
    (
        "sheetFormatPr",
        "outlineLevelCol",
        "follows from the columns",
    ),
    ("sheetFormatPr", "thickTop", "follows from the borders"),
    ("sheetFormatPr", "thickBottom", "follows from the borders"),
    ("dataValidations", "xWindow", "where a window was"),
    ("dataValidations", "yWindow", "where a window was"),
    ("col", "bestFit", "how a width came about"),
    ("col", "customWidth", "how a width came about"),
    ("row", "spans", "a hint for readers"),
    ("row", "thickTop", "follows from the borders"),
    ("row", "thickBot", "follows from the borders"),
    ("row", "ph", "cells say it themselves"),
    ("f", "ca", "a hint on when to calculate"),
    ("f", "aca", "a hint on when to calculate"),
    ("f", "bx", "a hint for macros"),
    // Programs place the boxes of notes anew, and draw them in their own way; their colour
    // and whether they are shown is compared.
    ("shape", "id", "a number that programs give anew"),
    ("shape", "spid", "a number that programs give anew"),
    ("shape", "type", "a shape of the same part"),
    (
        "shape",
        "style",
        "where a box is; whether it is shown is compared",
    ),
    ("shape", "insetmode", "how a box is drawn"),
    ("shape", "gfxdata", "how a box is drawn"),
    ("shape", "path", "how a box is drawn"),
    ("shape", "shadow", "how a box is drawn"),
    ("shape", "stroke", "how a box is drawn"),
    ("shape", "stroked", "how a box is drawn"),
    ("shape", "strokecolor", "how a box is drawn"),
    ("shape", "strokeweight", "how a box is drawn"),
    ("shape", "fill", "how a box is drawn"),
    ("shape", "wrap", "how a box is drawn"),
    ("shape", "textbox", "the text of a note is in its comment"),
    ("xml", "shapelayout", "numbers of shapes"),
    ("xml", "shapetype", "the shape of all boxes"),
    ("ClientData", "Anchor", "where a box is"),
    ("ClientData", "MoveWithCells", "where a box is"),
    ("ClientData", "SizeWithCells", "where a box is"),
    (
        "ClientData",
        "RowHidden",
        "follows from the rows and columns",
    ),
    (
        "ClientData",
        "ColHidden",
        "follows from the rows and columns",
    ),
    ("ClientData", "AutoFill", "how a box is drawn"),
    ("ClientData", "AutoLine", "how a box is drawn"),
    ("ClientData", "TextHAlign", "how a box is drawn"),
    ("ClientData", "TextVAlign", "how a box is drawn"),
];

/// Values that say what no attribute says, too.
const DEFAULTS: &[(&str, &str, &str)] = &[
    ("sheetPr", "published", "1"),
    ("sheetPr", "enableFormatConditionsCalculation", "1"),
    ("phoneticPr", "type", "fullwidthKatakana"),
    ("phoneticPr", "alignment", "left"),
    ("shape", "fillcolor", "#ffffe1"),
    ("shape", "fillcolor", "infoBackground [80]"),
];

/// Whether this says nothing to a person; attributes and children alike.
pub(in crate::read) fn is_meaningless(element: &str, what: &str) -> bool {
    MEANINGLESS
        .iter()
        .any(|(of, name, _)| (*of == "*" || *of == element) && *name == what)
}

/// A value in one spelling; none if it is the one that counts anyway.
fn said<'v>(element: &str, attribute: &'v Attribute) -> Option<&'v str> {
    let value = match attribute.value.trim() {
        "true" | "t" | "True" => "1",
        "false" | "f" | "False" => "0",
        value => value,
    };
    let mut defaults = DEFAULTS
        .iter()
        .filter(|(of, name, _)| *of == element && *name == attribute.name)
        .peekable();
    let is_default = match defaults.peek() {
        Some(_) => defaults.any(|(_, _, default)| default.eq_ignore_ascii_case(value)),
        None => value == "0" || value.is_empty(),
    };
    (!is_default).then_some(value)
}

/// What is left of an element, piece by piece: what it is called, and a number for it.
pub(super) fn pieces(node: &Node, relation: &dyn Fn(&str) -> u64) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    for attribute in &node.attributes {
        if is_meaningless(&node.name, &attribute.name) {
            continue;
        }
        let value = if attribute.is_relation {
            format!("{:x}", relation(&attribute.value))
        } else {
            match said(&node.name, attribute) {
                Some(value) => value.to_owned(),
                None => continue,
            }
        };
        let label = format!("{} {}", node.name, attribute.name);
        let digest = hash(&[&label, &value]);
        found.push((label, digest));
    }
    if !node.text.is_empty() {
        let label = format!("text of {}", node.name);
        found.push((label, hash(&[&node.name, &node.text])));
    }
    for child in &node.children {
        if !is_meaningless(&node.name, &child.name) {
            found.push((child.name.clone(), child.digest(relation)));
        }
    }
    found
}

/// What is left of an element as things of a sheet.
pub(super) fn extras(
    node: &Node,
    aspect: Aspect,
    areas: &[Area],
    part: &Arc<str>,
    relation: &dyn Fn(&str) -> u64,
) -> impl Iterator<Item = Extra> {
    let (areas, part) = (areas.to_vec(), Arc::clone(part));
    let found = pieces(node, relation).into_iter();
    found.map(move |(label, digest)| Extra {
        aspect,
        areas: areas.clone(),
        formulas: Vec::new(),
        digest,
        part: Arc::clone(&part),
        payload: None,
        label: Some(label.into()),
    })
}

/// A number for texts that belong together.
pub(in crate::read) fn hash(texts: &[&str]) -> u64 {
    let mut hash = Xxh3::new();
    for text in texts {
        hash.update(text.as_bytes());
        // No UTF-8 text holds this byte.
        hash.update(&[0xff]);
    }
    hash.digest()
}
