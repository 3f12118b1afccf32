//! Charts, pictures and shapes: each anchor of a drawing is a thing of its own.

use super::chart::chart;
use super::dom::Node;
use super::sheet::Shell;
use super::{Reader, carried, residue};
use crate::extras::{Aspect, Extra, Object, Payload};
use crate::package::anchors::{self, Anchor};
use crate::parts::{CarriedPart, NamedBy};
use crate::read::book::Target;
use crate::read::package::normal;
use crate::read::xml;
use crate::{Address, Element};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of a drawing beyond which it is not taken apart.
const LONGEST: usize = 16 << 20;
/// Characters of a shape's text that are kept.
const SHOWN: usize = 400;

impl Reader<'_, '_> {
    /// Takes the anchors of a drawing; whether it could be taken apart.
    pub(super) fn drawing(&self, part: &str, read: &mut Shell<'_>) -> bool {
        let bytes = self.bytes(part).filter(|bytes| bytes.len() <= LONGEST);
        let text = bytes
            .as_deref()
            .and_then(|bytes| xml::decode("", bytes).ok());
        let Some(text) = text else { return false };
        let rels = self.relations(part);
        let drawing = Drawing {
            part,
            rels: &rels,
            // Lines between shapes name them by their numbers.
            is_connected: text.contains("stCxn") || text.contains("endCxn"),
        };
        let Some((anchors, frame)) = anchors::anchors(&text).zip(anchors::frame(&text)) else {
            return false;
        };
        let mut numbers = String::new();
        let found: Option<Vec<Extra>> = (0..)
            .zip(&anchors)
            .map(|(at, anchor)| self.anchor(&drawing, at, anchor, &mut numbers))
            .collect();
        let Some(found) = found else { return false };
        read.items.extend(found);
        if !numbers.is_empty() {
            let digest = xxh3_64(numbers.as_bytes());
            read.push_left(Aspect::Properties, &[], "numbers of shapes", digest);
        }
        let frame = Node::parse(&frame).unwrap_or_default();
        let name: Arc<str> = part.into();
        let left = residue::extras(&frame, Aspect::Drawings, &[], &name, read.relation);
        read.items.extend(left);
        // What no anchor names.
        let named: BTreeSet<&String> = anchors.iter().flat_map(|anchor| &anchor.ids).collect();
        for (id, target) in rels.iter().filter(|(id, _)| !named.contains(id)) {
            let label = format!("a {} that nothing shows", target.kind);
            read.push_left(Aspect::Drawings, &[], &label, self.led_to(&rels, id, 1));
        }
        true
    }

    fn anchor(
        &self,
        drawing: &Drawing<'_>,
        at: u32,
        anchor: &Anchor,
        numbers: &mut String,
    ) -> Option<Extra> {
        let mut node = Node::parse(&anchor.xml)?;
        let mut said = describe(&node);
        let mut corners = Vec::new();
        take_corners(&mut node, &mut corners);
        if !drawing.is_connected {
            take_numbers(&mut node, numbers);
        }
        let mut formulas = Vec::new();
        let mut digests: BTreeMap<&str, u64> = BTreeMap::new();
        let mut content = Vec::new();
        for id in &anchor.ids {
            let digest = self.target(drawing.rels, id, &mut formulas, &mut said);
            digests.insert(id, digest);
            content.extend(digest.to_le_bytes());
        }
        let digest = node.digest(&|id| digests.get(id).copied().unwrap_or(0));
        let relation = |id: &String| {
            let target = drawing.rels.get(id)?;
            Some(carried::relation(id, target))
        };
        Some(Extra {
            aspect: Aspect::Drawings,
            areas: anchors::covered(&corners).into_iter().collect(),
            formulas,
            digest,
            part: drawing.part.into(),
            payload: Some(Arc::new(Payload::Object(Object {
                said,
                corners,
                content: xxh3_64(&content),
                named_by: NamedBy {
                    xml: anchor.xml.clone(),
                    relations: anchor.ids.iter().filter_map(relation).collect(),
                    at: None,
                },
                at,
                relation: String::new(),
                parts: self.shown(drawing, anchor),
            }))),
            label: None,
        })
    }

    /// A number for what an anchor shows, without the formulas of a chart.
    fn target(
        &self,
        rels: &BTreeMap<String, Target>,
        id: &str,
        formulas: &mut Vec<String>,
        said: &mut Element,
    ) -> u64 {
        let Some(target) = rels.get(id) else { return 0 };
        let kind = xxh3_64(target.kind.as_bytes());
        if target.outside {
            return self.led_to(rels, id, 1);
        }
        if target.kind == "image" && said.name == "picture" {
            let ending = target.part.rsplit('.').next().unwrap_or_default();
            let size = self.package.borrow_mut().packed(&target.part);
            let size = size.map_or(0, |packed| packed.size());
            let mut say = |name: &str, value: String| {
                said.attributes.entry(name.to_owned()).or_insert(value);
            };
            say("type", ending.to_lowercase());
            say("bytes", size.to_string());
        }
        if !target.kind.to_lowercase().starts_with("chart") {
            return self.led_to(rels, id, 1);
        }
        let below = self.relations(&target.part);
        let relation = |id: &str| self.led_to(&below, id, 2);
        let chart = self
            .bytes(&target.part)
            .and_then(|bytes| chart(&bytes, &relation));
        let Some(chart) = chart else {
            return self.led_to(rels, id, 1);
        };
        self.reach(&target.part);
        chart.describe(said);
        let mut all: Vec<u64> = below.keys().map(|id| relation(id)).collect();
        all.sort_unstable();
        let mut bytes: Vec<u8> = [chart.digest, kind]
            .iter()
            .flat_map(|n| n.to_le_bytes())
            .collect();
        bytes.extend(all.iter().flat_map(|digest| digest.to_le_bytes()));
        formulas.extend(chart.formulas);
        xxh3_64(&bytes)
    }

    /// All parts that an anchor shows; none if a report does not carry them.
    fn shown(&self, drawing: &Drawing<'_>, anchor: &Anchor) -> Option<Vec<CarriedPart>> {
        let targets = anchor.ids.iter().filter_map(|id| drawing.rels.get(id));
        let targets: Vec<&Target> = targets.filter(|target| !target.outside).collect();
        // Of what both files have, only the formulas of charts can come to differ.
        let is_same = self.same.contains(&normal(drawing.part));
        if is_same && targets.iter().any(|target| target.kind == "image") {
            return None;
        }
        let mut known = HashSet::new();
        let mut found = Vec::new();
        for target in targets {
            self.collect_some(&target.part, &mut known, &mut found)?;
        }
        Some(found)
    }
}

/// A drawing while it is read.
struct Drawing<'d> {
    part: &'d str,
    rels: &'d BTreeMap<String, Target>,
    is_connected: bool,
}

/// Takes the rows and columns out of an anchor.
fn take_corners(node: &mut Node, corners: &mut Vec<Address>) {
    for child in &mut node.children {
        match &child.name[..] {
            "from" | "to" => {
                let mut line = |name: &str| {
                    let mut lines = child.children.iter_mut();
                    let line = lines.find(|line| line.name == name)?;
                    let number = line.text.trim().parse().ok()?;
                    line.text.clear();
                    Some(number)
                };
                if let (Some(row), Some(col)) = (line("row"), line("col")) {
                    corners.push(Address::new(row, col));
                }
            }
            "Choice" | "Fallback" | "twoCellAnchor" | "oneCellAnchor" => {
                take_corners(child, corners);
            }
            _ => {}
        }
    }
}

/// Takes the numbers out that programs give to shapes.
fn take_numbers(node: &mut Node, numbers: &mut String) {
    if node.name == "cNvPr" {
        numbers.push_str(&node.take("id").unwrap_or_default());
        numbers.push(' ');
    }
    for child in &mut node.children {
        take_numbers(child, numbers);
    }
}

/// What an anchor holds, as far as it says itself.
fn describe(anchor: &Node) -> Element {
    let kind = find(anchor, &|node| {
        matches!(
            &node.name[..],
            "pic" | "sp" | "cxnSp" | "grpSp" | "graphicFrame" | "contentPart"
        )
    });
    let name = match kind.map(|node| &node.name[..]) {
        Some("pic") => "picture",
        Some("sp") => "shape",
        Some("cxnSp") => "line",
        Some("grpSp") => "group",
        _ => "drawing",
    };
    let mut said = Element {
        name: name.to_owned(),
        ..Element::default()
    };
    let named = find(anchor, &|node| node.name == "cNvPr");
    for (from, to) in [("name", "name"), ("descr", "description")] {
        let value = named.and_then(|named| named.get(from));
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            said.attributes.insert(to.to_owned(), value.to_owned());
        }
    }
    if let Some(body) = find(anchor, &|node| node.name == "txBody") {
        let text: String = body.all_text().chars().take(SHOWN).collect();
        if !text.trim().is_empty() {
            said.attributes
                .insert("text".to_owned(), text.trim().to_owned());
        }
    }
    said
}

fn find<'n>(node: &'n Node, is: &dyn Fn(&Node) -> bool) -> Option<&'n Node> {
    if is(node) {
        return Some(node);
    }
    node.children.iter().find_map(|child| find(child, is))
}
